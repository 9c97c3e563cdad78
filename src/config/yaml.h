/* The subset of YAML in configuration files: mappings of names to single values, flattened to dotted names.
 *
 * Lists and aliases are errors, because no key accepts them. Every entry stores its line for messages. */
#ifndef SL_CONFIG_YAML_H
#define SL_CONFIG_YAML_H

#include "base/error.h"
#include "base/types.h"

enum { SL_YAML_NAME = 96, SL_YAML_VALUE = 192 };

struct sl_yaml_entry {
  char name[SL_YAML_NAME]; /* "keys.dram.latency" */
  char value[SL_YAML_VALUE];
  size_t line; /* from 1 */
};

struct sl_yaml {
  struct sl_yaml_entry *entries;
  size_t count;
};

/* Reads a text. Messages use `origin` as the file name. Duplicate names are errors. */
enum sl_status sl_yaml_read(struct sl_yaml *yaml, const char *origin, const char *text, size_t size,
                            struct sl_error *err);

void sl_yaml_free(struct sl_yaml *yaml);

/* The entry with that name, or NULL. */
const struct sl_yaml_entry *sl_yaml_find(const struct sl_yaml *yaml, const char *name);

/* Configuration texts: reads files as strings, and tells file names from other names. */

/* Whether a name contains a '/' or ends in .yaml or .yml. */
bool sl_is_file_name(const char *name);

/* Reads a file's text; the caller frees it. */
enum sl_status sl_read_text(const char *path, char **text, size_t *size, struct sl_error *err);

/* The configuration's name for a path: "name" for "dir/name.yaml". */
void sl_name_of_file(const char *path, char name[64]);

#endif
