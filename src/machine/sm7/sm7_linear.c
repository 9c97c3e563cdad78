#include "machine/sm7/sm7_lower.h"

struct sl_sm7_linear sl_sm7_linear_of(const struct sl_ptx_linear *linear, const struct sl_ptx_launch *launch)
{
  const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
  return (struct sl_sm7_linear){.trs = linear->tr_count,
                                .crs = linear->cr_count,
                                .warps = (threads + SL_SM7_LANES - 1) / SL_SM7_LANES,
                                .words = sizeof(int64_t) / sizeof(uint32_t)};
}

bool sl_sm7_linear_fits(const struct sl_sm7_spec *spec, const struct sl_sm7_demand *demand,
                        const struct sl_sm7_linear *l, unsigned before, unsigned after, struct sl_sm7_demand *with)
{
  struct sl_sm7_occupancy as_it_is, other;
  struct sl_sm7_demand d = *demand;
  d.registers = d.registers + after > before ? d.registers + after - before : 1;
  d.block_registers = l->words * SL_SM7_LANES;
  d.sm_registers = l->words * SL_SM7_LANES * l->trs * l->warps +
                   SL_SM7_LANES * ((l->crs * l->words + SL_SM7_LANES - 1) / SL_SM7_LANES);
  if (sl_sm7_occupancy(spec, demand, &as_it_is, NULL) != SL_OK || sl_sm7_occupancy(spec, &d, &other, NULL) != SL_OK ||
      other.fits < as_it_is.fits)
    return false;
  *with = d;
  return true;
}

enum sl_status sl_sm7_linear_choose(const struct sl_sm7_spec *spec, struct sl_ptx_launch *launch,
                                    struct sl_sm7_demand *demand, struct sl_ptx_linear **linear, struct sl_error *err)
{
  *linear = NULL;
  if (!spec->r2d2)
    return SL_OK;
  const enum sl_status status = sl_ptx_linear_find(linear, launch->module, launch->kernel, err);
  if (status != SL_OK || *linear == NULL)
    return status;
  if ((*linear)->kernel->registers > SL_SM7_REGISTERS)
    return SL_OK;
  const struct sl_sm7_linear l = sl_sm7_linear_of(*linear, launch);
  if (!sl_sm7_linear_fits(spec, demand, &l, launch->kernel->regs_per_thread, (*linear)->kernel->regs_per_thread,
                          demand))
    return SL_OK;
  launch->kernel = (*linear)->kernel;
  launch->linear = *linear;
  return SL_OK;
}

enum sl_status sl_sm7_linear_shadow(const struct sl_sm7_spec *spec, struct sl_ptx_launch *launch,
                                    const struct sl_ptx_launch *original, const struct sl_ptx_bounds *bounds,
                                    struct sl_error *err)
{
  if (!spec->linear_shadow || launch->linear == NULL)
    return SL_OK;
  if (bounds->reached != NULL || bounds->restores != NULL)
    return sl_fail(err, SL_USAGE, "launches with a shadow have no checkpoints; set r2d2.shadow=off");
  launch->shadow = original;
  return SL_OK;
}

static bool is_sum(const struct sl_ptx_linear *l, uint32_t at, uint16_t id)
{
  for (uint32_t i = l->first[at]; i < l->first[at + 1]; i++)
    if (l->sum[l->reads[i]].id == id)
      return true;
  return false;
}

static void read(struct sl_sm7_instruction *code, unsigned number, unsigned words)
{
  sl_sm7_add_source(code, SL_SM7_PLACED | number, words);
  if (code->reads < SL_SM7_READ)
    code->read_bank[code->reads++] = (uint16_t)number;
}

void sl_sm7_linear_read_own(struct sl_sm7_instruction *code, unsigned number, unsigned words)
{
  read(code, number, words);
  code->words_read = (uint8_t)(code->words_read + words);
  code->values_read++;
}

/* A value that all lanes share: two words of a register of 32 are read. */
static void read_narrow(struct sl_sm7_instruction *code, unsigned number)
{
  read(code, number, 1);
  code->narrow_reads++;
}

