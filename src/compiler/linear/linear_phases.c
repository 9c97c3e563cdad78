#include "compiler/linear/linear_rewrite.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ptx/run/ptx_linear.h"

enum { NO_CR = SL_LINEAR_NO_COEFFICIENT, BITS = 64 };

static_assert((int)SL_LINEAR_COEFFICIENTS == (int)SL_PTX_LINEAR_CRS, "as many as an SM has");
static_assert((int)SL_LINEAR_REGISTERS == (int)SL_PTX_BLOCK_LINEAR, "a slice has one for each linear register");

struct writer {
  FILE *out;
  const struct sl_linear_phases *phases;
  const struct sl_linear_analysis *a;
  struct sl_linear_coefficients c;
};

static const char letters[] = "xyz";

const char *sl_linear_sum_name(const struct sl_linear_sum *sum, uint32_t i, char name[SL_LINEAR_SUM_NAME])
{
  snprintf(name, SL_LINEAR_SUM_NAME, "%%l%c%" PRIu32, sum->wide ? 'd' : 'w', i);
  return name;
}

static int find(const struct writer *w, sl_poly poly, unsigned from)
{
  return sl_linear_coefficient(&w->c, poly, from);
}

static enum sl_status number_all(struct writer *w, struct sl_error *err)
{
  const struct sl_linear_phases *p = w->phases;
  sl_poly *added = malloc((p->sums + (size_t)1) * sizeof *added);
  for (uint32_t i = 0; i < p->sums && added != NULL; i++)
    added[i] = p->sum[i].coefficient;
  if (added == NULL)
    return sl_no_memory(err, p->sums * sizeof *added);
  sl_linear_coefficients_number(&w->c, p->plan, added, p->sums, BITS);
  free(added);
  if (w->c.full)
    return sl_fail(err, SL_USAGE, "it needs more than %d coefficients", SL_LINEAR_COEFFICIENTS);
  return SL_OK;
}

static void declare(const struct writer *w)
{
  const struct sl_linear_phases *p = w->phases;
  char name[SL_LINEAR_SUM_NAME];
  fprintf(w->out, "\t.reg .b64 %%cr<%u>, %%sy<%u>, %%cm<2>, %%tr<%u>, %%br, %%cs<%d>, %%ur<%u>;\n", w->c.crs + 1,
          (unsigned)w->a->code->symbols + 1, p->plan->trs + 1, SL_LINEAR_SLICES, p->plan->urs + 1);
  fprintf(w->out, "\t.reg .b64 %%ld<%u>;\n\t.reg .b32 %%lw<%u>;\n", p->sums + 1, p->sums + 1);
  for (unsigned i = 0; i < w->c.crs; i++)
    if (w->c.used[i])
      fprintf(w->out, "\tr2.cr %%cr%u, %u;\n", i, i);
  for (uint32_t i = 0; i < p->plan->trs; i++)
    fprintf(w->out, "\tr2.tr %%tr%u, %u;\n", i, i);
  for (unsigned i = 0; i < w->c.slices; i++)
    fprintf(w->out, "\tr2.slice %%cs%u, %u;\n", i, i);
  if (p->plan->lrs > 0)
    fprintf(w->out, "\tr2.br %%br, %u;\n", p->plan->lrs);
  for (uint32_t i = 0; i < p->sums; i++) {
    const struct sl_linear_source *s = &p->sum[i].source;
    const bool combined = s->lr != SL_LINEAR_NONE;
    const uint16_t tr = combined ? p->plan->lr[s->lr].tr : SL_LINEAR_NONE;
    fprintf(w->out, "\tr2.sum.b%d %s, %d, %d, %d, ", p->sum[i].wide ? 64 : 32, sl_linear_sum_name(&p->sum[i], i, name),
            combined ? s->lr : NO_CR, tr != SL_LINEAR_NONE ? tr : NO_CR,
            p->sum[i].coefficient != SL_POLY_ZERO ? find(w, p->sum[i].coefficient, w->c.offsets) : NO_CR);
    if (s->ur != SL_LINEAR_NONE)
      fprintf(w->out, "%%ur%u", s->ur);
    else
      fprintf(w->out, "0");
    fprintf(w->out, ", %" PRId64 ";\n", s->number);
  }
}

static void load_symbol(const struct writer *w, uint16_t number)
{
  const struct sl_linear_symbol *s = &w->a->code->symbol[number];
  if (s->origin != SL_LINEAR_ARGUMENT) {
    fprintf(w->out, "\tr2.mad.u64 %%sy%u, %%%s.%c, 1, 0;\n", number,
            s->origin == SL_LINEAR_BLOCK_SIZE ? "ntid" : "nctaid", letters[s->at]);
    return;
  }
  for (unsigned i = 0; i < w->phases->kernel->param_count; i++) {
    const struct sl_ptx_param *p = &w->phases->kernel->params[i];
    if (s->at >= p->offset && s->at < p->offset + p->bytes)
      fprintf(w->out, "\tld.param.%s %%sy%u, [%s+%u];\n", s->bytes == sizeof(int32_t) ? "s32" : "u64", number, p->name,
              s->at - p->offset);
  }
}

