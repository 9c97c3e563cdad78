/* The cycle of a Simty core, stage by stage from the end of the pipeline to its beginning. */
#include "func/path_execute.h"

#include <string.h>

#include "machine/replay/timing_replay.h"
#include "machine/simty/simty_sm.h"
#include "timing/pipeline/warp_scheduler.h"

uint8_t sl_simty_classify(const struct sl_insn *in)
{
  const enum sl_kind kind = in->kind;
  const bool branches = kind == SL_KIND_BRANCH || kind == SL_KIND_JAL || kind == SL_KIND_JALR;
  const bool answers = kind == SL_KIND_LOAD || sl_kind_is_atomic(kind);
  const bool waits =
      answers || sl_simty_needs_unit(in) || kind == SL_KIND_VOTE || (kind == SL_KIND_CSR && in->csr == SL_CSR_COMMAND);
  return (uint8_t)((sl_reads_rs2(in) ? SL_SIMTY_READS_TWO : 0) | (waits ? SL_SIMTY_WAITS : 0) |
                   (!waits && in->rd != 0 ? SL_SIMTY_WRITES : 0) | (branches ? SL_SIMTY_BRANCHES : 0) |
                   (answers ? SL_SIMTY_MEMORY_ANSWERS : 0));
}

/* The warps of the latest picks, as sets, the latest first. It follows from the ring. */
struct picks {
  sl_warps of[SL_SIMTY_DISTANCE - 1];
};

static struct picks picks_before(const struct sl_simty_core *sm)
{
  struct picks picks;
  for (unsigned age = 0; age < SL_SIMTY_DISTANCE - 1; age++) {
    const struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle + 1 - age) % SL_SIMTY_RING];
    picks.of[age] = (sl_warps)i->valid << i->word.warp;
  }
  return picks;
}

/* Stage 8, SORTED cycles after issue: the changed paths redirect the front end and send the memory request. */
static void sort_stage(struct sl_simty_core *sm)
{
  struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle - SL_SIMTY_SORTED) % SL_SIMTY_RING];
  if (!i->valid)
    return;
  i->valid = false;
  const unsigned warp = i->word.warp;
  sm->s.counts.requests += i->requests;
  sm->s.counts.redirects += i->redirects;
  sl_fetch_redirect(&sm->s.fetch, warp, i->redirect_pc, i->redirects);
  if ((sm->s.done_left == 0 && i->requests) || sm->s.ended == sl_low_bits(sm->spec.warps))
    sm->base.state = SL_SM_DONE;
}

static void count(struct sl_simty_core *sm, const struct sl_simty_issue *i, enum sl_simty_slot slot, sl_lanes lanes)
{
  sm->s.counts.slots[slot]++;
  sm->s.counts.thread_instructions += sl_count(lanes);
  if (__builtin_expect(sm->observed, 0))
    sl_simty_account_commit(sm, &i->word, slot, lanes);
}

/* Records that the memory, which sees the request in the next cycle, will answer. */
static void expect_answer(struct sl_simty_core *sm, unsigned warp)
{
  const uint64_t request = sm->s.cycle + SL_SIMTY_SORTED - SL_SIMTY_EXECUTED;
  sl_load_fifo_expect(&sm->s.loads, warp, (int64_t)(request + sm->spec.memory_latency));
}

/* An instruction of no path only compares the running path with the next one. It redirects the front end, unless a
 * redirect has happened since or the front end is already on the running path. */
static void commit_nothing(struct sl_simty_core *sm, struct sl_simty_issue *i, uint8_t class)
{
  struct sl_sorted_paths *paths = &sm->paths[i->word.warp];
  sl_sorted_paths_update(paths, paths->running, sl_no_path());
  count(sm, i, SL_SIMTY_WRONG_PATH, 0);
  if ((class & SL_SIMTY_MEMORY_ANSWERS) && !sm->spec.dram)
    expect_answer(sm, i->word.warp);
  else if (class & SL_SIMTY_WAITS)
    sl_load_fifo_finish(&sm->s.loads, i->word.warp);
  i->redirect_pc = sl_path_pc(paths->running);
  i->redirects =
      !sl_fetch_outdated(&sm->s.fetch, &i->word) && i->redirect_pc != sl_code_next(&sm->warps.code, i->word.pc);
}

