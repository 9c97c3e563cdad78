/* The SIMTight SM as a whole: scheduling of many warps, arbitration, full queues, barriers, and stall accounting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/engine/engine.h"
#include "kernel.h"

static struct kernel *make(unsigned lanes, unsigned warps)
{
  const struct sl_simtight_spec spec = kernel_spec(lanes, warps);
  return kernel_create(&spec);
}

/* ---- start, end, counters ---- */

/* Warp w is picked in cycle w and executes in w + 7; the last ends the kernel in 70, the 71st cycle. */
static void an_empty_kernel_takes_a_cycle_per_warp_and_7(void **state)
{
  (void)state;
  for (unsigned warps = 1; warps <= 64; warps *= 2) {
    struct kernel *k = make(32, warps);
    kernel_add(k, END);
    kernel_run(k, false);
    assert_int_equal(kernel_counter(k, "cycles"), warps + 7);
    assert_int_equal(k->commits, warps);
    for (unsigned w = 0; w < warps; w++) {
      assert_int_equal(k->commit[w].warp, w);
      assert_int_equal(k->commit[w].cycle, w + 7);
    }
    kernel_free(k);
  }
}

/* The adder tree lags by the last 6 cycles, in each of which a warp ends here. */
static void thread_instructions_of_the_last_6_cycles_are_not_counted(void **state)
{
  (void)state;
  struct kernel *k = make(32, 64);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "counted_instrs"), (64 - 6) * 32);
  assert_int_equal(kernel_counter(k, "thread_instrs"), 64 * 32);
  kernel_free(k);
}

/* With 64 warps one is always ready: 64 cycles per instruction of all. */
static void many_warps_hide_the_pipeline(void **state)
{
  (void)state;
  struct kernel *k = make(32, 64);
  kernel_repeat(k, word_i(SL_OP_ADDI, 5, 5, 1), 30);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "cycles"), 31 * 64 + 7);
  kernel_free(k);
}

/* One warp takes 10 cycles per result: 8 warps wait for their own results, 16 never do. */
static void a_result_per_warp_takes_10_cycles_or_one_per_warp(void **state)
{
  (void)state;
  static const struct {
    unsigned warps, round;
  } cases[] = {{1, 10}, {8, 10}, {16, 16}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct kernel *k = make(32, cases[i].warps);
    kernel_repeat(k, word_i(SL_OP_ADDI, 5, 5, 1), 30);
    kernel_add(k, END);
    kernel_run(k, false);
    assert_int_equal(kernel_counter(k, "cycles"), 30 * cases[i].round + cases[i].warps + 7);
    kernel_free(k);
  }
}

static void plain_register_files_report_all_registers_in_use(void **state)
{
  (void)state;
  struct kernel *k = make(32, 64);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "max_vector_registers"), 64 * 32);
  assert_int_equal(kernel_counter(k, "max_capability_registers"), 2048); /* section 18 */
  kernel_free(k);
}

static void one_warp_that_fails_fails_the_kernel(void **state)
{
  (void)state;
  struct kernel *k = make(1, 4);
  kernel_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
  kernel_add(k, word_i(SL_OP_ADDI, 6, 0, 2));
  kernel_add(k, word_b(SL_OP_BEQ, 5, 6, 8));
  kernel_add(k, END);
  kernel_add(k, word_csr(SL_OP_CSRRWI, 0, 0x830, 1));
  for (unsigned fast = 0; fast < 2; fast++) {
    kernel_start(k, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000), SL_SM_DONE);
    assert_false(sl_simtight.view.succeeded(&k->sm->base));
  }
  kernel_free(k);
}

/* All others end, but warp 0 continues alone: its picks leave a history of itself only, and the next kernel starts with
 * warp 1. */
static void the_schedulers_history_survives_a_kernel(void **state)
{
  (void)state;
  struct kernel *k = make(1, 4);
  kernel_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
  kernel_add(k, word_b(SL_OP_BNE, 5, 0, 12));
  kernel_repeat(k, word_i(SL_OP_ADDI, 6, 6, 1), 2);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(k->commit[0].warp, 0);
  kernel_run(k, false);
  static const unsigned order[4] = {1, 2, 3, 0};
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(k->commit[i].warp, order[i]);
  kernel_free(k);
}

/* ---- queues between the units ---- */

