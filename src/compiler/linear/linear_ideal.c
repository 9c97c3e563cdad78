#include "compiler/linear/linear_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_rewrite.h"
#include "ptx/oracle/ptx_oracle.h"

/* Data of a kernel for LN. Per instruction: its cost is `lanes` times its active lanes, plus `once`. */
struct sl_linear_ideal_subject {
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_plan plan;
  uint32_t *lanes, *once;
  uint64_t first; /* executed by all threads, at the beginning */
  uint64_t of_coefficients, of_threads, of_block;
};

struct counting {
  struct sl_linear_ideal *ideal;
  struct sl_linear_ideal_kernel *kernel;
  struct sl_linear_ideals counts;
  struct sl_ptx_once done;
};

/* ---- LN ---------------------------------------------------------------------------------------------------------- */

/* Returns the number of instructions that compute a polynomial from its symbols. Each further factor is a
 * multiplication; the last one of a term includes the addition. */
static uint64_t cost_of(const struct sl_polys *polys, sl_poly p, bool *symbol)
{
  const struct sl_poly_term *term;
  int64_t number;
  uint64_t cost = 0;
  if (sl_poly_is_number(polys, p, &number))
    return 0;
  const unsigned terms = sl_poly_terms(polys, p, &term);
  for (unsigned t = 0; t < terms; t++) {
    unsigned degree = 0;
    for (; degree < SL_POLY_DEGREE && term[t].symbol[degree] != 0; degree++)
      symbol[term[t].symbol[degree]] = true;
    cost += degree > 0 ? degree : 1;
  }
  return cost;
}

/* Distinct polynomials that become coefficient registers. */
struct coefficients {
  sl_poly *poly;
  size_t count;
};

static void add(struct coefficients *c, sl_poly poly)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->poly[i] == poly)
      return;
  c->poly[c->count++] = poly;
}

static bool count_coefficients(struct sl_linear_ideal_subject *s)
{
  const struct sl_linear_plan *p = &s->plan;
  const size_t most = (p->lrs + (size_t)p->trs) * (SL_LINEAR_INDICES + 1) + p->crs + 2 * (size_t)p->urs + 1;
  struct coefficients c = {.poly = malloc(most * sizeof *c.poly)};
  const uint32_t symbols = s->code.symbols + s->analysis.flow.loops;
  bool *symbol = calloc(symbols + (size_t)1, sizeof *symbol);
  const bool room = c.poly != NULL && symbol != NULL;
  for (uint32_t i = 0; i < p->lrs && room; i++) {
    add(&c, p->lr[i].constant);
    for (unsigned d = SL_LINEAR_BX; d < SL_LINEAR_INDICES; d++)
      add(&c, p->lr[i].index[d]);
  }
  for (uint32_t i = 0; i < p->trs && room; i++)
    for (unsigned d = SL_LINEAR_TX; d < SL_LINEAR_BX; d++)
      add(&c, p->tr[i].index[d]);
  for (uint32_t i = 0; i < p->crs && room; i++)
    add(&c, p->cr[i]);
  for (uint32_t i = 0; i < p->urs && room; i++)
    add(&c, p->ur[i].start), add(&c, p->ur[i].step);
  for (size_t i = 0; i < c.count; i++)
    s->of_coefficients += cost_of(s->analysis.polys, c.poly[i], symbol);
  for (uint32_t i = 0; i < s->code.symbols && room; i++)
    s->of_coefficients += symbol[i];
  free(c.poly);
  free(symbol);
  return room;
}

static void count_parts(struct sl_linear_ideal_subject *s)
{
  const struct sl_linear_plan *p = &s->plan;
  for (uint32_t t = 0; t < p->trs; t++)
    for (unsigned d = SL_LINEAR_TX; d < SL_LINEAR_BX; d++)
      s->of_threads += p->tr[t].index[d] != SL_POLY_ZERO;
  s->of_block = p->lrs > 0;
  for (unsigned d = SL_LINEAR_BX; d < SL_LINEAR_INDICES; d++) {
    bool any = false;
    for (uint32_t i = 0; i < p->lrs; i++)
      any |= p->lr[i].index[d] != SL_POLY_ZERO;
    s->of_block += any;
  }
}

