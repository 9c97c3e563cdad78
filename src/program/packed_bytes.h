/* Bytes compressed as Zstandard does. */
#ifndef SL_PROGRAM_PACKED_BYTES_H
#define SL_PROGRAM_PACKED_BYTES_H

#include "base/error.h"
#include "base/types.h"

/* Whether bytes begin as compressed ones do. */
bool sl_is_packed(const char *bytes, size_t size);

/* What was compressed into these bytes: to be freed. `name` is the file's, in sentences; SL_USAGE when they end in the
 * middle, are damaged, or are more than `most`: no more memory is taken than what is there and half of that again. */
enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err);

#endif
