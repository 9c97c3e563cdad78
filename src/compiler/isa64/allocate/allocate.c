#include "compiler/isa64/allocate/allocate.h"

#include <string.h>

#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/lir/lir.h"

/* Spill code: moves registers without a physical register to memory.
 *
 * A spilled register is split into pieces, one per block that uses it. A piece is loaded at the block's first read and
 * stored after its last write. A piece that does not fit either is split again, into one piece per instruction with a
 * load before and a store after it; these always fit. A register with a single constant value is recomputed instead of
 * stored (P. Briggs, K. D. Cooper, L. Torczon, "Rematerialization", PLDI 1992). Slots are a separate kind of virtual
 * register, so that slots with disjoint lifetimes can share memory. */

struct spill {
  const struct sl_lir *lir;
  const struct sl_lifetimes *life;
  struct sl_lir *result;
  uint32_t *slot; /* per register of the result */
  size_t slot_room;
  uint8_t *spilled;   /* per register of lir: 1 */
  uint32_t *constant; /* per register: 1 + number of the instruction that recomputes it; 0: it is stored */
  uint32_t *piece;    /* per register: its piece in the current block, SL_LIR_NONE: none yet */
  uint32_t *last;     /* per register: 1 + the last instruction of the current block that writes it */
  uint32_t *seen;     /* registers with a piece in the current block */
  size_t seen_count;
};

/* Finds registers whose definitions are all the same constant. */
static void find_constants(struct spill *s)
{
  enum { NEVER = UINT32_MAX };
  for (uint32_t i = 0; i < s->lir->insn_count; i++) {
    const struct sl_lir_insn *insn = &s->lir->insn[i];
    const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
    const bool is_constant = insn->op < SL_OP_COUNT && sl_lir_is_constant(s->lir, insn);
    for (uint32_t k = 0; k < insn->operand_count; k++) {
      uint32_t *of = &s->constant[operand[k].reg];
      if (operand[k].role == SL_LIR_USE)
        continue;
      if (!is_constant || (*of != 0 && (*of == NEVER || !sl_lir_same_constant(insn, &s->lir->insn[*of - 1]))))
        *of = NEVER;
      else
        *of = i + 1;
    }
  }
  /* A piece of a spilled register may be constant where the whole register is not. */
  for (size_t r = 0; r < SL_LIR_VIRTUAL + s->lir->kind_count; r++)
    if (s->constant[r] == NEVER || r < SL_LIR_VIRTUAL || s->slot[r] != SL_LIR_NONE)
      s->constant[r] = 0;
}

static bool new_register(struct spill *s, enum sl_lir_kind kind, uint32_t slot, uint32_t *reg)
{
  *reg = sl_lir_new(s->result, kind);
  if (*reg == SL_LIR_NONE || !sl_make_room((void **)&s->slot, &s->slot_room, *reg + 1, sizeof *s->slot))
    return false;
  s->slot[*reg] = slot;
  return true;
}

static bool slot_of(struct spill *s, uint32_t reg, uint32_t *slot)
{
  if (s->slot[reg] == SL_LIR_NONE) {
    uint32_t made;
    if (!new_register(s, SL_LIR_SLOT, SL_LIR_NONE, &made))
      return false;
    s->slot[reg] = made;
  }
  *slot = s->slot[reg];
  return true;
}

/* Whether a register is split into pieces per instruction, because it already is a piece of a block. */
static bool momentary(const struct spill *s, uint32_t reg)
{
  return s->lir->kind[reg - SL_LIR_VIRTUAL] == SL_LIR_PIECE;
}

static bool emit(struct spill *s, enum sl_lir_op op, const struct sl_lir_insn *at, uint32_t def, uint32_t use)
{
  const struct sl_lir_insn insn = {.op = (uint16_t)op, .file = at->file, .line = at->line, .origin = SL_LIR_NONE};
  return sl_lir_add(s->result, &insn) &&
         sl_lir_add_operand(s->result, def, SL_LIR_DEF, op == SL_LIR_RELOAD ? SL_LIR_RD : SL_LIR_NO_FIELD) &&
         sl_lir_add_operand(s->result, use, SL_LIR_USE, op == SL_LIR_RELOAD ? SL_LIR_NO_FIELD : SL_LIR_RS1);
}

