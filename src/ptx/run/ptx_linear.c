#include "ptx/run/ptx_linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t word __attribute__((may_alias));
typedef int64_t wide __attribute__((may_alias));

static wide *lanes_of(const struct sl_ptx_warp *w, struct sl_ptx_place p)
{
  return (wide *)(w->area[p.area] + p.offset);
}

static bool add_name(struct sl_ptx_linear_name **names, unsigned *count, const struct sl_ptx_insn *in)
{
  struct sl_ptx_linear_name *grown = realloc(*names, (*count + (size_t)1) * sizeof *grown);
  if (grown == NULL)
    return false;
  *names = grown;
  grown[(*count)++] = (struct sl_ptx_linear_name){.place = in->d, .number = in->target};
  return true;
}

static bool add_sum(struct sl_ptx_linear *l, const struct sl_ptx_insn *in)
{
  struct sl_ptx_linear_sum *grown = realloc(l->sum, (l->sums + (size_t)1) * sizeof *grown);
  if (grown == NULL)
    return false;
  l->sum = grown;
  const struct sl_ptx_linear_sum s = {.place = in->d,
                                      .ur = in->a,
                                      .id = in->dst[0].id,
                                      .ur_id = in->srcs > 0 ? in->src[0].id : SL_PTX_NO_REG,
                                      .lr = (uint8_t)in->target,
                                      .tr = (uint8_t)(in->target >> 8),
                                      .cr = (uint8_t)(in->target >> 16),
                                      .wide = in->bytes == sizeof(int64_t),
                                      .number = in->immediate};
  l->lrs = s.lr != SL_PTX_LINEAR_NONE && s.lr >= l->lrs ? s.lr + 1u : l->lrs;
  l->tr_count = s.tr != SL_PTX_LINEAR_NONE && s.tr >= l->tr_count ? s.tr + 1u : l->tr_count;
  l->cr_count = s.cr != SL_PTX_LINEAR_NONE && s.cr >= l->cr_count ? s.cr + 1u : l->cr_count;
  grown[l->sums++] = s;
  return true;
}

static bool declare(struct sl_ptx_linear *l, const struct sl_ptx_insn *in)
{
  switch ((enum sl_ptx_linear_mode)in->mode) {
  case SL_PTX_LINEAR_CR:
    l->cr_count = in->target >= l->cr_count ? in->target + 1 : l->cr_count;
    return add_name(&l->cr, &l->crs, in);
  case SL_PTX_LINEAR_TR:
    l->tr_count = in->target >= l->tr_count ? in->target + 1 : l->tr_count;
    return add_name(&l->tr, &l->trs, in);
  case SL_PTX_LINEAR_SLICE: return add_name(&l->slice, &l->slices, in);
  case SL_PTX_LINEAR_BR:
    l->br = in->d;
    l->lrs = in->target > l->lrs ? in->target : l->lrs;
    return true;
  case SL_PTX_LINEAR_SUM: return add_sum(l, in);
  case SL_PTX_LINEAR_END: break;
  }
  return true;
}

/* The sums that each instruction of the last phase reads. */
static bool find_reads(struct sl_ptx_linear *l, const struct sl_ptx_module *m)
{
  const uint32_t begin = l->kernel->begin, end = l->kernel->end;
  uint32_t count = 0;
  l->first = calloc(end - begin + (size_t)1, sizeof *l->first);
  l->reads = malloc((end - begin) * (size_t)(SL_PTX_ELEMENTS + 1) * sizeof *l->reads);
  for (uint32_t pc = begin; pc < end && l->first != NULL && l->reads != NULL; pc++) {
    const struct sl_ptx_insn *in = &m->code[pc];
    for (unsigned s = 0; s < l->sums && in->kind != SL_PTX_K_LINEAR; s++) {
      bool reads = in->address.id == l->sum[s].id;
      for (unsigned k = 0; k < in->srcs; k++)
        reads |= in->src[k].id == l->sum[s].id;
      if (reads)
        l->reads[count++] = (uint16_t)s;
    }
    l->first[pc - begin + 1] = count;
  }
  return l->first != NULL && l->reads != NULL;
}

