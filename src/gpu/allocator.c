#include "gpu/allocator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t aligned(uint64_t address)
{
  return (address + SL_BUFFER_ALIGNMENT - 1) & ~(uint64_t)(SL_BUFFER_ALIGNMENT - 1);
}

void sl_allocator_init(struct sl_allocator *allocator, uint32_t base, uint32_t end)
{
  *allocator = (struct sl_allocator){.base = aligned(base), .end = end};
}

void sl_allocator_free(struct sl_allocator *allocator)
{
  free(allocator->ranges);
  *allocator = (struct sl_allocator){0};
}

/* Index of the first range that ends after an address. */
static size_t first_after(const struct sl_allocator *a, uint64_t address)
{
  size_t i = 0;
  while (i < a->count && a->ranges[i].end <= address)
    i++;
  return i;
}

static enum sl_status insert(struct sl_allocator *a, size_t at, struct sl_range range, struct sl_error *err)
{
  if (a->count == a->capacity) {
    const size_t capacity = a->capacity ? 2 * a->capacity : 16;
    struct sl_range *grown = realloc(a->ranges, capacity * sizeof *grown);
    if (grown == NULL)
      return sl_no_memory(err, capacity * sizeof *grown);
    a->ranges = grown;
    a->capacity = capacity;
  }
  memmove(a->ranges + at + 1, a->ranges + at, (a->count - at) * sizeof *a->ranges);
  a->ranges[at] = range;
  a->count++;
  return SL_OK;
}

static void erase(struct sl_allocator *a, size_t at)
{
  a->count--;
  memmove(a->ranges + at, a->ranges + at + 1, (a->count - at) * sizeof *a->ranges);
}

enum sl_status sl_allocator_take(struct sl_allocator *allocator, uint64_t size, uint32_t *address, struct sl_error *err)
{
  uint64_t first = allocator->base, largest = 0;
  if (size == 0)
    return sl_fail(err, SL_USAGE, "a buffer cannot have 0 bytes; it needs at least 1");
  for (size_t i = 0; i <= allocator->count; i++) {
    const uint64_t end = i < allocator->count ? allocator->ranges[i].first : allocator->end;
    const uint64_t room = end < allocator->end ? end : allocator->end;
    if (first < room && size <= room - first) {
      *address = (uint32_t)first;
      return insert(allocator, i, (struct sl_range){first, first + size, true}, err);
    }
    if (first < room && room - first > largest)
      largest = room - first;
    if (i < allocator->count && allocator->ranges[i].end > first)
      first = aligned(allocator->ranges[i].end);
  }
  return sl_fail(err, SL_USAGE,
                 "no room for a buffer of %" PRIu64 " bytes: the largest free piece of device memory has %" PRIu64
                 ". Release buffers, or make it smaller",
                 size, largest);
}

enum sl_status sl_allocator_give_back(struct sl_allocator *allocator, uint32_t address, uint64_t *size,
                                      struct sl_error *err)
{
  const size_t i = first_after(allocator, address);
  const struct sl_range *range = &allocator->ranges[i];
  if (i == allocator->count || !range->buffer || range->first != address)
    return sl_fail(err, SL_USAGE, "no buffer begins at 0x%08" PRIx32 "; was it released before?", address);
  *size = range->end - range->first;
  erase(allocator, i);
  return SL_OK;
}

enum sl_status sl_allocator_reserve(struct sl_allocator *allocator, uint64_t first, uint64_t size, struct sl_error *err)
{
  struct sl_range range = {first, first + size, false};
  size_t i = first_after(allocator, first);
  for (size_t k = i; k < allocator->count && allocator->ranges[k].first < range.end; k++)
    if (allocator->ranges[k].buffer)
      return sl_fail(err, SL_USAGE,
                     "0x%08" PRIx64 " to 0x%08" PRIx64 " overlaps a buffer of %" PRIu64 " bytes at 0x%08" PRIx64
                     ". Load programs before allocating buffers, or link it elsewhere",
                     first, range.end, allocator->ranges[k].end - allocator->ranges[k].first,
                     allocator->ranges[k].first);
  if (size == 0)
    return SL_OK;
  while (i < allocator->count && allocator->ranges[i].first < range.end) {
    if (allocator->ranges[i].first < range.first)
      range.first = allocator->ranges[i].first;
    if (allocator->ranges[i].end > range.end)
      range.end = allocator->ranges[i].end;
    erase(allocator, i);
  }
  return insert(allocator, i, range, err);
}

const struct sl_range *sl_allocator_buffer(const struct sl_allocator *allocator, uint32_t address)
{
  const size_t i = first_after(allocator, address);
  return i < allocator->count && allocator->ranges[i].buffer && allocator->ranges[i].first <= address
             ? &allocator->ranges[i]
             : NULL;
}

size_t sl_allocator_buffers(const struct sl_allocator *allocator)
{
  size_t count = 0;
  for (size_t i = 0; i < allocator->count; i++)
    count += allocator->ranges[i].buffer;
  return count;
}
