/* The Vortex machine without timing: spawning, barriers, several cores, and its state as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "machine/vortex.h"
#include "mem/memory.h"

#define CODE UINT32_C(0x80000000)

enum { T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11, A2 = 12, OUT = 0x20000, PLENTY = 1000000 };

struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  uint32_t at; /* where the next instruction goes */
};

static void open_bench(struct bench *b, const char *cores, const char *lanes)
{
  struct sl_error err;
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, "vortex", &err), SL_OK);
  assert_int_equal(sl_key_set(b->config.machine->keys, b->config.spec, "cores", cores, &err), SL_OK);
  assert_int_equal(sl_key_set(b->config.machine->keys, b->config.spec, "lanes", lanes, &err), SL_OK);
  assert_int_equal(sl_memory_init(&b->memory, 0, &err), SL_OK);
  const struct sl_sm_environment environment = {.memory = &b->memory};
  assert_int_equal(sl_vortex.create(b->config.spec, &environment, &b->sm, &err), SL_OK);
  b->at = CODE;
}

static void close_bench(struct bench *b)
{
  sl_vortex.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static void emit(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  sl_vortex.write_instruction(b->sm, b->at, sl_op_info(op)->match | rd << 7 | rs1 << 15 | rs2 << 20);
  b->at += 4;
}

/* With an immediate in the place of rs2 and above. */
static void emit_i(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, uint32_t imm)
{
  emit(b, op, rd, rs1, 0);
  sl_vortex.write_instruction(b->sm, b->at - 4, sl_op_info(op)->match | rd << 7 | rs1 << 15 | imm << 20);
}

static void load_immediate(struct bench *b, unsigned rd, uint32_t value)
{
  const uint32_t high = (value + 0x800) & 0xfffff000;
  sl_vortex.write_instruction(b->sm, b->at, sl_op_info(SL_OP_LUI)->match | rd << 7 | high);
  b->at += 4;
  emit_i(b, SL_OP_ADDI, rd, rd, value & 0xfff);
}

static void all_lanes(struct bench *b)
{
  load_immediate(b, T0, UINT32_MAX);
  emit(b, SL_OP_TMC, 0, T0, 0);
}

/* Every thread stores its hart number + 1 to OUT + 4 * hart. */
static void store_hart(struct bench *b)
{
  emit_i(b, SL_OP_CSRRS, A0, 0, 0xf14);
  emit_i(b, SL_OP_SLLI, A1, A0, 2);
  load_immediate(b, A2, OUT);
  emit(b, SL_OP_ADD, A1, A1, A2);
  emit_i(b, SL_OP_ADDI, A0, A0, 1);
  emit(b, SL_OP_SW, 0, A1, A0);
}

/* Warp 0 spawns all warps at what follows, which all of them execute with all lanes, and ends. */
static void write_program(struct bench *b)
{
  load_immediate(b, T0, 64);
  load_immediate(b, T1, b->at + 12);
  emit(b, SL_OP_WSPAWN, 0, T0, T1);
  all_lanes(b);
  store_hart(b);
  load_immediate(b, T0, 3);
  load_immediate(b, T1, 8);
  emit(b, SL_OP_BAR, 0, T0, T1);
  emit_i(b, SL_OP_LW, A0, A1, 0);
  emit(b, SL_OP_ADD, A0, A0, A0);
  emit(b, SL_OP_SW, 0, A1, A0);
  emit(b, SL_OP_TMC, 0, 0, 0);
}

static void expect_output(struct bench *b, unsigned harts)
{
  for (unsigned hart = 0; hart <= harts; hart++)
    assert_int_equal(sl_memory_load(&b->memory, OUT + 4 * hart, 4), hart < harts ? 2 * (hart + 1) : 0);
}

static void every_thread_of_every_core_runs(void **state)
{
  (void)state;
  static const struct {
    const char *cores, *lanes;
    unsigned harts;
  } shapes[] = {{"1", "1", 8}, {"1", "64", 512}, {"3", "4", 96}, {"64", "16", 8192}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct bench b;
    open_bench(&b, shapes[i].cores, shapes[i].lanes);
    write_program(&b);
    sl_vortex.start(b.sm, CODE, 0, 0);
    assert_int_equal(sl_vortex.run(b.sm, PLENTY, true), SL_SM_DONE);
    assert_true(sl_vortex.succeeded(b.sm));
    expect_output(&b, shapes[i].harts);
    close_bench(&b);
  }
}

/* Saved after n instructions and restored in another machine, it ends in the same way. */
static void a_run_can_go_on_elsewhere(void **state)
{
  (void)state;
  for (unsigned n = 0; n < 400; n += 7) {
    struct bench first, second;
    open_bench(&first, "2", "8");
    open_bench(&second, "2", "8");
    write_program(&first);
    write_program(&second);
    sl_vortex.start(first.sm, CODE, 0, 0);
    sl_vortex.run(first.sm, n, true);
    uint8_t *bytes = malloc(sl_vortex.state_bytes(first.sm));
    assert_non_null(bytes);
    sl_vortex.save(first.sm, bytes);
    for (uint32_t at = OUT; at < OUT + 1024; at += 4)
      sl_memory_store(&second.memory, at, 4, sl_memory_load(&first.memory, at, 4));
    sl_vortex.restore(second.sm, bytes);
    free(bytes);
    assert_int_equal(sl_vortex.run(first.sm, PLENTY, true), SL_SM_DONE);
    assert_int_equal(sl_vortex.run(second.sm, PLENTY, true), SL_SM_DONE);
    expect_output(&second, 2 * 8 * 8);
    for (size_t i = 0; i < sl_vortex.counters->count; i++)
      assert_true(sl_vortex.counter(first.sm, i) == sl_vortex.counter(second.sm, i));
    close_bench(&first);
    close_bench(&second);
  }
}

/* wspawn of one warp waits until all others have ended: what they have stored is there. */
static void spawning_one_warp_waits_for_the_others(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, "1", "4");
  load_immediate(&b, T0, 8);
  load_immediate(&b, T1, CODE + 4 * 9);
  emit(&b, SL_OP_WSPAWN, 0, T0, T1);
  load_immediate(&b, T0, 1);
  emit(&b, SL_OP_WSPAWN, 0, T0, 0);
  emit(&b, SL_OP_JAL, 0, 0, 0); /* to be: to behind the code of the workers */
  assert_int_equal(b.at, CODE + 4 * 9);
  all_lanes(&b);
  store_hart(&b);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  const uint32_t behind = b.at;
  sl_vortex.write_instruction(b.sm, CODE + 4 * 8,
                              sl_op_info(SL_OP_JAL)->match | (behind - (CODE + 4 * 8)) << 20); /* short and forward */
  load_immediate(&b, A2, OUT);
  emit_i(&b, SL_OP_LW, A0, A2, 4 * 31);
  emit(&b, SL_OP_SW, 0, A2, A0);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  sl_vortex.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_vortex.run(b.sm, PLENTY, true), SL_SM_DONE);
  assert_int_equal(sl_memory_load(&b.memory, OUT, 4), 32);
  close_bench(&b);
}

static void warps_that_all_wait_are_a_fault(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, "2", "4");
  load_immediate(&b, T0, 1);
  load_immediate(&b, T1, 2);
  emit(&b, SL_OP_BAR, 0, T0, T1);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  sl_vortex.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_vortex.run(b.sm, PLENTY, true), SL_SM_FAULTED);
  const struct sl_fault *fault = sl_vortex.fault(b.sm);
  assert_int_equal(fault->kind, SL_FAULT_WARPS_WAIT);
  assert_int_equal(fault->insn.op, SL_OP_BAR);
  assert_int_equal(sl_vortex.warp_status(b.sm, 0).wait, SL_WARP_AT_BARRIER);
  assert_int_equal(sl_vortex.warp_status(b.sm, 8).wait, SL_WARP_AT_BARRIER);
  assert_int_equal(sl_vortex.warp_status(b.sm, 1).wait, SL_WARP_OFF);
  close_bench(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_thread_of_every_core_runs),
      cmocka_unit_test(a_run_can_go_on_elsewhere),
      cmocka_unit_test(spawning_one_warp_waits_for_the_others),
      cmocka_unit_test(warps_that_all_wait_are_a_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