/* Every warp's load takes 32 transactions. Warp w loads in w + 7; four requests are in the stages, 32 in the FIFO. */
static void the_37th_waiting_load_retries(void **state)
{
  (void)state;
  struct kernel *k = make(32, 64);
  kernel_set(k, 5, DATA, 4096);
  kernel_add(k, word_i(SL_OP_LW, 6, 5, 0));
  kernel_add(k, END);
  kernel_run(k, false);
  for (unsigned w = 0; w < 36; w++) {
    assert_int_equal(k->commit[w].warp, w);
    assert_int_equal(k->commit[w].cycle, w + 7);
  }
  assert_true(k->commit[36].cycle > 36 + 7);
  assert_true(kernel_counter(k, "retries") > 0);
  assert_int_equal(kernel_counter(k, "warp_instrs"), 128);
  assert_int_equal(kernel_counter(k, "dram_beats"), 64 * 32);
  kernel_free(k);
}

static void a_deeper_fifo_needs_no_retry(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = kernel_spec(32, 64);
  spec.fifo_depth = 64;
  struct kernel *k = kernel_create(&spec);
  kernel_set(k, 5, DATA, 4096);
  kernel_add(k, word_i(SL_OP_LW, 6, 5, 0));
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "retries"), 0);
  kernel_free(k);
}

/* Warp 1 executes a cycle after warp 0 and finds the divider busy until warp 0's result was taken. */
static void a_second_division_retries_until_the_divider_is_free(void **state)
{
  (void)state;
  struct kernel *k = make(32, 2);
  kernel_add(k, word_r(SL_OP_DIV, 5, 6, 7));
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(k->commit[0].cycle, 7);
  assert_int_equal(k->commit[1].warp, 1);
  /* A retry occurs every 9 cycles: 8 + 9n, the first at or after e+36 = 43: 44. */
  assert_int_equal(k->commit[1].cycle, 44);
  assert_int_equal(kernel_counter(k, "retries"), 4);
  kernel_free(k);
}

static void the_slots_of_every_kernel_sum_to_its_cycles(void **state)
{
  (void)state;
  static const char *const slots[] = {"slots_issued",  "slots_retried",  "slots_memory",  "slots_unit",
                                      "slots_barrier", "slots_pipeline", "slots_finished"};
  const uint32_t words[] = {word_i(SL_OP_ADDI, 5, 5, 0),    word_r(SL_OP_MUL, 7, 5, 5), word_r(SL_OP_DIV, 7, 5, 5),
                            word_i(SL_OP_LW, 7, 5, 0),      word_s(SL_OP_SW, 7, 5, 0),  BARRIER,
                            word_i(SL_OP_FENCE, 0, 0, 255), word_i(SL_OP_LW, 7, 6, 0)};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    for (unsigned warps = 1; warps <= 64; warps *= 8) {
      struct kernel *k = make(32, warps);
      kernel_set(k, 5, DATA, 512);
      kernel_set(k, 6, SCRATCHPAD, 64);
      kernel_repeat(k, words[i], 3);
      kernel_add(k, END);
      kernel_run(k, false);
      uint64_t sum = 0;
      for (size_t s = 0; s < sizeof slots / sizeof slots[0]; s++)
        sum += kernel_counter(k, slots[s]);
      assert_int_equal(sum, kernel_counter(k, "cycles"));
      assert_int_equal(kernel_counter(k, "slots_issued"), 4 * warps);
      kernel_free(k);
    }
}

static void stalls_name_the_unit_that_warps_wait_for(void **state)
{
  (void)state;
  const struct {
    uint32_t word;
    const char *slot;
    unsigned cycles; /* from e+1 to the write-back, of a warp alone */
  } cases[] = {{word_r(SL_OP_DIV, 7, 5, 5), "slots_unit", 36}, {word_i(SL_OP_LW, 7, 5, 0), "slots_memory", 46}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct kernel *k = make(32, 1);
    kernel_set(k, 5, DATA, 4);
    kernel_add(k, cases[i].word);
    kernel_add(k, END);
    kernel_run(k, false);
    assert_int_equal(kernel_counter(k, cases[i].slot), cases[i].cycles);
    kernel_free(k);
  }
}

/* ---- merges ---- */

/* Results of all units at once; the number of each is its warp. */
static void expect_resume_order(unsigned fpu, const unsigned *order, unsigned count)
{
  struct sl_simtight_spec spec = kernel_spec(32, 64);
  spec.fpu = fpu;
  struct kernel *k = kernel_create(&spec);
  kernel_start(k, 0);
  struct sl_simtight_sm *sm = k->sm;
  if (SL_CHECKS)
    sl_simtight_reference_lose(sm);
  sl_resume_put(&sm->s.resume, SL_RESUME_MEMORY, sl_response(1, 1, 1));
  sl_multiplier_events_put(&sm->s.multiplier, sl_response(1, 2, 1), -4);
  sl_resume_show_product(&sm->s.resume, &sm->s.multiplier);
  sl_divider_put(&sm->s.divider, sl_response(1, 3, 1), -100);
  if (fpu) {
    sl_pipeline_put(&sm->s.fpu.response, sl_response(1, 4, 1));
    sm->s.fpu.in_use = 1;
  }
  for (unsigned i = 0; i < count; i++) { /* one per cycle, each written back in the next */
    assert_int_equal(sl_engine_run(sl_engine_of(false), &sm->base, 1), SL_SM_RUNNING);
    assert_true(sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE));
    assert_int_equal(sl_response_warp(sm->s.resume.item[SL_RESUME_QUEUE]), order[i]);
  }
  sl_engine_run(sl_engine_of(false), &sm->base, 1);
  assert_false(sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE));
  kernel_free(k);
}

