/* The SM7 GPU that runs RISC-V programs in checkpoints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "convergence/simt_stack.h"
#include "machine/machine_state.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_memory_state.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"

static bool is_in_kernel(const struct sl_sm7_device *d)
{
  return d->begun && d->base.state != SL_SM_DONE && d->base.state != SL_SM_IDLE;
}

/* The resident warps of an SM. */
static uint64_t resident_of(const struct sl_sm7_device *d, unsigned sm)
{
  uint64_t all = 0;
  if (is_in_kernel(d))
    return d->gpu->sm[sm].present;
  for (unsigned k = sm; k < d->residents && !d->rv.timed; k += d->rv.sms)
    all |= d->resident[k].live << k / d->rv.sms * d->rv.warps_per_block;
  return all;
}

/* ---- RISC-V threads ---------------------------------------------------------------------------------------------- */

enum { FCSR = 255 };

static void code_archive(struct sl_archive *t, struct sl_sm7_rv *rv)
{
  const uint32_t count = sl_archive_number(t, rv->code.count, SL_SM7_RV_CODE_WORDS);
  for (uint32_t i = 0; i < count && !t->bad; i++) {
    uint32_t word = sl_archive_reads(t) ? 0 : (uint32_t)rv->code.insn[i].word;
    SL_ARCHIVE(t, word);
    sl_archive_memory(t, !sl_archive_reads(t) || sl_sm7_rv_write_code(rv, i, word));
  }
}

static bool can_be(const void *context, uint32_t pc)
{
  const struct sl_sm7_rv *rv = context;
  return pc <= rv->code.count; /* after the last instruction comes a fault */
}

static SL_SCHEMA(warp_schema, struct sl_sm7_rv_warp, NULL, SL_STRUCTS(sl_simt_stack_schema, stack),
                 SL_WALKED(x, local, local_words), SL_DERIVED(rows), SL_MOST(SL_SM7_PHASE_REST, phase),
                 SL_MOST(FCSR, fcsr));

static void warp_archive(struct sl_archive *t, const struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, unsigned index)
{
  const bool linear = rv->linear.chosen != NULL;
  const unsigned rows = linear ? SL_SM7_RV_UR + rv->linear.chosen->is.urs : SL_SM7_RV_REGISTERS;
  if (sl_archive_reads(t)) {
    w->rows = (uint8_t)sl_sm7_rv_rows(rv);
    w->x = sl_lines_of((size_t)w->rows * SL_SM7_LANES, sizeof *w->x);
    if (!sl_archive_memory(t, w->x != NULL))
      return;
    sl_simt_groups_use(&w->stack, sl_sm7_scheme(&rv->spec), sl_sm7_period(&rv->spec));
  }
  void *local = w->local;
  sl_archive_structs(t, "warp", warp_schema, w, 1);
  SL_ARCHIVE_ARRAY(t, w->x, (size_t)rows * SL_SM7_LANES);
  SL_ARCHIVE_NUMBER(t, w->local_words, SL_SM7_RV_LOCAL_BYTES / sizeof *w->local);
  const bool good = sl_archive_block(t, &local, w->local_words * SL_SM7_LANES * sizeof *w->local);
  w->local = local;
  if (!sl_archive_reads(t) || !good)
    return;
  w->phase = linear ? w->phase : 0;
  const uint32_t lanes = linear ? sl_sm7_rv_phase_lanes(rv, index, w->phase) : sl_sm7_rv_lanes_of(rv, index);
  sl_archive_expect(t, sl_simt_stack_valid(&w->stack, lanes, can_be, rv) && sl_simt_groups_valid(&w->stack, lanes));
  for (unsigned l = 0; l < SL_SM7_LANES; l++)
    sl_archive_expect(t, w->x[l] == 0); /* the register that is always 0 */
}

static SL_SCHEMA(launch_schema, struct sl_sm7_rv_launch, NULL, SL_ANY(grid, block, bytes, shared_bytes, shared_needed));