void sl_sm7_linear_read(struct sl_sm7_instruction *code, const struct sl_sm7_linear *file,
                        const struct sl_sm7_linear_parts *parts)
{
  if (parts->tr != SL_PTX_LINEAR_NONE)
    sl_sm7_linear_read_own(code, sl_sm7_linear_tr(file, parts->tr, 0, 0), file->words);
  if (parts->lr != SL_PTX_LINEAR_NONE)
    read_narrow(code, sl_sm7_linear_br(file, 0, 0));
  if (parts->cr != SL_PTX_LINEAR_NONE)
    read_narrow(code, sl_sm7_linear_cr(file, parts->cr, 1));
}

/* Ordinary operands stay. Parts of sums are read in addition; a part that grows in a loop must not be pending. */
static void replace(struct sl_sm7_instruction *code, const struct sl_ptx_insn *in, const struct sl_ptx_linear *l,
                    const struct sl_sm7_linear *file, uint32_t at)
{
  unsigned watched = 0;
  for (unsigned i = 0; i < code->watched; i++)
    if (!is_sum(l, at, code->watch[i]))
      code->watch[watched++] = code->watch[i];
  code->watched = (uint8_t)watched;
  code->reads = code->words_read = code->values_read = code->sources = 0;
  for (unsigned i = 0; i < in->srcs; i++)
    if (in->src[i].id != SL_PTX_NO_REG && !is_sum(l, at, in->src[i].id))
      sl_sm7_linear_read_own(code, in->src[i].printed, in->src[i].words);
  if (in->address.id != SL_PTX_NO_REG && !is_sum(l, at, in->address.id))
    sl_sm7_linear_read_own(code, in->address.printed, in->address.words);
  for (uint32_t i = l->first[at]; i < l->first[at + 1]; i++) {
    const struct sl_ptx_linear_sum *s = &l->sum[l->reads[i]];
    sl_sm7_linear_read(code, file, &(struct sl_sm7_linear_parts){.lr = s->lr, .tr = s->tr, .cr = s->cr});
    if (s->ur_id != SL_PTX_NO_REG && code->watched < SL_SM7_WATCHED) {
      code->watch[code->watched++] = s->ur_id;
      sl_sm7_linear_read_own(code, s->ur_id, file->words);
    }
  }
}

/* The end of a phase waits for the last results. */
static void wait_for_results(struct sl_sm7_instruction *code, const struct sl_ptx_insn *end,
                             const struct sl_ptx_insn *first)
{
  for (const struct sl_ptx_insn *in = end; in-- > first && in->kind != SL_PTX_K_LINEAR;)
    if (in->dsts > 0 && code->watched < SL_SM7_WATCHED)
      code->watch[code->watched++] = in->dst[0].id;
}

/* An addition to a register that sums have as their growing part. */
static bool is_update(const struct sl_ptx_linear *l, const struct sl_ptx_insn *in)
{
  bool grows = false, reads = false;
  for (unsigned i = 0; i < l->sums && in->dsts == 1; i++)
    grows |= l->sum[i].ur_id != SL_PTX_NO_REG && l->sum[i].ur_id == in->dst[0].id;
  for (unsigned i = 0; i < in->srcs; i++)
    reads |= in->src[i].id == in->dst[0].id;
  return grows && reads;
}

void sl_sm7_linear_facts(struct sl_sm7_instruction *code, const struct sl_ptx_launch *launch, uint32_t adds)
{
  const struct sl_ptx_linear *l = launch->linear;
  const struct sl_sm7_linear file = sl_sm7_linear_of(l, launch);
  for (uint32_t pc = l->kernel->begin; pc < l->kernel->end; pc++) {
    const uint32_t at = pc - l->kernel->begin;
    bool combined = false;
    for (uint32_t i = l->first[at]; i < l->first[at + 1]; i++)
      combined |= l->sum[l->reads[i]].lr != SL_PTX_LINEAR_NONE;
    const struct sl_ptx_insn *in = &launch->module->code[pc];
    if (l->first[at] < l->first[at + 1])
      replace(&code[pc], in, l, &file, at);
    if (in->kind == SL_PTX_K_LINEAR && in->mode == SL_PTX_LINEAR_END)
      wait_for_results(&code[pc], in, &launch->module->code[l->kernel->begin]);
    code[pc].update = is_update(l, in);
    code[pc].adds = (uint8_t)(combined ? adds : 0);
  }
}