static void without_an_fpu_memory_resumes_before_multiplier_before_divider(void **state)
{
  (void)state;
  static const unsigned order[] = {1, 2, 3};
  expect_resume_order(0, order, 3);
}

static void with_an_fpu_multiplier_before_divider_before_memory_before_fpu(void **state)
{
  (void)state;
  static const unsigned order[] = {2, 3, 1, 4};
  expect_resume_order(1, order, 4);
}

/* One write per cycle: the result of the instruction executed before wins, the resume waits. */
static void a_result_precedes_a_resume(void **state)
{
  (void)state;
  struct kernel *k = make(32, 64);
  kernel_start(k, 0);
  if (SL_CHECKS)
    sl_simtight_reference_lose(k->sm);
  sl_resume_put(&k->sm->s.resume, SL_RESUME_QUEUE, sl_response(1, 1, 1));
  k->sm->s.result = sl_response(1, 2, 1);
  sl_engine_run(sl_engine_of(false), &k->sm->base, 1);
  assert_true(sl_resume_has(&k->sm->s.resume, SL_RESUME_QUEUE));
  sl_engine_run(sl_engine_of(false), &k->sm->base, 1);
  assert_false(sl_resume_has(&k->sm->s.resume, SL_RESUME_QUEUE));
  kernel_free(k);
}

/* ---- barriers ---- */

/* Measured on the RTL (section 8): 134 cycles from one barrier to the next. A snapshot releases warp w in 2 + w; the
 * last is back at the barrier 9 cycles later. The next scan, which fails, starts in 67; the one after that in 134. */
static void barriers_of_64_warps_follow_each_other_in_134_cycles(void **state)
{
  (void)state;
  uint64_t cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    struct kernel *k = make(32, 64);
    kernel_repeat(k, BARRIER, 5 + 10 * i);
    kernel_add(k, END);
    kernel_run(k, false);
    cycles[i] = kernel_counter(k, "cycles");
    kernel_free(k);
  }
  assert_int_equal(cycles[1] - cycles[0], 10 * 134);
}

static void no_warp_passes_a_barrier_before_all_arrive(void **state)
{
  (void)state;
  for (unsigned block = 1; block <= 64; block *= 2) {
    struct kernel *k = make(32, 64);
    kernel_set(k, 5, DATA, 4096);
    kernel_add(k, word_i(SL_OP_LW, 6, 5, 0)); /* warps arrive late and at different times */
    kernel_add(k, word_i(SL_OP_ADDI, 6, 6, 1));
    kernel_add(k, BARRIER);
    kernel_add(k, END);
    kernel_start(k, block);
    assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1000000), SL_SM_DONE);
    uint64_t arrived[64] = {0}, passed[64] = {0};
    for (unsigned i = 0; i < k->commits; i++) {
      const struct kernel_commit *c = &k->commit[i];
      arrived[c->warp] = c->pc == k->spec.code_base + 8 ? c->cycle : arrived[c->warp];
      passed[c->warp] = c->pc == k->spec.code_base + 12 ? c->cycle : passed[c->warp];
    }
    for (unsigned w = 0; w < 64; w++)
      for (unsigned other = w / block * block; other < (w / block + 1) * block; other++)
        assert_true(passed[w] > arrived[other]);
    kernel_free(k);
  }
}

/* Warp 0 waits, the others end. */
static struct kernel *make_deadlock(void)
{
  struct kernel *k = make(1, 8);
  kernel_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
  kernel_add(k, word_b(SL_OP_BNE, 5, 0, 8));
  kernel_add(k, BARRIER);
  kernel_add(k, END);
  return k;
}

/* Two launches of a kernel with a barrier; returns the cycles of each. */
static void two_launches(uint32_t phase, uint32_t turned, uint64_t cycles[2])
{
  struct sl_simtight_spec spec = kernel_spec(32, 4);
  spec.barrier_phase = phase;
  spec.barrier_turned = turned;
  struct kernel *k = kernel_create(&spec);
  kernel_add(k, BARRIER);
  kernel_add(k, END);
  for (unsigned i = 0; i < 2; i++) {
    kernel_run(k, false);
    cycles[i] = kernel_counter(k, "cycles");
  }
  kernel_free(k);
}

