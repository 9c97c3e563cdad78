/* Basic blocks compared with single-instruction execution, which has its own tests: every instruction with a step, on
 * random registers, sets of lanes and kinds of addresses; and the ends of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks_pair.h"
#include "floats.h"

static uint64_t try_instruction(struct pair *p, const struct sl_op_info *info)
{
  const uint32_t rd = info->kind == SL_KIND_AMO ? 0 : 31u << 7; /* atomics without a result have steps */
  const uint32_t word = info->match | (random32(&p->seed) & ~info->mask & (rd | ~(31u << 7)));
  const struct sl_insn in = sl_decode(word, p->blocks.threads.spec.isa_sets);
  const sl_lanes lanes = random_lanes(&p->seed);
  fill_registers(p);
  if (in.width != 0)
    fill_addresses(p, &in);
  write_both(p, CODE_BASE, word);
  warp_activate(&p->blocks, lanes);
  warp_activate(&p->single, lanes);
  p->blocks.threads.fault.kind = p->single.threads.fault.kind = SL_FAULT_NONE;
  const uint64_t done = run_both(p, 1);
  expect_same(p);
  return done;
}

static void every_step_equals_its_instruction(void **state)
{
  struct pair *p = *state;
  enum { TRIES = 400 };
  unsigned steps = 0;
  if (p->code.ops == NULL)
    skip(); /* no flat memory */
  fill_memory(p);
  for (unsigned op = 0; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (p->code.ops->all[op] == NULL || !(info->set & p->blocks.threads.spec.isa_sets))
      continue;
    uint64_t done = 0;
    for (unsigned i = 0; i < TRIES; i++)
      done += try_instruction(p, info);
    assert_true(op == SL_OP_AMOSWAP ? done == 0 : done > (info->kind == SL_KIND_AMO ? TRIES / 20 : TRIES / 5));
    assert_true(sl_memory_hash(&p->blocks.memory) == sl_memory_hash(&p->single.memory));
    steps++;
  }
  assert_true(steps > 50);
}

/* Every pair of corner values, and numbers near them. */
static void float_steps_equal_their_instructions_at_corners(void **state)
{
  struct pair *p = *state;
  enum { A = 5, B = 6, PAIRS = CORNER_FLOATS * CORNER_FLOATS, ROUNDS = 2 * PAIRS / LANES };
  unsigned steps = 0;
  for (unsigned op = 0; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (info->kind != SL_KIND_FPU || !(info->set & p->blocks.threads.spec.isa_sets))
      continue;
    const uint32_t registers = 7u << 7 | A << 15 | B << 20;
    write_both(p, CODE_BASE, info->match | (registers & ~info->mask));
    for (unsigned round = 0; round < ROUNDS; round++) {
      for (unsigned l = 0; l < LANES; l++) {
        const unsigned pair = round * LANES + l;
        const uint32_t a = corner_float(pair % CORNER_FLOATS);
        const uint32_t b = pair < PAIRS ? corner_float(pair / CORNER_FLOATS) : random_float(&p->seed, a);
        warp_register(&p->blocks, A)[l] = warp_register(&p->single, A)[l] = a;
        warp_register(&p->blocks, B)[l] = warp_register(&p->single, B)[l] = b;
      }
      const sl_lanes lanes = random_lanes(&p->seed);
      warp_activate(&p->blocks, lanes);
      warp_activate(&p->single, lanes);
      assert_int_equal(run_both(p, 1), p->code.ops != NULL);
      expect_same(p);
    }
    steps++;
  }
  assert_true(steps > 10);
}

/* Lanes that access the same word, from two to all lanes, in both memories: blocks must keep their order. */
static void stores_to_one_place_keep_their_order(void **state)
{
  struct pair *p = *state;
  static const enum sl_op stores[] = {SL_OP_SB, SL_OP_SH, SL_OP_SW};
  for (unsigned i = 0; i < 600; i++) {
    const unsigned op = i % 3, together = 2 + i % 31;
    const uint32_t base = i / 3 % 2 ? SCRATCHPAD : DATA, word = word_s(stores[op], 6, 5, 0);
    const sl_lanes lanes = random_lanes(&p->seed);
    fill_registers(p);
    for (unsigned l = 0; l < LANES; l++)
      warp_register(&p->blocks, 5)[l] = warp_register(&p->single, 5)[l] =
          base + (l * 7 % LANES < together ? 64 : l * 4);
    write_both(p, CODE_BASE, word);
    warp_activate(&p->blocks, lanes);
    warp_activate(&p->single, lanes);
    run_both(p, 1);
    expect_same(p);
    assert_true(sl_memory_hash(&p->blocks.memory) == sl_memory_hash(&p->single.memory));
  }
}

