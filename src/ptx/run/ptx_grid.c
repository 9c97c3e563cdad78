#include "ptx/run/ptx_grid.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/run/ptx_block_tape.h"
#include "ptx/run/ptx_shadow.h"

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
  uint64_t ask;     /* whether to go on, from so many warp instructions on */
  uint64_t reached; /* when the bounds want to be told, over all launches */
  uint64_t number;  /* of the block */
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
    if (effect.insn->kind == SL_PTX_K_BARRIER && effect.active != 0) {
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

static uint64_t blocks_of(const struct sl_ptx_launch *l)
{
  return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

static void waiting_tape(struct grid *g, struct sl_tape *t)
{
  for (unsigned i = 0; i < g->block.warp_count; i++)
    g->waiting.at[i] = (int)sl_tape_number(t, (uint32_t)(g->waiting.at[i] - RUNNING), BARRIERS) + RUNNING;
  SL_TAPE(t, g->waiting.needed);
  SL_TAPE(t, g->waiting.arrived);
  for (unsigned i = 0; i < g->block.warp_count; i++)
    sl_tape_expect(t, g->waiting.at[i] == RUNNING || g->block.warps[i].stack.depth > 0);
}

/* Between two rounds of a block. */
static void grid_tape(void *launch, struct sl_tape *t)
{
  struct grid *g = launch;
  struct sl_ptx_reach reach;
  if (!sl_ptx_reach_find(&reach, g->launch)) {
    sl_tape_memory(t, NULL);
    return;
  }
  SL_TAPE(t, *g->counts);
  SL_TAPE(t, g->number);
  if (g->block.linear != NULL)
    sl_ptx_linear_tape(t, g->block.linear);
  sl_ptx_block_tape(t, &g->block, &reach);
  waiting_tape(g, t);
  sl_tape_expect(t, g->number < blocks_of(g->launch));
  sl_ptx_reach_free(&reach);
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
  sl_ptx_fault_barrier(&g->fault, &g->block.warps[i]);
  return FAULT;
}

static bool tell_reached(struct grid *g)
{
  const struct sl_ptx_bounds *b = g->bounds;
  const uint64_t now = b->before + g->counts->warp_insns;
  const struct sl_ptx_under_way launch = {.tape = grid_tape, .launch = g};
  return b->reached == NULL || now < g->reached || b->reached(b->context, &launch, now, &g->reached);
}

/* In rounds, in which each warp that can has a turn. */
static enum outcome run_block(struct grid *g)
{
  for (;;) {
    if (!tell_reached(g))
      return STOPPED;
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

static void begin_block(struct grid *g)
{
  const uint32_t *size = g->launch->grid;
  const uint32_t index[] = {(uint32_t)(g->number % size[0]), (uint32_t)(g->number / size[0] % size[1]),
                            (uint32_t)(g->number / size[0] / size[1])};
  sl_ptx_block_start(&g->block, index, 0, 1);
  sl_ptx_shadow_start(&g->block, 0, 1);
  if (g->block.linear != NULL)
    sl_ptx_linear_begin(&g->block);
  for (unsigned i = 0; i < g->block.warp_count; i++)
    g->waiting.at[i] = RUNNING;
  memset(g->waiting.arrived, 0, sizeof g->waiting.arrived);
  memset(g->waiting.needed, 0, sizeof g->waiting.needed);
  if (g->bounds->begun != NULL)
    g->bounds->begun(g->bounds->context, &g->block);
}

/* `begun`: the first one has been. */
static enum outcome run_blocks(struct grid *g, bool begun)
{
  const uint64_t blocks = blocks_of(g->launch);
  for (; g->number < blocks; g->number++, begun = false) {
    if (!begun)
      begin_block(g);
    const enum outcome outcome = run_block(g);
    if (outcome != GOES_ON)
      return outcome;
    g->counts->blocks++;
  }
  return GOES_ON;
}

enum sl_status sl_ptx_restored(struct sl_tape *tape, struct sl_error *err)
{
  if (sl_tape_expect(tape, tape->at == tape->size))
    return SL_OK;
  return tape->no_memory ? sl_no_memory(err, tape->size)
                         : sl_fail(err, SL_USAGE, "the checkpoint cannot be used: it is damaged");
}

enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err)
{
  struct grid g = {.launch = launch, .counts = counts, .bounds = bounds};
  enum sl_status code = sl_ptx_block_create(&g.block, launch, err);
  if (code == SL_OK)
    code = sl_ptx_shadow_create(&g.block, err);
  if (code == SL_OK) {
    g.waiting.at = calloc(g.block.warp_count, sizeof *g.waiting.at);
    if (g.waiting.at == NULL)
      code = sl_no_memory(err, g.block.warp_count * sizeof *g.waiting.at);
  }
  if (code == SL_OK && launch->linear != NULL) {
    g.block.linear = &g.linear;
    code = sl_ptx_linear_make(&g.linear, launch->linear, launch, err);
  }
  if (code == SL_OK && bounds->restores != NULL) {
    grid_tape(&g, bounds->restores);
    code = sl_ptx_restored(bounds->restores, err);
  }
  if (code == SL_OK) {
    const enum outcome outcome = run_blocks(&g, bounds->restores != NULL);
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
  sl_ptx_shadow_free(&g.block);
  sl_ptx_block_free(&g.block);
  return code;
}
