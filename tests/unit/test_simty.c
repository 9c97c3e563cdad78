/* The Simty core as a whole: pipeline timing per cycle (RR-8944, sections 3.2 and 3.3; published RTL). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core.h"
#include "device/engine/engine.h"
#include "machine/machine_state.h"

static void the_first_issue_is_five_cycles_after_initialisation(void **state)
{
  (void)state;
  for (unsigned warps = 4; warps <= 64; warps *= 2) {
    struct core *k = core_create(4, warps);
    core_add_prologue(k);
    core_add_epilogue(k);
    core_run(k);
    for (unsigned w = 0; w < warps; w++)
      assert_int_equal(core_issued(k, w, ENTRY, 0), warps + 5 + w);
    core_free(k);
  }
}

/* The last done word is issued in t; the memory has it in t + 4, where the run ends. */
static void the_run_ends_when_memory_sees_the_last_done_word(void **state)
{
  (void)state;
  struct core *k = core_create(4, 8);
  core_add_prologue(k);
  core_add_epilogue(k);
  core_run(k);
  const uint64_t t = core_issued(k, 7, ENTRY + 24, 0);
  assert_int_equal(core_count(k, "cycles"), t + 4);
  assert_int_equal(core_count(k, "issued"), core_count(k, "committed") + 3);
  assert_int_equal(core_count(k, "mem_requests"), 8);
  core_free(k);
}

/* A taken branch issued in t redirects in t + 4; the target is issued in t + 8 if the wheel is at the warp then. */
static void a_taken_branch_costs_nothing_from_eight_warps_on(void **state)
{
  (void)state;
  for (unsigned warps = 8; warps <= 16; warps *= 2) {
    struct core *k = core_create(4, warps);
    core_add_prologue(k);
    core_add(k, word_j(SL_OP_JAL, 0, 12));
    core_add(k, CORE_NOP);
    core_add(k, CORE_NOP);
    core_add_epilogue(k);
    core_run(k);
    assert_int_equal(core_issued(k, 0, ENTRY + 20, 0) - core_issued(k, 0, ENTRY + 8, 0), warps);
    assert_int_equal(core_count(k, "wrong_path"), 0);
    assert_int_equal(core_count(k, "redirects"), warps);
    core_free(k);
  }
}

/* With four warps the wheel has already fetched the next word at the redirect: it takes a slot with an empty mask. */
static void a_taken_branch_costs_a_slot_with_four_warps(void **state)
{
  (void)state;
  struct core *k = core_create(4, 4);
  core_add_prologue(k);
  core_add(k, word_j(SL_OP_JAL, 0, 8));
  core_add(k, word_s(SL_OP_SW, 5, 0, 0x100)); /* must have no effect */
  core_add_epilogue(k);
  core_run(k);
  const uint64_t t = core_issued(k, 0, ENTRY + 8, 0);
  assert_int_equal(core_issued(k, 0, ENTRY + 4, 0), t - 4);
  assert_int_equal(core_issued(k, 0, ENTRY + 16, 0), t + 8);
  assert_int_equal(core_count(k, "wrong_path"), 4);
  assert_int_equal(core_count(k, "slots_wrong_path"), 4);
  assert_int_equal(sl_memory_load(&k->memory, 0x100, 4), 0);
  core_free(k);
}

/* The instruction after a load is issued in t + 8, and with four warps not in t + 4. */
static void a_load_wakes_its_warp_for_t_plus_8(void **state)
{
  (void)state;
  for (unsigned warps = 4; warps <= 16; warps *= 2) {
    struct core *k = core_create(4, warps);
    core_add_prologue(k);
    core_add(k, word_i(SL_OP_LW, 7, 0, 0x400));
    core_add(k, word_r(SL_OP_ADD, 7, 7, 7));
    core_add_epilogue(k);
    core_run(k);
    const uint64_t t = core_issued(k, 0, ENTRY + 8, 0);
    assert_int_equal(core_issued(k, 0, ENTRY + 12, 0), t + (warps < 8 ? 8 : warps));
    core_free(k);
  }
}

static void memory_latency_delays_the_wake_up(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency < 30; latency++) {
    struct core *k = core_create(4, 4);
    k->sm->spec.memory_latency = latency;
    core_add_prologue(k);
    core_add(k, word_i(SL_OP_LW, 7, 0, 0x400));
    core_add(k, word_r(SL_OP_ADD, 7, 7, 7));
    core_add_epilogue(k);
    core_run(k);
    const uint64_t t = core_issued(k, 0, ENTRY + 8, 0);
    assert_int_equal(core_issued(k, 0, ENTRY + 12, 0), t + 7 + latency);
    core_free(k);
  }
}

