/* One kernel that uses every feature, on SMs of every shape: it ends, gives the same results in cycle and functional
 * mode, and its cycles depend neither on slices of the run nor on the build of the lane functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/engine/engine.h"
#include "kernel.h"

#define RESULTS (DATA + 0x1000000)

/* Thread h of n stores 3h, waits for all, and sums: the product of its neighbour's value and its own, through its
 * stack, or 7 if the product is odd; and adds 3h to a scratchpad word shared with others. */
static struct kernel *make(const struct sl_simtight_spec *spec)
{
  struct kernel *k = kernel_create(spec);
  const uint32_t words[] = {
      word_csr(SL_OP_CSRRS, 5, 0xf14, 0),
      word_r(SL_OP_SLLI, 6, 5, 2),
      word_u(SL_OP_LUI, 7, DATA >> 12),
      word_r(SL_OP_ADD, 6, 6, 7),
      word_r(SL_OP_SLLI, 8, 5, 1),
      word_r(SL_OP_ADD, 8, 8, 5), /* 3h */
      word_s(SL_OP_SW, 8, 6, 0),
      BARRIER,
      word_i(SL_OP_XORI, 9, 5, 1),
      word_r(SL_OP_SLLI, 9, 9, 2),
      word_r(SL_OP_ADD, 9, 9, 7),
      word_i(SL_OP_LW, 10, 9, 0),
      word_r(SL_OP_MUL, 10, 10, 8),
      0x00050009, /* push */
      word_i(SL_OP_ANDI, 11, 5, 1),
      word_b(SL_OP_BEQ, 11, 0, 8),
      word_i(SL_OP_ADDI, 10, 10, 7),
      0x00051009, /* pop */
      word_i(SL_OP_ADDI, 2, 0, -8),
      word_s(SL_OP_SW, 10, 2, 0),
      word_i(SL_OP_LW, 12, 2, 0),
      word_u(SL_OP_LUI, 13, SCRATCHPAD >> 12),
      word_i(SL_OP_ANDI, 14, 5, 63),
      word_r(SL_OP_SLLI, 14, 14, 2),
      word_r(SL_OP_ADD, 13, 13, 14),
      word_r(SL_OP_AMOADD, 15, 13, 8),
      word_u(SL_OP_LUI, 16, RESULTS >> 12),
      word_i(SL_OP_ADDI, 18, 0, 3),
      word_r(SL_OP_DIVU, 17, 8, 18), /* h again */
      word_r(SL_OP_SLLI, 17, 17, 2),
      word_r(SL_OP_ADD, 16, 16, 17),
      word_s(SL_OP_SW, 12, 16, 0),
      word_i(SL_OP_FENCE, 0, 0, 0xff),
      END,
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    kernel_add(k, words[i]);
  return k;
}

static void check_memory(struct kernel *k)
{
  const uint32_t threads = k->spec.lanes * k->spec.warps;
  uint32_t sum[64] = {0};
  for (uint32_t h = 0; h < threads; h++) {
    const uint32_t neighbour = (h ^ 1) < threads ? 3 * (h ^ 1) : 0;
    assert_int_equal(sl_memory_load(&k->memory, DATA + 4 * h, 4), 3 * h);
    assert_int_equal(sl_memory_load(&k->memory, RESULTS + 4 * h, 4), neighbour * 3 * h + (h % 2 ? 7 : 0));
    sum[h % 64] += 3 * h;
  }
  for (uint32_t i = 0; i < 64; i++)
    assert_int_equal(sl_memory_load(&k->memory, SCRATCHPAD + 4 * i, 4), sum[i]);
}

/* Machines with a compressed register file: a slot for every register, as few as possible, and then with a scalar
 * pipeline and a stack cache too. Ended warps free their slots, since otherwise the last one could not continue. */
enum { COMPRESSED, FEWEST, SCALAR, STACK_CACHE, FILES };

static struct sl_simtight_spec compressed_spec(unsigned lanes, unsigned warps, unsigned file)
{
  struct sl_simtight_spec spec = kernel_spec(lanes, warps);
  spec.compressed = 1;
  spec.vector_slots = file == COMPRESSED ? 0 : 4 * warps;
  spec.free_ended = 1;
  spec.scalar_pipeline = file >= SCALAR;
  spec.stack_cache_entries = file == STACK_CACHE ? 32 : 0;
  return spec;
}

/* Spilled registers are in memory, but no result. */
static void forget_spilled(struct kernel *k)
{
  static const uint8_t zeros[1 << 16];
  const uint32_t base = sl_simtight_spill_base(&k->spec), bytes = sl_simtight_spill_bytes(&k->spec);
  for (uint32_t i = 0; i < bytes; i += sizeof zeros)
    sl_memory_write(&k->memory, base + i, zeros, bytes - i < sizeof zeros ? bytes - i : sizeof zeros);
}

/* Runs the kernel in one mode; returns the hash of memory. */
static uint64_t run(const struct sl_simtight_spec *spec, bool fast)
{
  struct kernel *k = make(spec);
  kernel_run(k, fast);
  check_memory(k);
  forget_spilled(k);
  const uint64_t hash = sl_memory_hash(&k->memory);
  const uint32_t threads = spec->lanes * spec->warps; /* 34 words each, of which even threads skip one */
  assert_int_equal(kernel_counter(k, "thread_instrs"), threads * 34 - (threads + 1) / 2);
  kernel_free(k);
  return hash;
}

static void every_shape_runs_and_both_modes_leave_the_same_memory(void **state)
{
  (void)state;
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2)
    for (unsigned warps = 1; warps <= 64; warps *= 2) {
      const struct sl_simtight_spec spec = kernel_spec(lanes, warps);
      assert_true(run(&spec, false) == run(&spec, true));
    }
}

