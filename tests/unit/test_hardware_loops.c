/* Hardware loops and the predication stack: nests, tail masks, divergence, misuse (arXiv 2512.00032, section IV-B). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/extensions/hardware_loops.h"
#include "random.h"

enum { LOOPS = 8, WARPS = 2, ALL = 0xff, NO_TAIL = -1 };

static int setup(void **state)
{
  static struct sl_loops loops;
  *state = &loops;
  return sl_loops_init(&loops, LOOPS, WARPS, SL_LOOPS_BLOCK_ENABLE, NULL) != SL_OK;
}

static int teardown(void **state)
{
  sl_loops_free(*state);
  return 0;
}

static const char *set(struct sl_loops *l, unsigned loop, enum sl_loop_register reg, uint32_t value)
{
  return sl_loops_csr_write(l, 0, sl_extension_csr(SL_UNIT_LOOP, loop, reg), value);
}

static uint32_t get(struct sl_loops *l, unsigned loop, enum sl_loop_register reg)
{
  uint32_t value = 0;
  assert_null(sl_loops_csr_read(l, 0, sl_extension_csr(SL_UNIT_LOOP, loop, reg), &value));
  return value;
}

static void configure(struct sl_loops *l, unsigned loop, uint32_t start, uint32_t end, uint32_t bound, int64_t tail)
{
  assert_null(set(l, loop, SL_LOOP_START, start));
  assert_null(set(l, loop, SL_LOOP_END, end));
  assert_null(set(l, loop, SL_LOOP_TAIL, (uint32_t)tail));
  assert_null(set(l, loop, SL_LOOP_BOUND, bound | SL_LOOP_ENABLE));
}

/* A warp whose pc follows the loops only. */
struct walk {
  struct sl_loops *l;
  uint32_t pc;
  sl_lanes fetch, effective;
  unsigned splits;
};

static const char *step(struct walk *w)
{
  const char *illegal = sl_loops_enter(w->l, 0, w->pc, w->splits, w->fetch, &w->effective);
  const uint32_t pc = w->pc;
  w->pc = illegal ? pc : pc + 4;
  return illegal ? illegal : sl_loops_next(w->l, 0, pc, w->splits, &w->fetch, &w->pc);
}

/* The warp executes at `pc` with `lanes`. */
static void executes(struct walk *w, uint32_t pc, sl_lanes lanes)
{
  assert_int_equal(w->pc, pc);
  assert_null(step(w));
  assert_true(w->effective == lanes);
}

static void code_without_loops_is_straight(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = 0x0f};
  executes(&w, 0x100, 0x0f);
  executes(&w, 0x104, 0x0f);
  assert_false(sl_loops_running(w.l, 0));
}

static void a_body_repeats_bound_times(void **state)
{
  struct walk w = {.l = *state, .pc = 0xfc, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x104, 3, NO_TAIL);
  executes(&w, 0xfc, ALL);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(get(w.l, 0, SL_LOOP_STATE), i);
    executes(&w, 0x100, ALL);
    assert_true(sl_loops_running(w.l, 0));
    executes(&w, 0x104, ALL);
  }
  assert_false(sl_loops_running(w.l, 0));
  executes(&w, 0x108, ALL);
}

static void bound_1_is_straight_code_with_the_tail_mask(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x100, 1, 0x03);
  executes(&w, 0x100, 0x03);
  executes(&w, 0x104, ALL);
}

static void only_the_last_iteration_has_the_tail_mask(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = 0x3f};
  configure(w.l, 0, 0x100, 0x100, 3, 0xf1);
  executes(&w, 0x100, 0x3f);
  executes(&w, 0x100, 0x3f);
  executes(&w, 0x100, 0x31);
  executes(&w, 0x104, 0x3f);
}

static void nested_loops_share_start_and_end(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x100, 2, 0x0f); /* lower unit: outer */
  configure(w.l, 1, 0x100, 0x100, 3, 0x3c);
  for (unsigned outer = 0; outer < 2; outer++)
    for (unsigned inner = 0; inner < 3; inner++)
      executes(&w, 0x100, (outer == 1 ? 0x0f : ALL) & (inner == 2 ? 0x3c : ALL));
  executes(&w, 0x104, ALL);
}