/* A second register operand takes the bank's next cycle: of two warps in one bank the later one waits. */
static void a_second_operand_blocks_the_bank_for_one_cycle(void **state)
{
  (void)state;
  for (unsigned two = 0; two < 2; two++) {
    struct core *k = core_create(4, 4);
    struct sl_simty_core *sm = k->sm;
    core_add(k, two ? word_r(SL_OP_ADD, 7, 5, 6) : word_i(SL_OP_ADDI, 7, 5, 6));
    sl_simty.life.start(&sm->base, ENTRY, 0, 0);
    sl_engine_run(sl_engine_of(false), &sm->base, 7);
    assert_true(sm->s.fetch.full == sl_bit(0));
    /* Warps 0 and 2 are ready in cycle 8, and no other one before cycle 11. */
    memset(sm->s.fetch.stage, 0, sizeof sm->s.fetch.stage);
    sm->s.fetch.buffer[2] = sm->s.fetch.buffer[0];
    sm->s.fetch.buffer[2].warp = 2;
    sm->s.fetch.full |= sl_bit(2);
    sl_engine_run(sl_engine_of(false), &sm->base, 2);
    assert_true(sm->s.ring[9 % SL_SIMTY_RING].valid);
    assert_int_equal(sm->s.ring[10 % SL_SIMTY_RING].valid, !two);
    assert_int_equal(core_count(k, "slots_bank"), two);
    sl_engine_run(sl_engine_of(false), &sm->base, 1);
    assert_int_equal(sm->s.ring[11 % SL_SIMTY_RING].valid, two);
    core_free(k);
  }
}

/* Strides of the lane addresses, and the passes of a load. */
static void loads_take_passes_by_stride(void **state)
{
  (void)state;
  const unsigned strides[][2] = {{0, 1}, {4, 1}, {8, 4}, {16, 4}, {32, 4}};
  for (unsigned i = 0; i < 5; i++) {
    struct core *k = core_create(4, 8);
    core_add_prologue(k);
    core_add(k, word_r(SL_OP_SLLI, 7, 5, strides[i][0] ? (unsigned)__builtin_ctz(strides[i][0]) : 0));
    core_add(k, strides[i][0] ? CORE_NOP : word_i(SL_OP_ADDI, 7, 0, 0));
    core_add(k, word_u(SL_OP_LUI, 8, CORE_DATA >> 12));
    core_add(k, word_r(SL_OP_ADD, 7, 7, 8));
    core_add(k, word_i(SL_OP_LW, 9, 7, 0));
    core_add_epilogue(k);
    core_run(k);
    assert_int_equal(core_count(k, "mem_requests"), 8 * strides[i][1] + 8);
    assert_int_equal(core_count(k, "partial_replays"), 8 * (strides[i][1] - 1));
    /* a pass per turn of the warp */
    assert_int_equal(core_issued(k, 0, ENTRY + 28, 0) - core_issued(k, 0, ENTRY + 24, 0), 8 * strides[i][1]);
    core_free(k);
  }
}

/* Each lane calls another function: one target per pass, in lane order; the callee, which is deeper, runs before the
 * next pass. */
static void an_indirect_call_serves_one_target_a_pass(void **state)
{
  (void)state;
  struct core *k = core_create(4, 8);
  core_add_prologue(k);
  core_add(k, word_i(SL_OP_ANDI, 7, 5, 3));
  core_add(k, word_r(SL_OP_SLLI, 7, 7, 2));
  core_add(k, word_i(SL_OP_JALR, 1, 7, ENTRY + 24));
  core_add(k, word_j(SL_OP_JAL, 0, 20));
  for (unsigned i = 0; i < 4; i++)
    core_add(k, word_i(SL_OP_JALR, 0, 1, 0));
  core_add_epilogue(k);
  core_run(k);
  const uint64_t t = core_issued(k, 0, ENTRY + 16, 0);
  assert_int_equal(core_count(k, "indirect_replays"), 8 * 3);
  assert_int_equal(core_count(k, "partial_replays"), 0);
  for (unsigned lane = 0; lane < 4; lane++) {
    assert_int_equal(core_issued(k, 0, ENTRY + 16, lane), t + 16 * lane);
    assert_int_equal(core_issued(k, 0, ENTRY + 24 + 4 * lane, 0), t + 16 * lane + 8);
  }
  assert_int_equal(core_issued(k, 0, ENTRY + 20, 0), t + 16 * 4); /* together again */
  core_free(k);
}