static void block_archive(struct sl_archive *t, const struct sl_sm7_rv *rv, struct sl_sm7_rv_block *b)
{
  for (unsigned i = 0; i < 3; i++)
    SL_ARCHIVE_NUMBER(t, b->index[i], rv->launch.grid[i] - 1);
  if (rv->linear.chosen != NULL)
    SL_ARCHIVE(t, b->br);
  if (rv->launch.shared_bytes == 0)
    return;
  void *shared = b->shared;
  sl_archive_block(t, &shared, rv->launch.shared_bytes);
  b->shared = shared;
}

static void launch_archive(struct sl_archive *t, struct sl_sm7_rv *rv)
{
  sl_archive_structs(t, "launch", launch_schema, &rv->launch, 1);
  SL_ARCHIVE(t, rv->launches);
  SL_ARCHIVE(t, rv->entry);
  SL_ARCHIVE(t, rv->closure);
  const bool linear = sl_archive_number(t, rv->linear.chosen != NULL, 1) != 0;
  if (!sl_archive_reads(t))
    return;
  if (!sl_archive_expect(t,
                         sl_sm7_rv_can_launch(rv) && rv->launch.shared_bytes <= SL_SM7_RV_LOCAL - SL_SM7_RV_SHARED) ||
      !sl_archive_memory(t, sl_sm7_rv_find_facts(rv) && rv->fact != NULL))
    return;
  rv->warps_per_block = (sl_sm7_rv_threads(rv) + SL_SM7_LANES - 1) / SL_SM7_LANES;
  rv->shared_room = rv->launch.shared_bytes;
  rv->linear.chosen = NULL;
  sl_archive_expect(t, sl_sm7_rv_forms_choose(rv) && linear == (rv->linear.chosen != NULL));
  if (!t->bad && linear && rv->spec.linear_shadow)
    sl_archive_memory(t, sl_sm7_rv_shadow_make(rv, sl_sm7_rv_issue));
}

static void sm_archive(struct sl_archive *t, struct sl_sm7_rv *rv, unsigned sm, uint64_t resident)
{
  SL_ARCHIVE(t, resident);
  sl_archive_expect(t, (resident & ~sl_low_bits(rv->warps)) == 0);
  for (unsigned slot = 0; slot < SL_SM7_MAX_BLOCKS && !t->bad; slot++) {
    const uint64_t warps = (slot + 1) * rv->warps_per_block > rv->warps
                               ? 0
                               : resident & sl_low_bits(rv->warps_per_block) << slot * rv->warps_per_block;
    if (warps != 0)
      block_archive(t, rv, &rv->block[sm * SL_SM7_MAX_BLOCKS + slot]);
    for (uint64_t rest = warps; rest && !t->bad; rest &= rest - 1) {
      const unsigned index = sl_lowest(rest) - slot * rv->warps_per_block;
      struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, index)];
      warp_archive(t, rv, w, index);
      if (rv->shadow != NULL && w->phase == SL_SM7_PHASE_REST && !t->bad)
        warp_archive(t, &rv->shadow->view, &rv->shadow->view.warp[sl_sm7_rv_number(rv, sm, slot, index)], index);
    }
  }
}

/* Code, launch, and the resident warps and blocks. */
static void threads_archive(struct sl_archive *t, struct sl_sm7_device *d)
{
  struct sl_sm7_rv *rv = &d->rv;
  code_archive(t, rv);
  SL_ARCHIVE_NUMBER(t, rv->timed, 1);
  SL_ARCHIVE_NUMBER(t, rv->failed, 1);
  if (d->base.state == SL_SM_IDLE || t->bad)
    return;
  launch_archive(t, rv);
  for (unsigned sm = 0; sm < rv->sms && !t->bad && rv->linear.chosen != NULL; sm++) {
    struct sl_sm7_rv_linear_sm *own = &rv->linear.sm[sm];
    SL_ARCHIVE_NUMBER(t, own->begun, 1);
    SL_ARCHIVE(t, own->cr);
    sl_archive_bytes(t, own->tr, sl_sm7_rv_thread_parts(rv) * sizeof *own->tr);
  }
  for (unsigned sm = 0; sm < rv->sms && !t->bad; sm++)
    sm_archive(t, rv, sm, sl_archive_reads(t) ? 0 : resident_of(d, sm));
}

