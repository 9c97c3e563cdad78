/* Two copies of a warp for tests of basic-block execution: one runs by basic blocks, the other instruction by
 * instruction. */
#ifndef BLOCKS_PAIR_H
#define BLOCKS_PAIR_H

#include "func/blocks/path_blocks.h"
#include "func/jit/jit.h"
#include "random.h"
#include "warp.h"

enum { WARP = 5 };

struct pair {
  struct warp blocks, single;
  struct sl_basic_blocks code;
  uint64_t threads_blocks, threads_single; /* instructions x lanes */
  uint64_t seed;
};

static inline int setup_lanes(void **state, enum sl_execution_mode mode, bool portable)
{
  static struct pair pair;
  *state = &pair;
  pair.seed = 1;
  if (warp_setup(&pair.blocks, WARP) || warp_setup(&pair.single, WARP))
    return 1;
  sl_path_blocks_init(&pair.code, &pair.blocks.threads, SL_CONVERGENCE_NESTING, mode, portable, NULL);
  return 0;
}

static inline int setup(void **state)
{
  return setup_lanes(state, SL_MODE_BLOCKS, false);
}

static inline int setup_eager(void **state)
{
  return setup_lanes(state, SL_MODE_EAGER, false);
}

static inline int setup_avx2(void **state)
{
  return setup_lanes(state, SL_MODE_EAGER_AVX2, false);
}

static inline int setup_portable(void **state)
{
  return setup_lanes(state, SL_MODE_BLOCKS, true);
}

static inline int teardown(void **state)
{
  struct pair *p = *state;
  sl_jit_close(&p->code);
  sl_basic_blocks_free(&p->code);
  warp_teardown(&p->blocks);
  warp_teardown(&p->single);
  return 0;
}

static inline void write_both(struct pair *p, uint32_t address, uint32_t word)
{
  sl_path_warps_write_code(&p->blocks.threads, address, word);
  sl_path_warps_write_code(&p->single.threads, address, word);
}

static inline bool single_step(struct warp *w, uint64_t *threads)
{
  unsigned path;
  if (!sl_path_warps_fetch(&w->threads, WARP, &path, &w->ex) ||
      sl_path_execute(&w->threads, WARP, path, &w->ex, &w->request) == SL_EFFECT_FAULT)
    return false;
  *threads += sl_count(w->ex.active);
  return true;
}

/* Executes this many instructions on both copies; instructions outside all blocks run singly. Returns how many ran in
 * blocks. */
static inline uint64_t run_both(struct pair *p, uint64_t instructions)
{
  uint64_t in_basic_blocks = 0;
  bool going = true;
  for (uint64_t done = 0; going && done < instructions; done++) {
    struct sl_time_slice turn = {.warp = WARP, .left = instructions - done};
    const struct sl_path_blocks_run run = sl_path_blocks_run(&p->code, &p->blocks.threads, &turn, turn.left);
    in_basic_blocks += run.instructions;
    p->threads_blocks += run.thread_instructions;
    done += run.instructions;
    going = done == instructions || single_step(&p->blocks, &p->threads_blocks);
  }
  for (uint64_t done = 0; done < instructions && single_step(&p->single, &p->threads_single);)
    done++;
  return in_basic_blocks;
}

static inline void expect_same(struct pair *p)
{
  const struct sl_path_warps *a = &p->blocks.threads, *b = &p->single.threads;
  const struct sl_paths *x = &a->paths[WARP], *y = &b->paths[WARP];
  assert_memory_equal(warp_register(&p->blocks, 0), warp_register(&p->single, 0), 32 * LANES * sizeof(uint32_t));
  assert_true(p->threads_blocks == p->threads_single);
  assert_int_equal(x->count, y->count);
  for (unsigned i = 0; i < x->count; i++) {
    assert_true(x->path[i].lanes == y->path[i].lanes);
    assert_int_equal(x->path[i].pc, y->path[i].pc);
    assert_int_equal(x->path[i].level, y->path[i].level);
  }
  assert_int_equal(a->fault.kind, b->fault.kind);
  assert_int_equal(a->fault.address, b->fault.address);
  assert_true(a->fault.lanes == b->fault.lanes);
}

static inline sl_lanes random_lanes(uint64_t *seed)
{
  const sl_lanes set = random32(seed) & (random_below(seed, 2) ? random32(seed) : UINT32_MAX);
  return random_below(seed, 3) == 0 || set == 0 ? ALL : set;
}

