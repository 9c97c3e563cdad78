/* The small units of a Simty core: fetch and instruction buffer, loose round robin, leader and followers, load FIFO
 * (RR-8944, section 3.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "timing/memory/coalescer.h"
#include "timing/pipeline/instruction_fetch.h"
#include "timing/pipeline/warp_scheduler.h"

/* ---- fetch ------------------------------------------------------------------------------------------------------- */

/* A cycle of the front end alone, in the machine's order. */
static void fetch_cycle(struct sl_instruction_fetch *f, uint64_t now)
{
  const sl_warps filled = sl_fetch_predecode(f, now);
  f->full |= filled;
  sl_fetch_steer(f, now);
}

static void a_word_is_in_the_buffer_after_two_cycles(void **state)
{
  (void)state;
  struct sl_instruction_fetch f;
  sl_fetch_start(&f, 4, 4, 0x200);
  fetch_cycle(&f, 1);
  fetch_cycle(&f, 2);
  assert_true(f.full == 0);
  fetch_cycle(&f, 3);
  assert_true(f.full == 1);
  assert_int_equal(f.buffer[0].pc, 0x200);
  assert_int_equal(f.pc[0], 0x204);
}

static void the_wheel_serves_one_warp_a_cycle(void **state)
{
  (void)state;
  struct sl_instruction_fetch f;
  sl_fetch_start(&f, 8, 4, 0x200);
  for (uint64_t now = 1; now <= 8; now++) {
    fetch_cycle(&f, now);
    assert_int_equal(f.stage[now % SL_FETCH_STAGES].warp, now - 1);
  }
  fetch_cycle(&f, 9);
  assert_int_equal(f.stage[1].warp, 0);
}

static void a_word_for_a_full_entry_is_dropped_and_fetched_again(void **state)
{
  (void)state;
  struct sl_instruction_fetch f;
  sl_fetch_start(&f, 4, 4, 0x200);
  for (uint64_t now = 1; now <= 8; now++)
    fetch_cycle(&f, now);
  assert_int_equal(f.buffer[0].pc, 0x200); /* the word of cycle 5 arrived in 7 */
  assert_int_equal(f.pc[0], 0x204);
  assert_int_equal(sl_fetch_take(&f, 0).pc, 0x200);
  fetch_cycle(&f, 9);
  fetch_cycle(&f, 10);
  assert_true((f.full & 1) == 0);
  fetch_cycle(&f, 11);
  assert_true(f.full & 1);
  assert_int_equal(f.buffer[0].pc, 0x204);
}

static void a_redirect_takes_effect_in_its_cycle_and_old_words_are_ignored(void **state)
{
  (void)state;
  struct sl_instruction_fetch f;
  sl_fetch_start(&f, 4, 4, 0x200);
  fetch_cycle(&f, 1);
  fetch_cycle(&f, 2);
  sl_fetch_redirect(&f, 0, 0x400, true);
  fetch_cycle(&f, 3);
  assert_int_equal(f.buffer[0].pc, 0x200); /* was in flight */
  assert_true(sl_fetch_outdated(&f, &f.buffer[0]));
  assert_int_equal(f.pc[0], 0x400);
  sl_fetch_take(&f, 0);
  fetch_cycle(&f, 4);
  sl_fetch_redirect(&f, 0, 0x500, true);
  fetch_cycle(&f, 5); /* the wheel reads warp 0 */
  fetch_cycle(&f, 6);
  fetch_cycle(&f, 7);
  assert_int_equal(f.buffer[0].pc, 0x500);
  assert_false(sl_fetch_outdated(&f, &f.buffer[0]));
}

/* ---- schedule ---------------------------------------------------------------------------------------------------- */

static void the_pointers_warp_is_picked_if_it_is_ready(void **state)
{
  (void)state;
  for (unsigned warp = 0; warp < 16; warp++)
    assert_int_equal(sl_loose_round_robin(0xffff, warp), warp);
}

static void the_tree_prefers_the_pointers_side(void **state)
{
  (void)state;
  assert_int_equal(sl_loose_round_robin(sl_bit(1) | sl_bit(6), 4), 6); /* the pointer's half */
  assert_int_equal(sl_loose_round_robin(sl_bit(1) | sl_bit(6), 3), 1);
  assert_int_equal(sl_loose_round_robin(sl_bit(2) | sl_bit(1), 5),
                   1); /* no warp in its half: as if the pointer were there */
  assert_int_equal(sl_loose_round_robin(sl_bit(2) | sl_bit(1), 7), 2);
  assert_int_equal(sl_loose_round_robin(sl_bit(63), 0), 63);
}

/* From the root of the tree, into the pointer's half if it has a ready warp. */
static unsigned walk(sl_warps ready, unsigned pointer, unsigned warps)
{
  unsigned first = 0;
  for (unsigned half = warps / 2; half > 0; half /= 2) {
    const unsigned side = pointer & half;
    const bool found = (ready & sl_low_bits(half) << (first + side)) != 0;
    first += found ? side : side ^ half;
  }
  return first;
}

static void the_tree_is_walked_from_the_top(void **state)
{
  (void)state;
  uint64_t random = 7;
  for (unsigned i = 0; i < 10000; i++) {
    const unsigned warps = 4u << random_below(&random, 5);
    const sl_warps ready = random64(&random) & random64(&random) & sl_low_bits(warps);
    const unsigned pointer = random_below(&random, warps);
    if (ready)
      assert_int_equal(sl_loose_round_robin(ready, pointer), walk(ready, pointer, warps));
  }
}

