#include "compiler/linear/linear_vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_INDUCTION = -1 };

static struct sl_linear_vector no(enum sl_linear_reason reason)
{
  return (struct sl_linear_vector){.reason = (uint8_t)reason};
}

static struct sl_linear_vector uniform(sl_poly constant)
{
  return (struct sl_linear_vector){.reason = SL_LINEAR_YES, .constant = constant};
}

bool sl_linear_is_uniform(const struct sl_linear_vector *v)
{
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    if (v->index[i] != SL_POLY_ZERO)
      return false;
  return true;
}

static bool same(const struct sl_linear_vector *a, const struct sl_linear_vector *b)
{
  return a->reason == SL_LINEAR_YES && b->reason == SL_LINEAR_YES && a->constant == b->constant &&
         memcmp(a->index, b->index, sizeof a->index) == 0;
}

/* Symbols from here on change in a loop: iterations, then the symbols for amounts added to inductions so far. */
static uint16_t first_of_loops(const struct sl_linear_analysis *a)
{
  return a->code->symbols;
}

static uint16_t unknown_of(const struct sl_linear_analysis *a, uint32_t induction)
{
  return (uint16_t)(a->code->symbols + a->flow.loops + induction);
}

static uint32_t loop_of_symbol(const struct sl_linear_analysis *a, uint16_t symbol)
{
  const uint32_t number = (uint32_t)symbol - a->code->symbols;
  return number < a->flow.loops ? number : a->induction[number - a->flow.loops].loop;
}

bool sl_linear_iterates(const struct sl_linear_analysis *a, const struct sl_linear_vector *v, uint32_t *loop)
{
  const struct sl_poly_term *t;
  const unsigned count = sl_poly_terms(a->polys, v->constant, &t);
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < SL_POLY_DEGREE; k++)
      if (t[i].symbol[k] >= first_of_loops(a) && t[i].symbol[k] != 0) {
        *loop = loop_of_symbol(a, t[i].symbol[k]);
        return true;
      }
  return false;
}

/* In a block outside a loop, lanes have left the loop in different iterations. */
static bool is_outside(const struct sl_linear_analysis *a, const struct sl_linear_vector *v, uint32_t block)
{
  const struct sl_poly_term *t;
  const unsigned count = v->reason == SL_LINEAR_YES ? sl_poly_terms(a->polys, v->constant, &t) : 0;
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < SL_POLY_DEGREE; k++)
      if (t[i].symbol[k] >= first_of_loops(a) && t[i].symbol[k] != 0 &&
          !sl_linear_in_loop(&a->flow, block, loop_of_symbol(a, t[i].symbol[k])))
        return true;
  return false;
}

struct sl_linear_vector sl_linear_seen_from(const struct sl_linear_analysis *a, uint32_t value, uint32_t block)
{
  if (value == SL_LINEAR_NO_VALUE)
    return no(SL_LINEAR_NO_ENTRY);
  const struct sl_linear_vector v = a->vector[value];
  return is_outside(a, &v, block) ? no(SL_LINEAR_NO_OUTSIDE) : v;
}

struct sl_linear_vector sl_linear_operand_vector(struct sl_linear_analysis *a, uint32_t insn, unsigned source)
{
  const struct sl_linear_operand *o = &a->code->insn[insn].src[source];
  return o->reg == SL_LINEAR_NO_REG ? uniform(sl_poly_number(a->polys, o->number))
                                    : sl_linear_seen_from(a, a->values.use[insn][source], a->flow.block_of[insn]);
}

/* Rejects a vector that is too large, or that multiplies an index by a value that changes in a loop. */
static struct sl_linear_vector checked(const struct sl_linear_analysis *a, struct sl_linear_vector v)
{
  if (v.constant == SL_POLY_NONE)
    return no(SL_LINEAR_NO_SIZE);
  if (sl_poly_degree_from(a->polys, v.constant, first_of_loops(a)) > 1)
    return no(SL_LINEAR_NO_PRODUCT);
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++) {
    if (v.index[i] == SL_POLY_NONE)
      return no(SL_LINEAR_NO_SIZE);
    if (sl_poly_degree_from(a->polys, v.index[i], first_of_loops(a)) > 0)
      return no(SL_LINEAR_NO_PRODUCT);
  }
  return v;
}

