/* Basic blocks of a warp with a thread mask, compared with single-instruction execution: every instruction with a step,
 * on random registers, masks and kinds of addresses, in memory with a nonzero initial word; and the ends of blocks. */
#include "func/ipdom_execute.h"
#include "func/jit/jit.h"
#include "random.h"
#include "warps.h"

#define FILL UINT32_C(0xbaadf00d)

enum { FIRST_REGISTER = 1, REGISTERS = 64 };

/* Two copies of the warp: one runs by basic blocks, the other instruction by instruction. */
struct pair {
  struct gpu blocks, single;
  struct sl_basic_blocks code;
  uint64_t edition, seed;
  unsigned lanes;
};

static void open_one(struct gpu *g, unsigned lanes)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.lanes = lanes;
  spec.misaligned = SL_MISALIGNED_WORD;
  gpu_open(g, &spec);
  g->warps.console = NULL; /* of some stores, at addresses after the last */
  sl_memory_fill(&g->memory, FILL);
  assert_int_equal(
      sl_stored_code_extend(&g->memory.code, WARPS_CODE, WARPS_CODE + (uint64_t)4 * WARPS_CODE_WORDS, NULL), SL_OK);
}

static int setup_lanes(void **state, unsigned lanes, enum sl_execution_mode mode)
{
  static struct pair pair;
  *state = &pair;
  pair = (struct pair){.edition = 1, .seed = 1, .lanes = lanes};
  open_one(&pair.blocks, lanes);
  open_one(&pair.single, lanes);
  for (uint32_t at = WARPS_DATA; at < WARPS_DATA + 2 * SL_PAGE_BYTES; at += 4) {
    const uint32_t word = random32(&pair.seed);
    sl_memory_store(&pair.blocks.memory, at, 4, word);
    sl_memory_store(&pair.single.memory, at, 4, word);
  }
  sl_ipdom_blocks_init(&pair.code, &pair.blocks.warps, mode, false, NULL);
  return 0;
}

static int setup_8(void **state)
{
  return setup_lanes(state, 8, SL_MODE_BLOCKS);
}

static int setup_16(void **state)
{
  return setup_lanes(state, 16, SL_MODE_BLOCKS);
}

static int setup_32(void **state)
{
  return setup_lanes(state, 32, SL_MODE_BLOCKS);
}

static int setup_4_eager(void **state)
{
  return setup_lanes(state, 4, SL_MODE_EAGER);
}

static int setup_8_eager(void **state)
{
  return setup_lanes(state, 8, SL_MODE_EAGER);
}

static int setup_16_eager(void **state)
{
  return setup_lanes(state, 16, SL_MODE_EAGER);
}

static int setup_32_eager(void **state)
{
  return setup_lanes(state, 32, SL_MODE_EAGER);
}

static int setup_4_avx2(void **state)
{
  return setup_lanes(state, 4, SL_MODE_EAGER_AVX2);
}

static int setup_16_avx2(void **state)
{
  return setup_lanes(state, 16, SL_MODE_EAGER_AVX2);
}

static int setup_32_avx2(void **state)
{
  return setup_lanes(state, 32, SL_MODE_EAGER_AVX2);
}

static int teardown(void **state)
{
  struct pair *p = *state;
  sl_jit_close(&p->code);
  sl_basic_blocks_free(&p->code);
  gpu_close(&p->blocks);
  gpu_close(&p->single);
  return 0;
}

static void write_both(struct pair *p, uint32_t index, uint32_t word)
{
  sl_code_write(&p->blocks.code, index, word);
  sl_code_write(&p->single.code, index, word);
  p->edition++;
}

static void begin_both(struct pair *p, sl_lanes mask)
{
  const uint32_t fcsr = random_below(&p->seed, 256);
  for (struct gpu *g = &p->blocks; g != NULL; g = g == &p->blocks ? &p->single : NULL) {
    *gpu_warp(g) = (struct sl_ipdom_warp){.pc = WARPS_CODE, .mask = mask, .fcsr = fcsr};
    g->warps.fault.kind = SL_FAULT_NONE;
    g->memory.code.any = false;
  }
}

static bool single_step(struct gpu *g)
{
  struct sl_ipdom_warp *p = gpu_warp(g);
  const struct sl_insn *in = sl_ipdom_insn(&g->warps, p->pc);
  const uint32_t pc = p->pc;
  g->ex = (struct sl_ipdom_execution){.insn = in, .pc = pc, .active = p->mask, .address = g->address};
  p->pc = sl_next(in, pc);
  if (sl_ipdom_execute(&g->warps, WARPS_WARP, &g->ex) != SL_IPDOM_FAULTS)
    return true;
  p->pc = pc;
  return false;
}