/* ---- the device -------------------------------------------------------------------------------------------------- */

/* Warps that wait at a barrier are live. With linear registers they, and so all others, are past the phases of these.
 */
static bool resident_valid(const struct sl_sm7_device *d, unsigned k)
{
  const struct sl_sm7_resident *block = &d->resident[k];
  const uint64_t all = sl_low_bits(d->rv.warps_per_block);
  const struct sl_sm7_rv_place at = sl_sm7_turns_place(d, k);
  bool valid = ((block->live & ~all) | (block->waiting & ~block->live)) == 0 &&
               (at.slot + 1) * d->rv.warps_per_block <= d->rv.warps;
  for (uint64_t rest = valid ? block->live : 0; rest; rest &= rest - 1)
    valid &= d->rv.warp[sl_sm7_rv_number(&d->rv, at.sm, at.slot, sl_lowest(rest))].stack.depth != 0;
  return valid && (block->waiting == 0 || d->rv.linear.chosen == NULL ||
                   (k == 0 && sl_sm7_rv_linear_ready(&d->rv, block->live) == block->live &&
                    d->rv.warp[sl_lowest(block->live)].phase == SL_SM7_PHASE_REST));
}

static bool fast_valid(const struct sl_sm7_device *d)
{
  bool valid = true;
  for (unsigned k = 0; k < d->residents; k++)
    valid &= resident_valid(d, k);
  return valid && d->next_block <= sl_sm7_rv_blocks(&d->rv) && (d->now == 0 || d->now < d->residents);
}

enum { BLOCKS = SL_LIMIT_OWN };

static SL_SCHEMA(resident_schema, struct sl_sm7_resident, NULL, SL_ANY(live, waiting));
static SL_SCHEMA(totals_schema, struct sl_sm7_totals, NULL, SL_STRUCTS(sl_sm7_counts_schema, sm),
                 SL_ANY(icache_accesses, icache_misses, ccache_accesses, ccache_misses, texture_accesses,
                        texture_misses, l1_accesses, l1_misses, l1_writes, l1_write_misses, l2_writes, l2_write_misses,
                        l1_prefetches, l1_prefetch_hits, l2_accesses, l2_misses, dram_reads, dram_writes, activations));
static SL_SCHEMA(device_schema, struct sl_sm7_device, NULL, SL_STRUCTS(sl_sm_schema, base),
                 SL_DERIVED(spec, arrived, restored, skips, warms, end_block, aside, warm, observed, ended, after),
                 SL_WALKED(gpu, rv, resident), SL_ANY(begun, code_lost, next_block, until),
                 SL_STRUCTS(totals_schema, before, steps), SL_UP_TO_LIMIT(BLOCKS, residents),
                 SL_BELOW_LIMIT(BLOCKS, now));

static void gpu_archive(struct sl_archive *t, struct sl_sm7_device *d)
{
  const bool in_kernel = is_in_kernel(d);
  if (sl_archive_reads(t) && in_kernel) {
    const struct sl_sm7_front front = sl_sm7_rv_front(&d->rv);
    const struct sl_sm7_demand demand = sl_sm7_rv_demand(&d->rv);
    if (!sl_archive_expect(t, sl_sm7_gpu_launch(d->gpu, &front, &demand, &(struct sl_error){0}) == SL_OK))
      return;
  }
  sl_sm7_gpu_archive(t, d->gpu, in_kernel);
}

