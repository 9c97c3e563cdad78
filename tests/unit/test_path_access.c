/* Loads, stores, atomics and fences of a warp: values, order of conflicting lanes, faults, and memory requests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "scalar.h"
#include "warp.h"

enum { WARP = 3 };

static int setup(void **state)
{
  static struct warp warp;
  *state = &warp;
  return warp_setup(&warp, WARP);
}

static int teardown(void **state)
{
  warp_teardown(*state);
  return 0;
}

static uint32_t word_at(struct warp *w, uint32_t address)
{
  return sl_memory_load(&w->memory, address, 4);
}

static void expect_fault(struct warp *w, uint32_t word, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const uint64_t before = sl_memory_hash(&w->memory);
  assert_int_equal(warp_execute(w, word), SL_EFFECT_FAULT);
  assert_int_equal(w->threads.fault.kind, kind);
  assert_int_equal(w->threads.fault.warp, WARP);
  assert_true(w->threads.fault.lanes == lanes);
  assert_int_equal(w->threads.fault.address, address);
  assert_true(sl_memory_hash(&w->memory) == before); /* no effect */
}

/* Both signs and both extensions, each lane from its own byte. */
static void loads_extend_by_width_and_sign(void **state)
{
  struct warp *w = *state;
  static const struct {
    enum sl_op op;
    unsigned width;
    bool is_signed;
  } loads[] = {
      {SL_OP_LB, 1, true}, {SL_OP_LBU, 1, false}, {SL_OP_LH, 2, true}, {SL_OP_LHU, 2, false}, {SL_OP_LW, 4, 0}};
  uint8_t bytes[4 * LANES];
  uint64_t seed = 1;
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)random32(&seed);
  sl_memory_write(&w->memory, DATA, bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
    for (unsigned stride = 0; stride <= 8; stride += loads[i].width) {
      const unsigned width = loads[i].width;
      warp_activate(w, ALL);
      for (unsigned l = 0; l < LANES; l++)
        warp_register(w, 5)[l] = DATA + 20 + l * stride % (sizeof bytes - 20);
      assert_int_equal(warp_execute(w, word_i(loads[i].op, 6, 5, -20)), SL_EFFECT_NONE);
      for (unsigned l = 0; l < LANES; l++) {
        const uint8_t *b = bytes + l * stride % (sizeof bytes - 20);
        uint32_t value = 0;
        for (unsigned n = width; n-- > 0;)
          value = value << 8 | b[n];
        if (loads[i].is_signed && value >> (8 * width - 1))
          value |= UINT32_MAX << (8 * width);
        assert_int_equal(warp_register(w, 6)[l], value);
      }
    }
}

static void loads_write_only_active_lanes(void **state)
{
  struct warp *w = *state;
  sl_memory_store(&w->memory, DATA + 128, 4, 77);
  for (uint32_t stride = 0; stride <= 8; stride += 4) {
    warp_activate(w, 0x00ffff00);
    warp_set(w, 5, DATA + 128 - 8 * stride, stride);
    warp_set(w, 6, 1000, 1);
    warp_execute(w, word_i(SL_OP_LW, 6, 5, 0));
    for (unsigned l = 0; l < LANES; l++)
      assert_int_equal(warp_register(w, 6)[l], l < 8 || l >= 24 ? 1000 + l : stride == 0 || l == 8 ? 77 : 0);
  }
}

static void a_load_to_x0_leaves_it_zero(void **state)
{
  struct warp *w = *state;
  sl_memory_store(&w->memory, DATA, 4, 77);
  warp_set(w, 5, DATA, 0);
  warp_execute(w, word_i(SL_OP_LW, 0, 5, 0));
  assert_int_equal(warp_register(w, 0)[0], 0);
  assert_true(w->request.responds); /* but the warp waits for it */
}

/* Across the border of two pages of the image, and with the base register as destination. */
static void consecutive_words_may_cross_a_page(void **state)
{
  struct warp *w = *state;
  for (uint32_t i = 0; i < LANES; i++)
    sl_memory_store(&w->memory, DATA + 0xffc0 + 4 * i, 4, 500 + i);
  warp_set(w, 5, DATA + 0xffc0, 4);
  warp_execute(w, word_i(SL_OP_LW, 5, 5, 0));
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 5)[l], 500 + l);
  warp_set(w, 5, DATA + 0xffc4, 4);
  warp_set(w, 6, 900, 1);
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  for (uint32_t i = 0; i < LANES; i++)
    assert_int_equal(word_at(w, DATA + 0xffc4 + 4 * i), 900 + i);
  assert_int_equal(word_at(w, DATA + 0xffc0), 500);
}

