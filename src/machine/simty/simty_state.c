/* The state of a Simty core: its table and its walk. */
#include "base/schema.h"
#include "machine/machine_state.h"
#include "machine/replay/timing_replay.h"
#include "machine/simty/simty_sm.h"
#include "timing/pipeline/arithmetic_units.h"

static SL_SCHEMA(issue_schema, struct sl_simty_issue, NULL, SL_STRUCTS(sl_fetched_schema, word),
                 SL_ANY(valid, requests, redirects, redirect_pc));

static SL_CHECKED_SCHEMA(dram_schema, struct sl_simty_dram, self->sent <= self->beats, SL_STRUCTS(sl_dram_schema, dram),
                         SL_ANY(full, store, updates, left), SL_MOST(UINT8_MAX, beats, sent),
                         SL_BELOW(SL_MAX_WARPS, head), SL_MOST(SL_MAX_WARPS, count),
                         SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp));

static SL_CHECKED_SCHEMA(refusals_schema, struct sl_simty_refusals, sl_simty_refusals_valid(self),
                         SL_MOST(SL_SIMTY_REFUSALS, refused), SL_BELOW(SL_MAX_LANES, lane),
                         SL_BELOW_LIMIT(SL_LIMIT_WARPS, overdue), SL_MOST(SL_MAX_WARPS, count));

static SL_SCHEMA(counts_schema, struct sl_simty_counts, NULL,
                 SL_ANY(slots, issued, thread_instructions, executed, redirects, partial_replays, indirect_replays,
                        requests, pushes_pops, probes, instructions, by_warp));

static SL_SCHEMA(state_schema, struct sl_simty_state, NULL, SL_IS_LIMIT(SL_LIMIT_NOW, SL_CYCLES_MAX - 1, cycle),
                 SL_SET_OF(SL_LIMIT_ALL_WARPS, busy, waits_for_memory, ended), SL_MOST(3, blocked),
                 SL_STRUCTS(issue_schema, ring), SL_ANY(alu_writes), SL_STRUCTS(sl_instruction_fetch_schema, fetch),
                 SL_STRUCTS(sl_load_fifo_schema, loads), SL_STRUCTS(dram_schema, dram),
                 SL_STRUCTS(sl_multiplier_events_schema, multiplier), SL_STRUCTS(sl_divider_schema, divider),
                 SL_STRUCTS(sl_fpu_schema, fpu), SL_STRUCTS(sl_scratchpad_events_schema, scratchpad),
                 SL_STRUCTS(sl_barrier_schema, barrier), SL_STRUCTS(refusals_schema, refusals),
                 SL_STRUCTS(counts_schema, counts), SL_ANY(done_left, success, launches),
                 SL_SET_OF(SL_LIMIT_ALL_LANES, done, account.executed),
                 SL_ANY(account.charged, account.last, account.latest, account.ids, account.fetched, account.issued),
                 SL_ANY(account.last_id), SL_STRUCTS(sl_request_schema, request));

/* A kernel's warps have paths, done_left threads have not stored their done word, and the pcs of the stall accounting
 * are in the program. */
static bool warps_valid(const struct sl_simty_core *sm)
{
  const struct sl_simty_state *s = &sm->s;
  unsigned done = s->done_left;
  bool valid = sl_path_warps_maybe(&sm->warps, s->account.latest);
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    done += sl_count(s->done[w]);
    valid &=
        sl_path_warps_maybe(&sm->warps, s->account.last[w]) && (s->launches == 0 || sm->paths[w].running.lanes != 0);
  }
  return valid && (s->launches > 0 ? done == sm->spec.warps * sm->spec.lanes : sm->base.state == SL_SM_IDLE);
}

void sl_simty_walk(struct sl_sm *handle, struct sl_archive *archive)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  archive->limits.value[SL_LIMIT_LATENCY] = sm->spec.dram_latency;
  archive->limits.value[SL_LIMIT_OUTSTANDING] = sm->spec.dram_outstanding;
  sl_path_warps_walk(&sm->warps, archive);
  sl_archive_structs(archive, "core", state_schema, &sm->s, 1);
  sl_archive_structs(archive, "paths", sl_sorted_paths_schema, sm->paths, sm->spec.warps);
  if (sm->spec.fairness)
    sl_archive_structs(archive, "fairness", sl_paths_schema, sm->warps.paths, sm->spec.warps);
  sl_archive_structs(archive, "head", sl_sm_schema, handle, 1);
  if (!sl_archive_reads(archive) || !sl_archive_expect(archive, archive->trusted || warps_valid(sm)))
    return;
  for (uint32_t i = 0; i < sm->warps.code.count; i++)
    sm->classes[i] = sl_simty_classify(&sm->warps.code.insn[i]);
  sl_replay_lose(sm->replay);
  if (SL_CHECKS)
    sl_simty_reference_lose(sm);
}
