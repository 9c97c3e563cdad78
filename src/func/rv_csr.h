/* What a CSR instruction writes, the same on all machines. */
#ifndef SL_WARP_RV_CSR_H
#define SL_WARP_RV_CSR_H

#include "isa/isa.h"

static inline bool sl_csr_is_immediate(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
}

/* Set and clear with x0 or a zero immediate only read. */
static inline bool sl_csr_writes(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || (sl_csr_is_immediate(in) ? in->imm != 0 : in->rs1 != 0);
}

/* The operand, given the value of rs1. */
static inline uint32_t sl_csr_operand(const struct sl_insn *in, uint32_t rs1)
{
  return sl_csr_is_immediate(in) ? in->imm : rs1;
}

/* The new value for an old one. */
static inline uint32_t sl_csr_written(const struct sl_insn *in, uint32_t old, uint32_t operand)
{
  switch (in->op) {
  case SL_OP_CSRRS:
  case SL_OP_CSRRSI: return old | operand;
  case SL_OP_CSRRC:
  case SL_OP_CSRRCI: return old & ~operand;
  default: return operand;
  }
}

#endif