/* Stage 7, EXECUTED cycles after issue: the instruction commits to the running path if the PCs are equal. */
static void commit_stage(struct sl_simty_core *sm)
{
  struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle - SL_SIMTY_EXECUTED) % SL_SIMTY_RING];
  if (!i->valid)
    return;
  const unsigned warp = i->word.warp;
  struct sl_sorted_paths *paths = &sm->paths[warp];
  const uint8_t class = sl_simty_class(sm, i->word.pc);
  if (sl_path_pc(paths->running) != i->word.pc) {
    commit_nothing(sm, i, class);
    return;
  }
  struct sl_simty_effect effect;
  const sl_lanes lanes = paths->running.lanes;
  if (!sl_simty_execute(sm, warp, false, &effect)) {
    sm->base.state = SL_SM_FAULTED;
    return;
  }
  count(sm, i, effect.partial ? SL_SIMTY_REPLAYED : SL_SIMTY_ISSUED, lanes);
  sm->s.counts.by_warp[warp] += !effect.partial;
  sm->s.counts.partial_replays += effect.partial && !(class & SL_SIMTY_BRANCHES);
  sm->s.counts.indirect_replays += effect.partial && (class & SL_SIMTY_BRANCHES);
  if ((class & SL_SIMTY_WAITS) && effect.wakes)
    sl_load_fifo_finish(&sm->s.loads, warp);
  else if ((class & SL_SIMTY_MEMORY_ANSWERS) && effect.requests && !sm->spec.dram)
    expect_answer(sm, warp);
  if (__builtin_expect(sm->observed, 0) && (!(class & SL_SIMTY_WAITS) || (sm->s.ended & sl_bit(warp))))
    sl_simty_report_warps(sm, SL_PROBE_RETIRED, sl_bit(warp));
  i->requests = effect.requests;
  i->redirect_pc = sl_path_pc(paths->running);
  i->redirects = (class & SL_SIMTY_BRANCHES) || i->redirect_pc != sl_code_next(&sm->warps.code, i->word.pc);
  sm->went_back |= (warp == 0) & (i->redirect_pc < i->word.pc);
}

/* Stage 4: issues the instruction picked in the previous cycle. */
static void issue(struct sl_simty_core *sm, unsigned warp)
{
  const uint64_t t = sm->s.cycle + 1;
  struct sl_simty_issue *i = &sm->s.ring[t % SL_SIMTY_RING];
  if (__builtin_expect(sm->observed, 0))
    sl_simty_account_pick(sm, warp);
  *i = (struct sl_simty_issue){.word = sl_fetch_take(&sm->s.fetch, warp), .valid = true};
  const uint8_t class = sl_simty_class(sm, i->word.pc);
  const unsigned bank = warp & 1;
  sm->s.blocked = (unsigned)((class & SL_SIMTY_READS_TWO) != 0) << bank;
  sm->s.alu_writes[(t + SL_SIMTY_EXECUTED) % SL_SIMTY_RING] |= (uint8_t)(((class & SL_SIMTY_WRITES) != 0) << bank);
  sm->s.busy |= (sl_warps)((class & SL_SIMTY_WAITS) != 0) << warp;
  sm->s.waits_for_memory |= (sl_warps)((class & SL_SIMTY_MEMORY_ANSWERS) != 0) << warp;
}

/* Warps that have issued too recently. */
static sl_warps too_recent(const struct picks *picks)
{
  sl_warps set = 0;
  for (unsigned age = 0; age < SL_SIMTY_DISTANCE - 1; age++)
    set |= picks->of[age];
  return set;
}

static void add_pick(struct picks *picks, sl_warps pick)
{
  for (unsigned age = SL_SIMTY_DISTANCE - 2; age > 0; age--)
    picks->of[age] = picks->of[age - 1];
  picks->of[0] = pick;
}