/* KERNEL$r2d2 */
static const struct sl_ptx_function *variant_of(const struct sl_ptx_module *module, const char *kernel)
{
  const size_t length = strlen(kernel);
  for (unsigned i = 0; i < module->function_count; i++) {
    const struct sl_ptx_function *f = &module->functions[i];
    if (f->entry && f->defined && strncmp(f->name, kernel, length) == 0 && strcmp(f->name + length, "$r2d2") == 0)
      return f;
  }
  return NULL;
}

enum sl_status sl_ptx_linear_find(struct sl_ptx_linear **linear, const struct sl_ptx_module *module,
                                  const struct sl_ptx_function *kernel, struct sl_error *err)
{
  *linear = NULL;
  const struct sl_ptx_function *f = variant_of(module, kernel->name);
  if (f == NULL)
    return SL_OK;
  struct sl_ptx_linear *l = *linear = calloc(1, sizeof *l);
  bool fits = l != NULL;
  unsigned phase = 0;
  uint32_t pc = f->begin;
  for (; pc < f->end && fits && module->code[pc].kind == SL_PTX_K_LINEAR && module->code[pc].mode != SL_PTX_LINEAR_END;
       pc++)
    fits = declare(l, &module->code[pc]);
  for (uint32_t at = pc; at < f->end && fits && phase < SL_PTX_PHASES; at++) {
    if (at == pc)
      l->start[phase++] = at;
    if (phase < SL_PTX_PHASES && module->code[at].kind == SL_PTX_K_LINEAR && at + 1 < f->end)
      l->start[phase++] = at + 1;
  }
  if (fits) {
    l->kernel = f;
    fits = find_reads(l, module);
  }
  if (!fits)
    return sl_no_memory(err, sizeof *l);
  if (phase < SL_PTX_PHASES || f->param_bytes != kernel->param_bytes)
    return sl_fail(
        err, SL_USAGE,
        "%s: kernel %.100s must have r2.end three times and the parameters of %.100s; create it again with simtlab "
        "linear -o, or set r2d2=off",
        module->path, f->name, kernel->name);
  return SL_OK;
}

void sl_ptx_linear_free(struct sl_ptx_linear *l)
{
  if (l == NULL)
    return;
  free(l->cr);
  free(l->tr);
  free(l->slice);
  free(l->sum);
  free(l->first);
  free(l->reads);
  free(l);
}

enum sl_status sl_ptx_linear_make(struct sl_ptx_linear_registers *r, const struct sl_ptx_linear *linear,
                                  const struct sl_ptx_launch *launch, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  const size_t lanes = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES * SL_PTX_LANES;
  *r = (struct sl_ptx_linear_registers){.linear = linear, .lanes = (unsigned)lanes};
  r->cr = calloc(SL_PTX_LINEAR_CRS + 1, sizeof *r->cr);
  r->tr = calloc((linear->tr_count + (size_t)1) * lanes, sizeof *r->tr);
  return r->cr && r->tr ? SL_OK : sl_no_memory(err, lanes * linear->tr_count * sizeof *r->tr);
}

void sl_ptx_linear_unmake(struct sl_ptx_linear_registers *r)
{
  free(r->cr);
  free(r->tr);
  *r = (struct sl_ptx_linear_registers){.linear = NULL};
}

/* Lanes of the block part are linear registers, not threads. */
static void enter(struct sl_ptx_warp *w, enum sl_ptx_phase phase)
{
  const struct sl_ptx_linear *l = w->block->linear->linear;
  const uint32_t registers = (uint32_t)sl_low_bits(l->lrs > 0 ? l->lrs : 1);
  w->phase = (uint8_t)phase;
  sl_simt_stack_init(&w->stack, l->start[phase],
                     phase == SL_PTX_PHASE_COEFFICIENTS ? 1
                     : phase == SL_PTX_PHASE_BLOCK      ? registers
                                                        : w->threads);
}

