#include "compiler/isa64/allocate/allocate.h"

#include <string.h>

#include "base/types.h"
#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/lir/lir.h"

/* Which values each location certainly holds, for the proof of an allocation. Values and locations are numbers. A write
 * gives a value a new version, which invalidates all copies elsewhere: each entry stores the version that was current
 * when it was added. */

struct sl_held {
  uint32_t location, value;
};

/* Facts at a point, by location and value, in the form stored between blocks. */
struct sl_held_list {
  struct sl_held *at;
  size_t count;
  bool reached;
};

struct sl_noted {
  uint32_t value, version, next; /* next: 1 + index, 0 for the end */
};

struct sl_held_values {
  uint32_t *version; /* per value */
  uint32_t *head;    /* per location: 1 + index of the first entry, 0: holds nothing */
  struct sl_noted *note;
  size_t note_count;
  uint32_t locations, values, last_version;
  bool failed; /* an allocation of memory failed */
};

static bool sl_held_init(struct sl_held_values *h, uint32_t locations, uint32_t values)
{
  *h = (struct sl_held_values){.locations = locations, .values = values, .last_version = 1};
  h->version = sl_zeroed(values, sizeof *h->version);
  h->head = sl_zeroed(locations, sizeof *h->head);
  return h->version != NULL && h->head != NULL;
}

static void sl_held_free(struct sl_held_values *h)
{
  free(h->version);
  free(h->head);
  free(h->note);
  *h = (struct sl_held_values){0};
}

/* Adds a value to the values that the location holds. */
static void sl_held_add(struct sl_held_values *h, uint32_t location, uint32_t value)
{
  if (!SL_GROW(h->note, h->note_count)) {
    h->failed = true;
    return;
  }
  h->note[h->note_count++] = (struct sl_noted){value, h->version[value], h->head[location]};
  h->head[location] = (uint32_t)h->note_count;
}

/* Starts from the facts at a point. */
static void sl_held_start(struct sl_held_values *h, const struct sl_held_list *list)
{
  memset(h->head, 0, h->locations * sizeof *h->head);
  h->note_count = 0;
  for (size_t i = 0; i < list->count; i++)
    sl_held_add(h, list->at[i].location, list->at[i].value);
}

static int compare(const void *a, const void *b)
{
  const struct sl_held *x = a, *y = b;
  return x->location != y->location ? (x->location > y->location) - (x->location < y->location)
                                    : (x->value > y->value) - (x->value < y->value);
}

/* Returns the current facts, sorted; the caller frees them. False: out of memory. */
static bool sl_held_end(struct sl_held_values *h, struct sl_held_list *list)
{
  *list = (struct sl_held_list){.reached = true};
  for (uint32_t location = 0; location < h->locations; location++) {
    const size_t first = list->count;
    for (uint32_t n = h->head[location]; n != 0; n = h->note[n - 1].next) {
      const struct sl_noted *note = &h->note[n - 1];
      bool known = note->version != h->version[note->value];
      for (size_t i = first; !known && i < list->count; i++)
        known = list->at[i].value == note->value;
      if (known)
        continue;
      if (!SL_GROW(list->at, list->count))
        return false;
      list->at[list->count++] = (struct sl_held){location, note->value};
    }
    if (list->count - first > 1)
      qsort(list->at + first, list->count - first, sizeof *list->at, compare);
  }
  return true;
}

static bool sl_holds(const struct sl_held_values *h, uint32_t location, uint32_t value)
{
  for (uint32_t n = h->head[location]; n != 0; n = h->note[n - 1].next)
    if (h->note[n - 1].value == value && h->note[n - 1].version == h->version[value])
      return true;
  return false;
}

static void sl_held_forget(struct sl_held_values *h, uint32_t location)
{
  h->head[location] = 0;
}

/* Gives the value a new version, which no location holds yet. */
static void sl_held_renew(struct sl_held_values *h, uint32_t value)
{
  h->version[value] = ++h->last_version;
}

/* Lists grow only at the front, so they can share their tails. */
static void sl_held_move(struct sl_held_values *h, uint32_t to, uint32_t from)
{
  h->head[to] = h->head[from];
}

/* Intersects *list with *other. Returns whether an entry was removed. */
static bool sl_held_meet(struct sl_held_list *list, const struct sl_held_list *other)
{
  size_t kept = 0;
  for (size_t i = 0, k = 0; i < list->count; i++) {
    while (k < other->count && compare(&other->at[k], &list->at[i]) < 0)
      k++;
    if (k < other->count && compare(&other->at[k], &list->at[i]) == 0)
      list->at[kept++] = list->at[i];
  }
  const bool less = kept < list->count;
  list->count = kept;
  return less;
}

