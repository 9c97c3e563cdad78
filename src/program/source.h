/* The text of a source file, by lines.
 *
 * The file name comes from a program's debug information and may be arbitrary: an endless device, or a file of another
 * computer. Only regular files of up to 16 MiB are read. */
#ifndef SL_PROGRAM_SOURCE_H
#define SL_PROGRAM_SOURCE_H

#include "base/error.h"
#include "base/types.h"

struct sl_source {
  char *text;
  const char **line; /* without line ends */
  size_t count;      /* number of lines; 0 if the file cannot be read */
};

/* Reads a file. An unreadable file gives a source without lines; only lack of memory is an error. */
enum sl_status sl_source_read(struct sl_source *source, const char *path, struct sl_error *err);

/* Copies a text. */
enum sl_status sl_source_copy(struct sl_source *source, const char *text, size_t length, struct sl_error *err);
void sl_source_free(struct sl_source *source);

/* The text of a line, from 1; NULL if there is none. */
const char *sl_source_line(const struct sl_source *source, unsigned line);

#endif
