/* Streaming lanes, functional behaviour: values and their order, modes, sizes, rows, misuse (arXiv 2512.00032, IV-C).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stream_bench.h"

enum {
  READ = SL_STREAM_PREFETCH | SL_STREAM_REDIRECT,
  WRITE = SL_STREAM_WRITE | SL_STREAM_REDIRECT,
  BOTH = READ | WRITE,
  FLOAT = SL_STREAM_FLOAT
};

static struct stream_bench bench;

static int setup(void **state)
{
  *state = &bench;
  const enum sl_status code = bench_open(&bench, false, 4);
  for (uint32_t a = 0; a < 0x1000; a += 4)
    bench_set_word(&bench, a, a);
  return code != SL_OK;
}

static int teardown(void **state)
{
  bench_close(*state);
  return 0;
}

static struct sl_stream_use execute(struct stream_bench *b, sl_lanes active, struct sl_insn insn)
{
  struct sl_stream_use use;
  const char *illegal = bench_execute(b, 1, active, insn, &use);
  if (illegal != NULL)
    fail_msg("%s", illegal);
  return use;
}

/* The lane values that `add x5, source, x0` reads. */
static void reads(struct stream_bench *b, unsigned source, uint32_t first, uint32_t step)
{
  execute(b, BENCH_ALL, bench_add(5, source, 0));
  for (unsigned lane = 0; lane < BENCH_LANES; lane++)
    assert_int_equal(bench_register(b, 1, 5)[lane], first + lane * step);
}

static void registers_without_a_stream_are_unchanged(void **state)
{
  struct stream_bench *b = *state;
  struct sl_insn copy = bench_add(5, 6, 7);
  struct sl_stream_use use;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_null(sl_streams_rename(&b->s, 1, 0x100, BENCH_ALL, &copy, &use));
  assert_false(sl_stream_used(&use));
  const struct sl_insn before = bench_add(5, 6, 7);
  assert_memory_equal(&copy, &before, sizeof copy);
}

static void a_read_stream_gives_its_elements_in_order(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 2, READ | 9, 0x100, 4));
  for (uint32_t i = 0; i < 20; i++)
    reads(b, 9, 0x100 + 16 * i, 4);
}

static void the_register_itself_is_unchanged(void **state)
{
  struct stream_bench *b = *state;
  bench_register(b, 1, 9)[2] = 77;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  reads(b, 9, 0x100, 4);
  execute(b, BENCH_ALL, bench_add(9, 0, 0)); /* only a read stream maps it: the register is written */
  assert_int_equal(bench_register(b, 1, 9)[2], 0);
  reads(b, 9, 0x110, 4);
}

static void two_sources_take_one_element(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  const struct sl_stream_use use = execute(b, BENCH_ALL, bench_add(5, 9, 9));
  assert_int_equal(use.reads, 1);
  assert_int_equal(bench_register(b, 1, 5)[0], 0x200);
  reads(b, 9, 0x110, 4);
}

static void all_three_sources_and_the_result_can_be_streams(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | FLOAT | 1, 0x100, 4));
  assert_null(bench_stream(b, 1, 1, READ | FLOAT | 0, 0x200, 4));
  assert_null(bench_stream(b, 1, 2, BOTH | FLOAT | 3, 0x300, 4));
  const struct sl_stream_use use = execute(b, BENCH_ALL, bench_fma(3, 1, 0, 3));
  assert_int_equal(use.reads, 7);
  assert_int_equal(use.write, 2);
  for (uint32_t lane = 0; lane < BENCH_LANES; lane++)
    assert_int_equal(bench_word(b, 0x300 + 4 * lane), 0x600 + 12 * lane);
}

static void fields_without_a_register_take_no_element(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_null(bench_stream(b, 1, 1, READ | FLOAT | 0, 0x100, 4));
  struct sl_stream_use use;
  struct sl_insn csrrwi = sl_decode(0x34000073 | 9 << 15 | 5 << 12, SL_ISA_ZICSR); /* immediate 9 */
  struct sl_insn fsqrt = sl_decode(0x58000053 | 2 << 15 | 7 << 12 | 4 << 7, SL_ISA_F);
  assert_int_equal(csrrwi.rs1, 9);
  assert_null(sl_streams_rename(&b->s, 1, 0x100, BENCH_ALL, &csrrwi, &use));
  assert_false(sl_stream_used(&use));
  assert_null(sl_streams_rename(&b->s, 1, 0x100, BENCH_ALL, &fsqrt, &use));
  assert_false(sl_stream_used(&use));
}

