#include "compiler/cc/lanes/lane_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/dominators.h"

/* ---- control flow of the machine code ---------------------------------------------------------------------------- */

enum { END = 0 };

static unsigned extensions_of(const struct sl_program *program)
{
  const unsigned all = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_SIMT;
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

/* Returns the last node of the basic block that begins with `leader`. */
static uint32_t sl_lane_block_end(const struct sl_lane_code *code, uint32_t leader)
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

enum { NO_LEVEL = INT16_MIN };

/* Sets `level` to the nesting level before each node, relative to the function's entry. */
static bool find_levels(const struct sl_lane_code *code, int16_t *level)
{
  uint32_t *worklist = malloc(2 * ((size_t)code->count + 1) * sizeof *worklist), count = 0;
  if (worklist == NULL)
    return false;
  for (uint32_t node = 0; node <= code->count; node++)
    level[node] = NO_LEVEL;
  level[1] = 0;
  worklist[count++] = 1;
  while (count > 0) {
    const uint32_t node = worklist[--count];
    const unsigned kind = code->insn[node - 1].kind;
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t next = code->next[node][i];
      if (next == END || level[next] != NO_LEVEL)
        continue;
      level[next] = (int16_t)(level[node] + (kind == SL_KIND_PUSH) - (kind == SL_KIND_POP));
      worklist[count++] = next;
    }
  }
  free(worklist);
  return true;
}

/* Whether a POP to the branch's level comes where its paths meet, before another branch. */
static bool is_closed(const struct sl_lane_code *code, const int16_t *level, uint32_t branch)
{
  uint32_t node = code->post_dominator[branch];
  for (uint32_t i = 0; i < code->count && node != SL_NO_POST_DOMINATOR && node != END; i++) {
    const unsigned kind = code->insn[node - 1].kind;
    if (kind == SL_KIND_POP && level[node] <= level[branch])
      return level[node] == level[branch];
    if (kind == SL_KIND_PUSH || kind == SL_KIND_BRANCH)
      return false;
    node = code->next[node][0];
  }
  return false;
}

static bool find_closed(struct sl_lane_code *code)
{
  int16_t *level = calloc((size_t)code->count + 1, sizeof *level);
  const bool found = code->count == 0 || (level != NULL && find_levels(code, level));
  for (uint32_t node = 1; found && node <= code->count; node++)
    code->closed[node] = code->insn[node - 1].kind == SL_KIND_BRANCH && is_closed(code, level, node);
  free(level);
  return found;
}

/* Reads a function of the program. Free the code also after an error. */
static enum sl_status sl_lane_code_read(struct sl_lane_code *code, const struct sl_program *program, uint32_t address,
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
  code->closed = calloc(nodes, sizeof *code->closed);
  if (code->insn == NULL || code->next == NULL || code->post_dominator == NULL || code->leader == NULL ||
      code->closed == NULL)
    return sl_no_memory(err, nodes * sizeof *code->insn);
  for (uint32_t i = 0; i < code->count; i++) {
    code->insn[i] = isa->decode(sl_program_instruction(program, address + i * code->bytes), extensions_of(program));
    code->sets_masks |= code->insn[i].op == SL_OP_TMC;
    code->has_levels |= code->insn[i].kind == SL_KIND_PUSH;
  }
  for (uint32_t node = 1; node < nodes; node++)
    find_successors(code, node);
  code->leader[END] = true;
  if (code->count > 0)
    code->leader[1] = true;
  if (!sl_post_dominators((const uint32_t(*)[2])code->next, (uint32_t)nodes, code->post_dominator))
    return sl_no_memory(err, nodes * sizeof *code->post_dominator);
  if (code->has_levels && !find_closed(code))
    return sl_no_memory(err, nodes * sizeof(int16_t));
  return order_blocks(code) ? SL_OK : sl_no_memory(err, nodes * sizeof *code->order);
}

static void sl_lane_code_free(struct sl_lane_code *code)
{
  free(code->insn);
  free(code->next);
  free(code->post_dominator);
  free(code->leader);
  free(code->closed);
  free(code->order);
  *code = (struct sl_lane_code){0};
}

