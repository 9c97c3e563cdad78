#include "machine/sm7/riscv/sm7_rv_facts.h"

#include "machine/sm7/riscv/sm7_rv_flow.h"

struct place {
  uint8_t unit, class;
};

/* By the classes of isa.h; all others are in the class "other" of the integer unit. */
static const struct place places[SL_CLASS_COUNT] = {
    [SL_CLASS_MUL] = {SL_SM7_INT, SL_SM7_C_INT_MUL},   [SL_CLASS_DIV] = {SL_SM7_SFU, SL_SM7_C_INT_DIV},
    [SL_CLASS_FADD] = {SL_SM7_SP, SL_SM7_C_F32_ADD},   [SL_CLASS_FMUL] = {SL_SM7_SP, SL_SM7_C_F32_ADD},
    [SL_CLASS_FFUSED] = {SL_SM7_SP, SL_SM7_C_F32_MAD}, [SL_CLASS_FMINMAX] = {SL_SM7_SP, SL_SM7_C_F32_MINMAX},
    [SL_CLASS_FDIV] = {SL_SM7_SFU, SL_SM7_C_F32_DIV},  [SL_CLASS_FSQRT] = {SL_SM7_SFU, SL_SM7_C_SFU},
    [SL_CLASS_LOAD] = {SL_SM7_MEM, SL_SM7_C_MEMORY},   [SL_CLASS_STORE] = {SL_SM7_MEM, SL_SM7_C_MEMORY},
    [SL_CLASS_ATOMIC] = {SL_SM7_MEM, SL_SM7_C_MEMORY}, [SL_CLASS_FENCE] = {SL_SM7_MEM, SL_SM7_C_MEMORY},
};

static bool adds(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_LUI:
  case SL_OP_AUIPC:
  case SL_OP_ADD:
  case SL_OP_ADDI:
  case SL_OP_SUB: return true;
  default: return false;
  }
}

static struct place place_of(const struct sl_insn *in)
{
  const struct place place = places[sl_op_info(in->op)->class];
  if (adds(in))
    return (struct place){SL_SM7_INT, SL_SM7_C_INT_ADD};
  return place.class == SL_SM7_C_OTHER ? (struct place){SL_SM7_INT, SL_SM7_C_OTHER} : place;
}

static enum sl_sm7_kind kind_of(const struct sl_insn *in)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD: return SL_SM7_LOAD;
  case SL_KIND_STORE: return SL_SM7_STORE;
  case SL_KIND_AMO: return SL_SM7_ATOMIC;
  case SL_KIND_FENCE: return SL_SM7_FENCE;
  default: return sl_sm7_rv_is_barrier(in) ? SL_SM7_BARRIER : SL_SM7_ALU;
  }
}

/* x0 is not a register. */
static void read(struct sl_sm7_instruction *i, unsigned reg)
{
  if (reg == 0)
    return;
  i->watch[i->watched++] = (uint16_t)reg;
  for (unsigned n = 0; n < i->reads; n++)
    if (i->read_bank[n] == reg)
      return;
  i->read_bank[i->reads++] = (uint16_t)reg;
  i->words_read++;
}

struct sl_sm7_instruction sl_sm7_rv_facts(const struct sl_insn *in)
{
  const struct place place = place_of(in);
  struct sl_sm7_instruction i = {.unit = place.unit, .class = place.class, .kind = (uint8_t)kind_of(in)};
  i.uncached = i.kind == SL_SM7_ATOMIC;
  i.returns = i.kind == SL_SM7_ATOMIC && in->rd != 0;
  if (sl_reads_rs1(in))
    read(&i, in->rs1);
  if (sl_reads_rs2(in))
    read(&i, in->rs2);
  if (sl_reads_rs3(in))
    read(&i, in->rs3);
  if (sl_writes_rd(in) && in->rd != 0) {
    i.watch[i.watched++] = in->rd;
    i.write[i.writes] = i.write_bank[i.writes] = in->rd;
    i.writes++;
    i.words_written++;
  }
  return i;
}
