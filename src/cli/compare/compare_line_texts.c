#define _DEFAULT_SOURCE /* strndup, struct timespec of files */
#include "cli/compare/compare_line_texts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program/source.h"

/* The last source file read; the next line is often in the same file. */
struct reading {
  const char *file;
  struct sl_source source;
};

static enum sl_status read_source(struct reading *r, const char *file, struct sl_error *err)
{
  if (r->file != NULL && strcmp(r->file, file) == 0)
    return SL_OK;
  sl_source_free(&r->source);
  r->file = file;
  return sl_source_read(&r->source, file, err);
}

static char *trimmed(const char *text)
{
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    length--;
  return strndup(text, length);
}

static bool is_later(const char *file, const struct timespec *made)
{
  struct stat status;
  if (made == NULL || stat(file, &status) != 0)
    return false;
  return status.st_mtim.tv_sec > made->tv_sec ||
         (status.st_mtim.tv_sec == made->tv_sec && status.st_mtim.tv_nsec > made->tv_nsec);
}

static bool same_function(const struct sl_location *a, const struct sl_location *b)
{
  return strcmp(a->function != NULL ? a->function : "", b->function != NULL ? b->function : "") == 0;
}

/* Number of earlier lines of its function with the same text. */
static unsigned number(const struct sl_compare_lines *lines, const struct sl_compare_line *line)
{
  unsigned before = 0;
  for (const struct sl_compare_line *other = lines->line; other < lines->line + lines->count; other++)
    before += other->text != NULL && other->at.line < line->at.line && same_function(&other->at, &line->at) &&
              strcmp(other->text, line->text) == 0;
  return before;
}

enum sl_status sl_line_texts_read(struct sl_compare_lines *lines, const struct timespec *made, struct sl_error *err)
{
  struct reading reading = {0};
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < lines->count && code == SL_OK; i++) {
    struct sl_compare_line *line = &lines->line[i];
    if (line->at.file == NULL)
      continue;
    code = read_source(&reading, line->at.file, err);
    const char *text = code == SL_OK ? sl_source_line(&reading.source, line->at.line) : NULL;
    if (code == SL_OK && is_later(line->at.file, made))
      lines->edited = line->at.file;
    if (text == NULL)
      continue;
    line->text = trimmed(text);
    if (line->text == NULL)
      code = sl_no_memory(err, strlen(text));
  }
  sl_source_free(&reading.source);
  for (size_t i = 0; i < lines->count && code == SL_OK; i++)
    if (lines->line[i].text != NULL)
      lines->line[i].nth = number(lines, &lines->line[i]);
  return code;
}

void sl_line_texts_free(struct sl_compare_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++)
    free(lines->line[i].text);
}

bool sl_line_texts_edited(const struct sl_comparison *c)
{
  bool edited = false;
  for (size_t r = 0; r < c->count && c->programs > 1; r++)
    edited |= c->rows[r].lines.edited != NULL;
  return edited;
}

static bool same_file(const struct sl_location *a, const struct sl_location *b)
{
  return (a->file == NULL) == (b->file == NULL) && (a->file == NULL || strcmp(a->file, b->file) == 0);
}

bool sl_same_line(const struct sl_comparison *c, size_t one_run, const struct sl_compare_line *one, size_t other_run,
                  const struct sl_compare_line *other)
{
  const struct sl_location *a = &one->at, *b = &other->at;
  if (sl_line_texts_edited(c))
    return same_function(a, b);
  if (a->file == NULL || b->file == NULL)
    return a->file == b->file && same_function(a, b);
  if (strcmp(c->rows[one_run].file, c->rows[other_run].file) == 0)
    return a->line == b->line && same_file(a, b);
  if (one->text == NULL || other->text == NULL)
    return one->text == other->text && a->line == b->line && same_file(a, b);
  return same_function(a, b) && one->nth == other->nth && strcmp(one->text, other->text) == 0;
}
