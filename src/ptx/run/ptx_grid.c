#include "ptx/run/ptx_grid.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/run/ptx_linear.h"

enum { TURN = 4096, BARRIERS = 16, RUNNING = -1, ASK_EVERY = 1 << 18 /* warp instructions */ };

/* What a block's warps wait for. */
struct waiting {
  int *at;                    /* by warp: number of the barrier, RUNNING */
  uint32_t needed[BARRIERS];  /* warps, 0: all that live */
  uint32_t arrived[BARRIERS]; /* warps that do not wait */
};

struct grid {
  const struct sl_ptx_launch *launch;
  struct sl_ptx_block block;
  struct sl_ptx_linear_registers linear;
  struct waiting waiting;
  struct sl_ptx_counts *counts;
  const struct sl_ptx_bounds *bounds;
  uint64_t ask; /* whether to go on, from so many warp instructions on */
  struct sl_ptx_fault fault;
};

enum outcome { GOES_ON, FAULT, LIMIT, STOPPED };

static enum outcome within_bounds(struct grid *g)
{
  const struct sl_ptx_bounds *b = g->bounds;
  if (b->limit != 0 && g->counts->warp_insns >= b->limit)
    return LIMIT;
  if (b->goes_on == NULL || g->counts->warp_insns < g->ask)
    return GOES_ON;
  g->ask = g->counts->warp_insns + ASK_EVERY;
  return b->goes_on(b->context) ? GOES_ON : STOPPED;
}

static enum outcome run_turn(struct grid *g, struct sl_ptx_warp *w)
{
  struct sl_ptx_effect effect;
  uint64_t threads = 0, n = 0;
  enum outcome outcome = GOES_ON;
  while (n < TURN && w->stack.depth > 0) {
    if (!sl_ptx_execute(w, g->counts->warp_insns + n, &effect, &g->fault)) {
      outcome = FAULT;
      break;
    }
    n++;
    if (g->bounds->executed != NULL)
      g->bounds->executed(g->bounds->context, w, &effect);
    threads += sl_count(effect.active);
    if (effect.insn->kind == SL_PTX_K_BARRIER) {
      g->waiting.needed[effect.barrier] = (effect.barrier_threads + SL_PTX_LANES - 1) / SL_PTX_LANES;
      if (!effect.arrives) {
        g->waiting.at[w->index] = (int)effect.barrier;
        break;
      }
      g->waiting.arrived[effect.barrier]++;
    }
  }
  g->counts->warp_insns += n;
  g->counts->thread_insns += threads;
  return outcome == GOES_ON ? within_bounds(g) : outcome;
}

/* Opens barriers that enough warps have come to. Returns whether one did. */
static bool open_barriers(struct grid *g, unsigned live)
{
  uint32_t here[BARRIERS] = {0};
  bool opened = false;
  for (unsigned i = 0; i < g->block.warp_count; i++)
    if (g->waiting.at[i] != RUNNING)
      here[g->waiting.at[i]]++;
  for (int b = 0; b < BARRIERS; b++) {
    const uint32_t needed = g->waiting.needed[b] ? g->waiting.needed[b] : live;
    if (here[b] == 0 || here[b] + g->waiting.arrived[b] < needed)
      continue;
    opened = true;
    g->waiting.arrived[b] = 0;
    for (unsigned i = 0; i < g->block.warp_count; i++)
      if (g->waiting.at[i] == b)
        g->waiting.at[i] = RUNNING;
  }
  return opened;
}

static enum outcome stuck(struct grid *g)
{
  unsigned i = 0;
  while (g->waiting.at[i] == RUNNING)
    i++;
  const struct sl_ptx_warp *w = &g->block.warps[i];
  g->fault = (struct sl_ptx_fault){.kind = SL_PTX_FAULT_BARRIER,
                                   .pc = sl_ptx_stack_pc(&w->stack) - 1,
                                   .warp = i,
                                   .lane = sl_lowest(sl_ptx_stack_mask(&w->stack))};
  memcpy(g->fault.block, g->block.index, sizeof g->fault.block);
  return FAULT;
}

static enum outcome run_block(struct grid *g)
{
  for (unsigned i = 0; i < g->block.warp_count; i++)
    g->waiting.at[i] = RUNNING;
  memset(g->waiting.arrived, 0, sizeof g->waiting.arrived);
  memset(g->waiting.needed, 0, sizeof g->waiting.needed);
  for (;;) {
    unsigned live = 0, ran = 0;
    for (unsigned i = 0; i < g->block.warp_count; i++) {
      struct sl_ptx_warp *w = &g->block.warps[i];
      if (w->stack.depth > 0 && g->waiting.at[i] == RUNNING) {
        const enum outcome outcome = run_turn(g, w);
        if (outcome != GOES_ON)
          return outcome;
        ran++;
      }
      live += w->stack.depth > 0 || g->waiting.at[i] != RUNNING;
    }
    if (live == 0)
      return GOES_ON;
    if (!open_barriers(g, live) && ran == 0)
      return stuck(g);
  }
}

static enum outcome run_blocks(struct grid *g)
{
  const uint32_t *size = g->launch->grid;
  for (uint32_t z = 0; z < size[2]; z++)
    for (uint32_t y = 0; y < size[1]; y++)
      for (uint32_t x = 0; x < size[0]; x++) {
        sl_ptx_block_start(&g->block, (const uint32_t[]){x, y, z}, 0, 1);
        if (g->block.linear != NULL)
          sl_ptx_linear_begin(&g->block);
        if (g->bounds->begun != NULL)
          g->bounds->begun(g->bounds->context, &g->block);
        const enum outcome outcome = run_block(g);
        if (outcome != GOES_ON)
          return outcome;
        g->counts->blocks++;
      }
  return GOES_ON;
}

enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err)
{
  struct grid g = {.launch = launch, .counts = counts, .bounds = bounds};
  enum sl_status code = sl_ptx_block_create(&g.block, launch, err);
  if (code == SL_OK) {
    g.waiting.at = calloc(g.block.warp_count, sizeof *g.waiting.at);
    if (g.waiting.at == NULL)
      code = sl_no_memory(err, g.block.warp_count * sizeof *g.waiting.at);
  }
  if (code == SL_OK && launch->linear != NULL) {
    g.block.linear = &g.linear;
    code = sl_ptx_linear_make(&g.linear, launch->linear, launch, err);
  }
  if (code == SL_OK) {
    const enum outcome outcome = run_blocks(&g);
    if (outcome == FAULT)
      code = sl_ptx_fault_text(launch, &g.fault, err);
    else if (outcome == LIMIT)
      code = sl_fail(err, SL_LIMIT, "%s: stopped after %llu warp instructions, as asked for", launch->kernel->name,
                     (unsigned long long)counts->warp_insns);
    else if (outcome == STOPPED)
      code = sl_fail(err, SL_STOPPED, "kernel %s was stopped", launch->kernel->name);
  }
  free(g.waiting.at);
  sl_ptx_linear_unmake(&g.linear);
  sl_ptx_block_free(&g.block);
  return code;
}