static struct sl_linear_vector combine(struct sl_linear_analysis *a, const struct sl_linear_vector *p,
                                       const struct sl_linear_vector *q,
                                       sl_poly (*with)(struct sl_polys *, sl_poly, sl_poly))
{
  struct sl_linear_vector v = uniform(with(a->polys, p->constant, q->constant));
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    v.index[i] = with(a->polys, p->index[i], q->index[i]);
  return checked(a, v);
}

static struct sl_linear_vector product(struct sl_linear_analysis *a, const struct sl_linear_vector *p,
                                       const struct sl_linear_vector *q)
{
  const struct sl_linear_vector *factor = sl_linear_is_uniform(q) ? q : p, *other = factor == q ? p : q;
  if (!sl_linear_is_uniform(factor))
    return no(SL_LINEAR_NO_PRODUCT);
  struct sl_linear_vector v = uniform(sl_poly_multiply(a->polys, other->constant, factor->constant));
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    v.index[i] = sl_poly_multiply(a->polys, other->index[i], factor->constant);
  return checked(a, v);
}

static struct sl_linear_vector shifted(struct sl_linear_analysis *a, const struct sl_linear_vector *p,
                                       const struct sl_linear_vector *q)
{
  int64_t by;
  if (!sl_linear_is_uniform(q) || !sl_poly_is_number(a->polys, q->constant, &by) || by < 0 || by >= a->code->bits)
    return no(SL_LINEAR_NO_OPERATION);
  const struct sl_linear_vector factor = uniform(sl_poly_number(a->polys, (int64_t)(UINT64_C(1) << by)));
  return product(a, p, &factor);
}

/* Range of a vector: thread indices are 0 to 1023, numbers of blocks and grids are below 2^31, arguments are any 32-bit
 * number. */
static bool fits(const struct sl_linear_analysis *a, const struct sl_linear_vector *v, enum sl_linear_extension how)
{
  __extension__ typedef __int128 wide;
  int64_t number;
  if (!sl_poly_is_number(a->polys, v->constant, &number))
    return false;
  wide low = number, high = number;
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++) {
    if (!sl_poly_is_number(a->polys, v->index[i], &number))
      return false;
    const wide most = (wide)number * (i <= SL_LINEAR_TZ ? 1023 : INT32_MAX);
    low += most < 0 ? most : 0;
    high += most > 0 ? most : 0;
  }
  return how == SL_LINEAR_BY_SIGN ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

static struct sl_linear_vector evaluate(struct sl_linear_analysis *a, uint32_t at)
{
  const struct sl_linear_insn *in = &a->code->insn[at];
  struct sl_linear_vector v[3] = {{.reason = SL_LINEAR_YES}};
  if (in->kept > 0)
    return no(SL_LINEAR_NO_GUARD);
  if (a->several != NULL && a->several[in->dst[0]] && in->kind != SL_LINEAR_OTHER)
    return no(SL_LINEAR_NO_REGISTER);
  if (in->kind == SL_LINEAR_OTHER)
    return no(in->role == SL_LINEAR_ACCESSES ? SL_LINEAR_NO_LOAD : SL_LINEAR_NO_OPERATION);
  for (unsigned k = 0; k < in->srcs && k < 3; k++) {
    v[k] = sl_linear_operand_vector(a, at, k);
    if (v[k].reason != SL_LINEAR_YES)
      return no(v[k].reason == SL_LINEAR_NO_OUTSIDE ? SL_LINEAR_NO_OUTSIDE : SL_LINEAR_NO_OPERAND);
    const bool extended = in->extension != SL_LINEAR_NOT_EXTENDED && !(in->kind == SL_LINEAR_MULTIPLY_ADD && k == 2);
    if (a->options.strict && extended && !fits(a, &v[k], in->extension))
      return no(SL_LINEAR_NO_WIDTH);
  }
  switch ((enum sl_linear_kind)in->kind) {
  case SL_LINEAR_NUMBER: return uniform(sl_poly_number(a->polys, in->number));
  case SL_LINEAR_SYMBOL: return uniform(sl_poly_symbol(a->polys, in->which));
  case SL_LINEAR_INDEX:
    v[0] = uniform(SL_POLY_ZERO);
    v[0].index[in->which] = sl_poly_number(a->polys, 1);
    return v[0];
  case SL_LINEAR_MOVE: return v[0];
  case SL_LINEAR_ADD: return combine(a, &v[0], &v[1], sl_poly_add);
  case SL_LINEAR_SUBTRACT: return combine(a, &v[0], &v[1], sl_poly_subtract);
  case SL_LINEAR_SHIFT_LEFT: return shifted(a, &v[0], &v[1]);
  case SL_LINEAR_MULTIPLY: return product(a, &v[0], &v[1]);
  case SL_LINEAR_MULTIPLY_ADD:
    v[0] = product(a, &v[0], &v[1]);
    return v[0].reason == SL_LINEAR_YES ? combine(a, &v[0], &v[2], sl_poly_add) : v[0];
  case SL_LINEAR_OTHER: break;
  }
  return no(SL_LINEAR_NO_OPERATION);
}

