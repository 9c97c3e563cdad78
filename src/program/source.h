/* The text of a source file, by lines.
 *
 * The name comes from a program's debug information, so it may be anything, also a device that never ends or a file of
 * another computer: only regular files are read, up to 16 MiB. */
#ifndef SL_PROGRAM_SOURCE_H
#define SL_PROGRAM_SOURCE_H

#include "base/error.h"
#include "base/types.h"

struct sl_source {
  char *text;
  const char **line; /* without their ends */
  size_t count;      /* of lines; 0 when the file cannot be read */
};

/* A file that cannot be read is a source without lines; only missing memory is an error. */
enum sl_status sl_source_read(struct sl_source *source, const char *path, struct sl_error *err);
void sl_source_free(struct sl_source *source);

/* The text of a line, from 1; NULL for none. */
const char *sl_source_line(const struct sl_source *source, unsigned line);

#endif
