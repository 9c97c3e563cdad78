#include "linear/linear_phases.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ptx/run/ptx_linear.h"

enum { SLICE = SL_PTX_BLOCK_LINEAR, SLICES = 4, NO_CR = -1 };

/* A coefficient register: which polynomial it has. */
struct writer {
  FILE *out;
  const struct sl_linear_phases *phases;
  const struct sl_linear_analysis *a;
  sl_poly cr[SL_PTX_LINEAR_CRS];
  bool used[SL_PTX_LINEAR_CRS];
  unsigned crs; /* of all, with the gaps of slices */
  unsigned slices;
  unsigned dimension[SLICES]; /* of the block, by slice */
  unsigned offsets;           /* first number behind the slices */
  bool full;
};

static const char letters[] = "xyz";

const char *sl_linear_sum_name(const struct sl_linear_sum *sum, uint32_t i, char name[SL_LINEAR_SUM_NAME])
{
  snprintf(name, SL_LINEAR_SUM_NAME, "%%l%c%" PRIu32, sum->wide ? 'd' : 'w', i);
  return name;
}

static int find(const struct writer *w, sl_poly poly, unsigned from)
{
  for (unsigned i = from; i < w->crs; i++)
    if (w->used[i] && w->cr[i] == poly)
      return (int)i;
  return NO_CR;
}

static void put_at(struct writer *w, unsigned number, sl_poly poly)
{
  w->cr[number] = poly;
  w->used[number] = poly != SL_POLY_ZERO; /* registers are 0 to begin with */
  w->crs = number >= w->crs ? number + 1 : w->crs;
}

static void add_coefficient(struct writer *w, sl_poly poly)
{
  if (poly == SL_POLY_ZERO || find(w, poly, w->offsets) != NO_CR)
    return;
  if (w->crs >= SL_PTX_LINEAR_CRS)
    w->full = true;
  else
    put_at(w, w->crs, poly);
}

static void number_slices(struct writer *w)
{
  const struct sl_linear_plan *plan = w->phases->plan;
  w->slices = plan->lrs > 0 ? 1 : 0;
  for (uint32_t i = 0; i < plan->lrs; i++)
    put_at(w, i, plan->lr[i].constant);
  for (unsigned d = 0; d < 3; d++) {
    bool any = false;
    for (uint32_t i = 0; i < plan->lrs; i++)
      any |= plan->lr[i].index[SL_LINEAR_BX + d] != SL_POLY_ZERO;
    if (!any)
      continue;
    for (uint32_t i = 0; i < plan->lrs; i++)
      put_at(w, w->slices * SLICE + i, plan->lr[i].index[SL_LINEAR_BX + d]);
    w->dimension[w->slices++] = d;
  }
  w->offsets = w->crs = w->slices * SLICE;
}

static void number_all(struct writer *w)
{
  const struct sl_linear_plan *plan = w->phases->plan;
  int64_t number;
  number_slices(w);
  for (uint32_t i = 0; i < w->phases->sums; i++)
    add_coefficient(w, w->phases->sum[i].coefficient);
  for (uint32_t t = 0; t < plan->trs; t++)
    for (unsigned d = 0; d < SL_LINEAR_BX; d++)
      if (!sl_poly_is_number(w->a->polys, plan->tr[t].index[d], &number))
        add_coefficient(w, plan->tr[t].index[d]);
}

static void declare(const struct writer *w)
{
  const struct sl_linear_phases *p = w->phases;
  char name[SL_LINEAR_SUM_NAME];
  fprintf(w->out, "\t.reg .b64 %%cr<%u>, %%sy<%u>, %%cm<2>, %%tr<%u>, %%br, %%cs<%d>, %%ur<%u>;\n", w->crs + 1,
          (unsigned)w->a->code->symbols + 1, p->plan->trs + 1, SLICES, p->plan->urs + 1);
  fprintf(w->out, "\t.reg .b64 %%ld<%u>;\n\t.reg .b32 %%lw<%u>;\n", p->sums + 1, p->sums + 1);
  for (unsigned i = 0; i < w->crs; i++)
    if (w->used[i])
      fprintf(w->out, "\tr2.cr %%cr%u, %u;\n", i, i);
  for (uint32_t i = 0; i < p->plan->trs; i++)
    fprintf(w->out, "\tr2.tr %%tr%u, %u;\n", i, i);
  for (unsigned i = 0; i < w->slices; i++)
    fprintf(w->out, "\tr2.slice %%cs%u, %u;\n", i, i);
  if (p->plan->lrs > 0)
    fprintf(w->out, "\tr2.br %%br, %u;\n", p->plan->lrs);
  for (uint32_t i = 0; i < p->sums; i++) {
    const struct sl_linear_source *s = &p->sum[i].source;
    const bool combined = s->lr != SL_LINEAR_NONE;
    const uint16_t tr = combined ? p->plan->lr[s->lr].tr : SL_LINEAR_NONE;
    fprintf(w->out, "\tr2.sum.b%d %s, %d, %d, %d, ", p->sum[i].wide ? 64 : 32, sl_linear_sum_name(&p->sum[i], i, name),
            combined ? s->lr : NO_CR, tr != SL_LINEAR_NONE ? tr : NO_CR,
            p->sum[i].coefficient != SL_POLY_ZERO ? find(w, p->sum[i].coefficient, w->offsets) : NO_CR);
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
  for (unsigned i = 0; i < w->crs && loaded != NULL; i++) {
    const struct sl_poly_term *term;
    const unsigned terms = w->used[i] ? sl_poly_terms(w->a->polys, w->cr[i], &term) : 0;
    for (unsigned t = 0; t < terms; t++)
      for (unsigned k = 0; k < SL_POLY_DEGREE && term[t].symbol[k] != 0; k++) {
        if (!loaded[term[t].symbol[k]])
          load_symbol(w, term[t].symbol[k]);
        loaded[term[t].symbol[k]] = true;
      }
  }
  free(loaded);
}

/* cr = cr + coefficient * symbols, of the first term without what was there. */
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
  for (unsigned i = 0; i < w->crs; i++) {
    const struct sl_poly_term *term;
    const int same = w->used[i] ? find(w, w->cr[i], 0) : NO_CR;
    if (same != NO_CR && (unsigned)same < i)
      fprintf(w->out, "\tmov.b64 %%cr%u, %%cr%d;\n", i, same);
    const unsigned terms = (unsigned)same == i ? sl_poly_terms(w->a->polys, w->cr[i], &term) : 0;
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
        fprintf(w->out, "%%cr%d", find(w, coefficient, w->offsets));
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
  if (w->slices > 0)
    fprintf(w->out, "\tmov.b64 %%br, %%cs0;\n");
  for (unsigned s = 1; s < w->slices; s++)
    fprintf(w->out, "\tr2.mad.u64 %%br, %%ctaid.%c, %%cs%u, %%br;\n", letters[w->dimension[s]], s);
  fprintf(w->out, "\tr2.end;\n");
}

enum sl_status sl_linear_phases_write(FILE *out, const struct sl_linear_phases *phases, struct sl_error *err)
{
  struct writer w = {.out = out, .phases = phases, .a = phases->plan->analysis};
  number_all(&w);
  if (w.full)
    return sl_fail(err, SL_USAGE, "more than %d coefficients are needed", SL_PTX_LINEAR_CRS);
  declare(&w);
  write_coefficients(&w);
  write_thread_part(&w);
  write_block_part(&w);
  return SL_OK;
}
