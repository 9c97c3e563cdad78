/* Spilling in a machine: the cycles of spills and reads back (specification, section 9), and programs that need more
 * vectors than there are slots, which give the same results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/engine/engine.h"
#include "kernel.h"

enum { HART = 5, FIRST = 6 };

#define NOP word_i(SL_OP_ADDI, 0, 0, 0)

/* The fewest slots allowed: three per warp, and the threshold. */
static struct sl_simtight_spec spill_spec(unsigned warps, enum sl_spill_policy policy)
{
  struct sl_simtight_spec spec = kernel_spec(32, warps);
  spec.compressed = 1;
  spec.vector_slots = 4 * warps;
  spec.spill_policy = policy;
  return spec;
}

/* ---- one warp ---------------------------------------------------------------------------------------------------- */

/* Four slots, threshold 1: a kernel that writes vectors to n registers from FIRST on. */
static struct kernel *make_vectors(enum sl_spill_policy policy, unsigned n)
{
  const struct sl_simtight_spec spec = spill_spec(1, policy);
  struct kernel *k = kernel_create(&spec);
  kernel_add(k, word_csr(SL_OP_CSRRS, HART, 0xf14, 0));
  for (unsigned i = 0; i < n; i++)
    kernel_add(k, word_i(SL_OP_XORI, FIRST + i, HART, 1 + (int)i));
  return k;
}

static void nothing_is_spilled_while_the_threshold_is_free(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 3);
  kernel_add(k, NOP);
  const uint32_t nop = k->end - 4;
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "spills"), 0);
  assert_int_equal(kernel_counter(k, "slots_spill"), 0);
  assert_int_equal(kernel_counter(k, "max_vector_registers"), 3);
  assert_int_equal(kernel_executed(k, nop) - kernel_executed(k, nop - 4), 15);
  kernel_free(k);
}

/* The last vector is written in w = e+1 and counted from w+3 on. The mode register is on from c = w+4 on, in which the
 * warp could be picked again, and is picked to spill. The count shows that from c+14 on, the mode from c+15 on, but the
 * mark ends with c+13 (three cycles after execute in c+10), so that c+14 picks a second spill slot. Its mark ends with
 * c+27: the next instruction is picked in c+28 and executes in c+38. */
static void a_full_file_spills_twice_before_it_continues(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_add(k, NOP);
  const uint32_t nop = k->end - 4;
  kernel_add(k, END);
  kernel_run(k, false);
  const uint64_t c = kernel_executed(k, nop - 4) + 5;
  assert_int_equal(kernel_executed(k, nop), c + 38);
  assert_int_equal(kernel_counter(k, "spills"), 2);
  assert_int_equal(kernel_counter(k, "unspills"), 0);
  assert_int_equal(kernel_counter(k, "dram_beats"), 4);
  assert_int_equal(kernel_counter(k, "max_vector_registers"), 4);
  assert_true(k->sm->s.registers.warp[0].spilled == 3u << FIRST); /* the lowest-numbered */
  kernel_free(k);
}

static void the_mode_and_the_count_follow_a_pick_by_15_and_14_cycles(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_repeat(k, NOP, 2);
  kernel_add(k, END);
  kernel_start(k, 0);
  while (!k->sm->s.spill.mode)
    assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1), SL_SM_RUNNING);
  assert_int_equal(k->sm->s.registers.in_use, 4);
  for (unsigned c = 0; c < 20; c++) { /* before cycle c of the mode */
    assert_int_equal(k->sm->s.spill.mode, c < 15);
    if (c < 25)
      assert_int_equal(k->sm->s.registers.in_use, c < 14 ? 4 : 3);
    assert_int_equal(k->sm->s.spill.spilling, (c >= 1 && c <= 13) || c >= 15);
    sl_engine_run(sl_engine_of(false), &k->sm->base, 1);
  }
  kernel_free(k);
}

/* The register is read back in the slot of the instruction that needs it, which is fetched again after the load's
 * answer, as late as after a word load. */