static void a_jump_without_link_replays_before_anything_else(void **state)
{
  (void)state;
  struct core *k = core_create(4, 8);
  core_add_prologue(k);
  core_add(k, word_i(SL_OP_ANDI, 7, 5, 3));
  core_add(k, word_r(SL_OP_SLLI, 7, 7, 2));
  core_add(k, word_i(SL_OP_JALR, 0, 7, ENTRY + 20));
  for (unsigned i = 0; i < 4; i++)
    core_add(k, CORE_NOP);
  core_add_epilogue(k);
  core_run(k);
  const uint64_t t = core_issued(k, 0, ENTRY + 16, 0);
  for (unsigned pass = 1; pass < 4; pass++)
    assert_int_equal(core_issued(k, 0, ENTRY + 16, pass), t + 8 * pass);
  assert_int_equal(core_issued(k, 0, ENTRY + 20, 0), t + 8 * 4);
  core_free(k);
}

/* The hot paths swap at an ordinary instruction, which also redirects the front end. */
static void a_change_of_the_running_path_redirects(void **state)
{
  (void)state;
  struct core *k = core_create(4, 8);
  core_add_prologue(k);
  core_add(k, word_i(SL_OP_ANDI, 7, 5, 1));
  core_add(k, word_b(SL_OP_BEQ, 7, 0, 12)); /* even lanes skip the next two */
  core_add(k, CORE_NOP);
  core_add(k, CORE_NOP);
  core_add_epilogue(k); /* reached by falling through: merged there */
  core_run(k);
  assert_int_equal(core_count(k, "wrong_path"), 0);
  assert_int_equal(core_count(k, "redirects"), 8);
  const struct core_commit *last = &k->commit[k->commits - 1];
  assert_true(last->active == 15);
  core_free(k);
}

static enum sl_fault_kind fault_of(const uint32_t *words, unsigned count, bool fast)
{
  struct core *k = core_create(4, 8);
  core_add_prologue(k);
  for (unsigned i = 0; i < count; i++)
    core_add(k, words[i]);
  core_add_epilogue(k);
  sl_simty.life.start(&k->sm->base, ENTRY, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000), SL_SM_FAULTED);
  const enum sl_fault_kind kind = sl_simty.view.fault(&k->sm->base)->kind;
  assert_int_equal(sl_simty.view.fault(&k->sm->base)->warp, 0);
  assert_true(sl_simty.view.fault(&k->sm->base)->pc >= ENTRY + 8);
  core_free(k);
  return kind;
}

static void faults_are_distinguished(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    assert_int_equal(fault_of((uint32_t[]){0}, 1, fast), SL_FAULT_UNKNOWN_INSTRUCTION);
    assert_int_equal(fault_of((uint32_t[]){word_i(SL_OP_LW, 7, 0, -4)}, 1, fast), SL_FAULT_OUTSIDE);
    assert_int_equal(fault_of((uint32_t[]){word_u(SL_OP_LUI, 7, 0x10), word_s(SL_OP_SB, 7, 7, 0)}, 2, fast),
                     SL_FAULT_OUTSIDE);
    assert_int_equal(fault_of((uint32_t[]){word_i(SL_OP_LW, 7, 0, 2)}, 1, fast), SL_FAULT_MISALIGNED);
    assert_int_equal(fault_of((uint32_t[]){word_i(SL_OP_JALR, 0, 0, -4)}, 1, fast), SL_FAULT_JUMP);
    assert_int_equal(fault_of((uint32_t[]){word_j(SL_OP_JAL, 0, -0x400)}, 1, fast), SL_FAULT_JUMP);
    assert_int_equal(fault_of((uint32_t[]){sl_op_info(SL_OP_ECALL)->match}, 1, fast), SL_FAULT_SYSTEM);
    assert_int_equal(fault_of((uint32_t[]){word_csr(SL_OP_CSRRS, 7, 0x123, 0)}, 1, fast), SL_FAULT_CSR);
    assert_int_equal(fault_of((uint32_t[]){word_r(SL_OP_MUL, 7, 5, 5)}, 1, fast), SL_FAULT_UNKNOWN_INSTRUCTION);
  }
}

/* An instruction of a wrong path causes no fault. */
static void wrong_paths_do_not_fault(void **state)
{
  (void)state;
  struct core *k = core_create(4, 4);
  core_add_prologue(k);
  core_add(k, word_j(SL_OP_JAL, 0, 8));
  core_add(k, 0);
  core_add_epilogue(k);
  core_run(k);
  assert_int_equal(core_count(k, "wrong_path"), 4);
  core_free(k);
}

