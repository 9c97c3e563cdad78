/* Vortex with 64-bit instruction words: all registers, divergence, barriers, shared memory, bank conflicts, and warps
 * limited by the register file. Programs are instruction words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "device/engine/engine.h"
#include "isa/isa.h"
#include "isa/wide.h"
#include "machine/machine.h"
#include "machine/vortex/core/vortex_scoreboard.h"
#include "mem/memory.h"

enum {
  BASE = 0x80000000,
  LONGEST = 1000000,
  LANES = 4,
  THREAD_MASK = 0xcc4,
  LANE = 0xcc0,
  WARP = 0xcc1,
  WARPS = 0xfc1
};
enum { OUT = 0x90000000, LOCAL = 0xffff0000 };

struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  uint32_t pc;
};

static void open_bench(struct bench *b, const char *const *settings)
{
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, "vortex64", NULL), SL_OK);
  assert_int_equal(sl_config_set(&b->config, "lanes=4", NULL), SL_OK);
  for (; settings != NULL && *settings != NULL; settings++)
    assert_int_equal(sl_config_set(&b->config, *settings, NULL), SL_OK);
  assert_int_equal(sl_memory_init(&b->memory, 0, NULL), SL_OK);
  const struct sl_sm_environment environment = {.memory = &b->memory};
  assert_int_equal(sl_vortex.life.create(b->config.spec, &environment, &b->sm, NULL), SL_OK);
  b->pc = BASE;
}

static void close_bench(struct bench *b)
{
  sl_vortex.life.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static void put(struct bench *b, struct sl_wide wide)
{
  sl_vortex.life.write_instruction(b->sm, b->pc, sl_wide_encode(&wide));
  b->pc += SL_WIDE_BYTES;
}

static void immediate(struct bench *b, unsigned rd, uint32_t value)
{
  put(b, (struct sl_wide){.op = SL_OP_ADDI, .rd = (uint8_t)rd, .imm = value});
}

static void arithmetic(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  put(b, (struct sl_wide){.op = op, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2});
}

static void read_csr(struct bench *b, unsigned rd, unsigned csr)
{
  put(b, (struct sl_wide){.op = SL_OP_CSRRS, .rd = (uint8_t)rd, .csr = (uint16_t)csr});
}

static void control(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2, unsigned mode)
{
  put(b,
      (struct sl_wide){.op = op, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2, .mode = (uint8_t)mode});
}

/* Activates all lanes; x100 is the lane. */
static void begin(struct bench *b)
{
  immediate(b, 99, UINT32_MAX);
  control(b, SL_OP_TMC, 0, 99, 0, 0);
  read_csr(b, 100, LANE);
}

static void end(struct bench *b)
{
  control(b, SL_OP_TMC, 0, 0, 0, 0);
}

static enum sl_sm_state run(struct bench *b, bool fast)
{
  sl_vortex.life.start(b->sm, BASE, 0, 0);
  return sl_engine_run(sl_engine_of(fast), b->sm, LONGEST);
}

static uint32_t value(const struct bench *b, unsigned lane, unsigned reg)
{
  return sl_vortex.view.read_register(b->sm, 0, lane, reg);
}

static void every_register_holds_its_value(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct bench b;
    open_bench(&b, (const char *const[]){"registers=256", NULL});
    begin(&b);
    for (unsigned r = 1; r < 256; r++)
      if (r != 100)
        arithmetic(&b, SL_OP_ADD, r, 100, r == 1 || r == 101 ? 100 : r - 1);
    end(&b);
    assert_int_equal(run(&b, fast), SL_SM_DONE);
    for (unsigned lane = 0; lane < LANES; lane++) {
      assert_int_equal(value(&b, lane, 99), 100 * lane);
      assert_int_equal(value(&b, lane, 255), 156 * lane);
    }
    close_bench(&b);
  }
}

static void a_missing_register_is_an_illegal_instruction(void **state)
{
  (void)state;
  static const struct sl_wide words[] = {{.op = SL_OP_ADD, .rd = 128},
                                         {.op = SL_OP_ADD, .rs1 = 128},
                                         {.op = SL_OP_ADD, .rs2 = 255},
                                         {.op = SL_OP_FMADD, .rs3 = 200}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    struct bench b;
    open_bench(&b, NULL);
    put(&b, words[i]);
    end(&b);
    assert_int_equal(run(&b, i % 2), SL_SM_FAULTED);
    assert_int_equal(sl_vortex.view.fault(b.sm)->kind, SL_FAULT_UNKNOWN_INSTRUCTION);
    assert_int_equal(sl_vortex.view.fault(b.sm)->pc, BASE);
    close_bench(&b);
  }
}