static void a_loop_is_entered_again_after_it_is_done(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x100, 2, NO_TAIL);
  for (unsigned round = 0; round < 2; round++) {
    w.pc = 0x100;
    executes(&w, 0x100, ALL);
    executes(&w, 0x100, ALL);
    executes(&w, 0x104, ALL);
    assert_int_equal(get(w.l, 0, SL_LOOP_BOUND), 2 | SL_LOOP_ENABLE);
    assert_int_equal(get(w.l, 0, SL_LOOP_STATE), 0);
  }
}

static void a_jump_into_the_body_does_not_enter(void **state)
{
  struct walk w = {.l = *state, .pc = 0x104, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x104, 5, NO_TAIL);
  executes(&w, 0x104, ALL);
  executes(&w, 0x108, ALL);
}

static void leaving_a_loop_restores_the_mask_at_entry(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = 0x3f};
  configure(w.l, 0, 0x100, 0x104, 2, 0x01);
  executes(&w, 0x100, 0x3f);
  w.fetch = 0x07; /* as TMC or PRED would */
  executes(&w, 0x104, 0x07);
  executes(&w, 0x100, 0x01);
  executes(&w, 0x104, 0x01);
  executes(&w, 0x108, 0x3f);
}

static void the_state_of_a_running_loop_can_be_set(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x104, 100, 0x01);
  executes(&w, 0x100, ALL);
  assert_null(set(w.l, 0, SL_LOOP_STATE, 99)); /* this iteration is the last */
  executes(&w, 0x104, 0x01);
  executes(&w, 0x108, ALL);
}

static void lanes_beyond_the_tail_register_stay_active(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ~UINT64_C(0)};
  configure(w.l, 0, 0x100, 0x100, 1, 0x5);
  executes(&w, 0x100, UINT64_C(0xffffffff00000005));
}

static void loops_are_per_warp(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x100, 2, NO_TAIL);
  uint32_t next = 0x104;
  sl_lanes effective;
  executes(&w, 0x100, ALL);
  assert_null(sl_loops_enter(w.l, 1, 0x100, 0, 1, &effective));
  assert_null(sl_loops_next(w.l, 1, 0x100, 0, &effective, &next));
  assert_int_equal(next, 0x104);
}

static void a_deactivated_warp_loses_its_loops(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 3, 0x100, 0x104, 2, NO_TAIL);
  executes(&w, 0x100, ALL);
  sl_loops_clear(w.l, 0);
  assert_false(sl_loops_running(w.l, 0));
  assert_int_equal(get(w.l, 3, SL_LOOP_BOUND), 0);
  executes(&w, 0x104, ALL);
  executes(&w, 0x108, ALL);
}

static void the_product_covers_the_enabled_loops(void **state)
{
  struct sl_loops *l = *state;
  assert_true(sl_loops_product(l, 0) == UINT64_MAX);
  configure(l, 0, 0x100, 0x100, 6, NO_TAIL);
  configure(l, 5, 0x100, 0x100, 7, NO_TAIL);
  assert_null(set(l, 2, SL_LOOP_BOUND, 9));
  assert_true(sl_loops_product(l, 0) == 42);
  for (unsigned i = 1; i < 4; i++)
    configure(l, i, 0x100, 0x100, 0x7fffffff, NO_TAIL);
  assert_true(sl_loops_product(l, 0) == UINT64_MAX);
}

static void blocking_names_the_writes_that_stall_fetch(void **state)
{
  struct sl_loops *l = *state;
  const unsigned bound = sl_extension_csr(SL_UNIT_LOOP, 1, SL_LOOP_BOUND);
  const unsigned tail = sl_extension_csr(SL_UNIT_LOOP, 1, SL_LOOP_TAIL);
  assert_true(sl_loops_csr_blocks(l, bound, SL_LOOP_ENABLE | 4));
  assert_false(sl_loops_csr_blocks(l, bound, 4));
  assert_false(sl_loops_csr_blocks(l, tail, SL_LOOP_ENABLE));
  l->blocking = SL_LOOPS_BLOCK_ALL;
  assert_true(sl_loops_csr_blocks(l, tail, 0));
  l->blocking = SL_LOOPS_BLOCK_NONE;
  assert_false(sl_loops_csr_blocks(l, bound, SL_LOOP_ENABLE | 4));
}