static void a_restored_core_continues_identically(void **state)
{
  (void)state;
  struct core *one = core_create(4, 8), *two = core_create(4, 8);
  struct core *cores[] = {one, two};
  for (unsigned i = 0; i < 2; i++) {
    core_add_prologue(cores[i]);
    core_add(cores[i], word_r(SL_OP_SLLI, 7, 5, 4));
    core_add(cores[i], word_i(SL_OP_LW, 9, 7, 0));
    core_add_epilogue(cores[i]);
  }
  core_run(one);
  const uint64_t cycles = core_count(one, "cycles");
  const size_t size = sl_state_bytes(&one->sm->base);
  uint8_t *bytes = malloc(size);
  for (uint64_t cut = 1; cut < cycles; cut += 7) {
    sl_simty.life.start(&one->sm->base, ENTRY, 0, 0);
    sl_engine_run(sl_engine_of(false), &one->sm->base, cut);
    sl_state_save(&one->sm->base, bytes);
    sl_state_restore(&two->sm->base, bytes, size);
    assert_int_equal(sl_engine_run(sl_engine_of(false), &two->sm->base, 10000), SL_SM_DONE);
    assert_int_equal(core_count(two, "cycles"), cycles);
    assert_int_equal(core_count(two, "partial_replays"), 8 * 3);
  }
  free(bytes);
  core_free(one);
  core_free(two);
}

static void registers_pcs_and_waits_can_be_read(void **state)
{
  (void)state;
  struct core *k = core_create(4, 8);
  k->sm->spec.memory_latency = 100;
  core_add_prologue(k);
  core_add(k, word_i(SL_OP_LW, 9, 0, 0));
  core_add_epilogue(k);
  sl_simty.life.start(&k->sm->base, ENTRY, 0, 0);
  sl_engine_run(sl_engine_of(false), &k->sm->base, 60);
  assert_int_equal(sl_simty.view.read_register(&k->sm->base, 2, 1, 5), 9);
  assert_int_equal(sl_simty.view.read_pc(&k->sm->base, 2, 1), ENTRY + 12);
  assert_int_equal(sl_simty.view.warp_status(&k->sm->base, 2).wait, SL_WARP_WAITS_FOR_MEMORY);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 1000), SL_SM_DONE);
  assert_int_equal(core_count(k, "slots_memory") > 50, 1);
  core_free(k);
}

struct found {
  unsigned values;
  uint64_t cycle, launches;
};

static void find(void *context, const struct sl_value *value)
{
  struct found *f = context;
  f->values++;
  if (strcmp(value->path, "core.cycle") == 0)
    f->cycle = value->bits;
  if (strcmp(value->path, "core.launches") == 0)
    f->launches = value->bits;
}

static void state_is_listed_by_name(void **state)
{
  (void)state;
  struct core *c = core_create(4, 8);
  struct found f = {0};
  core_add_prologue(c);
  core_add_epilogue(c);
  core_run(c);
  sl_state_each(&c->sm->base, find, &f);
  assert_int_equal(f.cycle, core_count(c, "cycles"));
  assert_int_equal(f.launches, 1);
  assert_true(f.values > 1000);
  core_free(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_issue_is_five_cycles_after_initialisation),
      cmocka_unit_test(the_run_ends_when_memory_sees_the_last_done_word),
      cmocka_unit_test(a_taken_branch_costs_nothing_from_eight_warps_on),
      cmocka_unit_test(a_taken_branch_costs_a_slot_with_four_warps),
      cmocka_unit_test(a_load_wakes_its_warp_for_t_plus_8),
      cmocka_unit_test(memory_latency_delays_the_wake_up),
      cmocka_unit_test(a_second_operand_blocks_the_bank_for_one_cycle),
      cmocka_unit_test(loads_take_passes_by_stride),
      cmocka_unit_test(an_indirect_call_serves_one_target_a_pass),
      cmocka_unit_test(a_jump_without_link_replays_before_anything_else),
      cmocka_unit_test(a_change_of_the_running_path_redirects),
      cmocka_unit_test(faults_are_distinguished),
      cmocka_unit_test(wrong_paths_do_not_fault),
      cmocka_unit_test(a_restored_core_continues_identically),
      cmocka_unit_test(registers_pcs_and_waits_can_be_read),
      cmocka_unit_test(state_is_listed_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