static void stores_write_their_width(void **state)
{
  struct warp *w = *state;
  static const enum sl_op ops[] = {SL_OP_SB, SL_OP_SH, SL_OP_SW};
  for (unsigned i = 0; i < 3; i++) {
    const uint32_t width = 1u << i;
    for (uint32_t a = 0; a < 512; a += 4)
      sl_memory_store(&w->memory, DATA + a, 4, 0xaaaaaaaa);
    warp_set(w, 5, DATA + 4, 8);
    warp_set(w, 6, 0x44332211, 0x01010101);
    warp_execute(w, word_s(ops[i], 6, 5, -4));
    for (uint32_t a = 0; a < 256; a++) {
      const uint32_t lane = a / 8, value = 0x44332211 + lane * 0x01010101;
      const uint32_t expected = a % 8 < width ? value >> (8 * (a % 8)) & 0xff : 0xaa;
      assert_int_equal(sl_memory_load(&w->memory, DATA + a, 1), expected);
    }
  }
}

static void inactive_lanes_store_nothing(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0x0000fff0);
  warp_set(w, 5, DATA, 4);
  warp_set(w, 6, 1, 1);
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  for (uint32_t l = 0; l < LANES; l++)
    assert_int_equal(word_at(w, DATA + 4 * l), l >= 4 && l < 16 ? l + 1 : 0);
}

/* Only the leader's data is written: that of the lowest pending lane. */
static void the_lowest_lane_wins_stores_to_one_dram_address(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0xfffffe00);
  warp_set(w, 5, DATA, 0);
  warp_set(w, 6, 100, 1);
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  assert_int_equal(word_at(w, DATA), 109);
}

/* The banks serve streams in order, stream s lanes s and s + 16: the last is lane 31. */
static void the_last_served_lane_wins_stores_to_one_scratchpad_word(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, SCRATCHPAD + 64, 0);
  warp_set(w, 6, 100, 1);
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  assert_int_equal(word_at(w, SCRATCHPAD + 64), 131);
  warp_activate(w, 0x00020001); /* stream 1 with lane 17 after stream 0 with lane 0 */
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  assert_int_equal(word_at(w, SCRATCHPAD + 64), 117);
  warp_activate(w, 0x00010002); /* stream 0 with lane 16 before stream 1 with lane 1 */
  warp_execute(w, word_s(SL_OP_SW, 6, 5, 0));
  assert_int_equal(word_at(w, SCRATCHPAD + 64), 101);
}

/* Lane l is served as number 2 * (l mod 16) + l / 16, and gets the value left by the lanes before it. */
static void atomics_on_one_word_return_values_in_the_banks_order(void **state)
{
  struct warp *w = *state;
  sl_memory_store(&w->memory, SCRATCHPAD, 4, 1000);
  warp_set(w, 5, SCRATCHPAD, 0);
  warp_set(w, 6, 3, 0);
  warp_execute(w, word_r(SL_OP_AMOADD, 7, 5, 6));
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 7)[l], 1000 + 3 * (2 * (l % 16) + l / 16));
  assert_int_equal(word_at(w, SCRATCHPAD), 1000 + 3 * 32);
}

static void every_atomic_follows_the_manual(void **state)
{
  struct warp *w = *state;
  static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678};
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    if (sl_op_info(op)->kind != SL_KIND_AMO)
      continue;
    for (unsigned i = 0; i < 36; i++) {
      warp_activate(w, ALL);
      for (unsigned l = 0; l < LANES; l++)
        sl_memory_store(&w->memory, SCRATCHPAD + 4 * l, 4, values[(i + l) % 6]);
      warp_set(w, 5, SCRATCHPAD, 4);
      warp_set(w, 6, values[i / 6], 0);
      warp_execute(w, word_r((enum sl_op)op, 7, 5, 6));
      for (unsigned l = 0; l < LANES; l++) {
        const uint32_t before = values[(i + l) % 6];
        assert_int_equal(warp_register(w, 7)[l], before);
        assert_int_equal(word_at(w, SCRATCHPAD + 4 * l), scalar_atomic(op, before, values[i / 6]));
      }
    }
  }
}

