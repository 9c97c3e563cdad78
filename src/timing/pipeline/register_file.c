#include "timing/pipeline/register_file.h"

#include <string.h>

#include "func/path_execute.h"

enum { FIRST_PERIOD = 64 /* initial number of cycles per value of the series */ };

void sl_register_file_init(struct sl_register_file *f, const struct sl_register_file_spec *spec)
{
  memset(f, 0, sizeof *f);
  f->spec = *spec;
  sl_register_file_start(f);
}

void sl_register_file_start(struct sl_register_file *f)
{
  f->in_use = f->most = 0;
  f->samples = 0;
  f->next_sample = SL_SLOT_SAMPLE_CYCLES - 1;
  memset(f->change, 0, sizeof f->change);
  for (unsigned i = 0; i < 2; i++) {
    f->writes[i].cycle = -SL_REGISTER_WRITE_STAGES - 1;
    f->writes[i].index = 0;
  }
  f->free_count = f->spec.slots;
  for (unsigned i = 0; i < f->free_count; i++)
    f->free[i] = (uint16_t)(f->free_count - 1 - i);
  memset(f->warp, 0, sizeof f->warp);
  for (unsigned w = 0; w < f->spec.warps; w++)
    f->warp[w].stale = ~UINT32_C(1);
  f->series = (struct sl_series){.period = FIRST_PERIOD};
  f->series_next = FIRST_PERIOD - 1;
  f->series_most = 0;
}

void sl_register_file_expand(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, uint32_t registers)
{
  struct sl_warp_registers *r = &f->warp[warp];
  uint32_t *x = sl_path_warps_registers(t, warp);
  for (uint32_t rest = registers & r->stale; rest; rest &= rest - 1) {
    const unsigned reg = sl_lowest(rest);
    t->ops->fill(x + ((size_t)reg << t->lane_bits), r->base[reg], r->stride[reg], t->spec.lanes);
  }
  r->stale &= ~registers;
}

bool sl_register_file_regular(const struct sl_path_warps *t, const uint32_t *values, struct sl_regular candidate)
{
  const unsigned lanes = t->spec.lanes;
  return (candidate.stride == 0 ? t->ops->equal(values, candidate.base, lanes)
                                : t->ops->strided(values, candidate.base, candidate.stride, lanes)) == t->all;
}

/* ---- execution -------------------------------------------------------------------------------------------------- */

static enum sl_effect deliver(struct sl_warp_registers *r, unsigned rd, uint32_t base, unsigned stride)
{
  r->result =
      (struct sl_regular){.base = base, .stride = (uint8_t)stride, .regular = true, .once = true, .rd = (uint8_t)rd};
  return SL_EFFECT_RESULT;
}

/* Computes rd's lane values from its result, to be valid until and after the write-back. */
static void deliver_lanes(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, unsigned rd, bool all)
{
  struct sl_warp_registers *r = &f->warp[warp];
  r->stale &= ~(UINT32_C(1) << rd);
  if (all)
    r->result = sl_register_file_compare(f, t, sl_path_warps_registers(t, warp) + ((size_t)rd << t->lane_bits));
}

/* Computes the sum of an affine and a uniform operand, if its base stays aligned. */
static bool add_affine(struct sl_warp_registers *r, const struct sl_insn *in, const struct sl_operands *o,
                       unsigned lanes)
{
  if (!o->addition)
    return false;
  const bool immediate = in->op == SL_OP_ADDI;
  const unsigned stride1 = r->stride[in->rs1], stride2 = immediate ? 0 : r->stride[in->rs2];
  const uint32_t base = r->base[in->rs1] + (immediate ? in->imm : r->base[in->rs2]);
  if ((stride1 && stride2) || (base & (lanes * (stride1 | stride2) - 1)) != 0)
    return false;
  deliver(r, in->rd, base, stride1 | stride2);
  return true;
}

