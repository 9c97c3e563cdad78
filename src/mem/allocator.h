/* The allocator of a device's data memory. It tracks buffers and the ranges that programs reserve. It manages addresses
 * only; the device owns the memory.
 *
 * A buffer takes the lowest free place that is large enough. With `ascending` set, it takes the place after all buffers
 * so far instead, until the end of the memory is reached. */
#ifndef SL_MEM_ALLOCATOR_H
#define SL_MEM_ALLOCATOR_H

#include "base/error.h"
#include "base/types.h"

enum { SL_BUFFER_ALIGNMENT = 256 };

struct sl_range {
  uint64_t first, end; /* end: the address after the last byte */
  bool buffer;         /* false: a reserved range */
};

struct sl_allocator {
  uint64_t base, end;      /* range of addresses for buffers */
  bool ascending;          /* addresses ascend in the order of allocation */
  uint64_t gap;            /* bytes that stay free after a buffer, where a checker finds stray accesses */
  uint64_t next;           /* with `ascending`: the end of the highest buffer so far */
  struct sl_range *ranges; /* used ranges, sorted and disjoint */
  size_t count;
};

void sl_allocator_init(struct sl_allocator *allocator, uint64_t base, uint64_t end);
void sl_allocator_free(struct sl_allocator *allocator);

/* Allocates a buffer of `size` bytes, at least 1, aligned to SL_BUFFER_ALIGNMENT. SL_USAGE: there is no room. */
enum sl_status sl_allocator_take(struct sl_allocator *allocator, uint64_t size, uint64_t *address,
                                 struct sl_error *err);

/* Frees the buffer at the address and stores its size in *size. SL_USAGE: no buffer begins there. */
enum sl_status sl_allocator_give_back(struct sl_allocator *allocator, uint64_t address, uint64_t *size,
                                      struct sl_error *err);

/* Reserves a range, which may overlap other reserved ranges. SL_USAGE: it overlaps a buffer. */
enum sl_status sl_allocator_reserve(struct sl_allocator *allocator, uint64_t first, uint64_t size,
                                    struct sl_error *err);

/* Number of buffers, and the bytes of all. */
uint64_t sl_allocator_bytes(const struct sl_allocator *allocator);
size_t sl_allocator_buffers(const struct sl_allocator *allocator);

/* The buffer that contains an address, or NULL. */
const struct sl_range *sl_allocator_buffer(const struct sl_allocator *allocator, uint64_t address);

/* The buffer that contains an address, else the last one below it, else the first one above it; NULL: there is none. */
const struct sl_range *sl_allocator_nearest(const struct sl_allocator *allocator, uint64_t address);

/* Allocates a buffer at an address. SL_USAGE: the address is no multiple of SL_BUFFER_ALIGNMENT, or the place is not
 * free. */
enum sl_status sl_allocator_place(struct sl_allocator *allocator, uint64_t address, uint64_t size,
                                  struct sl_error *err);

#endif
