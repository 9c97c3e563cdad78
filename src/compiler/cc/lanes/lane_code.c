#include "compiler/cc/lanes/lane_code.h"

#include <stdlib.h>
#include <string.h>

/* Divergent arguments and results of a call: bit i is register a0 + i, bit 8 + i is fa0 + i. */
struct sl_lane_call {
  uint16_t arguments, results;
};

/* Maximum depth of a search for an operand. */
enum { MAX_DEPTH = 10 };

/* Maximum number of computed terms that a query may visit. */
enum { MAX_TERMS = 5000 };

static sl_term mix(sl_term a, uint64_t b)
{
  a = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
  return a ^ a >> 29;
}

void sl_terms_free(struct sl_terms *terms)
{
  free(terms->entry);
  *terms = (struct sl_terms){0};
}

static struct sl_term_entry *place(const struct sl_terms *terms, sl_term term)
{
  size_t at = (size_t)(term >> 1) & (terms->room - 1);
  while (terms->entry[at].term != 0 && terms->entry[at].term != term)
    at = (at + 1) & (terms->room - 1);
  return &terms->entry[at];
}

static bool grow(struct sl_terms *terms)
{
  struct sl_terms wider = {.room = terms->room != 0 ? 2 * terms->room : 256, .count = terms->count};
  wider.entry = calloc(wider.room, sizeof *wider.entry);
  if (wider.entry == NULL)
    return false;
  for (size_t i = 0; i < terms->room; i++)
    if (terms->entry[i].term != 0)
      *place(&wider, terms->entry[i].term) = terms->entry[i];
  free(terms->entry);
  *terms = wider;
  return true;
}

/* Returns the term of an operation on up to three terms (0: none) and an immediate. */
static sl_term sl_term_of(struct sl_terms *terms, unsigned operation, const sl_term of[3], uint32_t number)
{
  sl_term term = mix(mix(1, operation), number);
  for (unsigned i = 0; i < 3; i++)
    term = mix(term, of[i] + i);
  term |= 1;
  if (2 * terms->count >= terms->room && !grow(terms)) {
    terms->lost = true;
    return term;
  }
  struct sl_term_entry *entry = place(terms, term);
  terms->count += entry->term == 0;
  *entry = (struct sl_term_entry){term, {of[0], of[1], of[2]}};
  return term;
}

/* Returns the term without operands that has these two numbers; kind < 256. */
static sl_term sl_term_leaf(uint32_t kind, uint32_t number)
{
  return (sl_term)kind << 40 | (sl_term)number << 1;
}

static bool is_leaf(sl_term term)
{
  return (term & 1) == 0;
}

static bool has(const struct sl_terms *terms, sl_term whole, sl_term part, unsigned steps)
{
  if (whole == part)
    return true;
  const struct sl_term_entry *entry = whole != 0 && steps > 0 && terms->room != 0 ? place(terms, whole) : NULL;
  for (unsigned i = 0; entry != NULL && entry->term != 0 && i < 3; i++)
    if (entry->of[i] != 0 && has(terms, entry->of[i], part, steps - 1))
      return true;
  return false;
}

bool sl_term_has(const struct sl_terms *terms, sl_term whole, sl_term part)
{
  return whole != 0 && part != 0 && has(terms, whole, part, MAX_DEPTH);
}

struct query {
  const struct sl_terms *terms;
  bool (*holds)(const void *context, uint32_t kind, uint32_t number);
  const void *context;
  unsigned budget; /* computed terms that the query may still visit */
};

static bool depends_only_on(struct query *q, sl_term term)
{
  if (is_leaf(term))
    return term == 0 || q->holds(q->context, (uint32_t)(term >> 40), (uint32_t)(term >> 1));
  const struct sl_term_entry *entry = q->budget > 0 && q->terms->room != 0 ? place(q->terms, term) : NULL;
  if (entry == NULL || entry->term == 0)
    return false;
  q->budget--;
  for (unsigned i = 0; i < 3; i++)
    if (!depends_only_on(q, entry->of[i]))
      return false;
  return true;
}

/* Returns true if the condition holds for the numbers of all leaves of a term. Returns false if the term has too many
 * operands to check. */
