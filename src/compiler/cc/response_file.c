#include "compiler/cc/response_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 20 };

static char *read_all(FILE *file)
{
  size_t length = 0, capacity = 4096;
  char *text = malloc(capacity);
  while (text != NULL) {
    length += fread(text + length, 1, capacity - length - 1, file);
    if (length + 1 < capacity)
      break;
    char *grown = realloc(text, capacity *= 2);
    if (grown == NULL)
      free(text);
    text = grown;
  }
  if (text != NULL)
    text[length] = '\0';
  return text;
}

/* Returns the next word of a text, unquoted in place; NULL at the end. */
static char *next_word(char **rest)
{
  char *from = *rest, quote = '\0';
  while (isspace((unsigned char)*from))
    from++;
  if (*from == '\0')
    return NULL;
  char *const word = from, *to = from;
  for (; *from != '\0' && (quote != '\0' || !isspace((unsigned char)*from)); from++)
    if (*from == '\\' && from[1] != '\0')
      *to++ = *++from;
    else if (quote == '\0' && (*from == '"' || *from == '\''))
      quote = *from;
    else if (*from == quote)
      quote = '\0';
    else
      *to++ = *from;
  *rest = *from != '\0' ? from + 1 : from;
  *to = '\0';
  return word;
}

static enum sl_status expand(struct sl_words *words, const char *word, int depth, struct sl_error *err)
{
  FILE *file = word[0] == '@' ? fopen(word + 1, "r") : NULL;
  if (file == NULL) {
    sl_words_add(words, word);
    return SL_OK;
  }
  char *text = read_all(file), *rest = text, *next;
  fclose(file);
  if (text == NULL)
    return sl_no_memory(err, strlen(word));
  enum sl_status code = SL_OK;
  if (depth == DEPTH_MOST)
    code = sl_fail(err, SL_USAGE, "%.200s: files of options name each other without an end", word);
  while (code == SL_OK && (next = next_word(&rest)) != NULL)
    code = expand(words, next, depth + 1, err);
  free(text);
  return code;
}

enum sl_status sl_words_add_expanded(struct sl_words *words, const char *word, struct sl_error *err)
{
  return expand(words, word, 0, err);
}
