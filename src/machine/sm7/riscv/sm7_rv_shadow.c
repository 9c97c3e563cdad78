#include "machine/sm7/riscv/sm7_rv_warps.h"

#include "base/arrays.h"

#include <stdlib.h>

enum { MOST_STEPS = 1 << 24 };

static void drop_word(void *context, uint32_t word)
{
  (void)context;
  (void)word;
}

bool sl_sm7_rv_shadow_make(struct sl_sm7_rv *rv, sl_sm7_rv_step *step)
{
  sl_sm7_rv_free_shadow(rv);
  struct sl_sm7_rv_shadow *s = calloc(1, sizeof *s);
  struct sl_sm7_rv_warp *warp = sl_array_of((size_t)rv->sms * rv->warps, sizeof *warp);
  if (s == NULL || warp == NULL) {
    free(s);
    free(warp);
    return false;
  }
  s->step = step;
  s->view = *rv;
  s->view.warp = warp;
  s->view.linear = (struct sl_sm7_rv_linear){.forms = 0};
  s->view.shadow = NULL;
  s->view.environment.probes = NULL;
  s->view.environment.print_word = drop_word;
  rv->shadow = s;
  return true;
}

bool sl_sm7_rv_shadow_begin(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at)
{
  return sl_sm7_rv_begin_warp(&rv->shadow->view, sl_sm7_rv_warp_at(&rv->shadow->view, at), at->warp);
}

/* ---- comparison points ------------------------------------------------------------------------------------------- */

static uint32_t address_of(const struct sl_sm7_rv_warp *w, const struct sl_insn *in, unsigned lane)
{
  return w->x[(size_t)in->rs1 * SL_SM7_LANES + lane] + (in->kind == SL_KIND_AMO ? 0 : in->imm);
}

/* Accesses to the thread's stack and reads of the launch block are private: the variant has eliminated the linear
 * ones. */
static bool is_shared(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_warp *w, const struct sl_insn *in,
                      uint32_t active)
{
  const uint32_t address = address_of(w, in, (unsigned)__builtin_ctz(active));
  return address < SL_SM7_RV_LOCAL && (in->kind != SL_KIND_LOAD || address - rv->closure >= rv->launch.bytes);
}

static bool is_compared(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_warp *w, const struct sl_insn *in,
                        uint32_t active)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO: return is_shared(rv, w, in, active);
  case SL_KIND_BRANCH: return true;
  case SL_KIND_CSR: return in->csr == SL_SM7_RV_CSR_COMMAND || in->csr == SL_SM7_RV_CSR_PRINT_WORD;
  default: return false;
  }
}

static bool differs(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t lanes, const char *how)
{
  sl_sm7_rv_fault(rv, at, SL_FAULT_EXTENSION, lanes, 0);
  rv->fault.detail = how;
  return false;
}

/* The shadow's next compared instruction. NULL: it does not reach one. */
static const struct sl_insn *come(struct sl_sm7_rv_shadow *s, const struct sl_sm7_rv_place *at)
{
  struct sl_sm7_rv *view = &s->view;
  struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(view, at);
  struct sl_sm7_effect effect;
  for (unsigned n = 0; n < MOST_STEPS && w->stack.depth > 0; n++) {
    const uint32_t index = sl_simt_stack_pc(&w->stack);
    if (index >= view->code.count)
      return NULL;
    const struct sl_insn *in = &view->code.insn[index];
    if (is_compared(view, w, in, sl_simt_stack_mask(&w->stack)))
      return in;
    if (!s->step(view, at->sm, at->slot, at->warp, 0, &effect))
      return NULL;
  }
  return NULL;
}

/* Lanes in which values of two warps differ. */
static uint32_t unequal(const uint32_t *a, const uint32_t *b, uint32_t active)
{
  uint32_t lanes = 0;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    lanes |= (uint32_t)(a[lane] != b[lane]) << lane;
  }
  return lanes;
}

static uint32_t addresses_differ(const struct sl_sm7_rv_warp *w, const struct sl_insn *in,
                                 const struct sl_sm7_rv_warp *other, const struct sl_insn *as_it_was, uint32_t active)
{
  uint32_t lanes = 0;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    lanes |= (uint32_t)(address_of(w, in, lane) != address_of(other, as_it_was, lane)) << lane;
  }
  return lanes;
}

static const uint32_t *row(const struct sl_sm7_rv_warp *w, unsigned reg)
{
  return w->x + (size_t)reg * SL_SM7_LANES;
}

bool sl_sm7_rv_shadow_before(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in,
                             uint32_t active)
{
  struct sl_sm7_rv *view = &rv->shadow->view;
  const struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(rv, at), *other = sl_sm7_rv_warp_at(view, at);
  rv->shadow->met = is_compared(rv, w, in, active);
  if (!rv->shadow->met)
    return true;
  const struct sl_insn *as_it_was = come(rv->shadow, at);
  if (as_it_was == NULL || as_it_was->op != in->op)
    return differs(rv, at, active, "the original kernel reaches another instruction (r2d2.shadow)");
  if (sl_simt_stack_mask(&other->stack) != active)
    return differs(rv, at, active, "the original kernel has other active lanes here (r2d2.shadow)");
  if (in->kind == SL_KIND_CSR)
    return true;
  const bool accesses = in->kind != SL_KIND_BRANCH;
  uint32_t lanes = accesses ? addresses_differ(w, in, other, as_it_was, active)
                            : unequal(row(w, in->rs1), row(other, as_it_was->rs1), active);
  if (lanes != 0)
    return differs(rv, at, lanes,
                   accesses ? "the original kernel accesses another address here (r2d2.shadow)"
                            : "the original kernel compares other values here (r2d2.shadow)");
  lanes = in->kind == SL_KIND_LOAD ? 0 : unequal(row(w, in->rs2), row(other, as_it_was->rs2), active);
  if (lanes != 0)
    return differs(rv, at, lanes,
                   accesses ? "the original kernel stores another value here (r2d2.shadow)"
                            : "the original kernel compares other values here (r2d2.shadow)");
  return true;
}

void sl_sm7_rv_shadow_after(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in,
                            uint32_t active)
{
  struct sl_sm7_rv *view = &rv->shadow->view;
  struct sl_sm7_rv_warp *other = sl_sm7_rv_warp_at(view, at);
  struct sl_sm7_effect effect;
  if (!rv->shadow->met)
    return;
  const struct sl_insn *as_it_was = &view->code.insn[sl_simt_stack_pc(&other->stack)];
  const bool reads = in->kind == SL_KIND_LOAD || in->kind == SL_KIND_AMO;
  if (in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_CSR) {
    (void)rv->shadow->step(view, at->sm, at->slot, at->warp, 0,
                           &effect); /* an instruction that the shadow cannot execute, the warp cannot either */
    return;
  }
  for (uint32_t rest = reads && in->rd != 0 ? active : 0; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    other->x[(size_t)as_it_was->rd * SL_SM7_LANES + lane] =
        sl_sm7_rv_warp_at(rv, at)->x[(size_t)in->rd * SL_SM7_LANES + lane];
  }
  sl_simt_stack_advance(&other->stack, sl_simt_stack_pc(&other->stack) + 1);
}
