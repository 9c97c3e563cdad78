#include "compiler/linear/linear_rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { RESULT = SL_LINEAR_SOURCES };

/* A combination that a remaining instruction reads. */
struct demand {
  uint32_t value;
  uint32_t insn;   /* and source; SL_LINEAR_NOWHERE: a copy, by number */
  unsigned source; /* RESULT: its result is copied */
  uint16_t lr;
  double weight; /* estimated frequency: ten times for each enclosing loop */
  struct sl_linear_vector vector;
};

struct planner {
  struct sl_linear_plan *plan;
  struct sl_linear_analysis *a;
  struct demand *demand;
  size_t demands;
  bool *copied;     /* per value: also needed as an ordinary register */
  uint32_t *length; /* per value: the longest chain of linear instructions that computes it */
  bool failed;
};

static double weight_of(const struct sl_linear_analysis *a, uint32_t block)
{
  const uint32_t loop = a->flow.loop_of[block];
  double weight = 1;
  for (uint32_t n = loop == SL_LINEAR_NO_LOOP ? 0 : a->flow.loop[loop].depth; n > 0 && n < 100; n--)
    weight *= 10;
  return weight;
}

static bool reached(const struct sl_linear_analysis *a, uint32_t insn)
{
  return a->flow.dominators.place[a->flow.block_of[insn]] != SL_NO_NODE;
}

static bool is_linear(const struct sl_linear_analysis *a, uint32_t insn)
{
  return a->code->insn[insn].dsts == 1 && a->vector[a->values.def[insn][0]].reason == SL_LINEAR_YES;
}

static void add_demand(struct planner *p, struct demand d)
{
  if (SL_GROW(p->demand, p->demands))
    p->demand[p->demands++] = d;
  else
    p->failed = true;
}

/* Adds a copy, and its read of the combination. */
static void add_copy(struct planner *p, uint32_t value, uint32_t block, bool at_header)
{
  struct sl_linear_plan *plan = p->plan;
  if (!SL_GROW(plan->copy, plan->copies)) {
    p->failed = true;
    return;
  }
  plan->copy[plan->copies++] = (struct sl_linear_copy){.value = value, .block = block, .at_header = at_header};
  add_demand(p, (struct demand){.value = value,
                                .insn = SL_LINEAR_NOWHERE,
                                .source = plan->copies - 1,
                                .weight = weight_of(p->a, block),
                                .vector = p->a->vector[value]});
}

/* Copies values that are read outside their loop to an ordinary register inside it. */
static void find_copied(struct planner *p)
{
  const struct sl_linear_analysis *a = p->a;
  for (uint32_t i = 0; i < a->code->count; i++)
    for (unsigned k = 0; reached(a, i) && k < a->code->insn[i].srcs; k++) {
      const uint32_t value = a->values.use[i][k];
      if (value != SL_LINEAR_NO_VALUE &&
          sl_linear_seen_from(a, value, a->flow.block_of[i]).reason == SL_LINEAR_NO_OUTSIDE)
        p->copied[value] = true;
    }
  for (uint32_t v = 0; v < a->values.count; v++) {
    const struct sl_linear_value *m = &a->values.value[v];
    if (m->definition != SL_LINEAR_BY_MERGE || a->vector[v].reason == SL_LINEAR_YES)
      continue;
    const uint32_t first = a->flow.from_first[m->at];
    for (uint32_t k = first; k < a->flow.from_first[m->at + 1]; k++) {
      const uint32_t value = a->values.merged[m->operands + k - first];
      if (value != SL_LINEAR_NO_VALUE && sl_linear_seen_from(a, value, a->flow.from[k]).reason == SL_LINEAR_NO_OUTSIDE)
        p->copied[value] = true;
    }
  }
}

static void decide(struct planner *p)
{
  const struct sl_linear_analysis *a = p->a;
  struct sl_linear_plan *plan = p->plan;
  for (uint32_t i = 0; i < a->code->count; i++) {
    const bool linear = reached(a, i) && is_linear(a, i);
    plan->fate[i] = !linear || plan->ordinary[a->values.def[i][0]] ? SL_LINEAR_STAYS
                    : p->copied[a->values.def[i][0]]               ? SL_LINEAR_COPIES
                                                                   : SL_LINEAR_GOES;
    plan->reached += reached(a, i);
    plan->linear += linear;
    plan->gone += plan->fate[i] == SL_LINEAR_GOES;
    if (linear) {
      uint32_t longest = 0;
      for (unsigned k = 0; k < a->code->insn[i].srcs; k++) {
        const uint32_t from = a->values.use[i][k];
        longest = from != SL_LINEAR_NO_VALUE && p->length[from] > longest ? p->length[from] : longest;
      }
      p->length[a->values.def[i][0]] = longest + 1;
    }
  }
}