/* Executes this many instructions on both copies; instructions outside all blocks run singly. Returns how many ran in
 * blocks. */
static uint64_t run_both(struct pair *p, uint64_t instructions)
{
  uint64_t in_basic_blocks = 0;
  bool going = true;
  for (uint64_t done = 0; going && done < instructions; done++) {
    const uint64_t n = sl_ipdom_blocks_run(&p->code, &p->blocks.warps, p->edition, WARPS_WARP, instructions - done);
    in_basic_blocks += n;
    done += n;
    going = done == instructions || single_step(&p->blocks);
  }
  for (uint64_t done = 0; done < instructions && single_step(&p->single);)
    done++;
  return in_basic_blocks;
}

static void expect_same(struct pair *p)
{
  const struct gpu *a = &p->blocks, *b = &p->single;
  assert_memory_equal(gpu_register(&p->blocks, 0), gpu_register(&p->single, 0), REGISTERS * p->lanes * 4);
  assert_memory_equal(a->warps.local, b->warps.local, a->warps.spec.local_bytes);
  assert_int_equal(gpu_warp(&p->blocks)->pc, gpu_warp(&p->single)->pc);
  assert_int_equal(a->warps.fault.kind, b->warps.fault.kind);
  assert_int_equal(a->warps.fault.address, b->warps.fault.address);
  assert_int_equal(a->warps.s.disagreed_at, b->warps.s.disagreed_at);
  assert_int_equal(a->memory.code.any, b->memory.code.any);
}

static void expect_same_memory(const struct pair *p)
{
  assert_true(sl_memory_hash(&p->blocks.memory) == sl_memory_hash(&p->single.memory));
}

static sl_lanes random_mask(struct pair *p)
{
  const sl_lanes all = sl_low_bits(p->lanes), set = random32(&p->seed) & all;
  return random_below(&p->seed, 3) == 0 || set == 0 ? all : set;
}

/* A lane's address, of a kind that programs use or of an invalid kind. */
static uint32_t place(uint64_t *seed, unsigned kind, uint32_t base, unsigned width, unsigned lane)
{
  switch (kind) {
  case 0: return base;
  case 1: return base + lane * width;
  case 2: return base + lane * width * 3;
  case 3: return base + random_below(seed, 4) * width;          /* many lanes share words */
  case 4: return WARPS_DATA + random_below(seed, 1 << 20) * 4;  /* many pages, few of them written */
  case 5: return lane % 4 == 1 ? WARPS_LOCAL + 4 * lane : base; /* both memories */
  case 6: return base + (lane == 5);                            /* misaligned, or just another byte */
  default: return WARPS_LOCAL + random_below(seed, 4096 / 4) * 4;
  }
}

static uint32_t random_base(uint64_t *seed)
{
  static const uint32_t bases[] = {WARPS_DATA,         WARPS_DATA + 0xffe0, 0x40000000,  WARPS_LOCAL,
                                   WARPS_LOCAL + 4080, WARPS_LOCAL - 32,    0xfffffff0u, 0x7fffffe0};
  return bases[random_below(seed, sizeof bases / sizeof *bases)];
}

static void fill_registers(struct pair *p)
{
  for (unsigned i = FIRST_REGISTER * p->lanes; i < REGISTERS * p->lanes; i++)
    gpu_register(&p->blocks, 0)[i] = gpu_register(&p->single, 0)[i] = random32(&p->seed);
}

static void set_both(struct pair *p, unsigned reg, unsigned lane, uint32_t value)
{
  gpu_register(&p->blocks, reg)[lane] = gpu_register(&p->single, reg)[lane] = value;
}

static uint64_t try_instruction(struct pair *p, const struct sl_op_info *info)
{
  const uint32_t rd = 31u << 7;
  const uint32_t word = info->match | (random32(&p->seed) & ~info->mask & (rd | ~(31u << 7)));
  const struct sl_insn in = sl_decode(word, p->blocks.warps.spec.isa_sets);
  const unsigned kind = random_below(&p->seed, 8);
  const uint32_t base = random_base(&p->seed);
  fill_registers(p);
  for (unsigned l = 0; l < p->lanes && in.width != 0 && in.rs1 != 0; l++)
    set_both(p, in.rs1, l, place(&p->seed, kind, base, in.width, l) - in.imm);
  write_both(p, 0, word);
  begin_both(p, random_mask(p));
  const uint32_t environment = sl_fp_enter();
  const uint64_t done = run_both(p, 1);
  sl_fp_leave(environment);
  expect_same(p);
  assert_int_equal(gpu_warp(&p->blocks)->fcsr, gpu_warp(&p->single)->fcsr);
  return done;
}

