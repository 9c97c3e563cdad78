/* Charging cycles and events to instructions; nothing here runs unless someone profiles. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"

static const struct sl_cause causes[SL_SLOT_COUNT] = {
#define CAUSE(id, name, colour, meaning) {name, meaning, SL_##colour},
#include "machine/simtight/simtight_causes.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_CAUSES, SL_SLOT_COUNT, "causes of a row's cycles");

const struct sl_causes sl_simtight_causes = {causes, SL_SLOT_COUNT};

unsigned sl_simtight_profiled(const void *untyped)
{
  const struct sl_simtight_spec *spec = untyped;
  return SL_PROFILE_RETRIES | SL_PROFILE_REGULARITY | SL_PROFILE_DRAM | SL_PROFILE_SCRATCHPAD |
         (spec->compressed ? SL_PROFILE_SPILLS : 0u) | (spec->scalar_pipeline ? SL_PROFILE_SCALAR : 0u);
}

void sl_simtight_profile_start(struct sl_simtight_sm *sm, uint32_t entry)
{
  const uint32_t index = sl_code_index(&sm->warps.code, entry);
  memset(&sm->s.profile, 0, sizeof sm->s.profile);
  sm->s.profile.latest = index < sm->spec.code_words ? index : 0;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    sm->s.profile.last[w] = sm->s.profile.latest;
}

/* The cycles without a pick since the last one go to an instruction. */
static void charge_idle(struct sl_simtight_sm *sm, uint32_t index)
{
  struct sl_profile_row *row = &sm->environment.profile->rows[index];
  for (unsigned slot = 0; slot < SL_SLOT_COUNT; slot++) {
    row->cycles[slot] += sm->s.counts.slots[slot] - sm->s.profile.charged[slot];
    sm->s.profile.charged[slot] = sm->s.counts.slots[slot];
  }
}

void sl_simtight_profile_pick(struct sl_simtight_sm *sm, unsigned warp)
{
  if (sm->s.cycle != sm->s.profile.next_pick)
    charge_idle(sm, sm->s.profile.last[warp]);
  sm->s.profile.next_pick = sm->s.cycle + 1;
}

void sl_simtight_profile_slot(struct sl_simtight_sm *sm, unsigned warp, size_t index, enum sl_slot slot)
{
  struct sl_profile_row *row = &sm->environment.profile->rows[index];
  row->cycles[slot]++;
  sm->s.profile.charged[slot]++;
  sm->s.profile.last[warp] = sm->s.profile.latest = (uint32_t)index;
  row->retries += slot == SL_SLOT_RETRIED;
}

static enum sl_regularity regularity_of(struct sl_regular value)
{
  return !value.regular ? SL_GENERAL : value.stride ? SL_AFFINE : SL_UNIFORM;
}

/* How regular the values of a plain register are; compared when they have changed since the last time. */
static enum sl_regularity plain(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  uint8_t *known = &sm->s.profile.known[warp][reg];
  if (*known == 0) {
    const uint32_t *x = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
    *known = (uint8_t)(1 + regularity_of(sl_register_file_compare(&sm->s.registers, &sm->warps, x)));
  }
  return (enum sl_regularity)(*known - 1);
}

/* How regular a register is that the instruction reads. */
static enum sl_regularity operand(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  if (!sm->spec.compressed)
    return plain(sm, warp, reg);
  return (r->vector | r->spilled) >> reg & 1 ? SL_GENERAL : r->affine >> reg & 1 ? SL_AFFINE : SL_UNIFORM;
}

void sl_simtight_profile_operands(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  struct sl_profile_row *row = &sm->environment.profile->rows[in - sm->warps.code.insn];
  if (in->rs1 != 0 && (in->kind != SL_KIND_CSR || sl_reads_rs1(in)))
    row->operands[operand(sm, warp, in->rs1)]++;
  if (in->rs2 != 0)
    row->operands[operand(sm, warp, in->rs2)]++;
}

static enum sl_regularity result(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  sm->s.profile.known[warp][ex->insn->rd] = 0;
  if (ex->active != sm->warps.all)
    return SL_GENERAL;
  return sm->spec.compressed ? regularity_of(sm->s.registers.warp[warp].result) : plain(sm, warp, ex->insn->rd);
}

void sl_simtight_profile_execution(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                                   struct sl_request *request, bool scalar)
{
  const size_t index = (size_t)(ex->insn - sm->warps.code.insn);
  struct sl_profile_row *row = &sm->environment.profile->rows[index];
  const enum sl_kind kind = ex->insn->kind;
  row->vector_issues += !scalar;
  row->scalar_issues += scalar;
  row->active_lanes += sl_count(ex->active);
  sm->s.profile.last[warp] = sm->s.profile.latest = (uint32_t)index;
  if (ex->insn->rd != 0)
    row->results[result(sm, warp, ex)]++;
  if (kind != SL_KIND_LOAD && kind != SL_KIND_STORE && kind != SL_KIND_AMO && kind != SL_KIND_FENCE)
    return;
  request->instruction = (uint32_t)index;
  if (kind != SL_KIND_FENCE && request->scratchpad) {
    row->scratchpad_requests++;
    row->scratchpad_passes += request->scratchpad_passes;
  }
}

void sl_simtight_profile_end(struct sl_simtight_sm *sm)
{
  charge_idle(sm, sm->s.profile.latest);
}