static void the_csr_numbers_are_those_of_the_layout(void **state)
{
  (void)state;
  assert_int_equal(sl_extension_csr(SL_UNIT_LOOP, 0, 0), 0x800);
  assert_int_equal(sl_extension_csr(SL_UNIT_LOOP, 3, 4), 0x81c);
  assert_int_equal(sl_extension_csr(SL_UNIT_STREAM, 2, 5), 0x895);
  assert_true(sl_is_extension_csr(0x87f, SL_UNIT_LOOP) && !sl_is_extension_csr(0x880, SL_UNIT_LOOP));
  assert_true(sl_is_extension_csr(0x8ff, SL_UNIT_STREAM) && !sl_is_extension_csr(0x900, SL_UNIT_STREAM));
}

/* -- Misuse -- */

static void bound_0_cannot_be_enabled(void **state)
{
  assert_non_null(set(*state, 0, SL_LOOP_BOUND, SL_LOOP_ENABLE));
  assert_null(set(*state, 0, SL_LOOP_BOUND, 0));
}

static void a_running_loop_cannot_be_changed(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x104, 2, NO_TAIL);
  executes(&w, 0x100, ALL);
  assert_non_null(set(w.l, 0, SL_LOOP_BOUND, SL_LOOP_ENABLE | 2));
  assert_non_null(set(w.l, 0, SL_LOOP_START, 0x100));
  assert_non_null(set(w.l, 0, SL_LOOP_END, 0x108));
  assert_non_null(set(w.l, 0, SL_LOOP_STATE, 2));
  assert_null(set(w.l, 0, SL_LOOP_TAIL, 1));
  assert_null(set(w.l, 1, SL_LOOP_END, 0x108));
}

static void missing_units_and_registers_are_refused(void **state)
{
  struct sl_loops *l = *state;
  uint32_t value;
  l->count = 4;
  assert_non_null(set(l, 4, SL_LOOP_START, 0x100));
  assert_non_null(sl_loops_csr_read(l, 0, sl_extension_csr(SL_UNIT_LOOP, 4, 0), &value));
  assert_non_null(sl_loops_csr_read(l, 0, sl_extension_csr(SL_UNIT_LOOP, 0, 5), &value));
  assert_non_null(sl_loops_csr_write(l, 0, sl_extension_csr(SL_UNIT_LOOP, 0, 5), 0));
  assert_non_null(set(l, 0, SL_LOOP_START, 0x102));
  assert_non_null(set(l, 0, SL_LOOP_STATE, 1));
}

static void an_end_before_the_start_is_detected_at_entry(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0xfc, 2, NO_TAIL);
  assert_non_null(step(&w));
}

static void loops_that_do_not_nest_are_detected_at_the_end(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x104, 2, NO_TAIL);
  configure(w.l, 1, 0x104, 0x108, 2, NO_TAIL);
  executes(&w, 0x100, ALL);
  assert_non_null(step(&w));
}

static void a_split_still_open_at_the_end_is_detected(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL, .splits = 1};
  configure(w.l, 0, 0x100, 0x104, 2, NO_TAIL);
  executes(&w, 0x100, ALL);
  w.splits = 2;
  assert_non_null(step(&w));
}

static void a_join_of_an_outer_split_is_detected(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL, .splits = 1};
  configure(w.l, 0, 0x100, 0x108, 2, NO_TAIL);
  assert_false(sl_loops_join_leaves(w.l, 0, 1));
  executes(&w, 0x100, ALL);
  assert_true(sl_loops_join_leaves(w.l, 0, 1));
  assert_false(sl_loops_join_leaves(w.l, 0, 2));
}

static void the_end_of_any_running_loop_is_known(void **state)
{
  struct walk w = {.l = *state, .pc = 0x100, .fetch = ALL};
  configure(w.l, 0, 0x100, 0x10c, 2, NO_TAIL);
  configure(w.l, 1, 0x104, 0x108, 2, NO_TAIL);
  assert_false(sl_loops_ends_at(w.l, 0, 0x10c));
  executes(&w, 0x100, ALL);
  assert_true(sl_loops_ends_at(w.l, 0, 0x10c));
  assert_false(sl_loops_ends_at(w.l, 0, 0x108));
  executes(&w, 0x104, ALL);
  assert_true(sl_loops_ends_at(w.l, 0, 0x108));
}

/* -- Random programs: loops, and splits whose two sides run the same code, against their expansion -- */

enum { MAX_CODE = 256, MAX_TRACE = 1 << 16, MAX_NODES = 256, CODE_BASE = 0x1000 };
enum node_kind { NODE_PLAIN, NODE_LOOP, NODE_IF };