static void a_write_stream_stores_the_active_lanes(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, WRITE | 9, 0x800, 4));
  for (unsigned lane = 0; lane < BENCH_LANES; lane++)
    bench_register(b, 1, 6)[lane] = 1000 + lane;
  execute(b, BENCH_ALL, bench_add(9, 6, 0));
  execute(b, 0x5, bench_add(9, 6, 6));
  assert_int_equal(bench_word(b, 0x804), 1001);
  assert_int_equal(bench_word(b, 0x810), 2000);
  assert_int_equal(bench_word(b, 0x814), 0x814);
  assert_int_equal(bench_word(b, 0x818), 2004);
  assert_int_equal(bench_register(b, 1, 9)[0], 0);
}

static void a_source_of_a_write_stream_is_the_register(void **state)
{
  struct stream_bench *b = *state;
  bench_register(b, 1, 9)[3] = 5;
  assert_null(bench_stream(b, 1, 0, WRITE | 9, 0x800, 4));
  const struct sl_stream_use use = execute(b, BENCH_ALL, bench_add(9, 9, 0));
  assert_int_equal(use.reads, 0);
  assert_int_equal(bench_word(b, 0x80c), 5);
}

static void read_write_accumulates_in_place(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, BOTH | 9, 0x800, 4));
  assert_null(bench_stream(b, 1, 1, READ | 8, 0x100, 4));
  for (unsigned i = 0; i < 5; i++)
    execute(b, BENCH_ALL, bench_add(9, 9, 8));
  for (uint32_t i = 0; i < 20; i++)
    assert_int_equal(bench_word(b, 0x800 + 4 * i), 0x900 + 8 * i);
  assert_int_equal(bench_word(b, 0x850), 0x850);
}

static void two_units_on_one_register_read_and_write(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_null(bench_stream(b, 1, 1, WRITE | 9, 0x800, 4));
  const struct sl_stream_use use = execute(b, BENCH_ALL, bench_add(9, 9, 9));
  assert_int_equal(use.reads, 1);
  assert_int_equal(use.write, 1);
  assert_int_equal(bench_word(b, 0x804), 0x208);
}

static void an_element_is_used_even_when_no_lane_is_active(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  execute(b, 0, bench_add(5, 9, 0));
  reads(b, 9, 0x110, 4);
}

static void small_elements_are_extended_by_type(void **state)
{
  struct stream_bench *b = *state;
  bench_set_word(b, 0x100, 0x80ff7f01);
  assert_null(bench_stream(b, 1, 0, READ | 2 << 7 | 9, 0x100, 1));
  execute(b, BENCH_ALL, bench_add(5, 9, 0));
  assert_int_equal(bench_register(b, 1, 5)[1], 0x7f);
  assert_int_equal(bench_register(b, 1, 5)[3], 0xffffff80);
  assert_null(bench_stream(b, 1, 1, READ | 1 << 7 | 10, 0x100, 2));
  execute(b, BENCH_ALL, bench_add(5, 10, 0));
  assert_int_equal(bench_register(b, 1, 5)[1], 0xffff80ff);
  assert_null(bench_stream(b, 1, 2, READ | FLOAT | 1 << 7 | 1, 0x100, 2));
  struct sl_insn copy = bench_fma(2, 1, 3, 3);
  struct sl_stream_use use;
  assert_null(sl_streams_rename(&b->s, 1, 0x100, BENCH_ALL, &copy, &use));
  assert_int_equal(copy.rs1, SL_IPDOM_FIRST_STREAM + 2);
  assert_int_equal(bench_register(b, 1, copy.rs1)[1], 0x80ff);
}

static void small_elements_are_stored_in_their_size(void **state)
{
  struct stream_bench *b = *state;
  bench_set_word(b, 0x800, 0);
  bench_register(b, 1, 6)[1] = 0x12345678;
  assert_null(bench_stream(b, 1, 0, WRITE | 2 << 7 | 9, 0x800, 1));
  execute(b, 0x2, bench_add(9, 6, 0));
  assert_int_equal(bench_word(b, 0x800), 0x7800);
}

static void rows_have_their_own_stride(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_csr(b, 1, 0, SL_STREAM_ROW_STRIDE, 0x200, 0));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_ROW_LENGTH, 3, 0));
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  for (uint32_t i = 0; i < 9; i++)
    reads(b, 9, 0x100 + i / 3 * 0x200 + i % 3 * 16, 4);
}

static void a_base_of_all_lanes_is_a_uniform_stream(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_csr(b, 1, 0, SL_STREAM_STRIDE_ALIAS, 4, 0));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_BASE, 0x40, 0));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, READ | 9, 0));
  for (uint32_t i = 0; i < 4; i++)
    reads(b, 9, 0x40 + 4 * i, 0);
}

