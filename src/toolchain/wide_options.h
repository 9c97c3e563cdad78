/* How functions are compiled for 64-bit instruction words (docs/explanation/backend.md): which registers there are, in
 * which banks, who saves them, and how they are chosen. */
#ifndef SL_TOOLCHAIN_WIDE_OPTIONS_H
#define SL_TOOLCHAIN_WIDE_OPTIONS_H

#include "backend/allocate/registers.h"
#include "isa/banks.h"

struct sl_wide_options {
  bool stock; /* not at all: the stock compiler's code for 32 registers is translated, and the others say nothing */
  enum sl_allocation allocation;
  unsigned registers, banks;
  enum sl_bank_map map;
  bool saved[SL_REGISTERS];
};

/* As words of a command line; NULL: the default. */
struct sl_wide_words {
  const char *allocation; /* stock, unaware, first-fit, cost */
  const char *registers, *banks;
  const char *map;   /* modulo, blocks, folded */
  const char *saved; /* which of those from 32 on, such as "48-95" or "40,48-63"; "none" */
};

/* 128 registers in 4 banks, by cost. SL_USAGE: a word makes no sense, or not with the others. */
enum sl_status sl_wide_options_read(struct sl_wide_options *options, const struct sl_wide_words *words,
                                    struct sl_error *err);

/* The name of the first option that is not at its default; NULL: all are. */
const char *sl_wide_words_given(const struct sl_wide_words *words);

#endif