static void find_operands(struct planner *p)
{
  struct sl_linear_analysis *a = p->a;
  for (uint32_t i = 0; i < a->code->count && !p->failed; i++) {
    const struct sl_linear_insn *in = &a->code->insn[i];
    if (!reached(a, i) || p->plan->fate[i] == SL_LINEAR_GOES)
      continue;
    if (p->plan->fate[i] == SL_LINEAR_COPIES) {
      add_demand(p, (struct demand){.value = a->values.def[i][0],
                                    .insn = i,
                                    .source = RESULT,
                                    .weight = weight_of(a, a->flow.block_of[i]),
                                    .vector = a->vector[a->values.def[i][0]]});
      continue;
    }
    for (unsigned k = 0; k < in->srcs; k++) {
      const struct sl_linear_vector v = sl_linear_operand_vector(a, i, k);
      if (v.reason != SL_LINEAR_YES || in->src[k].reg == SL_LINEAR_NO_REG || p->plan->ordinary[a->values.use[i][k]])
        continue;
      add_demand(p, (struct demand){.value = a->values.use[i][k],
                                    .insn = i,
                                    .source = k,
                                    .weight = weight_of(a, a->flow.block_of[i]),
                                    .vector = v});
    }
  }
}

static void find_copies(struct planner *p)
{
  const struct sl_linear_analysis *a = p->a;
  for (uint32_t v = 0; v < a->values.count && !p->failed; v++) {
    const struct sl_linear_value *m = &a->values.value[v];
    if (m->definition != SL_LINEAR_BY_MERGE)
      continue;
    if (a->vector[v].reason == SL_LINEAR_YES && !p->plan->ordinary[v]) {
      if (p->copied[v])
        add_copy(p, v, m->at, true);
      continue;
    }
    const uint32_t first = a->flow.from_first[m->at];
    for (uint32_t k = first; k < a->flow.from_first[m->at + 1]; k++) {
      const uint32_t value = a->values.merged[m->operands + k - first];
      if (value != SL_LINEAR_NO_VALUE && !p->plan->ordinary[value] &&
          sl_linear_seen_from(a, value, a->flow.from[k]).reason == SL_LINEAR_YES)
        add_copy(p, value, a->flow.from[k], false);
    }
  }
}

/* Groups all combinations with the same indices in one linear register. */
static void group(struct planner *p)
{
  struct sl_linear_plan *plan = p->plan;
  for (size_t n = 0; n < p->demands; n++) {
    struct demand *d = &p->demand[n];
    uint32_t lr = 0;
    d->lr = SL_LINEAR_NONE;
    if (sl_linear_is_uniform(&d->vector))
      continue;
    while (lr < plan->lrs && memcmp(plan->lr[lr].index, d->vector.index, sizeof d->vector.index) != 0)
      lr++;
    if (lr == plan->lrs) {
      if (plan->lrs == SL_LINEAR_NONE - 1 || !SL_GROW(plan->lr, plan->lrs)) {
        p->failed = true;
        return;
      }
      plan->lr[plan->lrs] = (struct sl_linear_lr){.tr = SL_LINEAR_NONE};
      memcpy(plan->lr[plan->lrs++].index, d->vector.index, sizeof d->vector.index);
    }
    d->lr = (uint16_t)lr;
    plan->lr[lr].uses++;
    plan->lr[lr].benefit += d->weight * (p->length[d->value] + 1);
  }
}

/* Drops the combinations of lowest value until 16 are left: their values are computed as before, and the inputs become
 * demands in turn. False: none is left to drop. */
static bool give_up(struct planner *p)
{
  struct sl_linear_plan *plan = p->plan;
  bool *drop = calloc(plan->lrs, sizeof *drop);
  bool any = false;
  p->failed |= drop == NULL;
  for (uint32_t n = plan->lrs; n > SL_LINEAR_REGISTERS && drop != NULL; n--) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < plan->lrs; i++)
      if (!drop[i] && (least == UINT32_MAX || plan->lr[i].benefit < plan->lr[least].benefit))
        least = i;
    drop[least] = true;
  }
  for (size_t n = 0; n < p->demands && drop != NULL; n++)
    if (p->demand[n].lr != SL_LINEAR_NONE && drop[p->demand[n].lr])
      plan->ordinary[p->demand[n].value] = any = true;
  free(drop);
  return any;
}

