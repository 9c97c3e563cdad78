#include "compiler/isa64/lower/atomics.h"

struct loop {
  struct sl_wide *word;
  unsigned count;
};

static void put(struct loop *l, enum sl_op op, uint32_t rd, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
  const bool atomic = op == SL_OP_LR || op == SL_OP_SC;
  l->word[l->count++] = (struct sl_wide){.op = op,
                                         .rd = (uint8_t)rd,
                                         .rs1 = (uint8_t)rs1,
                                         .rs2 = (uint8_t)rs2,
                                         .imm = imm,
                                         .mode = atomic ? 3 : 0}; /* acquire and release */
}

/* Builds the new word: bits of `scratch` in the mask, bits of `old` outside it. */
static void merge(struct loop *l, uint32_t scratch, uint32_t old, uint32_t mask)
{
  put(l, SL_OP_XOR, scratch, old, scratch, 0);
  put(l, SL_OP_AND, scratch, scratch, mask, 0);
  put(l, SL_OP_XOR, scratch, old, scratch, 0);
}

/* Branches back to the lr if the sc failed. */
static void try_again(struct loop *l, uint32_t scratch, uint32_t address)
{
  put(l, SL_OP_SC, scratch, address, scratch, 0);
  put(l, SL_OP_BNE, 0, scratch, 0, 0 - l->count * SL_WIDE_BYTES);
}

/* Operands: result, scratch, address, compared value, new value; for part of a word also the mask. The exit branch goes
 * past the last word. */
static void compare_exchange(struct loop *l, const struct sl_lir_operand *o, bool masked)
{
  const uint32_t old = o[0].reg, scratch = o[1].reg, address = o[2].reg, wanted = o[3].reg, value = o[4].reg;
  put(l, SL_OP_LR, old, address, 0, 0);
  if (masked)
    put(l, SL_OP_AND, scratch, old, o[5].reg, 0);
  put(l, SL_OP_BNE, 0, masked ? scratch : old, wanted, (masked ? 7 : 4) * SL_WIDE_BYTES);
  put(l, SL_OP_ADDI, scratch, value, 0, 0);
  if (masked)
    merge(l, scratch, old, o[5].reg);
  try_again(l, scratch, address);
}

/* Operands: result, scratch, address, the other operand; for part of a word also the mask. */
static void operation(struct loop *l, const struct sl_lir_operand *o, unsigned opcode)
{
  const uint32_t old = o[0].reg, scratch = o[1].reg, address = o[2].reg, value = o[3].reg;
  put(l, SL_OP_LR, old, address, 0, 0);
  switch (opcode) {
  case SL_MIR_OP_PseudoMaskedAtomicSwap32: put(l, SL_OP_ADDI, scratch, value, 0, 0); break;
  case SL_MIR_OP_PseudoMaskedAtomicLoadAdd32: put(l, SL_OP_ADD, scratch, old, value, 0); break;
  case SL_MIR_OP_PseudoMaskedAtomicLoadSub32: put(l, SL_OP_SUB, scratch, old, value, 0); break;
  default: put(l, SL_OP_AND, scratch, old, value, 0); put(l, SL_OP_XORI, scratch, scratch, 0, UINT32_MAX);
  }
  if (opcode != SL_MIR_OP_PseudoAtomicLoadNand32)
    merge(l, scratch, old, o[4].reg);
  try_again(l, scratch, address);
}

unsigned sl_atomic_loop(const struct sl_lir *lir, const struct sl_lir_insn *insn,
                        struct sl_wide word[SL_MOST_ATOMIC_WORDS])
{
  struct loop l = {.word = word};
  const struct sl_lir_operand *o = sl_lir_operands(lir, insn);
  if (insn->op == SL_LIR_COMPARE_EXCHANGE)
    compare_exchange(&l, o, insn->csr == SL_MIR_OP_PseudoMaskedCmpXchg32);
  else
    operation(&l, o, insn->csr);
  return l.count;
}
