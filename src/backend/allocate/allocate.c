#include "backend/allocate/allocate.h"

#include <string.h>

#include "backend/allocate/slot_colours.h"
#include "backend/allocate/spill_code.h"
#include "backend/grow.h"
#include "backend/lir/lir_select.h"

/* Each unfinished round splits at least one register further, which is possible twice per register. A few more rounds
 * cover registers that fail only because of others. */
enum { MOST_ROUNDS = 40 };

struct finish {
  const struct sl_assignment *a;
  const struct sl_lir *from; /* with virtual registers, spilled ones split */
  struct sl_lir *to;
  uint32_t *colour;
  uint8_t saved[SL_REGISTERS]; /* in the order of their slots */
  uint32_t saved_count, slots;
};

static enum sl_status no_memory(struct sl_error *err)
{
  return sl_no_memory(err, sizeof(struct sl_lir_insn));
}

/* The registers of the calling convention must exist. */
static enum sl_status check_physical(const struct sl_lir *lir, const struct sl_registers *r, struct sl_error *err)
{
  for (size_t i = 0; i < lir->operand_count; i++)
    if (lir->operand[i].reg < SL_LIR_VIRTUAL && lir->operand[i].reg >= r->count)
      return sl_fail(err, SL_USAGE, "it needs register x%u, but there are %u; give it fewer arguments",
                     lir->operand[i].reg, r->count);
  for (size_t i = 0; i < lir->source->edge_count; i++)
    if (lir->edge[i] == 0)
      return sl_fail(err, SL_USAGE, "it jumps to its first block");
  return SL_OK;
}

/* ra and the frame pointer come first, where unwinders expect them. */
static void find_saved(struct finish *f)
{
  const struct sl_registers *r = f->a->registers;
  bool written[SL_REGISTERS] = {[SL_RA] = f->from->calls, [SL_FP] = f->from->frame_pointer};
  for (size_t i = 0; i < f->from->operand_count; i++)
    if (f->from->operand[i].role != SL_LIR_USE && !sl_lir_is_slot(f->from, f->from->operand[i].reg))
      written[f->a->physical[f->from->operand[i].reg] % SL_REGISTERS] = true;
  static const uint8_t first[] = {SL_RA, SL_FP};
  for (size_t i = 0; i < 2; i++)
    if (written[first[i]] && (first[i] == SL_RA || r->saved[first[i]] || f->from->frame_pointer))
      f->saved[f->saved_count++] = first[i];
  for (unsigned reg = 0; reg < r->count; reg++)
    if (written[reg] && r->saved[reg] && reg != SL_FP)
      f->saved[f->saved_count++] = (uint8_t)reg;
}

static bool move(struct finish *f, enum sl_lir_op op, uint32_t i, const struct sl_lir_insn *at)
{
  const struct sl_lir_insn insn = {.op = (uint16_t)op, .file = at->file, .line = at->line, .origin = SL_LIR_NONE};
  const uint32_t slot = SL_LIR_VIRTUAL + f->slots + i;
  if (op == SL_LIR_SPILL)
    return sl_lir_add(f->to, &insn) && sl_lir_add_operand(f->to, slot, SL_LIR_DEF, SL_LIR_NO_FIELD) &&
           sl_lir_add_operand(f->to, f->saved[i], SL_LIR_USE, SL_LIR_RS1);
  return sl_lir_add(f->to, &insn) && sl_lir_add_operand(f->to, f->saved[i], SL_LIR_DEF, SL_LIR_RD) &&
         sl_lir_add_operand(f->to, slot, SL_LIR_USE, SL_LIR_NO_FIELD);
}

static bool prologue(struct finish *f, const struct sl_lir_insn *at)
{
  for (uint32_t i = 0; i < f->saved_count; i++)
    if (!move(f, SL_LIR_SPILL, i, at))
      return false;
  const struct sl_lir_insn frame = {.op = SL_LIR_FRAME, .file = at->file, .line = at->line, .origin = SL_LIR_NONE};
  return !f->from->frame_pointer ||
         (sl_lir_add(f->to, &frame) && sl_lir_add_operand(f->to, SL_FP, SL_LIR_DEF, SL_LIR_RD));
}

