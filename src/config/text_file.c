#include "config/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20 };

bool sl_is_file_name(const char *name)
{
  const char *dot = strrchr(name, '.');
  return strchr(name, '/') != NULL || (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

enum sl_status sl_read_text(const char *path, char **text, size_t *size, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  *text = NULL;
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  *text = malloc(LARGEST_FILE);
  if (*text == NULL) {
    fclose(file);
    return sl_no_memory(err, LARGEST_FILE);
  }
  enum sl_status code = SL_OK;
  *size = fread(*text, 1, LARGEST_FILE, file);
  if (ferror(file))
    code = sl_fail(err, SL_USAGE, "%.200s: cannot be read (%s)", path, strerror(errno));
  else if (*size == LARGEST_FILE)
    code = sl_fail(err, SL_USAGE, "%.200s: too large for a configuration", path);
  fclose(file);
  return code;
}

void sl_name_of_file(const char *path, char name[64])
{
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
  snprintf(name, 64, "%.*s", (int)(length < 63 ? length : 63), base);
}