/* A path reaches another one that waits in the middle of straight code: they merge there. */
static void a_block_ends_where_another_path_waits(void **state)
{
  struct pair *p = *state;
  for (uint32_t i = 0; i < 10; i++)
    write_both(p, CODE_BASE + 4 * i, word_i(SL_OP_ADDI, 5, 5, 1));
  for (uint32_t wait = 1; wait < 10; wait++)
    for (uint64_t instructions = 1; instructions < 15; instructions++) {
      for (struct warp *w = &p->blocks; w != NULL; w = w == &p->blocks ? &p->single : NULL) {
        struct sl_paths *paths = warp_paths(w);
        sl_paths_start(paths, SL_CONVERGENCE_NESTING, 0xffff0000, CODE_BASE);
        paths->path[1] = (struct sl_path){.lanes = 0xff00, .pc = CODE_BASE + 4 * wait};
        paths->path[2] = (struct sl_path){.lanes = 0xff, .pc = CODE_BASE + 4 * wait, .level = -1};
        paths->count = 3;
        warp_set(w, 5, 0, 0);
      }
      run_both(p, instructions);
      expect_same(p);
    }
}

/* There is no instruction after the last one of the code. */
static void code_ends_in_a_fault(void **state)
{
  struct pair *p = *state;
  for (uint32_t i = CODE_WORDS - 4; i < CODE_WORDS; i++)
    write_both(p, CODE_BASE + 4 * i, word_i(SL_OP_ADDI, 5, 5, 1));
  for (struct warp *w = &p->blocks; w != NULL; w = w == &p->blocks ? &p->single : NULL) {
    sl_paths_start(warp_paths(w), SL_CONVERGENCE_NESTING, ALL, CODE_BASE + 4 * (CODE_WORDS - 4));
    warp_set(w, 5, 0, 0);
  }
  run_both(p, 9);
  expect_same(p);
  assert_int_equal(p->blocks.threads.fault.kind, SL_FAULT_FETCH);
}

static void a_path_outside_the_code_faults_among_others(void **state)
{
  struct pair *p = *state;
  for (uint32_t i = 0; i < 4; i++)
    write_both(p, CODE_BASE + 4 * i, word_i(SL_OP_ADDI, 5, 5, 1));
  for (struct warp *w = &p->blocks; w != NULL; w = w == &p->blocks ? &p->single : NULL) {
    struct sl_paths *paths = warp_paths(w);
    sl_paths_start(paths, SL_CONVERGENCE_NESTING, 0xffff0000, UINT32_C(0xf0000000));
    paths->path[1] = (struct sl_path){.lanes = 0xffff, .pc = CODE_BASE};
    paths->count = 2;
    warp_set(w, 5, 0, 0);
  }
  run_both(p, 9);
  expect_same(p);
  assert_int_equal(p->blocks.threads.fault.kind, SL_FAULT_FETCH);
}

/* Mixed execution: steps and single instructions see each other's results. */
static void many_instructions_equal_single_ones(void **state)
{
  struct pair *p = *state;
  enum { TRIES = 1500, COUNT = 14, BASES = 2 };
  if (p->code.ops == NULL)
    skip(); /* no flat memory */
  fill_memory(p);
  for (unsigned i = 0; i < TRIES; i++) {
    const sl_lanes lanes = random_lanes(&p->seed);
    fill_registers(p);
    for (unsigned base = 0; base < BASES; base++) {
      const unsigned kind = random_below(&p->seed, 5);
      const uint32_t first = random_below(&p->seed, 2) ? DATA + 4096 : SCRATCHPAD + 4096;
      for (unsigned l = 0; l < LANES; l++)
        warp_register(&p->blocks, 10 + base)[l] = warp_register(&p->single, 10 + base)[l] =
            place(&p->seed, kind, first, 4, l);
    }
    for (uint32_t n = 0; n < COUNT; n++)
      write_both(p, CODE_BASE + 4 * n, few_registers(&p->seed));
    warp_activate(&p->blocks, lanes);
    warp_activate(&p->single, lanes);
    p->blocks.threads.fault.kind = p->single.threads.fault.kind = SL_FAULT_NONE;
    run_both(p, COUNT);
    expect_same(p);
  }
  assert_true(sl_memory_hash(&p->blocks.memory) == sl_memory_hash(&p->single.memory));
}

