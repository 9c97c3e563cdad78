/* Options of compilation for 64-bit instruction words (docs/explanation/backend.md): number of registers, banks,
 * callee-saved registers, and allocation policy. */
#ifndef SL_TOOLCHAIN_WIDE_OPTIONS_H
#define SL_TOOLCHAIN_WIDE_OPTIONS_H

#include <stddef.h>

#include "base/types.h"
#include "compiler/isa64/allocate/occupancy.h"
#include "isa/banks.h"

/* Growing list of command-line words, which owns their text. */

struct sl_words {
  char **items; /* NULL-terminated; NULL while empty */
  size_t count, capacity;
  bool lost; /* memory for a word was exhausted */
};

void sl_words_add(struct sl_words *words, const char *word);
void sl_words_add_all(struct sl_words *words, const char *const *more);
void sl_words_add_text(struct sl_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_words_free(struct sl_words *words);

struct sl_wide_options {
  bool stock; /* no compilation: translates the stock compiler's code for 32 registers; the other options are unused */
  enum sl_allocation allocation;
  unsigned registers, banks;
  enum sl_bank_map map;
  bool saved[SL_REGISTERS];
};

/* The options as command-line words; NULL: the default. */
struct sl_wide_words {
  const char *allocation; /* stock, unaware, first-fit, cost */
  const char *registers, *banks;
  const char *map;   /* modulo, blocks, folded */
  const char *saved; /* callee-saved registers from 32 on, such as "48-95" or "40,48-63"; "none" */
};

/* The defaults are 128 registers in 4 banks, policy `cost`. SL_USAGE: a word is invalid, alone or with the others. */
enum sl_status sl_wide_options_read(struct sl_wide_options *options, const struct sl_wide_words *words,
                                    struct sl_error *err);

/* Returns the name of the first option that is not at its default; NULL: all are. */
const char *sl_wide_words_given(const struct sl_wide_words *words);

#endif
