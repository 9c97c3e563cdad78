/* Additions of a Simty core in SIMTight's SoC to the published one: units, scratchpad, barrier and warp commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core.h"
#include "device/engine/engine.h"

#define DRAM UINT32_C(0x90000000)
#define SCRATCHPAD UINT32_C(0xbfff0000)
#define END word_csr(SL_OP_CSRRWI, 0, 0x830, 3)
#define BARRIER word_csr(SL_OP_CSRRWI, 0, 0x830, 0)

static struct core *plus_with(unsigned warps, bool dram, bool atomics)
{
  struct sl_simty_spec spec;
  sl_keys_defaults(&sl_simty_keys, &spec);
  spec.lanes = 4;
  spec.warps = warps;
  spec.host = spec.fpu = spec.sorter = 1;
  spec.global_atomics = atomics;
  spec.dram = dram;
  return core_create_spec(&spec);
}

static struct core *plus(unsigned warps)
{
  return plus_with(warps, false, false);
}

/* Sets reg of every lane to value + lane * step. */
static void set(struct core *k, unsigned reg, uint32_t value, uint32_t step)
{
  for (unsigned w = 0; w < k->spec.warps; w++)
    for (unsigned l = 0; l < 4; l++)
      sl_path_warps_registers(&k->sm->warps, w)[reg * 4 + l] = value + l * step;
}

/* Cycles from the issue of an instruction to that of the next one of its warp, otherwise idle. */
static uint64_t distance_on(bool dram, uint32_t word, uint32_t address, uint32_t step)
{
  struct core *k = plus_with(4, dram, true);
  core_add(k, word_b(SL_OP_BNE, 10, 0, 8)); /* only warp 0 continues */
  core_add(k, word_j(SL_OP_JAL, 0, 8));
  core_add(k, word_j(SL_OP_JAL, 0, 12));
  core_add(k, word);
  core_add(k, CORE_NOP);
  core_add(k, END);
  set(k, 10, 1, 0);
  set(k, 11, address, step);
  for (unsigned l = 0; l < 4; l++)
    sl_path_warps_registers(&k->sm->warps, 0)[10 * 4 + l] = 0;
  core_run(k);
  const uint64_t cycles = core_issued(k, 0, k->entry + 16, 0) - core_issued(k, 0, k->entry + 12, 0);
  core_free(k);
  return cycles;
}

static uint64_t distance(uint32_t word, uint32_t address, uint32_t step)
{
  return distance_on(false, word, address, step);
}

static void units_wake_their_warps_in_time(void **state)
{
  (void)state;
  assert_int_equal(distance(CORE_NOP, 0, 0), 4);
  assert_int_equal(distance(word_r(SL_OP_SLLI, 7, 11, 3), 0, 0), 4); /* the ALU executes shifts */
  assert_int_equal(distance(word_r(SL_OP_MUL, 7, 11, 11), 0, 0), 10);
  assert_int_equal(distance(word_r(SL_OP_DIV, 7, 11, 11), 0, 0), 41);
  assert_int_equal(distance(word_r(SL_OP_FADD, 7, 11, 11), 0, 0), 12);
  assert_int_equal(distance(word_r(SL_OP_FEQ, 7, 11, 11), 0, 0), 10);
  assert_int_equal(distance(word_i(SL_OP_LW, 7, 11, 0), DRAM, 4), 8);
}

static void the_scratchpad_takes_a_cycle_more_per_bank_conflict(void **state)
{
  (void)state;
  const uint32_t load = word_i(SL_OP_LW, 7, 11, 0);
  const uint64_t none = distance(load, SCRATCHPAD, 4);
  assert_int_equal(none, 15);
  assert_int_equal(distance(load, SCRATCHPAD, 0), none);                     /* one address */
  assert_int_equal(distance(load, SCRATCHPAD, 16 * 4), none + 3);            /* one bank */
  assert_int_equal(distance(word_s(SL_OP_SW, 7, 11, 0), SCRATCHPAD, 64), 4); /* no wait */
}

/* Put in t+4, at the memory in t+7, valid 30 cycles later, taken 2 after that, gathered, picked, issued. */
static void dram_answers_in_beats(void **state)
{
  (void)state;
  const uint32_t load = word_i(SL_OP_LW, 7, 11, 0);
  const uint64_t one = distance_on(true, load, DRAM, 0);
  assert_int_equal(one, 42);
  assert_int_equal(distance_on(true, load, DRAM, 4), one);
  assert_int_equal(distance_on(true, word_s(SL_OP_SW, 7, 11, 0), DRAM, 4), 4);
}

/* They take the time of loads from different blocks: each lane waits for the read of the lane before it. */
static void atomics_on_global_memory_serve_the_lanes_one_by_one(void **state)
{
  (void)state;
  const uint32_t atomic = word_r(SL_OP_AMOADD, 7, 11, 12), load = word_i(SL_OP_LW, 7, 11, 0);
  for (unsigned step = 0; step <= 4; step += 4) {
    assert_int_equal(distance_on(true, atomic, DRAM, step), distance_on(true, load, DRAM, 256));
    assert_int_equal(distance(atomic, DRAM, step), distance(load, DRAM, 256));
  }
}

