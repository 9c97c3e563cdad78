/* Instructions of RV32 kernels with linear registers (R2D2, ISCA 2023, figure 9 has them in PTX): opcode custom-3,
 * 0x7b, where Vortex and SIMTight have nothing; bits 14 to 12 tell which. Fields, as bits of the word:
 *
 *   r2.use      31-27 ur + 1  26-21 s2 + 1  20-15 s1 + 1   a prefix: the word behind it is one instruction with it. It
 *                                                          reads sum s1 in place of rs1 and s2 in place of rs2, and
 *                                                          writes uniform register ur in place of rd. 0: as it says
 *   r2.cr       27-20 number                               a prefix: what the word behind it writes is also that
 *                                                          coefficient
 *   r2.mad.tr   27-20 cr      17 adds  16-15 d  10-7 tr    tr = thread index d * cr, and tr more if it adds
 *   r2.madi.tr  31-20 number  17 adds  16-15 d  10-7 tr    the same with a signed number
 *   r2.mov.br                                              block registers = coefficients 0 to 15, by lane
 *   r2.mad.br   21-20 slice            16-15 d             block registers += block index d * coefficients from
 *                                                          16 * slice on
 *   r2.end                                                 the end of a phase
 *   r2.form     31-20 words                                not executed: so many words tell of a kernel
 *                                                          (linear/linear_form.h)
 *
 * A sum is what the kernel's form has at that number: block and thread register, coefficient, uniform register and a
 * number. */
#ifndef SL_ISA_LINEAR_WORDS_H
#define SL_ISA_LINEAR_WORDS_H

#include "isa/isa.h"

enum {
  SL_LINEAR_WORD = 0x7b,
  SL_LINEAR_MOST_SUMS = 63,
  SL_LINEAR_MOST_URS = 31,
  SL_LINEAR_MOST_CRS = 255,
  SL_LINEAR_SLICE = 16 /* coefficients, and block registers of a block */
};

/* What a word of the above names; those that it does not have are 0. */
struct sl_linear_fields {
  uint32_t ur, s1, s2; /* r2.use: number + 1, 0: none */
  uint32_t cr;         /* r2.cr, r2.mad.tr */
  uint32_t tr, dimension, slice, words;
  int32_t number; /* r2.madi.tr */
  bool adds;
};

static inline uint32_t sl_linear_word_bits(uint32_t word, unsigned lo, unsigned n)
{
  return word >> lo & ((1u << n) - 1);
}

static inline struct sl_linear_fields sl_linear_fields_of(uint32_t word)
{
  return (struct sl_linear_fields){.ur = sl_linear_word_bits(word, 27, 5),
                                   .s1 = sl_linear_word_bits(word, 15, 6),
                                   .s2 = sl_linear_word_bits(word, 21, 6),
                                   .cr = sl_linear_word_bits(word, 20, 8),
                                   .tr = sl_linear_word_bits(word, 7, 4),
                                   .dimension = sl_linear_word_bits(word, 15, 2),
                                   .slice = sl_linear_word_bits(word, 20, 2),
                                   .words = sl_linear_word_bits(word, 20, 12),
                                   .number = (int32_t)word >> 20,
                                   .adds = sl_linear_word_bits(word, 17, 1)};
}

/* The word of an instruction of these, of which the fields that it has are taken. */
uint32_t sl_linear_word(enum sl_op op, const struct sl_linear_fields *fields);

/* Whether it is one instruction with the word behind it. */
static inline bool sl_linear_is_prefix(const struct sl_insn *in)
{
  return in->op == SL_OP_R2_USE || in->op == SL_OP_R2_CR;
}

/* Its assembly text, as snprintf writes it. */
int sl_linear_word_text(const struct sl_insn *in, char *text, size_t size);

#endif
