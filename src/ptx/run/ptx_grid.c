#include "ptx/run/ptx_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/livelock.h"
#include "base/shuffle.h"
#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_linear.h"
#include "ptx/step/ptx_step.h"

enum {
  TURN = 4096, /* warp instructions, as all of these */
  BARRIERS = 16,
  RUNNING = -1,
  ASK_EVERY = 1 << 18,
  PATIENCE = 1 << 20, /* of a block alone, before others run beside it */
  SHARE = TURN,       /* of a block beside others, which may wait for it */
  MOST_BLOCKS = 4096, /* at a time */
  SHUFFLED = 1024 /* blocks: an order of a seed permutes so many at most, because blocks may wait for earlier ones */
};

/* The events that a block's warps wait for. */
struct waiting {
  int *at;                    /* by warp: number of the barrier, or RUNNING */
  uint32_t needed[BARRIERS];  /* warps; 0: all that live */
  uint32_t arrived[BARRIERS]; /* warps that do not wait */
  struct {
    uint64_t id;
    uint32_t pc;
  } * since; /* by warp, for observers: the barrier */
};

/* A block that has begun. */
struct resident {
  struct sl_ptx_block block;
  struct waiting waiting;
  uint64_t number; /* in the grid */
};

/* The warps of a block in turn, up to the one that runs. */
struct round {
  bool begun;
  unsigned warp;      /* the one that runs */
  uint64_t done;      /* its instructions in this turn */
  unsigned live, ran; /* warps before it that live, and that have run */
};

struct sl_ptx_grid {
  const struct sl_ptx_launch *launch;
  struct resident *now, **resident; /* the current block, and the array of all */
  unsigned residents, made;         /* blocks that have begun, and blocks allocated */
  struct sl_ptx_linear_registers linear;
  struct sl_ptx_steps *steps; /* NULL: instructions are interpreted one by one, as observers and counts apart require */
  struct sl_ptx_run run;
  struct sl_ptx_counts *counts;
  const struct sl_ptx_bounds *bounds;
  uint64_t before;  /* warp instructions in *counts at the beginning */
  uint64_t pause;   /* warp instructions of this launch at which to pause */
  uint64_t check;   /* warp instruction of the next search for a livelock */
  uint64_t ask;     /* warp instruction of the next poll of goes_on */
  uint64_t reached; /* when to call `reached`, over all launches */
  uint64_t next;    /* the block that begins next */
  uint64_t end;     /* blocks from this one on do not run */
  unsigned turn;    /* the current block's index, and the end of its time slice in warp instructions */
  uint64_t until;
  struct round round; /* of the current block */
  struct sl_ptx_fault fault;
  bool launched; /* the observer knows of the launch */
};

enum outcome { GOES_ON, FAULT, LIMIT, STOPPED, PAUSED };

