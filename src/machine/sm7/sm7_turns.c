#include "machine/sm7/sm7_engine.h"

#include "func/jit/jit.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"

enum {
  PATIENCE = 1 << 20, /* warp instructions of a block before others begin */
  SHARE = 1 << 16     /* warp instructions of a time slice when several blocks run */
};

static bool begin(struct sl_sm7_device *d, unsigned resident)
{
  const struct sl_sm7_rv_place at = sl_sm7_turns_place(d, resident);
  const bool linear = d->rv.linear.chosen != NULL;
  d->resident[resident] = (struct sl_sm7_resident){.live = sl_low_bits(d->rv.warps_per_block)};
  d->steps.sm.blocks++;
  if ((linear ? sl_sm7_rv_linear_begin : sl_sm7_rv_begin)(&d->rv, at.sm, at.slot, d->next_block++)) {
    if (d->rv.environment.probes != NULL)
      sl_sm7_rv_report_begun(&d->rv, at.sm, at.slot, d->steps.sm.warp_instructions);
    return true;
  }
  d->base.state = SL_SM_FAULTED;
  return false;
}

unsigned sl_sm7_turns_most(const struct sl_sm7_device *d)
{
  const unsigned per_sm = d->rv.warps / d->rv.warps_per_block;
  if (d->rv.linear.chosen != NULL)
    return 1;
  return d->rv.sms * (per_sm < SL_SM7_MAX_BLOCKS ? per_sm : SL_SM7_MAX_BLOCKS);
}

/* Doubles the number of running blocks. Kernels with linear registers run one block at a time, because an SM holds one
 * set of them. */
static bool add(struct sl_sm7_device *d)
{
  const unsigned most = sl_sm7_turns_most(d);
  for (unsigned more = d->rv.linear.chosen == NULL ? d->residents : 0; more > 0; more--)
    if (d->residents < most && d->next_block < sl_sm7_turns_end(d) && !begin(d, d->residents++))
      return false;
  return true;
}

/* Moves to the next live block; the same one if there is no other. False: none is live. */
static bool pass_on(struct sl_sm7_device *d)
{
  for (unsigned n = 1; n <= d->residents; n++) {
    const unsigned k = (d->now + n) % d->residents;
    if (d->resident[k].live == 0)
      continue;
    d->now = k;
    return true;
  }
  return false;
}

bool sl_sm7_turns_choose(struct sl_sm7_device *d)
{
  const uint64_t spent = d->steps.sm.warp_instructions;
  if (d->residents == 0)
    d->residents = 1;
  if (d->resident[d->now].live == 0 && d->next_block < sl_sm7_turns_end(d)) {
    if (!begin(d, d->now))
      return false;
  } else if (d->resident[d->now].live == 0) {
    if (!pass_on(d))
      return false;
  } else if (spent < d->until)
    return true;
  else {
    const unsigned before = d->now;
    if (!pass_on(d) || (d->now <= before && !add(d)))
      return false;
  }
  d->until = spent + (d->base.order != 0 ? d->base.order % SHARE : d->residents == 1 ? PATIENCE : SHARE);
  return true;
}

void sl_sm7_turns_start(struct sl_sm7_device *d, uint64_t block)
{
  d->base.slice = (struct sl_time_slice){.warp = SL_NO_TURN};
  d->next_block = block;
  d->until = 0;
  d->residents = d->now = 0;
  d->resident[0] = (struct sl_sm7_resident){0};
  d->steps = (struct sl_sm7_totals){0};
}

/* An access to memory that is neither of the block, nor a parameter. */
static bool visit(void *device, const struct sl_probe *p)
{
  const struct sl_sm7_device *d = device;
  const uint32_t active = (uint32_t)p->active, first = active != 0 ? p->address[__builtin_ctz(active)] : UINT32_MAX;
  uint64_t address[SL_SM7_LANES];
  if (first >= SL_SM7_RV_SHARED || first - d->rv.closure < d->rv.launch.bytes)
    return true;
  for (unsigned i = 0; i < SL_SM7_LANES; i++)
    address[i] = p->address[i];
  sl_sm7_gpu_visit(d->gpu, &(struct sl_sm7_visit){.block = p->block->index,
                                                  .grid = p->block->grid,
                                                  .active = active,
                                                  .address = address,
                                                  .bytes = p->insn->width,
                                                  .write = p->access != SL_PROBE_LOAD});
  return true;
}

/* From one way of execution to the other: with an observer, or without. */
static void exchange_blocks(struct sl_sm7_device *d)
{
  const struct sl_basic_blocks other = d->observed;
  d->observed = d->rv.basic_blocks;
  d->rv.basic_blocks = other;
}

static void observe(struct sl_sm7_device *d)
{
  const struct sl_sm_environment *e = &d->rv.environment;
  exchange_blocks(d);
  d->warm = (struct sl_probes){.wanted = SL_PROBE_ACCESSED, .unnumbered = true, .tell = visit, .context = d};
  d->rv.environment.probes = &d->warm;
  if (d->rv.basic_blocks.ops == NULL)
    sl_sm7_rv_blocks_init(&d->rv, e->mode, e->portable_lanes);
}

bool sl_sm7_turns_skip(struct sl_sm7_device *d, uint64_t blocks, bool warms)
{
  if (!sl_sm7_rv_exchange(&d->rv, &d->aside))
    return false;
  sl_sm7_turns_start(d, d->gpu->next_block);
  d->end_block = d->next_block + blocks;
  d->skips = true;
  d->warms = warms;
  d->begun = false;
  if (warms)
    observe(d);
  return true;
}

void sl_sm7_turns_free(struct sl_sm7_device *d)
{
  sl_jit_close(&d->observed);
  sl_basic_blocks_free(&d->observed);
  sl_sm7_rv_free_aside(&d->rv, &d->aside);
}

void sl_sm7_turns_resume(struct sl_sm7_device *d)
{
  d->gpu->next_block = d->end_block;
  if (d->warms) {
    exchange_blocks(d);
    d->rv.environment.probes = NULL; /* a sampled run has no other observer */
  }
  d->skips = d->warms = false;
  d->begun = d->rv.timed = true;
  sl_sm7_rv_exchange(&d->rv, &d->aside);
}