static void a_spilled_operand_is_read_back_first(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_repeat(k, NOP, 2);
  kernel_add(k, word_r(SL_OP_XOR, 0, FIRST, 0)); /* rs1 */
  const uint32_t first = k->end - 4;
  kernel_add(k, word_r(SL_OP_XOR, 0, FIRST, FIRST + 2)); /* neither */
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "unspills"), 1);
  assert_int_equal(kernel_counter(k, "slots_unspill"), 1);
  assert_int_equal(kernel_counter(k, "retries"), 0);
  assert_int_equal(kernel_executed(k, first) - kernel_executed(k, first - 4), 12 + 60);
  assert_int_equal(kernel_executed(k, first + 4) - kernel_executed(k, first), 12);
  assert_true(k->sm->s.registers.warp[0].spilled == 2u << FIRST);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(sl_simtight.view.read_register(&k->sm->base, 0, l, FIRST), l ^ 1);
  kernel_free(k);
}

/* One register at a time: rs1 first. */
static void two_spilled_operands_are_read_back_one_after_the_other(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_repeat(k, NOP, 2);
  kernel_add(k, word_s(SL_OP_SW, FIRST, FIRST + 1, 0)); /* not executed: the first read is of rs1 = FIRST + 1 */
  kernel_start(k, 0);
  while (kernel_counter(k, "unspills") < 1)
    assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1), SL_SM_RUNNING);
  const int64_t first = k->sm->s.cycle;
  while (k->sm->s.registers.warp[0].spilled == 3u << FIRST)
    assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1), SL_SM_RUNNING);
  assert_true(k->sm->s.registers.warp[0].spilled == 1u << FIRST);
  while (kernel_counter(k, "unspills") < 2)
    assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1), SL_SM_RUNNING);
  assert_int_equal(k->sm->s.cycle - first, 60);
  kernel_free(k);
}

/* All lanes get a new value: the old one is not needed. */
static void a_spilled_destination_is_not_read_back_when_all_lanes_write_it(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_repeat(k, NOP, 2);
  kernel_add(k, word_i(SL_OP_ADDI, FIRST, 0, 7));
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "spills"), 2);
  assert_int_equal(kernel_counter(k, "unspills"), 0);
  assert_int_equal(sl_simtight.view.read_register(&k->sm->base, 0, 31, FIRST), 7);
  kernel_free(k);
}

static void a_spilled_destination_is_read_back_when_some_lanes_write_it(void **state)
{
  (void)state;
  struct kernel *k = make_vectors(SL_SPILL_FIRST, 4);
  kernel_repeat(k, NOP, 2);
  kernel_add(k, 0x00050009); /* push */
  kernel_add(k, word_r(SL_OP_SRLI, 3, HART, 4));
  kernel_add(k, word_b(SL_OP_BNE, 3, 0, 8)); /* lanes 16 to 31 */
  kernel_add(k, word_i(SL_OP_ADDI, FIRST, 0, 7));
  kernel_add(k, 0x00051009); /* pop */
  kernel_add(k, NOP);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_true(kernel_counter(k, "unspills") >= 1);
  for (unsigned l = 0; l < 32; l++)
    if (!(k->sm->s.registers.warp[0].spilled >> FIRST & 1))
      assert_int_equal(sl_simtight.view.read_register(&k->sm->base, 0, l, FIRST), l < 16 ? 7 : l ^ 1);
  kernel_free(k);
}

/* ---- many warps -------------------------------------------------------------------------------------------------- */

enum { LIVE = 20, ROUNDS = 3 };

