/* Arrays that grow by one item at a time. Their room is no field: it is the power of two that holds the items, as the
 * allocator knows it (malloc_usable_size of glibc). */
#ifndef SL_BASE_GROW_H
#define SL_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Ensures room for an item of `size` bytes after `count`, in the array that *array points to. Returns false if memory
 * is exhausted; the array is then unchanged. */
bool sl_grow(void *array, size_t count, size_t size);
#define SL_GROW(array, count) sl_grow(&(array), count, sizeof *(array))

#endif
