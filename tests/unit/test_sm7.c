/* machine/sm7: distances between instructions, throughputs and latencies, each exact to the cycle. The numbers are
 * those of the reference's micro benchmarks and of the units' rules (docs/explanation/machines/sm7.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sm7_program.h"

/* The cost of one more copy of an instruction. */
typedef void body_maker(unsigned copy);

static uint64_t slope_on(const struct sl_sm7_spec *spec, body_maker *body, uint32_t threads, uint64_t warm)
{
  enum { FEW = 8, MANY = 24 };
  uint64_t cycles[2];
  for (unsigned n = 0; n < 2; n++) {
    new_program();
    for (unsigned i = 0; i < (n ? MANY : FEW); i++)
      body(i);
    end_program();
    cycles[n] = cycles_of(spec, 1, threads, warm);
    assert_true(cycles[n] > 0);
  }
  return (cycles[1] - cycles[0]) / (MANY - FEW);
}

static uint64_t slope(body_maker *body, uint32_t threads, uint64_t warm)
{
  const struct sl_sm7_spec spec = defaults();
  return slope_on(&spec, body, threads, warm);
}

static void chain_add(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 1, 1, 2);
}
static void chain_logic(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_INT, SL_SM7_C_OTHER, 1, 1, 2);
}
static void chain_fma64(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_DP, SL_SM7_C_F64_ADD, 1, 1, 2);
}
static void chain_sqrt(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_SFU, SL_SM7_C_SFU, 1, 1, NO_REGISTER);
}
static void chain_div64(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_SFU, SL_SM7_C_F64_DIV, 1, 1, 2);
}

static void a_dependent_instruction_issues_latency_plus_5_cycles_later(void **state)
{
  (void)state;
  assert_int_equal(slope(chain_add, 32, 0), 9);
  assert_int_equal(slope(chain_logic, 32, 0), 6);
  assert_int_equal(slope(chain_fma64, 32, 0), 13);
  assert_int_equal(slope(chain_sqrt, 32, 0), 105);
  assert_int_equal(slope(chain_div64, 32, 0), 335);
}

static void independent_add(unsigned copy)
{
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 3 + (int)copy, 1, 2);
}
static void independent_logic(unsigned copy)
{
  alu(SL_SM7_INT, SL_SM7_C_OTHER, 3 + (int)copy, 1, 2);
}

/* Eight warps per scheduler. */
static void units_with_interval_2_take_an_instruction_every_other_cycle(void **state)
{
  (void)state;
  assert_int_equal(slope(independent_add, 1024, 0), 8 * 2);
  assert_int_equal(slope(independent_logic, 1024, 0), 8 * 1);
}

static void load_l2(unsigned copy)
{
  struct sl_sm7_instruction *i = memory(SL_SM7_LOAD, SL_SM7_GLOBAL, 1, 1, HEAP + copy * 4096, 0);
  (void)i;
}
static void load_again(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_GLOBAL, 1, 1, HEAP, 0);
  (void)copy;
}
static void load_shared(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 4096, 4);
  (void)copy;
}
static void load_conflicting(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 0, 32 * 4);
  (void)copy;
}
static void load_param(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_CONST, 1, 1, 0, 0);
  (void)copy;
}
static void add_in_l2(unsigned copy)
{
  memory(SL_SM7_ATOMIC, SL_SM7_GLOBAL, 1, 1, HEAP + copy * 4096, 4)->uncached = true;
}

static void loads_have_the_latency_of_the_level_that_hits(void **state)
{
  (void)state;
  assert_int_equal(slope(load_param, 32, 0), 4);
  assert_int_equal(slope(load_again, 32, 64), 24);
  assert_int_equal(slope(load_shared, 32, 0), 25);
  assert_int_equal(slope(load_conflicting, 32, 0), 25 + 31);
  assert_int_equal(slope(load_l2, 32, 24 * 4096), 193);
}

static void an_atomic_blocks_its_warp_until_its_answer(void **state)
{
  (void)state;
  /* 172 for one sector; three more follow in the cycles after it. */
  assert_int_equal(slope(add_in_l2, 32, 24 * 4096), 172 + 3);
}

static void barrier(unsigned copy)
{
  put(SL_SM7_INT, SL_SM7_C_OTHER, SL_SM7_BARRIER, NO_REGISTER, NO_REGISTER, NO_REGISTER);
  (void)copy;
}

