/* Reads a whole file of up to 1 GiB. */
#ifndef SL_PROGRAM_FILE_BYTES_H
#define SL_PROGRAM_FILE_BYTES_H

#include "base/error.h"

/* Reads a file; the caller frees the bytes. */
enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err);

#endif
