#include "compiler/cc/lanes/lane_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/dominators.h"

enum { END = 0 };

static unsigned extensions_of(const struct sl_program *program)
{
  const unsigned all = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZICOND | SL_ISA_WARP2;
  if (sl_program_isa(program) == SL_ISA_WIDE64)
    return all | SL_ISA_WIDE | SL_ISA_ZFINX;
  return all | (sl_program_has_float_registers(program) ? SL_ISA_F : SL_ISA_ZFINX);
}

/* The node at an address; the end for addresses outside the function. */
static uint32_t node_at(const struct sl_lane_code *code, uint32_t address)
{
  const uint32_t index = (address - code->address) / code->bytes;
  return index < code->count ? index + 1 : END;
}

static void find_successors(struct sl_lane_code *code, uint32_t node)
{
  const struct sl_insn *in = &code->insn[node - 1];
  const uint32_t following = node < code->count ? node + 1 : END, pc = sl_lane_code_at(code, node);
  uint32_t *next = code->next[node];
  next[0] = next[1] = following;
  if (in->kind == SL_KIND_BRANCH)
    next[1] = node_at(code, pc + in->imm);
  else if (in->kind == SL_KIND_JAL && !sl_is_call(in))
    next[0] = next[1] = in->rd == 0 ? node_at(code, pc + in->imm) : following;
  else if ((in->kind == SL_KIND_JALR && !sl_is_call(in)) || in->kind == SL_KIND_UNKNOWN)
    next[0] = next[1] = END;
  if (next[0] != following)
    code->leader[next[0]] = true;
  if (next[1] != following)
    code->leader[next[0]] = code->leader[next[1]] = code->leader[following] = true;
}

uint32_t sl_lane_block_end(const struct sl_lane_code *code, uint32_t leader)
{
  uint32_t node = leader;
  while (node != END && code->next[node][0] == code->next[node][1] && !code->leader[code->next[node][0]])
    node = code->next[node][0];
  return node;
}

/* Puts the blocks that the first instruction reaches into reverse postorder. */
static bool order_blocks(struct sl_lane_code *code)
{
  const size_t nodes = (size_t)code->count + 1;
  uint32_t *stack = malloc(nodes * sizeof *stack), depth = 0, place = (uint32_t)nodes;
  uint8_t *seen = calloc(nodes, 1);
  code->order = calloc(nodes, sizeof *code->order);
  if (stack != NULL && seen != NULL && code->order != NULL && code->count > 0) {
    stack[depth++] = 1;
    seen[1] = seen[END] = 1;
    code->order[--place] = END;
    while (depth > 0) {
      const uint32_t leader = stack[depth - 1], *next = code->next[sl_lane_block_end(code, leader)];
      const unsigned edge = seen[leader] - 1U;
      if (edge == 2) {
        code->order[--place] = leader;
        depth--;
        continue;
      }
      seen[leader]++;
      if (seen[next[edge]] == 0) {
        seen[next[edge]] = 1;
        stack[depth++] = next[edge];
      }
    }
    code->blocks = (uint32_t)nodes - place;
    memmove(code->order, code->order + place, code->blocks * sizeof *code->order);
  }
  const bool allocated = stack != NULL && seen != NULL && code->order != NULL;
  free(stack);
  free(seen);
  return allocated;
}

enum sl_status sl_lane_code_read(struct sl_lane_code *code, const struct sl_program *program, uint32_t address,
                                 uint32_t end, struct sl_error *err)
{
  const struct sl_isa *isa = sl_isa(sl_program_isa(program));
  *code = (struct sl_lane_code){.address = address, .bytes = isa->word_bytes};
  code->count = (end - address) / code->bytes;
  const size_t nodes = (size_t)code->count + 1;
  code->insn = calloc(nodes, sizeof *code->insn);
  code->next = calloc(nodes, sizeof *code->next);
  code->post_dominator = calloc(nodes, sizeof *code->post_dominator);
  code->leader = calloc(nodes, sizeof *code->leader);
  if (code->insn == NULL || code->next == NULL || code->post_dominator == NULL || code->leader == NULL)
    return sl_no_memory(err, nodes * sizeof *code->insn);
  for (uint32_t i = 0; i < code->count; i++) {
    code->insn[i] = isa->decode(sl_program_instruction(program, address + i * code->bytes), extensions_of(program));
    code->sets_masks |= code->insn[i].op == SL_OP_TMC;
  }
  for (uint32_t node = 1; node < nodes; node++)
    find_successors(code, node);
  code->leader[END] = true;
  if (code->count > 0)
    code->leader[1] = true;
  if (!sl_post_dominators((const uint32_t(*)[2])code->next, (uint32_t)nodes, code->post_dominator))
    return sl_no_memory(err, nodes * sizeof *code->post_dominator);
  return order_blocks(code) ? SL_OK : sl_no_memory(err, nodes * sizeof *code->order);
}

void sl_lane_code_free(struct sl_lane_code *code)
{
  free(code->insn);
  free(code->next);
  free(code->post_dominator);
  free(code->leader);
  free(code->order);
  *code = (struct sl_lane_code){0};
}

bool sl_lane_is_branch(const struct sl_lane_code *code, uint32_t node)
{
  return node != END && code->insn[node - 1].kind == SL_KIND_BRANCH && code->next[node][0] != code->next[node][1];
}