/* Returns the common vector of the edges into a block; `back`: of the back edges, else of the others. */
static struct sl_linear_vector agreed(const struct sl_linear_analysis *a, uint32_t value, bool back, bool all)
{
  const struct sl_linear_value *m = &a->values.value[value];
  const uint32_t first = a->flow.from_first[m->at];
  struct sl_linear_vector v = no(SL_LINEAR_NO_ENTRY);
  bool any = false;
  for (uint32_t k = first; k < a->flow.from_first[m->at + 1]; k++) {
    if (!all && sl_linear_is_back(&a->flow, a->flow.from[k], m->at) != back)
      continue;
    const struct sl_linear_vector other =
        sl_linear_seen_from(a, a->values.merged[m->operands + k - first], back ? a->flow.from[k] : m->at);
    if (any && !same(&v, &other))
      return no(SL_LINEAR_NO_MERGE);
    v = other;
    any = true;
  }
  return v.reason == SL_LINEAR_YES ? v : no(SL_LINEAR_NO_MERGE);
}

/* Until the steps are known, a separate symbol represents the amount added so far. */
static struct sl_linear_vector induced(struct sl_linear_analysis *a, uint32_t value, bool stepped)
{
  struct sl_linear_induction *i = &a->induction[a->induction_of[value]];
  struct sl_linear_vector v = i->failed ? no(SL_LINEAR_NO_STEP) : agreed(a, value, false, false);
  if (v.reason != SL_LINEAR_YES) {
    i->failed = true;
    return no(SL_LINEAR_NO_STEP);
  }
  const sl_poly iteration = sl_poly_symbol(a->polys, sl_linear_iteration(a, i->loop));
  v.constant = sl_poly_add(a->polys, v.constant,
                           stepped ? sl_poly_multiply(a->polys, iteration, i->step)
                                   : sl_poly_symbol(a->polys, unknown_of(a, a->induction_of[value])));
  return checked(a, v);
}

static void compute(struct sl_linear_analysis *a, bool stepped)
{
  const struct sl_linear_flow *f = &a->flow;
  for (uint32_t i = 0; i < f->dominators.count; i++) {
    const uint32_t block = f->dominators.order[i];
    for (uint32_t m = a->values.merge_first[block]; m < a->values.merge_first[block + 1]; m++) {
      const uint32_t value = a->values.merges[m];
      a->vector[value] =
          a->induction_of[value] != (uint32_t)NO_INDUCTION ? induced(a, value, stepped) : agreed(a, value, false, true);
    }
    for (uint32_t at = f->first[block]; at < f->first[block + 1]; at++)
      if (a->code->insn[at].dsts == 1)
        a->vector[a->values.def[at][0]] = evaluate(a, at);
  }
}