/* Before the first kernel only the code is used. */
void sl_sm7_walk(struct sl_sm *sm, struct sl_archive *t)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  t->limits.value[BLOCKS] = d->rv.sms * SL_SM7_MAX_BLOCKS;
  t->limits.value[SL_LIMIT_WARPS] = d->rv.sms * SL_SM7_MAX_WARPS;
  sl_archive_structs(t, "device", device_schema, d, 1);
  sl_archive_structs(t, "resident", resident_schema, d->resident, d->residents);
  threads_archive(t, d);
  sl_archive_expect(t, sl_time_slice_valid(&d->base.slice, d->rv.timed ? d->rv.sms * d->rv.warps : SL_SM7_MAX_WARPS) &&
                           (d->rv.timed ? t->timing : !d->begun && (d->base.state == SL_SM_IDLE || fast_valid(d))));
  if (d->rv.timed && !t->bad)
    gpu_archive(t, d);
}

static void forget(struct sl_sm7_device *d)
{
  if (d->restored != NULL)
    d->base.machine->life.destroy(&d->restored->base);
  d->restored = NULL;
}

/* The state is restored into a second GPU, which replaces this one at the restore. */
enum sl_status sl_sm7_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  struct sl_archive t = {.from = bytes, .size = size, .timing = timing};
  struct sl_sm *fresh;
  forget(d);
  if (sm->machine->life.create(&d->spec, &d->rv.environment, &fresh, &(struct sl_error){0}) != SL_OK)
    return SL_INTERNAL;
  d->restored = sl_sm7_device_of(fresh);
  sl_sm7_walk(fresh, &t);
  if (!t.bad && t.at == size)
    return SL_OK;
  forget(d);
  return t.no_memory ? SL_INTERNAL : SL_USAGE;
}

void sl_sm7_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm), *fresh = d->restored, before = *d;
  (void)bytes, (void)size;
  *d = *fresh;
  *fresh = before;
  fresh->restored = NULL;
  d->gpu->front.context = &d->rv;
  d->base.machine->life.destroy(&fresh->base);
}

/* ---- partitions, one per host thread: the archive holds one that has all work ------------------------------------ */

static SL_SCHEMA(partition_schema, struct sl_sm7_partition, NULL, SL_ANY(awake, arriving, busy_slices, busy_channels),
                 SL_BYTES(ejecting), SL_DERIVED(number, clusters, slices, ended, died, stop, wrote, late));

static void parts_walk(struct sl_archive *t, const struct sl_sm7_gpu *g)
{
  struct sl_sm7_partition all = {.clusters = ~(sl_sm7_ports)0, .slices = UINT64_MAX};
  for (unsigned i = 0; i < g->parts && !sl_archive_reads(t); i++)
    sl_sm7_hand_over(g, &g->part[i], &all);
  sl_archive_structs(t, "partition", partition_schema, &all, 1);
  for (struct sl_sm7_partition *p = g->part; p < g->part + g->parts && sl_archive_reads(t); p++) {
    *p = (struct sl_sm7_partition){.number = p->number, .clusters = p->clusters, .slices = p->slices};
    sl_sm7_hand_over(g, &all, p);
  }
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

/* The clocks are close to each other, and sums of their periods cannot overflow. */
static bool clocks_valid(const struct sl_sm7_gpu *g)
{
  const double core = 1 / (g->spec.core_mhz * 1e6), dram = 1 / (g->spec.dram_mhz * 1e6);
  const double shorter = core < dram ? core : dram;
  return g->core_time >= 0 && g->core_time < shorter * 1e15 && fabs(g->core_time - g->dram_time) <= 2 * (core + dram) &&
         g->ticks_due <= 2 + core / dram;
}

static void gpu_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_gpu *g = object;
  int64_t *ways = &t->limits.value[SL_SM7_LIMIT_WAYS];
  parts_walk(t, g);
  sl_archive_expect(t, clocks_valid(g));
  *ways = sl_sm7_l1_ways(&g->spec);
  sl_archive_structs(t, "sm", sl_sm7_sm_schema, g->sm, g->sms);
  *ways = g->spec.l2_ways;
  sl_archive_structs(t, "slice", sl_sm7_slice_schema, g->slice, g->slices);
  for (unsigned i = 0; i < g->slices; i++)
    sl_archive_expect(t, g->slice[i].cache.spec.ways == g->spec.l2_ways);
  t->limits.value[SL_SM7_LIMIT_HERE] = sl_sm7_dram_requests(&g->spec);
  sl_archive_structs(t, "dram", sl_sm7_dram_schema, g->dram, g->spec.channels);
  sl_sm7_crossbar_walk(t, &g->requests, sl_sm7_to_slice, g);
  sl_sm7_crossbar_walk(t, &g->replies, sl_sm7_to_cluster, g);
}