static bool sl_term_depends_only_on(const struct sl_terms *terms, sl_term term,
                                    bool (*holds)(const void *context, uint32_t kind, uint32_t number),
                                    const void *context)
{
  struct query query = {terms, holds, context, MAX_TERMS};
  return depends_only_on(&query, term);
}

/* Offset of slot_shift in struct simt_geometry (runtime/simt.h). */
enum { SLOT_SHIFT_AT = 28 };

enum { OF_ENTRY = 1, OF_JOIN, OF_RESULT, OF_INSTRUCTION, OF_NUMBER, OF_LANE };

enum { FLOATS = SL_FLOAT_REGISTERS, ARGUMENTS = 8, RV32_BYTES = 4 };

static struct sl_lane_value number(uint32_t value)
{
  return (struct sl_lane_value){.term = sl_term_leaf(OF_NUMBER, value), .number = value, .kind = SL_LANE_NUMBER};
}

static void set_differs(struct sl_lane_value *value, bool differs)
{
  value->lane = differs ? value->term : 0;
}

void sl_lane_state_enter(struct sl_lane_state *state, bool kernel, uint16_t differ)
{
  memset(state, 0, sizeof *state);
  state->reached = true;
  for (uint32_t i = 0; i < SL_LANE_PLACES; i++)
    state->place[i].term = sl_term_leaf(OF_ENTRY, i);
  for (unsigned i = 0; i < ARGUMENTS; i++) {
    set_differs(&state->place[SL_LANE_A0 + i], differ >> i & 1);
    set_differs(&state->place[FLOATS + SL_LANE_A0 + i], differ >> (ARGUMENTS + i) & 1);
  }
  state->place[SL_LANE_ZERO] = number(0);
  state->place[SL_LANE_SP].kind = SL_LANE_STACK;
  set_differs(&state->place[SL_LANE_SP], true);
  set_differs(&state->place[SL_LANE_TP], true);
  if (kernel)
    state->place[SL_LANE_A0].kind = SL_LANE_OBJECT;
}

static bool is_pointer(const struct sl_lane_value *value)
{
  return value->kind == SL_LANE_STACK || value->kind == SL_LANE_FRAME;
}

/* Makes `to` a pointer into the stack if it or the other value is one. */
static void mix_kinds(struct sl_lane_value *to, const struct sl_lane_value *other)
{
  const bool own = is_pointer(to);
  if (is_pointer(other) && (!own || (int32_t)other->number < (int32_t)to->number))
    to->number = other->number;
  to->kind = own || is_pointer(other) ? SL_LANE_FRAME : SL_LANE_ANY;
}

static void forget(struct sl_lane_value *value, uint32_t node, uint32_t place)
{
  value->term = sl_term_leaf(OF_JOIN, node * SL_LANE_PLACES + place);
  if (!is_pointer(value))
    value->kind = SL_LANE_ANY;
}

enum { MIXED_TERMS = 1, MIXED_LANES = 2 };

/* `own` is the term that this join has for the place. A value with it comes from this join around a loop, so it adds
 * nothing. */
static void join_value(struct sl_lane_value *to, const struct sl_lane_value *other, uint8_t *mixed, sl_term own)
{
  const struct sl_lane_value before = *to;
  const bool around = before.term == own && (*mixed & MIXED_TERMS) == 0;
  if (other->term != own && (*mixed & MIXED_TERMS) == 0) {
    if (before.term == own)
      *to = *other;
    else if (before.term != other->term) {
      *mixed |= MIXED_TERMS;
      to->term = own;
    }
  }
  if (!around && other->term != own && (before.kind != other->kind || before.number != other->number))
    mix_kinds(to, other);
  to->lane = before.lane;
  if (other->lane == own || (*mixed & MIXED_LANES) != 0)
    return;
  if (before.lane == own)
    to->lane = other->lane;
  else if (before.lane != other->lane) {
    *mixed |= MIXED_LANES;
    to->lane = own;
  }
}

void sl_lane_state_join(struct sl_lane_state *state, const struct sl_lane_state *from, uint8_t *mixed, uint32_t node,
                        uint32_t end)
{
  if (!state->reached) {
    *state = *from;
    return;
  }
  for (uint32_t i = 0; i < end; i = sl_lane_next_place(from, i))
    join_value(&state->place[i], &from->place[i], &mixed[i], sl_term_leaf(OF_JOIN, node * SL_LANE_PLACES + i));
  if (state->predicate != from->predicate)
    state->predicate = 0;
}