/* Returns true if the node is a conditional branch with two different successors. */
static bool sl_lane_is_branch(const struct sl_lane_code *code, uint32_t node)
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

/* Sets `in` for the nodes on the paths from a branch to its post-dominator. `in` has an element per node. Returns false
 * if memory is exhausted. */
static bool sl_lane_region(const struct sl_lane_code *code, uint32_t branch, bool *in)
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

/* ---- lanes in a function ----------------------------------------------------------------------------------------- */

enum { RV32_BYTES = 4, RV32_REGISTERS = 32 };

static bool allocate(struct sl_lane_function *f)
{
  const size_t nodes = (size_t)f->code.count + 1, blocks = f->code.blocks + 1;
  f->block_of = calloc(nodes, sizeof *f->block_of);
  f->uniform = calloc(nodes, sizeof *f->uniform);
  f->diverges = calloc(nodes, sizeof *f->diverges);
  f->unmarked = calloc(nodes, sizeof *f->unmarked);
  f->in_region = calloc(nodes, sizeof *f->in_region);
  f->in_state = calloc(blocks, sizeof *f->in_state);
  f->forward = calloc(blocks, sizeof *f->forward);
  f->out_state = calloc(blocks, sizeof *f->out_state);
  f->merges = calloc(blocks, sizeof *f->merges);
  f->stale = malloc(blocks * sizeof *f->stale);
  f->first_predecessor = calloc(blocks + 1, sizeof *f->first_predecessor);
  f->predecessor = calloc(2 * blocks, sizeof *f->predecessor);
  return f->block_of && f->uniform && f->diverges && f->unmarked && f->in_region && f->in_state && f->forward &&
         f->out_state && f->merges && f->stale && f->first_predecessor && f->predecessor;
}

/* Lists the predecessors of each block: counts them, then fills the lists from their ends. */
static void find_predecessors(struct sl_lane_function *f)
{
  const struct sl_lane_code *code = &f->code;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < code->blocks; i++) {
      const uint32_t *next = code->next[sl_lane_block_end(code, code->order[i])];
      for (unsigned edge = 0; edge < 2 && code->order[i] != END && (edge == 0 || next[1] != next[0]); edge++)
        if (pass == 0)
          f->first_predecessor[f->block_of[next[edge]]]++;
        else
          f->predecessor[--f->first_predecessor[f->block_of[next[edge]]]] = i;
    }
    for (uint32_t i = 0; i <= code->blocks && pass == 0; i++)
      f->first_predecessor[i] += i > 0 ? f->first_predecessor[i - 1] : 0;
  }
}

enum sl_status sl_lane_function_open(struct sl_lane_function *f, const struct sl_program *program, uint32_t address,
                                     uint32_t end, struct sl_error *err)
{
  *f = (struct sl_lane_function){0};
  const enum sl_status status = sl_lane_code_read(&f->code, program, address, end, err);
  if (status != SL_OK)
    return status;
  if (!allocate(f))
    return sl_no_memory(err, f->code.blocks * sizeof *f->in_state);
  for (uint32_t i = 0; i < f->code.blocks; i++) {
    f->block_of[f->code.order[i]] = i;
    f->stale[i] = true;
  }
  find_predecessors(f);
  return SL_OK;
}

void sl_lane_function_close(struct sl_lane_function *f)
{
  sl_lane_code_free(&f->code);
  sl_terms_free(&f->terms);
  free(f->in_state);
  free(f->forward);
  free(f->out_state);
  free(f->block_of);
  free(f->first_predecessor);
  free(f->predecessor);
  free(f->merges);
  free(f->stale);
  free(f->uniform);
  free(f->diverges);
  free(f->unmarked);
  free(f->in_region);
  *f = (struct sl_lane_function){0};
}

static struct sl_lane_state *state_at(const struct sl_lane_function *f, uint32_t node)
{
  return &f->in_state[f->block_of[node]];
}

