/* Sides of copies and fills of the CUDA runtime. */
#ifndef SL_CUDART_CUDART_COPY_H
#define SL_CUDART_CUDART_COPY_H

#include "cudart/cudart.h"

struct sl_cudart_place {
  uint64_t address; /* of the device, if `device` */
  char *host;
  bool device;
};

struct sl_cudart_place sl_cudart_place(const void *pointer, bool device);

/* Whether a pointer is memory of the device, and not managed: managed memory is the host's between launches. */
bool sl_cudart_on_device(const struct cudart *r, const void *pointer);

/* Whether the bytes are all there: in the buffer of the device, or in the range that the runtime has allocated. Of
 * other memory of the host nothing is known. */
bool sl_cudart_is_there(const struct cudart *r, struct sl_cudart_place place, size_t bytes);

#endif