/* Restores the frame pointer last, because the other loads use it. */
static bool epilogue(struct finish *f, const struct sl_lir_insn *at)
{
  const struct sl_lir_insn unframe = {.op = SL_LIR_UNFRAME, .file = at->file, .line = at->line, .origin = SL_LIR_NONE};
  if (f->from->frame_pointer && !sl_lir_add(f->to, &unframe))
    return false;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < f->saved_count; i++)
      if ((f->saved[i] == SL_FP) == (pass == 1) && !move(f, SL_LIR_RELOAD, i, at))
        return false;
  return true;
}

static bool rewrite(struct finish *f, const struct sl_lir_insn *insn)
{
  if (!sl_lir_add_copy(f->to, f->from, insn))
    return false;
  struct sl_lir_operand *operand = sl_lir_operands(f->to, &f->to->insn[f->to->insn_count - 1]);
  for (uint32_t k = 0; k < insn->operand_count; k++) {
    const uint32_t reg = operand[k].reg;
    operand[k].reg = sl_lir_is_slot(f->from, reg) ? SL_LIR_VIRTUAL + f->colour[reg] : f->a->physical[reg];
    /* An unused result whose write must have no effect. */
    if (operand[k].reg == SL_NO_REGISTER && reg >= SL_LIR_VIRTUAL && !sl_lir_is_slot(f->from, reg))
      operand[k].reg = SL_ZERO;
  }
  return true;
}

static bool finish_blocks(struct finish *f)
{
  static const struct sl_lir_insn nowhere = {.line = 0};
  for (size_t b = 0; b < f->from->block_count; b++) {
    const struct sl_lir_block *block = &f->from->block[b];
    const struct sl_lir_insn *insn = f->from->insn + block->insn;
    f->to->block[b].insn = (uint32_t)f->to->insn_count;
    if (b == 0 && !prologue(f, block->insn_count > 0 ? insn : &nowhere))
      return false;
    for (uint32_t i = 0; i < block->insn_count; i++)
      if ((sl_lir_is_exit(&insn[i]) && !epilogue(f, &insn[i])) || !rewrite(f, &insn[i]))
        return false;
    f->to->block[b].insn_count = (uint32_t)f->to->insn_count - f->to->block[b].insn;
  }
  return true;
}

static enum sl_status finish(const struct sl_assignment *a, struct sl_lir *result, struct sl_allocation_facts *facts,
                             struct sl_error *err)
{
  struct finish f = {.a = a, .from = a->lir, .to = result};
  f.colour = sl_zeroed(SL_LIR_VIRTUAL + a->lir->kind_count, sizeof *f.colour);
  bool room = f.colour != NULL && sl_colour_slots(a->lir, &a->life, f.colour, &f.slots) && sl_lir_like(a->lir, result);
  if (room) {
    find_saved(&f);
    free(result->kind);
    result->kind_count = result->kind_room = f.slots + f.saved_count;
    result->kind = sl_zeroed(result->kind_count, 1);
    room = result->kind != NULL;
  }
  if (room) {
    memset(result->kind, SL_LIR_SLOT, result->kind_count);
    room = finish_blocks(&f);
  }
  free(f.colour);
  facts->slots = f.slots;
  facts->saved = f.saved_count;
  for (unsigned reg = 0; reg < SL_REGISTERS; reg++)
    facts->registers += a->users[reg] > 0;
  for (size_t i = 0; i < a->lir->insn_count; i++) {
    facts->spill_loads += a->lir->insn[i].op == SL_LIR_RELOAD;
    facts->spill_stores += a->lir->insn[i].op == SL_LIR_SPILL;
  }
  return room ? SL_OK : no_memory(err);
}

/* Parameters of an attempt. */
struct way {
  enum sl_allocation allocation;
  bool avoid_sp; /* as in struct sl_assignment */
};

/* One attempt; *again: a register was spilled, and `lir` has been replaced. */
static enum sl_status attempt(struct sl_lir *lir, const struct sl_registers *registers, const struct way *way,
                              uint32_t **slot, struct sl_lir *result, struct sl_allocation_facts *facts, bool *again,
                              struct sl_error *err)
{
  struct sl_assignment a;
  struct sl_lir divided = {0};
  size_t count = 0;
  uint32_t *spilled = sl_zeroed(lir->kind_count, sizeof *spilled);
  enum sl_status status = no_memory(err);
  if (sl_assignment_init(&a, lir, registers, way->allocation, way->avoid_sp) && spilled != NULL)
    status = sl_assign(&a, spilled, &count, err);
  *again = count > 0;
  if (status == SL_OK && count > 0 && !sl_spill(lir, &a.life, spilled, count, slot, &divided))
    status = no_memory(err);
  if (status == SL_OK && count == 0)
    status = finish(&a, result, facts, err);
  sl_assignment_free(&a);
  free(spilled);
  if (status != SL_OK || count == 0) {
    sl_lir_free(&divided);
    return status;
  }
  sl_lir_free(lir);
  *lir = divided;
  return SL_OK;
}