/* Computes once from uniform operands, whose bases form a warp of one lane; or on all lanes. */
enum sl_effect sl_register_file_compute(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                        const struct sl_execution *ex, const struct sl_operands *o)
{
  const struct sl_insn *in = ex->insn;
  struct sl_warp_registers *r = &f->warp[warp];
  sl_paths_advance(&t->paths[warp], 0, sl_code_next(&t->code, ex->pc));
  if (in->rd == 0)
    return SL_EFFECT_NONE;
  if (!((r->vector | r->spilled | r->affine) & o->reads)) {
    const uint32_t before = r->base[in->rd]; /* the entry's value until the write-back */
    t->ops->one->execute[in->op](r->base, in, 1, ex->pc, 1);
    const uint32_t value = r->base[in->rd];
    r->base[in->rd] = before;
    return deliver(r, in->rd, value, 0);
  }
  if (!((r->vector | r->spilled) & o->reads) && add_affine(r, in, o, t->spec.lanes))
    return SL_EFFECT_RESULT;
  if (r->stale & o->reads)
    sl_register_file_expand(f, t, warp, o->reads);
  t->ops->execute[in->op](sl_path_warps_registers(t, warp), in, t->all, ex->pc, t->spec.lanes);
  deliver_lanes(f, t, warp, in->rd, true);
  return SL_EFFECT_RESULT;
}

/* Executes a jump or branch of all lanes together. Returns false if the target is outside the program; the per-lane
 * execution reports this. */
static bool jump(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, struct sl_execution *ex,
                 enum sl_effect *effect)
{
  const struct sl_insn *in = ex->insn;
  struct sl_warp_registers *r = &f->warp[warp];
  bool taken = true;
  uint32_t target = ex->pc + in->imm;
  if (in->kind == SL_KIND_BRANCH)
    taken = t->ops->one->execute[in->op](r->base, in, 1, ex->pc, 1) != 0;
  else if (in->kind == SL_KIND_JALR)
    target = (r->base[in->rs1] + in->imm) & ~1u;
  if (taken && sl_path_warps_outside(t, target))
    return false;
  ex->jumped = taken;
  sl_path_warps_count_call(t, &t->paths[warp].path[0], in);
  sl_paths_advance(&t->paths[warp], 0, taken ? target : sl_code_next(&t->code, ex->pc));
  *effect = in->kind != SL_KIND_BRANCH && in->rd != 0 ? deliver(r, in->rd, sl_code_next(&t->code, ex->pc), 0)
                                                      : SL_EFFECT_NONE;
  return true;
}

/* Executes a load or store with a compressed address. Returns false if it must execute lane by lane. */
static bool access_regular(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                           const struct sl_execution *ex, struct sl_request *request)
{
  const struct sl_insn *in = ex->insn;
  struct sl_warp_registers *r = &f->warp[warp];
  const uint32_t operand = UINT32_C(1) << in->rs2;
  uint32_t value;
  if (in->kind == SL_KIND_LOAD && r->stride[in->rs1] == 0 && !f->spec.addresses &&
      sl_memory_load_uniform(t, warp, ex, r->base[in->rs1], &value, request)) {
    sl_paths_advance(&t->paths[warp], 0, sl_code_next(&t->code, ex->pc));
    if (in->rd != 0)
      deliver(r, in->rd, value, 0);
    return true;
  }
  if (r->stale & operand)
    sl_register_file_expand(f, t, warp, operand);
  if (!sl_memory_access_regular(t, warp, ex, r->base[in->rs1], r->stride[in->rs1], request))
    return false;
  sl_paths_advance(&t->paths[warp], 0, sl_code_next(&t->code, ex->pc));
  if (in->rd != 0)
    deliver_lanes(f, t, warp, in->rd, true);
  return true;
}

