/* Spill mode, its candidates, and the choice of a victim (specification, section 9, spilling). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "timing/pipeline/warp_scheduler.h"
#include "words.h"

static struct sl_spill make_spill(enum sl_spill_policy policy)
{
  struct sl_spill s;
  memset(&s, 0, sizeof s);
  s.policy = policy;
  s.threshold = 64;
  sl_spill_start(&s);
  return s;
}

static uint32_t registers(unsigned a, unsigned b, unsigned c)
{
  return UINT32_C(1) << a | UINT32_C(1) << b | UINT32_C(1) << c;
}

/* An instruction whose three fields are all x0. */
static const uint32_t no_fields = 0x33;

/* ---- the mode ---------------------------------------------------------------------------------------------------- */

static void the_mode_is_on_below_the_threshold(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  sl_spill_clock(&s, 64, 0);
  assert_false(s.mode);
  sl_spill_clock(&s, 63, 1);
  assert_true(s.mode);
  sl_spill_clock(&s, 0, 2);
  assert_true(s.mode);
  sl_spill_clock(&s, 64, 3);
  assert_false(s.mode);
}

static void the_threshold_is_a_parameter(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.threshold = 100;
  sl_spill_clock(&s, 100, 0);
  assert_false(s.mode);
  sl_spill_clock(&s, 99, 1);
  assert_true(s.mode);
}

static void slots_are_counted_as_fruitless_when_they_are_picked(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  for (unsigned n = 0; n < 10; n++)
    sl_spill_pick(&s, sl_bit(n));
  assert_int_equal(s.fruitless, 10); /* an eviction resets it */
}

/* ---- candidates ---------------------------------------------------------------------------------------------------
 */

static void candidates_are_queued_or_at_the_barrier_and_neither_spilling_nor_suspended(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  const sl_warps queued = 0x0f, at_barrier = 0xf0;
  assert_true(sl_spill_candidates(&s, queued, at_barrier, 0) == 0xff);
  assert_true(sl_spill_candidates(&s, queued, at_barrier, 0x11) == 0xee);
  s.spilling = 0x22;
  assert_true(sl_spill_candidates(&s, queued, at_barrier, 0x11) == 0xcc);
  assert_true(sl_spill_candidates(&s, 0, 0, 0) == 0);
}

static void a_picked_warp_is_marked_as_spilling(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  assert_int_equal(sl_spill_pick(&s, 0x28), 3);
  assert_true(s.spilling == 0x08);
  assert_int_equal(sl_spill_pick(&s, 0x20), 5);
  assert_true(s.spilling == 0x28);
}

/* The lowest-numbered first, previously picked ones last; the history survives a kernel. */
static void picks_follow_a_history_of_their_own(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  struct sl_scheduler of_instructions = {0};
  assert_int_equal(sl_scheduler_pick(&of_instructions, 0x0e), 1);
  assert_int_equal(sl_spill_pick(&s, 0x0e), 1); /* another warp's pick does not count */
  assert_int_equal(sl_spill_pick(&s, 0x0e), 2);
  sl_spill_start(&s);
  assert_true(s.spilling == 0);
  assert_int_equal(sl_spill_pick(&s, 0x0e), 3);
  assert_int_equal(sl_spill_pick(&s, 0x0e), 1);
}

static void the_mark_ends_with_the_third_cycle_after_execute(void **state)
{
  (void)state;
  for (int64_t e = 20; e < 24; e++) {
    struct sl_spill s = make_spill(SL_SPILL_LRU);
    s.spilling = 0x60;
    sl_spill_done(&s, 5, e);
    for (int64_t c = e; c <= e + 2; c++) {
      sl_spill_clock(&s, 100, c);
      assert_true(s.spilling == 0x60); /* visible in c + 1 */
    }
    sl_spill_clock(&s, 100, e + 3);
    assert_true(s.spilling == 0x40);
    for (int64_t c = e + 4; c < e + 20; c++)
      sl_spill_clock(&s, 100, c);
    assert_true(s.spilling == 0x40);
  }
}

static void marks_of_slots_in_a_row_end_in_a_row(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.spilling = 0x3f;
  for (int64_t c = 0; c < 10; c++) {
    if (c < 6)
      sl_spill_done(&s, (unsigned)c, c);
    sl_spill_clock(&s, 100, c);
    assert_true(s.spilling == (c < 3 ? 0x3f : 0x3f & ~sl_low_bits((unsigned)c - 2)));
  }
}

/* ---- victims ----------------------------------------------------------------------------------------------------- */

static void without_vectors_there_is_no_victim(void **state)
{
  (void)state;
  for (unsigned policy = SL_SPILL_LRU; policy <= SL_SPILL_FIRST; policy++) {
    struct sl_spill s = make_spill((enum sl_spill_policy)policy);
    assert_int_equal(sl_spill_victim(&s, 0, no_fields), -1);
  }
}