/* Two warps per scheduler; returns the cost of one more copy to both. */
static uint64_t slope_of_two(body_maker *body, uint32_t scheduler, uint32_t active)
{
  enum { FEW = 8, MANY = 24 };
  struct sl_sm7_spec spec = defaults();
  uint64_t cycles[2];
  spec.scheduler = scheduler;
  spec.active = active;
  for (unsigned n = 0; n < 2; n++) {
    new_program();
    for (unsigned i = 0; i < (n ? MANY : FEW); i++)
      body(i);
    end_program();
    cycles[n] = cycles_of(&spec, 1, 256, 0);
    assert_true(cycles[n] > 0);
  }
  return (cycles[1] - cycles[0]) / (MANY - FEW);
}

static void a_two_level_scheduler_issues_arithmetic_of_active_warps_only(void **state)
{
  (void)state;
  assert_int_equal(slope_of_two(chain_add, SL_SM7_LRR, 1), 9);
  assert_int_equal(slope_of_two(chain_add, SL_SM7_TWO_LEVEL, 1), 2 * 9);
  assert_int_equal(slope_of_two(chain_add, SL_SM7_TWO_LEVEL, 2), 9);
}

static void a_two_level_scheduler_replaces_warps_that_wait_for_memory(void **state)
{
  (void)state;
  const uint64_t both = slope_of_two(load_again, SL_SM7_LRR, 1);
  assert_in_range(slope_of_two(load_again, SL_SM7_TWO_LEVEL, 1), both, both + 3); /* not twice as long */
}

/* Cycles of a warp with this many independent instructions. */
static uint64_t cycles_of_code(const struct sl_sm7_spec *spec, unsigned instructions)
{
  new_program();
  for (unsigned i = 0; i < instructions; i++)
    independent_logic(i);
  end_program();
  return cycles_of(spec, 1, 32, 4096);
}

/* The request crosses in the cycle after the fetch and has passed the delay and the cache of L2 after 165 cycles. The
 * answers are four sectors; the first reaches the SM a cycle later; the fourth, three cycles after it, is decoded at
 * once. */
static void an_instruction_miss_takes_the_path_to_l2_and_four_sectors(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  assert_int_equal(cycles_of_code(&spec, 48) - cycles_of_code(&spec, 32), 16);
  spec.icache = true;
  assert_int_equal(cycles_of_code(&spec, 48) - cycles_of_code(&spec, 32), 16 + 166 + 3);
  spec.instructions.line = 32; /* four instructions, one sector */
  assert_int_equal(cycles_of_code(&spec, 48) - cycles_of_code(&spec, 32), 16 + 4 * 166);
}

static void warps_share_the_lines_of_the_instruction_cache(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  spec.icache = true;
  const uint64_t one = cycles_of_code(&spec, 64);
  const uint64_t eight = cycles_of(&spec, 1, 256, 4096);
  assert_in_range(eight, one, one + 8 * 64); /* not eight times the path to memory */
}

static void load_param_line(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_CONST, 1, 1, HEAP + copy * 64, 0);
}

/* Like a load that misses in L1, 193, without L1's 20 cycles, and with two sectors instead of one. */
static void a_constant_miss_takes_the_path_to_l2_and_two_sectors(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  assert_int_equal(slope_on(&spec, load_param_line, 32, 4096), 4);
  spec.ccache = true;
  assert_int_equal(slope_on(&spec, load_param_line, 32, 4096), 193 - 20 + 1);
  assert_int_equal(slope_on(&spec, load_param, 32, 4096), 4); /* hits */
}

static void fetch_line(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_TEXTURE, 1, 1, HEAP + copy * 128, 0);
}
static void fetch_again(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_TEXTURE, 1, 1, HEAP, 0);
  (void)copy;
}

/* A hit is looked up 4 cycles after its issue, leaves the FIFO in the next cycle, is in the write-back register one
 * cycle later and released one more cycle later. A miss sends a packet in that next cycle instead; without a delay
 * before L2 its four sectors arrive 5 to 8 cycles later, and the fetch is written back 2 after the last. */
static void texture_fetches_pass_their_fifo_and_no_delay(void **state)
{
  (void)state;
  assert_int_equal(slope(fetch_again, 32, 4096), 4 + 3);
  assert_int_equal(slope(fetch_line, 32, 4096), 4 + 1 + 8 + 2);
}