/* A lane's address, of a kind that programs use or of an invalid kind. */
static inline uint32_t place(uint64_t *seed, unsigned kind, uint32_t base, unsigned width, unsigned lane)
{
  switch (kind) {
  case 0: return base;
  case 1: return base + lane * width;
  case 2: return base + lane * width * 3;
  case 3: return base + random_below(seed, 8) * width;         /* many lanes share words */
  case 4: return base + random_below(seed, 1 << 12) * 4;       /* few lanes share words */
  case 5: return DATA + random_below(seed, 1 << 16) * 4;       /* many pages */
  case 6: return 0xfff80000 + 4 * random_below(seed, 64);      /* own stacks, different words */
  case 7: return lane % 4 == 1 ? SCRATCHPAD + 4 * lane : base; /* both memories */
  case 8: return base + (lane == 9);                           /* misaligned, or just another byte */
  default: return lane == 20 ? 16 : base;                      /* null */
  }
}

static inline uint32_t random_base(uint64_t *seed)
{
  static const uint32_t bases[] = {DATA,
                                   DATA + 0xffc0,
                                   SCRATCHPAD,
                                   SCRATCHPAD + 0x8000,
                                   SCRATCHPAD + 65536 - 64,
                                   0xfff80000,
                                   0xfffffffc,
                                   CODE_BASE + CODE_WORDS * 4,
                                   0xc0000000};
  return bases[random_below(seed, sizeof bases / sizeof *bases)];
}

/* Sets the registers of both copies: small numbers, powers of two and arbitrary values. */
static inline void fill_registers(struct pair *p)
{
  for (unsigned i = LANES; i < 32 * LANES; i++) {
    const uint32_t any = random32(&p->seed), one = UINT32_C(1) << (any & 31);
    const uint32_t value = any >> 30 == 0 ? any & 7 : any >> 30 == 1 ? one : any >> 30 == 2 ? 0 - (any & 1) : any;
    warp_register(&p->blocks, 0)[i] = warp_register(&p->single, 0)[i] = value;
  }
}

static inline void fill_addresses(struct pair *p, const struct sl_insn *in)
{
  const unsigned kind = random_below(&p->seed, 10);
  const uint32_t base = random_base(&p->seed);
  for (unsigned l = 0; l < LANES && in->rs1 != 0; l++)
    warp_register(&p->blocks, in->rs1)[l] = warp_register(&p->single, in->rs1)[l] =
        place(&p->seed, kind, base, in->width, l) - in->imm;
}

/* Fills the memory that addresses reach with the same random data for both warps. */
static inline void fill_memory(struct pair *p)
{
  for (uint32_t i = 0; i < 1 << 16; i += 4) {
    const uint32_t value = random32(&p->seed);
    sl_memory_store(&p->blocks.memory, DATA + i, 4, value);
    sl_memory_store(&p->single.memory, DATA + i, 4, value);
    sl_memory_store(&p->blocks.memory, SCRATCHPAD + i, 4, value);
    sl_memory_store(&p->single.memory, SCRATCHPAD + i, 4, value);
  }
}

/* An instruction on few registers, including x0; its address, if any, is in x10 or x11. */
static inline uint32_t few_registers(uint64_t *seed)
{
  static const enum sl_op ops[] = {SL_OP_ADD,  SL_OP_SUB, SL_OP_XOR, SL_OP_SLTU, SL_OP_SLL,  SL_OP_MUL, SL_OP_MULHU,
                                   SL_OP_ADDI, SL_OP_LUI, SL_OP_SLT, SL_OP_SRAI, SL_OP_REMU, SL_OP_LW,  SL_OP_LB,
                                   SL_OP_LHU,  SL_OP_SW,  SL_OP_SB,  SL_OP_LW,   SL_OP_SW,   SL_OP_PUSH};
  static const unsigned registers[] = {0, 5, 6, 7, 8, 9};
  enum { REGISTERS = sizeof registers / sizeof *registers };
  const struct sl_op_info *info = sl_op_info(ops[random_below(seed, sizeof ops / sizeof *ops)]);
  const bool accesses = info->kind == SL_KIND_LOAD || info->kind == SL_KIND_STORE;
  const uint32_t rd = registers[random_below(seed, REGISTERS)], rs2 = registers[random_below(seed, REGISTERS)];
  const uint32_t rs1 = accesses ? 10 + random_below(seed, 2) : registers[random_below(seed, REGISTERS)];
  const uint32_t fields = (info->kind == SL_KIND_STORE ? 0 : rd << 7) | rs1 << 15 |
                          (info->kind == SL_KIND_LOAD ? 4 * random_below(seed, 4) : rs2) << 20;
  return info->match | (fields & ~info->mask);
}

#define EACH(test)                                                                                                     \
  cmocka_unit_test_setup_teardown(test, setup, teardown),                                                              \
      cmocka_unit_test_setup_teardown(test, setup_portable, teardown),                                                 \
      cmocka_unit_test_setup_teardown(test, setup_eager, teardown),                                                    \
      cmocka_unit_test_setup_teardown(test, setup_avx2, teardown)

#endif
