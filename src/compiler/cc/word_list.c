#include "compiler/cc/word_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes over the text. */
static void add_own(struct sl_words *words, char *text)
{
  if (text != NULL && words->count + 1 >= words->capacity) {
    const size_t capacity = 2 * words->capacity + 64;
    char **grown = realloc(words->items, capacity * sizeof *grown);
    if (grown == NULL) {
      free(text);
      text = NULL;
    } else {
      words->items = grown;
      words->capacity = capacity;
    }
  }
  if (text == NULL) {
    words->lost = true;
    return;
  }
  words->items[words->count++] = text;
  words->items[words->count] = NULL;
}

void sl_words_add(struct sl_words *words, const char *word)
{
  add_own(words, strdup(word));
}

void sl_words_add_all(struct sl_words *words, const char *const *more)
{
  for (; more != NULL && *more != NULL; more++)
    sl_words_add(words, *more);
}

void sl_words_add_text(struct sl_words *words, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text != NULL) {
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
  }
  add_own(words, text);
}

void sl_words_free(struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  free(words->items);
  *words = (struct sl_words){0};
}