static enum outcome within_bounds(struct sl_ptx_grid *g)
{
  const struct sl_ptx_bounds *b = g->bounds;
  if (b->limit != 0 && g->counts->warp_insns >= b->limit)
    return LIMIT;
  if (b->goes_on == NULL || g->counts->warp_insns < g->ask)
    return GOES_ON;
  g->ask = g->counts->warp_insns + ASK_EVERY;
  return b->goes_on(b->context) ? GOES_ON : STOPPED;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* An event of the current block's warp. An instruction's id is its number in the launch, from 1. */
static struct sl_ptx_event event_of(const struct sl_ptx_grid *g, unsigned warp, uint64_t cycle)
{
  return (struct sl_ptx_event){.probes = g->bounds->probes,
                               .id = cycle + 1,
                               .cycle = cycle,
                               .launch = g->bounds->launch,
                               .warp = (unsigned)(g->now->number * g->now->block.warp_count) + warp};
}

static void tell_barrier(const struct sl_ptx_grid *g, enum sl_probe_kind kind, unsigned warp)
{
  const struct waiting *waiting = &g->now->waiting;
  struct sl_ptx_event event = event_of(g, warp, g->counts->warp_insns - 1);
  event.id = waiting->since[warp].id;
  if (g->bounds->probes != NULL)
    sl_ptx_report_warp(&event, kind, waiting->since[warp].pc);
}

/* Whether the observer hears of the instruction. */
static inline bool is_told(const struct sl_probes *probes, const struct sl_ptx_insn *in)
{
  return !probes->no_values || in->unit == SL_PTX_MEM || in->kind >= SL_PTX_K_SHFL || in->guard.id != SL_PTX_NO_REG;
}

/* Reports the n-th instruction of a turn. Returns whether the observer stops the run. */
static __attribute__((noinline, cold)) bool report_execution(struct sl_ptx_grid *g, const struct sl_ptx_warp *w,
                                                             const struct sl_ptx_effect *e, uint64_t n)
{
  const uint64_t cycle = g->counts->warp_insns + n - 1;
  const struct sl_ptx_event event = event_of(g, w->index, cycle);
  sl_ptx_report_execution(&event, false, w, e);
  if (e->insn->kind != SL_PTX_K_BARRIER || e->active == 0)
    return g->bounds->probes->stopped;
  g->now->waiting.since[w->index].id = event.id;
  g->now->waiting.since[w->index].pc = e->pc;
  sl_ptx_report_warp(&event, SL_PROBE_ARRIVED, e->pc);
  if (e->arrives)
    sl_ptx_report_warp(&event, SL_PROBE_RELEASED, e->pc);
  return g->bounds->probes->stopped;
}

static void tell_launch(struct sl_ptx_grid *g, enum sl_probe_kind kind)
{
  const struct sl_ptx_event event = {
      .probes = g->bounds->probes, .cycle = g->counts->warp_insns, .launch = g->bounds->launch};
  if (g->bounds->probes != NULL)
    sl_ptx_report_launch(&event, kind, g->launch);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static uint64_t blocks_of(const struct sl_ptx_launch *l)
{
  return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

/* Warp instructions of a turn. An order of a seed has turns of other lengths. */
static uint64_t turn_of(const struct sl_ptx_grid *g)
{
  const unsigned shorter = g->bounds->order == 0 ? 0 : (unsigned)(sl_mixed(g->bounds->order) % 12);
  return (uint64_t)TURN >> shorter;
}

/* The block that begins next, in the order of the seed. */
static uint64_t take_number(struct sl_ptx_grid *g)
{
  const uint64_t next = g->next++, first = next / SHUFFLED * SHUFFLED, rest = g->end - first;
  return first + sl_shuffled(g->bounds->order, next - first, rest < SHUFFLED ? rest : SHUFFLED);
}

/* Runs a warp for the rest of its turn. `apart` is a constant of each copy of this function: without instructions that
 * are counted apart the loop has no test for them. */
static inline __attribute__((always_inline)) enum outcome run_turn_with(struct sl_ptx_grid *g, struct sl_ptx_warp *w,
                                                                        bool apart)
{
  struct sl_ptx_effect effect;
  uint64_t most = turn_of(g) - g->round.done;
  const struct sl_probes *probes = g->bounds->probes;
  uint64_t threads = 0, n = 0;
  enum outcome outcome = GOES_ON;
  while (n < most && w->stack.depth > 0) {
    if (g->steps != NULL) {
      if (__builtin_expect(probes != NULL, 0)) { /* one that needs no numbers */
        const struct sl_ptx_event event = event_of(g, w->index, g->counts->warp_insns + n);
        sl_ptx_report_begin(&g->run.report, &event, w, &g->run.effect);
      }
      n += sl_ptx_steps_run(g->steps, &g->run, w, most - n, &threads, &g->fault);
      if (g->run.faulted)
        outcome = FAULT;
      if (g->run.faulted || n == most || w->stack.depth == 0 || sl_probes_stopped(probes))
        break;
    }
    if (!sl_ptx_execute(w, g->counts->warp_insns + n, &effect, &g->fault)) {
      outcome = FAULT;
      break;
    }
    n++;
    threads += sl_count(effect.active);
    if (apart && g->bounds->apart->at[effect.pc]) {
      g->bounds->apart->warp_insns++;
      g->bounds->apart->thread_insns += sl_count(effect.active);
    }
    if (__builtin_expect(probes != NULL, 0) && is_told(probes, effect.insn) && report_execution(g, w, &effect, n))
      most = n;
    if (effect.insn->kind == SL_PTX_K_BARRIER && effect.active != 0) {
      g->now->waiting.needed[effect.barrier] = (effect.barrier_threads + SL_PTX_LANES - 1) / SL_PTX_LANES;
      if (!effect.arrives) {
        g->now->waiting.at[w->index] = (int)effect.barrier;
        break;
      }
      g->now->waiting.arrived[effect.barrier]++;
    }
  }
  g->counts->warp_insns += n;
  g->counts->thread_insns += threads;
  g->round.done += n;
  if (sl_probes_stopped(probes) && outcome == GOES_ON)
    return STOPPED;
  return outcome == GOES_ON ? within_bounds(g) : outcome;
}

static enum outcome run_turn(struct sl_ptx_grid *g, struct sl_ptx_warp *w)
{
  return g->bounds->apart != NULL && g->bounds->apart->at != NULL ? run_turn_with(g, w, true)
                                                                  : run_turn_with(g, w, false);
}

static enum sl_status make_resident(struct sl_ptx_grid *g, struct sl_error *err)
{
  struct resident **grown = realloc(g->resident, (g->made + (size_t)1) * sizeof *grown);
  struct resident *r = calloc(1, sizeof *r);
  g->resident = grown != NULL ? grown : g->resident;
  if (grown == NULL || r == NULL) {
    free(r);
    return sl_no_memory(err, sizeof *r);
  }
  grown[g->made++] = r;
  enum sl_status code = sl_ptx_block_create(&r->block, g->launch, err);
  if (code == SL_OK)
    code = sl_ptx_shadow_create(&r->block, err);
  if (code != SL_OK)
    return code;
  r->waiting.at = calloc(r->block.warp_count, sizeof *r->waiting.at);
  r->waiting.since = calloc(r->block.warp_count, sizeof *r->waiting.since);
  return r->waiting.at != NULL && r->waiting.since != NULL
             ? SL_OK
             : sl_no_memory(err, r->block.warp_count * sizeof *r->waiting.since);
}

static void free_residents(struct sl_ptx_grid *g)
{
  for (unsigned i = 0; i < g->made; i++) {
    free(g->resident[i]->waiting.at);
    free(g->resident[i]->waiting.since);
    sl_ptx_shadow_free(&g->resident[i]->block);
    sl_ptx_block_free(&g->resident[i]->block);
    free(g->resident[i]);
  }
  free(g->resident);
}

static void waiting_archive(struct resident *r, struct sl_archive *t)
{
  for (unsigned i = 0; i < r->block.warp_count; i++) {
    r->waiting.at[i] = (int)sl_archive_number(t, (uint32_t)(r->waiting.at[i] - RUNNING), BARRIERS) + RUNNING;
    sl_archive_expect(t, r->waiting.at[i] == RUNNING || r->block.warps[i].stack.depth > 0);
  }
  SL_ARCHIVE(t, r->waiting.needed);
  SL_ARCHIVE(t, r->waiting.arrived);
}

static void residents_archive(struct sl_ptx_grid *g, struct sl_archive *t, const struct sl_ptx_reach *reach)
{
  g->residents = sl_archive_number(t, g->residents - 1, MOST_BLOCKS - 1) + 1;
  g->turn = sl_archive_number(t, g->turn, g->residents - 1);
  sl_archive_expect(t, g->residents <= g->end && (g->residents == 1 || g->launch->linear == NULL));
  for (unsigned i = 0; i < g->residents && !t->bad; i++) {
    if (i == g->made && !sl_archive_memory(t, make_resident(g, &(struct sl_error){0}) == SL_OK))
      return;
    struct resident *r = g->resident[i];
    SL_ARCHIVE(t, r->number);
    sl_ptx_block_archive(t, &r->block, reach);
    waiting_archive(r, t);
    sl_archive_expect(t, r->number < g->next);
  }
}

/* Between two rounds of a block. */
static void grid_archive(void *launch, struct sl_archive *t)
{
  struct sl_ptx_grid *g = launch;
  struct sl_ptx_reach reach;
  if (!sl_archive_memory(t, sl_ptx_reach_find(&reach, g->launch)))
    return;
  SL_ARCHIVE(t, *g->counts);
  SL_ARCHIVE(t, g->next);
  SL_ARCHIVE(t, g->until);
  sl_archive_expect(t, g->next <= g->end);
  if (g->launch->linear != NULL)
    sl_ptx_linear_archive(t, g->resident[0]->block.linear);
  residents_archive(g, t, &reach);
  sl_ptx_reach_free(&reach);
}

/* Opens barriers with enough warps. Returns whether any opened. */
static bool open_barriers(struct sl_ptx_grid *g, unsigned live)
{
  uint32_t here[BARRIERS] = {0};
  bool opened = false;
  for (unsigned i = 0; i < g->now->block.warp_count; i++)
    if (g->now->waiting.at[i] != RUNNING)
      here[g->now->waiting.at[i]]++;
  for (int b = 0; b < BARRIERS; b++) {
    const uint32_t needed = g->now->waiting.needed[b] ? g->now->waiting.needed[b] : live;
    if (here[b] == 0 || here[b] + g->now->waiting.arrived[b] < needed)
      continue;
    opened = true;
    g->now->waiting.arrived[b] = 0;
    for (unsigned i = 0; i < g->now->block.warp_count; i++)
      if (g->now->waiting.at[i] == b) {
        g->now->waiting.at[i] = RUNNING;
        tell_barrier(g, SL_PROBE_RELEASED, i);
      }
  }
  return opened;
}

static enum outcome stuck(struct sl_ptx_grid *g)
{
  unsigned i = 0;
  while (g->now->waiting.at[i] == RUNNING)
    i++;
  sl_ptx_fault_barrier(&g->fault, &g->now->block.warps[i]);
  return FAULT;
}

static bool tell_reached(struct sl_ptx_grid *g)
{
  const struct sl_ptx_bounds *b = g->bounds;
  const uint64_t now = b->before + g->counts->warp_insns;
  const struct sl_ptx_under_way launch = {.archive = grid_archive, .launch = g};
  return b->reached == NULL || now < g->reached || b->reached(b->context, &launch, now, &g->reached);
}

/* Whether all warps spin, and no further block can begin. */
static bool all_spin(struct sl_ptx_grid *g)
{
  struct sl_trial_memory *memory = sl_trial_memory_create();
  bool any = false, all = g->next >= g->end || g->residents >= MOST_BLOCKS;
  for (unsigned k = 0; k < g->residents && all; k++)
    for (unsigned i = 0; i < g->resident[k]->block.warp_count && all; i++) {
      struct sl_ptx_warp *w = &g->resident[k]->block.warps[i];
      if (w->stack.depth == 0 || g->resident[k]->waiting.at[i] != RUNNING)
        continue;
      all = sl_ptx_spins(w, memory, &g->fault);
      any = true;
    }
  sl_trial_memory_free(memory);
  return all && any;
}

/* Barriers are open, and ended blocks have left. */
static bool is_livelocked(struct sl_ptx_grid *g)
{
  if (g->counts->warp_insns < g->check)
    return false;
  g->check = sl_livelock_next(g->counts->warp_insns);
  g->fault = (struct sl_ptx_fault){.kind = SL_PTX_FAULT_NONE};
  return all_spin(g);
}

/* The rest of a round. */
static enum outcome run_round(struct sl_ptx_grid *g)
{
  struct round *round = &g->round;
  const uint64_t turn = turn_of(g), order = g->bounds->order + (g->bounds->order != 0 ? g->now->number : 0);
  for (; round->warp < g->now->block.warp_count; round->warp++, round->done = 0) {
    const unsigned warp = (unsigned)sl_shuffled(order, round->warp, g->now->block.warp_count);
    struct sl_ptx_warp *w = &g->now->block.warps[warp];
    if (w->stack.depth > 0 && g->now->waiting.at[warp] == RUNNING && round->done < turn) {
      round->ran += round->done == 0;
      const enum outcome outcome = run_turn(g, w);
      if (outcome != GOES_ON)
        return outcome;
    }
    round->live += w->stack.depth > 0 || g->now->waiting.at[warp] != RUNNING;
  }
  return GOES_ON;
}

/* Runs a block in rounds: each runnable warp gets a time slice. Ends after `until` warp instructions. */
static enum outcome run_block(struct sl_ptx_grid *g, uint64_t until, bool *ended)
{
  for (*ended = false; g->round.begun || g->counts->warp_insns < until;) {
    if (!g->round.begun && !tell_reached(g))
      return STOPPED;
    if (!g->round.begun && g->counts->warp_insns - g->before >= g->pause)
      return PAUSED;
    if (!g->round.begun && is_livelocked(g))
      return FAULT;
    g->round.begun = true;
    const enum outcome outcome = run_round(g);
    if (outcome != GOES_ON)
      return outcome;
    const struct round round = g->round;
    g->round = (struct round){0};
    if (round.live == 0) {
      *ended = true;
      return GOES_ON;
    }
    if (!open_barriers(g, round.live) && round.ran == 0)
      return stuck(g);
  }
  return GOES_ON;
}

static void begin_block(struct sl_ptx_grid *g)
{
  const uint32_t *size = g->launch->grid;
  const uint32_t index[] = {(uint32_t)(g->now->number % size[0]), (uint32_t)(g->now->number / size[0] % size[1]),
                            (uint32_t)(g->now->number / size[0] / size[1])};
  sl_ptx_block_start(&g->now->block, index, 0, 1);
  sl_ptx_shadow_start(&g->now->block, 0, 1);
  if (g->now->block.linear != NULL)
    sl_ptx_linear_begin(&g->now->block);
  for (unsigned i = 0; i < g->now->block.warp_count; i++)
    g->now->waiting.at[i] = RUNNING;
  memset(g->now->waiting.arrived, 0, sizeof g->now->waiting.arrived);
  memset(g->now->waiting.needed, 0, sizeof g->now->waiting.needed);
  const struct sl_ptx_event event = event_of(g, 0, g->counts->warp_insns);
  if (g->bounds->probes != NULL)
    sl_ptx_report_begun(&event, &g->now->block);
}

/* Linear registers and shadows support one block at a time. */
static bool is_alone(const struct sl_ptx_grid *g)
{
  return g->launch->linear != NULL || g->launch->shadow != NULL || g->bounds->alone;
}

/* Doubles the number of running blocks, because those that have begun may wait for others. */
static enum sl_status add_residents(struct sl_ptx_grid *g, struct sl_error *err)
{
  for (unsigned more = g->residents; more > 0 && g->residents < MOST_BLOCKS && g->next < g->end; more--) {
    const enum sl_status code = g->residents < g->made ? SL_OK : make_resident(g, err);
    if (code != SL_OK)
      return code;
    g->now = g->resident[g->residents++];
    g->now->number = take_number(g);
    begin_block(g);
  }
  return SL_OK;
}

/* The current block has ended: a new one replaces it, or the last of the running ones. */
static void end_block(struct sl_ptx_grid *g, unsigned place)
{
  g->counts->blocks++;
  if (g->next < g->end) {
    g->now->number = take_number(g);
    begin_block(g);
    return;
  }
  g->resident[place] = g->resident[--g->residents];
  g->resident[g->residents] = g->now;
}

/* Warp instructions of a block before another one runs. */
static uint64_t patience_of(const struct sl_ptx_grid *g)
{
  if (g->bounds->order != 0)
    return turn_of(g) * g->now->block.warp_count;
  return g->residents == 1 ? PATIENCE : SHARE;
}

/* Blocks run one after another, unless one takes long: blocks may wait for each other. */
static enum outcome run_blocks(struct sl_ptx_grid *g, enum sl_status *code, struct sl_error *err)
{
  const bool alone = is_alone(g);
  while (g->residents > 0) {
    bool ended;
    g->now = g->resident[g->turn];
    const enum outcome outcome = run_block(g, alone ? UINT64_MAX : g->until, &ended);
    if (outcome != GOES_ON)
      return outcome;
    if (ended)
      end_block(g, g->turn);
    else
      g->turn++;
    if (g->turn >= g->residents) {
      g->turn = 0;
      *code = ended ? SL_OK : add_residents(g, err);
      if (*code != SL_OK)
        return GOES_ON;
    }
    g->until = g->counts->warp_insns + patience_of(g);
  }
  return GOES_ON;
}

enum sl_status sl_ptx_restored(struct sl_archive *archive, struct sl_error *err)
{
  if (sl_archive_expect(archive, archive->at == archive->size))
    return SL_OK;
  return archive->no_memory ? sl_no_memory(err, archive->size)
                            : sl_fail(err, SL_USAGE, "the checkpoint cannot be used: it is damaged");
}

enum sl_status sl_ptx_grid_open(struct sl_ptx_grid **grid, const struct sl_ptx_launch *launch,
                                const struct sl_ptx_bounds *bounds, struct sl_ptx_counts *counts, struct sl_error *err)
{
  struct sl_ptx_grid *g = *grid = calloc(1, sizeof *g);
  if (g == NULL)
    return sl_no_memory(err, sizeof *g);
  *g = (struct sl_ptx_grid){.launch = launch,
                            .counts = counts,
                            .bounds = bounds,
                            .residents = 1,
                            .before = counts->warp_insns,
                            .next = bounds->first,
                            .end = bounds->end != 0 ? bounds->end : blocks_of(launch)};
  enum sl_status code = make_resident(g, err);
  g->now = g->made > 0 ? g->resident[0] : NULL;
  if (g->now != NULL) {
    g->now->number = take_number(g);
    g->until = patience_of(g);
  }
  if (code == SL_OK && launch->linear != NULL) {
    g->now->block.linear = &g->linear;
    code = sl_ptx_linear_make(&g->linear, launch->linear, launch, err);
  }
  if (code == SL_OK && bounds->restores != NULL) {
    grid_archive(g, bounds->restores);
    code = sl_ptx_restored(bounds->restores, err);
  }
  if (code == SL_OK && bounds->probes == NULL)
    code = sl_ptx_steps_make(&g->steps, &g->resident[0]->block, bounds, err);
  g->check = sl_livelock_next(counts->warp_insns);
  return code;
}

/* An observer decides when the first block has begun whether steps will do. */
static enum sl_status begin_grid(struct sl_ptx_grid *g, struct sl_error *err)
{
  g->launched = true;
  tell_launch(g, SL_PROBE_LAUNCHED);
  if (g->bounds->restores != NULL)
    return SL_OK;
  begin_block(g);
  return g->bounds->probes == NULL ? SL_OK : sl_ptx_steps_make(&g->steps, &g->now->block, g->bounds, err);
}

enum sl_status sl_ptx_grid_go_on(struct sl_ptx_grid *g, uint64_t until, struct sl_error *err)
{
  g->pause = until;
  enum sl_status code = g->launched ? SL_OK : begin_grid(g, err);
  if (code != SL_OK)
    return code;
  const char *name = g->launch->kernel->name;
  const enum outcome outcome = sl_probes_stopped(g->bounds->probes) ? STOPPED : run_blocks(g, &code, err);
  if (outcome == FAULT)
    return sl_ptx_fault_text(g->launch, &g->fault, err);
  if (outcome == LIMIT)
    return sl_fail(err, SL_LIMIT, "%s: stopped after %llu warp instructions, as requested", name,
                   (unsigned long long)g->counts->warp_insns);
  if (outcome == STOPPED)
    return sl_fail(err, SL_STOPPED, "kernel %s was stopped", name);
  if (outcome == PAUSED)
    return SL_PAUSED;
  if (code == SL_OK)
    tell_launch(g, SL_PROBE_ENDED);
  return code;
}

bool sl_ptx_grid_waits(const struct sl_ptx_grid *g, const struct sl_ptx_block *block, unsigned warp)
{
  for (unsigned i = 0; i < g->residents; i++)
    if (&g->resident[i]->block == block)
      return g->resident[i]->waiting.at[warp] != RUNNING;
  return false;
}

struct sl_ptx_fault sl_ptx_grid_fault(const struct sl_ptx_grid *g)
{
  return g->fault;
}

void sl_ptx_grid_close(struct sl_ptx_grid *g)
{
  if (g == NULL)
    return;
  free_residents(g);
  sl_ptx_steps_free(g->steps);
  sl_ptx_linear_unmake(&g->linear);
  free(g);
}

enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err)
{
  struct sl_ptx_grid *grid;
  enum sl_status code = sl_ptx_grid_open(&grid, launch, bounds, counts, err);
  code = code == SL_OK ? sl_ptx_grid_go_on(grid, UINT64_MAX, err) : code;
  sl_ptx_grid_close(grid);
  return code;
}