/* Values: registers of the original function by number, then the entry values of the physical registers. Locations:
 * physical registers, and slots by their numbers in the allocated function. */
struct check {
  const struct sl_lir *before, *after;
  const struct sl_registers *registers;
  struct sl_held_values held;
  struct sl_held_list *entry; /* per block */
  uint32_t at_entry;          /* the entry value of register 0 */
  uint32_t *constant;         /* per value: 1 + the original instruction that is its only kind of definition; 0 */
  uint32_t *constants;        /* values with a constant, sorted by it */
  size_t constant_count;
  const char *wrong; /* NULL: nothing yet */
  uint32_t where;    /* instruction number in the allocated function */
  bool framed;       /* the frame pointer addresses the slots */
};

static void fail(struct check *c, uint32_t where, const char *why)
{
  if (c->wrong == NULL) {
    c->wrong = why;
    c->where = where;
  }
}

static int compare_constants(const struct sl_lir_insn *x, const struct sl_lir_insn *y)
{
  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (x->fix != y->fix)
    return x->fix < y->fix ? -1 : 1;
  if (x->place != SL_LIR_NUMBER && x->target != y->target)
    return x->target < y->target ? -1 : 1;
  return x->imm != y->imm ? (x->imm < y->imm ? -1 : 1) : 0;
}

/* Sorts virtual registers whose definitions are all the same constant by that constant. A merge sort, since the
 * standard sort function has no context argument. */
static void sort_constants(const struct check *c, uint32_t *list, uint32_t *room, size_t count)
{
  if (count < 2)
    return;
  const size_t half = count / 2;
  sort_constants(c, list, room, half);
  sort_constants(c, list + half, room, count - half);
  memcpy(room, list, count * sizeof *list);
  for (size_t i = 0, j = half, n = 0; n < count; n++) {
    const bool left = j == count || (i < half && compare_constants(&c->before->insn[c->constant[room[i]] - 1],
                                                                   &c->before->insn[c->constant[room[j]] - 1]) <= 0);
    list[n] = room[left ? i++ : j++];
  }
}

static bool find_constants(struct check *c)
{
  enum { SEVERAL = UINT32_MAX };
  const size_t registers = SL_LIR_VIRTUAL + c->before->kind_count;
  c->constant = sl_zeroed(registers, sizeof *c->constant);
  c->constants = sl_zeroed(registers, sizeof *c->constants);
  uint32_t *room = sl_zeroed(registers, sizeof *room);
  if (c->constant == NULL || c->constants == NULL || room == NULL) {
    free(room);
    return false;
  }
  for (uint32_t i = 0; i < c->before->insn_count; i++) {
    const struct sl_lir_insn *insn = &c->before->insn[i];
    const struct sl_lir_operand *operand = sl_lir_operands(c->before, insn);
    for (uint32_t k = 0; k < insn->operand_count; k++)
      if (operand[k].role != SL_LIR_USE) {
        uint32_t *of = &c->constant[operand[k].reg];
        const bool same = *of == 0 || (*of != SEVERAL && compare_constants(insn, &c->before->insn[*of - 1]) == 0);
        *of = same && sl_lir_is_constant(c->before, insn) ? i + 1 : SEVERAL;
      }
  }
  for (uint32_t r = 0; r < registers; r++) {
    if (c->constant[r] == SEVERAL || r < SL_LIR_VIRTUAL)
      c->constant[r] = 0;
    if (c->constant[r] != 0)
      c->constants[c->constant_count++] = r;
  }
  sort_constants(c, c->constants, room, c->constant_count);
  free(room);
  return true;
}

/* The location now holds every register that always equals this constant. */
static void hold_constant(struct check *c, uint32_t location, const struct sl_lir_insn *insn)
{
  size_t low = 0, high = c->constant_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (compare_constants(&c->before->insn[c->constant[c->constants[middle]] - 1], insn) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < c->constant_count; low++) {
    const struct sl_lir_insn *made = &c->before->insn[c->constant[c->constants[low]] - 1];
    if (compare_constants(made, insn) != 0)
      break;
    if (sl_lir_field(c->before, made, SL_LIR_RS1) == sl_lir_field(c->after, insn, SL_LIR_RS1))
      sl_held_add(&c->held, location, c->constants[low]);
  }
}

