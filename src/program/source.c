#include "program/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_SOURCE = 1 << 24 };

static enum sl_status read_text(struct sl_source *source, const char *path, struct sl_error *err)
{
  struct stat status;
  FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return SL_OK;
  const size_t most = status.st_size < LARGEST_SOURCE ? (size_t)status.st_size : LARGEST_SOURCE;
  source->text = malloc(most + 1);
  if (source->text != NULL)
    source->text[fread(source->text, 1, most, file)] = '\0';
  fclose(file);
  return source->text != NULL ? SL_OK : sl_no_memory(err, most + 1);
}

static size_t count_lines(const char *text)
{
  size_t count = 1;
  for (const char *c = text; *c != '\0'; c++)
    count += *c == '\n';
  return count;
}

/* Splits the text into lines in place. */
static void split(struct sl_source *source)
{
  char *text = source->text;
  while (text != NULL && *text != '\0') {
    char *end = strchr(text, '\n');
    source->line[source->count++] = text;
    text[strcspn(text, "\r\n")] = '\0';
    text = end != NULL ? end + 1 : NULL;
  }
}

enum sl_status sl_source_read(struct sl_source *source, const char *path, struct sl_error *err)
{
  *source = (struct sl_source){0};
  enum sl_status code = read_text(source, path, err);
  if (source->text == NULL)
    return code;
  const size_t lines = count_lines(source->text);
  source->line = calloc(lines, sizeof *source->line);
  if (source->line == NULL) {
    sl_source_free(source);
    return sl_no_memory(err, lines * sizeof *source->line);
  }
  split(source);
  return SL_OK;
}

void sl_source_free(struct sl_source *source)
{
  free(source->text);
  free(source->line);
  *source = (struct sl_source){0};
}

const char *sl_source_line(const struct sl_source *source, unsigned line)
{
  return line > 0 && line <= source->count ? source->line[line - 1] : NULL;
}
