/* ELF file of a program (System V ABI): segments of code and data, sections named as in runtime/vortex.ld, symbols and
 * debug information. */
#ifndef SL_BACKEND_LINK_FILE_H
#define SL_BACKEND_LINK_FILE_H

#include "backend/link/link_bytes.h"
#include "backend/link/link_lines.h"
#include "backend/link/link_state.h"

/* Builds the whole file from a link with a finished image. */
enum sl_status sl_link_file(const struct sl_link *link, const struct sl_link_debug *debug, struct sl_link_bytes *file,
                            struct sl_error *err);

/* Writes the bytes to a temporary file, then renames it to `path`. */
enum sl_status sl_link_file_write(const struct sl_link_bytes *bytes, const char *path, struct sl_error *err);

#endif
