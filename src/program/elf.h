/* Reads a whole file of up to 1 GiB. */
#ifndef SL_ELF_H
#define SL_ELF_H

#include "base/error.h"
#include "base/message_text.h"

/* Reads a file; the caller frees the bytes, after which comes a zero byte. */
enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err);

#endif
