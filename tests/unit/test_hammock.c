/* Hammocks: short forward branches that are if-converted. Divergent ones are compared with single-instruction
 * execution: at every stop the state equals that of selecting lanes instruction by instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks_pair.h"
#include "func/blocks/basic_blocks.h"

enum { BRANCH = 1 /* number of the instruction */, CONDITION = 12, ONE = 13, ADDRESSES = 10 };

static struct sl_hammock hammock_at(struct pair *p, bool nesting)
{
  assert_true(sl_basic_blocks_of(&p->code, &p->blocks.threads.code, p->blocks.threads.code_edition));
  return sl_hammock_at(&p->code, &p->blocks.threads.code, BRANCH, nesting);
}

static uint32_t write_numbers(struct pair *p, uint32_t at, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    write_both(p, CODE_BASE + 4 * at++, word_i(SL_OP_ADDI, 7, 7, 3));
  return at;
}

/* addi; a branch over this many steps; this many computations; a pop, or none; addi. */
static void write_plain(struct pair *p, uint32_t steps, uint32_t tail, bool pops)
{
  uint32_t at = write_numbers(p, 0, BRANCH);
  write_both(p, CODE_BASE + 4 * at++, word_b(SL_OP_BEQ, CONDITION, ONE, 4 + 4 * (int)steps));
  at = write_numbers(p, at, steps + tail);
  if (pops)
    write_both(p, CODE_BASE + 4 * at++, sl_op_info(SL_OP_POP)->match);
  write_both(p, CODE_BASE + 4 * at++, word_i(SL_OP_LUI, 8, 0, 0));
  for (uint32_t i = 0; i < 3; i++)
    write_both(p, CODE_BASE + 4 * at++, word_b(SL_OP_BEQ, 0, 0, 4));
}

static void its_steps_end_at_the_branch_target(void **state)
{
  struct pair *p = *state;
  for (uint32_t steps = 1; steps < SL_HAMMOCK_STEPS + 3; steps++) {
    write_plain(p, steps, 0, true);
    assert_int_equal(hammock_at(p, true).steps, steps <= SL_HAMMOCK_STEPS ? steps : 0);
  }
  write_both(p, CODE_BASE + 4 * 3, word_b(SL_OP_BEQ, 0, 0, 8));
  assert_int_equal(hammock_at(p, true).steps, 0);
}

static void a_pop_may_follow_a_few_computations(void **state)
{
  struct pair *p = *state;
  for (uint32_t tail = 0; tail < SL_HAMMOCK_TAIL + 3; tail++) {
    write_plain(p, 2, tail, true);
    assert_int_equal(hammock_at(p, true).pops, tail <= SL_HAMMOCK_TAIL);
    assert_int_equal(hammock_at(p, true).tail, tail <= SL_HAMMOCK_TAIL ? tail : 0);
    assert_false(hammock_at(p, false).pops);
  }
  write_plain(p, 2, 2, true);
  write_both(p, CODE_BASE + 4 * (BRANCH + 4), word_i(SL_OP_LW, 5, ADDRESSES, 0)); /* not over a load */
  assert_false(hammock_at(p, true).pops);
}

/* All instructions, or any smaller number. */
enum { TRIES = 3000, INSTRUCTIONS = 30 };

/* The code above with random steps and addresses of a random kind. */
static void write_random(struct pair *p)
{
  const uint32_t steps = 1 + random_below(&p->seed, 7), tail = random_below(&p->seed, 4);
  const unsigned kind = random_below(&p->seed, 10);
  write_plain(p, steps, tail, random_below(&p->seed, 4) != 0);
  for (uint32_t i = 0; i < steps; i++)
    write_both(p, CODE_BASE + 4 * (BRANCH + 1 + i), few_registers(&p->seed));
  fill_registers(p);
  const uint32_t base = random_base(&p->seed);
  const sl_lanes taken = random_lanes(&p->seed);
  for (unsigned l = 0; l < LANES; l++)
    for (struct warp *w = &p->blocks; w != NULL; w = w == &p->blocks ? &p->single : NULL) {
      uint64_t seed = p->seed + l;
      warp_register(w, ADDRESSES)[l] = place(&seed, kind, base, 4, l);
      warp_register(w, ADDRESSES + 1)[l] = DATA + 4 * l;
      warp_register(w, CONDITION)[l] = taken >> l & 1;
      warp_register(w, ONE)[l] = 1;
    }
}

static void expect_steps_one_by_one(struct pair *p, enum sl_scheme scheme)
{
  unsigned parted = 0;
  if (p->code.ops == NULL)
    skip(); /* no flat memory */
  fill_memory(p);
  for (unsigned i = 0; i < TRIES; i++) {
    write_random(p);
    const int16_t level = (int16_t)(scheme == SL_CONVERGENCE_NESTING && random_below(&p->seed, 8) != 0);
    for (struct warp *w = &p->blocks; w != NULL; w = w == &p->blocks ? &p->single : NULL) {
      w->threads.spec.convergence = scheme;
      sl_paths_start(warp_paths(w), scheme, ALL, CODE_BASE);
      warp_paths(w)->path[0].level = level;
      w->threads.fault.kind = SL_FAULT_NONE;
    }
    run_both(p, 1 + random_below(&p->seed, INSTRUCTIONS));
    expect_same(p);
    parted += warp_paths(&p->single)->count > 1;
  }
  assert_true(sl_memory_hash(&p->blocks.memory) == sl_memory_hash(&p->single.memory));
  assert_in_range(parted, TRIES / 20, TRIES);
}

static void lanes_by_nesting_do_what_they_do_one_by_one(void **state)
{
  expect_steps_one_by_one(*state, SL_CONVERGENCE_NESTING);
}

static void lanes_by_depth_and_pc_do_what_they_do_one_by_one(void **state)
{
  struct pair *p = *state;
  if (p->code.ops == NULL)
    skip(); /* no flat memory */
  const enum sl_execution_mode mode = p->code.emitted == NULL ? SL_MODE_BLOCKS : SL_MODE_EAGER;
  sl_jit_close(&p->code);
  sl_basic_blocks_free(&p->code);
  sl_path_blocks_init(&p->code, &p->blocks.threads, SL_CONVERGENCE_DEPTH_PC, mode, false, NULL);
  expect_steps_one_by_one(p, SL_CONVERGENCE_DEPTH_PC);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(its_steps_end_at_the_branch_target, setup, teardown),
      cmocka_unit_test_setup_teardown(a_pop_may_follow_a_few_computations, setup, teardown),
      EACH(lanes_by_nesting_do_what_they_do_one_by_one),
      EACH(lanes_by_depth_and_pc_do_what_they_do_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
