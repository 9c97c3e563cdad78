#include "toolchain/lanes/lane_function.h"

#include <stdlib.h>
#include <string.h>

#include "base/post_dominators.h"

enum { END = 0 };

static bool make_room(struct sl_lane_function *f)
{
  const size_t nodes = (size_t)f->code.count + 1, heads = f->code.heads + 1;
  f->state_of = calloc(nodes, sizeof *f->state_of);
  f->parts = calloc(nodes, sizeof *f->parts);
  f->unmarked = calloc(nodes, sizeof *f->unmarked);
  f->within = calloc(nodes, sizeof *f->within);
  f->state = calloc(heads, sizeof *f->state);
  f->front = calloc(heads, sizeof *f->front);
  f->behind = calloc(heads, sizeof *f->behind);
  f->spread = calloc(heads, sizeof *f->spread);
  f->from_first = calloc(heads + 1, sizeof *f->from_first);
  f->from = calloc(2 * heads, sizeof *f->from);
  return f->state_of && f->parts && f->unmarked && f->within && f->state && f->front && f->behind && f->spread &&
         f->from_first && f->from;
}

/* Who leads to each head: counted, then filled in from behind. */
static void find_from(struct sl_lane_function *f)
{
  const struct sl_lane_code *code = &f->code;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < code->heads; i++) {
      const uint32_t *next = code->next[sl_lane_stretch_end(code, code->order[i])];
      for (unsigned way = 0; way < 2 && code->order[i] != END && (way == 0 || next[1] != next[0]); way++)
        if (pass == 0)
          f->from_first[f->state_of[next[way]]]++;
        else
          f->from[--f->from_first[f->state_of[next[way]]]] = i;
    }
    for (uint32_t i = 0; i <= code->heads && pass == 0; i++)
      f->from_first[i] += i > 0 ? f->from_first[i - 1] : 0;
  }
}

enum sl_status sl_lane_function_open(struct sl_lane_function *f, const struct sl_program *program, uint32_t address,
                                     uint32_t end, struct sl_error *err)
{
  *f = (struct sl_lane_function){0};
  const enum sl_status status = sl_lane_code_read(&f->code, program, address, end, err);
  if (status != SL_OK)
    return status;
  if (!make_room(f))
    return sl_no_memory(err, f->code.heads * sizeof *f->state);
  for (uint32_t i = 0; i < f->code.heads; i++)
    f->state_of[f->code.order[i]] = i;
  find_from(f);
  return SL_OK;
}

void sl_lane_function_close(struct sl_lane_function *f)
{
  sl_lane_code_free(&f->code);
  sl_terms_free(&f->terms);
  free(f->state);
  free(f->front);
  free(f->behind);
  free(f->state_of);
  free(f->from_first);
  free(f->from);
  free(f->spread);
  free(f->parts);
  free(f->unmarked);
  free(f->within);
  *f = (struct sl_lane_function){0};
}

static struct sl_lane_state *state_at(const struct sl_lane_function *f, uint32_t node)
{
  return &f->state[f->state_of[node]];
}

/* Whether the predicate on which the lanes agree decides the value. */
static bool is_agreed(const struct sl_lane_function *f, const struct sl_lane_state *s, unsigned reg)
{
  const struct sl_lane_value *value = &s->place[reg];
  return value->lane == 0 || sl_term_has(&f->terms, s->agreed, value->term) ||
         sl_term_has(&f->terms, value->term, s->agreed);
}

static void look_at_branch(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node)
{
  const struct sl_insn *in = &f->code.insn[node - 1];
  const bool agreed = is_agreed(f, s, in->rs1) && is_agreed(f, s, in->rs2);
  f->parts[node] = f->unmarked[node] = false;
  if (s->place[in->rs1].lane == s->place[in->rs2].lane)
    return;
  f->unmarked[node] = !agreed;
  if (agreed) { /* without a mark they stay together, wrongly */
    f->parts[node] = true;
    s->agreed = 0;
  }
}