/* LIVE general vectors in each warp, each added to the next in every iteration; then all are stored. */
static struct kernel *make_thrashing(const struct sl_simtight_spec *spec)
{
  struct kernel *k = kernel_create(spec);
  kernel_add(k, word_csr(SL_OP_CSRRS, HART, 0xf14, 0));
  for (unsigned i = 0; i < LIVE; i++) {
    kernel_add(k, word_i(SL_OP_ADDI, 3, 0, 2 * (int)i + 3));
    kernel_add(k, word_r(SL_OP_MUL, FIRST + i, HART, 3));
  }
  for (unsigned i = 0; i < ROUNDS * LIVE; i++) {
    kernel_add(k, word_r(SL_OP_ADD, FIRST + (i + 1) % LIVE, FIRST + (i + 1) % LIVE, FIRST + i % LIVE));
    if (i % 16 == 15)
      kernel_add(k, BARRIER);
  }
  kernel_constant(k, 3, DATA);
  kernel_add(k, word_r(SL_OP_SLLI, 4, HART, 2));
  kernel_add(k, word_r(SL_OP_ADD, 3, 3, 4));
  kernel_constant(k, 4, 4 * spec->lanes * spec->warps);
  for (unsigned i = 0; i < LIVE; i++) {
    kernel_add(k, word_s(SL_OP_SW, FIRST + i, 3, 0));
    kernel_add(k, word_r(SL_OP_ADD, 3, 3, 4));
  }
  kernel_add(k, END);
  return k;
}

static void check_thrashing(struct kernel *k)
{
  const uint32_t threads = k->spec.lanes * k->spec.warps;
  uint32_t factor[LIVE];
  for (unsigned i = 0; i < LIVE; i++)
    factor[i] = 2 * i + 3;
  for (unsigned i = 0; i < ROUNDS * LIVE; i++)
    factor[(i + 1) % LIVE] += factor[i % LIVE];
  for (unsigned i = 0; i < LIVE; i++)
    for (uint32_t h = 0; h < threads; h++)
      assert_int_equal(sl_memory_load(&k->memory, DATA + 4 * (i * threads + h), 4), factor[i] * h);
}

static void run_thrashing(const struct sl_simtight_spec *spec)
{
  struct kernel *k = make_thrashing(spec);
  kernel_run(k, false);
  check_thrashing(k);
  assert_true(kernel_counter(k, "spills") > LIVE * spec->warps / 2);
  assert_true(kernel_counter(k, "unspills") > 0);
  assert_true(kernel_counter(k, "max_vector_registers") <= spec->vector_slots);
  kernel_free(k);
}

static void warps_that_need_more_vectors_than_there_are_slots_compute_the_same(void **state)
{
  (void)state;
  for (unsigned policy = SL_SPILL_LRU; policy <= SL_SPILL_FIRST; policy++)
    for (unsigned warps = 1; warps <= 64; warps *= 2) {
      struct sl_simtight_spec spec = spill_spec(warps, (enum sl_spill_policy)policy);
      run_thrashing(&spec);
      spec.scalar_pipeline = 1;
      run_thrashing(&spec);
      spec.stack_cache_entries = 64;
      run_thrashing(&spec);
    }
}

/* Cycle by cycle, since a run of one cycle skips none: tests skipped cycles, and those of spill mode, which are not
 * skipped. */
static void skipping_cycles_equals_stepping(void **state)
{
  (void)state;
  for (unsigned warps = 1; warps <= 16; warps *= 4)
    for (unsigned form = 0; form < 4; form++) {
      struct sl_simtight_spec spec = spill_spec(warps, form & 2 ? SL_SPILL_ROUND_ROBIN : SL_SPILL_LRU);
      spec.dram_latency = 500;
      spec.scalar_pipeline = form & 1;
      struct kernel *whole = make_thrashing(&spec), *sliced = make_thrashing(&spec);
      kernel_run(whole, false);
      kernel_start(sliced, 0);
      while (sl_engine_run(sl_engine_of(false), &sliced->sm->base, 1) == SL_SM_RUNNING)
        ;
      for (size_t i = 0; i < sl_simtight.counters->count; i++)
        if (sl_simtight.view.counter(&whole->sm->base, i) != sl_simtight.view.counter(&sliced->sm->base, i))
          fail_msg("%u warps: %s differs", warps, sl_simtight.counters->counter[i].name);
      kernel_free(whole);
      kernel_free(sliced);
    }
}

