/* Decompression of Zstandard data. */
#ifndef SL_PROGRAM_PACKED_BYTES_H
#define SL_PROGRAM_PACKED_BYTES_H

#include "base/error.h"
#include "base/types.h"

/* Whether bytes begin with the signature of compressed data. */
bool sl_is_packed(const char *bytes, size_t size);

/* Decompresses bytes; the caller frees the result. Messages use `name` as the file name. SL_USAGE: the data are
 * truncated, damaged, or longer than `most`. The allocated memory is at most 1.5 times the result's size. */
enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err);

#endif