/* ---- leader and followers ---------------------------------------------------------------------------------------- */

/* The lanes that one pass serves, of four, for an instruction and lane addresses. */
static sl_lanes serves(enum sl_op op, sl_lanes active, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3)
{
  const uint32_t base[4] = {a0, a1, a2, a3};
  const struct sl_insn in = sl_decode(sl_op_info(op)->match, SL_ISA_I);
  const struct sl_lane_ops *ops = sl_lane_ops(4);
  const struct sl_stack_map map = {.virtual_base = 0xfffffffc};
  uint32_t address[SL_MAX_LANES];
  struct sl_addresses s;
  ops->addresses(base, &in, active, &map, address, &s, 4);
  return sl_leader_serves(ops, &in, address, &s, active, 4);
}

/* Passes until all lanes are served, for lane addresses with a stride. */
static unsigned passes(enum sl_op op, uint32_t stride)
{
  unsigned n = 0;
  for (sl_lanes rest = 15; rest; n++)
    rest &= ~serves(op, rest, 0x4000, 0x4000 + stride, 0x4000 + 2 * stride, 0x4000 + 3 * stride);
  return n;
}

static void passes_by_stride(void **state)
{
  (void)state;
  const unsigned loads[][2] = {{0, 1}, {4, 1}, {8, 4}, {16, 4}, {32, 4}};
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(passes(SL_OP_LW, loads[i][0]), loads[i][1]);
  assert_int_equal(passes(SL_OP_SW, 4), 1);
  assert_int_equal(passes(SL_OP_SW, 0), 4); /* stores are never shared */
  assert_int_equal(passes(SL_OP_LB, 0), 4);
  assert_int_equal(passes(SL_OP_LHU, 2), 4);
  assert_int_equal(passes(SL_OP_SB, 1), 4);
}

static void followers_have_their_own_word_of_the_leaders_block(void **state)
{
  (void)state;
  assert_true(serves(SL_OP_LW, 15, 0x4004, 0x4004, 0x4008, 0x4010) == 7);  /* own word, leader's word, other block */
  assert_true(serves(SL_OP_LW, 14, 0, 0x4000, 0x4008, 0x400c) == 14);      /* the leader at any word */
  assert_true(serves(SL_OP_SW, 15, 0x4008, 0x4004, 0x4008, 0x400c) == 11); /* lane 2's word is the leader's */
  assert_true(serves(SL_OP_SW, 8, 0, 0, 0, 0x4000) == 8);
}

/* ---- load FIFO --------------------------------------------------------------------------------------------------- */

static void a_load_wakes_in_the_cycle_after_its_answer(void **state)
{
  (void)state;
  struct sl_load_fifo f;
  sl_load_fifo_start(&f);
  sl_load_fifo_expect(&f, 3, 10);
  assert_true(sl_load_fifo_gather(&f, 10) == 0);
  assert_true(sl_load_fifo_gather(&f, 11) == sl_bit(3));
  assert_int_equal(f.gathered, 3);
  sl_load_fifo_write(&f, 1); /* the other bank is occupied */
  assert_int_equal(f.gathered, SL_LOAD_NONE);
  assert_int_equal(f.waiting, SL_LOAD_NONE);
}

static void a_result_waits_while_its_bank_is_taken(void **state)
{
  (void)state;
  struct sl_load_fifo f;
  sl_load_fifo_start(&f);
  for (unsigned w = 0; w < 3; w++)
    sl_load_fifo_expect(&f, w * 2, 10 + (int)w);
  sl_load_fifo_gather(&f, 11);
  sl_load_fifo_write(&f, 1); /* cycle 12: into the FIFO */
  assert_int_equal(f.waiting, 0);
  assert_true(sl_load_fifo_gather(&f, 12) == sl_bit(2));
  sl_load_fifo_write(&f, 1); /* cycle 13: both stay */
  assert_true(sl_load_fifo_gather(&f, 13) == 0);
  assert_true(sl_load_fifo_unwritten(&f, 1) == (sl_bit(0) | sl_bit(2)));
  assert_true(sl_load_fifo_unwritten(&f, 2) == sl_bit(2));
  sl_load_fifo_write(&f, 2); /* cycle 14: one is written, one moves up */
  assert_int_equal(f.waiting, 2);
  assert_true(sl_load_fifo_unwritten(&f, 0) == 0);
  assert_true(sl_load_fifo_gather(&f, 14) == sl_bit(4));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_word_is_in_the_buffer_after_two_cycles),
      cmocka_unit_test(the_wheel_serves_one_warp_a_cycle),
      cmocka_unit_test(a_word_for_a_full_entry_is_dropped_and_fetched_again),
      cmocka_unit_test(a_redirect_takes_effect_in_its_cycle_and_old_words_are_ignored),
      cmocka_unit_test(the_pointers_warp_is_picked_if_it_is_ready),
      cmocka_unit_test(the_tree_prefers_the_pointers_side),
      cmocka_unit_test(the_tree_is_walked_from_the_top),
      cmocka_unit_test(passes_by_stride),
      cmocka_unit_test(followers_have_their_own_word_of_the_leaders_block),
      cmocka_unit_test(a_load_wakes_in_the_cycle_after_its_answer),
      cmocka_unit_test(a_result_waits_while_its_bank_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
