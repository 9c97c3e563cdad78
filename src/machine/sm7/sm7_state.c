/* The SM7 GPU that runs RISC-V programs in checkpoints. */
#include <stdlib.h>

#include "machine/machine_state.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_turns.h"

static bool is_in_kernel(const struct sl_sm7_device *d)
{
  return d->begun && d->base.state != SL_SM_DONE && d->base.state != SL_SM_IDLE;
}

static void find_resident(const struct sl_sm7_device *d, uint64_t *resident)
{
  if (is_in_kernel(d))
    for (unsigned i = 0; i < d->gpu->sms; i++)
      resident[i] = d->gpu->sm[i].present;
  else
    for (unsigned k = 0; k < d->residents && !d->rv.timed; k++)
      resident[k % d->rv.sms] |= d->resident[k].live << k / d->rv.sms * d->rv.warps_per_block;
}

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
static void whole_archive(struct sl_archive *t, struct sl_sm7_device *d, bool timing)
{
  t->limits.value[BLOCKS] = d->rv.sms * SL_SM7_MAX_BLOCKS;
  sl_archive_structs(t, "device", device_schema, d, 1);
  sl_archive_structs(t, "resident", resident_schema, d->resident, d->residents);
  uint64_t *resident = calloc(d->rv.sms, sizeof *resident);
  if (!sl_archive_memory(t, resident != NULL)) {
    free(resident);
    return;
  }
  find_resident(d, resident);
  sl_sm7_rv_archive(t, &d->rv, resident, d->base.state != SL_SM_IDLE);
  free(resident);
  sl_archive_expect(t, sl_time_slice_valid(&d->base.slice, d->rv.timed ? d->rv.sms * d->rv.warps : SL_SM7_MAX_WARPS) &&
                           (d->rv.timed ? timing : !d->begun && (d->base.state == SL_SM_IDLE || fast_valid(d))));
  if (d->rv.timed && !t->bad)
    gpu_archive(t, d);
}

void sl_sm7_walk(struct sl_sm *sm, struct sl_archive *archive)
{
  whole_archive(archive, sl_sm7_device_of(sm), true);
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
  struct sl_archive t = {.from = bytes, .size = size};
  struct sl_sm *fresh;
  forget(d);
  if (sm->machine->life.create(&d->spec, &d->rv.environment, &fresh, &(struct sl_error){0}) != SL_OK)
    return SL_INTERNAL;
  d->restored = sl_sm7_device_of(fresh);
  whole_archive(&t, d->restored, timing);
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
