/* Response files: @FILE stands for the words in FILE, as compilers read it. */
#ifndef SL_TOOLCHAIN_RESPONSE_FILE_H
#define SL_TOOLCHAIN_RESPONSE_FILE_H

#include "base/error.h"
#include "compiler/cc/word_list.h"

/* Adds a word, or the words of the file that it names. A word @FILE remains if there is no such file. */
enum sl_status sl_words_add_expanded(struct sl_words *words, const char *word, struct sl_error *err);

#endif
