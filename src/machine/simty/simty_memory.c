/* Loads, stores and atomics of a Simty core: the lanes that one pass serves, and the target of the request. */
#include "func/path_execute.h"

#include "machine/replay/replay_image.h"
#include "machine/replay/timing_replay.h"
#include "machine/simty/simty_sm.h"
#include "timing/memory/coalescer.h"

/* Records the served threads that have stored their done word. */
static void watch_done(struct sl_simty_core *sm, sl_lanes served)
{
  const struct sl_path_warps *t = &sm->warps;
  const uint32_t bytes = 4 * sm->spec.lanes * sm->spec.warps;
  for (sl_lanes rest = served; rest; rest &= rest - 1) {
    const uint32_t address = sm->s.request.address[sl_lowest(rest)] & ~3u, offset = address - sm->spec.done_base;
    uint32_t word;
    if (offset >= bytes)
      continue;
    sl_memory_read(t->memory, address, &word, sizeof word);
    const unsigned hart = offset / 4, of_warp = hart >> t->lane_bits;
    const sl_lanes bit = sl_bit(hart & (sm->spec.lanes - 1));
    if (word == 1 && !(sm->s.done[of_warp] & bit)) {
      sm->s.done[of_warp] |= bit;
      sm->s.done_left--;
    }
  }
}

/* Checks that the served lanes access the memory of a core without a host. */
static bool check_outside(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex, sl_lanes served)
{
  struct sl_path_warps *t = &sm->warps;
  const uint32_t *address = sm->s.request.address, last = sm->spec.memory_bytes - ex->insn->width;
  const sl_lanes outside = served & ~t->ops->within(address, 0, last + 1, t->spec.lanes);
  if (outside == 0)
    return true;
  return sl_path_fault(t, warp, ex, SL_FAULT_OUTSIDE, outside, address[sl_lowest(outside)]);
}

/* The active lanes that address the scratchpad. */
static sl_lanes scratchpad_lanes(const struct sl_simty_core *sm, const struct sl_addresses *s, sl_lanes active)
{
  const struct sl_path_warps *t = &sm->warps;
  const uint32_t base = t->spec.scratchpad_base, bytes = t->spec.scratchpad_bytes;
  if (s->high < base || s->low >= base + bytes)
    return 0;
  return active & t->ops->within(sm->s.request.address, base, bytes, t->spec.lanes);
}

/* The scratchpad serves all its lanes, in as many bank passes as needed. An atomic to other memory serves the
 * leader alone, or faults. */
static sl_lanes choose(const struct sl_simty_core *sm, const struct sl_execution *ex, const struct sl_addresses *s,
                       sl_lanes scratchpad)
{
  const struct sl_path_warps *t = &sm->warps;
  const sl_lanes active = ex->active, leader = active & -active;
  if (sl_kind_is_atomic(ex->insn->kind) && !t->spec.global_atomics)
    return active;
  if (scratchpad & leader)
    return scratchpad;
  return sl_leader_serves(t->ops, ex->insn, sm->s.request.address, s, active, t->spec.lanes) & ~scratchpad;
}

/* Beats that a pass touches; its lanes are in one block. */
static unsigned beats_of(const struct sl_simty_core *sm, sl_lanes served)
{
  const uint32_t *address = sm->s.request.address, width = sm->spec.dram_beat_bytes;
  uint32_t low = address[sl_lowest(served)] / width, high = low;
  for (sl_lanes rest = served; rest; rest &= rest - 1) {
    const uint32_t beat = address[sl_lowest(rest)] / width;
    low = beat < low ? beat : low;
    high = beat > high ? beat : high;
  }
  return high - low + 1;
}

static void put_banked(struct sl_simty_core *sm, const struct sl_request *r, sl_lanes served, unsigned warp)
{
  const struct sl_scratchpad_request request = {sl_response(served, warp, r->rd), r->scratchpad_passes,
                                                sl_scratchpad_words(r, served), r->responds};
  if (SL_CHECKS)
    sl_simty_reference_put(sm, &request);
  sl_scratchpad_events_put(&sm->s.scratchpad, &request, (int64_t)sm->s.cycle);
}