/* An eviction occupies the write port in its cycle. The barrier's release pauses in spill mode. */
static void an_eviction_holds_back_a_queued_result_and_the_mode_the_barrier(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = spill_spec(16, SL_SPILL_LRU);
  struct kernel *k = make_thrashing(&spec);
  unsigned held_back = 0, paused = 0;
  kernel_start(k, 2);
  for (bool running = true; running;) {
    const bool evicts = k->sm->s.evicted >= 0 && sl_resume_has(&k->sm->s.resume, SL_RESUME_QUEUE);
    const bool pauses = k->sm->s.spill.mode && k->sm->s.barrier.state == SL_BARRIER_RELEASE;
    const struct sl_response queued = k->sm->s.resume.item[SL_RESUME_QUEUE];
    const sl_warps waiting = k->sm->s.barrier.waiting;
    running = sl_engine_run(sl_engine_of(false), &k->sm->base, 1) == SL_SM_RUNNING;
    if (evicts) {
      held_back++;
      assert_true(sl_resume_has(&k->sm->s.resume, SL_RESUME_QUEUE));
      assert_true(k->sm->s.resume.item[SL_RESUME_QUEUE].tag == queued.tag &&
                  k->sm->s.resume.item[SL_RESUME_QUEUE].lanes == queued.lanes);
    }
    if (pauses) {
      paused++;
      assert_true((waiting & ~k->sm->s.barrier.waiting) == 0);
    }
  }
  assert_true(held_back > 0 && paused > 0);
  check_thrashing(k);
  kernel_free(k);
}

/* Counts x1 to x31 as named sources, in the slots of warp 0 only. */
static void only_uses_by_warp_0_are_counted(void **state)
{
  (void)state;
  for (unsigned slots = 8; slots <= 64; slots += 56) { /* with a slot for every register nothing spills */
    struct sl_simtight_spec spec = spill_spec(2, SL_SPILL_LRU);
    spec.vector_slots = slots;
    struct kernel *k = kernel_create(&spec);
    kernel_repeat(k, word_r(SL_OP_ADD, 0, 11, 12), 3);
    kernel_add(k, word_r(SL_OP_ADD, 13, 11, 11));
    kernel_add(k, word_i(SL_OP_ADDI, 14, 12, 15));
    kernel_add(k, word_u(SL_OP_LUI, 16, 0xfffff));
    kernel_add(k, word_s(SL_OP_SW, 17, 16, 0));
    kernel_add(k, word_csr(SL_OP_CSRRW, 0, 0x830, 18));
    kernel_start(k, 0);
    for (unsigned i = 0; i < 200; i++) /* and waits at the barrier forever */
      sl_engine_run(sl_engine_of(false), &k->sm->base, 1);
    const unsigned once = slots == 8;
    for (unsigned r = 0; r < SL_REGISTERS; r++)
      assert_int_equal(k->sm->s.spill.uses[r], r == 11 || r == 12              ? 4 * once
                                               : r == 16 || r == 17 || r == 18 ? once
                                                                               : 0);
    kernel_free(k);
  }
}

static void a_full_request_fifo_only_delays_spilling(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = spill_spec(16, SL_SPILL_LRU);
  spec.fifo_depth = spec.in_flight_depth = 1;
  run_thrashing(&spec);
}

static void other_lane_counts_spill_too(void **state)
{
  (void)state;
  for (unsigned lanes = 2; lanes <= 64; lanes *= 2) {
    struct sl_simtight_spec spec = spill_spec(8, SL_SPILL_LRU);
    spec.lanes = lanes;
    run_thrashing(&spec);
  }
}

static void a_higher_threshold_leaves_more_slots_free(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = spill_spec(8, SL_SPILL_LRU);
  spec.vector_slots = 64;
  spec.spill_threshold = 40;
  struct kernel *k = make_thrashing(&spec);
  kernel_run(k, false);
  check_thrashing(k);
  assert_in_range(kernel_counter(k, "max_vector_registers"), 64 - 40, 64 - 40 + 8); /* one per warp is in flight */
  kernel_free(k);
}

/* ---- warps that have ended --------------------------------------------------------------------------------------- */

/* Slots for 28 vectors above the threshold. Seven warps end with four vectors each; the last warp writes one, and
 * continues with `word`. */