static void a_new_base_restarts_and_takes_over_the_stride(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  reads(b, 9, 0x100, 4);
  assert_null(bench_csr(b, 1, 0, SL_STREAM_STRIDE, 0x40, 0));
  reads(b, 9, 0x110, 4);
  assert_null(bench_csr(b, 1, 0, SL_STREAM_BASE, 0x200, 8));
  reads(b, 9, 0x200, 8);
  reads(b, 9, 0x240, 8);
}

static void csrs_read_what_was_written(void **state)
{
  struct stream_bench *b = *state;
  uint32_t values[BENCH_LANES];
  assert_null(bench_csr(b, 1, 1, SL_STREAM_LIMIT, 9, 0));
  assert_null(bench_csr(b, 1, 1, SL_STREAM_ROW_STRIDE, 12, 4));
  assert_null(bench_stream(b, 1, 1, READ | 9, 0x100, 4));
  reads(b, 9, 0x100, 4);
  const struct {
    enum sl_stream_register reg;
    uint32_t lane0, lane3;
  } expected[] = {{SL_STREAM_BASE, 0x100, 0x10c},   {SL_STREAM_MAPPING, READ | 9, READ | 9},
                  {SL_STREAM_STRIDE_ALIAS, 16, 16}, {SL_STREAM_STRIDE, 16, 16},
                  {SL_STREAM_LIMIT, 9, 9},          {SL_STREAM_ROW_STRIDE, 12, 24},
                  {SL_STREAM_ROW_LENGTH, 0, 0},     {SL_STREAM_USED, 1, 1}};
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_null(sl_streams_csr_read(&b->s, 1, sl_extension_csr(SL_UNIT_STREAM, 1, expected[i].reg), values));
    assert_int_equal(values[0], expected[i].lane0);
    assert_int_equal(values[3], expected[i].lane3);
  }
}

static void streams_are_per_warp(void **state)
{
  struct stream_bench *b = *state;
  struct sl_stream_use use;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  bench_register(b, 0, 9)[0] = 3;
  assert_null(bench_execute(b, 0, BENCH_ALL, bench_add(5, 9, 0), &use));
  assert_int_equal(bench_register(b, 0, 5)[0], 3);
  reads(b, 9, 0x100, 4);
}

static void clearing_the_mapping_restores_the_register(void **state)
{
  struct stream_bench *b = *state;
  bench_register(b, 1, 9)[0] = 8;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  reads(b, 9, 0x100, 4);
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, 0, 0));
  execute(b, 1, bench_add(5, 9, 0));
  assert_int_equal(bench_register(b, 1, 5)[0], 8);
}

static void a_deactivated_warp_has_no_streams(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  sl_streams_stop(&b->s, 1);
  assert_int_equal(execute(b, 1, bench_add(5, 9, 0)).reads, 0);
}

/* -- Misuse -- */

static const char *misuse(struct stream_bench *b, sl_lanes active, struct sl_insn insn)
{
  struct sl_stream_use use;
  return bench_execute(b, 1, active, insn, &use);
}

static void x0_cannot_be_a_stream(void **state)
{
  assert_non_null(bench_stream(*state, 1, 0, READ, 0x100, 4));
  assert_null(bench_stream(*state, 1, 1, READ | FLOAT, 0x100, 4)); /* f0 can */
}

static void a_register_has_one_stream_per_direction(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_non_null(bench_stream(b, 1, 1, READ | 9, 0x200, 4));
  assert_non_null(bench_stream(b, 1, 1, BOTH | 9, 0x200, 4));
  assert_null(bench_stream(b, 1, 1, WRITE | 9, 0x200, 4));
  assert_non_null(bench_stream(b, 1, 2, WRITE | 9, 0x200, 4));
}

static void a_mapping_stays_while_it_redirects(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, READ | 10, 0));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, BOTH | 9, 0));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, READ | 1 << 7 | 9, 0));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, 0, 0));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, WRITE | 10, 0));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, BOTH | 10, 0));
}

static void a_stream_without_prefetch_cannot_be_read(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, SL_STREAM_REDIRECT | 9, 0x100, 4));
  assert_non_null(misuse(b, BENCH_ALL, bench_add(5, 9, 0)));
}

static void bases_and_strides_are_multiples_of_the_element(void **state)
{
  struct stream_bench *b = *state;
  assert_non_null(bench_stream(b, 1, 0, READ | 9, 0x102, 4));
  assert_non_null(bench_stream(b, 1, 1, READ | 10, 0x100, 2));
  assert_null(bench_stream(b, 1, 2, READ | 1 << 7 | 11, 0x102, 2));
  assert_non_null(bench_csr(b, 1, 2, SL_STREAM_BASE, 0x101, 0));
}