static enum sl_effect execute_lanes(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, unsigned path,
                                    struct sl_execution *ex, struct sl_request *request, const struct sl_operands *o)
{
  const struct sl_insn *in = ex->insn;
  const bool all = ex->active == t->all;
  const uint32_t needed = o->reads | (all ? 0 : o->writes);
  if (f->warp[warp].stale & needed)
    sl_register_file_expand(f, t, warp, needed);
  const enum sl_effect effect = sl_path_execute(t, warp, path, ex, request);
  if (effect == SL_EFFECT_RESULT ||
      (effect == SL_EFFECT_NONE && (in->kind == SL_KIND_LOAD || sl_kind_is_atomic(in->kind)) && in->rd != 0))
    deliver_lanes(f, t, warp, in->rd, all);
  return effect;
}

enum sl_effect sl_register_file_execute_other(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                              unsigned path, struct sl_execution *ex, struct sl_request *request,
                                              const struct sl_operands *o)
{
  const struct sl_warp_registers *r = &f->warp[warp];
  const struct sl_insn *in = ex->insn;
  enum sl_effect effect;
  if (!f->spec.once || ex->active != t->all)
    return execute_lanes(f, t, warp, path, ex, request, o);
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
    if (!((r->vector | r->spilled) >> in->rs1 & 1) && access_regular(f, t, warp, ex, request))
      return SL_EFFECT_NONE;
    break;
  case SL_KIND_BRANCH:
  case SL_KIND_JAL:
  case SL_KIND_JALR:
    if (!((r->vector | r->spilled | r->affine) & o->reads) && jump(f, t, warp, ex, &effect))
      return effect;
    break;
  default: break;
  }
  return execute_lanes(f, t, warp, path, ex, request, o);
}

/* ---- writes ----------------------------------------------------------------------------------------------------- */

/* Frees the register's slot; the counter shows it `stages` cycles later. */
static void deallocate(struct sl_register_file *f, struct sl_warp_registers *r, unsigned reg, int64_t now, int stages)
{
  if (!(r->vector >> reg & 1))
    return;
  r->vector &= ~(UINT32_C(1) << reg);
  f->free[f->free_count++] = r->slot[reg];
  f->change[(now + stages) % SL_REGISTER_RING]--;
}

/* Allocates a slot. The threshold guarantees a free one, unless a checkpoint has more writes in flight than a machine
 * can have. */
static void allocate(struct sl_register_file *f, struct sl_warp_registers *r, unsigned reg, int64_t now)
{
  if (f->free_count == 0)
    return;
  r->vector |= UINT32_C(1) << reg;
  r->slot[reg] = f->free[--f->free_count];
  f->change[(now + SL_REGISTER_WRITE_STAGES) % SL_REGISTER_RING]++;
}

static void set_scalar(struct sl_warp_registers *r, unsigned reg)
{
  const uint32_t others = ~(UINT32_C(1) << reg);
  r->base[reg] = r->result.base;
  r->stride[reg] = r->result.stride;
  r->affine = (r->affine & others) | (uint32_t)(r->result.stride != 0) << reg;
  r->stale = (r->stale & others) | (uint32_t)r->result.once << reg;
  r->spilled &= others;
  r->zero &= others;
}

void sl_register_file_update(struct sl_register_file *f, unsigned warp, unsigned reg, bool compressed, int64_t now)
{
  struct sl_warp_registers *r = &f->warp[warp];
  const uint32_t bit = UINT32_C(1) << reg;
  if (compressed) {
    deallocate(f, r, reg, now, SL_REGISTER_WRITE_STAGES);
    set_scalar(r, reg);
    r->zero |= (uint32_t)((r->result.base | r->result.stride) == 0) << reg;
  } else {
    allocate(f, r, reg, now);
    r->spilled &= ~bit;
    r->affine &= ~bit;
    r->zero &= ~bit;
  }
}

void sl_register_file_write_scalar(struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now)
{
  struct sl_warp_registers *r = &f->warp[warp];
  if (reg == 0)
    return;
  deallocate(f, r, reg, now, SL_REGISTER_WRITE_STAGES - 1);
  set_scalar(r, reg);
}

void sl_register_file_evict(struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now)
{
  struct sl_warp_registers *r = &f->warp[warp];
  f->writes[now & 1].cycle = now;
  f->writes[now & 1].index = warp * SL_REGISTERS + reg;
  deallocate(f, r, reg, now, SL_REGISTER_WRITE_STAGES);
  r->spilled |= UINT32_C(1) << reg;
}