/* Returns the part of a constant that does not grow in loops. */
static sl_poly resting(struct sl_linear_analysis *a, sl_poly constant)
{
  return sl_poly_below(a->polys, constant, sl_linear_iteration(a, 0));
}

/* The register's constant is the most frequent one; the first of these if several are. */
static void choose_constants(struct planner *p)
{
  struct sl_linear_plan *plan = p->plan;
  uint32_t *most = calloc(plan->lrs + (size_t)1, sizeof *most), *count = NULL;
  sl_poly *rest = malloc((p->demands + 1) * sizeof *rest), last = 0;
  for (size_t n = 0; n < p->demands && rest != NULL; n++) {
    rest[n] = resting(p->a, p->demand[n].vector.constant);
    last = rest[n] > last && rest[n] != SL_POLY_NONE ? rest[n] : last;
  }
  count = calloc(last + (size_t)1, sizeof *count);
  p->failed |= most == NULL || rest == NULL || count == NULL || sl_polys_failed(p->a->polys);
  for (uint32_t lr = 0; lr < plan->lrs && !p->failed; lr++) {
    for (size_t n = 0; n < p->demands; n++)
      count[rest[n]] += p->demand[n].lr == lr;
    for (size_t n = 0; n < p->demands; n++)
      if (p->demand[n].lr == lr && count[rest[n]] > most[lr]) {
        most[lr] = count[rest[n]];
        plan->lr[lr].constant = rest[n];
      }
    for (size_t n = 0; n < p->demands; n++)
      count[rest[n]] = 0;
  }
  free(most);
  free(rest);
  free(count);
}

static void choose_trs(struct planner *p)
{
  static const sl_poly none[SL_LINEAR_BX];
  struct sl_linear_plan *plan = p->plan;
  plan->tr = malloc((plan->lrs + (size_t)1) * sizeof *plan->tr);
  p->failed |= plan->tr == NULL;
  for (uint32_t lr = 0; lr < plan->lrs && !p->failed; lr++) {
    uint32_t tr = 0;
    if (memcmp(plan->lr[lr].index, none, sizeof none) == 0)
      continue;
    while (tr < plan->trs && memcmp(plan->tr[tr].index, plan->lr[lr].index, sizeof none) != 0)
      tr++;
    if (tr == plan->trs)
      memcpy(plan->tr[plan->trs++].index, plan->lr[lr].index, sizeof none);
    plan->lr[lr].tr = (uint16_t)tr;
  }
}

static uint16_t cr_of(struct planner *p, sl_poly poly)
{
  struct sl_linear_plan *plan = p->plan;
  for (uint32_t i = 0; i < plan->crs; i++)
    if (plan->cr[i] == poly)
      return (uint16_t)i;
  if (plan->crs == SL_LINEAR_NONE - 1 || !SL_GROW(plan->cr, plan->crs)) {
    p->failed = true;
    return SL_LINEAR_NONE;
  }
  plan->cr[plan->crs] = poly;
  return (uint16_t)plan->crs++;
}

/* Returns the deepest loop in which the value grows, and the step; growth in other loops is part of the start. */
static struct sl_linear_ur growing(struct sl_linear_analysis *a, sl_poly value)
{
  struct sl_linear_ur ur = {.loop = SL_LINEAR_NO_LOOP};
  for (uint32_t l = 0; l < a->flow.loops; l++) {
    const sl_poly without = sl_poly_replace(a->polys, value, sl_linear_iteration(a, l), SL_POLY_ZERO);
    if (without == value || (ur.loop != SL_LINEAR_NO_LOOP && a->flow.loop[l].depth <= a->flow.loop[ur.loop].depth))
      continue;
    const sl_poly once = sl_poly_replace(a->polys, value, sl_linear_iteration(a, l), sl_poly_number(a->polys, 1));
    ur = (struct sl_linear_ur){.loop = l, .start = without, .step = sl_poly_subtract(a->polys, once, without)};
  }
  return ur;
}

