#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_warps.h"

static bool may_go(const struct sl_sm7_sm *sm, unsigned warp)
{
  const struct sl_sm7_phases *p = &sm->phases;
  switch ((enum sl_sm7_phase_of_kernel)p->of[warp]) {
  case SL_SM7_PHASE_COEFFICIENTS: break;
  case SL_SM7_PHASE_THREADS: return p->coefficients;
  case SL_SM7_PHASE_BLOCK: return p->coefficients && (p->threads_left == 0 || sm->wire.spec->linear_overlap);
  case SL_SM7_PHASE_REST:
    return p->threads_left == 0 && (p->blocks >> sm->warp[warp].slot & 1) && (p->open || !sm->wire.spec->linear_global);
  }
  return true;
}

static void enter(struct sl_sm7_sm *sm, unsigned warp, uint8_t phase)
{
  struct sl_sm7_phases *p = &sm->phases;
  p->of[warp] = phase;
  p->linear = phase == SL_SM7_PHASE_REST ? p->linear & ~sl_sm7_bit(warp) : p->linear | sl_sm7_bit(warp);
  if (!may_go(sm, warp)) {
    p->held |= sl_sm7_bit(warp);
    sm->barrier |= sl_sm7_bit(warp);
  }
}

static void release(struct sl_sm7_sm *sm)
{
  for (uint64_t rest = sm->phases.held; rest; rest &= rest - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(rest);
    if (!may_go(sm, warp))
      continue;
    sm->phases.held &= ~sl_sm7_bit(warp);
    sm->barrier &= ~sl_sm7_bit(warp);
  }
}

void sl_sm7_phases_begin(struct sl_sm7_sm *sm, unsigned slot)
{
  const struct sl_sm7_front *front = sm->wire.front;
  const unsigned first = slot * sm->warps_per_block;
  sm->phases.blocks &= ~(1u << slot);
  for (unsigned i = 0; i < sm->warps_per_block; i++) {
    const uint8_t phase = front->phase(front->context, sm->id, slot, i);
    if (phase == SL_SM7_PHASE_COEFFICIENTS)
      sm->phases.threads_left = sm->warps_per_block;
    enter(sm, first + i, phase);
  }
}

void sl_sm7_phases_follow(struct sl_sm7_sm *sm, unsigned warp, unsigned lanes)
{
  struct sl_sm7_phases *p = &sm->phases;
  const struct sl_sm7_front *front = sm->wire.front;
  const struct sl_sm7_warp *w = &sm->warp[warp];
  const uint8_t before = p->of[warp];
  if (before == SL_SM7_PHASE_REST)
    return;
  sm->counts.of_phase[before]++;
  sm->counts.lanes_of_phase[before] += lanes;
  const uint8_t phase = front->phase(front->context, sm->id, w->slot, w->index);
  if (phase == before)
    return;
  p->coefficients |= before == SL_SM7_PHASE_COEFFICIENTS;
  p->threads_left -= before == SL_SM7_PHASE_THREADS;
  p->blocks |= (uint32_t)(before == SL_SM7_PHASE_BLOCK) << w->slot;
  enter(sm, warp, phase);
  release(sm);
}

bool sl_sm7_phases_done(const struct sl_sm7_sm *sm)
{
  const struct sl_sm7_phases *p = &sm->phases;
  if (sm->given != SL_SM7_NO_BLOCK)
    return false;
  return sm->blocks == 0 || (p->coefficients && p->threads_left == 0 && (sm->used_slots & ~p->blocks) == 0);
}

void sl_sm7_phases_open(struct sl_sm7_sm *sm)
{
  sm->phases.open = true;
  release(sm);
}

uint64_t sl_sm7_phases_fetchable(struct sl_sm7_sm *sm, uint64_t wanting, uint64_t now)
{
  struct sl_sm7_phases *p = &sm->phases;
  p->asked &= wanting;
  for (uint64_t rest = wanting & p->linear; rest; rest &= rest - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(rest);
    if (!(p->asked & sl_sm7_bit(warp)))
      p->known[warp] = now + sm->wire.spec->linear_fetch;
    p->asked |= sl_sm7_bit(warp);
    if (now < p->known[warp])
      wanting &= ~sl_sm7_bit(warp);
  }
  return wanting;
}