static struct kernel *make_hoarding(bool free_ended, uint32_t word)
{
  struct sl_simtight_spec spec = spill_spec(8, SL_SPILL_LRU);
  spec.vector_slots = 28 + 8;
  spec.free_ended = free_ended;
  struct kernel *k = kernel_create(&spec);
  kernel_add(k, word_csr(SL_OP_CSRRS, HART, 0xf14, 0));
  kernel_add(k, word_r(SL_OP_SRLI, 3, HART, 5)); /* warp */
  kernel_add(k, word_i(SL_OP_ADDI, 3, 3, -7));
  kernel_add(k, word_b(SL_OP_BEQ, 3, 0, 4 * 6)); /* the last */
  for (unsigned i = 0; i < 4; i++)
    kernel_add(k, word_i(SL_OP_XORI, FIRST + i, HART, 1 + (int)i));
  kernel_add(k, END);
  kernel_add(k, word_i(SL_OP_ADDI, 4, 0, 400)); /* until the others have ended */
  kernel_add(k, word_i(SL_OP_ADDI, 4, 4, -1));
  kernel_add(k, word_b(SL_OP_BNE, 4, 0, -4));
  kernel_add(k, word_i(SL_OP_XORI, FIRST, HART, 1));
  kernel_add(k, word);
  kernel_add(k, END);
  return k;
}

static void slots_that_ended_warps_keep_are_a_deadlock(void **state)
{
  (void)state;
  struct kernel *k = make_hoarding(false, word_r(SL_OP_XOR, 0, FIRST, 0));
  kernel_start(k, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 100000), SL_SM_FAULTED);
  const struct sl_fault *fault = sl_simtight.view.fault(&k->sm->base);
  assert_int_equal(fault->kind, SL_FAULT_SPILL);
  assert_int_equal(fault->warp, 7);
  assert_int_equal(fault->insn.op, SL_OP_XOR);
  assert_int_equal(fault->address, 7); /* slots free: one fewer than the threshold */
  assert_true(k->sm->s.ended == 0x7f);
  kernel_free(k);
}

static void slots_that_ended_warps_free_are_no_deadlock(void **state)
{
  (void)state;
  struct kernel *k = make_hoarding(true, word_r(SL_OP_XOR, 0, FIRST, 0));
  kernel_run(k, false);
  assert_true(k->sm->s.ended == 0xff);
  kernel_free(k);
}

static void a_last_warp_with_a_vector_to_spill_is_no_deadlock(void **state)
{
  (void)state;
  struct kernel *k = make_hoarding(false, NOP);
  kernel_run(k, false);
  assert_true(kernel_counter(k, "spills") > 0);
  kernel_free(k);
}

/* Six warps end with four vectors each and the seventh has three: with one vector of the last warp one slot too many is
 * in use. Neither remaining warp has a register to spill that its next instruction does not name; but a load will
 * replace a vector by a uniform value. */
static void a_warp_that_waits_for_memory_may_still_free_a_slot(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = spill_spec(8, SL_SPILL_LRU);
  spec.vector_slots = 6 * 4 + 3 + 8;
  spec.dram_latency = 50000;
  struct kernel *k = kernel_create(&spec);
  kernel_add(k, word_csr(SL_OP_CSRRS, HART, 0xf14, 0));
  kernel_add(k, word_r(SL_OP_SRLI, 3, HART, 5)); /* warp */
  kernel_add(k, word_i(SL_OP_ADDI, 3, 3, -7));
  kernel_add(k, word_b(SL_OP_BEQ, 3, 0, 4 * 12)); /* the last */
  for (unsigned i = 0; i < 3; i++)
    kernel_add(k, word_i(SL_OP_XORI, FIRST + i, HART, 1 + (int)i));
  kernel_add(k, word_i(SL_OP_ADDI, 3, 3, 1));
  kernel_add(k, word_b(SL_OP_BEQ, 3, 0, 4 * 3)); /* the seventh */
  kernel_add(k, word_i(SL_OP_XORI, FIRST + 3, HART, 4));
  kernel_add(k, END);
  kernel_add(k, word_u(SL_OP_LUI, 3, DATA >> 12));
  kernel_add(k, word_i(SL_OP_LW, FIRST, 3, 0));
  kernel_add(k, word_r(SL_OP_ADD, FIRST, FIRST + 1, FIRST + 2));
  kernel_add(k, END);
  kernel_add(k, word_i(SL_OP_ADDI, 4, 0, 400)); /* the last: until the others have ended or wait */
  kernel_add(k, word_i(SL_OP_ADDI, 4, 4, -1));
  kernel_add(k, word_b(SL_OP_BNE, 4, 0, -4));
  kernel_add(k, word_i(SL_OP_XORI, FIRST, HART, 1));
  kernel_add(k, word_r(SL_OP_XOR, 0, FIRST, 0));
  kernel_add(k, END);
  kernel_run(k, false);
  assert_true(kernel_counter(k, "slots_spill") + kernel_counter(k, "slots_bubble") > 2 * SL_SIMTIGHT_FRUITLESS);
  kernel_free(k);
}