static void an_atomic_to_x0_has_no_answer(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, SCRATCHPAD, 4);
  warp_set(w, 6, 5, 0);
  warp_execute(w, word_r(SL_OP_AMOADD, 0, 5, 6));
  assert_int_equal(word_at(w, SCRATCHPAD), 5);
  assert_int_equal(warp_register(w, 0)[0], 0);
  assert_false(w->request.responds);
}

static void an_atomic_on_dram_faults_and_names_its_lanes(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, SCRATCHPAD, 4);
  warp_register(w, 5)[7] = DATA + 4;
  warp_register(w, 5)[30] = DATA;
  expect_fault(w, word_r(SL_OP_AMOADD, 7, 5, 6), SL_FAULT_ATOMIC, sl_bit(7) | sl_bit(30), DATA + 4);
}

static void a_misaligned_access_faults_and_names_its_lanes(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0x7fffffff);
  warp_set(w, 5, DATA, 4);
  warp_register(w, 5)[2] += 2;
  warp_register(w, 5)[9] += 1;
  warp_register(w, 5)[31] += 1; /* not active */
  expect_fault(w, word_i(SL_OP_LW, 6, 5, 0), SL_FAULT_MISALIGNED, sl_bit(2) | sl_bit(9), DATA + 10);
  expect_fault(w, word_i(SL_OP_LHU, 6, 5, 0), SL_FAULT_MISALIGNED, sl_bit(9), DATA + 37);
  expect_fault(w, word_s(SL_OP_SW, 6, 5, 0), SL_FAULT_MISALIGNED, sl_bit(2) | sl_bit(9), DATA + 10);
  assert_int_equal(warp_execute(w, word_i(SL_OP_LB, 6, 5, 0)), SL_EFFECT_NONE);
}

static void an_access_below_data_memory_faults_and_names_its_lanes(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, DATA, 4);
  warp_register(w, 5)[4] = 0;
  warp_register(w, 5)[6] = CODE_BASE + CODE_WORDS * 4 - 4;
  expect_fault(w, word_i(SL_OP_LW, 6, 5, 0), SL_FAULT_ADDRESS, sl_bit(4) | sl_bit(6), 0);
  warp_register(w, 5)[4] = DATA;
  warp_register(w, 5)[6] += 4; /* the first data word */
  assert_int_equal(warp_execute(w, word_i(SL_OP_LW, 6, 5, 0)), SL_EFFECT_NONE);
}

/* Thread stacks are the topmost 512 KiB of the address space; the interleaved stacks of all threads occupy everything
 * between them and the scratchpad. */
static void an_access_between_scratchpad_and_own_stack_faults(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, 0xfff80000u, 4);
  assert_int_equal(warp_execute(w, word_i(SL_OP_LW, 6, 5, 0)), SL_EFFECT_NONE);
  warp_register(w, 5)[7] = 0xfff80000u - 4;
  expect_fault(w, word_s(SL_OP_SW, 6, 5, 0), SL_FAULT_STACK, sl_bit(7), 0xfff80000u - 4);
  warp_register(w, 5)[7] = 0xc0000000u;
  expect_fault(w, word_i(SL_OP_LW, 6, 5, 0), SL_FAULT_STACK, sl_bit(7), 0xc0000000u);
  warp_register(w, 5)[7] = 0xc0000000u - 4; /* the scratchpad's last word */
  assert_int_equal(warp_execute(w, word_i(SL_OP_LW, 6, 5, 0)), SL_EFFECT_NONE);
}

static void stacks_are_interleaved_in_memory(void **state)
{
  struct warp *w = *state;
  warp_set(w, 2, 0xfffffff8, 0); /* one virtual address */
  warp_set(w, 6, 40, 1);
  warp_execute(w, word_s(SL_OP_SW, 6, 2, 4));
  for (uint32_t l = 0; l < LANES; l++) /* section 5 of the specification: 0xC0000000 | slot<<13 | warp<<7 | lane<<2 */
    assert_int_equal(word_at(w, 0xc0000000u | 0x1ffffu << 13 | WARP << 7 | l << 2), 40 + l);
  warp_execute(w, word_i(SL_OP_LW, 7, 2, 4));
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 7)[l], 40 + l);
}

/* ---- the request for the memory path ---- */

