/* Descriptor of an RV32 kernel with linear registers, for the hardware: start of each phase, and composition of the
 * sums (R2D2, ISCA 2023, sections 3.2 and 4.1: five start PCs, the table of linear registers). It is data in
 * instruction memory, after an instruction r2.form and before the phases:
 *
 *   word 0      r2.form, with the number of all these words
 *   words 1-6   addresses: of the original kernel; the start of the coefficient phase, the thread phase, the block
 *               phase and the rest; the end of the last instruction
 *   word 7      number of block registers, thread registers, coefficients, uniform registers: 8 bits each
 *   word 8      number of sums, and registers per thread before and after: 8 bits each
 *   then two words per sum: block register, thread register, coefficient, uniform register, 8 bits each, 255 for none;
 *   a number */
#ifndef SL_LINEAR_LINEAR_FORM_H
#define SL_LINEAR_LINEAR_FORM_H

#include "base/types.h"
#include "isa/wide.h"

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
  uint8_t before, after; /* registers per thread, with uniform ones */
  struct sl_linear_form_sum sum[SL_LINEAR_MOST_SUMS];
};

/* Writes the descriptor; returns the number of words, at most SL_LINEAR_FORM_WORDS. */
unsigned sl_linear_form_write(const struct sl_linear_form *form, uint32_t *word);

/* Reads a descriptor that begins at word 0 of `count`. False: it is invalid; *why is a sentence, and only `entry` is
 * set. */
bool sl_linear_form_read(struct sl_linear_form *form, const uint32_t *word, uint32_t count, const char **why);

#endif
