#include "program/file_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger files are rejected before they are read completely. */
#define LARGEST_FILE ((size_t)1 << 30)

/* Reads a stream to its end. */
static enum sl_status read_stream(const char *path, FILE *file, char **bytes, size_t *size, struct sl_error *err)
{
  size_t capacity = 1 << 16, used = 0;
  char *buffer = malloc(capacity);
  while (buffer != NULL) {
    used += fread(buffer + used, 1, capacity - used, file);
    if (used < capacity || capacity >= LARGEST_FILE)
      break;
    capacity *= 2;
    char *larger = realloc(buffer, capacity);
    if (larger == NULL)
      free(buffer);
    buffer = larger;
  }
  if (buffer == NULL)
    return sl_no_memory(err, capacity);
  if (ferror(file) || used == LARGEST_FILE) {
    free(buffer);
    return sl_fail(err, SL_USAGE, "%.200s: cannot be read (%s)", path,
                   used == LARGEST_FILE ? "larger than 1 GiB" : strerror(errno));
  }
  *bytes = buffer;
  *size = used;
  return SL_OK;
}

enum sl_status sl_file_bytes_read(const char *path, char **bytes, size_t *size, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  enum sl_status code = read_stream(path, file, bytes, size, err);
  fclose(file);
  return code;
}
