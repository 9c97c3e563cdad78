/* Zeroed arrays, above all those that are written soon after their allocation: register files, decoded code, states of
 * warps.
 *
 * The host's kernel supplies memory a page at a time, at the first write. Such a page fault takes 0.3 us, and more than
 * 10 us in some virtual machines, where a page that is populated with its neighbours takes 0.1 to 0.5 us. So the pages
 * of these arrays are populated together (madvise(2), MADV_POPULATE_WRITE, Linux 5.14). Other kernels fault page by
 * page. */
#ifndef SL_BASE_ARRAYS_H
#define SL_BASE_ARRAYS_H

#include <stddef.h>

/* Populates the host pages that hold `bytes` bytes from `start`, which may be written. Their contents stay. */
void sl_populate(void *start, size_t bytes);

/* The same for memory that is written from its start on, and perhaps not to its end: at most SL_BEGINNING bytes. */
enum { SL_BEGINNING = 256 << 10 };
void sl_populate_beginning(void *start, size_t bytes);

/* Returns `count` zeroed items of `size` bytes each, or NULL if out of memory. The caller frees them with free(). They
 * have cache lines of their own, so that host threads share no line that one of them writes. */
void *sl_lines_of(size_t count, size_t size);

/* The same for an array that may be used only in part. One of more than SL_MOST_POPULATED bytes takes host memory when
 * it is written. */
enum { SL_MOST_POPULATED = 2 << 20 };
void *sl_array_of(size_t count, size_t size);

/* The same for an array of which few pages are used, whose other pages never take host memory. Free it with
 * sl_sparse_free. */
void *sl_sparse(size_t count, size_t size);
void sl_sparse_free(void *array, size_t count, size_t size);

#endif