/* Whether the value is uniform in the active lanes: it is uniform in the warp, or the uniform predicate determines it.
 */
static bool is_decided(const struct sl_lane_function *f, const struct sl_lane_state *s, unsigned reg)
{
  const struct sl_lane_value *value = &s->place[reg];
  return value->lane == 0 || sl_term_has(&f->terms, s->predicate, value->term) ||
         sl_term_has(&f->terms, value->term, s->predicate);
}

static void step_branch(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node)
{
  const struct sl_insn *in = &f->code.insn[node - 1];
  const bool marked =
      f->code.has_levels ? f->code.closed[node] : is_decided(f, s, in->rs1) && is_decided(f, s, in->rs2);
  f->diverges[node] = f->unmarked[node] = false;
  if (f->uniform[node] || s->place[in->rs1].lane == s->place[in->rs2].lane)
    return;
  f->unmarked[node] = !marked;
  if (marked || f->code.has_levels) { /* without levels, the lanes stay together at an unmarked branch */
    f->diverges[node] = true;
    s->predicate = 0;
  }
}

static bool is_jump(const struct sl_insn *in)
{
  return in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR;
}

/* Calls, and jumps that leave the function without returning (tail calls). */
static bool is_call(const struct sl_lane_code *code, uint32_t node)
{
  const struct sl_insn *in = &code->insn[node - 1];
  if (!is_jump(in))
    return false;
  if (sl_is_call(in))
    return true;
  const bool returns = in->kind == SL_KIND_JALR && in->rs1 == SL_LANE_RA;
  return in->rd == SL_LANE_ZERO && code->next[node][0] == END && !returns;
}

/* Applies a call. Returns false if it does not return. */
static bool step_call(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node,
                      const struct sl_lane_calls *calls)
{
  const struct sl_insn *in = &f->code.insn[node - 1];
  bool changed[SL_LANE_PLACES] = {false};
  uint32_t target;
  const bool known = sl_lane_state_target(s, &f->code, node, &target);
  if (!known && s->place[in->rs1].lane != 0)
    f->unmarked[node] = true;
  uint16_t results = 0;
  sl_lane_slots_pass(&f->slots, s);
  const bool returns = calls->returns(calls->context, target, known, sl_lane_state_arguments(s), &results);
  sl_lane_state_call(s, &f->code, node, results, changed);
  return returns;
}

/* Applies an instruction. Returns false if execution does not continue after it. */
static bool step(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node, const struct sl_lane_calls *calls)
{
  if (sl_lane_is_branch(&f->code, node))
    step_branch(f, s, node);
  else if (is_call(&f->code, node))
    return step_call(f, s, node, calls);
  else
    sl_lane_state_step(s, &f->code, node, &f->terms, &f->slots);
  return true;
}

/* The places that states have by now. */
static uint32_t places(const struct sl_lane_function *f)
{
  return SL_LANE_REGISTERS + f->slots.count;
}

/* Transfer function of a block: its out state from its in state. */
static void transfer(struct sl_lane_function *f, uint32_t number, const struct sl_lane_calls *calls)
{
  const uint32_t leader = f->code.order[number], end = sl_lane_block_end(&f->code, leader);
  struct sl_lane_state s = f->in_state[number]; /* with the places that are found here */
  for (uint32_t node = leader; s.reached; node = f->code.next[node][0]) {
    s.reached = step(f, &s, node, calls);
    if (node == end)
      break;
  }
  if (sl_lane_state_equal(&s, &f->out_state[number], places(f)))
    return;
  sl_lane_state_copy(&f->out_state[number], &s, places(f));
  for (unsigned edge = 0; edge < 2; edge++)
    f->stale[f->block_of[f->code.next[end][edge]]] = true;
}