/* Returns the amount that all back edges add to an induction; false: none, or the amount changes itself. */
static bool find_step(struct sl_linear_analysis *a, struct sl_linear_induction *i)
{
  const struct sl_linear_vector now = a->vector[i->value];
  struct sl_linear_vector then = agreed(a, i->value, true, false);
  if (now.reason != SL_LINEAR_YES || then.reason != SL_LINEAR_YES ||
      memcmp(now.index, then.index, sizeof now.index) != 0)
    return false;
  i->step = sl_poly_subtract(a->polys, then.constant, now.constant);
  if (i->step != SL_POLY_ZERO && !a->flow.loop[i->loop].together)
    return false;
  return i->step != SL_POLY_NONE && sl_poly_degree_from(a->polys, i->step, first_of_loops(a)) == 0;
}

/* Assumes that all candidates are inductions and drops the refuted ones until the rest is consistent. */
static void find_inductions(struct sl_linear_analysis *a)
{
  for (bool changed = true; changed;) {
    changed = false;
    compute(a, false);
    for (uint32_t k = 0; k < a->inductions; k++) {
      struct sl_linear_induction *i = &a->induction[k];
      if (!i->failed && !find_step(a, i))
        i->failed = changed = true;
    }
  }
  compute(a, true);
}

static void list_inductions(struct sl_linear_analysis *a)
{
  for (uint32_t n = 0; n < a->values.count; n++) {
    const struct sl_linear_value *v = &a->values.value[n];
    a->induction_of[n] = (uint32_t)NO_INDUCTION;
    a->vector[n] = no(v->definition == SL_LINEAR_BY_CALL   ? SL_LINEAR_NO_CALL
                      : v->definition == SL_LINEAR_BY_INSN ? SL_LINEAR_NO_LOAD
                                                           : SL_LINEAR_NO_ENTRY);
    if (v->definition == SL_LINEAR_AT_ENTRY && a->code->entry != NULL && a->code->entry[v->reg] != 0)
      a->vector[n] = uniform(sl_poly_symbol(a->polys, (uint16_t)a->code->entry[v->reg]));
    const uint32_t loop = v->definition == SL_LINEAR_BY_MERGE ? a->flow.loop_of[v->at] : SL_LINEAR_NO_LOOP;
    if (loop == SL_LINEAR_NO_LOOP || a->flow.loop[loop].header != v->at)
      continue;
    a->induction_of[n] = a->inductions;
    a->induction[a->inductions++] = (struct sl_linear_induction){.value = n, .loop = loop};
  }
}

/* "r = r + something": the paper's criterion for a loop step. */
static bool adds_to_itself(const struct sl_linear_insn *in)
{
  bool itself = false;
  for (unsigned k = 0; k < in->srcs; k++)
    itself |= in->src[k].reg == in->dst[0];
  return itself && (in->kind == SL_LINEAR_ADD || in->kind == SL_LINEAR_SUBTRACT);
}

static bool find_several(struct sl_linear_analysis *a)
{
  const struct sl_linear_code *code = a->code;
  bool *written = calloc(code->registers + (size_t)1, sizeof *written);
  a->several = calloc(code->registers + (size_t)1, sizeof *a->several);
  const bool room = written != NULL && a->several != NULL;
  for (uint32_t reg = 0; reg < code->registers && room; reg++)
    written[reg] = code->entry != NULL && code->entry[reg] != 0;
  for (uint32_t i = 0; i < code->count && room; i++)
    for (unsigned d = 0; d < code->insn[i].dsts; d++) {
      const uint32_t reg = code->insn[i].dst[d];
      if (adds_to_itself(&code->insn[i]))
        continue;
      a->several[reg] |= written[reg];
      written[reg] = true;
    }
  free(written);
  return room;
}

