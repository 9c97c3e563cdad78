#include "compiler/isa64/allocate/assignment.h"

#include <math.h>

#include "compiler/isa64/grow.h"

/* Weight is executions divided by (length in points + this constant): short registers have higher weight, since they
 * block less. */
enum { LEAST_LENGTH = 40 };

static uint32_t length_of(const struct sl_lifetimes *l, uint32_t reg)
{
  uint32_t length = 0;
  for (uint32_t s = l->first[reg]; s < l->first[reg + 1]; s++)
    length += l->segment[s].end - l->segment[s].start;
  return length;
}

static void weigh(struct sl_assignment *a)
{
  const struct sl_lir *lir = a->lir;
  for (size_t b = 0; b < lir->block_count; b++)
    for (uint32_t i = 0; i < lir->block[b].insn_count; i++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[b].insn + i];
      const struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
      for (uint32_t k = 0; k < insn->operand_count; k++) {
        a->weight[operand[k].reg] += lir->block[b].frequency;
        a->tail[operand[k].reg] = a->tail[operand[k].reg] || insn->op == SL_LIR_TAIL_REGISTER;
      }
    }
  for (uint32_t v = 0; v < lir->kind_count; v++) {
    const uint32_t reg = SL_LIR_VIRTUAL + v;
    a->weight[reg] /= length_of(&a->life, reg) + LEAST_LENGTH;
    if (lir->kind[v] == SL_LIR_MOMENT)
      a->weight[reg] = INFINITY;
    a->over_call[reg] = sl_alive_over_call(&a->life, reg);
  }
}

bool sl_assignment_init(struct sl_assignment *a, const struct sl_lir *lir, const struct sl_registers *registers,
                        enum sl_allocation allocation, bool avoid_sp)
{
  const size_t count = SL_LIR_VIRTUAL + lir->kind_count;
  *a = (struct sl_assignment){.lir = lir, .registers = registers, .allocation = allocation, .avoid_sp = avoid_sp};
  a->physical = sl_zeroed(count, sizeof *a->physical);
  a->weight = sl_zeroed(count, sizeof *a->weight);
  a->over_call = sl_zeroed(count, sizeof *a->over_call);
  a->tail = sl_zeroed(count, sizeof *a->tail);
  if (a->physical == NULL || a->weight == NULL || a->over_call == NULL || a->tail == NULL ||
      !sl_lifetimes_init(&a->life, lir) || !sl_conflict_graph(&a->conflicts, lir) || !sl_copy_graph(&a->copies, lir))
    return false;
  for (uint32_t reg = 0; reg < count; reg++)
    a->physical[reg] = reg < SL_LIR_VIRTUAL ? (uint16_t)reg : SL_NO_REGISTER;
  weigh(a);
  for (unsigned reg = 0; reg < registers->count; reg++)
    if (!registers->reserved[reg] && !sl_occupy(&a->occupancy, reg, &a->life, reg))
      return false;
  return true;
}

void sl_assignment_free(struct sl_assignment *a)
{
  sl_lifetimes_free(&a->life);
  sl_weighted_graph_free(&a->conflicts);
  sl_weighted_graph_free(&a->copies);
  sl_occupancy_free(&a->occupancy);
  free(a->physical);
  free(a->weight);
  free(a->over_call);
  free(a->tail);
  *a = (struct sl_assignment){0};
}

bool sl_may_have(const struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  const bool saved = a->registers->saved[physical];
  if (a->registers->reserved[physical])
    return false;
  if (a->tail[reg] && (saved || physical == 1))
    return false;
  return !a->over_call[reg] || saved;
}

bool sl_give(struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  a->physical[reg] = (uint16_t)physical;
  a->users[physical]++;
  return sl_occupy(&a->occupancy, physical, &a->life, reg);
}

void sl_take_back(struct sl_assignment *a, uint32_t reg)
{
  const unsigned physical = a->physical[reg];
  a->users[physical]--;
  sl_vacate(&a->occupancy, physical, &a->life, reg);
  a->physical[reg] = SL_NO_REGISTER;
}