/* Lanes 0 and 1 take one side of a split, 2 and 3 the other; a loop by pred runs lane + 1 times. */
static void divergent_lanes_reconverge(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++)
    for (unsigned negated = 0; negated < 2; negated++) {
      struct bench b;
      open_bench(&b, NULL);
      begin(&b);
      put(&b, (struct sl_wide){.op = SL_OP_SLTIU, .rd = 110, .rs1 = 100, .imm = 2});
      control(&b, SL_OP_SPLIT, 111, 110, 0, negated);
      put(&b, (struct sl_wide){.op = negated ? SL_OP_BNE : SL_OP_BEQ, .rs1 = 110, .imm = 3 * 8});
      immediate(&b, 112, 1); /* where the predicate holds; with split_n where it does not */
      put(&b, (struct sl_wide){.op = SL_OP_JAL, .imm = 2 * 8});
      immediate(&b, 112, 2);
      control(&b, SL_OP_JOIN, 0, 111, 0, 0);
      read_csr(&b, 113, THREAD_MASK);
      put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 116, .rs1 = 113});
      immediate(&b, 114, 0);
      put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 114, .rs1 = 114, .imm = 1}); /* the loop */
      arithmetic(&b, negated ? SL_OP_SLTU : SL_OP_SUB, 115, negated ? 100 : 114, negated ? 114 : 100);
      if (!negated) /* continues while 114 <= lane */
        put(&b, (struct sl_wide){.op = SL_OP_SLTI, .rd = 115, .rs1 = 115, .imm = 1});
      control(&b, SL_OP_PRED, 0, 115, 116, negated);
      put(&b,
          (struct sl_wide){.op = negated ? SL_OP_BEQ : SL_OP_BNE, .rs1 = 115, .imm = (uint32_t)(negated ? -24 : -32)});
      read_csr(&b, 117, THREAD_MASK);
      end(&b);
      assert_int_equal(run(&b, fast), SL_SM_DONE);
      for (unsigned lane = 0; lane < LANES; lane++) {
        assert_int_equal(value(&b, lane, 112), (lane < 2) == !negated ? 1 : 2);
        assert_int_equal(value(&b, lane, 113), 15);
        assert_int_equal(value(&b, lane, 114), lane + 1);
        assert_int_equal(value(&b, lane, 117), 15);
      }
      close_bench(&b);
    }
}

/* Each of the four warps adds its number to its own word before a barrier, and reads its neighbour's after it. */
static void warps_meet_at_a_barrier(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct bench b;
    open_bench(&b, (const char *const[]){"warps=4", NULL});
    immediate(&b, 50, 4);
    immediate(&b, 51, BASE + 3 * 8);
    control(&b, SL_OP_WSPAWN, 0, 50, 51, 0);
    read_csr(&b, 52, WARP);
    put(&b, (struct sl_wide){.op = SL_OP_SLLI, .rd = 53, .rs1 = 52, .imm = 2});
    put(&b, (struct sl_wide){.op = SL_OP_SW, .rs1 = 53, .rs2 = 52, .imm = OUT});
    immediate(&b, 54, 4);
    control(&b, SL_OP_BAR, 0, 0, 54, 0);
    put(&b, (struct sl_wide){.op = SL_OP_XORI, .rd = 53, .rs1 = 53, .imm = 4});
    put(&b, (struct sl_wide){.op = SL_OP_LW, .rd = 55, .rs1 = 53, .imm = OUT});
    end(&b);
    assert_int_equal(run(&b, fast), SL_SM_DONE);
    for (unsigned warp = 0; warp < 4; warp++)
      assert_int_equal(sl_vortex.view.read_register(b.sm, warp, 0, 55), warp ^ 1);
    close_bench(&b);
  }
}

/* An offset and an address with the base are the same place, which is not in global memory. */
static void shared_accesses_go_to_local_memory(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct bench b;
    open_bench(&b, NULL);
    begin(&b);
    put(&b, (struct sl_wide){.op = SL_OP_SLLI, .rd = 101, .rs1 = 100, .imm = 2});
    put(&b, (struct sl_wide){.op = SL_OP_SW_SHARED, .rs1 = 101, .rs2 = 100, .imm = 64});
    put(&b, (struct sl_wide){.op = SL_OP_LW, .rd = 102, .rs1 = 101, .imm = LOCAL + 64});
    put(&b, (struct sl_wide){.op = SL_OP_LW_SHARED, .rd = 103, .rs1 = 101, .imm = LOCAL + 64});
    end(&b);
    assert_int_equal(run(&b, fast), SL_SM_DONE);
    for (unsigned lane = 0; lane < LANES; lane++) {
      assert_int_equal(value(&b, lane, 102), lane);
      assert_int_equal(value(&b, lane, 103), lane);
    }
    close_bench(&b);
  }
}