static bool is_full(const struct sl_simty_core *sm, enum sl_simty_target target)
{
  return target == SL_SIMTY_DRAM ? sm->s.dram.full
                                 : !sl_scratchpad_events_can_put(&sm->s.scratchpad, (int64_t)sm->s.cycle);
}

/* Whether the warp repeats an access that would be refused again. Its addresses are the same. */
static bool refuses_again(struct sl_simty_core *sm, unsigned warp)
{
  for (enum sl_simty_target target = 0; target < SL_SIMTY_TARGETS; target++) {
    if (!(sm->refused_by[target] >> warp & 1))
      continue;
    if (is_full(sm, target) || !sl_simty_may_use(&sm->s.refusals, warp))
      return true;
    sm->refused_by[target] &= ~sl_bit(warp);
  }
  return false;
}

static bool refuse(struct sl_execution *ex, struct sl_simty_effect *effect)
{
  effect->wakes = true;
  effect->refused = true;
  ex->active = 0;
  return true;
}

/* What the timing of an access depends on. */
static uint64_t outcome_of(const struct sl_simty_core *sm, sl_lanes served, bool banked)
{
  const struct sl_request *r = &sm->s.request;
  uint64_t outcome = served;
  sl_image_mix(&outcome, (uint64_t)banked | (uint64_t)r->responds << 1 | (uint64_t)r->access << 8 |
                             (uint64_t)(banked ? r->scratchpad_passes : beats_of(sm, served)) << 16 |
                             (uint64_t)(banked ? sl_scratchpad_words(r, served) : 0) << 32);
  return outcome;
}

/* The addresses of the served lanes of a path that are not all. */
static void address_served(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex,
                           struct sl_addresses *s)
{
  struct sl_path_warps *t = &sm->warps;
  const uint32_t *base = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rs1 << t->lane_bits);
  t->stack.lane0 = warp << (2 + t->lane_bits);
  t->ops->addresses(base, ex->insn, ex->active, &t->stack, sm->s.request.address, s, t->spec.lanes);
}

bool sl_simty_access_again(void *machine, struct sl_segments *g, unsigned warp, const struct sl_execution *of_path,
                           bool refused, uint64_t *outcome)
{
  struct sl_simty_core *sm = machine;
  struct sl_path_warps *t = &sm->warps;
  const struct sl_insn *in = of_path->insn;
  struct sl_execution ex = *of_path;
  struct sl_addresses s;
  struct sl_access_memo_entry *memo = sl_memory_addresses(t, warp, &ex, &sm->s.request, &s);
  const sl_lanes scratchpad = scratchpad_lanes(sm, &s, ex.active), served = choose(sm, &ex, &s, scratchpad);
  const bool banked = (scratchpad & served) != 0;
  *outcome = banked;
  if (refused)
    return true;
  if (served != ex.active) {
    memo = NULL;
    ex.active = served;
    address_served(sm, warp, &ex, &s);
  }
  if (s.misaligned || s.stray || s.low < t->memory->low)
    return false;
  if ((in->kind != SL_KIND_LOAD && !sl_segments_keep_words(g, &ex, sm->s.request.address, &s)) ||
      (in->rd != 0 && in->kind != SL_KIND_STORE && !sl_segments_keep_register(g, warp, in->rd)) ||
      !sl_memory_access_addressed(t, warp, &ex, &sm->s.request, &s, memo))
    return false;
  *outcome = outcome_of(sm, served, banked);
  return true;
}