void sl_lane_state_widen(struct sl_lane_state *state, const struct sl_lane_state *before, uint32_t node, uint32_t end)
{
  for (uint32_t i = 0; i < end; i = sl_lane_next_place(state, i)) {
    struct sl_lane_value *to = &state->place[i];
    const struct sl_lane_value *old = &before->place[i];
    const sl_term own = sl_term_leaf(OF_JOIN, node * SL_LANE_PLACES + i);
    if (to->kind != old->kind || to->number != old->number) {
      mix_kinds(to, old);
      to->number = is_pointer(to) ? to->number : 0;
    }
    if (to->term != old->term)
      to->term = own;
    if (to->lane != old->lane)
      to->lane = own;
  }
  if (state->predicate != before->predicate)
    state->predicate = 0;
}

bool sl_lane_state_equal(const struct sl_lane_state *a, const struct sl_lane_state *b, uint32_t end)
{
  bool equal = a->reached == b->reached && a->predicate == b->predicate;
  for (uint32_t i = 0; i < end && equal; i = sl_lane_next_place(a, i)) {
    const struct sl_lane_value *x = &a->place[i], *y = &b->place[i];
    equal = x->term == y->term && x->lane == y->lane && x->kind == y->kind && x->number == y->number;
  }
  return equal;
}

struct region {
  const bool *in;
  uint32_t join;
};

/* Whether a leaf is computed outside the region: neither by one of its instructions nor at its join. */
static bool is_from_outside(const void *context, uint32_t kind, uint32_t at)
{
  const struct region *region = context;
  const uint32_t node = at / SL_LANE_PLACES;
  return kind == OF_NUMBER || kind == OF_ENTRY || kind == OF_LANE || (node != region->join && !region->in[node]);
}

bool sl_lane_state_find_merges(const struct sl_lane_state *state, const struct sl_terms *terms, const bool *in,
                               const bool *changed, uint32_t join, bool *merges)
{
  const struct region region = {in, join};
  bool grown = false;
  for (uint32_t i = 1; i < SL_LANE_PLACES && state->reached; i++)
    if (changed[i] && !merges[i] && !sl_term_depends_only_on(terms, state->place[i].term, is_from_outside, &region))
      grown = merges[i] = true;
  return grown;
}

