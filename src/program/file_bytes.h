/* The bytes of a file, up to 1 GiB: more than a device has memory. */
#ifndef SL_PROGRAM_FILE_BYTES_H
#define SL_PROGRAM_FILE_BYTES_H

#include "base/error.h"

/* To be freed by the caller. */
enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err);

#endif