static bool is_slot(const struct check *c, uint32_t location)
{
  return location >= SL_LIR_VIRTUAL && location < SL_LIR_VIRTUAL + c->after->kind_count;
}

/* Registers that only the function's own instructions may write. */
static bool is_fixed(uint32_t location)
{
  return location == SL_ZERO || location == SL_SP || location == SL_GP || location == SL_TP;
}

/* The frame pointer is set once. After that the stack pointer is not the frame's until it is restored; after the
 * restore, no instruction may use the frame. */
static void frame(struct check *c, uint32_t i, bool first_block)
{
  const struct sl_lir_insn *insn = &c->after->insn[i];
  const bool sets = insn->op == SL_LIR_FRAME;
  if (!c->after->frame_pointer || c->framed == sets || (sets && !first_block))
    fail(c, i, "the frame pointer is set at an invalid place");
  sl_held_forget(&c->held, sets ? SL_FP : SL_SP);
  if (sets) {
    c->framed = true;
    sl_held_add(&c->held, SL_FP, SL_FP);
    sl_held_forget(&c->held, SL_SP);
    sl_held_add(&c->held, SL_SP, SL_SP);
  } else {
    sl_held_add(&c->held, SL_SP, c->at_entry + SL_SP);
  }
}

/* Whether the base register of slots is valid: the frame pointer, if there is one and it has been set. */
static bool reaches_slots(const struct check *c)
{
  return c->framed ? sl_holds(&c->held, SL_FP, SL_FP) : sl_holds(&c->held, SL_SP, c->at_entry + SL_SP);
}

/* Checks an instruction that allocation has added. */
static void added(struct check *c, uint32_t i, bool first_block)
{
  const struct sl_lir_insn *insn = &c->after->insn[i];
  const struct sl_lir_operand *operand = sl_lir_operands(c->after, insn);
  if (insn->op != SL_LIR_FRAME && (insn->op >= SL_OP_COUNT && !reaches_slots(c)))
    fail(c, i, "the frame's base register is not valid");
  if ((insn->op == SL_LIR_UNFRAME && insn->operand_count == 0) ||
      (insn->op == SL_LIR_FRAME && insn->operand_count == 1 && operand[0].reg == SL_FP)) {
    frame(c, i, first_block);
    return;
  }
  const bool upper = insn->op == SL_OP_LUI && insn->operand_count == 1; /* a constant without a base */
  if ((insn->operand_count != 2 && !upper) || (operand[0].reg < SL_LIR_VIRTUAL && is_fixed(operand[0].reg))) {
    fail(c, i, "an added instruction is not allowed");
    return;
  }
  const uint32_t to = operand[0].reg, from = upper ? SL_ZERO : operand[1].reg;
  if (insn->op == SL_LIR_RELOAD && to < SL_LIR_VIRTUAL && is_slot(c, from)) {
    sl_held_move(&c->held, to, from);
  } else if (insn->op == SL_LIR_SPILL && is_slot(c, to) && from < SL_LIR_VIRTUAL) {
    sl_held_move(&c->held, to, from);
  } else if (insn->op < SL_OP_COUNT && sl_lir_is_constant(c->after, insn) && to < SL_LIR_VIRTUAL) {
    if (from != SL_ZERO && !sl_holds(&c->held, from, from))
      fail(c, i, "a recomputed constant has no valid base");
    sl_held_forget(&c->held, to);
    hold_constant(c, to, insn);
  } else {
    fail(c, i, "an added instruction is not allowed");
  }
}

static bool same_instruction(const struct check *c, const struct sl_lir_insn *x, const struct sl_lir_insn *y)
{
  const struct sl_lir_operand *a = sl_lir_operands(c->before, x), *b = sl_lir_operands(c->after, y);
  bool same = x->op == y->op && x->csr == y->csr && x->mode == y->mode && x->place == y->place && x->fix == y->fix &&
              x->imm == y->imm && x->target == y->target && x->text == y->text && x->piece_count == y->piece_count &&
              x->operand_count == y->operand_count;
  for (uint32_t k = 0; same && k < x->piece_count; k++)
    same = memcmp(&c->before->piece[x->piece + k], &c->after->piece[y->piece + k], sizeof *c->after->piece) == 0;
  for (uint32_t k = 0; same && k < x->operand_count; k++)
    same = a[k].role == b[k].role && a[k].field == b[k].field && b[k].reg < SL_LIR_VIRTUAL &&
           (a[k].reg >= SL_LIR_VIRTUAL || a[k].reg == b[k].reg);
  return same;
}