static enum sl_simty_slot idle_reason(const struct sl_simty_core *sm, sl_warps full)
{
  if (sm->s.cycle < sm->spec.warps + SL_SIMTY_START)
    return SL_SIMTY_INITIAL;
  if (sm->s.busy & ~sm->s.ended) {
    const sl_warps others = sm->s.busy & ~(sm->s.ended | sm->s.barrier.waiting);
    return sm->s.waits_for_memory ? SL_SIMTY_MEMORY : others ? SL_SIMTY_UNIT : SL_SIMTY_BARRIER;
  }
  return full ? SL_SIMTY_BANK : SL_SIMTY_FETCH;
}

/* Stage 3: picks the warp that issues in the next cycle. The results of the warps in `unwritten` may not be written in
 * that cycle. */
static void schedule(struct sl_simty_core *sm, struct picks *picks, sl_warps unwritten)
{
  static const sl_warps bank_warps[] = {0, UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa), ~UINT64_C(0)};
  const sl_warps full = sm->s.fetch.full & ~sm->s.ended;
  sl_warps ready = full & ~(sm->s.busy | bank_warps[sm->s.blocked] | too_recent(picks));
  ready &= ~(unwritten | sm->held);
  sm->s.blocked = 0;
  if (ready) {
    const unsigned warp = sl_loose_round_robin(ready, (unsigned)(sm->s.cycle - 1) & (sm->spec.warps - 1));
    issue(sm, warp);
    add_pick(picks, sl_bit(warp));
  } else {
    sm->s.counts.slots[idle_reason(sm, full)]++;
    add_pick(picks, 0);
  }
}

/* Writes results of units and memory, and gathers the next ones. Returns the woken warp as a set; *unwritten becomes
 * the warps whose result may be unwritten in the next cycle. */
static sl_warps gather(struct sl_simty_core *sm, sl_warps *unwritten)
{
  const uint64_t now = sm->s.cycle;
  sl_load_fifo_write(&sm->s.loads, sm->s.alu_writes[now % SL_SIMTY_RING]);
  const sl_warps awake = sl_load_fifo_gather(&sm->s.loads, (int64_t)now);
  *unwritten = sl_load_fifo_unwritten(&sm->s.loads, sm->s.alu_writes[(now + 1) % SL_SIMTY_RING]);
  return awake;
}

static void cycle(struct sl_simty_core *sm, struct picks *picks)
{
  const uint64_t now = ++sm->s.cycle;
  sm->s.counts.issued += sm->s.ring[now % SL_SIMTY_RING].valid;
  sort_stage(sm);
  sl_warps awake = 0, unwritten = 0;
  if (!sl_load_fifo_idle(&sm->s.loads))
    awake = gather(sm, &unwritten);
  sm->s.alu_writes[now % SL_SIMTY_RING] = 0;
  if (sm->spec.host)
    sl_simty_units(sm);
  if (sm->spec.dram)
    sl_simty_dram_cycle(sm);
  commit_stage(sm);
  const sl_warps filled = sl_fetch_predecode(&sm->s.fetch, now);
  schedule(sm, picks, unwritten);
  if (__builtin_expect(sm->observed, 0)) {
    sl_simty_report_warps(sm, SL_PROBE_RETIRED, awake);
    sl_simty_report_warps(sm, SL_PROBE_FETCHED, filled);
  }
  sm->s.busy &= ~awake;
  sm->s.waits_for_memory &= ~awake;
  sm->s.fetch.full |= filled;
  if (now > sm->spec.warps)
    sl_fetch_steer(&sm->s.fetch, now);
}

/* Warp 0 has gone back in this cycle. The cycle is an anchor if the latest one is long ago. */
static __attribute__((noinline)) void look_for_anchor(struct sl_simty_core *sm, struct picks *picks, uint64_t end)
{
  sm->went_back = false;
  if (sm->replay == NULL || sm->base.state != SL_SM_RUNNING)
    return;
  const struct sl_anchors *a = sl_replay_anchors(sm->replay);
  const int64_t now = (int64_t)sm->s.cycle;
  if (now - a->latest < a->distance)
    return;
  sl_replay_anchor(sm->replay, NULL, now, (int64_t)end);
  sm->records = a->records;
  *picks = picks_before(sm);
}

