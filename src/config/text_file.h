/* Texts that configurations are in: files as strings, and whether a name is that of a file. */
#ifndef SL_CONFIG_TEXT_FILE_H
#define SL_CONFIG_TEXT_FILE_H

#include "base/error.h"
#include "base/types.h"

/* A name with a '/', or one that ends in .yaml or .yml. */
bool sl_is_file_name(const char *name);

/* A file's text, to be freed. */
enum sl_status sl_read_text(const char *path, char **text, size_t *size, struct sl_error *err);

/* "dir/name.yaml" is called "name". */
void sl_name_of_file(const char *path, char name[64]);

#endif