static void every_step_equals_its_instruction(void **state)
{
  struct pair *p = *state;
  enum { TRIES = 300 };
  unsigned steps = 0;
  if (p->code.ops == NULL)
    skip(); /* no flat memory */
  for (unsigned op = 0; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    const bool floats = info->kind == SL_KIND_FPU || info->kind == SL_KIND_FPX;
    if ((!floats && p->code.ops->all[op] == NULL) || !(info->set & p->blocks.warps.spec.isa_sets) ||
        (p->code.others >> info->kind & 1))
      continue;
    uint64_t done = 0;
    for (unsigned i = 0; i < TRIES; i++)
      done += try_instruction(p, info);
    assert_true(done > TRIES / 8);
    expect_same_memory(p);
    steps++;
  }
  assert_true(steps > 40);
}

/* Stores to code are recorded elsewhere; after one, each instruction executes singly. */
static void a_store_to_code_ends_all_blocks(void **state)
{
  struct pair *p = *state;
  write_both(p, 0, gpu_word(SL_OP_SW, 0, 5, 6));
  for (uint32_t i = 1; i < 5; i++)
    write_both(p, i, gpu_word(SL_OP_ADD, 7, 7, 6));
  for (unsigned l = 0; l < p->lanes; l++) {
    set_both(p, 5, l, WARPS_CODE + 4 * 40);
    set_both(p, 6, l, 1);
    set_both(p, 7, l, 0);
  }
  begin_both(p, sl_low_bits(p->lanes));
  assert_int_equal(run_both(p, 5), 0);
  expect_same(p);
  assert_true(p->blocks.memory.code.any);
}

/* There is no instruction after the last one of the code. */
static void no_instruction_follows_the_code(void **state)
{
  struct pair *p = *state;
  for (uint32_t i = WARPS_CODE_WORDS - 4; i < WARPS_CODE_WORDS; i++)
    write_both(p, i, gpu_word(SL_OP_ADD, 7, 7, 7));
  begin_both(p, sl_low_bits(p->lanes));
  gpu_warp(&p->blocks)->pc = gpu_warp(&p->single)->pc = WARPS_CODE + 4 * (WARPS_CODE_WORDS - 4);
  assert_int_equal(run_both(p, 4), 3);
  expect_same(p);
}

/* Uniform branches are part of a block; divergent ones are recorded by the run. */
static void a_divergent_branch_executes_singly(void **state)
{
  struct pair *p = *state;
  const uint32_t forward = UINT32_C(4) << 8 | sl_op_info(SL_OP_BNE)->match | 5u << 15 | 6u << 20; /* 8 bytes on */
  for (unsigned odd = 0; odd <= p->lanes; odd++) {
    write_both(p, 0, gpu_word(SL_OP_ADD, 7, 7, 7));
    write_both(p, 1, forward);
    write_both(p, 2, gpu_word(SL_OP_ADD, 7, 7, 7));
    write_both(p, 3, gpu_word(SL_OP_ADD, 8, 8, 8));
    write_both(p, 4, gpu_word(SL_OP_ADD, 8, 8, 8));
    for (unsigned l = 0; l < p->lanes; l++) {
      set_both(p, 5, l, l < odd);
      set_both(p, 6, l, 0);
      set_both(p, 7, l, 1);
      set_both(p, 8, l, 1);
    }
    begin_both(p, sl_low_bits(p->lanes));
    const uint64_t done = run_both(p, 4);
    expect_same(p);
    assert_int_equal(done, odd == 0 || odd == p->lanes ? 4 : 3);
  }
}

#define ALL_LANES(test)                                                                                                \
  cmocka_unit_test_setup_teardown(test, setup_8, teardown), cmocka_unit_test_setup_teardown(test, setup_16, teardown), \
      cmocka_unit_test_setup_teardown(test, setup_32, teardown),                                                       \
      cmocka_unit_test_setup_teardown(test, setup_4_eager, teardown),                                                  \
      cmocka_unit_test_setup_teardown(test, setup_8_eager, teardown),                                                  \
      cmocka_unit_test_setup_teardown(test, setup_16_eager, teardown),                                                 \
      cmocka_unit_test_setup_teardown(test, setup_32_eager, teardown),                                                 \
      cmocka_unit_test_setup_teardown(test, setup_4_avx2, teardown),                                                   \
      cmocka_unit_test_setup_teardown(test, setup_16_avx2, teardown),                                                  \
      cmocka_unit_test_setup_teardown(test, setup_32_avx2, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      ALL_LANES(every_step_equals_its_instruction),
      ALL_LANES(a_store_to_code_ends_all_blocks),
      ALL_LANES(no_instruction_follows_the_code),
      ALL_LANES(a_divergent_branch_executes_singly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