void sl_simty_run_cycles(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct picks picks = picks_before(sm);
  const uint64_t end = cycles > INT64_MAX / 2 ? INT64_MAX / 2 : sm->s.cycle + cycles;
  memset(sm->refused_by, 0, sizeof sm->refused_by);
  sm->records = sm->replay != NULL && sl_replay_anchors(sm->replay)->records;
  while (sm->s.cycle < end && sm->base.state == SL_SM_RUNNING) {
    cycle(sm, &picks);
    if (sm->went_back)
      look_for_anchor(sm, &picks, end);
    if (sm->s.barrier.waiting && sm->base.state == SL_SM_RUNNING && sl_simty_deadlocked(sm))
      sl_simty_deadlock(sm);
  }
  sm->records = false; /* a search for a livelock also executes instructions */
  if (sm->base.state == SL_SM_DONE && sm->observed)
    sl_simty_account_end(sm);
  if (SL_CHECKS)
    sl_simty_conserve(sm);
}

bool sl_simty_drain(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  sm->held = ~(sl_warps)0;
  sl_replay_lose(sm->replay);
  for (uint64_t i = 0; i < cycles && sm->base.state == SL_SM_RUNNING && !sl_simty_drained(sm); i++)
    handle->machine->life.run_cycles(handle, 1); /* not inlined here, so it stays inlined in the hot loop */
  sm->held = 0;
  sm->drained = sm->base.state == SL_SM_RUNNING && sl_simty_drained(sm);
  return sm->drained;
}

/* Sampled timing of a Simty core. An instruction takes effect when it commits, so after a drain the state is in paths,
 * registers and memory alone. Prefetched words are dropped. The barrier unit must be in its first state, because the
 * later ones hold a copy of the waiting warps. */

static bool pipeline_empty(const struct sl_simty_core *sm)
{
  const struct sl_load_fifo *f = &sm->s.loads;
  for (unsigned i = 0; i < SL_SIMTY_RING; i++)
    if (sm->s.ring[i].valid)
      return false;
  return f->gathered == SL_LOAD_NONE && f->waiting == SL_LOAD_NONE && f->count == 0 && f->finished_count == 0;
}

static bool units_empty(const struct sl_simty_core *sm)
{
  return !sl_multiplier_events_busy(&sm->s.multiplier) && !sl_fpu_busy(&sm->s.fpu) && !sm->s.fpu.consumed &&
         sl_divider_next_event(&sm->s.divider) == INT64_MAX &&
         !sl_scratchpad_events_busy(&sm->s.scratchpad, (int64_t)sm->s.cycle + 1) &&
         sm->s.barrier.state == SL_BARRIER_SNAPSHOT;
}

static bool memory_idle(const struct sl_simty_core *sm)
{
  const struct sl_simty_dram *d = &sm->s.dram;
  return !d->full && d->count == 0 && !d->dram.active && d->dram.in_flight == 0;
}

bool sl_simty_drained(const struct sl_simty_core *sm)
{
  return pipeline_empty(sm) && memory_idle(sm) && (!sm->spec.host || units_empty(sm));
}

void sl_simty_refill(struct sl_simty_core *sm)
{
  struct sl_instruction_fetch *f = &sm->s.fetch;
  f->full = 0;
  memset(f->stage, 0, sizeof f->stage);
  for (unsigned w = 0; w < sm->spec.warps; w++)
    f->pc[w] = sl_path_pc(sm->paths[w].running);
  memset(sm->s.alu_writes, 0, sizeof sm->s.alu_writes);
  sm->s.blocked = 0;
  sm->s.busy = sm->s.barrier.waiting;
  sm->s.waits_for_memory = 0;
  if (sm->s.ended == sl_low_bits(sm->spec.warps)) /* by the last functionally executed instruction */
    sm->base.state = SL_SM_DONE;
}

unsigned sl_simty_population(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  unsigned population = 0;
  for (unsigned w = 0; w < sm->spec.warps; w++)
    population += !(sm->s.ended & sl_bit(w)) && sm->s.done[w] != sm->warps.all;
  return population;
}

uint64_t sl_simty_issued(const struct sl_sm *handle, unsigned warp)
{
  return sl_simty_of_const(handle)->s.counts.by_warp[warp];
}