void sl_register_file_abandon(struct sl_register_file *f, unsigned warp, int64_t now)
{
  struct sl_warp_registers *r = &f->warp[warp];
  const uint32_t vectors = r->vector;
  for (uint32_t rest = vectors; rest; rest &= rest - 1)
    deallocate(f, r, sl_lowest(rest), now, SL_REGISTER_WRITE_STAGES);
  r->spilled |= vectors;
}

bool sl_register_file_set(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, unsigned lane,
                          unsigned reg, uint32_t value, int64_t now)
{
  struct sl_warp_registers *r = &f->warp[warp];
  uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)reg << t->lane_bits);
  sl_register_file_expand(f, t, warp, UINT32_C(1) << reg);
  const uint32_t before = values[lane];
  values[lane] = value;
  const struct sl_regular kept = r->result;
  r->result = sl_register_file_compare(f, t, values);
  const bool compressed = r->result.regular, room = compressed || r->vector >> reg & 1 || f->free_count > 0;
  if (!room)
    values[lane] = before;
  else if (compressed || !(r->vector >> reg & 1))
    sl_register_file_update(f, warp, reg, compressed, now);
  r->result = kept;
  return room;
}

/* Whether a compressed register still has these values. */
static bool holds(const struct sl_path_warps *t, const struct sl_warp_registers *r, unsigned reg,
                  const uint32_t *values)
{
  const struct sl_regular held = {.base = r->base[reg], .stride = r->stride[reg]};
  return !((r->vector | r->spilled) >> reg & 1) && sl_register_file_regular(t, values, held);
}

void sl_register_file_gather(struct sl_register_file *f, const struct sl_path_warps *t, unsigned warp, unsigned kept)
{
  struct sl_warp_registers *r = &f->warp[warp];
  const struct sl_regular before = r->result;
  r->stale = 0;
  for (unsigned reg = 1; reg < SL_REGISTERS; reg++) {
    const uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)reg << t->lane_bits);
    const uint32_t bit = UINT32_C(1) << reg;
    if (holds(t, r, reg, values))
      continue;
    r->result = sl_register_file_compare(f, t, values);
    if (r->result.regular || (!(r->vector & bit) && f->free_count > kept)) {
      sl_register_file_update(f, warp, reg, r->result.regular, 0);
    } else if (!(r->vector & bit)) {
      r->spilled |= bit;
      r->affine &= ~bit;
      r->zero &= ~bit;
    }
  }
  r->result = before;
}

void sl_register_file_settle(struct sl_register_file *f)
{
  memset(f->change, 0, sizeof f->change);
  f->in_use = f->spec.slots - f->free_count;
  f->most = f->in_use > f->most ? f->in_use : f->most;
  f->series_most = f->in_use > f->series_most ? f->in_use : f->series_most;
}

/* ---- statistics ------------------------------------------------------------------------------------------------- */

static void add_to_series(struct sl_register_file *f)
{
  struct sl_series *s = &f->series;
  if (s->count == SL_SERIES_SIZE) {
    for (unsigned i = 0; i < SL_SERIES_SIZE / 2; i++)
      s->value[i] = s->value[2 * i] > s->value[2 * i + 1] ? s->value[2 * i] : s->value[2 * i + 1];
    s->count = SL_SERIES_SIZE / 2;
    s->period *= 2;
    f->series_next += (int64_t)s->period / 2; /* the current value is half of its merged one */
    return;
  }
  s->value[s->count++] = (uint16_t)f->series_most;
  f->series_most = f->in_use;
  f->series_next += (int64_t)s->period;
}

void sl_register_file_sample(struct sl_register_file *f, int64_t now)
{
  for (; now >= f->next_sample; f->next_sample += SL_SLOT_SAMPLE_CYCLES)
    f->samples += f->in_use;
  while (now >= f->series_next)
    add_to_series(f);
}