static bool goes_elsewhere(const struct sl_insn *in)
{
  return in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR;
}

/* Calls, and jumps that leave the function otherwise than by returning. */
static bool is_outward(const struct sl_lane_code *code, uint32_t node)
{
  const struct sl_insn *in = &code->insn[node - 1];
  if (!goes_elsewhere(in))
    return false;
  if (sl_is_call(in))
    return true;
  const bool returns = in->kind == SL_KIND_JALR && in->rs1 == SL_LANE_RA;
  return in->rd == SL_LANE_ZERO && code->next[node][0] == END && !returns;
}

/* Whether it comes back. */
static bool go_outward(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node,
                       const struct sl_lane_calls *calls)
{
  const struct sl_insn *in = &f->code.insn[node - 1];
  bool changed[SL_LANE_PLACES] = {false};
  uint32_t target;
  const bool known = sl_lane_state_target(s, &f->code, node, &target);
  if (!known && s->place[in->rs1].lane != 0)
    f->unmarked[node] = true;
  uint16_t results = 0;
  const bool returns = calls->returns(calls->context, target, known, sl_lane_state_arguments(s), &results);
  sl_lane_state_call(s, &f->code, node, results, changed);
  return returns;
}

/* Whether what is behind the instruction is reached from it. */
static bool step(struct sl_lane_function *f, struct sl_lane_state *s, uint32_t node, const struct sl_lane_calls *calls)
{
  if (sl_lane_branches(&f->code, node))
    look_at_branch(f, s, node);
  else if (is_outward(&f->code, node))
    return go_outward(f, s, node, calls);
  else
    sl_lane_state_step(s, &f->code, node, &f->terms, &f->slots);
  return true;
}

/* From the state in front of a head to the one behind its stretch. */
static void walk(struct sl_lane_function *f, uint32_t number, const struct sl_lane_calls *calls)
{
  const uint32_t head = f->code.order[number], end = sl_lane_stretch_end(&f->code, head);
  struct sl_lane_state *s = &f->behind[number];
  *s = f->state[number];
  for (uint32_t node = head; s->reached; node = f->code.next[node][0]) {
    s->reached = step(f, s, node, calls);
    if (node == end)
      break;
  }
}

/* Adds what comes from heads before this one, or from it and those behind it: round a loop. */
static void add(const struct sl_lane_function *f, uint32_t number, bool before, struct sl_lane_state *s, uint8_t *mixed)
{
  for (uint32_t i = f->from_first[number]; i < f->from_first[number + 1]; i++) {
    const uint32_t from = f->from[i];
    if (f->behind[from].reached && (from < number) == before)
      sl_lane_state_join(s, &f->behind[from], mixed, f->code.order[number]);
  }
}

/* In front of a head there is what comes from all that lead to it. What comes round a loop counts once the loop has
 * been walked with what it is entered with. True: the state has changed. */
static bool gather(struct sl_lane_function *f, uint32_t number, const struct sl_lane_state *entry)
{
  struct sl_lane_state s = {.reached = false};
  uint8_t mixed[SL_LANE_PLACES] = {0};
  if (number == 0)
    s = *entry;
  add(f, number, true, &s, mixed);
  const bool again = !sl_lane_state_equal(&s, &f->front[number]);
  if (again)
    f->front[number] = s;
  else
    add(f, number, false, &s, mixed);
  if (s.reached)
    sl_lane_state_spread(&s, f->spread[number], f->code.order[number]);
  if (sl_lane_state_equal(&s, &f->state[number]))
    return again;
  f->state[number] = s;
  return true;
}

static void walk_all(struct sl_lane_function *f, const struct sl_lane_state *entry, const struct sl_lane_calls *calls)
{
  enum { MOST = 60 };
  bool changed = true;
  for (unsigned sweep = 0; changed && sweep < MOST; sweep++) {
    changed = false;
    for (uint32_t i = 0; i < f->code.heads; i++)
      if (gather(f, i, entry) || sweep == 0) {
        changed = true;
        if (f->code.order[i] != END)
          walk(f, i, calls);
      }
  }
}

