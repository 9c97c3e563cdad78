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

/* ---- inline assembly --------------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Returns the position of the bracket after asm and its qualifiers at `i`; 0 if there is none. */
static size_t open_asm(const char *text, size_t i)
{
  static const char *const words[] = {"asm", "__asm__", "__asm", "volatile", "__volatile__"};
  enum { NAMES = 3, WORDS = sizeof words / sizeof *words };
  if (i > 0 && is_word(text[i - 1]))
    return 0;
  for (size_t seen = 0;; seen++) {
    size_t length = 0, k = 0;
    while (is_word(text[i + length]))
      length++;
    while (k < WORDS && (strlen(words[k]) != length || memcmp(text + i, words[k], length) != 0))
      k++;
    if (length == 0)
      return seen > 0 && text[i] == '(' ? i : 0;
    if (k == WORDS || (seen == 0) != (k < NAMES))
      return 0;
    i += length;
    while (isspace((unsigned char)text[i]))
      i++;
  }
}

/* Returns the position of the colon behind the template of an asm statement; 0: it has no operands. */
static size_t end_of_template(const char *text, size_t open, size_t length)
{
  int depth = 1;
  for (size_t i = open + 1; i < length && depth > 0;) {
    const size_t after = skip_quoted(text, i, length);
    if (after == i && depth == 1 && text[i] == ':')
      return i;
    if (after == i)
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    i = after > i ? after : i + 1;
  }
  return 0;
}

/* Copies a template with doubled percent signs before names. Returns the end of the copy. */
static char *copy_template(char *to, const char *text, size_t from, size_t end)
{
  for (size_t i = from; i < end; i++) {
    *to++ = text[i];
    if (text[i] == '%' && (text[i + 1] == '%' || text[i + 1] == '[')) {
      *to++ = text[++i];
    } else if (text[i] == '%' && isalpha((unsigned char)text[i + 1]))
      *to++ = '%';
  }
  return to;
}

bool sl_cuda_escape_asm(char **text, size_t *length)
{
  const char *from = *text;
  char *copy = strstr(from, "asm") != NULL ? malloc(2 * *length + 1) : NULL, *to = copy;
  if (copy == NULL)
    return false;
  for (size_t i = 0; i < *length;) {
    const size_t after = skip_quoted(from, i, *length), open = after == i ? open_asm(from, i) : 0;
    const size_t end = open != 0 ? end_of_template(from, open, *length) : 0;
    if (end != 0)
      to = copy_template(to, from, i, end);
    else
      to = (char *)memcpy(to, from + i, (after > i ? after : i + 1) - i) + ((after > i ? after : i + 1) - i);
    i = end != 0 ? end : after > i ? after : i + 1;
  }
  *to = '\0';
  const bool changed = (size_t)(to - copy) != *length;
  free(changed ? *text : copy);
  *text = changed ? copy : *text;
  *length = changed ? (size_t)(to - copy) : *length;
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

void sl_cuda_image_header(unsigned char header[SL_CUDA_HEADER], uint64_t length, uint64_t flags)
{
  for (int i = 0; i < 8; i++) {
    header[i] = (unsigned char)SL_CUDA_MAGIC[i];
    header[8 + i] = (unsigned char)(length >> 8 * i);
    header[16 + i] = (unsigned char)(flags >> 8 * i);
  }
}