void sl_ptx_linear_begin(struct sl_ptx_block *b)
{
  for (unsigned i = 0; i < b->warp_count; i++)
    enter(&b->warps[i], b->linear->begun ? (i == 0 ? SL_PTX_PHASE_BLOCK : SL_PTX_PHASE_REST)
                        : i == 0         ? SL_PTX_PHASE_COEFFICIENTS
                                         : SL_PTX_PHASE_THREADS);
  b->linear->begun = true;
}

void sl_ptx_linear_end(struct sl_ptx_warp *w)
{
  struct sl_ptx_linear_registers *r = w->block->linear;
  const struct sl_ptx_linear *l = r->linear;
  if (w->phase == SL_PTX_PHASE_COEFFICIENTS)
    for (unsigned i = 0; i < l->crs; i++)
      r->cr[l->cr[i].number] = lanes_of(w, l->cr[i].place)[0];
  else if (w->phase == SL_PTX_PHASE_THREADS)
    for (unsigned i = 0; i < l->trs; i++)
      memcpy(&r->tr[l->tr[i].number * r->lanes + w->index * SL_PTX_LANES], lanes_of(w, l->tr[i].place),
             SL_PTX_LANES * sizeof *r->tr);
  else if (w->phase == SL_PTX_PHASE_BLOCK && l->lrs > 0)
    memcpy(w->block->br, lanes_of(w, l->br), l->lrs * sizeof *w->block->br);
  enter(w, w->phase == SL_PTX_PHASE_THREADS && w->index > 0 ? SL_PTX_PHASE_REST : w->phase + 1u);
}

static void read_sum(struct sl_ptx_warp *w, const struct sl_ptx_linear_sum *s)
{
  const struct sl_ptx_block *b = w->block;
  const struct sl_ptx_linear_registers *r = b->linear;
  static const int64_t none[SL_PTX_LANES];
  const int64_t *tr = s->tr == SL_PTX_LINEAR_NONE ? none : &r->tr[s->tr * r->lanes + w->index * SL_PTX_LANES];
  const wide *ur = lanes_of(w, s->ur);
  const uint64_t same = (uint64_t)s->number + (s->lr == SL_PTX_LINEAR_NONE ? 0 : (uint64_t)b->br[s->lr]) +
                        (s->cr == SL_PTX_LINEAR_NONE ? 0 : (uint64_t)r->cr[s->cr]);
  wide *to = lanes_of(w, s->place);
  word *narrow = (word *)to;
  for (unsigned i = 0; i < SL_PTX_LANES; i++) {
    const uint64_t sum = same + (uint64_t)tr[i] + (uint64_t)ur[i];
    if (s->wide)
      to[i] = (int64_t)sum;
    else
      narrow[i] = (uint32_t)sum;
  }
}

void sl_ptx_linear_read(struct sl_ptx_warp *w, uint32_t pc)
{
  const struct sl_ptx_linear_registers *r = w->block->linear;
  const struct sl_ptx_linear *l = r->linear;
  const uint32_t begin = l->kernel->begin;
  if (pc < begin || pc >= l->kernel->end)
    return; /* of a function that it calls */
  if (pc == l->start[SL_PTX_PHASE_THREADS])
    for (unsigned i = 0; i < l->crs; i++)
      for (unsigned k = 0; k < SL_PTX_LANES; k++)
        lanes_of(w, l->cr[i].place)[k] = r->cr[l->cr[i].number];
  if (pc == l->start[SL_PTX_PHASE_BLOCK])
    for (unsigned i = 0; i < l->slices; i++)
      memcpy(lanes_of(w, l->slice[i].place), &r->cr[l->slice[i].number * SL_PTX_BLOCK_LINEAR],
             SL_PTX_BLOCK_LINEAR * sizeof *r->cr);
  for (uint32_t i = l->first[pc - begin]; i < l->first[pc - begin + 1]; i++)
    read_sum(w, &l->sum[l->reads[i]]);
}
