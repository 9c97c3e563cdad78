#include "compiler/linear/linear_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/run/ptx_lanes.h"

enum sl_status sl_linear_follow(struct sl_linear_follower *f, struct sl_linear_analysis *analysis, struct sl_error *err)
{
  const size_t symbols = analysis->code->symbols + (size_t)analysis->flow.loops + 1;
  f->analysis = analysis;
  f->values = calloc(symbols, sizeof *f->values);
  return f->values != NULL ? SL_OK : sl_no_memory(err, symbols * sizeof *f->values);
}

void sl_linear_follow_end(struct sl_linear_follower *f)
{
  free(f->values);
  free(f->last);
  free(f->iteration);
  free(f->uniform);
  *f = (struct sl_linear_follower){.analysis = NULL};
}

bool sl_linear_follow_warps(struct sl_linear_follower *f, size_t warps)
{
  const size_t loops = f->analysis->flow.loops + (size_t)1;
  if (warps > f->warps) {
    free(f->last);
    free(f->iteration);
    free(f->uniform);
    f->last = malloc(warps * SL_LINEAR_LANES * sizeof *f->last);
    f->iteration = malloc(warps * SL_LINEAR_LANES * loops * sizeof *f->iteration);
    f->uniform = malloc(warps * loops * sizeof *f->uniform);
    f->warps = f->last != NULL && f->iteration != NULL && f->uniform != NULL ? warps : 0;
  }
  return f->warps >= warps;
}

void sl_linear_follow_begin(struct sl_linear_follower *f, size_t warp)
{
  memset(f->last + warp * SL_LINEAR_LANES, 0, SL_LINEAR_LANES * sizeof *f->last);
}

/* A lane that reaches a loop's header from inside begins another iteration. A register of the warp counts once for all
 * lanes that arrive. */
void sl_linear_follow_enter(struct sl_linear_follower *f, size_t warp, uint32_t lanes, uint32_t insn)
{
  const struct sl_linear_flow *flow = &f->analysis->flow;
  const uint32_t block = flow->block_of[insn], loop = flow->loop_of[block];
  if (insn != flow->first[block])
    return;
  const bool header = loop != SL_LINEAR_NO_LOOP && flow->loop[loop].header == block;
  const size_t first = warp * SL_LINEAR_LANES;
  if (header) {
    uint32_t *uniform = &f->uniform[warp * flow->loops + loop];
    *uniform = sl_linear_is_back(flow, f->last[first + sl_lowest(lanes)], block) ? *uniform + 1 : 0;
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const size_t lane = first + sl_lowest(rest);
    uint32_t *iteration = &f->iteration[lane * flow->loops + (header ? loop : 0)];
    if (header)
      *iteration = sl_linear_is_back(flow, f->last[lane], block) ? *iteration + 1 : 0;
    f->last[lane] = block;
  }
}

bool sl_linear_follow_wants(const struct sl_linear_follower *f, uint32_t insn)
{
  const struct sl_linear_analysis *a = f->analysis;
  return a->code->insn[insn].dsts == 1 && a->vector[a->values.def[insn][0]].reason == SL_LINEAR_YES;
}

static int64_t expected(const struct sl_linear_follower *f, const struct sl_linear_vector *v,
                        const struct sl_linear_warp *warp, unsigned lane)
{
  const struct sl_linear_flow *flow = &f->analysis->flow;
  const uint32_t thread = warp->within * SL_LINEAR_LANES + lane, *size = warp->size;
  const uint64_t index[SL_LINEAR_INDICES] = {
      thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1], warp->index[0], warp->index[1],
      warp->index[2]};
  const uint32_t *iteration = &f->iteration[(warp->warp * SL_LINEAR_LANES + lane) * flow->loops];
  for (uint32_t l = 0; l < flow->loops; l++)
    f->values[f->analysis->code->symbols + l] = iteration[l];
  uint64_t sum = (uint64_t)sl_poly_value(f->analysis->polys, v->constant, f->values);
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    if (v->index[i] != SL_POLY_ZERO)
      sum += (uint64_t)sl_poly_value(f->analysis->polys, v->index[i], f->values) * index[i];
  return (int64_t)sum;
}