/* Extra cycles of operand collection: sources of one bank are read one after the other, x0 is not read. */
static void each_source_in_a_bank_costs_a_cycle(void **state)
{
  (void)state;
  static const struct {
    unsigned banks;
    const char *map;
    unsigned rs1, rs2, rs3, conflicts;
  } cases[] = {
      {4, "modulo", 5, 9, 6, 1},  {4, "modulo", 5, 9, 13, 2},  {4, "modulo", 5, 6, 7, 0},   {4, "modulo", 4, 0, 8, 1},
      {4, "modulo", 4, 0, 7, 0},  {1, "modulo", 1, 2, 3, 2},   {2, "modulo", 2, 4, 5, 1},   {8, "modulo", 5, 9, 13, 1},
      {8, "modulo", 5, 6, 7, 0},  {4, "blocks", 33, 34, 5, 1}, {4, "blocks", 1, 33, 65, 0}, {4, "folded", 4, 1, 9, 1},
      {4, "folded", 4, 8, 12, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sl_config config;
    char text[40];
    assert_int_equal(sl_config_open(&config, "vortex64", NULL), SL_OK);
    snprintf(text, sizeof text, "registers.banks=%u", cases[i].banks);
    assert_int_equal(sl_config_set(&config, text, NULL), SL_OK);
    snprintf(text, sizeof text, "registers.map=%s", cases[i].map);
    assert_int_equal(sl_config_set(&config, text, NULL), SL_OK);
    const struct sl_wide wide = {.op = SL_OP_FMADD,
                                 .rd = 1,
                                 .rs1 = (uint8_t)cases[i].rs1,
                                 .rs2 = (uint8_t)cases[i].rs2,
                                 .rs3 = (uint8_t)cases[i].rs3};
    const struct sl_insn in = sl_wide_decode(sl_wide_encode(&wide), SL_ISA_ZFINX);
    const unsigned conflicts = sl_vortex_facts_of(config.spec, &in).conflicts;
    if (conflicts != cases[i].conflicts)
      fail_msg("case %zu has %u conflicts", i, conflicts);
    sl_config_close(&config);
  }
}

/* Cycles of eight warps that add registers 20 and `second` this many times each. */
enum { EIGHT = 8, ADDS = 32, TURNS = 64 };

static uint64_t cycles_of(unsigned second)
{
  struct bench b;
  open_bench(&b, (const char *const[]){"warps=8", NULL});
  immediate(&b, 50, EIGHT);
  immediate(&b, 51, BASE + 3 * 8);
  control(&b, SL_OP_WSPAWN, 0, 50, 51, 0);
  immediate(&b, 52, TURNS);
  for (unsigned i = 0; i < ADDS; i++)
    arithmetic(&b, SL_OP_ADD, 64 + i, 20, second);
  put(&b, (struct sl_wide){.op = SL_OP_ADDI, .rd = 52, .rs1 = 52, .imm = UINT32_MAX});
  put(&b, (struct sl_wide){.op = SL_OP_BNE, .rs1 = 52, .imm = (uint32_t)(-8 * (ADDS + 1))});
  end(&b);
  assert_int_equal(run(&b, false), SL_SM_DONE);
  const uint64_t cycles = sl_vortex.view.elapsed(b.sm);
  close_bench(&b);
  return cycles;
}

/* The collector takes an instruction per cycle, and one with a conflict every second cycle: eight warps keep it busy,
 * so nothing else hides the difference. */
static void conflicts_cost_cycles(void **state)
{
  (void)state;
  const uint64_t with = cycles_of(24), least = 2 * EIGHT * ADDS * TURNS;
  assert_in_range(with, least, least + least / 5);
  assert_in_range(cycles_of(21), least / 2, least - least / 8);
}

static uint32_t warps_with(const char *total, const char *registers)
{
  struct bench b;
  open_bench(&b, (const char *const[]){"warps=8", total, registers, NULL});
  read_csr(&b, 10, WARPS);
  end(&b);
  assert_int_equal(run(&b, true), SL_SM_DONE);
  const uint32_t warps = value(&b, 0, 10);
  close_bench(&b);
  return warps;
}

/* 2,048 registers of 4 lanes: 16 warps of 32 registers each, 4 of 128, 2 of 256. */
static void the_register_file_limits_the_warps(void **state)
{
  (void)state;
  assert_int_equal(warps_with("registers.total=2048", "registers=32"), 8);
  assert_int_equal(warps_with("registers.total=2048", "registers=128"), 4);
  assert_int_equal(warps_with("registers.total=2048", "registers=256"), 2);
  assert_int_equal(warps_with("registers.total=0", "registers=256"), 8);
}

/* Every map distributes registers evenly over the banks, and uses no other bank. */
static void banks_are_of_equal_size(void **state)
{
  (void)state;
  for (unsigned map = 0; map < SL_BANK_MAPS; map++)
    for (unsigned banks = 1; banks <= SL_BANKS_MAX; banks *= 2) {
      unsigned count[SL_BANKS_MAX] = {0};
      for (unsigned r = 0; r < 128; r++)
        count[sl_bank_of((enum sl_bank_map)map, banks, 128, r)]++;
      for (unsigned i = 0; i < SL_BANKS_MAX; i++)
        assert_int_equal(count[i], i < banks ? 128 / banks : 0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_register_holds_its_value),
      cmocka_unit_test(a_missing_register_is_an_illegal_instruction),
      cmocka_unit_test(divergent_lanes_reconverge),
      cmocka_unit_test(warps_meet_at_a_barrier),
      cmocka_unit_test(shared_accesses_go_to_local_memory),
      cmocka_unit_test(each_source_in_a_bank_costs_a_cycle),
      cmocka_unit_test(conflicts_cost_cycles),
      cmocka_unit_test(the_register_file_limits_the_warps),
      cmocka_unit_test(banks_are_of_equal_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
