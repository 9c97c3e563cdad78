/* The state of a SIMTight SM: its table and its walk. */
#include "base/schema.h"
#include "machine/machine_state.h"
#include "machine/simtight/simtight_replay.h"
#include "machine/simtight/simtight_sm.h"
#include "timing/pipeline/arithmetic_units.h"

static SL_SCHEMA(counts_schema, struct sl_simtight_counts, NULL,
                 SL_ANY(instructions, thread_instructions, slots, by_warp, requested));

static bool spills_valid(const struct sl_simtight_state *s)
{
  bool valid = true;
  for (unsigned i = 0; i < SL_SIMTIGHT_RING; i++)
    valid &= !(s->spill_slots >> i & 1) || s->pipeline[i] >= 0;
  return valid;
}

static SL_CHECKED_SCHEMA(
    state_schema, struct sl_simtight_state, spills_valid(self), SL_IS_LIMIT(SL_LIMIT_NOW, SL_CYCLES_MAX - 1, cycle),
    SL_SET_OF(SL_LIMIT_ALL_WARPS, queue, requeue, suspects, slot_suspended, requeue_scalar, ended, account.filling),
    SL_STRUCTS(sl_scheduler_schema, scheduler), SL_RANGE(-1, SL_LIMIT_WARPS, -1, pipeline, evicted),
    SL_MOST(SL_SIMTIGHT_RING, in_pipeline), SL_STRUCTS(sl_response_schema, result, settling),
    SL_STRUCTS(sl_resume_schema, resume), SL_STRUCTS(sl_suspension_schema, suspension),
    SL_STRUCTS(sl_barrier_schema, barrier), SL_STRUCTS(sl_multiplier_events_schema, multiplier),
    SL_STRUCTS(sl_divider_schema, divider), SL_STRUCTS(sl_fpu_schema, fpu), SL_STRUCTS(counts_schema, counts),
    SL_ANY(recent, spill_slots, warp0_words, success, launches), SL_BELOW(SL_REGISTERS, evicted_register),
    SL_BELOW_LIMIT(SL_LIMIT_WARPS, latest_slot), SL_STRUCTS(sl_request_path_schema, path),
    SL_STRUCTS(sl_stack_cache_schema, stack_cache), SL_STRUCTS(sl_register_file_schema, registers),
    SL_STRUCTS(sl_spill_schema, spill), SL_STRUCTS(sl_scalar_pipeline_schema, scalar),
    SL_ANY(account.charged, account.last, account.latest), SL_MOST(SL_REGULARITY_COUNT, account.known),
    SL_RANGE(-SL_CYCLES_MAX, SL_LIMIT_NONE, SL_CYCLES_MAX - 1, account.next_pick),
    SL_ANY(account.awaited, account.awaited_id, account.ids, account.attempt, account.executed),
    SL_SET_OF(SL_LIMIT_ALL_LANES, account.lanes, account.unanswered),
    SL_STRUCTS(sl_request_schema, functional_request));

/* The pcs of the stall accounting are in the program, and a kernel's warps have paths. */
static bool warps_valid(const struct sl_simtight_sm *sm)
{
  const struct sl_simtight_state *s = &sm->s;
  bool valid = (sm->base.state == SL_SM_IDLE || s->launches > 0) && sl_path_warps_maybe(&sm->warps, s->account.latest);
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    const struct sl_paths *paths = &sm->warps.paths[w];
    valid &= sl_path_warps_maybe(&sm->warps, s->account.last[w]) &&
             sl_path_warps_maybe(&sm->warps, s->account.awaited[w]) &&
             (paths->count > 0 ? paths->scheme == sm->warps.spec.convergence : s->launches == 0);
  }
  return valid;
}

void sl_simtight_walk(struct sl_sm *handle, struct sl_archive *archive)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  archive->limits.value[SL_LIMIT_LATENCY] = sm->spec.dram_latency;
  sl_path_warps_walk(&sm->warps, archive);
  sl_archive_structs(archive, "sm", state_schema, &sm->s, 1);
  sl_archive_structs(archive, "paths", sl_paths_schema, sm->warps.paths, sm->spec.warps);
  sl_archive_numbers(archive, "predicted", (struct sl_state_field){.type = SL_TYPE_U8}, sm->predicted,
                     sm->warps.code.count);
  sl_archive_structs(archive, "head", sl_sm_schema, handle, 1);
  if (!sl_archive_reads(archive) || !sl_archive_expect(archive, archive->trusted || warps_valid(sm)))
    return;
  for (uint32_t i = 0; i < sm->warps.code.count; i++)
    sm->warps.operands[i] = sl_operands_of(&sm->warps.code.insn[i]);
  sm->warps.code_edition++;
  sl_replay_lose(sm->replay);
  if (SL_CHECKS)
    sl_simtight_reference_lose(sm);
}