static void registers_of_the_next_instruction_are_no_victims(void **state)
{
  (void)state;
  const uint32_t word = word_r(SL_OP_ADD, 4, 6, 9);
  for (unsigned policy = SL_SPILL_LRU; policy <= SL_SPILL_FIRST; policy++) {
    struct sl_spill s = make_spill((enum sl_spill_policy)policy);
    assert_int_equal(sl_spill_victim(&s, registers(4, 6, 9), word), -1);
    assert_int_equal(sl_spill_victim(&s, registers(4, 6, 9) | registers(10, 20, 30), word), 10);
  }
}

/* The hardware compares raw bits, not their meaning: rd's bits of sw are a part of the offset. */
static void the_fields_are_raw_bits(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_FIRST);
  assert_int_equal(sl_spill_victim(&s, registers(8, 12, 12), word_s(SL_OP_SW, 5, 6, 8)), 12);
  assert_int_equal(sl_spill_victim(&s, registers(8, 12, 12), word_s(SL_OP_SW, 5, 6, 12)), 8);
  assert_int_equal(sl_spill_victim(&s, registers(3, 12, 12), word_i(SL_OP_ADDI, 5, 6, 3)), 12); /* rs2's place */
}

static void policies_never_choose_excluded_or_scalar_registers(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (unsigned i = 0; i < 20000; i++) {
    struct sl_spill s = make_spill((enum sl_spill_policy)(i % 3));
    for (unsigned r = 1; r < SL_REGISTERS; r++)
      s.uses[r] = (uint8_t)random_below(&seed, i % 2 ? 4 : 256);
    s.preferred[0] = random32(&seed);
    const uint32_t vectors = random32(&seed) & random32(&seed) & ~UINT32_C(1), word = random32(&seed);
    const uint32_t named = registers(word >> 7 & 31, word >> 15 & 31, word >> 20 & 31);
    const int victim = sl_spill_victim(&s, vectors, word);
    if (victim < 0)
      assert_true((vectors & ~named) == 0);
    else
      assert_true((vectors & ~named) >> victim & 1);
  }
}

static void the_first_policy_takes_the_lowest_numbered(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_FIRST);
  s.uses[7] = 200;
  s.preferred[0] = 1u << 20;
  assert_int_equal(sl_spill_victim(&s, registers(7, 8, 31), no_fields), 7);
}

/* Two registers lie between a choice and its preference: two sequences alternate. */
static void round_robin_prefers_registers_above_the_choice_two_cycles_ago(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_ROUND_ROBIN);
  const uint32_t vectors = registers(5, 11, 20);
  static const int expected[] = {5, 5, 11, 11, 20, 20, 5, 5, 11};
  for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++)
    assert_int_equal(sl_spill_choose(&s, vectors, no_fields), expected[i]);
}

/* Ordinary instructions and empty slots choose, too, among another warp's vectors. */
static void every_cycle_of_round_robin_counts(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_ROUND_ROBIN);
  assert_int_equal(sl_spill_choose(&s, registers(5, 11, 20), no_fields), 5);
  assert_int_equal(sl_spill_choose(&s, registers(17, 17, 17), no_fields), 17);
  assert_int_equal(sl_spill_choose(&s, registers(5, 11, 20), no_fields), 11); /* after 5 */
  assert_int_equal(sl_spill_choose(&s, registers(5, 11, 20), no_fields), 20); /* after 17 */
}

static void after_no_choice_all_are_preferred(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_ROUND_ROBIN);
  const uint32_t vectors = registers(5, 11, 20);
  sl_spill_choose(&s, vectors, no_fields);
  sl_spill_choose(&s, vectors, no_fields);
  assert_int_equal(sl_spill_choose(&s, 0, no_fields), -1);
  assert_int_equal(sl_spill_choose(&s, vectors, no_fields), 11);
  assert_int_equal(sl_spill_choose(&s, vectors, no_fields), 5);
}

static void round_robin_wraps_around(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_ROUND_ROBIN);
  const uint32_t vectors = registers(5, 11, 20);
  sl_spill_choose(&s, vectors, no_fields);
  sl_spill_choose(&s, vectors, no_fields);
  assert_int_equal(sl_spill_choose(&s, vectors, word_r(SL_OP_ADD, 11, 20, 0)), 5);
}

/* ---- use counters ------------------------------------------------------------------------------------------------ */

static void the_least_used_vector_is_taken(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.uses[5] = 9;
  s.uses[7] = 3;
  s.uses[9] = 4;
  assert_int_equal(sl_spill_victim(&s, registers(5, 7, 9), no_fields), 7);
  s.uses[9] = 3;
  assert_int_equal(sl_spill_victim(&s, registers(5, 7, 9), no_fields), 7); /* the lower of equals */
}