bool sl_lane_code_calls(const struct sl_lane_code *code, uint32_t target)
{
  for (uint32_t node = 1; node <= code->count; node++) {
    const struct sl_insn *in = &code->insn[node - 1], *before = node > 1 ? in - 1 : in;
    const uint32_t pc = sl_lane_code_at(code, node);
    const bool far = in->kind == SL_KIND_JALR && before->op == SL_OP_AUIPC && before->rd == in->rs1;
    if ((in->kind == SL_KIND_JAL && pc + in->imm == target) ||
        (far && pc - code->bytes + before->imm + in->imm == target))
      return true;
  }
  return false;
}

bool sl_lane_region(const struct sl_lane_code *code, uint32_t branch, bool *in)
{
  const uint32_t post_dominator = code->post_dominator[branch];
  uint32_t *worklist = malloc(2 * ((size_t)code->count + 1) * sizeof *worklist), count = 0;
  if (worklist == NULL)
    return false;
  worklist[count++] = branch;
  while (count > 0) {
    const uint32_t node = worklist[--count];
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t next = code->next[node][i];
      if (next != END && next != post_dominator && !in[next]) {
        in[next] = true;
        worklist[count++] = next;
      }
    }
  }
  free(worklist);
  return true;
}

/* Divergent arguments and results of a call: bit i is register a0 + i, bit 8 + i is fa0 + i. */
struct sl_lane_call {
  uint16_t arguments, results;
};

/* Maximum depth of a search for an operand. */
enum { MAX_DEPTH = 10 };

/* Maximum number of computed terms that a query may visit. */
enum { MAX_TERMS = 200 };

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

static void forget(struct sl_lane_value *value, uint32_t node, uint32_t place)
{
  value->term = sl_term_leaf(OF_JOIN, node * SL_LANE_PLACES + place);
  if (value->kind != SL_LANE_STACK)
    value->kind = SL_LANE_ANY;
}

enum { MIXED_TERMS = 1, MIXED_LANES = 2 };

/* `own` is the term that this join has for the place. A value with it comes from this join around a loop, so it adds
 * nothing. */
static void join_value(struct sl_lane_value *to, const struct sl_lane_value *other, uint8_t *mixed, sl_term own)
{
  const struct sl_lane_value before = *to;
  if (other->term != own && (*mixed & MIXED_TERMS) == 0) {
    if (before.term == own)
      *to = *other;
    else if (before.term != other->term) {
      *mixed |= MIXED_TERMS;
      to->term = own;
    }
  }
  if (before.term != own && other->term != own && (before.kind != other->kind || before.number != other->number))
    to->kind = SL_LANE_ANY;
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

void sl_lane_state_join(struct sl_lane_state *state, const struct sl_lane_state *from, uint8_t *mixed, uint32_t node)
{
  if (!state->reached) {
    *state = *from;
    return;
  }
  for (uint32_t i = 0; i < SL_LANE_PLACES; i++)
    join_value(&state->place[i], &from->place[i], &mixed[i], sl_term_leaf(OF_JOIN, node * SL_LANE_PLACES + i));
  if (state->predicate != from->predicate)
    state->predicate = 0;
}

bool sl_lane_state_equal(const struct sl_lane_state *a, const struct sl_lane_state *b)
{
  bool equal = a->reached == b->reached && a->predicate == b->predicate;
  for (uint32_t i = 0; i < SL_LANE_PLACES && equal; i++) {
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

/* The stack word that a load or store accesses, or SL_LANE_PLACES. */
static uint32_t stack_word(const struct sl_lane_state *state, const struct sl_insn *in, struct sl_lane_slots *slots)
{
  const struct sl_lane_value *base = &state->place[in->rs1];
  return base->kind == SL_LANE_STACK && in->width == 4 ? slot(slots, base->number + in->imm) : SL_LANE_PLACES;
}

/* The kernel's object is read-only. */
static struct sl_lane_value loaded(const struct sl_lane_state *state, const struct sl_insn *in, uint32_t node,
                                   struct sl_terms *terms, struct sl_lane_slots *slots)
{
  static const sl_term none[3] = {0};
  const struct sl_lane_value *base = &state->place[in->rs1];
  const uint32_t word = stack_word(state, in, slots);
  if (word != SL_LANE_PLACES)
    return state->place[word];
  struct sl_lane_value value = {.term = sl_term_leaf(OF_INSTRUCTION, node * SL_LANE_PLACES)};
  set_differs(&value, base->lane != 0);
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
  case SL_KIND_CSR: read_csr(&value, in->csr); return value;
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_FPX:
  case SL_KIND_ALU: return computed(state, in, terms);
  default: return value;
  }
}

uint32_t sl_lane_state_step(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                            struct sl_terms *terms, struct sl_lane_slots *slots)
{
  const struct sl_insn *in = &code->insn[node - 1];
  uint32_t to = SL_LANE_PLACES;
  if (in->kind == SL_KIND_STORE) {
    to = stack_word(state, in, slots);
    if (to != SL_LANE_PLACES)
      state->place[to] = state->place[in->rs2];
    return to;
  }
  if (in->op == SL_OP_SPLIT || in->op == SL_OP_PRED)
    state->predicate = state->place[in->rs1].term;
  else if (in->op == SL_OP_JOIN)
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