/* Copies a function and numbers its instructions. */
static bool numbered(const struct sl_lir *lir, struct sl_lir *copy)
{
  if (!sl_lir_like(lir, copy))
    return false;
  for (size_t b = 0; b < lir->block_count; b++)
    copy->block[b] = lir->block[b];
  for (uint32_t i = 0; i < lir->insn_count; i++) {
    if (!sl_lir_add_copy(copy, lir, &lir->insn[i]))
      return false;
    copy->insn[i].origin = i;
  }
  return true;
}

static enum sl_status allocate(const struct sl_lir *lir, const struct sl_registers *registers, const struct way *way,
                               struct sl_lir *result, struct sl_allocation_facts *facts, struct sl_error *err)
{
  struct sl_registers own = *registers;
  struct sl_lir work = {0};
  *result = (struct sl_lir){0};
  *facts = (struct sl_allocation_facts){0};
  if (lir->frame_pointer)
    sl_registers_reserve_frame_pointer(&own);
  enum sl_status status = check_physical(lir, &own, err);
  if (status != SL_OK)
    return status;
  uint32_t *slot = malloc((SL_LIR_VIRTUAL + lir->kind_count) * sizeof *slot);
  if (slot == NULL || !numbered(lir, &work)) {
    status = no_memory(err);
  } else {
    memset(slot, 0xff, (SL_LIR_VIRTUAL + lir->kind_count) * sizeof *slot);
    bool again = true;
    while (status == SL_OK && again && facts->rounds < MOST_ROUNDS) {
      facts->rounds++;
      status = attempt(&work, &own, way, &slot, result, facts, &again, err);
    }
    if (status == SL_OK && again)
      status = sl_fail(err, SL_USAGE, "spilling does not terminate with %u registers", own.count);
  }
  sl_lir_free(&work);
  free(slot);
  if (status != SL_OK)
    sl_lir_free(result);
  return status;
}

unsigned sl_source_conflicts(const struct sl_lir *lir, const struct sl_registers *registers,
                             const struct sl_lir_insn *insn)
{
  uint32_t source[3];
  unsigned pairs = 0;
  const unsigned count = sl_lir_sources(lir, insn, source);
  for (unsigned x = 0; x < count; x++)
    for (unsigned y = x + 1; y < count; y++)
      pairs += registers->bank[source[x]] == registers->bank[source[y]];
  return pairs;
}

/* Cost of conflicts and frame accesses, weighted by execution frequency; and whether any conflict executes more than
 * once per call. */
static double price(const struct sl_lir *lir, const struct sl_registers *registers, bool *in_loops)
{
  double sum = 0;
  *in_loops = false;
  for (size_t b = 0; b < lir->block_count; b++)
    for (uint32_t i = 0; i < lir->block[b].insn_count; i++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[b].insn + i];
      const unsigned conflicts = sl_source_conflicts(lir, registers, insn);
      const bool moves = insn->op == SL_LIR_SPILL || insn->op == SL_LIR_RELOAD;
      sum += (conflicts + moves) * lir->block[b].frequency;
      *in_loops = *in_loops || (conflicts > 0 && lir->block[b].frequency > lir->block[0].frequency);
    }
  return sum;
}

enum sl_status sl_allocate(const struct sl_lir *lir, const struct sl_registers *registers,
                           enum sl_allocation allocation, struct sl_lir *result, struct sl_allocation_facts *facts,
                           struct sl_error *err)
{
  const struct way first = {allocation, true}, second = {allocation, false};
  struct sl_lir other;
  struct sl_allocation_facts other_facts;
  bool in_loops;
  const enum sl_status status = allocate(lir, registers, &first, result, facts, err);
  if (status != SL_OK || allocation != SL_COST)
    return status;
  const double cost = price(result, registers, &in_loops);
  if (!in_loops || allocate(lir, registers, &second, &other, &other_facts, NULL) != SL_OK)
    return SL_OK;
  const bool better = price(&other, registers, &in_loops) < cost;
  sl_lir_free(better ? result : &other);
  if (better) {
    *result = other;
    *facts = other_facts;
  }
  return SL_OK;
}