/* Counts the writes of copies and loop registers (compiler/linear/linear_rewrite.h). */
static void count_inserted(struct sl_linear_ideal_subject *s)
{
  const struct sl_linear_flow *f = &s->analysis.flow;
  const struct sl_linear_plan *p = &s->plan;
  for (uint32_t i = 0; i < p->copies; i++) {
    const uint32_t block = p->copy[i].block, first = f->first[block], end = f->first[block + 1];
    if (first == end)
      s->first++;
    else
      s->lanes[p->copy[i].at_header ? first : end - 1]++;
  }
  for (uint32_t i = 0; i < p->urs; i++)
    s->once[f->first[f->loop[p->ur[i].loop].header]]++;
}

static void count_left(struct sl_linear_ideal_subject *s)
{
  const struct sl_linear_flow *f = &s->analysis.flow;
  for (uint32_t i = 0; i < s->code.count; i++) {
    const struct sl_linear_insn *in = &s->code.insn[i];
    s->lanes[i] = 1;
    if (f->dominators.place[f->block_of[i]] == SL_NO_NODE)
      continue;
    s->lanes[i] = s->plan.fate[i] != SL_LINEAR_GOES;
    for (unsigned k = in->srcs - in->kept; k < in->srcs && s->plan.fate[i] == SL_LINEAR_STAYS; k++)
      s->lanes[i] += s->plan.source[i][k].kind != SL_LINEAR_ORDINARY;
  }
}

static void free_subject(struct sl_linear_ideal_subject *s)
{
  sl_linear_plan_free(&s->plan);
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  free(s->lanes);
  free(s->once);
  free(s);
}

static enum sl_status analyse(struct sl_linear_ideal_kernel *k, const struct sl_ptx_launch *launch,
                              const struct sl_linear_options *options, struct sl_error *err)
{
  struct sl_linear_ideal_subject *s = k->subject = calloc(1, sizeof *s);
  struct sl_error refusal;
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  enum sl_status status = sl_linear_from_ptx(&s->code, launch->module, launch->kernel, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&s->analysis, &s->code, options, &refusal);
  if (status == SL_OK)
    status = sl_linear_plan_make(&s->plan, &s->analysis, &refusal);
  if (status == SL_USAGE) {
    snprintf(k->refusal, sizeof k->refusal, "%.*s", (int)sizeof k->refusal - 1, refusal.text);
    return SL_OK;
  }
  if (status != SL_OK) {
    *err = refusal;
    return status;
  }
  s->lanes = calloc(s->code.count + (size_t)1, sizeof *s->lanes);
  s->once = calloc(s->code.count + (size_t)1, sizeof *s->once);
  if (s->lanes == NULL || s->once == NULL || !count_coefficients(s))
    return sl_no_memory(err, s->code.count * sizeof *s->lanes);
  count_parts(s);
  count_left(s);
  count_inserted(s);
  return SL_OK;
}

static uint64_t linear(const struct sl_linear_ideal_kernel *k, uint32_t pc, uint64_t lanes)
{
  const struct sl_linear_ideal_subject *s = k->subject;
  if (k->refusal[0] != '\0' || pc < k->function->begin || pc >= k->function->end)
    return lanes;
  const uint32_t insn = pc - k->function->begin;
  return s->lanes[insn] * lanes + s->once[insn];
}

/* Counts the instructions before those of the grid. */
static uint64_t linear_parts(const struct sl_linear_ideal_kernel *k, const struct sl_ptx_launch *l)
{
  const struct sl_linear_ideal_subject *s = k->subject;
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  return k->refusal[0] != '\0'
             ? 0
             : s->of_coefficients + s->of_threads * threads + (s->of_block + s->first * threads) * blocks;
}