/* A uniform register holds the value of one iteration for the warp: the active lanes must be in the iteration that it
 * has counted. */
static bool in_one_iteration(const struct sl_linear_follower *f, size_t warp, uint32_t active, uint32_t loop)
{
  const uint32_t loops = f->analysis->flow.loops;
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (f->iteration[(warp * SL_LINEAR_LANES + sl_lowest(rest)) * loops + loop] != f->uniform[warp * loops + loop])
      return false;
  return true;
}

/* Formats "k, line 12, block (0, 1, 0), thread 3: " and the first mismatch. */
static void note(const struct sl_linear_follower *f, const struct sl_linear_warp *warp,
                 const struct sl_linear_result *result, unsigned lane, const char *what, struct sl_linear_tally *tally)
{
  char place[32];
  if (tally->wrong++ > 0)
    return;
  snprintf(place, sizeof place, f->addresses ? "at %08" PRIx32 : "line %" PRIu32, result->place);
  snprintf(tally->first, sizeof tally->first,
           "%.200s, %s, block (%" PRIu32 ", %" PRIu32 ", %" PRIu32 "), thread %u: %.600s", f->kernel, place,
           warp->index[0], warp->index[1], warp->index[2], warp->within * SL_LINEAR_LANES + lane, what);
}

void sl_linear_follow_compare(struct sl_linear_follower *f, const struct sl_linear_warp *warp,
                              const struct sl_linear_result *result, struct sl_linear_tally *tally)
{
  const struct sl_linear_analysis *a = f->analysis;
  const struct sl_linear_vector *v = &a->vector[a->values.def[result->insn][0]];
  uint32_t loop = 0;
  const bool iterates = sl_linear_iterates(a, v, &loop);
  if (iterates && result->active != 0 && !in_one_iteration(f, warp->warp, result->active, loop))
    note(f, warp, result, sl_lowest(result->active), "lanes of a warp are in different iterations", tally);
  for (uint32_t rest = result->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const int64_t computed =
        result->wide ? ((const int64_t *)result->registers)[lane] : ((const int32_t *)result->registers)[lane];
    int64_t by_vector = expected(f, v, warp, lane);
    by_vector = result->wide ? by_vector : (int32_t)by_vector;
    tally->compared++;
    tally->iterated += iterates;
    if (computed == by_vector)
      continue;
    char text[SL_LINEAR_TEXT], what[400];
    snprintf(what, sizeof what, "the result is %" PRId64 ", but its vector %.200s gives %" PRId64, computed,
             sl_linear_vector_text(a, v, text), by_vector);
    note(f, warp, result, lane, what, tally);
  }
}

/* An analysed kernel. */
struct sl_linear_subject {
  struct sl_linear_subject *next;
  const struct sl_ptx_function *kernel;
  bool refused;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_follower follower;
};

struct run {
  struct sl_linear_check *check;
  struct sl_linear_subject *subject;
  const struct sl_ptx_launch *launch;
};

static void free_subject(struct sl_linear_subject *s)
{
  sl_linear_follow_end(&s->follower);
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  free(s);
}

static enum sl_status make_subject(struct sl_linear_check *check, const struct sl_ptx_launch *launch,
                                   struct sl_linear_subject **made, struct sl_error *err)
{
  struct sl_error refusal;
  struct sl_linear_subject *s = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->next = check->subjects;
  check->subjects = *made = s;
  s->kernel = launch->kernel;
  s->follower.kernel = launch->kernel->name;
  enum sl_status status = sl_linear_from_ptx(&s->code, launch->module, launch->kernel, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&s->analysis, &s->code, &check->options, &refusal);
  s->refused = status == SL_USAGE;
  if (status == SL_OK)
    return sl_linear_follow(&s->follower, &s->analysis, err);
  if (!s->refused)
    *err = refusal;
  return s->refused ? SL_OK : status;
}