/* Checks an early-written result: it must not share a location with another operand. */
static void early(struct check *c, const struct sl_lir_operand *value, const struct sl_lir_operand *place,
                  uint32_t count, uint32_t k)
{
  for (uint32_t u = 0; u < count; u++)
    if (place[u].role == SL_LIR_USE && value[u].reg == value[k].reg && place[u].reg == place[k].reg)
      return;
  sl_held_forget(&c->held, place[k].reg);
}

static void exit_from(struct check *c, uint32_t i)
{
  for (uint32_t reg = 1; reg < SL_LIR_VIRTUAL; reg++)
    if ((reg == SL_RA || reg == SL_SP || c->registers->saved[reg] || (reg == SL_FP && c->after->frame_pointer)) &&
        !sl_holds(&c->held, reg, c->at_entry + reg))
      fail(c, i, "a saved register differs from its value at entry");
}

static void uses(struct check *c, uint32_t i, const struct sl_lir_operand *value, const struct sl_lir_operand *place,
                 uint32_t count)
{
  for (uint32_t k = 0; k < count; k++)
    if (place[k].role == SL_LIR_EARLY_DEF)
      early(c, value, place, count, k);
  for (uint32_t k = 0; k < count; k++)
    if (place[k].role == SL_LIR_USE && value[k].reg != SL_ZERO && !sl_holds(&c->held, place[k].reg, value[k].reg))
      fail(c, i, "an operand is not in the location that is read");
}

static void results(struct check *c, uint32_t i, const struct sl_lir_operand *value, const struct sl_lir_operand *place,
                    uint32_t count)
{
  for (uint32_t k = 0; k < count; k++)
    if (place[k].role != SL_LIR_USE) {
      sl_held_renew(&c->held, value[k].reg);
      sl_held_forget(&c->held, place[k].reg);
    }
  for (uint32_t k = 0; k < count; k++) {
    if (place[k].role == SL_LIR_USE)
      continue;
    /* An instruction that becomes several words reads its results again between these. */
    const bool lost = place[k].reg == SL_ZERO && c->after->insn[i].op < SL_OP_COUNT;
    if (is_fixed(place[k].reg) && place[k].reg != value[k].reg && !lost)
      fail(c, i, "a result is in an invalid location");
    for (uint32_t j = 0; j < k; j++)
      if (place[j].role != SL_LIR_USE && place[j].reg == place[k].reg && value[j].reg != value[k].reg)
        fail(c, i, "two results share a location");
    if (place[k].reg != SL_ZERO)
      sl_held_add(&c->held, place[k].reg, value[k].reg);
  }
}

/* Checks an instruction of the original function. */
static void kept(struct check *c, uint32_t i, const struct sl_lir_insn *original)
{
  const struct sl_lir_insn *insn = &c->after->insn[i];
  if (!same_instruction(c, original, insn)) {
    fail(c, i, "an instruction differs from the original");
    return;
  }
  const struct sl_lir_operand *value = sl_lir_operands(c->before, original), *place = sl_lir_operands(c->after, insn);
  uses(c, i, value, place, insn->operand_count);
  if (sl_lir_is_exit(insn))
    exit_from(c, i);
  if (insn->op == SL_LIR_COPY && place[0].reg != SL_ZERO && !is_fixed(place[0].reg)) {
    /* The result now holds the values that the source holds. */
    sl_held_renew(&c->held, value[0].reg);
    sl_held_move(&c->held, place[0].reg, place[1].reg);
    sl_held_add(&c->held, place[0].reg, value[0].reg);
    return;
  }
  for (uint32_t reg = 1; sl_lir_is_call(insn) && reg < SL_LIR_VIRTUAL; reg++)
    if (!c->registers->saved[reg] && !is_fixed(reg))
      sl_held_forget(&c->held, reg);
  results(c, i, value, place, insn->operand_count);
}

/* Checks removed instructions: only constants that are recomputed where needed may be removed. */
static void skipped(struct check *c, uint32_t where, uint32_t from, uint32_t to)
{
  for (; from < to; from++) {
    const struct sl_lir_insn *insn = &c->before->insn[from];
    const uint32_t rd = sl_lir_field(c->before, insn, SL_LIR_RD);
    if (!sl_lir_is_constant(c->before, insn) || rd == SL_LIR_NONE || c->constant[rd] == 0)
      fail(c, where, "an original instruction before it is missing");
  }
}

