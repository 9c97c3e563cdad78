/* One Vortex core of eight lanes and four warps, and instructions executed on its warp 1. */
#ifndef TEST_WARPS_H
#define TEST_WARPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "func/ipdom_execute.h"

enum {
  WARPS_LANES = 8,
  WARPS_COUNT = 4,
  WARPS_WARP = 1,
  WARPS_CORE = 2,
  WARPS_ALL = 0xff,
  WARPS_CODE_WORDS = 64,
  WARPS_ENTRY = 1,
  WARPS_DATA = 0x20000
};

#define WARPS_CODE UINT32_C(0x80000000)
#define WARPS_LOCAL UINT32_C(0xffff0000)

struct gpu {
  struct sl_memory memory;
  struct sl_ipdom_warps warps;
  struct sl_code code;
  struct sl_insn insn;
  struct sl_ipdom_execution ex; /* of the last instruction */
  uint32_t address[SL_MAX_LANES];
  char console[64];
  unsigned console_length, console_slot;
  uint32_t exit_code;
};

static inline void gpu_console(void *context, unsigned slot, uint8_t byte)
{
  struct gpu *g = context;
  g->console[g->console_length++] = (char)byte;
  g->console_slot = slot;
}

static inline void gpu_exit_code(void *context, uint32_t code)
{
  ((struct gpu *)context)->exit_code = code;
}

static inline struct sl_ipdom_spec gpu_spec(void)
{
  return (struct sl_ipdom_spec){.lanes = WARPS_LANES,
                                .warps = WARPS_COUNT,
                                .core = WARPS_CORE,
                                .cores = 3,
                                .isa_sets = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_F | SL_ISA_WARP2,
                                .local_base = WARPS_LOCAL,
                                .local_bytes = 4096,
                                .local_storage_bytes = 4096,
                                .convergence = SL_CONVERGENCE_IPDOM,
                                .ipdom_entries = WARPS_LANES - 1};
}

static inline void gpu_open(struct gpu *g, const struct sl_ipdom_spec *spec)
{
  struct sl_error err;
  memset(g, 0, sizeof *g);
  assert_int_equal(sl_memory_init(&g->memory, 0, &err), SL_OK);
  assert_int_equal(sl_code_init(&g->code, sl_isa(SL_ISA_RV32), spec->isa_sets, WARPS_CODE, WARPS_CODE_WORDS, &err),
                   SL_OK);
  assert_int_equal(sl_ipdom_init(&g->warps, spec, sl_lane_ops(spec->lanes), &g->memory, &g->code, &err), SL_OK);
  g->warps.console = gpu_console;
  g->warps.exit_code = gpu_exit_code;
  g->warps.io_context = g;
  sl_ipdom_start(&g->warps, WARPS_CODE, 0);
  g->warps.warp[WARPS_WARP].mask = WARPS_ALL;
  g->warps.warp[WARPS_WARP].pc = WARPS_CODE;
}

static inline void gpu_close(struct gpu *g)
{
  sl_store_log_free(g->warps.log);
  sl_ipdom_free(&g->warps);
  sl_code_free(&g->code);
  sl_memory_free(&g->memory);
}

static inline struct sl_ipdom_warp *gpu_warp(struct gpu *g)
{
  return &g->warps.warp[WARPS_WARP];
}

static inline uint32_t *gpu_register(struct gpu *g, unsigned reg)
{
  return sl_ipdom_register(&g->warps, WARPS_WARP, reg);
}

/* Sets the same value in all lanes; sets a bit of a set in each. */
static inline void gpu_set(struct gpu *g, unsigned reg, uint32_t value)
{
  for (unsigned lane = 0; lane < WARPS_LANES; lane++)
    gpu_register(g, reg)[lane] = value;
}

static inline void gpu_set_bits(struct gpu *g, unsigned reg, sl_lanes set)
{
  for (unsigned lane = 0; lane < WARPS_LANES; lane++)
    gpu_register(g, reg)[lane] = set >> lane & 1;
}

/* Executes a word at the warp's pc. */
static inline enum sl_ipdom_effect gpu_run(struct gpu *g, uint32_t word)
{
  struct sl_ipdom_warp *p = gpu_warp(g);
  g->insn = sl_decode(word, g->warps.spec.isa_sets);
  assert_int_not_equal(g->insn.op, SL_OP_UNKNOWN);
  g->ex = (struct sl_ipdom_execution){.insn = &g->insn, .pc = p->pc, .active = p->mask, .address = g->address};
  p->pc += 4;
  return sl_ipdom_execute(&g->warps, WARPS_WARP, &g->ex);
}

static inline uint32_t gpu_word(enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  return sl_op_info(op)->match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline enum sl_ipdom_effect gpu_op(struct gpu *g, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  return gpu_run(g, gpu_word(op, rd, rs1, rs2));
}

/* rd = [rs1], [rs1] = rs2, with offset 0. */
static inline void gpu_load(struct gpu *g, unsigned rd, unsigned rs1)
{
  assert_int_equal(gpu_op(g, SL_OP_LW, rd, rs1, 0), SL_IPDOM_NOTHING);
}

static inline void gpu_store(struct gpu *g, unsigned rs2, unsigned rs1)
{
  assert_int_equal(gpu_op(g, SL_OP_SW, 0, rs1, rs2), SL_IPDOM_NOTHING);
}

#endif