static void an_odd_launch_finds_the_barrier_unit_in_its_other_state(void **state)
{
  (void)state;
  uint64_t both[2], second[2], all[2], other[2];
  two_launches(SL_BARRIER_TEST, 0, both);
  two_launches(SL_BARRIER_TEST, 2, second);
  two_launches(SL_BARRIER_TEST, 3, all);
  two_launches(SL_BARRIER_SNAPSHOT, 0, other);
  assert_int_equal(both[0], both[1]);
  assert_int_equal(second[0], both[0]);
  assert_int_equal(second[1] > both[1] ? second[1] - both[1] : both[1] - second[1], 1);
  assert_memory_equal(all, other, sizeof all);
}

static void a_barrier_that_cannot_open_is_a_deadlock(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct kernel *k = make_deadlock();
    kernel_start(k, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 100000), SL_SM_FAULTED);
    const struct sl_fault *f = sl_simtight.view.fault(&k->sm->base);
    assert_int_equal(f->kind, SL_FAULT_DEADLOCK);
    assert_int_equal(f->warp, 0);
    assert_int_equal(f->pc, k->spec.code_base + 8); /* the barrier */
    assert_int_equal(sl_simtight.view.warp_status(&k->sm->base, 0).wait, SL_WARP_AT_BARRIER);
    assert_int_equal(sl_simtight.view.warp_status(&k->sm->base, 7).wait, SL_WARP_ENDED);
    kernel_free(k);
  }
}

/* Blocks of one warp: the same program ends. */
static void a_barrier_of_its_own_block_opens_when_others_have_ended(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct kernel *k = make_deadlock();
    kernel_start(k, 1);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 100000), SL_SM_DONE);
    kernel_free(k);
  }
}

static void a_fault_ends_the_run_and_reports_its_cycle(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct kernel *k = make(32, 4);
    kernel_add(k, 0x00000073);
    kernel_start(k, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 1000), SL_SM_FAULTED);
    assert_int_equal(sl_simtight.view.fault(&k->sm->base)->kind, SL_FAULT_SYSTEM);
    assert_int_equal(sl_simtight.view.fault(&k->sm->base)->warp, 0);
    if (!fast)
      assert_int_equal(sl_simtight.view.fault(&k->sm->base)->cycle, 8); /* executed in cycle 7 */
    kernel_free(k);
  }
}

static void an_endless_kernel_stops_at_the_limit(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct kernel *k = make(32, 4);
    kernel_add(k, word_j(SL_OP_JAL, 0, 0));
    kernel_start(k, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 12345), SL_SM_RUNNING);
    assert_int_equal(sl_simtight.view.elapsed(&k->sm->base), 12345);
    kernel_free(k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_kernel_takes_a_cycle_per_warp_and_7),
      cmocka_unit_test(thread_instructions_of_the_last_6_cycles_are_not_counted),
      cmocka_unit_test(many_warps_hide_the_pipeline),
      cmocka_unit_test(a_result_per_warp_takes_10_cycles_or_one_per_warp),
      cmocka_unit_test(plain_register_files_report_all_registers_in_use),
      cmocka_unit_test(one_warp_that_fails_fails_the_kernel),
      cmocka_unit_test(the_schedulers_history_survives_a_kernel),
      cmocka_unit_test(the_37th_waiting_load_retries),
      cmocka_unit_test(a_deeper_fifo_needs_no_retry),
      cmocka_unit_test(a_second_division_retries_until_the_divider_is_free),
      cmocka_unit_test(the_slots_of_every_kernel_sum_to_its_cycles),
      cmocka_unit_test(stalls_name_the_unit_that_warps_wait_for),
      cmocka_unit_test(without_an_fpu_memory_resumes_before_multiplier_before_divider),
      cmocka_unit_test(with_an_fpu_multiplier_before_divider_before_memory_before_fpu),
      cmocka_unit_test(a_result_precedes_a_resume),
      cmocka_unit_test(barriers_of_64_warps_follow_each_other_in_134_cycles),
      cmocka_unit_test(no_warp_passes_a_barrier_before_all_arrive),
      cmocka_unit_test(an_odd_launch_finds_the_barrier_unit_in_its_other_state),
      cmocka_unit_test(a_barrier_that_cannot_open_is_a_deadlock),
      cmocka_unit_test(a_barrier_of_its_own_block_opens_when_others_have_ended),
      cmocka_unit_test(a_fault_ends_the_run_and_reports_its_cycle),
      cmocka_unit_test(an_endless_kernel_stops_at_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