struct node {
  enum node_kind kind;
  uint32_t start, end, bound;
  sl_lanes lanes; /* tail mask, or lanes of the first side */
  int first, next;
};

enum code { CODE_PLAIN, CODE_SPLIT, CODE_JOIN };

struct program {
  struct node node[MAX_NODES];
  int nodes;
  unsigned loops;
  enum code code[MAX_CODE];
  sl_lanes side[MAX_CODE];
  uint32_t words;
};

struct event {
  uint32_t pc;
  sl_lanes lanes;
};

struct trace {
  struct event event[MAX_TRACE];
  unsigned count;
};

static uint32_t emit(struct program *p, enum code code, sl_lanes side)
{
  assert_true(p->words < MAX_CODE);
  p->code[p->words] = code;
  p->side[p->words] = side;
  return CODE_BASE + 4 * p->words++;
}

static int make_list(struct program *p, uint64_t *seed, unsigned depth, bool ends_plain);

static int make_node(struct program *p, uint64_t *seed, unsigned depth, bool ends_plain)
{
  const int n = p->nodes++;
  assert_true(n < MAX_NODES);
  const unsigned choice = random_below(seed, 6);
  p->node[n] = (struct node){.first = -1, .next = -1, .lanes = random64(seed) & ALL};
  if (choice < 3 && depth > 0 && p->loops < LOOPS) {
    p->node[n].kind = NODE_LOOP;
    p->node[n].bound = 1 + random_below(seed, 3);
    p->loops++;
    p->node[n].start = CODE_BASE + 4 * p->words;
    p->node[n].first = make_list(p, seed, depth - 1, true);
    p->node[n].end = CODE_BASE + 4 * (p->words - 1);
  } else if (choice == 3 && depth > 0 && !ends_plain) {
    p->node[n].kind = NODE_IF;
    p->node[n].start = emit(p, CODE_SPLIT, p->node[n].lanes);
    p->node[n].first = make_list(p, seed, depth - 1, true);
    p->node[n].end = emit(p, CODE_JOIN, 0);
  } else {
    p->node[n].start = emit(p, CODE_PLAIN, 0);
  }
  return n;
}

static int make_list(struct program *p, uint64_t *seed, unsigned depth, bool ends_plain)
{
  const unsigned length = 1 + random_below(seed, 3);
  int first = -1, last = -1;
  for (unsigned i = 0; i < length; i++) {
    const int n = make_node(p, seed, depth, ends_plain && i + 1 == length);
    if (last >= 0)
      p->node[last].next = n;
    else
      first = n;
    last = n;
  }
  return first;
}

static void note(struct trace *t, uint32_t pc, sl_lanes lanes)
{
  assert_true(t->count < MAX_TRACE);
  t->event[t->count++] = (struct event){pc, lanes};
}

static void expand(const struct program *p, int n, sl_lanes lanes, struct trace *t)
{
  for (; n >= 0; n = p->node[n].next) {
    const struct node *node = &p->node[n];
    switch (node->kind) {
    case NODE_PLAIN: note(t, node->start, lanes); break;
    case NODE_LOOP:
      for (uint32_t i = 0; i < node->bound; i++)
        expand(p, node->first, i + 1 == node->bound ? lanes & node->lanes : lanes, t);
      break;
    case NODE_IF: {
      const sl_lanes one = lanes & node->lanes, other = lanes & ~node->lanes;
      const bool diverges = one != 0 && other != 0;
      note(t, node->start, lanes);
      expand(p, node->first, diverges ? one : lanes, t);
      note(t, node->end, diverges ? one : lanes);
      if (!diverges)
        break;
      expand(p, node->first, other, t);
      note(t, node->end, other);
      break;
    }
    }
  }
}

struct side {
  sl_lanes restore, other;
  uint32_t pc;
};