static void every_shape_runs_with_compressed_registers(void **state)
{
  (void)state;
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2)
    for (unsigned warps = 1; warps <= 64; warps *= 2) {
      const struct sl_simtight_spec plain = kernel_spec(lanes, warps);
      const uint64_t hash = run(&plain, true);
      for (unsigned file = 0; file < FILES; file++) {
        const struct sl_simtight_spec spec = compressed_spec(lanes, warps, file);
        assert_true(run(&spec, false) == hash);
        assert_true(run(&spec, true) == hash);
      }
    }
}

/* Plain registers keep their contents between launches, compressed ones are initialised. */
static void compressed_registers_are_zero_when_a_kernel_starts(void **state)
{
  (void)state;
  for (unsigned compressed = 0; compressed < 2; compressed++)
    for (unsigned fast = 0; fast < 2; fast++) {
      const struct sl_simtight_spec spec = compressed ? compressed_spec(32, 4, COMPRESSED) : kernel_spec(32, 4);
      struct kernel *k = kernel_create(&spec);
      kernel_compute(k, 6, DATA, 4, 7);
      kernel_add(k, word_s(SL_OP_SW, 9, 6, 0));
      kernel_add(k, word_r(SL_OP_XOR, 9, 6, 7));
      kernel_add(k, END);
      kernel_run(k, fast);
      kernel_run(k, fast);
      for (uint32_t h = 0; h < 128; h++)
        assert_int_equal(sl_memory_load(&k->memory, DATA + 4 * h, 4), compressed ? 0 : (DATA + 4 * h) ^ DATA);
      kernel_free(k);
    }
}

static void every_number_of_banks_computes_the_same(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = kernel_spec(32, 16);
  const uint64_t hash = run(&spec, true);
  for (spec.scratchpad_banks = 1; spec.scratchpad_banks <= 64; spec.scratchpad_banks *= 2)
    assert_true(run(&spec, false) == hash);
}

/* The narrowest queues and slowest units lose nothing. */
static void small_queues_only_cost_time(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = kernel_spec(32, 16);
  const uint64_t hash = run(&spec, true);
  spec.fifo_depth = spec.in_flight_depth = 1;
  spec.dram_outstanding = 2;
  assert_true(run(&spec, false) == hash);
  spec.dram_latency = 1;
  spec.dram_beat_bytes = 256;
  assert_true(run(&spec, false) == hash);
  spec.dram_beat_bytes = 4;
  spec.dram_outstanding = 256;
  spec.divider = SL_DIVIDER_PIPELINED;
  spec.divider_depth = 1;
  assert_true(run(&spec, false) == hash);
}

static void expect_same_counters(const struct kernel *a, const struct kernel *b)
{
  for (size_t i = 0; i < sl_simtight.counters->count; i++)
    if (sl_simtight.view.counter(&a->sm->base, i) != sl_simtight.view.counter(&b->sm->base, i))
      fail_msg("%s differs", sl_simtight.counters->counter[i].name);
}

static void expect_same_commits(const struct kernel *a, const struct kernel *b)
{
  assert_int_equal(a->commits, b->commits);
  for (unsigned i = 0; i < a->commits; i++) {
    assert_int_equal(a->commit[i].cycle, b->commit[i].cycle);
    assert_int_equal(a->commit[i].warp, b->commit[i].warp);
    assert_int_equal(a->commit[i].pc, b->commit[i].pc);
    assert_true(a->commit[i].active == b->commit[i].active);
  }
}

/* A run of one cycle cannot skip any, so this also tests that skipping idle cycles does not change results. */
static void expect_same_series(const struct sl_series *a, const struct sl_series *b)
{
  assert_true(a->period == b->period);
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->value, b->value, a->count * sizeof a->value[0]);
}