static void walk(struct check *c, uint32_t b)
{
  const struct sl_lir_block *old = &c->before->block[b], *block = &c->after->block[b];
  uint32_t next = old->insn;
  c->framed = b != 0 && c->after->frame_pointer;
  const uint32_t end = old->insn + old->insn_count;
  for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++) {
    const uint32_t origin = c->after->insn[i].origin;
    if (origin == SL_LIR_NONE) {
      added(c, i, b == 0);
      continue;
    }
    if (origin < next || origin >= end) {
      fail(c, i, "an instruction is out of order");
      return;
    }
    if (c->after->frame_pointer && !c->framed)
      fail(c, i, "the frame pointer is not set yet");
    skipped(c, i, next, origin);
    kept(c, i, &c->before->insn[origin]);
    next = origin + 1;
  }
  skipped(c, block->insn + block->insn_count - 1, next, end);
}

static bool enter(struct check *c)
{
  sl_held_start(&c->held, &(struct sl_held_list){.count = 0});
  for (uint32_t reg = 0; reg < SL_LIR_VIRTUAL; reg++) {
    sl_held_add(&c->held, reg, c->at_entry + reg);
    if (reg != SL_FP || !c->after->frame_pointer)
      sl_held_add(&c->held, reg, reg);
  }
  return sl_held_end(&c->held, &c->entry[0]);
}

/* Propagates the facts at a block's end to its successors. *changed: one of them lost facts. */
static bool pass_on(struct check *c, uint32_t b, bool *changed)
{
  struct sl_held_list list;
  bool room = sl_held_end(&c->held, &list);
  const struct sl_lir_block *block = &c->after->block[b];
  for (uint32_t e = 0; room && e < block->edge_count; e++) {
    struct sl_held_list *to = &c->entry[c->after->edge[block->edge + e]];
    if (to->reached) {
      *changed = sl_held_meet(to, &list) || *changed;
      continue;
    }
    to->at = sl_zeroed(list.count, sizeof *to->at);
    room = to->at != NULL;
    if (room && list.count > 0)
      memcpy(to->at, list.at, list.count * sizeof *to->at);
    to->count = list.count;
    to->reached = true;
    *changed = true;
  }
  free(list.at);
  return room;
}

/* Iterates to the fixed point; only then are errors reported. */
static bool run(struct check *c)
{
  if (!enter(c))
    return false;
  for (bool changed = true; changed;) {
    changed = false;
    c->wrong = NULL;
    for (uint32_t b = 0; b < c->after->block_count; b++) {
      if (!c->entry[b].reached)
        continue;
      sl_held_start(&c->held, &c->entry[b]);
      walk(c, b);
      if (!pass_on(c, b, &changed) || c->held.failed)
        return false;
    }
  }
  return true;
}

static bool same_blocks(const struct sl_lir *x, const struct sl_lir *y)
{
  bool same = x->block_count == y->block_count && x->source == y->source && x->frame_pointer == y->frame_pointer;
  for (size_t b = 0; same && b < x->block_count; b++)
    same = x->block[b].edge == y->block[b].edge && x->block[b].edge_count == y->block[b].edge_count;
  for (size_t e = 0; same && e < x->source->edge_count; e++)
    same = x->edge[e] == y->edge[e];
  return same;
}

enum sl_status sl_check_allocation(const struct sl_lir *before, const struct sl_lir *after,
                                   const struct sl_registers *registers, struct sl_error *err)
{
  if (!same_blocks(before, after))
    return sl_fail(err, SL_INTERNAL, "register allocation changed the blocks of %s; please report this",
                   before->source->name);
  struct check c = {.before = before, .after = after, .registers = registers};
  c.at_entry = SL_LIR_VIRTUAL + (uint32_t)before->kind_count;
  c.entry = sl_zeroed(before->block_count, sizeof *c.entry);
  const bool room = c.entry != NULL &&
                    sl_held_init(&c.held, SL_LIR_VIRTUAL + (uint32_t)after->kind_count, c.at_entry + SL_LIR_VIRTUAL) &&
                    find_constants(&c) && run(&c);
  for (size_t b = 0; c.entry != NULL && b < before->block_count; b++)
    free(c.entry[b].at);
  free(c.entry);
  free(c.constant);
  free(c.constants);
  sl_held_free(&c.held);
  if (!room)
    return sl_no_memory(err, before->insn_count * sizeof(uint32_t));
  if (c.wrong != NULL)
    return sl_fail(err, SL_INTERNAL, "register allocation of %s is wrong at instruction %u: %s; please report this",
                   before->source->name, c.where, c.wrong);
  return SL_OK;
}