void sl_lane_state_set_merges(struct sl_lane_state *state, const bool *merges, uint32_t node)
{
  for (uint32_t i = 1; i < SL_LANE_PLACES; i++)
    if (merges[i]) {
      forget(&state->place[i], node, i);
      state->place[i].lane = state->place[i].term;
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static uint32_t slot(struct sl_lane_slots *slots, uint32_t offset)
{
  for (uint32_t i = 0; i < slots->count; i++)
    if (slots->offset[i] == offset)
      return SL_LANE_REGISTERS + i;
  if (slots->count == SL_LANE_SLOTS)
    return SL_LANE_PLACES;
  slots->offset[slots->count] = offset;
  return SL_LANE_REGISTERS + slots->count++;
}

/* Number of a further stack word, or SL_LANE_FURTHER_SLOTS if there are too many. */
static uint32_t further_slot(struct sl_lane_slots *slots, uint32_t offset)
{
  for (uint32_t i = 0; i < slots->further_count; i++)
    if (slots->further[i] == offset)
      return i;
  if (slots->further_count == SL_LANE_FURTHER_SLOTS)
    return SL_LANE_FURTHER_SLOTS;
  slots->further[slots->further_count] = offset;
  return slots->further_count++;
}

static bool is_stack_word(const struct sl_lane_state *state, const struct sl_insn *in)
{
  return state->place[in->rs1].kind == SL_LANE_STACK && in->width <= 4;
}

/* Offset of the stack word that contains what a load or store accesses. */
static uint32_t offset_of(const struct sl_lane_state *state, const struct sl_insn *in)
{
  return (state->place[in->rs1].number + in->imm) & ~3U;
}

/* The stack word that a load or store accesses, or SL_LANE_PLACES. */
static uint32_t stack_word(const struct sl_lane_state *state, const struct sl_insn *in, struct sl_lane_slots *slots)
{
  return is_stack_word(state, in) ? slot(slots, offset_of(state, in)) : SL_LANE_PLACES;
}

/* A pointer is used: the stack from its number on may change. */
static void use_pointer(struct sl_lane_slots *slots, const struct sl_lane_value *pointer, uint32_t offset)
{
  const int32_t lowest = (int32_t)(pointer->number + ((int32_t)offset < 0 ? offset : 0));
  if (!is_pointer(pointer) || (slots->reached && slots->lowest <= lowest))
    return;
  slots->lowest = lowest;
  slots->reached = slots->changed = true;
}

static bool is_reached(const struct sl_lane_slots *slots, uint32_t offset)
{
  return slots->reached && (int32_t)offset >= (slots->lowest & ~3);
}

/* The value of a part of a word, or of a word of which a part is replaced. */
static struct sl_lane_value partial(struct sl_terms *terms, const struct sl_insn *in, uint32_t address,
                                    const struct sl_lane_value *word, const struct sl_lane_value *part)
{
  const sl_term of[3] = {word->term, part != NULL ? part->term : 0, 0};
  struct sl_lane_value value = {.term = sl_term_of(terms, in->op, of, address & 3)};
  set_differs(&value, word->lane != 0 || (part != NULL && part->lane != 0));
  return value;
}

/* The kernel's object is read-only. */
static struct sl_lane_value loaded(const struct sl_lane_state *state, const struct sl_insn *in, uint32_t node,
                                   struct sl_terms *terms, struct sl_lane_slots *slots)
{
  static const sl_term none[3] = {0};
  const struct sl_lane_value *base = &state->place[in->rs1];
  const bool on_stack = is_stack_word(state, in), reached = on_stack && is_reached(slots, offset_of(state, in));
  const uint32_t word = reached ? (uint32_t)SL_LANE_PLACES : stack_word(state, in, slots);
  if (word != SL_LANE_PLACES)
    return in->width == 4 ? state->place[word] : partial(terms, in, base->number + in->imm, &state->place[word], NULL);
  struct sl_lane_value value = {.term = sl_term_leaf(OF_INSTRUCTION, node * SL_LANE_PLACES)};
  set_differs(&value, base->lane != 0);
  if (on_stack && !reached) {
    const uint32_t further = further_slot(slots, offset_of(state, in));
    set_differs(&value, further == SL_LANE_FURTHER_SLOTS || slots->differs[further]);
  }
  if (base->kind != SL_LANE_OBJECT)
    return value;
  value.term = sl_term_of(terms, in->op, none, base->number + in->imm);
  if (base->number + in->imm == SLOT_SHIFT_AT)
    value.kind = SL_LANE_SHIFT;
  return value;
}

/* All CSRs are uniform in a warp except the numbers of thread and lane, which are a uniform number plus the lane. */
static void read_csr(struct sl_lane_value *value, unsigned csr)
{
  enum { MHARTID = 0xF14, THREAD = 0xCC0 };
  if (csr == MHARTID || csr == THREAD)
    value->lane = sl_term_leaf(OF_LANE, 0);
}

/* Adds a constant to a constant or to a known address. */
static void add(struct sl_lane_value *value, const struct sl_lane_value *a, const struct sl_lane_value *b)
{
  if (b->kind == SL_LANE_NUMBER &&
      (a->kind == SL_LANE_NUMBER || a->kind == SL_LANE_STACK || a->kind == SL_LANE_OBJECT)) {
    value->kind = a->kind;
    value->number = a->number + b->number;
  }
}

/* Makes the result a pointer if an operand is one. After a step down it may point anywhere. */
static void point(struct sl_lane_value *value, const struct sl_insn *in, const struct sl_lane_value *a,
                  const struct sl_lane_value *b, const struct sl_lane_value *c)
{
  if (!is_pointer(a) && !is_pointer(b) && !is_pointer(c))
    return;
  mix_kinds(value, a);
  mix_kinds(value, b);
  mix_kinds(value, c);
  if (in->op == SL_OP_SUB || (in->op == SL_OP_ADDI && (int32_t)in->imm < 0))
    value->number = (uint32_t)INT32_MIN;
}

/* The result's lane part, if at least one operand is divergent. */
static sl_term lane_part(struct sl_terms *terms, const struct sl_insn *in, const struct sl_lane_value *a,
                         const struct sl_lane_value *b, const struct sl_lane_value *value)
{
  switch (in->op) {
  case SL_OP_ADDI: return a->lane;
  case SL_OP_ADD: return b->lane == 0 ? a->lane : a->lane == 0 ? b->lane : value->term;
  case SL_OP_SUB: return b->lane == 0 ? a->lane : a->lane == b->lane ? 0 : value->term;
  case SL_OP_SLLI: return sl_term_of(terms, in->op, (const sl_term[]){a->lane, 0, 0}, in->imm);
  case SL_OP_MUL:
    if (a->lane != 0 && b->lane != 0)
      return value->term;
    return sl_term_of(terms, in->op,
                      (const sl_term[]){a->lane != 0 ? a->lane : b->lane, a->lane != 0 ? b->term : a->term, 0}, 0);
  case SL_OP_SRL: return b->kind == SL_LANE_SHIFT ? 0 : value->term;
  default: return value->term;
  }
}

static struct sl_lane_value computed(const struct sl_lane_state *state, const struct sl_insn *in,
                                     struct sl_terms *terms)
{
  static const struct sl_lane_value none = {0};
  const struct sl_lane_value *a = sl_reads_rs1(in) ? &state->place[in->rs1] : &none,
                             *b = sl_reads_rs2(in) ? &state->place[in->rs2] : &none,
                             *c = sl_reads_rs3(in) ? &state->place[in->rs3] : &none;
  const struct sl_lane_value immediate = number(in->imm);
  struct sl_lane_value value = {0};
  if (in->op == SL_OP_ADDI && in->imm == 0)
    return *a;
  if (in->op == SL_OP_ADDI)
    add(&value, a, &immediate);
  else if (in->op == SL_OP_ADD)
    add(&value, a->kind == SL_LANE_NUMBER ? b : a, a->kind == SL_LANE_NUMBER ? a : b);
  else if (in->op == SL_OP_ANDI && a->kind == SL_LANE_STACK) { /* aligns the stack, as if it were aligned at entry */
    value.kind = SL_LANE_STACK;
    value.number = a->number & in->imm;
  }
  if (value.kind != SL_LANE_STACK)
    point(&value, in, a, b, c);
  value.term = value.kind == SL_LANE_NUMBER
                   ? sl_term_leaf(OF_NUMBER, value.number)
                   : sl_term_of(terms, in->op, (const sl_term[]){a->term, b->term, c->term}, in->imm);
  if (a->lane != 0 || b->lane != 0 || c->lane != 0)
    value.lane = lane_part(terms, in, a, b, &value);
  return value;
}

static struct sl_lane_value result(const struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                                   struct sl_terms *terms, struct sl_lane_slots *slots)
{
  const struct sl_insn *in = &code->insn[node - 1];
  struct sl_lane_value value = {.term = sl_term_leaf(OF_INSTRUCTION, node * SL_LANE_PLACES)};
  if (in->op == SL_OP_LUI)
    return number(in->imm);
  if (in->op == SL_OP_AUIPC)
    return number(sl_lane_code_at(code, node) + in->imm);
  switch (in->kind) {
  case SL_KIND_LOAD: return loaded(state, in, node, terms, slots);
  case SL_KIND_AMO:
  case SL_KIND_LRSC: set_differs(&value, true); return value;
  case SL_KIND_VOTE: /* votes are the same for the lanes that vote together */
    set_differs(&value, in->op >= SL_OP_SHFL_UP && in->op <= SL_OP_SHFL_IDX);
    return value;
  case SL_KIND_CSR: read_csr(&value, in->csr); return value;
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_FPX:
  case SL_KIND_ALU: return computed(state, in, terms);
  default: return value;
  }
}

static void mark_further(struct sl_lane_slots *slots, uint32_t offset)
{
  const uint32_t further = further_slot(slots, offset);
  if (further != SL_LANE_FURTHER_SLOTS && !slots->differs[further])
    slots->differs[further] = slots->changed = true;
}

/* Applies a store. Returns the place that it writes, or SL_LANE_PLACES. */
static uint32_t store(struct sl_lane_state *state, const struct sl_insn *in, struct sl_terms *terms,
                      struct sl_lane_slots *slots)
{
  const struct sl_lane_value *base = &state->place[in->rs1], *stored = &state->place[in->rs2];
  const uint32_t to = stack_word(state, in, slots);
  if (to != SL_LANE_PLACES) {
    state->place[to] = in->width == 4 ? *stored : partial(terms, in, base->number + in->imm, &state->place[to], stored);
    return to;
  }
  use_pointer(slots, stored, 0);
  if (!is_stack_word(state, in))
    use_pointer(slots, base, in->imm);
  else if (stored->lane != 0)
    mark_further(slots, offset_of(state, in));
  return to;
}

bool sl_lane_slots_mark(struct sl_lane_slots *slots, const struct sl_lane_state *state, const struct sl_insn *in)
{
  const bool before = slots->changed;
  slots->changed = false;
  if (is_stack_word(state, in) && slot(slots, offset_of(state, in)) == SL_LANE_PLACES)
    mark_further(slots, offset_of(state, in));
  const bool marked = slots->changed;
  slots->changed |= before;
  return marked;
}

uint32_t sl_lane_state_step(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                            struct sl_terms *terms, struct sl_lane_slots *slots)
{
  const struct sl_insn *in = &code->insn[node - 1];
  uint32_t to = SL_LANE_PLACES;
  if (in->kind == SL_KIND_STORE)
    return store(state, in, terms, slots);
  if (in->kind == SL_KIND_AMO || in->kind == SL_KIND_LRSC)
    use_pointer(slots, &state->place[in->rs1], 0);
  if (in->op == SL_OP_SPLIT || in->op == SL_OP_PRED)
    state->predicate = state->place[in->rs1].term;
  else if (in->op == SL_OP_JOIN || in->op == SL_OP_TMC)
    state->predicate = 0;
  if (sl_writes_rd(in) && in->rd != SL_LANE_ZERO) {
    to = in->rd;
    state->place[to] = result(state, code, node, terms, slots);
  }
  return to;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Callee-saved registers: sp, gp, tp, s0-s11, fs0-fs11. With 64-bit words, registers from 32 on are assumed to be
 * callee-saved. */
static bool is_kept(uint32_t place, bool floats)
{
  const uint32_t reg = place % FLOATS;
  if (place >= FLOATS && !floats)
    return true;
  if (place < FLOATS && reg >= 2 && reg <= 4)
    return true;
  return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27) || place >= 2 * FLOATS;
}

void sl_lane_state_call(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node, uint16_t results,
                        bool *changed)
{
  const bool floats = code->bytes == RV32_BYTES;
  for (uint32_t i = 1; i < SL_LANE_PLACES; i++) {
    if (is_kept(i, floats))
      continue;
    const uint32_t argument = i % FLOATS - SL_LANE_A0, bit = argument + (i >= FLOATS ? ARGUMENTS : 0);
    state->place[i] = (struct sl_lane_value){.term = sl_term_leaf(OF_RESULT, node * SL_LANE_PLACES + i)};
    set_differs(&state->place[i], argument < ARGUMENTS && (results >> bit & 1) != 0);
    changed[i] = true;
  }
}

void sl_lane_slots_pass(struct sl_lane_slots *slots, const struct sl_lane_state *state)
{
  for (unsigned i = 0; i < ARGUMENTS; i++)
    use_pointer(slots, &state->place[SL_LANE_A0 + i], 0);
}

uint16_t sl_lane_state_arguments(const struct sl_lane_state *state)
{
  unsigned differ = 0;
  for (unsigned i = 0; i < ARGUMENTS; i++)
    differ |= (unsigned)(state->place[SL_LANE_A0 + i].lane != 0) << i |
              (unsigned)(state->place[FLOATS + SL_LANE_A0 + i].lane != 0) << (ARGUMENTS + i);
  return (uint16_t)differ;
}

bool sl_lane_state_target(const struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                          uint32_t *target)
{
  const struct sl_insn *in = &code->insn[node - 1];
  const struct sl_lane_value *base = &state->place[in->rs1];
  *target = in->kind == SL_KIND_JAL ? sl_lane_code_at(code, node) + in->imm : base->number + in->imm;
  return in->kind == SL_KIND_JAL || (in->kind == SL_KIND_JALR && base->kind == SL_LANE_NUMBER);
}
