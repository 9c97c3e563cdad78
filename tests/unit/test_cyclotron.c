/* The emulator's core: counters, timing, start and end. Programs are instruction words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "device/engine/engine.h"
#include "isa/wide.h"
#include "machine/machine.h"
#include "mem/memory.h"

enum { BASE = 0x80000000, LONGEST = 100000, LANES = 4, WARPS = 4, RA = 1, SP = 2, HART = 0xf14 };

#define STACKS UINT32_C(0xffff0000)

struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  uint32_t pc;
};

static void open_bench(struct bench *b, const char *setting)
{
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, "cyclotron", NULL), SL_OK);
  if (setting != NULL)
    assert_int_equal(sl_config_set(&b->config, setting, NULL), SL_OK);
  assert_int_equal(sl_memory_init(&b->memory, 0, NULL), SL_OK);
  const struct sl_sm_environment environment = {.memory = &b->memory};
  assert_int_equal(sl_cyclotron.life.create(b->config.spec, &environment, &b->sm, NULL), SL_OK);
  b->pc = BASE;
}

static void close_bench(struct bench *b)
{
  sl_cyclotron.life.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static void put(struct bench *b, struct sl_wide wide)
{
  sl_cyclotron.life.write_instruction(b->sm, b->pc, sl_wide_encode(&wide));
  b->pc += SL_WIDE_BYTES;
}

static void nop(struct bench *b)
{
  put(b, (struct sl_wide){.op = SL_OP_ADDI});
}

static void ret(struct bench *b)
{
  put(b, (struct sl_wide){.op = SL_OP_JALR, .rs1 = RA});
}

/* Warps 0 to 3 continue at `pc`, warp 0 at its own pc. */
static void spawn(struct bench *b, uint32_t pc)
{
  put(b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 10, .imm = WARPS});
  put(b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 11, .imm = pc});
  put(b, (struct sl_wide){.op = SL_OP_WSPAWN, .rs1 = 10, .rs2 = 11});
}

static enum sl_sm_state run(struct bench *b, bool fast)
{
  sl_cyclotron.life.set_timing(b->sm, !fast);
  sl_cyclotron.life.start(b->sm, BASE, 0, 0);
  return sl_engine_run(sl_engine_of(fast), b->sm, LONGEST);
}

static uint64_t counter(const struct bench *b, const char *name)
{
  for (size_t i = 0; i < sl_cyclotron.counters->count; i++)
    if (strcmp(sl_cyclotron.counters->counter[i].name, name) == 0)
      return sl_cyclotron.view.counter(b->sm, i);
  fail_msg("no counter %s", name);
  return 0;
}

/* Reads per lane: R-type 2; immediates, loads and JALR 1; stores and branches 2; LUI, AUIPC and JAL none. x0 counts and
 * is in bank 0. CSR and warp control are not counted. */
static void reads_and_conflicts_match_the_paper(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct bench b;
    open_bench(&b, NULL);
    put(&b, (struct sl_wide){.op = SL_OP_ADD, .rd = 5, .rs1 = 6, .rs2 = 10});              /* 2, conflict */
    put(&b, (struct sl_wide){.op = SL_OP_ADD, .rd = 5, .rs1 = 0, .rs2 = 100});             /* 2, conflict */
    put(&b, (struct sl_wide){.op = SL_OP_ADD, .rd = 5, .rs1 = 6, .rs2 = 9});               /* 2 */
    put(&b, (struct sl_wide){.op = SL_OP_FMADD, .rd = 5, .rs1 = 6, .rs2 = 10, .rs3 = 14}); /* 3, three pairs */
    put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 7, .rs1 = 6, .imm = 1});              /* 1 */
    put(&b, (struct sl_wide){.op = SL_OP_LUI, .rd = 7, .imm = 4096});                      /* 0 */
    put(&b, (struct sl_wide){.op = SL_OP_CSRRS, .rd = 7, .csr = HART});                    /* 0 */
    put(&b, (struct sl_wide){.op = SL_OP_SW, .rs1 = SP, .rs2 = 6, .imm = (uint32_t)-4});   /* 2, conflict; a stack */
    put(&b, (struct sl_wide){.op = SL_OP_LW, .rd = 7, .rs1 = SP, .imm = (uint32_t)-4});    /* 1; a stack */
    put(&b, (struct sl_wide){.op = SL_OP_LW, .rd = 7, .imm = 0x90000000});                 /* 1; no stack */
    put(&b, (struct sl_wide){.op = SL_OP_BNE, .rs1 = 5, .rs2 = 5, .imm = 8});              /* 2, conflict */
    put(&b, (struct sl_wide){.op = SL_OP_JAL, .imm = 8});                                  /* 0 */
    ret(&b);                                                                               /* 1 */
    assert_int_equal(run(&b, fast), SL_SM_DONE);
    assert_int_equal(counter(&b, "register_reads"), 17 * LANES);
    assert_int_equal(counter(&b, "bank_conflicts"), 7 * LANES);
    assert_int_equal(counter(&b, "stack_writes"), LANES);
    assert_int_equal(counter(&b, "stack_reads"), LANES);
    assert_int_equal(counter(&b, "thread_instrs"), 13 * LANES);
    close_bench(&b);
  }
}