/* A deadlock and kernels that spilled leave no state. */
static void the_next_kernel_begins_without_spill_mode_and_with_all_slots(void **state)
{
  (void)state;
  struct kernel *k = make_hoarding(false, word_r(SL_OP_XOR, 0, FIRST, 0));
  kernel_start(k, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 100000), SL_SM_FAULTED);
  assert_true(k->sm->s.spill.mode);
  sl_simtight.life.start(&k->sm->base, k->end - 4, 0, 0);
  assert_false(k->sm->s.spill.mode);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 100000), SL_SM_DONE);
  assert_int_equal(kernel_counter(k, "slots_spill"), 0);
  assert_int_equal(kernel_counter(k, "max_vector_registers"), 0);
  kernel_free(k);
  const struct sl_simtight_spec spec = spill_spec(4, SL_SPILL_LRU);
  k = make_thrashing(&spec);
  kernel_run(k, false);
  sl_simtight.life.start(&k->sm->base, k->end - 4, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 100000), SL_SM_DONE);
  assert_int_equal(kernel_counter(k, "spills"), 0);
  assert_int_equal(kernel_counter(k, "unspills"), 0);
  assert_null(sl_simtight_broken(k->sm));
  kernel_free(k);
}

/* A warp waiting for memory or at the barrier is no deadlock, however long it takes. */
static void a_long_wait_in_spill_mode_is_no_deadlock(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = spill_spec(4, SL_SPILL_LRU);
  spec.dram_latency = 100000;
  run_thrashing(&spec);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_spilled_while_the_threshold_is_free),
      cmocka_unit_test(a_full_file_spills_twice_before_it_continues),
      cmocka_unit_test(the_mode_and_the_count_follow_a_pick_by_15_and_14_cycles),
      cmocka_unit_test(a_spilled_operand_is_read_back_first),
      cmocka_unit_test(two_spilled_operands_are_read_back_one_after_the_other),
      cmocka_unit_test(a_spilled_destination_is_not_read_back_when_all_lanes_write_it),
      cmocka_unit_test(a_spilled_destination_is_read_back_when_some_lanes_write_it),
      cmocka_unit_test(warps_that_need_more_vectors_than_there_are_slots_compute_the_same),
      cmocka_unit_test(skipping_cycles_equals_stepping),
      cmocka_unit_test(an_eviction_holds_back_a_queued_result_and_the_mode_the_barrier),
      cmocka_unit_test(only_uses_by_warp_0_are_counted),
      cmocka_unit_test(a_full_request_fifo_only_delays_spilling),
      cmocka_unit_test(other_lane_counts_spill_too),
      cmocka_unit_test(a_higher_threshold_leaves_more_slots_free),
      cmocka_unit_test(slots_that_ended_warps_keep_are_a_deadlock),
      cmocka_unit_test(slots_that_ended_warps_free_are_no_deadlock),
      cmocka_unit_test(a_last_warp_with_a_vector_to_spill_is_no_deadlock),
      cmocka_unit_test(a_warp_that_waits_for_memory_may_still_free_a_slot),
      cmocka_unit_test(the_next_kernel_begins_without_spill_mode_and_with_all_slots),
      cmocka_unit_test(a_long_wait_in_spill_mode_is_no_deadlock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