/* No operands, so that only issue limits them. */
static void integer_then_float(unsigned copy)
{
  alu(copy % 2 ? SL_SM7_SP : SL_SM7_INT, SL_SM7_C_OTHER, 3 + (int)copy, NO_REGISTER, NO_REGISTER);
}

static uint64_t cycles_of_32(const struct sl_sm7_spec *spec, body_maker *body)
{
  new_program();
  for (unsigned i = 0; i < 32; i++)
    body(i);
  end_program();
  return cycles_of(spec, 1, 32, 0);
}

static void with_dual_issue_a_warp_issues_to_two_different_units_in_a_cycle(void **state)
{
  (void)state;
  const struct sl_sm7_spec one = defaults();
  struct sl_sm7_spec two = one;
  two.issues = 2;
  assert_int_equal(cycles_of_32(&one, integer_then_float) - cycles_of_32(&two, integer_then_float), 16);
  assert_int_equal(cycles_of_32(&one, independent_logic), cycles_of_32(&two, independent_logic));
  assert_int_equal(cycles_of_32(&one, chain_add), cycles_of_32(&two, chain_add));
}

static void a_barrier_costs_its_issues(void **state)
{
  (void)state;
  assert_int_equal(slope(barrier, 32, 0), 1);
  assert_int_equal(slope(barrier, 1024, 0), 8);
}

static void the_scarcest_resource_limits_blocks_per_sm(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  const struct {
    struct sl_sm7_demand demand;
    unsigned fits, limited;
  } cases[] = {
      {{.blocks = 10000, .threads = 256, .registers = 16}, 8, SL_OCCUPANCY_WARPS},
      {{.blocks = 10000, .threads = 32, .registers = 16}, 32, SL_OCCUPANCY_SLOTS},
      {{.blocks = 10000, .threads = 256, .shared_bytes = 48 * 1024, .registers = 16}, 2, SL_OCCUPANCY_SHARED},
      {{.blocks = 10000, .threads = 256, .registers = 64}, 4, SL_OCCUPANCY_REGISTERS},
      {{.blocks = 10000, .threads = 256, .registers = 29},
       8,
       SL_OCCUPANCY_WARPS | SL_OCCUPANCY_REGISTERS}, /* rounded up to 32 */
      {{.blocks = 10000, .threads = 33, .registers = 16},
       32,
       SL_OCCUPANCY_WARPS | SL_OCCUPANCY_SLOTS}, /* whole warps */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sl_sm7_occupancy o;
    assert_int_equal(sl_sm7_occupancy(&spec, &cases[i].demand, &o, NULL), SL_OK);
    assert_int_equal(o.fits, cases[i].fits);
    assert_int_equal(o.limited, cases[i].limited);
  }
}

static void a_small_grid_is_spread_evenly_and_l1_gets_the_rest(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  const struct sl_sm7_demand demand = {.blocks = 81, .threads = 64, .shared_bytes = 5000, .registers = 16};
  struct sl_sm7_occupancy o;
  assert_int_equal(sl_sm7_occupancy(&spec, &demand, &o, NULL), SL_OK);
  assert_int_equal(o.resident, 2);                          /* 81 blocks on 80 SMs */
  assert_int_equal(o.l1_ways, (128 - 16) * 1024 / 128 / 4); /* two blocks need 16 KiB */
}

static void a_block_too_large_for_an_sm_is_an_error(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  const struct sl_sm7_demand demand = {.blocks = 1, .threads = 1024, .registers = 128};
  struct sl_sm7_occupancy o;
  assert_int_equal(sl_sm7_occupancy(&spec, &demand, &o, NULL), SL_FAULT);
}

