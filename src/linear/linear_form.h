/* What the hardware is told of a kernel in RV32 with linear registers: where its phases begin, and how its sums are
 * made (R2D2, ISCA 2023, sections 3.2 and 4.1: five start PCs, the table of linear registers). It stands as data in the
 * memory of instructions, behind an instruction r2.form, before the phases:
 *
 *   word 0      r2.form, with the number of all these words
 *   words 1-6   addresses: of the kernel as it was; where coefficients, the threads' part, the block's part and the
 * rest begin; behind the last instruction word 7      how many block registers, thread registers, coefficients, uniform
 * registers: 8 bits each word 8      how many sums, and registers of a thread before and after: 8 bits each then two
 * words for each sum: block register, thread register, coefficient, uniform register, 8 bits each, 255 for none; a
 * number */
#ifndef SL_LINEAR_LINEAR_FORM_H
#define SL_LINEAR_LINEAR_FORM_H

#include "base/types.h"
#include "isa/linear_words.h"

enum {
  SL_LINEAR_FORM_NONE = 0xff,
  SL_LINEAR_FORM_PHASES = 4, /* as enum sl_sm7_phase_of_kernel */
  SL_LINEAR_FORM_HEAD = 9,   /* words before the sums */
  SL_LINEAR_FORM_WORDS = SL_LINEAR_FORM_HEAD + 2 * SL_LINEAR_MOST_SUMS
};

struct sl_linear_form_sum {
  uint8_t lr, tr, cr, ur; /* SL_LINEAR_FORM_NONE */
  uint32_t number;
};

struct sl_linear_form {
  uint32_t entry, start[SL_LINEAR_FORM_PHASES], end; /* addresses */
  uint8_t lrs, trs, crs, urs, sums;
  uint8_t before, after; /* registers of a thread, uniform ones included */
  struct sl_linear_form_sum sum[SL_LINEAR_MOST_SUMS];
};

/* Returns the number of words, at most SL_LINEAR_FORM_WORDS. */
unsigned sl_linear_form_write(const struct sl_linear_form *form, uint32_t *word);

/* Reads one that begins at word 0 of `count`. False: it is none that there can be; *why is a sentence, and
 * only `entry` is told. */
bool sl_linear_form_read(struct sl_linear_form *form, const uint32_t *word, uint32_t count, const char **why);

#endif