/* Even-numbered registers do not define the least, but can be preferred. */
static void the_least_is_over_odd_numbered_vectors(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.uses[4] = 6;
  s.uses[5] = 6;
  s.uses[6] = 1;
  s.uses[9] = 5;
  /* Least of x5, x9 = 5: preferred are x6 and x9. */
  assert_int_equal(sl_spill_victim(&s, registers(4, 5, 6) | registers(9, 9, 9), no_fields), 6);
  /* Least of x5 = 6: all are preferred, though x6 is used less. */
  assert_int_equal(sl_spill_victim(&s, registers(4, 5, 6), no_fields), 4);
  /* Without an odd one all are preferred. */
  s.uses[4] = 250;
  assert_int_equal(sl_spill_victim(&s, registers(4, 6, 8), no_fields), 4);
}

static void without_a_preferred_one_the_lowest_numbered_is_taken(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.uses[6] = 8;
  s.uses[7] = 2;
  s.uses[9] = 8;
  /* The instruction names the least one, x7. */
  assert_int_equal(sl_spill_victim(&s, registers(6, 7, 9), word_r(SL_OP_ADD, 0, 7, 0)), 6);
}

static void uses_are_counted_per_register(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  sl_spill_use(&s, 5, 6);
  sl_spill_use(&s, 6, 0);
  sl_spill_use(&s, 0, 7);
  sl_spill_use(&s, 0, 0);
  assert_int_equal(s.uses[0], 0); /* x0 never */
  assert_int_equal(s.uses[5], 1);
  assert_int_equal(s.uses[6], 2);
  assert_int_equal(s.uses[7], 1);
}

static void the_same_register_twice_counts_once(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  sl_spill_use(&s, 5, 5);
  assert_int_equal(s.uses[5], 1);
}

static void a_full_counter_halves_all_instead_of_the_next_use(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  s.uses[3] = 7;
  s.uses[31] = 1;
  for (unsigned i = 0; i < 254; i++)
    sl_spill_use(&s, 5, 0);
  assert_int_equal(s.uses[5], 254);
  sl_spill_use(&s, 5, 0);
  assert_int_equal(s.uses[5], 255);
  assert_int_equal(s.uses[3], 7);
  sl_spill_use(&s, 6, 3); /* halves, without counting the use */
  assert_int_equal(s.uses[5], 127);
  assert_int_equal(s.uses[3], 3);
  assert_int_equal(s.uses[31], 0);
  assert_int_equal(s.uses[6], 0);
  sl_spill_use(&s, 6, 3);
  assert_int_equal(s.uses[6], 1);
  assert_int_equal(s.uses[3], 4);
}

static void use_counters_survive_a_kernel(void **state)
{
  (void)state;
  struct sl_spill s = make_spill(SL_SPILL_LRU);
  sl_spill_use(&s, 5, 6);
  s.mode = true;
  s.spilling = 7;
  s.spills = s.unspills = s.fruitless = 9;
  sl_spill_start(&s);
  assert_int_equal(s.uses[5], 1);
  assert_false(s.mode);
  assert_true(s.spilling == 0);
  assert_true(s.spills + s.unspills + s.fruitless == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_mode_is_on_below_the_threshold),
      cmocka_unit_test(the_threshold_is_a_parameter),
      cmocka_unit_test(slots_are_counted_as_fruitless_when_they_are_picked),
      cmocka_unit_test(candidates_are_queued_or_at_the_barrier_and_neither_spilling_nor_suspended),
      cmocka_unit_test(a_picked_warp_is_marked_as_spilling),
      cmocka_unit_test(picks_follow_a_history_of_their_own),
      cmocka_unit_test(the_mark_ends_with_the_third_cycle_after_execute),
      cmocka_unit_test(marks_of_slots_in_a_row_end_in_a_row),
      cmocka_unit_test(without_vectors_there_is_no_victim),
      cmocka_unit_test(registers_of_the_next_instruction_are_no_victims),
      cmocka_unit_test(the_fields_are_raw_bits),
      cmocka_unit_test(policies_never_choose_excluded_or_scalar_registers),
      cmocka_unit_test(the_first_policy_takes_the_lowest_numbered),
      cmocka_unit_test(round_robin_prefers_registers_above_the_choice_two_cycles_ago),
      cmocka_unit_test(every_cycle_of_round_robin_counts),
      cmocka_unit_test(after_no_choice_all_are_preferred),
      cmocka_unit_test(round_robin_wraps_around),
      cmocka_unit_test(the_least_used_vector_is_taken),
      cmocka_unit_test(the_least_is_over_odd_numbered_vectors),
      cmocka_unit_test(without_a_preferred_one_the_lowest_numbered_is_taken),
      cmocka_unit_test(uses_are_counted_per_register),
      cmocka_unit_test(the_same_register_twice_counts_once),
      cmocka_unit_test(a_full_counter_halves_all_instead_of_the_next_use),
      cmocka_unit_test(use_counters_survive_a_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
