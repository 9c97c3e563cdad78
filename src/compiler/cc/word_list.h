/* Growing list of command-line words, which owns their text. */
#ifndef SL_TOOLCHAIN_WORD_LIST_H
#define SL_TOOLCHAIN_WORD_LIST_H

#include "base/types.h"

#include <stddef.h>

struct sl_words {
  char **items; /* NULL-terminated; NULL while empty */
  size_t count, capacity;
  bool lost; /* memory for a word was exhausted */
};

void sl_words_add(struct sl_words *words, const char *word);
void sl_words_add_all(struct sl_words *words, const char *const *more);
void sl_words_add_text(struct sl_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_words_free(struct sl_words *words);

#endif