/* Each thread's stack is 1 MiB below the previous thread's, and warp 0 starts with all lanes. */
static void threads_begin_with_stacks(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, NULL);
  ret(&b);
  assert_int_equal(run(&b, false), SL_SM_DONE);
  for (unsigned warp = 0; warp < WARPS; warp++)
    for (unsigned lane = 0; lane < LANES; lane++)
      assert_int_equal(sl_cyclotron.view.read_register(b.sm, warp, lane, SP),
                       STACKS - 0x100000 * (warp * LANES + lane));
  assert_int_equal(counter(&b, "thread_instrs"), LANES);
  close_bench(&b);
}

static uint64_t cycles_of(struct sl_wide wide, const char *setting)
{
  struct bench b;
  open_bench(&b, setting);
  put(&b, wide);
  ret(&b);
  ret(&b);
  assert_int_equal(run(&b, false), SL_SM_DONE);
  const uint64_t cycles = counter(&b, "cycles");
  close_bench(&b);
  return cycles;
}

/* An instruction executes in the cycle after its fetch; if the next one is not the next word, one cycle is lost. */
static void jumps_cost_a_cycle(void **state)
{
  (void)state;
  const struct sl_wide plain = {.op = SL_OP_ADDI}, taken = {.op = SL_OP_BEQ, .imm = 8},
                       passed = {.op = SL_OP_BNE, .imm = 8};
  const struct sl_wide csr = {.op = SL_OP_CSRRS, .rd = 5, .csr = HART};
  assert_int_equal(cycles_of(plain, NULL), 3);
  assert_int_equal(cycles_of(passed, NULL), 3);
  assert_int_equal(cycles_of(csr, NULL), 3);
  assert_int_equal(cycles_of(taken, NULL), 4);
  assert_int_equal(cycles_of((struct sl_wide){.op = SL_OP_JAL, .imm = 8}, NULL), 4);
  assert_int_equal(cycles_of(taken, "fetch.bubble=5"), 8);
}

/* As in the paper's programs: main spawns the others at a kernel and calls it itself, two jumps later. The first return
 * ends the run: warps 2 and 3 have not returned; warp 0 lacks the last three instructions of the kernel and its return
 * through main. That is 36 lane instructions, as published for gemm. */
static void the_first_return_ends_the_run(void **state)
{
  (void)state;
  enum { KERNEL = 20, MAIN_END = 4 };
  for (int all = 0; all < 2; all++) {
    struct bench b;
    open_bench(&b, all ? "return.ends=false" : NULL);
    spawn(&b, BASE + 8 * (5 + MAIN_END));
    put(&b, (struct sl_wide){.op = SL_OP_AUIPC, .rd = RA});
    put(&b, (struct sl_wide){.op = SL_OP_JALR, .rd = RA, .rs1 = RA, .imm = 8 * (2 + MAIN_END)});
    put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 20});
    put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = RA}); /* main saved 0 */
    nop(&b);
    ret(&b);
    for (unsigned i = 0; i < KERNEL; i++)
      nop(&b);
    ret(&b);
    assert_int_equal(run(&b, false), SL_SM_DONE);
    const uint64_t whole = LANES * (5 + MAIN_END + WARPS * (KERNEL + 1));
    assert_int_equal(counter(&b, "thread_instrs"), all ? whole : whole - 36);
    close_bench(&b);
  }
}

/* Functional runs execute everything. */
static void functional_warps_run_to_their_end(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, NULL);
  spawn(&b, BASE + 8 * 3);
  put(&b, (struct sl_wide){.op = SL_OP_CSRRS, .rd = 12, .csr = HART});
  put(&b, (struct sl_wide){.op = SL_OP_SLLI, .rd = 13, .rs1 = 12, .imm = 2});
  put(&b, (struct sl_wide){.op = SL_OP_SW, .rs1 = 13, .rs2 = 12, .imm = 0x90000000});
  ret(&b);
  assert_int_equal(run(&b, true), SL_SM_DONE);
  for (unsigned hart = 0; hart < LANES * WARPS; hart++)
    assert_int_equal(sl_memory_load(&b.memory, 0x90000000 + 4 * hart, 4), hart);
  assert_int_equal(counter(&b, "warp_instrs"), 3 + 4 * WARPS);
  close_bench(&b);
}

static void warps_that_wait_for_each_other_are_a_fault(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct bench b;
    open_bench(&b, NULL);
    put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 10, .imm = 2});
    put(&b, (struct sl_wide){.op = SL_OP_BAR, .rs2 = 10});
    ret(&b);
    assert_int_equal(run(&b, fast), SL_SM_FAULTED);
    assert_int_equal(sl_cyclotron.view.fault(b.sm)->kind, SL_FAULT_WARPS_WAIT);
    assert_int_equal(sl_cyclotron.view.fault(b.sm)->pc, BASE + 8);
    close_bench(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_and_conflicts_match_the_paper),
      cmocka_unit_test(threads_begin_with_stacks),
      cmocka_unit_test(jumps_cost_a_cycle),
      cmocka_unit_test(the_first_return_ends_the_run),
      cmocka_unit_test(functional_warps_run_to_their_end),
      cmocka_unit_test(warps_that_wait_for_each_other_are_a_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
