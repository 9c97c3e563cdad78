/* A minimal warp machine for streams: registers, a memory of a few KiB, and a cache that answers on the test's command.
 */
#ifndef SL_TESTS_STREAM_BENCH_H
#define SL_TESTS_STREAM_BENCH_H

#include <string.h>

#include "timing/pipeline/stream_engine.h"

enum {
  BENCH_LANES = 4,
  BENCH_LANE_BITS = 2,
  BENCH_WARPS = 3,
  BENCH_UNITS = 3,
  BENCH_MEMORY = 1 << 14,
  BENCH_LOCAL = 0x2000, /* the upper half is local memory */
  BENCH_ALL = 0xf
};

struct stream_bench {
  struct sl_ipdom_warps w;
  struct sl_loops loops;
  struct sl_streams s;
  uint32_t x[BENCH_WARPS * SL_IPDOM_RV32_REGISTERS * BENCH_LANES];
  _Alignas(64) uint8_t memory[BENCH_MEMORY];
};

static inline uint32_t *bench_register(struct stream_bench *b, unsigned warp, unsigned reg)
{
  return sl_ipdom_register(&b->w, warp, reg);
}

static inline uint32_t bench_word(const struct stream_bench *b, uint32_t address)
{
  uint32_t word;
  memcpy(&word, b->memory + address, sizeof word);
  return word;
}

static inline void bench_set_word(struct stream_bench *b, uint32_t address, uint32_t word)
{
  memcpy(b->memory + address, &word, sizeof word);
}

/* Loads and stores of elements, as a machine performs them. */
static inline bool bench_access(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  uint8_t *memory = w->local;
  for (sl_lanes rest = ex->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const uint32_t address = sl_ipdom_register(w, warp, in->rs1)[lane] + in->imm;
    if (address >= BENCH_MEMORY || address % in->width != 0) {
      w->fault = (struct sl_fault){.kind = SL_FAULT_ADDRESS, .warp = (int)warp, .pc = ex->pc, .address = address};
      return false;
    }
    uint32_t value = sl_memory_unit(memory + address, in->width);
    switch ((enum sl_op)in->op) {
    case SL_OP_LW:
    case SL_OP_LHU:
    case SL_OP_LBU: break;
    case SL_OP_LH: value = (uint32_t)(int32_t)(int16_t)value; break;
    case SL_OP_LB: value = (uint32_t)(int32_t)(int8_t)value; break;
    default: memcpy(memory + address, &sl_ipdom_register(w, warp, in->rs2)[lane], in->width); continue;
    }
    sl_ipdom_register(w, warp, in->rd)[lane] = value;
  }
  return true;
}

static inline enum sl_status bench_open(struct stream_bench *b, bool timed, unsigned credits)
{
  memset(b, 0, sizeof *b);
  b->w.spec.lanes = BENCH_LANES;
  b->w.spec.warps = BENCH_WARPS;
  b->w.lane_bits = BENCH_LANE_BITS;
  b->w.x = b->x;
  b->w.warp_words = (size_t)SL_IPDOM_RV32_REGISTERS * BENCH_LANES;
  b->w.local = b->memory;
  const struct sl_streams_spec spec = {.count = BENCH_UNITS,
                                       .credits = credits,
                                       .lines = 1,
                                       .timed = timed,
                                       .window = 6,
                                       .local_base = BENCH_LOCAL,
                                       .local_bytes = BENCH_MEMORY - BENCH_LOCAL,
                                       .access = bench_access};
  enum sl_status code = sl_loops_init(&b->loops, 4, BENCH_WARPS, SL_LOOPS_BLOCK_NONE, NULL);
  return code ? code : sl_streams_init(&b->s, &spec, &b->w, &b->loops, NULL);
}

static inline void bench_close(struct stream_bench *b)
{
  sl_streams_free(&b->s);
  sl_loops_free(&b->loops);
}

/* A CSR write with one value in all lanes, or with value + lane * step. */
static inline const char *bench_csr(struct stream_bench *b, unsigned warp, unsigned unit, enum sl_stream_register reg,
                                    uint32_t value, uint32_t step)
{
  uint32_t values[BENCH_LANES];
  for (unsigned lane = 0; lane < BENCH_LANES; lane++)
    values[lane] = value + lane * step;
  return sl_streams_csr_write(&b->s, warp, sl_extension_csr(SL_UNIT_STREAM, unit, reg), BENCH_ALL, values, NULL);
}

/* A stream over consecutive elements, lane by lane. */
static inline const char *bench_stream(struct stream_bench *b, unsigned warp, unsigned unit, uint32_t mapping,
                                       uint32_t base, uint32_t bytes)
{
  const char *illegal = bench_csr(b, warp, unit, SL_STREAM_BASE, base, bytes);
  if (illegal == NULL)
    illegal = bench_csr(b, warp, unit, SL_STREAM_STRIDE, bytes * BENCH_LANES, 0);
  return illegal ? illegal : bench_csr(b, warp, unit, SL_STREAM_MAPPING, mapping, 0);
}

/* Integer addition, or a fused multiply-add that sums its integers: enough to follow values. */
static inline struct sl_insn bench_add(unsigned rd, unsigned rs1, unsigned rs2)
{
  return sl_decode(rs2 << 20 | rs1 << 15 | rd << 7 | 0x33, SL_ISA_I);
}

static inline struct sl_insn bench_fma(unsigned fd, unsigned f1, unsigned f2, unsigned f3)
{
  return sl_decode(f3 << 27 | f2 << 20 | f1 << 15 | 7 << 12 | fd << 7 | 0x43, SL_ISA_I | SL_ISA_F);
}

/* The function of one of these, with streams. */
static inline const char *bench_execute(struct stream_bench *b, unsigned warp, sl_lanes active, struct sl_insn insn,
                                        struct sl_stream_use *use)
{
  struct sl_insn copy = insn;
  const char *illegal = sl_streams_rename(&b->s, warp, 0x100, active, &copy, use);
  if (illegal != NULL)
    return illegal;
  for (sl_lanes rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    uint32_t sum = bench_register(b, warp, copy.rs1)[lane] + bench_register(b, warp, copy.rs2)[lane];
    if (sl_reads_rs3(&copy))
      sum += bench_register(b, warp, copy.rs3)[lane];
    bench_register(b, warp, copy.rd)[lane] = sum;
  }
  return sl_streams_finish(&b->s, warp, 0x100, active, &insn, use);
}

#endif