/* A uniform register whose start grows, too, begins as a copy of another one. */
static uint16_t ur_of(struct planner *p, sl_poly value)
{
  struct sl_linear_plan *plan = p->plan;
  uint16_t result = SL_LINEAR_NONE;
  for (;;) {
    const struct sl_linear_ur ur = growing(p->a, value);
    uint32_t i = 0;
    while (i < plan->urs &&
           (plan->ur[i].loop != ur.loop || plan->ur[i].start != ur.start || plan->ur[i].step != ur.step))
      i++;
    if (i == plan->urs) {
      if (plan->urs == SL_LINEAR_NONE - 1 || !SL_GROW(plan->ur, plan->urs)) {
        p->failed = true;
        return SL_LINEAR_NONE;
      }
      plan->ur[plan->urs++] = ur;
    }
    result = result == SL_LINEAR_NONE ? (uint16_t)i : result;
    if (growing(p->a, ur.start).loop == SL_LINEAR_NO_LOOP)
      return result;
    value = ur.start;
  }
}

/* Returns the number in a polynomial: its term without a symbol. */
static int64_t number_in(const struct planner *p, sl_poly poly)
{
  const struct sl_poly_term *term;
  const unsigned terms = sl_poly_terms(p->a->polys, poly, &term);
  for (unsigned t = 0; t < terms; t++)
    if (term[t].symbol[0] == 0)
      return term[t].coefficient;
  return 0;
}

/* Returns the replacement of an operand. A number is added separately, so that operands that differ only in it share
 * registers. */
static struct sl_linear_source source_of(struct planner *p, const struct demand *d)
{
  struct sl_linear_source s = {.lr = d->lr, .cr = SL_LINEAR_NONE, .ur = SL_LINEAR_NONE};
  struct sl_polys *polys = p->a->polys;
  sl_poly rest = resting(p->a, d->vector.constant);
  const sl_poly grows = sl_poly_subtract(polys, d->vector.constant, rest);
  if (d->lr != SL_LINEAR_NONE)
    rest = sl_poly_subtract(polys, rest, p->plan->lr[d->lr].constant);
  s.number = number_in(p, rest);
  rest = sl_poly_subtract(polys, rest, sl_poly_number(polys, s.number));
  if (grows != SL_POLY_ZERO)
    s.ur = ur_of(p, sl_poly_add(polys, grows, rest));
  else if (rest != SL_POLY_ZERO)
    s.cr = cr_of(p, rest);
  s.kind = d->lr != SL_LINEAR_NONE  ? SL_LINEAR_COMBINATION
           : s.ur != SL_LINEAR_NONE ? SL_LINEAR_GROWING
           : s.cr != SL_LINEAR_NONE ? SL_LINEAR_COEFFICIENT
                                    : SL_LINEAR_IMMEDIATE;
  return s;
}

static void assign(struct planner *p)
{
  struct sl_linear_plan *plan = p->plan;
  for (size_t n = 0; n < p->demands && !p->failed; n++) {
    const struct demand *d = &p->demand[n];
    const struct sl_linear_source s = source_of(p, d);
    if (d->insn == SL_LINEAR_NOWHERE)
      plan->copy[d->source].source = s;
    else if (d->source == RESULT)
      plan->result[d->insn] = s;
    else
      plan->source[d->insn][d->source] = s;
  }
  plan->added = plan->copies;
  for (uint32_t i = 0; i < plan->urs; i++) {
    const bool zero = plan->ur[i].start == SL_POLY_ZERO && p->a->flow.loop[plan->ur[i].loop].depth == 1;
    plan->added += zero ? 1 : 2; /* the update, and the initialisation at the loop's start */
  }
}

static void forget(struct planner *p)
{
  struct sl_linear_plan *plan = p->plan;
  const struct sl_linear_analysis *a = p->a;
  memset(p->copied, 0, a->values.count * sizeof *p->copied);
  memset(p->length, 0, a->values.count * sizeof *p->length);
  memset(plan->source, 0, a->code->count * sizeof *plan->source);
  plan->lrs = plan->copies = plan->reached = plan->linear = plan->gone = 0;
  p->demands = 0;
}

/* An implicit reader reads the register itself. */
static void hold(struct planner *p)
{
  const struct sl_linear_analysis *a = p->a;
  for (uint32_t v = 0; v < a->values.count && a->code->held != 0 && !p->failed; v++)
    p->plan->ordinary[v] = a->values.value[v].reg == a->code->held;
}

