#include "linear/linear_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear/linear_ptx.h"
#include "linear/linear_text.h"
#include "ptx/run/ptx_lanes.h"

/* A kernel that has been analysed, and what is known of the lanes of the block that runs. */
struct sl_linear_subject {
  struct sl_linear_subject *next;
  const struct sl_ptx_function *kernel;
  bool refused;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  /* By lane of the block: the block of code it has been in last, and the iteration it is in of each loop. */
  uint32_t *last, *iteration;
  uint32_t *uniform; /* by warp and loop: the iteration that a register of the warp has counted */
  size_t lanes;
  int64_t *values; /* by symbol */
};

struct run {
  struct sl_linear_check *check;
  struct sl_linear_subject *subject;
  const struct sl_ptx_launch *launch;
};

static void free_subject(struct sl_linear_subject *s)
{
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  free(s->last);
  free(s->iteration);
  free(s->uniform);
  free(s->values);
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
  enum sl_status status = sl_linear_from_ptx(&s->code, launch->module, launch->kernel, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&s->analysis, &s->code, &check->options, &refusal);
  s->refused = status == SL_USAGE;
  if (status != SL_OK && !s->refused) {
    *err = refusal;
    return status;
  }
  s->values = calloc(s->code.symbols + (size_t)s->analysis.flow.loops + 1, sizeof *s->values);
  return s->values != NULL ? SL_OK : sl_no_memory(err, s->code.symbols * sizeof *s->values);
}

static enum sl_status find_subject(struct sl_linear_check *check, const struct sl_ptx_launch *launch,
                                   struct sl_linear_subject **subject, struct sl_error *err)
{
  for (*subject = check->subjects; *subject != NULL; *subject = (*subject)->next)
    if ((*subject)->kernel == launch->kernel)
      return SL_OK;
  return make_subject(check, launch, subject, err);
}

/* Values of the symbols in this launch. Numbers of 32 bits are signed. */
static void set_symbols(struct sl_linear_subject *s, const struct sl_ptx_launch *launch)
{
  for (uint16_t i = 1; i < s->code.symbols; i++) {
    const struct sl_linear_symbol *symbol = &s->code.symbol[i];
    int32_t narrow;
    if (symbol->origin == SL_LINEAR_BLOCK_SIZE) {
      s->values[i] = launch->block[symbol->at];
    } else if (symbol->origin == SL_LINEAR_GRID_SIZE) {
      s->values[i] = launch->grid[symbol->at];
    } else if (symbol->bytes == sizeof narrow) {
      memcpy(&narrow, launch->params + symbol->at, sizeof narrow);
      s->values[i] = narrow;
    } else {
      memcpy(&s->values[i], launch->params + symbol->at, sizeof s->values[i]);
    }
  }
}

static bool make_room(struct sl_linear_subject *s, size_t lanes)
{
  if (lanes > s->lanes) {
    free(s->last);
    free(s->iteration);
    free(s->uniform);
    s->last = malloc(lanes * sizeof *s->last);
    s->iteration = malloc(lanes * (s->analysis.flow.loops + (size_t)1) * sizeof *s->iteration);
    s->uniform = malloc((lanes / SL_PTX_LANES + 1) * (s->analysis.flow.loops + (size_t)1) * sizeof *s->uniform);
    s->lanes = s->last != NULL && s->iteration != NULL && s->uniform != NULL ? lanes : 0;
  }
  return s->lanes >= lanes;
}

static void begin_block(void *context, const struct sl_ptx_block *block)
{
  struct run *r = context;
  const size_t lanes = (size_t)block->warp_count * SL_PTX_LANES;
  memset(r->subject->last, 0, lanes * sizeof *r->subject->last);
}

/* A lane that comes to a loop's header from inside has begun another iteration; a register of the warp counts once for
 * all that come. */
static void enter(struct sl_linear_subject *s, const struct sl_ptx_warp *w, uint32_t lanes, uint32_t block)
{
  const struct sl_linear_flow *f = &s->analysis.flow;
  const uint32_t loop = f->loop_of[block];
  const bool header = loop != SL_LINEAR_NO_LOOP && f->loop[loop].header == block;
  const size_t warp = (size_t)w->index * SL_PTX_LANES;
  if (header) {
    uint32_t *uniform = &s->uniform[w->index * f->loops + loop];
    *uniform = sl_linear_is_back(f, s->last[warp + sl_lowest(lanes)], block) ? *uniform + 1 : 0;
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const size_t lane = warp + sl_lowest(rest);
    uint32_t *iteration = &s->iteration[lane * f->loops + (header ? loop : 0)];
    if (header)
      *iteration = sl_linear_is_back(f, s->last[lane], block) ? *iteration + 1 : 0;
    s->last[lane] = block;
  }
}

