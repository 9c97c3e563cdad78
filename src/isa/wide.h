/* The 64-bit instruction words of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and
 * Conflict-Aware Register Allocation", section 3.1. They encode the instructions of RV32 and of Vortex 2.x with 8-bit
 * register fields, up to four sources and 32-bit immediates. Field positions are those of the published emulator's
 * decoder.
 *
 *           63:60 59:52        51:44 43:36 35:28      27:20 19:17  16:9       8:7   6:0
 *   R       pred  funct7 52    rs4   rs3   rs2        rs1   funct3 rd         opext opcode
 *   I U J   pred  imm[23:0] 59:36         imm[31:24] rs1   funct3 rd         opext opcode
 *   I3      pred  imm[23:0] 59:36         rs2        rs1   funct3 rd         opext opcode   (no instruction yet)
 *   S B     pred  imm[23:0] 59:36         rs2        rs1   funct3 imm[31:24] opext opcode
 *
 * opcode, funct3 and funct7 are RISC-V's. Immediates are unscaled byte counts; U is imm << 12 for LUI and pc + imm for
 * AUIPC. Shifts have the amount in imm[4:0] and funct7 in 58:52. CSR instructions have the CSR number in imm[11:0] and
 * a 5-bit immediate in rs1. A load or store with opext 1 accesses shared memory. pred and rs4 are decoded but have no
 * meaning yet. */
#ifndef SL_ISA_WIDE_H
#define SL_ISA_WIDE_H

#include "isa/isa.h"

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

enum { SL_WIDE_BYTES = 8, SL_WIDE_REGISTERS = 256 };

/* The fields of a word. The encoder ignores fields that the format does not have. */
struct sl_wide {
  enum sl_op op;
  uint8_t pred, rd, rs1, rs2, rs3, rs4;
  uint8_t mode; /* rounding mode; of atomics, aq and rl as bits 1 and 0; of split and pred, 1: negated */
  uint16_t csr;
  uint32_t imm; /* as in struct sl_insn; of LUI the resulting value */
};

uint64_t sl_wide_encode(const struct sl_wide *wide);

struct sl_insn sl_wide_decode(uint64_t word, unsigned sets);

/* The predicate field, which struct sl_insn does not hold. */
unsigned sl_wide_pred(const struct sl_insn *in);

/* The RV32 word with the same opcode, funct3, funct7 (of formats N and FENCE imm[11:0] in 31:20) and low register
 * fields; the lowest two bits are 3 - opext. It is matched with the rows. */
uint32_t sl_wide_lookalike(uint64_t word, enum sl_format format);

/* Register names: zero to t6 as in RV32; a8 to a23, s12 to s59, t7 to t38 (section 3.2); from 128 on x128. The string
 * is static. */
const char *sl_wide_register_name(unsigned reg);

#endif
