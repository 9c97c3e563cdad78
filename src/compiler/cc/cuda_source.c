#include "compiler/cc/cuda_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the position after a comment, a string or a character that begins at `i`; `i` if none does. */
static size_t skip_quoted(const char *text, size_t i, size_t length)
{
  const char *end = NULL;
  if (text[i] == '/' && text[i + 1] == '/')
    end = strchr(text + i, '\n');
  else if (text[i] == '/' && text[i + 1] == '*')
    end = (end = strstr(text + i + 2, "*/")) != NULL ? end + 2 : NULL;
  else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isalnum((unsigned char)text[i - 1])))) {
    size_t j = i + 1;
    while (j < length && text[j] != text[i] && text[j] != '\n')
      j += text[j] == '\\' ? 2 : 1;
    return j < length ? j + 1 : length;
  } else
    return i;
  return end != NULL ? (size_t)(end - text) : length;
}

/* Returns the position after three equal brackets with blanks between them; 0 if they are not there. */
static size_t three(const char *text, size_t i, char bracket)
{
  for (int n = 0; n < 3; n++) {
    while (n > 0 && isspace((unsigned char)text[i]))
      i++;
    if (text[i++] != bracket)
      return 0;
  }
  return i;
}

/* Moves three brackets to the front of a range and its blanks behind them. */
static bool join(char *text, size_t from, size_t to)
{
  const char bracket = text[from];
  bool changed = to - from != 3;
  size_t out = to;
  for (size_t i = to; i-- > from;)
    if (text[i] != bracket)
      text[--out] = text[i];
  memset(text + from, bracket, 3);
  return changed;
}

static bool of_operator(const char *text, size_t i)
{
  static const char word[] = "operator";
  while (i > 0 && isspace((unsigned char)text[i - 1]))
    i--;
  return i >= sizeof word - 1 && memcmp(text + i - (sizeof word - 1), word, sizeof word - 1) == 0;
}

/* Joins the closing brackets of a launch whose configuration begins at `i`. */
static bool join_closing(char *text, size_t i, size_t length)
{
  int depth = 0;
  while (i < length) {
    const size_t after = skip_quoted(text, i, length);
    const size_t end = depth == 0 && text[i] == '>' ? three(text, i, '>') : 0;
    size_t next = end;
    while (end != 0 && isspace((unsigned char)text[next]))
      next++;
    if (end != 0 && text[next] == '(')
      return join(text, i, end);
    if (text[i] == ';' && depth == 0)
      return false;
    depth += strchr("([{", text[i]) != NULL ? 1 : strchr(")]}", text[i]) != NULL ? -1 : 0;
    if (depth < 0)
      return false;
    i = after > i ? after : i + 1;
  }
  return false;
}

bool sl_cuda_join_launches(char *text, size_t length)
{
  bool changed = false;
  for (size_t i = 0; i < length;) {
    const size_t after = skip_quoted(text, i, length), end = text[i] == '<' ? three(text, i, '<') : 0;
    if (end != 0 && !of_operator(text, i)) {
      changed |= join(text, i, end);
      changed |= join_closing(text, end, length);
      i = end;
    } else
      i = after > i ? after : i + 1;
  }
  return changed;
}

char *sl_cuda_read(const char *path, size_t *length, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  size_t capacity = 1 << 16, n;
  char *text = file != NULL ? malloc(capacity) : NULL;
  if (file == NULL) {
    sl_fail(err, SL_USAGE, "%.300s cannot be read (%s)", path, strerror(errno));
    return NULL;
  }
  *length = 0;
  while (text != NULL && (n = fread(text + *length, 1, capacity - *length - 1, file)) > 0) {
    *length += n;
    if (*length + 1 < capacity)
      continue;
    char *grown = realloc(text, capacity *= 2);
    if (grown == NULL)
      free(text);
    text = grown;
  }
  const bool broken = ferror(file) != 0;
  fclose(file);
  if (text == NULL)
    sl_no_memory(err, capacity);
  else if (broken) {
    sl_fail(err, SL_USAGE, "%.300s cannot be read (%s)", path, strerror(EIO));
    free(text);
    return NULL;
  } else
    text[*length] = '\0';
  return text;
}

enum sl_status sl_cuda_check_defined(const char *source, const char *ptx, struct sl_error *err)
{
  static const char declared[] = "\n.extern .func";
  static const char *const services[] = {"vprintf", "malloc", "free", "__assertfail", "cudaDeviceSynchronize"};
  for (const char *p = ptx; (p = strstr(p, declared)) != NULL;) {
    p += sizeof declared - 1;
    while (*p == ' ' || *p == '\t')
      p++;
    if (*p == '(')
      p += strcspn(p, ")") + 1;
    p += strspn(p, " \t");
    const size_t length = strcspn(p, " \t\r\n(;");
    bool known = false;
    for (size_t i = 0; i < sizeof services / sizeof *services; i++)
      known |= strlen(services[i]) == length && strncmp(p, services[i], length) == 0;
    if (!known)
      return sl_fail(err, SL_CHECK_FAILED,
                     "%.200s: the device function %.*s is called but not defined; define it in this file, or compile "
                     "with -rdc=true if another file has it",
                     source, (int)(length < 200 ? length : 200), p);
  }
  return SL_OK;
}

void sl_cuda_image_header(unsigned char header[SL_CUDA_HEADER], uint64_t length, uint64_t flags)
{
  for (int i = 0; i < 8; i++) {
    header[i] = (unsigned char)SL_CUDA_MAGIC[i];
    header[8 + i] = (unsigned char)(length >> 8 * i);
    header[16 + i] = (unsigned char)(flags >> 8 * i);
  }
}