/* A uniform split pushes an entry that its join only pops. */
static void run(struct sl_loops *l, const struct program *p, struct trace *t)
{
  struct walk w = {.l = l, .pc = CODE_BASE, .fetch = ALL};
  struct side stack[16];
  while (w.pc < CODE_BASE + 4 * p->words) {
    const uint32_t pc = w.pc, index = (pc - CODE_BASE) / 4;
    assert_false(p->code[index] == CODE_JOIN && sl_loops_join_leaves(l, 0, w.splits));
    const char *illegal = step(&w);
    if (illegal != NULL)
      fail_msg("at %#x: %s", (unsigned)pc, illegal);
    note(t, pc, w.effective);
    if (p->code[index] == CODE_SPLIT) {
      const sl_lanes one = w.effective & p->side[index], other = w.effective & ~p->side[index];
      const bool diverges = one != 0 && other != 0;
      stack[w.splits++] = (struct side){w.effective, diverges ? other : 0, pc + 4};
      w.fetch = diverges ? one : w.effective;
    } else if (p->code[index] == CODE_JOIN) {
      struct side *top = &stack[w.splits - 1];
      w.fetch = top->other ? top->other : top->restore;
      w.pc = top->other ? top->pc : pc + 4;
      w.splits -= top->other == 0;
      top->other = 0;
    }
  }
}

static void random_nests_equal_their_expansion(void **state)
{
  static struct program p;
  static struct trace expected, seen;
  uint64_t seed = 2512;
  unsigned most = 0;
  for (unsigned i = 0; i < 3000; i++) {
    p.nodes = 0;
    p.words = p.loops = 0;
    expected.count = seen.count = 0;
    sl_loops_clear(*state, 0);
    const int first = make_list(&p, &seed, 4, false);
    unsigned unit = 0;
    for (int n = 0; n < p.nodes; n++) /* parents come before their children */
      if (p.node[n].kind == NODE_LOOP)
        configure(*state, unit++, p.node[n].start, p.node[n].end, p.node[n].bound, (int64_t)p.node[n].lanes);
    most = unit > most ? unit : most;
    expand(&p, first, ALL, &expected);
    run(*state, &p, &seen);
    assert_int_equal(seen.count, expected.count);
    for (unsigned e = 0; e < seen.count; e++) {
      assert_int_equal(seen.event[e].pc, expected.event[e].pc);
      assert_true(seen.event[e].lanes == expected.event[e].lanes);
    }
    assert_false(sl_loops_running(*state, 0));
  }
  assert_int_equal(most, LOOPS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(code_without_loops_is_straight, setup, teardown),
      cmocka_unit_test_setup_teardown(a_body_repeats_bound_times, setup, teardown),
      cmocka_unit_test_setup_teardown(bound_1_is_straight_code_with_the_tail_mask, setup, teardown),
      cmocka_unit_test_setup_teardown(only_the_last_iteration_has_the_tail_mask, setup, teardown),
      cmocka_unit_test_setup_teardown(nested_loops_share_start_and_end, setup, teardown),
      cmocka_unit_test_setup_teardown(a_loop_is_entered_again_after_it_is_done, setup, teardown),
      cmocka_unit_test_setup_teardown(a_jump_into_the_body_does_not_enter, setup, teardown),
      cmocka_unit_test_setup_teardown(leaving_a_loop_restores_the_mask_at_entry, setup, teardown),
      cmocka_unit_test_setup_teardown(the_state_of_a_running_loop_can_be_set, setup, teardown),
      cmocka_unit_test_setup_teardown(lanes_beyond_the_tail_register_stay_active, setup, teardown),
      cmocka_unit_test_setup_teardown(loops_are_per_warp, setup, teardown),
      cmocka_unit_test_setup_teardown(a_deactivated_warp_loses_its_loops, setup, teardown),
      cmocka_unit_test_setup_teardown(the_product_covers_the_enabled_loops, setup, teardown),
      cmocka_unit_test_setup_teardown(blocking_names_the_writes_that_stall_fetch, setup, teardown),
      cmocka_unit_test(the_csr_numbers_are_those_of_the_layout),
      cmocka_unit_test_setup_teardown(bound_0_cannot_be_enabled, setup, teardown),
      cmocka_unit_test_setup_teardown(a_running_loop_cannot_be_changed, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_units_and_registers_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(an_end_before_the_start_is_detected_at_entry, setup, teardown),
      cmocka_unit_test_setup_teardown(loops_that_do_not_nest_are_detected_at_the_end, setup, teardown),
      cmocka_unit_test_setup_teardown(a_split_still_open_at_the_end_is_detected, setup, teardown),
      cmocka_unit_test_setup_teardown(a_join_of_an_outer_split_is_detected, setup, teardown),
      cmocka_unit_test_setup_teardown(the_end_of_any_running_loop_is_known, setup, teardown),
      cmocka_unit_test_setup_teardown(random_nests_equal_their_expansion, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