static void expect_single_cycles_equal(const struct sl_simtight_spec *spec)
{
  struct kernel *whole = make(spec), *sliced = make(spec);
  for (unsigned launch = 0; launch < 2; launch++) { /* state that survives a launch is equal, too */
    kernel_run(whole, false);
    kernel_start(sliced, 0);
    while (sl_engine_run(sl_engine_of(false), &sliced->sm->base, 1) == SL_SM_RUNNING)
      assert_true(sl_simtight.view.elapsed(&sliced->sm->base) < 100000);
    expect_same_counters(whole, sliced);
    expect_same_commits(whole, sliced);
    if (spec->compressed)
      expect_same_series(sl_simtight.view.residency(&whole->sm->base), sl_simtight.view.residency(&sliced->sm->base));
  }
  kernel_free(whole);
  kernel_free(sliced);
}

static void runs_of_single_cycles_equal_one_run(void **state)
{
  (void)state;
  for (unsigned warps = 1; warps <= 64; warps *= 4) {
    const struct sl_simtight_spec spec = kernel_spec(32, warps);
    expect_single_cycles_equal(&spec);
    for (unsigned file = 0; file < FILES; file++) {
      struct sl_simtight_spec compressed = compressed_spec(32, warps, file);
      expect_single_cycles_equal(&compressed);
      compressed.dram_latency = 1000;
      expect_single_cycles_equal(&compressed);
    }
  }
}

static void slices_do_not_change_functional_runs(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 8);
  struct kernel *whole = make(&spec), *sliced = make(&spec);
  kernel_run(whole, true);
  kernel_start(sliced, 0);
  while (sl_engine_run(sl_engine_of(true), &sliced->sm->base, 3) == SL_SM_RUNNING)
    assert_true(sl_simtight.view.elapsed(&sliced->sm->base) < 100000);
  check_memory(sliced);
  assert_int_equal(sl_simtight.view.elapsed(&whole->sm->base), sl_simtight.view.elapsed(&sliced->sm->base));
  assert_true(sl_memory_hash(&whole->memory) == sl_memory_hash(&sliced->memory));
  kernel_free(whole);
  kernel_free(sliced);
}

static void runs_are_deterministic(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 64);
  struct kernel *a = make(&spec), *b = make(&spec);
  kernel_run(a, false);
  kernel_run(b, false);
  expect_same_counters(a, b);
  expect_same_commits(a, b);
  kernel_free(a);
  kernel_free(b);
}

static void the_portable_build_of_the_lanes_takes_the_same_cycles(void **state)
{
  (void)state;
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2) {
    const struct sl_simtight_spec spec = kernel_spec(lanes, 16);
    struct kernel *best = make(&spec), *portable = make(&spec);
    portable->sm->warps.ops = sl_lane_ops_portable(lanes);
    kernel_run(best, false);
    kernel_run(portable, false);
    check_memory(portable);
    expect_same_counters(best, portable);
    kernel_free(best);
    kernel_free(portable);
  }
}

/* Every warp instruction is reported once, in both modes. */
static void both_modes_execute_the_same_instructions(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 16);
  struct kernel *cycle = make(&spec), *fast = make(&spec);
  kernel_run(cycle, false);
  kernel_run(fast, true);
  assert_int_equal(cycle->commits, fast->commits);
  assert_int_equal(cycle->commits, kernel_counter(cycle, "warp_instrs"));
  assert_int_equal(kernel_counter(cycle, "thread_instrs"), kernel_counter(fast, "thread_instrs"));
  for (unsigned w = 0; w < 16; w++) { /* and per warp in the same order */
    unsigned a = 0, b = 0;
    for (;; a++, b++) {
      while (a < cycle->commits && cycle->commit[a].warp != w)
        a++;
      while (b < fast->commits && fast->commit[b].warp != w)
        b++;
      if (a == cycle->commits || b == fast->commits)
        break;
      assert_int_equal(cycle->commit[a].pc, fast->commit[b].pc);
      assert_true(cycle->commit[a].active == fast->commit[b].active);
    }
    assert_true(a == cycle->commits && b == fast->commits);
  }
  kernel_free(cycle);
  kernel_free(fast);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_runs_and_both_modes_leave_the_same_memory),
      cmocka_unit_test(every_shape_runs_with_compressed_registers),
      cmocka_unit_test(compressed_registers_are_zero_when_a_kernel_starts),
      cmocka_unit_test(every_number_of_banks_computes_the_same),
      cmocka_unit_test(small_queues_only_cost_time),
      cmocka_unit_test(runs_of_single_cycles_equal_one_run),
      cmocka_unit_test(slices_do_not_change_functional_runs),
      cmocka_unit_test(runs_are_deterministic),
      cmocka_unit_test(the_portable_build_of_the_lanes_takes_the_same_cycles),
      cmocka_unit_test(both_modes_execute_the_same_instructions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
