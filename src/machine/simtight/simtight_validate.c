/* Validates bytes as the state of a SIMTight SM (base/validate.h). */
#include "machine/simtight/simtight_sm.h"
#include "mem/events/events_validate.h"
#include "mem/path_validate.h"
#include "unit/units_validate.h"
#include "warp/validate/warps_validate.h"

/* Checks the warps in queues and in the pipeline between pick and execute. */
static bool pipeline_valid(const struct sl_simtight_state *s, struct sl_shape shape)
{
  const sl_warps warps =
      s->queue | s->requeue | s->suspects | s->slot_suspended | s->requeue_scalar | s->ended | s->account.filling;
  if (!sl_warps_valid(warps, shape) || s->in_pipeline > SL_SIMTIGHT_RING || s->latest_slot >= shape.warps ||
      !sl_index_valid(s->evicted, shape.warps) || s->evicted_register >= SL_REGISTERS)
    return false;
  for (unsigned i = 0; i < SL_SIMTIGHT_RING; i++)
    if (!sl_index_valid(s->pipeline[i], shape.warps) || ((s->spill_slots >> i & 1) && s->pipeline[i] < 0))
      return false;
  return sl_response_valid(s->result, shape) && sl_responses_valid(s->settling, 4, shape) &&
         sl_resume_valid(&s->resume, shape);
}

/* Checks that the pcs of the stall accounting are in the program. */
static bool account_valid(const struct sl_simtight_sm *sm, const struct sl_simtight_state *s)
{
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    const uint32_t places[] = {s->account.last[w], s->account.awaited[w]};
    for (unsigned i = 0; i < 2; i++)
      if (places[i] != 0 && sl_path_warps_outside(&sm->warps, places[i]))
        return false;
    for (unsigned r = 0; r < SL_REGISTERS; r++)
      if (s->account.known[w][r] > SL_REGULARITY_COUNT)
        return false;
  }
  return (s->account.latest == 0 || !sl_path_warps_outside(&sm->warps, s->account.latest)) &&
         s->account.next_pick >= -SL_CYCLES_MAX && s->account.next_pick < SL_CYCLES_MAX;
}

static bool units_valid(const struct sl_simtight_sm *sm, const struct sl_simtight_state *s, struct sl_shape shape)
{
  return sl_suspension_valid(&s->suspension, shape) && sl_barrier_valid(&s->barrier, shape) &&
         sl_multiplier_events_valid(&s->multiplier, s->cycle, shape) &&
         sl_divider_valid(&s->divider, s->cycle, shape) && sl_fpu_valid(&s->fpu, shape) &&
         sl_request_path_valid(&s->path, &sm->s.path, s->cycle, shape) &&
         sl_stack_cache_valid(&s->stack_cache, &sm->s.stack_cache) &&
         sl_register_file_valid(&s->registers, &sm->s.registers, s->cycle) &&
         sl_spill_valid(&s->spill, &sm->s.spill, shape) && sl_scalar_valid(&s->scalar, s->cycle, shape) &&
         sl_request_valid(&s->functional_request, shape);
}

static bool state_valid(const struct sl_simtight_sm *sm, const struct sl_simtight_state *s)
{
  const struct sl_shape shape = {sm->spec.warps, sm->warps.all};
  return s->cycle >= 0 && s->cycle < SL_CYCLES_MAX && (unsigned)s->state < SL_SM_FAULTED &&
         (s->state == SL_SM_IDLE || s->launches > 0) && sl_bool_valid(&s->success) && pipeline_valid(s, shape) &&
         account_valid(sm, s) && units_valid(sm, s, shape);
}

enum sl_status sl_simtight_fits(struct sl_sm *handle, bool timing, const uint8_t *bytes, size_t size)
{
  (void)timing;
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  struct sl_state_part part[SL_SIMTIGHT_PARTS];
  sl_simtight_parts(sm, part);
  if (size != sl_state_parts_size(part, SL_SIMTIGHT_PARTS))
    return SL_USAGE;
  sl_state_parts_look(part, SL_SIMTIGHT_PARTS, bytes);
  const struct sl_simtight_state *s = part[SL_SIMTIGHT_PART_STATE].bytes;
  const struct sl_path_warps_state *threads = part[SL_SIMTIGHT_PART_WARPS].bytes;
  const struct sl_paths *paths = part[SL_SIMTIGHT_PART_PATHS].bytes;
  const struct sl_insn *insn = part[SL_SIMTIGHT_PART_CODE].bytes;
  for (unsigned w = 0; w < sm->spec.warps; w++)
    if (!(s->launches == 0 && paths[w].count == 0) &&
        !sl_paths_valid(&paths[w], sm->warps.spec.convergence, sm->warps.all))
      return SL_USAGE;
  return sl_bool_valid(&threads->timing) && state_valid(sm, s) && sl_insns_valid(&sm->warps.code, insn) &&
                 sl_time_slice_valid(part[SL_SIMTIGHT_PART_TURN].bytes, sm->spec.warps)
             ? SL_OK
             : SL_USAGE;
}