/* Writing code discards its decoded instructions. */
static void new_code_is_executed(void **state)
{
  struct pair *p = *state;
  for (int add = 1; add < 4; add++) {
    for (uint32_t i = 0; i < 4; i++)
      write_both(p, CODE_BASE + 4 * i, word_i(SL_OP_ADDI, 5, 0, add));
    warp_activate(&p->blocks, ALL);
    warp_activate(&p->single, ALL);
    run_both(p, 3);
    expect_same(p);
    assert_int_equal(warp_register(&p->blocks, 5)[7], add);
  }
}

/* Three instructions; the last jumps back while x5 is not x6. */
static void write_loop(struct pair *p)
{
  write_both(p, CODE_BASE, word_i(SL_OP_ADDI, 5, 5, 1));
  write_both(p, CODE_BASE + 4, word_i(SL_OP_ADDI, 7, 7, 1));
  write_both(p, CODE_BASE + 8, word_b(SL_OP_BNE, 5, 6, -8));
  for (uint32_t i = 3; i < 10; i++)
    write_both(p, CODE_BASE + 4 * i, word_i(SL_OP_ADDI, 7, 7, 1));
}

static uint64_t run_turn(struct pair *p, uint32_t rounds, struct sl_time_slice *turn, uint64_t most)
{
  sl_paths_start(warp_paths(&p->blocks), SL_CONVERGENCE_NESTING, ALL, CODE_BASE);
  warp_set(&p->blocks, 5, 0, 0);
  warp_set(&p->blocks, 6, rounds, 0);
  return sl_path_blocks_run(&p->code, &p->blocks.threads, turn, most).instructions;
}

static void a_slice_ends_with_a_jump_back_after_its_last_instruction(void **state)
{
  struct pair *p = *state;
  write_loop(p);
  for (uint64_t left = 1; left < 40; left++) {
    struct sl_time_slice turn = {.warp = WARP, .left = left};
    assert_int_equal(run_turn(p, 100, &turn, UINT32_MAX), (left + 2) / 3 * 3);
    assert_int_equal(turn.left, 0);
    assert_int_equal(warp_paths(&p->blocks)->path[0].pc, CODE_BASE);
  }
}

static void a_slice_ends_with_it_taken_or_not(void **state)
{
  struct pair *p = *state;
  write_loop(p);
  struct sl_time_slice turn = {.warp = WARP, .left = 4};
  assert_int_equal(run_turn(p, 2, &turn, UINT32_MAX), 6);
  assert_int_equal(turn.left, 0);
  assert_int_equal(warp_paths(&p->blocks)->path[0].pc, CODE_BASE + 12);
}

/* The instruction limit does not end a time slice. */
static void an_interrupted_slice_continues(void **state)
{
  struct pair *p = *state;
  write_loop(p);
  for (uint64_t most = 1; most < 20; most++) {
    struct sl_time_slice turn = {.warp = WARP, .left = 10};
    const uint64_t done = run_turn(p, 100, &turn, most);
    assert_int_equal(done, most < 12 ? most : 12);
    assert_int_equal(turn.left, most >= 12 ? 0 : most < 10 ? 10 - most : 1);
  }
}

/* Without flat memory every instruction executes singly. */
static void blocks_need_flat_memory(void **state)
{
  (void)state;
  struct warp w;
  struct sl_basic_blocks code;
  assert_int_equal(warp_setup(&w, WARP), 0);
  sl_memory_scatter(&w.memory);
  sl_path_blocks_init(&code, &w.threads, SL_CONVERGENCE_NESTING, SL_MODE_EAGER, false, NULL);
  sl_path_warps_write_code(&w.threads, CODE_BASE, word_i(SL_OP_ADDI, 5, 0, 1));
  assert_int_equal(sl_path_blocks_run(&code, &w.threads, &(struct sl_time_slice){WARP, 1}, 1).instructions, 0);
  sl_jit_close(&code);
  sl_basic_blocks_free(&code);
  warp_teardown(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      EACH(every_step_equals_its_instruction),
      EACH(float_steps_equal_their_instructions_at_corners),
      EACH(many_instructions_equal_single_ones),
      EACH(stores_to_one_place_keep_their_order),
      EACH(a_block_ends_where_another_path_waits),
      EACH(new_code_is_executed),
      EACH(code_ends_in_a_fault),
      EACH(a_path_outside_the_code_faults_among_others),
      EACH(a_slice_ends_with_a_jump_back_after_its_last_instruction),
      EACH(a_slice_ends_with_it_taken_or_not),
      EACH(an_interrupted_slice_continues),
      cmocka_unit_test(blocks_need_flat_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