static int64_t expected(const struct run *r, const struct sl_linear_vector *v, size_t lane,
                        const struct sl_ptx_block *block)
{
  struct sl_linear_subject *s = r->subject;
  const struct sl_linear_flow *f = &s->analysis.flow;
  const uint32_t *size = r->launch->block;
  const uint64_t index[SL_LINEAR_INDICES] = {lane % size[0],  lane / size[0] % size[1], lane / size[0] / size[1],
                                             block->index[0], block->index[1],          block->index[2]};
  for (uint32_t l = 0; l < f->loops; l++)
    s->values[s->code.symbols + l] = s->iteration[lane * f->loops + l];
  uint64_t sum = (uint64_t)sl_poly_value(s->analysis.polys, v->constant, s->values);
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    if (v->index[i] != SL_POLY_ZERO)
      sum += (uint64_t)sl_poly_value(s->analysis.polys, v->index[i], s->values) * index[i];
  return (int64_t)sum;
}

static void differs(struct run *r, const struct sl_ptx_insn *in, const struct sl_linear_vector *v, size_t lane,
                    const struct sl_ptx_block *block, const int64_t values[2])
{
  char text[SL_LINEAR_TEXT];
  if (r->check->wrong++ > 0)
    return;
  snprintf(r->check->first, sizeof r->check->first,
           "%s, line %" PRIu32 ", block (%" PRIu32 ", %" PRIu32 ", %" PRIu32 "), thread %zu: computed is %" PRId64
           ", by its vector %.200s it is %" PRId64,
           r->launch->kernel->name, in->line, block->index[0], block->index[1], block->index[2], lane, values[0],
           sl_linear_vector_text(&r->subject->analysis, v, text), values[1]);
}

/* Where an instruction has put its result, and whether that has 64 bits. */
static struct sl_ptx_place result_of(const struct sl_ptx_insn *in, bool *wide)
{
  const bool load = in->kind == SL_PTX_K_LOAD;
  *wide = load ? in->wide & 1 : sl_ptx_type_bytes(sl_ptx_row(in->row)->d) == sizeof(uint64_t);
  return load ? in->element[0] : in->d;
}

/* What is added in a loop is one register of a warp: its lanes must be in the iteration that this has counted. */
static bool in_one_iteration(const struct run *r, const struct sl_ptx_warp *w, uint32_t active, uint32_t loop)
{
  const struct sl_linear_subject *s = r->subject;
  const uint32_t loops = s->analysis.flow.loops;
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (s->iteration[((size_t)w->index * SL_PTX_LANES + sl_lowest(rest)) * loops + loop] !=
        s->uniform[w->index * loops + loop])
      return false;
  return true;
}

static void compare(struct run *r, const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect, uint32_t insn)
{
  struct sl_linear_subject *s = r->subject;
  const uint32_t value = s->analysis.values.def[insn][0];
  const struct sl_linear_vector *v = &s->analysis.vector[value];
  uint32_t loop = 0;
  bool wide;
  const struct sl_ptx_place place = result_of(effect->insn, &wide);
  const uint8_t *registers = w->area[place.area] + place.offset;
  const bool iterates = sl_linear_iterates(&s->analysis, v, &loop);
  if (iterates && effect->active != 0 && !in_one_iteration(r, w, effect->active, loop) && r->check->wrong++ == 0)
    snprintf(r->check->first, sizeof r->check->first,
             "%s, line %" PRIu32 ": lanes of a warp are in different iterations", r->launch->kernel->name,
             effect->insn->line);
  for (uint32_t rest = effect->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const size_t lane = (size_t)w->index * SL_PTX_LANES + l;
    int64_t computed = wide ? ((const int64_t *)registers)[l] : ((const int32_t *)registers)[l];
    int64_t by_vector = expected(r, v, lane, w->block);
    by_vector = wide ? by_vector : (int32_t)by_vector;
    r->check->compared++;
    r->check->iterated += iterates;
    if (computed != by_vector)
      differs(r, effect->insn, v, lane, w->block, (const int64_t[]){computed, by_vector});
  }
}

static void executed(void *context, const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect)
{
  struct run *r = context;
  struct sl_linear_subject *s = r->subject;
  const struct sl_ptx_function *kernel = r->launch->kernel;
  if (effect->pc < kernel->begin || effect->pc >= kernel->end)
    return; /* of a function that it calls */
  const uint32_t insn = effect->pc - kernel->begin, block = s->analysis.flow.block_of[insn];
  if (insn == s->analysis.flow.first[block])
    enter(s, w, effect->issued, block);
  const struct sl_linear_insn *in = &s->code.insn[insn];
  if (in->dsts == 1 && s->analysis.vector[s->analysis.values.def[insn][0]].reason == SL_LINEAR_YES)
    compare(r, w, effect, insn);
}

static enum sl_status run_grid(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                               struct sl_error *err)
{
  struct run r = {.check = context, .launch = launch};
  struct sl_ptx_bounds bounds = {0};
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  enum sl_status status = find_subject(r.check, launch, &r.subject, err);
  if (status != SL_OK)
    return status;
  r.check->refused += r.subject->refused;
  if (!r.subject->refused) {
    set_symbols(r.subject, launch);
    if (!make_room(r.subject, threads + SL_PTX_LANES))
      return sl_no_memory(err, threads * sizeof(uint32_t));
    bounds = (struct sl_ptx_bounds){.context = &r, .executed = executed, .begun = begin_block};
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
