/* Byte buffer for appending. On a failed allocation it drops the data and records the failure; the caller checks once,
 * at the end. */
#ifndef SL_BACKEND_LINK_BYTES_H
#define SL_BACKEND_LINK_BYTES_H

#include "base/error.h"
#include "base/types.h"

struct sl_link_bytes {
  uint8_t *bytes;
  size_t size, capacity;
  bool incomplete;
};

void sl_link_bytes_put(struct sl_link_bytes *to, const void *bytes, size_t size);

/* Appends a number of `size` bytes, little-endian. */
void sl_link_bytes_number(struct sl_link_bytes *to, uint32_t number, unsigned size);

/* Appends the text with the terminating 0. */
void sl_link_bytes_string(struct sl_link_bytes *to, const char *text);

/* Appends a number in DWARF's LEB128. */
void sl_link_bytes_unsigned(struct sl_link_bytes *to, uint32_t number);
void sl_link_bytes_signed(struct sl_link_bytes *to, int32_t number);

/* Appends zeros up to a multiple of `alignment`. */
void sl_link_bytes_align(struct sl_link_bytes *to, size_t alignment);

/* Replaces four bytes. */
void sl_link_bytes_set(struct sl_link_bytes *to, size_t at, uint32_t number);

void sl_link_bytes_free(struct sl_link_bytes *to);

#endif
