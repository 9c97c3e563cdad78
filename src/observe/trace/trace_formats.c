/* The table of trace formats. */
#include <string.h>

#include "observe/trace/trace.h"

#define FORMAT(name, endings, meaning) extern const struct sl_trace_format sl_trace_##name;
#include "observe/trace/trace_formats.def"
#undef FORMAT

#define FORMAT(name, endings, meaning) #name,
const char *const sl_trace_formats[] = {
#include "observe/trace/trace_formats.def"
    NULL};
#undef FORMAT

static const struct {
  const char *endings;
  const struct sl_trace_format *format;
} formats[] = {
#define FORMAT(name, endings, meaning) {endings, &sl_trace_##name},
#include "observe/trace/trace_formats.def"
#undef FORMAT
};

static bool ends_with(const char *text, size_t length, const char *ending, size_t size)
{
  return length > size && strncmp(text + length - size, ending, size) == 0;
}

static bool has_ending(const char *endings, const char *path)
{
  size_t length = strlen(path);
  length -= ends_with(path, length, ".zst", 4) ? 4 : 0;
  for (const char *at = endings; *at != '\0'; at += strcspn(at, " ") + 1)
    if (ends_with(path, length, at, strcspn(at, " ")))
      return true;
  return false;
}

const struct sl_trace_format *sl_trace_format_of(const char *name, const char *path)
{
  for (size_t i = 0; sl_trace_formats[i] != NULL; i++)
    if (name != NULL ? strcmp(sl_trace_formats[i], name) == 0 : has_ending(formats[i].endings, path))
      return formats[i].format;
  return NULL;
}