/* Loads the value of a spilled register into one of its pieces. */
static bool load(struct spill *s, const struct sl_lir_insn *at, uint32_t reg, uint32_t piece)
{
  if (s->constant[reg] == 0) {
    uint32_t slot;
    return slot_of(s, reg, &slot) && emit(s, SL_LIR_RELOAD, at, piece, slot);
  }
  const struct sl_lir_insn *made = &s->lir->insn[s->constant[reg] - 1];
  if (!sl_lir_add_copy(s->result, s->lir, made))
    return false;
  struct sl_lir_insn *copy = &s->result->insn[s->result->insn_count - 1];
  copy->origin = SL_LIR_NONE;
  s->result->operand[copy->operand].reg = piece;
  return true;
}

/* Whether the result of an instruction must be stored after it. */
static bool must_store(const struct spill *s, uint32_t reg, uint32_t i, const struct sl_lir_block *block)
{
  if (s->constant[reg] != 0)
    return false;
  if (momentary(s, reg))
    return true;
  return s->last[reg] == i + 1 && sl_alive(s->life, reg, 2 * (block->insn + block->insn_count) - 1);
}

/* Whether an instruction is a load or store of the spilled register itself: a piece that is split is already in its
 * slot. */
static bool is_superfluous(const struct spill *s, const struct sl_lir_insn *insn)
{
  const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
  if (insn->op == SL_LIR_RELOAD)
    return s->spilled[operand[0].reg] != 0;
  if (insn->op == SL_LIR_SPILL)
    return s->spilled[operand[1].reg] != 0;
  return insn->operand_count > 0 && operand[0].field == SL_LIR_RD && s->spilled[operand[0].reg] != 0 &&
         s->constant[operand[0].reg] != 0;
}

/* Returns the piece for a register in an instruction; loads it if it is read for the first time. */
static bool piece_for(struct spill *s, const struct sl_lir_insn *insn, uint32_t reg, bool reads, uint32_t *piece)
{
  *piece = s->piece[reg];
  if (*piece != SL_LIR_NONE)
    return true;
  const enum sl_lir_kind kind = momentary(s, reg) ? SL_LIR_MOMENT : SL_LIR_PIECE;
  uint32_t slot;
  if (s->constant[reg] == 0 && !slot_of(s, reg, &slot))
    return false;
  if (!new_register(s, kind, s->slot[reg], piece) || (reads && !load(s, insn, reg, *piece)))
    return false;
  s->piece[reg] = *piece;
  s->seen[s->seen_count++] = reg;
  return true;
}

static void forget(struct spill *s, bool all)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->seen_count; i++)
    if (all || momentary(s, s->seen[i]))
      s->piece[s->seen[i]] = SL_LIR_NONE;
    else
      s->seen[kept++] = s->seen[i];
  s->seen_count = kept;
}

static bool instruction(struct spill *s, uint32_t i, const struct sl_lir_block *block)
{
  const struct sl_lir_insn *insn = &s->lir->insn[i];
  const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
  uint32_t piece, slot;
  if (is_superfluous(s, insn))
    return true;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t k = 0; k < insn->operand_count; k++)
      if (s->spilled[operand[k].reg] != 0 && (operand[k].role == SL_LIR_USE) == (pass == 0) &&
          !piece_for(s, insn, operand[k].reg, pass == 0, &piece))
        return false;
  if (!sl_lir_add_copy(s->result, s->lir, insn))
    return false;
  struct sl_lir_operand *copied = s->result->operand + s->result->insn[s->result->insn_count - 1].operand;
  for (uint32_t k = 0; k < insn->operand_count; k++)
    if (s->spilled[operand[k].reg] != 0)
      copied[k].reg = s->piece[operand[k].reg];
  for (uint32_t k = 0; k < insn->operand_count; k++) {
    const uint32_t reg = operand[k].reg;
    if (s->spilled[reg] != 0 && operand[k].role != SL_LIR_USE && must_store(s, reg, i, block) &&
        (!slot_of(s, reg, &slot) || !emit(s, SL_LIR_SPILL, insn, slot, s->piece[reg])))
      return false;
  }
  forget(s, false);
  return true;
}

