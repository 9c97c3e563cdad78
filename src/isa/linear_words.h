/* Instructions of RV32 kernels with linear registers (R2D2, ISCA 2023; figure 9 shows them in PTX). They use opcode
 * custom-3, 0x7b, which Vortex and SIMTight do not use; bits 14 to 12 select the instruction. Fields, as bits of the
 * word:
 *
 *   r2.use      31-27 ur + 1  26-21 s2 + 1  20-15 s1 + 1   a prefix, which forms one instruction with the next word.
 * The instruction reads sum s1 in place of rs1 and s2 in place of rs2, and writes uniform register ur in place of rd.
 * 0: no replacement r2.cr       27-20 number                               a prefix: the result of the next word is
 * also written to that coefficient r2.mad.tr   27-20 cr      17 adds  16-15 d  10-7 tr    tr = thread index d * cr;
 * plus the old tr if it adds r2.madi.tr  31-20 number  17 adds  16-15 d  10-7 tr    the same with a signed number
 *   r2.mov.br                                              block registers = coefficients 0 to 15, by lane
 *   r2.mad.br   21-20 slice            16-15 d             block registers += block index d * coefficients from
 *                                                          16 * slice on
 *   r2.end                                                 the end of a phase
 *   r2.form     31-20 words                                not executed: so many words describe a kernel
 *                                                          (compiler/linear/linear_form.h)
 *
 * The kernel's description defines each sum: block and thread register, coefficient, uniform register and a number. */
#ifndef SL_ISA_LINEAR_WORDS_H
#define SL_ISA_LINEAR_WORDS_H

#include "isa/isa.h"

enum {
  SL_LINEAR_WORD = 0x7b,
  SL_LINEAR_MOST_SUMS = 63,
  SL_LINEAR_MOST_URS = 31,
  SL_LINEAR_MOST_CRS = 255,
  SL_LINEAR_SLICE = 16 /* number of coefficients in a slice, and of block registers per block */
};

/* The fields of such a word; absent fields are 0. */
struct sl_linear_fields {
  uint32_t ur, s1, s2; /* r2.use: number + 1; 0: none */
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

/* Encodes an instruction from the fields that it has. */
uint32_t sl_linear_word(enum sl_op op, const struct sl_linear_fields *fields);

/* Whether the instruction is a prefix of the next word. */
static inline bool sl_linear_is_prefix(const struct sl_insn *in)
{
  return in->op == SL_OP_R2_USE || in->op == SL_OP_R2_CR;
}

/* Writes its assembly text as snprintf does. */
int sl_linear_word_text(const struct sl_insn *in, char *text, size_t size);

#endif