/* ---- WP and TB --------------------------------------------------------------------------------------------------- */

static bool is_counted(const struct sl_linear_ideal *ideal, const struct sl_ptx_insn *in)
{
  const enum sl_ptx_sort sort = sl_ptx_sort_of(in);
  return sort == SL_PTX_SORT_VALUE || (sort == SL_PTX_SORT_LOAD && ideal->loads);
}

static bool begun(void *context, const struct sl_ptx_block *block)
{
  struct counting *c = context;
  (void)block;
  sl_ptx_once_clear(&c->done);
  return true;
}

static bool seen(void *context, const struct sl_ptx_seen *seen)
{
  struct counting *c = context;
  const struct sl_ptx_redundancy *before = seen->before;
  const uint64_t lanes = sl_count(seen->effect->active);
  bool is_new = true;
  c->counts.base += lanes;
  c->counts.ln += linear(c->kernel, seen->effect->pc, lanes);
  const bool counted = is_counted(c->ideal, before->insn);
  c->counts.wp += counted && before->alike && lanes > 0 ? 1 : lanes;
  if (counted) {
    uint64_t key = sl_ptx_mixed(seen->occurrence, before->sources);
    if (sl_ptx_sort_of(before->insn) == SL_PTX_SORT_LOAD)
      key = sl_ptx_loaded(seen->warp, before, key);
    if (sl_ptx_once_put(&c->done, key, &is_new) == NULL)
      return false;
  }
  c->counts.tb += is_new ? lanes : 0;
  return true;
}

static void add_counts(struct sl_linear_ideals *sum, const struct sl_linear_ideals *more)
{
  sum->base += more->base;
  sum->wp += more->wp;
  sum->tb += more->tb;
  sum->ln += more->ln;
}

static enum sl_status find_kernel(struct sl_linear_ideal *ideal, const struct sl_ptx_launch *launch,
                                  struct sl_linear_ideal_kernel **found, struct sl_error *err)
{
  struct sl_linear_ideal_kernel **at = &ideal->kernels;
  while (*at != NULL && (*at)->function != launch->kernel)
    at = &(*at)->next;
  *found = *at;
  if (*at != NULL)
    return SL_OK;
  *found = *at = calloc(1, sizeof **at);
  if (*at == NULL)
    return sl_no_memory(err, sizeof **at);
  (*at)->function = launch->kernel;
  snprintf((*at)->name, sizeof(*at)->name, "%s", launch->kernel->name);
  return analyse(*at, launch, &ideal->options, err);
}

static enum sl_status run(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                          struct sl_error *err)
{
  struct counting c = {.ideal = context};
  const struct sl_ptx_tracer watcher = {.begun = begun, .seen = seen, .context = &c};
  const struct sl_ptx_bounds bounds = {0};
  enum sl_status status = find_kernel(c.ideal, launch, &c.kernel, err);
  if (status != SL_OK)
    return status;
  c.counts.ln = linear_parts(c.kernel, launch);
  c.kernel->launches++;
  status = sl_ptx_trace(launch, &bounds, &watcher, counts, err);
  add_counts(&c.kernel->counts, &c.counts);
  add_counts(&c.ideal->sum, &c.counts);
  sl_ptx_once_free(&c.done);
  return status;
}

struct sl_ptx_engine sl_linear_ideal_engine(struct sl_linear_ideal *ideal)
{
  return (struct sl_ptx_engine){.run = run, .context = ideal};
}

void sl_linear_ideal_free(struct sl_linear_ideal *ideal)
{
  while (ideal->kernels != NULL) {
    struct sl_linear_ideal_kernel *k = ideal->kernels;
    ideal->kernels = k->next;
    if (k->subject != NULL)
      free_subject(k->subject);
    free(k);
  }
}