enum { CLUSTERS = SL_SM7_LIMIT_HERE, SMS_PER_CLUSTER };

static SL_WALKED_SCHEMA(gpu_schema, struct sl_sm7_gpu, gpu_walk,
                        SL_DERIVED(spec, front, operands, sms, slices, sm_words, ahead, observation, events),
                        SL_WALKED(sm, slice, dram, requests, replies), SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_REQUEST),
                        SL_STRUCTS(sl_sm7_ring_schema, ejection), SL_MOST(SL_CYCLES_MAX - 1, cycle, before, dram_ticks),
                        SL_ANY(core_time, dram_time, ticks_due), SL_WALKED(part),
                        SL_DERIVED(parts, part_of, pool, phase, blocks, occupancy, stop, hold),
                        SL_ANY(next_block, running, living, room, turn, active_until),
                        SL_BELOW_LIMIT(CLUSTERS, last_cluster), SL_BELOW_LIMIT(SMS_PER_CLUSTER, last_sm));

static bool blocks_valid(const struct sl_sm7_gpu *g, bool in_kernel)
{
  uint64_t running = 0, living = 0;
  for (unsigned i = 0; i < g->sms; i++) {
    const struct sl_sm7_sm *sm = &g->sm[i];
    const bool given = in_kernel && sm->given != SL_SM7_NO_BLOCK;
    if (in_kernel ? !sl_sm7_sm_valid(sm, g->next_block, g->cycle) || sm->l1.spec.ways != g->occupancy.l1_ways
                  : !sl_sm7_sm_at_rest(sm))
      return false;
    running += sm->blocks + given;
    living += sm->live != 0 || given;
  }
  return !in_kernel || (running == g->running && living == g->living && g->next_block <= g->blocks &&
                        (running > 0 || g->next_block < g->blocks));
}

void sl_sm7_gpu_archive(struct sl_archive *t, struct sl_sm7_gpu *g, bool in_kernel)
{
  int64_t *limit = t->limits.value;
  sl_archive_shape(t, g->spec.warps, 0);
  limit[SL_SM7_LIMIT_SMS] = g->sms;
  limit[SL_SM7_LIMIT_SLICES] = g->slices;
  limit[SL_SM7_LIMIT_SCHEDULERS] = g->spec.schedulers;
  limit[SL_SM7_LIMIT_COLLECTORS] = g->spec.collectors;
  limit[SL_SM7_LIMIT_L1_LINES] = g->spec.l1_sets * (int64_t)sl_sm7_l1_ways(&g->spec);
  limit[CLUSTERS] = g->spec.clusters;
  limit[SMS_PER_CLUSTER] = g->spec.sms_per_cluster;
  t->items = (struct sl_items){.bytes = sizeof *g->front.code, .other = &sl_sm7_nothing};
  if (in_kernel) {
    t->items.first = (const uint8_t *)g->front.code;
    t->items.count = g->front.count;
  }
  t->whole = &g->spec;
  sl_archive_structs(t, "gpu", gpu_schema, g, 1);
  if (sl_archive_reads(t) && sl_archive_balance(t))
    sl_archive_expect(t, blocks_valid(g, in_kernel));
}
