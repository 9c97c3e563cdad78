#include "ptx/run/ptx_execute.h"

#include <string.h>

#include "base/livelock.h"
#include "convergence/simt_stack.h"
#include "ptx/run/ptx_access.h"

enum { MOST_LOCAL = 1 << 20 /* bytes of a warp's local memory in a trial */ };

/* Barriers, clocks, calls of the host, and instructions of linear registers concern more than the warp and memory.
 * Stored matrices, asynchronous copies and texels are more than a trial keeps. */
static bool shows(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_BARRIER || in->kind == SL_PTX_K_CLOCK || in->kind == SL_PTX_K_LINEAR ||
         in->kind == SL_PTX_K_SERVICE || in->kind == SL_PTX_K_ASYNC || in->kind == SL_PTX_K_TEX ||
         (in->more != NULL && in->more->store);
}

/* Performs the accesses of an instruction to memory that other threads may access. False: the trial ends. */
static bool settle(struct sl_ptx_late *late, struct sl_trial_memory *memory)
{
  bool accepted = true;
  for (unsigned i = 0; i < late->count; i++) {
    const struct sl_ptx_late_access *l = &late->access[i];
    const struct sl_ptx_insn *in = l->insn;
    const unsigned bytes = in->kind == SL_PTX_K_TILE ? in->more->line_bytes : (unsigned)in->bytes * in->elements;
    const bool writes = in->kind == SL_PTX_K_STORE || in->kind == SL_PTX_K_ATOMIC;
    for (uint32_t rest = l->active; rest != 0 && accepted; rest &= rest - 1)
      accepted = sl_trial_access(memory, l->data + l->offset[sl_lowest(rest)], bytes, writes);
  }
  if (accepted)
    sl_ptx_settle(late);
  late->count = 0;
  return accepted;
}

static bool step(void *context, struct sl_trial_step *did)
{
  struct sl_ptx_warp *w = context;
  struct sl_ptx_effect effect;
  struct sl_ptx_fault fault;
  const struct sl_ptx_insn *in = &w->block->launch->module->code[sl_simt_stack_pc(&w->stack)];
  if (shows(in) || (sl_convergences[w->stack.turn.scheme]->count != NULL && sl_ptx_turns_together(in)))
    return false;
  const bool executed = sl_ptx_execute(w, 0, &effect, &fault);
  if (!settle(w->block->late, did->memory) || !executed || w->stack.depth == 0)
    return false;
  did->lanes = effect.issued;
  did->pc = effect.pc;
  did->back = effect.insn->kind == SL_PTX_K_BRANCH && sl_simt_stack_pc(&w->stack) <= effect.pc;
  return true;
}

struct context {
  struct sl_ptx_warp *warp;
  struct sl_trial_memory *memory;
};

static bool spins(void *context, struct sl_spin *spin)
{
  const struct context *c = context;
  struct sl_ptx_warp *w = c->warp;
  const struct sl_ptx_function *kernel = w->block->launch->kernel;
  const size_t local = (size_t)kernel->local_bytes * SL_PTX_LANES;
  struct sl_trial trial = {.memory = c->memory, .context = w, .step = step};
  struct sl_ptx_late late = {.all = true}, *const before = w->block->late;
  if (local > MOST_LOCAL || kernel->levels > 0 || w->block->linear != NULL || w->block->shadow != NULL)
    return false;
  sl_trial_add(&trial, &w->stack, sizeof w->stack);
  sl_trial_add(&trial, &w->carry, sizeof w->carry);
  sl_trial_add(&trial, w->area[SL_PTX_REGISTERS], kernel->register_bytes);
  sl_trial_add(&trial, w->local, local);
  w->block->late = &late;
  const bool result = sl_trial_spins(&trial, spin);
  w->block->late = before;
  return result;
}

bool sl_ptx_spins(struct sl_ptx_warp *w, struct sl_trial_memory *memory, struct sl_ptx_fault *fault)
{
  struct context context = {w, memory};
  struct sl_spin spin;
  struct sl_ptx_fault f = {.kind = SL_PTX_FAULT_LIVELOCK, .warp = w->index};
  if (!sl_simt_groups_spin(&w->stack, spins, &context, &spin))
    return false;
  const struct sl_warp_path held = sl_lanes_at((enum sl_scheme)w->stack.turn.scheme, &w->stack, ~spin.lanes);
  f.pc = spin.pc;
  f.lanes = (uint32_t)spin.lanes;
  f.lane = sl_lowest(spin.lanes);
  f.parked = w->stack.turn.period != 0;
  f.waiting = (uint32_t)held.lanes;
  f.waiting_pc = held.pc;
  memcpy(f.block, w->block->index, sizeof f.block);
  if (fault->kind == SL_PTX_FAULT_NONE || (fault->waiting == 0 && f.waiting != 0))
    *fault = f;
  return true;
}