/* What the instruction changes, of words of the stack those that are known. */
static void add_changes(struct sl_lane_function *f, uint32_t node, bool *changed)
{
  static const struct sl_lane_state nothing;
  const struct sl_insn *in = &f->code.insn[node - 1];
  if (is_outward(&f->code, node)) {
    struct sl_lane_state s = nothing;
    sl_lane_state_call(&s, &f->code, node, 0, changed);
  } else if (sl_writes_rd(in)) {
    changed[in->rd] = true;
  }
}

/* Stores to the stack need its state, which is at heads only: all from a head on are walked again. */
static void add_stores(struct sl_lane_function *f, const bool *in, bool *changed)
{
  for (uint32_t i = 0; i < f->code.heads; i++) {
    const uint32_t head = f->code.order[i];
    if (!in[head] || !f->state[i].reached)
      continue;
    struct sl_lane_state s = f->state[i];
    const uint32_t last = sl_lane_stretch_end(&f->code, head);
    for (uint32_t node = head; node != END; node = node == last ? END : f->code.next[node][0])
      if (f->code.insn[node - 1].kind == SL_KIND_STORE || f->code.insn[node - 1].rd == SL_LANE_SP) {
        const uint32_t to = sl_lane_state_step(&s, &f->code, node, &f->terms, &f->slots);
        if (to < SL_LANE_PLACES && in[node])
          changed[to] = true;
      }
  }
}

static enum sl_status spread(struct sl_lane_function *f, uint32_t branch, bool *news, struct sl_error *err)
{
  const size_t nodes = (size_t)f->code.count + 1;
  const uint32_t meet = f->code.meets[branch];
  bool changed[SL_LANE_PLACES] = {false}, *in = calloc(nodes, sizeof *in);
  if (in == NULL || !sl_lane_region(&f->code, branch, in)) {
    free(in);
    return sl_no_memory(err, nodes);
  }
  for (uint32_t node = 1; node < nodes; node++)
    if (in[node]) {
      f->within[node] = true;
      add_changes(f, node, changed);
    }
  add_stores(f, in, changed);
  if (meet != SL_NO_POST_DOMINATOR && f->code.head[meet])
    *news |= sl_lane_state_find_spread(state_at(f, meet), &f->terms, in, changed, meet, f->spread[f->state_of[meet]]);
  free(in);
  return SL_OK;
}

enum sl_status sl_lane_function_solve(struct sl_lane_function *f, bool kernel, uint16_t differ,
                                      const struct sl_lane_calls *calls, struct sl_error *err)
{
  struct sl_lane_state entry;
  enum sl_status status = SL_OK;
  if (f->code.count == 0)
    return SL_OK;
  sl_lane_state_enter(&entry, kernel, differ);
  for (bool news = true; news && status == SL_OK;) {
    walk_all(f, &entry, calls);
    news = false;
    for (uint32_t node = 1; node <= f->code.count && status == SL_OK; node++)
      if (f->parts[node])
        status = spread(f, node, &news, err);
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
  for (uint32_t i = 0; i < f->code.heads; i++) {
    const uint32_t head = f->code.order[i];
    if (!f->state[i].reached)
      continue;
    struct sl_lane_state s = f->state[i];
    const uint32_t last = sl_lane_stretch_end(&f->code, head);
    for (uint32_t node = head; node != END; node = node == last ? END : f->code.next[node][0]) {
      uint32_t target;
      if (is_outward(&f->code, node)) {
        if (sl_lane_state_target(&s, &f->code, node, &target))
          found(context, node, target, &s);
        sl_lane_state_call(&s, &f->code, node, 0, changed);
      } else if (!sl_lane_branches(&f->code, node)) {
        sl_lane_state_step(&s, &f->code, node, &f->terms, &f->slots);
      }
    }
  }
}