static bool blocks(struct spill *s)
{
  for (size_t b = 0; b < s->lir->block_count; b++) {
    const struct sl_lir_block *block = &s->lir->block[b];
    s->result->block[b].insn = (uint32_t)s->result->insn_count;
    for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++) {
      const struct sl_lir_operand *operand = sl_lir_operands(s->lir, &s->lir->insn[i]);
      for (uint32_t k = 0; k < s->lir->insn[i].operand_count; k++)
        if (operand[k].role != SL_LIR_USE)
          s->last[operand[k].reg] = i + 1;
    }
    for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++)
      if (!instruction(s, i, block))
        return false;
    forget(s, true);
    s->result->block[b].insn_count = (uint32_t)s->result->insn_count - s->result->block[b].insn;
  }
  return true;
}

/* Splits the registers in spilled[] of lir into result; origins are kept. slot[]: per register of lir the slot that
 * holds its value, SL_LIR_NONE: none yet. On return it has one element per register of result. */
static bool sl_spill(const struct sl_lir *lir, const struct sl_lifetimes *life, const uint32_t *spilled, size_t count,
                     uint32_t **slot, struct sl_lir *result)
{
  const size_t registers = SL_LIR_VIRTUAL + lir->kind_count;
  struct spill s = {.lir = lir, .life = life, .result = result, .slot = *slot, .slot_room = registers};
  s.spilled = sl_zeroed(registers, sizeof *s.spilled);
  s.constant = sl_zeroed(registers, sizeof *s.constant);
  s.piece = sl_zeroed(registers, sizeof *s.piece);
  s.last = sl_zeroed(registers, sizeof *s.last);
  s.seen = sl_zeroed(registers, sizeof *s.seen);
  bool room = s.spilled != NULL && s.constant != NULL && s.piece != NULL && s.last != NULL && s.seen != NULL &&
              sl_lir_like(lir, result);
  if (room) {
    for (size_t i = 0; i < count; i++)
      s.spilled[spilled[i]] = 1;
    memset(s.piece, 0xff, registers * sizeof *s.piece);
    find_constants(&s);
    room = blocks(&s);
  }
  *slot = s.slot;
  free(s.spilled);
  free(s.constant);
  free(s.piece);
  free(s.last);
  free(s.seen);
  return room;
}

/* Slot colouring: slots that never hold a value at the same time share memory. The pass takes slots in order of their
 * start and gives each the first free place. The number of places is the largest number of slots in use at once. */

struct span {
  uint32_t start, end, reg;
};

static int compare(const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x->reg > y->reg) - (x->reg < y->reg);
}

/* Writes the place of each slot to colour[], which has one element per register of the function. *count: number of
 * places. False: out of memory. */
static bool sl_colour_slots(const struct sl_lir *lir, const struct sl_lifetimes *life, uint32_t *colour,
                            uint32_t *count)
{
  struct span *span = sl_zeroed(lir->kind_count, sizeof *span);
  uint32_t *busy_until = sl_zeroed(lir->kind_count, sizeof *busy_until);
  const bool room = span != NULL && busy_until != NULL;
  size_t spans = 0;
  *count = 0;
  for (uint32_t v = 0; room && v < lir->kind_count; v++) {
    const uint32_t reg = SL_LIR_VIRTUAL + v;
    if (lir->kind[v] == SL_LIR_SLOT && sl_segment_count(life, reg) > 0)
      span[spans++] =
          (struct span){life->segment[life->first[reg]].start, life->segment[life->first[reg + 1] - 1].end, reg};
  }
  if (spans > 0)
    qsort(span, spans, sizeof *span, compare);
  for (size_t i = 0; i < spans; i++) {
    uint32_t c = 0;
    while (c < *count && busy_until[c] > span[i].start)
      c++;
    *count += c == *count;
    busy_until[c] = span[i].end;
    colour[span[i].reg] = c;
  }
  free(span);
  free(busy_until);
  return room;
}

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
    result->kind_count = f.slots + f.saved_count;
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
