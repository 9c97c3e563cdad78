#include "machine/sm7/riscv/sm7_rv_csr.h"

enum {
  CSR_FFLAGS = 1,
  CSR_FRM = 2,
  CSR_FCSR = 3,
  CSR_HART_ID = 0xf14,
  PLACES = 15,
  FLAGS = 31,
  FLAG_BITS = 5,
  FCSR = 255
};

static bool has_immediate(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
}

uint32_t sl_sm7_rv_csr_operand(const struct sl_insn *in, const uint32_t *x, unsigned lane)
{
  return has_immediate(in) ? in->imm : x[(size_t)in->rs1 * SL_SM7_LANES + lane];
}

/* csrrs and csrrc with x0 or a zero immediate only read. */
static bool writes(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || (has_immediate(in) ? in->imm != 0 : in->rs1 != 0);
}

/* The new value for an old one. */
static uint32_t written(const struct sl_insn *in, uint32_t old, uint32_t operand)
{
  switch (in->op) {
  case SL_OP_CSRRS:
  case SL_OP_CSRRSI: return old | operand;
  case SL_OP_CSRRC:
  case SL_OP_CSRRCI: return old & ~operand;
  default: return operand;
  }
}

/* The warp has one such CSR: its first lane writes it. */
static void write_float(struct sl_sm7_rv_warp *w, const struct sl_insn *in, uint32_t active, uint32_t *old)
{
  const unsigned shift = in->csr == CSR_FRM ? FLAG_BITS : 0;
  const uint32_t mask = in->csr == CSR_FFLAGS ? FLAGS : in->csr == CSR_FRM ? (FCSR ^ FLAGS) >> FLAG_BITS : FCSR;
  *old = w->fcsr >> shift & mask;
  if (writes(in)) {
    const uint32_t value = written(in, *old, sl_sm7_rv_csr_operand(in, w->x, (unsigned)__builtin_ctz(active)));
    w->fcsr = (w->fcsr & ~(mask << shift)) | (value & mask) << shift;
  }
}

static uint32_t place_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, unsigned which, unsigned lane)
{
  const struct sl_sm7_rv_block *block = &rv->block[at->sm * SL_SM7_MAX_BLOCKS + at->slot];
  uint32_t thread[3];
  switch (which / 3) {
  case 0: sl_sm7_rv_thread(rv, at->warp, lane, thread); return thread[which % 3];
  case 1: return block->index[which % 3];
  case 2: return rv->launch.block[which % 3];
  case 3: return rv->launch.grid[which % 3];
  default: return which % 3 == 0 ? at->sm : which % 3 == 1 ? lane : at->warp;
  }
}

bool sl_sm7_rv_csr(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in, uint32_t active)
{
  const unsigned number = sl_sm7_rv_number(rv, at->sm, at->slot, at->warp), which = in->csr - SL_SM7_RV_CSR_PLACE;
  struct sl_sm7_rv_warp *w = &rv->warp[number];
  uint32_t value = 0;
  if (in->csr == CSR_FFLAGS || in->csr == CSR_FRM || in->csr == CSR_FCSR)
    write_float(w, in, active, &value);
  else if (in->csr == SL_SM7_RV_CSR_LAUNCH)
    value = rv->closure;
  else if (in->csr != CSR_HART_ID && in->csr != SL_SM7_RV_CSR_PRINT_WORD && which >= PLACES)
    return false;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (in->csr == SL_SM7_RV_CSR_PRINT_WORD && writes(in))
      rv->environment.print_word(rv->environment.print_context, sl_sm7_rv_csr_operand(in, w->x, lane));
    if (in->rd != 0)
      w->x[(size_t)in->rd * SL_SM7_LANES + lane] = in->csr == CSR_HART_ID ? number * SL_SM7_LANES + lane
                                                   : which < PLACES       ? place_of(rv, at, which, lane)
                                                                          : value;
  }
  return true;
}
