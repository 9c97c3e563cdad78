#include "machine/sm7/riscv/sm7_rv_csr.h"

#include "func/rv_execute.h"

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

uint32_t sl_sm7_rv_csr_operand(const struct sl_insn *in, const uint32_t *x, unsigned lane)
{
  return sl_csr_operand(in, x[(size_t)in->rs1 * SL_SM7_LANES + lane]);
}

/* The warp has one such CSR: its first lane writes it. */
static void write_float(struct sl_sm7_rv_warp *w, const struct sl_insn *in, uint32_t active, uint32_t *old)
{
  const unsigned shift = in->csr == CSR_FRM ? FLAG_BITS : 0;
  const uint32_t mask = in->csr == CSR_FFLAGS ? FLAGS : in->csr == CSR_FRM ? (FCSR ^ FLAGS) >> FLAG_BITS : FCSR;
  *old = w->fcsr >> shift & mask;
  if (sl_csr_writes(in)) {
    const uint32_t value = sl_csr_written(in, *old, sl_sm7_rv_csr_operand(in, w->x, (unsigned)__builtin_ctz(active)));
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
    if (in->csr == SL_SM7_RV_CSR_PRINT_WORD && sl_csr_writes(in))
      rv->environment.print_word(rv->environment.print_context, sl_sm7_rv_csr_operand(in, w->x, lane));
    if (in->rd != 0)
      w->x[(size_t)in->rd * SL_SM7_LANES + lane] = in->csr == CSR_HART_ID ? number * SL_SM7_LANES + lane
                                                   : which < PLACES       ? place_of(rv, at, which, lane)
                                                                          : value;
  }
  return true;
}
