/* A SIMTight SM of which parts of a launch are timed. What an instruction does it does in its execute stage, so once
 * nothing is under way paths, registers and memory are all there is. The barrier unit has to be in its first state, for
 * its later ones hold a copy of the bits of the warps that wait. */
#include "machine/simtight/simtight_sm.h"

/* Values in the compressed file's entries are not where execution without timing looks for them. */
const char *sl_simtight_refuses_sampling(const struct sl_sm *handle)
{
  if (!sl_simtight_of_const(handle)->spec.compressed)
    return NULL;
  return "of SIMTight only with the plain register file can timing begin within a launch; set registers=plain";
}

static bool memory_path_empty(const struct sl_simtight_sm *sm)
{
  const struct sl_coalescer *c = &sm->s.coalescer;
  return !c->active && !c->assembled && !sl_coalescer_responding(c) && !sm->s.dram.active &&
         sm->s.dram.in_flight == 0 && !sm->s.scratchpad.active && !sm->s.scratchpad.response.full &&
         !sm->s.memory_response.full;
}

static bool units_empty(const struct sl_simtight_sm *sm)
{
  return sm->s.multiplier.occupied == 0 && sm->s.multiplier.result.count == 0 && !sl_fpu_busy(&sm->s.fpu) &&
         !sm->s.fpu.consumed && sl_divider_next_event(&sm->s.divider) == INT64_MAX;
}

bool sl_simtight_drained(const struct sl_simtight_sm *sm)
{
  const struct sl_suspension *s = &sm->s.suspension;
  return sm->s.in_pipeline == 0 && !sm->s.requeue && !sm->s.result.lanes && !sm->s.resume.full && !s->live &&
         !s->registered && sm->s.barrier.state == SL_BARRIER_SNAPSHOT && units_empty(sm) && memory_path_empty(sm);
}

unsigned sl_simtight_population(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return sm->spec.warps - sl_count(sm->s.ended);
}

uint64_t sl_simtight_issued(const struct sl_sm *handle, unsigned warp)
{
  return sl_simtight_of_const(handle)->s.counts.by_warp[warp];
}
