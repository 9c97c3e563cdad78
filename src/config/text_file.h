/* Configuration texts: reads files as strings, and tells file names from other names. */
#ifndef SL_CONFIG_TEXT_FILE_H
#define SL_CONFIG_TEXT_FILE_H

#include "base/error.h"
#include "base/types.h"

/* Whether a name contains a '/' or ends in .yaml or .yml. */
bool sl_is_file_name(const char *name);

/* Reads a file's text; the caller frees it. */
enum sl_status sl_read_text(const char *path, char **text, size_t *size, struct sl_error *err);

/* The configuration's name for a path: "name" for "dir/name.yaml". */
void sl_name_of_file(const char *path, char name[64]);

#endif