static void load_symbols(const struct writer *w)
{
  bool *loaded = calloc(w->a->code->symbols + (size_t)1, sizeof *loaded);
  for (unsigned i = 0; i < w->c.crs && loaded != NULL; i++) {
    const struct sl_poly_term *term;
    const unsigned terms = w->c.used[i] ? sl_poly_terms(w->a->polys, w->c.cr[i], &term) : 0;
    for (unsigned t = 0; t < terms; t++)
      for (unsigned k = 0; k < SL_POLY_DEGREE && term[t].symbol[k] != 0; k++) {
        if (!loaded[term[t].symbol[k]])
          load_symbol(w, term[t].symbol[k]);
        loaded[term[t].symbol[k]] = true;
      }
  }
  free(loaded);
}

/* cr = cr + coefficient * symbols; the first term omits the old value. */
static void add_term(const struct writer *w, unsigned cr, const struct sl_poly_term *t, bool first)
{
  char product[24] = "%cm0";
  if (t->symbol[0] == 0) {
    if (first)
      fprintf(w->out, "\tmov.b64 %%cr%u, %" PRId64 ";\n", cr, t->coefficient);
    else
      fprintf(w->out, "\tadd.s64 %%cr%u, %%cr%u, %" PRId64 ";\n", cr, cr, t->coefficient);
    return;
  }
  if (t->symbol[1] == 0)
    snprintf(product, sizeof product, "%%sy%u", t->symbol[0]);
  else
    fprintf(w->out, "\tmul.lo.s64 %%cm0, %%sy%u, %%sy%u;\n", t->symbol[0], t->symbol[1]);
  for (unsigned k = 2; k < SL_POLY_DEGREE && t->symbol[k] != 0 && t->symbol[1] != 0; k++)
    fprintf(w->out, "\tmul.lo.s64 %%cm0, %%cm0, %%sy%u;\n", t->symbol[k]);
  if (first && t->coefficient == 1)
    fprintf(w->out, "\tmov.b64 %%cr%u, %s;\n", cr, product);
  else if (first)
    fprintf(w->out, "\tmul.lo.s64 %%cr%u, %s, %" PRId64 ";\n", cr, product, t->coefficient);
  else if (t->coefficient == 1)
    fprintf(w->out, "\tadd.s64 %%cr%u, %%cr%u, %s;\n", cr, cr, product);
  else
    fprintf(w->out, "\tmad.lo.s64 %%cr%u, %s, %" PRId64 ", %%cr%u;\n", cr, product, t->coefficient, cr);
}

static void write_coefficients(const struct writer *w)
{
  load_symbols(w);
  for (unsigned i = 0; i < w->c.crs; i++) {
    const struct sl_poly_term *term;
    const int same = w->c.used[i] ? find(w, w->c.cr[i], 0) : NO_CR;
    if (same != NO_CR && (unsigned)same < i)
      fprintf(w->out, "\tmov.b64 %%cr%u, %%cr%d;\n", i, same);
    const unsigned terms = (unsigned)same == i ? sl_poly_terms(w->a->polys, w->c.cr[i], &term) : 0;
    for (unsigned t = 0; t < terms; t++)
      add_term(w, i, &term[t], t == 0);
  }
  fprintf(w->out, "\tr2.end;\n");
}

static void write_thread_part(const struct writer *w)
{
  const struct sl_linear_plan *plan = w->phases->plan;
  for (uint32_t t = 0; t < plan->trs; t++) {
    bool first = true;
    for (unsigned d = 0; d < SL_LINEAR_BX; d++) {
      const sl_poly coefficient = plan->tr[t].index[d];
      int64_t number = 0;
      if (coefficient == SL_POLY_ZERO)
        continue;
      fprintf(w->out, "\tr2.mad.u64 %%tr%" PRIu32 ", %%tid.%c, ", t, letters[d]);
      if (sl_poly_is_number(w->a->polys, coefficient, &number))
        fprintf(w->out, "%" PRId64, number);
      else
        fprintf(w->out, "%%cr%d", find(w, coefficient, w->c.offsets));
      if (first)
        fprintf(w->out, ", 0;\n");
      else
        fprintf(w->out, ", %%tr%" PRIu32 ";\n", t);
      first = false;
    }
  }
  fprintf(w->out, "\tr2.end;\n");
}

static void write_block_part(const struct writer *w)
{
  if (w->c.slices > 0)
    fprintf(w->out, "\tmov.b64 %%br, %%cs0;\n");
  for (unsigned s = 1; s < w->c.slices; s++)
    fprintf(w->out, "\tr2.mad.u64 %%br, %%ctaid.%c, %%cs%u, %%br;\n", letters[w->c.dimension[s]], s);
  fprintf(w->out, "\tr2.end;\n");
}

enum sl_status sl_linear_phases_write(FILE *out, const struct sl_linear_phases *phases, struct sl_error *err)
{
  struct writer w = {.out = out, .phases = phases, .a = phases->plan->analysis};
  const enum sl_status status = number_all(&w, err);
  if (status != SL_OK)
    return status;
  declare(&w);
  write_coefficients(&w);
  write_thread_part(&w);
  write_block_part(&w);
  return SL_OK;
}