static void the_count_limit_ends_the_stream(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_csr(b, 1, 0, SL_STREAM_LIMIT, 2, 0));
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  reads(b, 9, 0x100, 4);
  reads(b, 9, 0x110, 4);
  assert_non_null(misuse(b, BENCH_ALL, bench_add(5, 9, 0)));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_BASE, 0x100, 0));
  reads(b, 9, 0x100, 0);
}

static void lanes_without_a_base_are_refused(void **state)
{
  struct stream_bench *b = *state;
  const uint32_t base[BENCH_LANES] = {0x100, 0x100, 0, 0};
  assert_null(sl_streams_csr_write(&b->s, 1, sl_extension_csr(SL_UNIT_STREAM, 0, SL_STREAM_BASE), 0x3, base, NULL));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, READ | 9, 0));
  assert_null(misuse(b, 0x3, bench_add(5, 9, 0)));
  assert_non_null(misuse(b, 0x7, bench_add(5, 9, 0)));
  assert_null(sl_streams_csr_write(&b->s, 1, sl_extension_csr(SL_UNIT_STREAM, 0, SL_STREAM_BASE), 0x4, base, NULL));
  assert_null(misuse(b, 0x7, bench_add(5, 9, 0)));
}

static void clearing_redirect_clears_the_participating_lanes(void **state)
{
  struct stream_bench *b = *state;
  const uint32_t base[BENCH_LANES] = {0x100, 0, 0, 0};
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, 0, 0));
  assert_null(sl_streams_csr_write(&b->s, 1, sl_extension_csr(SL_UNIT_STREAM, 0, SL_STREAM_BASE), 0x1, base, NULL));
  assert_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, READ | 9, 0));
  assert_null(misuse(b, 0x1, bench_add(5, 9, 0)));
  assert_non_null(misuse(b, 0x3, bench_add(5, 9, 0)));
}

static void missing_registers_and_units_are_refused(void **state)
{
  struct stream_bench *b = *state;
  uint32_t values[BENCH_LANES];
  assert_non_null(bench_csr(b, 1, BENCH_UNITS, SL_STREAM_BASE, 0, 0));
  assert_non_null(sl_streams_csr_read(&b->s, 1, sl_extension_csr(SL_UNIT_STREAM, BENCH_UNITS, 0), values));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_USED, 0, 0));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, 3 << 7, 0));
  assert_non_null(bench_csr(b, 1, 0, SL_STREAM_MAPPING, 1 << 12, 0));
}

static void an_element_outside_memory_is_a_fault_of_the_instruction(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 1, 0, READ | 9, BENCH_MEMORY - 16, 4));
  assert_null(misuse(b, BENCH_ALL, bench_add(5, 9, 0)));
  assert_int_equal(b->w.fault.kind, SL_FAULT_NONE);
  assert_non_null(misuse(b, BENCH_ALL, bench_add(5, 9, 0)));
  assert_int_equal(b->w.fault.kind, SL_FAULT_ADDRESS);
  assert_int_equal(b->w.fault.address, BENCH_MEMORY);
  assert_int_equal(b->w.fault.insn.op, SL_OP_ADD);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(registers_without_a_stream_are_unchanged),
      TEST(a_read_stream_gives_its_elements_in_order),
      TEST(the_register_itself_is_unchanged),
      TEST(two_sources_take_one_element),
      TEST(all_three_sources_and_the_result_can_be_streams),
      TEST(fields_without_a_register_take_no_element),
      TEST(a_write_stream_stores_the_active_lanes),
      TEST(a_source_of_a_write_stream_is_the_register),
      TEST(read_write_accumulates_in_place),
      TEST(two_units_on_one_register_read_and_write),
      TEST(an_element_is_used_even_when_no_lane_is_active),
      TEST(small_elements_are_extended_by_type),
      TEST(small_elements_are_stored_in_their_size),
      TEST(rows_have_their_own_stride),
      TEST(a_base_of_all_lanes_is_a_uniform_stream),
      TEST(a_new_base_restarts_and_takes_over_the_stride),
      TEST(csrs_read_what_was_written),
      TEST(streams_are_per_warp),
      TEST(clearing_the_mapping_restores_the_register),
      TEST(a_deactivated_warp_has_no_streams),
      TEST(x0_cannot_be_a_stream),
      TEST(a_register_has_one_stream_per_direction),
      TEST(a_mapping_stays_while_it_redirects),
      TEST(a_stream_without_prefetch_cannot_be_read),
      TEST(bases_and_strides_are_multiples_of_the_element),
      TEST(the_count_limit_ends_the_stream),
      TEST(lanes_without_a_base_are_refused),
      TEST(clearing_redirect_clears_the_participating_lanes),
      TEST(missing_registers_and_units_are_refused),
      TEST(an_element_outside_memory_is_a_fault_of_the_instruction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