static void every_slot_of_a_scheduler_has_one_stall_reason(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  struct sl_sm7_gpu *gpu = NULL;
  new_program();
  for (unsigned i = 0; i < 20; i++)
    load_l2(i);
  for (unsigned i = 0; i < 4; i++)
    barrier(i);
  add_in_l2(0);
  end_program();
  program.threads = 256;
  const struct sl_sm7_front front = program_front();
  const struct sl_sm7_demand demand = {.blocks = 100, .threads = 256, .registers = 16};
  assert_int_equal(sl_sm7_gpu_create(&gpu, &spec, NULL), SL_OK);
  assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, NULL), SL_OK);
  assert_int_equal(sl_sm7_gpu_run(gpu, 100000), SL_OK);
  const struct sl_sm7_totals t = sl_sm7_gpu_totals(gpu);
  uint64_t slots = 0;
  for (unsigned i = 0; i < SL_SM7_STALL_REASONS; i++)
    slots += t.sm.cause[i];
  assert_int_equal(slots, 4 * t.sm.cycles);
  assert_int_equal(t.sm.cause[SL_SM7_STALL_REASON_ISSUED], t.sm.warp_instructions);
  assert_int_equal(t.sm.warp_instructions, 100 * 8 * 26);
  sl_sm7_gpu_destroy(gpu);
}

static void memory_barriers_wait_for_stores_only_by_key(void **state)
{
  (void)state;
  uint64_t cycles[2];
  for (uint32_t waits = 0; waits < 2; waits++) {
    struct sl_sm7_spec spec = defaults();
    spec.membar = waits ? SL_SM7_MEMBAR_WAITS : SL_SM7_MEMBAR_READS;
    new_program();
    memory(SL_SM7_STORE, SL_SM7_GLOBAL, NO_REGISTER, 1, HEAP, 4);
    memory(SL_SM7_FENCE, SL_SM7_NO_SPACE, NO_REGISTER, NO_REGISTER, 0, 0);
    load_l2(1);
    end_program();
    cycles[waits] = cycles_of(&spec, 1, 32, 24 * 4096);
  }
  /* In sequence: the load issues when the store is acknowledged, not 4 cycles after the barrier. */
  assert_true(cycles[1] > cycles[0] + 160);
}

static void l2_keeps_its_lines_between_launches(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  struct sl_sm7_gpu *gpu = NULL;
  uint64_t cycles[2], misses[2];
  new_program();
  load_l2(0);
  end_program();
  program.threads = 32;
  const struct sl_sm7_front front = program_front();
  const struct sl_sm7_demand demand = {.blocks = 1, .threads = 32, .registers = 16};
  assert_int_equal(sl_sm7_gpu_create(&gpu, &spec, NULL), SL_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, NULL), SL_OK);
    assert_int_equal(sl_sm7_gpu_run(gpu, 100000), SL_OK);
    cycles[i] = gpu->cycle;
    misses[i] = sl_sm7_gpu_totals(gpu).l1_misses;
  }
  assert_true(cycles[1] + 100 < cycles[0]);   /* no DRAM */
  assert_int_equal(misses[1], 2 * misses[0]); /* but L1 is empty again */
  sl_sm7_gpu_destroy(gpu);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dependent_instruction_issues_latency_plus_5_cycles_later),
      cmocka_unit_test(units_with_interval_2_take_an_instruction_every_other_cycle),
      cmocka_unit_test(loads_have_the_latency_of_the_level_that_hits),
      cmocka_unit_test(an_atomic_blocks_its_warp_until_its_answer),
      cmocka_unit_test(a_two_level_scheduler_issues_arithmetic_of_active_warps_only),
      cmocka_unit_test(a_two_level_scheduler_replaces_warps_that_wait_for_memory),
      cmocka_unit_test(an_instruction_miss_takes_the_path_to_l2_and_four_sectors),
      cmocka_unit_test(warps_share_the_lines_of_the_instruction_cache),
      cmocka_unit_test(a_constant_miss_takes_the_path_to_l2_and_two_sectors),
      cmocka_unit_test(with_dual_issue_a_warp_issues_to_two_different_units_in_a_cycle),
      cmocka_unit_test(texture_fetches_pass_their_fifo_and_no_delay),
      cmocka_unit_test(a_barrier_costs_its_issues),
      cmocka_unit_test(the_scarcest_resource_limits_blocks_per_sm),
      cmocka_unit_test(a_small_grid_is_spread_evenly_and_l1_gets_the_rest),
      cmocka_unit_test(a_block_too_large_for_an_sm_is_an_error),
      cmocka_unit_test(every_slot_of_a_scheduler_has_one_stall_reason),
      cmocka_unit_test(memory_barriers_wait_for_stores_only_by_key),
      cmocka_unit_test(l2_keeps_its_lines_between_launches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
