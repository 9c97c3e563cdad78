/* Which ranges of a device's data memory are in use: buffers, handed out first fit from low addresses on, and what
 * programs have reserved for themselves. It knows addresses only; the memory is the device's. */
#ifndef SL_GPU_ALLOCATOR_H
#define SL_GPU_ALLOCATOR_H

#include "base/error.h"
#include "base/types.h"

enum { SL_BUFFER_ALIGNMENT = 256 };

struct sl_range {
  uint64_t first, end; /* end: the address after the last */
  bool buffer;         /* else reserved */
};

struct sl_allocator {
  uint64_t base, end;      /* buffers are between them */
  struct sl_range *ranges; /* in use, sorted, disjoint */
  size_t count, capacity;
};

void sl_allocator_init(struct sl_allocator *allocator, uint32_t base, uint32_t end);
void sl_allocator_free(struct sl_allocator *allocator);

/* A buffer of so many bytes, at least 1, at a multiple of SL_BUFFER_ALIGNMENT. SL_USAGE when there is no room. */
enum sl_status sl_allocator_take(struct sl_allocator *allocator, uint64_t size, uint32_t *address,
                                 struct sl_error *err);

/* Ends the buffer that begins at the address; its size is left in *size. SL_USAGE when none begins there. */
enum sl_status sl_allocator_give_back(struct sl_allocator *allocator, uint32_t address, uint64_t *size,
                                      struct sl_error *err);

/* Keeps buffers out of a range, which may overlap others that are reserved. SL_USAGE when a buffer is there. */
enum sl_status sl_allocator_reserve(struct sl_allocator *allocator, uint64_t first, uint64_t size,
                                    struct sl_error *err);

/* How many buffers there are. */
size_t sl_allocator_buffers(const struct sl_allocator *allocator);

/* The buffer that holds an address, or NULL. */
const struct sl_range *sl_allocator_buffer(const struct sl_allocator *allocator, uint32_t address);

#endif