static enum sl_status find_subject(struct sl_linear_check *check, const struct sl_ptx_launch *launch,
                                   struct sl_linear_subject **subject, struct sl_error *err)
{
  for (*subject = check->subjects; *subject != NULL; *subject = (*subject)->next)
    if ((*subject)->kernel == launch->kernel)
      return SL_OK;
  return make_subject(check, launch, subject, err);
}

/* Sets the values of the symbols in this launch. 32-bit numbers are signed. */
static void set_symbols(struct sl_linear_subject *s, const struct sl_ptx_launch *launch)
{
  int64_t *value = s->follower.values;
  for (uint16_t i = 1; i < s->code.symbols; i++) {
    const struct sl_linear_symbol *symbol = &s->code.symbol[i];
    int32_t narrow;
    if (symbol->origin == SL_LINEAR_BLOCK_SIZE) {
      value[i] = launch->block[symbol->at];
    } else if (symbol->origin == SL_LINEAR_GRID_SIZE) {
      value[i] = launch->grid[symbol->at];
    } else if (symbol->bytes == sizeof narrow) {
      memcpy(&narrow, launch->params + symbol->at, sizeof narrow);
      value[i] = narrow;
    } else {
      memcpy(&value[i], launch->params + symbol->at, sizeof value[i]);
    }
  }
}

static void begin_block(struct run *r, const struct sl_ptx_block *block)
{
  for (unsigned w = 0; w < block->warp_count; w++)
    sl_linear_follow_begin(&r->subject->follower, w);
}

/* Returns the place of an instruction's result, and whether it has 64 bits. */
static struct sl_ptx_place result_of(const struct sl_ptx_insn *in, bool *wide)
{
  const bool load = in->kind == SL_PTX_K_LOAD;
  *wide = load ? in->wide & 1 : sl_ptx_type_bytes(sl_ptx_row(in->row)->d) == sizeof(uint64_t);
  return load ? in->element[0] : in->d;
}

static void executed(struct run *r, const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect)
{
  struct sl_linear_follower *f = &r->subject->follower;
  const struct sl_ptx_function *kernel = r->launch->kernel;
  if (effect->pc < kernel->begin || effect->pc >= kernel->end)
    return; /* an instruction of a called function */
  const uint32_t insn = effect->pc - kernel->begin;
  sl_linear_follow_enter(f, w->index, effect->issued, insn);
  if (!sl_linear_follow_wants(f, insn))
    return;
  struct sl_linear_result result = {.insn = insn, .place = effect->insn->line, .active = effect->active};
  const struct sl_ptx_place place = result_of(effect->insn, &result.wide);
  const struct sl_linear_warp warp = {
      .warp = w->index, .within = w->index, .index = w->block->index, .size = r->launch->block};
  result.registers = w->area[place.area] + place.offset;
  sl_linear_follow_compare(f, &warp, &result, &r->check->tally);
}

static bool hear(void *context, const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_BEGUN)
    begin_block(context, p->ptx_block);
  else
    executed(context, p->ptx_warp, p->ptx_effect);
  return true;
}

static enum sl_status run_grid(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                               struct sl_error *err)
{
  struct run r = {.check = context, .launch = launch};
  struct sl_probes probes = {.wanted = SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = hear, .context = &r};
  struct sl_ptx_bounds bounds = {0};
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  enum sl_status status = find_subject(r.check, launch, &r.subject, err);
  if (status != SL_OK)
    return status;
  r.check->tally.refused += r.subject->refused;
  if (!r.subject->refused) {
    set_symbols(r.subject, launch);
    if (!sl_linear_follow_warps(&r.subject->follower, threads / SL_PTX_LANES + 1))
      return sl_no_memory(err, threads * sizeof(uint32_t));
    bounds = (struct sl_ptx_bounds){.probes = &probes, .alone = true};
  }
  return sl_ptx_grid_run(launch, &bounds, counts, err);
}

struct sl_ptx_engine sl_linear_check_engine(struct sl_linear_check *check)
{
  return (struct sl_ptx_engine){.run = run_grid, .context = check};
}

void sl_linear_check_free(struct sl_linear_check *check)
{
  while (check->subjects != NULL) {
    struct sl_linear_subject *s = check->subjects;
    check->subjects = s->next;
    free_subject(s);
  }
}
