#include "mem/allocator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static uint64_t aligned(uint64_t address)
{
  return (address + SL_BUFFER_ALIGNMENT - 1) & ~(uint64_t)(SL_BUFFER_ALIGNMENT - 1);
}

void sl_allocator_init(struct sl_allocator *allocator, uint64_t base, uint64_t end)
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
  size_t low = 0, high = a->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (a->ranges[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static enum sl_status insert(struct sl_allocator *a, size_t at, struct sl_range range, struct sl_error *err)
{
  if (!SL_GROW(a->ranges, a->count))
    return sl_no_memory(err, 2 * a->count * sizeof *a->ranges);
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

/* The place after all buffers and reserved ranges. */
static bool take_next(struct sl_allocator *a, uint64_t size, uint64_t *address)
{
  const uint64_t last = a->count > 0 ? a->ranges[a->count - 1].end : a->base;
  const uint64_t first = aligned(a->next > last ? a->next : last);
  if (!a->ascending || first >= a->end || size > a->end - first)
    return false;
  *address = first;
  return true;
}

/* The lowest free place; else *largest is the size of the largest one. */
static bool take_lowest(const struct sl_allocator *a, uint64_t size, uint64_t *address, size_t *at, uint64_t *largest)
{
  uint64_t first = a->base;
  *largest = 0;
  for (size_t i = 0; i <= a->count; i++) {
    const uint64_t end = i < a->count ? a->ranges[i].first : a->end;
    const uint64_t room = end < a->end ? end : a->end;
    if (first < room && size <= room - first && (i == a->count || a->gap <= room - first - size)) {
      *address = first;
      *at = i;
      return true;
    }
    if (first < room && room - first > *largest)
      *largest = room - first;
    if (i < a->count && a->ranges[i].end > first)
      first = aligned(a->ranges[i].end + a->gap);
  }
  return false;
}

enum sl_status sl_allocator_take(struct sl_allocator *allocator, uint64_t size, uint64_t *address, struct sl_error *err)
{
  uint64_t first = 0, largest = 0;
  size_t at = allocator->count;
  if (size == 0)
    return sl_fail(err, SL_USAGE, "a buffer cannot have 0 bytes; it needs at least 1");
  if (!take_next(allocator, size, &first) && !take_lowest(allocator, size, &first, &at, &largest))
    return sl_fail(err, SL_USAGE,
                   "no room for a buffer of %" PRIu64 " bytes: the largest free piece of device memory has %" PRIu64
                   ". Release buffers, or make it smaller",
                   size, largest);
  const enum sl_status code = insert(allocator, at, (struct sl_range){first, first + size, true}, err);
  if (code != SL_OK)
    return code;
  if (first + size > allocator->next)
    allocator->next = first + size;
  *address = first;
  return SL_OK;
}

enum sl_status sl_allocator_place(struct sl_allocator *allocator, uint64_t address, uint64_t size, struct sl_error *err)
{
  const size_t at = first_after(allocator, address);
  const uint64_t end = at < allocator->count && allocator->ranges[at].first < allocator->end
                           ? allocator->ranges[at].first
                           : allocator->end;
  if (address != aligned(address) || address < allocator->base || address >= end || size == 0 || size > end - address)
    return sl_fail(err, SL_USAGE,
                   "no room for a buffer of %" PRIu64 " bytes at 0x%" PRIx64 ": choose a multiple of %d from 0x%" PRIx64
                   " to 0x%" PRIx64 " with no buffer in the range",
                   size, address, SL_BUFFER_ALIGNMENT, allocator->base, allocator->end);
  const enum sl_status code = insert(allocator, at, (struct sl_range){address, address + size, true}, err);
  if (code == SL_OK && address + size > allocator->next)
    allocator->next = address + size;
  return code;
}

enum sl_status sl_allocator_give_back(struct sl_allocator *allocator, uint64_t address, uint64_t *size,
                                      struct sl_error *err)
{
  const size_t i = first_after(allocator, address);
  const struct sl_range *range = &allocator->ranges[i];
  if (i == allocator->count || !range->buffer || range->first != address)
    return sl_fail(err, SL_USAGE, "no buffer begins at 0x%08" PRIx64 "; was it released before?", address);
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

const struct sl_range *sl_allocator_buffer(const struct sl_allocator *allocator, uint64_t address)
{
  const size_t i = first_after(allocator, address);
  return i < allocator->count && allocator->ranges[i].buffer && allocator->ranges[i].first <= address
             ? &allocator->ranges[i]
             : NULL;
}

const struct sl_range *sl_allocator_nearest(const struct sl_allocator *allocator, uint64_t address)
{
  const size_t after = first_after(allocator, address);
  const struct sl_range *inside = sl_allocator_buffer(allocator, address);
  if (inside != NULL)
    return inside;
  for (size_t i = after; i-- > 0;)
    if (allocator->ranges[i].buffer)
      return &allocator->ranges[i];
  for (size_t i = after; i < allocator->count; i++)
    if (allocator->ranges[i].buffer)
      return &allocator->ranges[i];
  return NULL;
}

uint64_t sl_allocator_bytes(const struct sl_allocator *allocator)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < allocator->count; i++)
    bytes += allocator->ranges[i].buffer ? allocator->ranges[i].end - allocator->ranges[i].first : 0;
  return bytes;
}

size_t sl_allocator_buffers(const struct sl_allocator *allocator)
{
  size_t count = 0;
  for (size_t i = 0; i < allocator->count; i++)
    count += allocator->ranges[i].buffer;
  return count;
}