enum sl_status sl_linear_plan_make(struct sl_linear_plan *plan, struct sl_linear_analysis *analysis,
                                   struct sl_error *err)
{
  struct planner p = {.plan = plan, .a = analysis};
  const size_t insns = analysis->code->count + (size_t)1, values = analysis->values.count + (size_t)1;
  *plan = (struct sl_linear_plan){.analysis = analysis};
  plan->fate = malloc(insns * sizeof *plan->fate);
  plan->source = malloc(insns * sizeof *plan->source);
  plan->result = calloc(insns, sizeof *plan->result);
  p.copied = malloc(values * sizeof *p.copied);
  p.length = malloc(values * sizeof *p.length);
  plan->ordinary = calloc(values, sizeof *plan->ordinary);
  p.failed = !plan->ordinary || !plan->fate || !plan->source || !plan->result || !p.copied || !p.length;
  hold(&p);
  for (bool again = true; again && !p.failed;) {
    forget(&p);
    find_copied(&p);
    decide(&p);
    find_operands(&p);
    find_copies(&p);
    group(&p);
    plan->most_wanted = plan->lrs > plan->most_wanted ? plan->lrs : plan->most_wanted;
    again = !p.failed && plan->lrs > SL_LINEAR_REGISTERS && give_up(&p);
  }
  if (!p.failed) {
    choose_constants(&p);
    choose_trs(&p);
    assign(&p);
  }
  free(p.demand);
  free(p.copied);
  free(p.length);
  p.failed |= sl_polys_failed(analysis->polys);
  return p.failed ? sl_no_memory(err, insns * sizeof *plan->source) : SL_OK;
}

void sl_linear_plan_free(struct sl_linear_plan *plan)
{
  free(plan->ordinary);
  free(plan->fate);
  free(plan->source);
  free(plan->result);
  free(plan->lr);
  free(plan->tr);
  free(plan->cr);
  free(plan->ur);
  free(plan->copy);
  *plan = (struct sl_linear_plan){.analysis = NULL};
}

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

int sl_linear_coefficient(const struct sl_linear_coefficients *c, sl_poly poly, unsigned from)
{
  for (unsigned i = from; i < c->crs; i++)
    if (c->used[i] && c->cr[i] == poly)
      return (int)i;
  return SL_LINEAR_NO_COEFFICIENT;
}

bool sl_linear_is_immediate(const struct sl_linear_plan *plan, sl_poly factor, unsigned bits, int64_t *number)
{
  if (!sl_poly_is_number(plan->analysis->polys, factor, number))
    return false;
  const int64_t most = INT64_MAX >> (64 - bits);
  return *number <= most && *number >= -most - 1;
}

static void put_at(struct sl_linear_coefficients *c, unsigned number, sl_poly poly)
{
  c->cr[number] = poly;
  c->used[number] = poly != SL_POLY_ZERO; /* registers are initially 0 */
  c->crs = number >= c->crs ? number + 1 : c->crs;
}

static void add(struct sl_linear_coefficients *c, sl_poly poly)
{
  if (poly == SL_POLY_ZERO || sl_linear_coefficient(c, poly, c->offsets) != SL_LINEAR_NO_COEFFICIENT)
    return;
  if (c->crs >= SL_LINEAR_COEFFICIENTS)
    c->full = true;
  else
    put_at(c, c->crs, poly);
}

static void number_slices(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan)
{
  c->slices = plan->lrs > 0 ? 1 : 0;
  for (uint32_t i = 0; i < plan->lrs; i++)
    put_at(c, i, plan->lr[i].constant);
  for (unsigned d = 0; d < 3; d++) {
    bool any = false;
    for (uint32_t i = 0; i < plan->lrs; i++)
      any |= plan->lr[i].index[SL_LINEAR_BX + d] != SL_POLY_ZERO;
    if (!any)
      continue;
    for (uint32_t i = 0; i < plan->lrs; i++)
      put_at(c, c->slices * SL_LINEAR_REGISTERS + i, plan->lr[i].index[SL_LINEAR_BX + d]);
    c->dimension[c->slices++] = d;
  }
  c->offsets = c->crs = c->slices * SL_LINEAR_REGISTERS;
}

void sl_linear_coefficients_number(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan,
                                   const sl_poly *added, uint32_t count, unsigned bits)
{
  int64_t number;
  *c = (struct sl_linear_coefficients){.crs = 0};
  number_slices(c, plan);
  for (uint32_t i = 0; i < count; i++)
    add(c, added[i]);
  for (uint32_t t = 0; t < plan->trs; t++)
    for (unsigned d = 0; d < SL_LINEAR_BX; d++)
      if (!sl_linear_is_immediate(plan, plan->tr[t].index[d], bits, &number))
        add(c, plan->tr[t].index[d]);
}