bool sl_simty_access(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, bool all,
                     struct sl_simty_effect *effect)
{
  struct sl_path_warps *t = &sm->warps;
  struct sl_request *r = &sm->s.request;
  struct sl_addresses s;
  const bool host = sm->spec.host;
  if (refuses_again(sm, warp))
    return refuse(ex, effect);
  struct sl_access_memo_entry *memo = sl_memory_addresses(t, warp, ex, r, &s);
  const sl_lanes scratchpad = host ? scratchpad_lanes(sm, &s, ex->active) : 0;
  const sl_lanes served = all ? ex->active : choose(sm, ex, &s, scratchpad);
  const bool banked = (scratchpad & served) != 0 && !all;
  const bool dram = sm->spec.dram && !banked && !all;
  const enum sl_simty_target target = banked ? SL_SIMTY_SCRATCHPAD : SL_SIMTY_DRAM;
  if ((banked || dram) && (is_full(sm, target) || !sl_simty_may_use(&sm->s.refusals, warp))) {
    const struct sl_sorted_paths *paths = &sm->paths[warp];
    if (__builtin_expect(sm->records, 0))
      sl_replay_record(sm->replay, warp, ex, true, banked, true);
    sm->refused_by[target] |= (sl_warps)(paths->next.lanes == 0 && paths->cold_count == 0) << warp;
    return refuse(ex, effect);
  }
  if (!host && s.high > sm->spec.memory_bytes - ex->insn->width && !check_outside(sm, warp, ex, served))
    return false;
  const sl_lanes of_path = ex->active;
  if (served != ex->active) {
    memo = NULL;
    ex->active = served;
    address_served(sm, warp, ex, &s);
  }
  if (!sl_memory_access_addressed(t, warp, ex, r, &s, memo))
    return false;
  if (__builtin_expect(sm->records, 0)) {
    const struct sl_execution recorded = {.insn = ex->insn, .pc = ex->pc, .active = of_path};
    sl_replay_record(sm->replay, warp, &recorded, false, outcome_of(sm, served, banked),
                     ex->insn->kind != SL_KIND_AMO || banked);
  }
  effect->requests = !banked;
  effect->wakes = !r->responds;
  if (banked)
    put_banked(sm, r, served, warp);
  if (dram)
    sl_simty_dram_put(sm, warp, r->access, beats_of(sm, served));
  if (!host && ex->insn->kind == SL_KIND_STORE && s.high >= sm->spec.done_base)
    watch_done(sm, served);
  return true;
}

/* A Simty core on SIMTight's DRAM (ours; the published core has a memory of fixed latency).
 *
 * Timing contract: a request enters the request register when its instruction commits (issue + 3). It goes to the bus
 * from issue + 4 on, a load at once, a store at one beat per cycle. While the register is occupied, instructions that
 * need it replay. Reads are answered in order. The warp wakes when its last beat has arrived.
 *
 * An atomic (key global_atomics) serves one lane. It is a read of a beat, and in the next cycle a store of that beat,
 * whose word an arithmetic unit at the memory's port computes. The memory of fixed latency executes an atomic in the
 * cycle of its request, and answers as it answers a load. */

void sl_simty_dram_put(struct sl_simty_core *sm, unsigned warp, enum sl_access access, unsigned beats)
{
  struct sl_simty_dram *d = &sm->s.dram;
  d->full = true;
  d->store = access == SL_ACCESS_STORE;
  d->updates = access == SL_ACCESS_ATOMIC;
  d->beats = beats;
  d->sent = 0;
  if (d->store)
    return;
  const unsigned place = (d->head + d->count++) % SL_MAX_WARPS;
  d->warp[place] = (uint8_t)warp;
  d->left[place] = (uint8_t)beats;
}

/* Takes one beat of the oldest read. */
static bool take_beat(struct sl_simty_core *sm)
{
  struct sl_simty_dram *d = &sm->s.dram;
  if (!d->dram.beat_ready)
    return false;
  d->dram.beat_ready = false;
  if (--d->left[d->head] > 0)
    return true;
  sl_load_fifo_finish(&sm->s.loads, d->warp[d->head]);
  d->head = (d->head + 1) % SL_MAX_WARPS;
  d->count--;
  return true;
}

void sl_simty_dram_cycle(struct sl_simty_core *sm)
{
  struct sl_simty_dram *d = &sm->s.dram;
  const int64_t now = (int64_t)sm->s.cycle;
  const bool taken = take_beat(sm);
  if (d->dram.active || taken || sl_dram_next_event(&d->dram) <= now)
    sl_dram_cycle(&d->dram, now, taken);
  if (!d->full || !sl_dram_can_put(&d->dram))
    return;
  sl_dram_put(&d->dram, sl_dram_transaction(d->store, d->beats));
  d->full = d->updates || (d->store && ++d->sent < d->beats);
  d->store |= d->updates;
  d->updates = false;
}