static void a_store_does_not_respond(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0xff);
  warp_set(w, 5, DATA, 4);
  warp_execute(w, word_s(SL_OP_SH, 6, 5, 0));
  assert_int_equal(w->request.access, SL_ACCESS_STORE);
  assert_false(w->request.responds);
  assert_true(w->request.pending == 0xff);
  assert_int_equal(w->request.width, 2);
  assert_int_equal(w->request.warp, WARP);
  assert_true(w->request.scratchpad == 0);
}

static void a_load_responds_to_its_register(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, DATA, 4);
  warp_execute(w, word_i(SL_OP_LW, 9, 5, 0));
  assert_int_equal(w->request.access, SL_ACCESS_LOAD);
  assert_true(w->request.responds);
  assert_int_equal(w->request.rd, 9);
  assert_true(w->request.pending == ALL);
}

static void a_fence_responds_to_x0(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0xff00);
  warp_execute(w, word_i(SL_OP_FENCE, 0, 0, 0xff));
  assert_int_equal(w->request.access, SL_ACCESS_FENCE);
  assert_true(w->request.responds);
  assert_int_equal(w->request.rd, 0);
  assert_true(w->request.pending == 0xff00);
  assert_true(w->request.scratchpad == 0);
}

static void lanes_in_the_scratchpad_are_marked(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, SCRATCHPAD - 64, 4); /* 16 lanes below it */
  warp_execute(w, word_i(SL_OP_LW, 9, 5, 0));
  assert_true(w->request.scratchpad == 0xffff0000);
  warp_set(w, 5, SCRATCHPAD + 65536 - 64, 4);
  for (unsigned lane = 16; lane < LANES; lane++)
    warp_register(w, 5)[lane] = 0xffffff00; /* own stack, above the scratchpad in memory */
  warp_execute(w, word_i(SL_OP_LW, 9, 5, 0));
  assert_true(w->request.scratchpad == 0x0000ffff);
  warp_set(w, 5, SCRATCHPAD, 4);
  warp_execute(w, word_i(SL_OP_LW, 9, 5, 0));
  assert_true(w->request.scratchpad == ALL);
}

/* Section 7 of the specification. */
static void scratchpad_requests_know_their_passes(void **state)
{
  struct warp *w = *state;
  static const struct {
    uint32_t stride;
    unsigned load, store;
  } cases[] = {{0, 1, 32}, {4, 2, 2}, {8, 4, 4}, {16, 8, 8}, {32, 16, 16}, {64, 32, 32}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    warp_set(w, 5, SCRATCHPAD, cases[i].stride);
    warp_execute(w, word_i(SL_OP_LW, 9, 5, 0)); /* a load of one word is broadcast */
    assert_int_equal(w->request.scratchpad_passes, cases[i].load);
    warp_execute(w, word_s(SL_OP_SW, 9, 5, 0));
    assert_int_equal(w->request.scratchpad_passes, cases[i].store);
    warp_execute(w, word_r(SL_OP_AMOADD, 9, 5, 6));
    assert_int_equal(w->request.scratchpad_passes, cases[i].store);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(loads_extend_by_width_and_sign),
      TEST(loads_write_only_active_lanes),
      TEST(a_load_to_x0_leaves_it_zero),
      TEST(consecutive_words_may_cross_a_page),
      TEST(stores_write_their_width),
      TEST(inactive_lanes_store_nothing),
      TEST(the_lowest_lane_wins_stores_to_one_dram_address),
      TEST(the_last_served_lane_wins_stores_to_one_scratchpad_word),
      TEST(atomics_on_one_word_return_values_in_the_banks_order),
      TEST(every_atomic_follows_the_manual),
      TEST(an_atomic_to_x0_has_no_answer),
      TEST(an_atomic_on_dram_faults_and_names_its_lanes),
      TEST(a_misaligned_access_faults_and_names_its_lanes),
      TEST(an_access_below_data_memory_faults_and_names_its_lanes),
      TEST(an_access_between_scratchpad_and_own_stack_faults),
      TEST(stacks_are_interleaved_in_memory),
      TEST(a_store_does_not_respond),
      TEST(a_load_responds_to_its_register),
      TEST(a_fence_responds_to_x0),
      TEST(lanes_in_the_scratchpad_are_marked),
      TEST(scratchpad_requests_know_their_passes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