enum sl_status sl_linear_analyse(struct sl_linear_analysis *a, const struct sl_linear_code *code,
                                 const struct sl_linear_options *options, struct sl_error *err)
{
  *a = (struct sl_linear_analysis){.code = code};
  if (options != NULL)
    a->options = *options;
  if (code->refusal[0] != '\0')
    return sl_fail(err, SL_USAGE, "%s", code->refusal);
  if (code->count == 0)
    return sl_fail(err, SL_USAGE, "it has no instructions");
  enum sl_status status = sl_linear_flow_find(&a->flow, code, err);
  if (status == SL_OK)
    status = sl_linear_values_find(&a->values, code, &a->flow, err);
  if (status != SL_OK)
    return status;
  const size_t n = a->values.count + (size_t)1;
  a->polys = sl_polys_new(code->bits);
  a->vector = malloc(n * sizeof *a->vector);
  a->induction = malloc(n * sizeof *a->induction);
  a->induction_of = malloc(n * sizeof *a->induction_of);
  if (!a->polys || !a->vector || !a->induction || !a->induction_of || (a->options.by_register && !find_several(a)))
    return sl_no_memory(err, n * sizeof *a->vector);
  list_inductions(a);
  if (code->symbols + (size_t)a->flow.loops + a->inductions >= UINT16_MAX)
    return sl_fail(err, SL_USAGE, "it has more than 60,000 values that change in loops");
  find_inductions(a);
  return sl_polys_failed(a->polys) ? sl_no_memory(err, n) : SL_OK;
}

void sl_linear_analysis_free(struct sl_linear_analysis *a)
{
  sl_linear_flow_free(&a->flow);
  sl_linear_values_free(&a->values);
  sl_polys_free(a->polys);
  free(a->vector);
  free(a->several);
  free(a->induction);
  free(a->induction_of);
  *a = (struct sl_linear_analysis){.code = NULL};
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

const char *sl_linear_symbol_name(const void *analysis, uint16_t symbol)
{
  static const char *const iterations[] = {"i", "j", "k", "l", "m", "n"};
  const struct sl_linear_analysis *a = analysis;
  if (symbol < a->code->symbols)
    return a->code->symbol[symbol].name;
  const uint32_t loop = (uint32_t)symbol - a->code->symbols;
  const uint32_t depth = loop < a->flow.loops ? a->flow.loop[loop].depth : 0;
  return depth >= 1 && depth <= sizeof iterations / sizeof *iterations ? iterations[depth - 1] : "i'";
}

char *sl_linear_vector_text(const struct sl_linear_analysis *a, const struct sl_linear_vector *v,
                            char text[SL_LINEAR_TEXT])
{
  char part[SL_LINEAR_TEXT];
  int used = snprintf(text, SL_LINEAR_TEXT, "{%s",
                      sl_poly_text(a->polys, v->constant, sl_linear_symbol_name, a, part, sizeof part));
  for (unsigned i = 0; i < SL_LINEAR_INDICES && used > 0 && used < SL_LINEAR_TEXT; i++)
    used += snprintf(text + used, (size_t)(SL_LINEAR_TEXT - used), ", %s",
                     sl_poly_text(a->polys, v->index[i], sl_linear_symbol_name, a, part, sizeof part));
  if (used > 0 && used < SL_LINEAR_TEXT)
    snprintf(text + used, (size_t)(SL_LINEAR_TEXT - used), "}");
  return text;
}

const char *sl_linear_reason_text(enum sl_linear_reason reason)
{
  static const char *const texts[SL_LINEAR_REASONS] = {
      [SL_LINEAR_YES] = "linear",
      [SL_LINEAR_NO_OPERATION] = "not a linear operation",
      [SL_LINEAR_NO_LOAD] = "comes from memory",
      [SL_LINEAR_NO_OPERAND] = "an operand is not linear",
      [SL_LINEAR_NO_PRODUCT] = "product of two varying values",
      [SL_LINEAR_NO_GUARD] = "guarded",
      [SL_LINEAR_NO_MERGE] = "differs between the paths taken",
      [SL_LINEAR_NO_STEP] = "no constant step shared by all lanes in the loop",
      [SL_LINEAR_NO_CALL] = "a call may change it",
      [SL_LINEAR_NO_ENTRY] = "not initialised",
      [SL_LINEAR_NO_WIDTH] = "may wrap around before it is extended",
      [SL_LINEAR_NO_SIZE] = "more than 16 terms",
      [SL_LINEAR_NO_OUTSIDE] = "lanes leave its loop in different iterations",
      [SL_LINEAR_NO_REGISTER] = "its register is written more than once",
  };
  return reason < SL_LINEAR_REASONS ? texts[reason] : "";
}
