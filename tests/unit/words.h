/* Instruction words, assembled from a table row and operands by the formats of the RISC-V manual (volume I,
 * section 2.3). */
#ifndef SL_TESTS_WORDS_H
#define SL_TESTS_WORDS_H

#include "machine/simtight/simtight_sm.h"

/* Extensions of the published machine with its FPU, and of its host CPU. */
static inline unsigned simtight_sets(void)
{
  struct sl_simtight_spec spec;
  sl_keys_defaults(&sl_simtight_keys, &spec);
  spec.fpu = 1;
  return sl_simtight_threads(&spec).isa_sets | SL_ISA_HOST;
}

static inline uint32_t word_r(enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  return sl_op_info(op)->match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t word_i(enum sl_op op, unsigned rd, unsigned rs1, int imm)
{
  return sl_op_info(op)->match | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t word_s(enum sl_op op, unsigned rs2, unsigned rs1, int imm)
{
  const uint32_t i = (uint32_t)imm;
  return sl_op_info(op)->match | (i & 31) << 7 | rs1 << 15 | rs2 << 20 | (i >> 5 & 127) << 25;
}

static inline uint32_t word_b(enum sl_op op, unsigned rs1, unsigned rs2, int offset)
{
  const uint32_t i = (uint32_t)offset;
  return sl_op_info(op)->match | (i >> 11 & 1) << 7 | (i >> 1 & 15) << 8 | rs1 << 15 | rs2 << 20 | (i >> 5 & 63) << 25 |
         (i >> 12 & 1) << 31;
}

static inline uint32_t word_u(enum sl_op op, unsigned rd, uint32_t imm20)
{
  return sl_op_info(op)->match | rd << 7 | imm20 << 12;
}

static inline uint32_t word_j(enum sl_op op, unsigned rd, int offset)
{
  const uint32_t i = (uint32_t)offset;
  return sl_op_info(op)->match | rd << 7 | (i >> 12 & 255) << 12 | (i >> 11 & 1) << 20 | (i >> 1 & 1023) << 21 |
         (i >> 20 & 1) << 31;
}

/* CSR instructions: rs1 is the register, or the immediate of csrrwi and its variants. */
static inline uint32_t word_csr(enum sl_op op, unsigned rd, unsigned csr, unsigned rs1)
{
  return sl_op_info(op)->match | rd << 7 | rs1 << 15 | csr << 20;
}

#endif