static void a_busy_unit_replays_the_instruction(void **state)
{
  (void)state;
  struct core *k = plus(8);
  core_add(k, word_r(SL_OP_DIVU, 7, 11, 12));
  core_add(k, END);
  set(k, 11, 100, 10);
  set(k, 12, 10, 0);
  core_run(k);
  assert_true(core_count(k, "partial_replays") > 8);
  assert_int_equal(core_count(k, "slots_replayed"), core_count(k, "partial_replays"));
  for (unsigned w = 0; w < 8; w++)
    assert_int_equal(sl_simty.view.read_register(&k->sm->base, w, 3, 7), 13);
  core_free(k);
}

static void scratchpad_atomics_count_every_lane(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct core *k = plus(8);
    core_add(k, word_r(SL_OP_AMOADD, 7, 11, 12));
    core_add(k, END);
    set(k, 11, SCRATCHPAD, 0);
    set(k, 12, 1, 0);
    sl_simty.life.start(&k->sm->base, k->entry, 0, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000), SL_SM_DONE);
    assert_true(sl_simty.view.succeeded(&k->sm->base));
    assert_int_equal(sl_memory_load(&k->memory, SCRATCHPAD, 4), 32);
    core_free(k);
  }
}

static void a_barrier_blocks_until_its_block_arrives(void **state)
{
  (void)state;
  struct core *k = plus(8);
  core_add(k, word_b(SL_OP_BEQ, 10, 0, 8));
  core_add(k, word_r(SL_OP_DIV, 7, 11, 11)); /* the others take longer */
  core_add(k, BARRIER);
  core_add(k, END);
  for (unsigned w = 0; w < 8; w++)
    for (unsigned l = 0; l < 4; l++)
      sl_path_warps_registers(&k->sm->warps, w)[10 * 4 + l] = w;
  core_run(k);
  uint64_t arrived = 0;
  for (unsigned w = 0; w < 8; w++) {
    const uint64_t at = core_issued(k, w, k->entry + 8, 0);
    arrived = at > arrived ? at : arrived;
  }
  for (unsigned w = 0; w < 8; w++)
    assert_true(core_issued(k, w, k->entry + 12, 0) > arrived);
  assert_true(core_count(k, "slots_unit") > 0);
  core_free(k);
}

/* Lanes reach the barrier on different paths; the first to arrive are at the lower address. */
static void a_warp_command_waits_for_all_lanes(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct core *k = plus(4);
    core_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
    core_add(k, word_i(SL_OP_ANDI, 5, 5, 3));
    core_add(k, word_i(SL_OP_ADDI, 6, 0, 1));
    core_add(k, word_b(SL_OP_BLTU, 6, 5, 16)); /* lanes 2, 3: after the end, and back */
    core_add(k, BARRIER);
    core_add(k, word_i(SL_OP_ADDI, 8, 0, 7));
    core_add(k, END);
    core_add(k, word_i(SL_OP_ADDI, 9, 0, 7));
    core_add(k, word_j(SL_OP_JAL, 0, -16));
    sl_simty.life.start(&k->sm->base, k->entry, 0, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000), SL_SM_DONE);
    assert_int_equal(sl_simty.view.read_register(&k->sm->base, 3, 1, 9), 0);
    assert_int_equal(sl_simty.view.read_register(&k->sm->base, 3, 2, 9), 7);
    assert_int_equal(sl_simty.view.read_register(&k->sm->base, 3, 1, 8), 7);
    core_free(k);
  }
}

static enum sl_fault_kind fault_of(struct core *k, bool fast)
{
  sl_simty.life.start(&k->sm->base, k->entry, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000), SL_SM_FAULTED);
  const enum sl_fault_kind kind = sl_simty.view.fault(&k->sm->base)->kind;
  core_free(k);
  return kind;
}

static void unsatisfiable_commands_are_faults(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct core *k = plus(4); /* lanes 2 and 3 reach another barrier */
    core_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
    core_add(k, word_i(SL_OP_ANDI, 5, 5, 2));
    core_add(k, word_b(SL_OP_BNE, 5, 0, 12));
    core_add(k, BARRIER);
    core_add(k, END);
    core_add(k, BARRIER);
    core_add(k, END);
    assert_int_equal(fault_of(k, fast), SL_FAULT_DIVERGED_COMMAND);
    k = plus(4); /* warp 0 ends, the others wait for it */
    core_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
    core_add(k, word_r(SL_OP_SRLI, 5, 5, 2));
    core_add(k, word_b(SL_OP_BEQ, 5, 0, 8));
    core_add(k, BARRIER);
    core_add(k, END);
    assert_int_equal(fault_of(k, fast), SL_FAULT_DEADLOCK);
    k = plus(4);
    core_add(k, word_r(SL_OP_AMOADD, 7, 11, 12));
    core_add(k, END);
    set(k, 11, DRAM, 0);
    assert_int_equal(fault_of(k, fast), SL_FAULT_ATOMIC);
    k = plus(4);
    core_add(k, word_i(SL_OP_LW, 7, 0, 0));
    core_add(k, END);
    assert_int_equal(fault_of(k, fast), SL_FAULT_ADDRESS);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_wake_their_warps_in_time),
      cmocka_unit_test(the_scratchpad_takes_a_cycle_more_per_bank_conflict),
      cmocka_unit_test(dram_answers_in_beats),
      cmocka_unit_test(atomics_on_global_memory_serve_the_lanes_one_by_one),
      cmocka_unit_test(a_busy_unit_replays_the_instruction),
      cmocka_unit_test(scratchpad_atomics_count_every_lane),
      cmocka_unit_test(a_barrier_blocks_until_its_block_arrives),
      cmocka_unit_test(a_warp_command_waits_for_all_lanes),
      cmocka_unit_test(unsatisfiable_commands_are_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