/* Joins the out states of predecessors: over forward edges (from lower block numbers), or over back edges. */
static void join_predecessors(const struct sl_lane_function *f, uint32_t number, bool forward, struct sl_lane_state *s,
                              uint8_t *mixed)
{
  for (uint32_t i = f->first_predecessor[number]; i < f->first_predecessor[number + 1]; i++) {
    const uint32_t from = f->predecessor[i];
    if (f->out_state[from].reached && (from < number) == forward)
      sl_lane_state_join(s, &f->out_state[from], mixed, f->code.order[number], places(f));
  }
}

/* Updates the in state of a block from its predecessors. After a change over forward edges it ignores the back edges
 * once, so that the loop is first evaluated with its new entry state. With that, loops within loops may change each
 * other's states for ever, so after some sweeps back edges are kept, and after more the states are widened: then the
 * iteration ends. Returns true if the state has changed. */
static bool update(struct sl_lane_function *f, uint32_t number, const struct sl_lane_state *entry)
{
  struct sl_lane_state s;
  uint8_t mixed[SL_LANE_PLACES] = {0};
  s.reached = false;
  s.registers = 0;
  s.predicate = 0;
  if (number == 0)
    s = *entry;
  join_predecessors(f, number, true, &s, mixed);
  const bool forward_changed = !sl_lane_state_equal(&s, &f->forward[number], places(f));
  f->stale[number] = forward_changed && !f->keeps;
  if (f->stale[number])
    sl_lane_state_copy(&f->forward[number], &s, places(f));
  else
    join_predecessors(f, number, false, &s, mixed);
  if (s.reached)
    sl_lane_state_set_merges(&s, f->merges[number], f->code.order[number], places(f));
  if (f->widens && f->in_state[number].reached)
    sl_lane_state_widen(&s, &f->in_state[number], f->code.order[number], places(f));
  if (sl_lane_state_equal(&s, &f->in_state[number], places(f)))
    return f->stale[number];
  sl_lane_state_copy(&f->in_state[number], &s, places(f));
  return true;
}

/* Evaluates the blocks whose predecessors or merges have changed, and after a change of stack words all blocks. */
static void iterate(struct sl_lane_function *f, const struct sl_lane_state *entry, const struct sl_lane_calls *calls)
{
  enum { EXACT_SWEEPS = 10, NARROW_SWEEPS = 40 };
  bool changed = true;
  for (unsigned sweep = 0; changed; sweep++) {
    f->keeps |= sweep == EXACT_SWEEPS;
    f->widens |= sweep == NARROW_SWEEPS;
    const bool all = f->slots.changed || !f->evaluated;
    changed = f->slots.changed = false;
    f->evaluated = true;
    for (uint32_t i = 0; i < f->code.blocks; i++)
      if ((all || f->stale[i]) && (update(f, i, entry) || all)) {
        changed = true;
        if (f->code.order[i] != END)
          transfer(f, i, calls);
      }
    changed |= f->slots.changed;
  }
}

/* Adds the registers that the instruction writes. */
static void add_register_writes(struct sl_lane_function *f, uint32_t node, bool *changed)
{
  static const struct sl_lane_state nothing;
  const struct sl_insn *in = &f->code.insn[node - 1];
  if (is_call(&f->code, node)) {
    struct sl_lane_state s = nothing;
    sl_lane_state_call(&s, &f->code, node, 0, changed);
  } else if (sl_writes_rd(in)) {
    changed[in->rd] = true;
  }
}

/* Adds the stack words that the region's stores write. Their addresses depend on the state before the store, so the
 * whole block is evaluated again. Returns true if it has marked a stack word that the state has no place for. */
static bool add_stack_writes(struct sl_lane_function *f, const bool *in, bool *changed)
{
  bool grown = false;
  for (uint32_t i = 0; i < f->code.blocks; i++) {
    const uint32_t leader = f->code.order[i];
    if (!in[leader] || !f->in_state[i].reached)
      continue;
    struct sl_lane_state s = f->in_state[i];
    const uint32_t last = sl_lane_block_end(&f->code, leader);
    for (uint32_t node = leader; node != END; node = node == last ? END : f->code.next[node][0])
      if (f->code.insn[node - 1].kind == SL_KIND_STORE || f->code.insn[node - 1].rd == SL_LANE_SP) {
        const uint32_t to = sl_lane_state_step(&s, &f->code, node, &f->terms, &f->slots);
        if (to < SL_LANE_PLACES && in[node])
          changed[to] = true;
        else if (f->code.insn[node - 1].kind == SL_KIND_STORE && in[node])
          grown |= sl_lane_slots_mark(&f->slots, &s, &f->code.insn[node - 1]);
      }
  }
  return grown;
}

