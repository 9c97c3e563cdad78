/* Zeroed arrays that are written soon after their allocation: register files, decoded code, states of warps.
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

/* An array that is written from its start on, and perhaps not to its end, is populated so far, in bytes. */
enum { SL_BEGINNING = 256 << 10 };
void sl_populate_beginning(void *start, size_t bytes);

/* Returns `count` zeroed items of `size` bytes each, or NULL if out of memory. The caller frees them with free(). They
 * have cache lines of their own, so that host threads share no line that one of them writes. */
void *sl_lines_of(size_t count, size_t size);

/* The same for an array that may be used only in part: what follows SL_BEGINNING takes host memory when it is written.
 * It may share cache lines with others. */
void *sl_array_beginning(size_t count, size_t size);

#endif