static enum sl_status propagate(struct sl_lane_function *f, uint32_t branch, bool *grown, struct sl_error *err)
{
  const size_t nodes = (size_t)f->code.count + 1;
  const uint32_t join = f->code.post_dominator[branch];
  bool changed[SL_LANE_PLACES] = {false}, *in = calloc(nodes, sizeof *in);
  if (in == NULL || !sl_lane_region(&f->code, branch, in)) {
    free(in);
    return sl_no_memory(err, nodes);
  }
  for (uint32_t node = 1; node < nodes; node++)
    if (in[node]) {
      f->in_region[node] = true;
      add_register_writes(f, node, changed);
    }
  *grown |= add_stack_writes(f, in, changed);
  if (join != SL_NO_POST_DOMINATOR && f->code.leader[join] &&
      sl_lane_state_find_merges(state_at(f, join), &f->terms, in, changed, join, f->merges[f->block_of[join]]))
    *grown = f->stale[f->block_of[join]] = true;
  free(in);
  return SL_OK;
}

/* Only the places found so far are copied from state to state: the others have their values at the entry. */
static void begin_with(struct sl_lane_function *f, const struct sl_lane_state *entry)
{
  for (uint32_t i = 0; i < f->code.blocks; i++) {
    f->in_state[i] = f->forward[i] = f->out_state[i] = *entry;
    f->in_state[i].reached = f->forward[i].reached = f->out_state[i].reached = false;
  }
}

enum sl_status sl_lane_function_solve(struct sl_lane_function *f, bool kernel, uint16_t differ,
                                      const struct sl_lane_calls *calls, struct sl_error *err)
{
  struct sl_lane_state entry;
  enum sl_status status = SL_OK;
  if (f->code.count == 0)
    return SL_OK;
  sl_lane_state_enter(&entry, kernel, differ);
  entry.registers = f->code.bytes == RV32_BYTES ? 2 * RV32_REGISTERS : SL_LANE_REGISTERS;
  begin_with(f, &entry);
  for (bool grown = true; grown && status == SL_OK;) {
    iterate(f, &entry, calls);
    grown = false;
    for (uint32_t node = 1; node <= f->code.count && status == SL_OK; node++)
      if (f->diverges[node])
        status = propagate(f, node, &grown, err);
  }
  return status;
}

uint16_t sl_lane_function_results(const struct sl_lane_function *f)
{
  return f->code.count > 0 ? sl_lane_state_arguments(state_at(f, END)) : 0;
}

void sl_lane_function_calls(struct sl_lane_function *f,
                            void (*found)(void *context, uint32_t node, uint32_t target,
                                          const struct sl_lane_state *state),
                            void *context)
{
  bool changed[SL_LANE_PLACES] = {false};
  for (uint32_t i = 0; i < f->code.blocks; i++) {
    const uint32_t leader = f->code.order[i];
    if (!f->in_state[i].reached)
      continue;
    struct sl_lane_state s = f->in_state[i];
    const uint32_t last = sl_lane_block_end(&f->code, leader);
    for (uint32_t node = leader; node != END; node = node == last ? END : f->code.next[node][0]) {
      uint32_t target;
      if (is_call(&f->code, node)) {
        if (sl_lane_state_target(&s, &f->code, node, &target))
          found(context, node, target, &s);
        sl_lane_state_call(&s, &f->code, node, 0, changed);
      } else if (!sl_lane_is_branch(&f->code, node)) {
        sl_lane_state_step(&s, &f->code, node, &f->terms, &f->slots);
      }
    }
  }
}
