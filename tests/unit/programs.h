/* Self-checking programs as instruction words: a prologue that leaves only a range of threads active, checks, and a
 * successful or failing end. They run on an SM (diverged when only some lanes are active) and on the host CPU.
 *
 * Each check compares a register with EXPECTED and counts; the first failure ends the program and leaves its number and
 * both values in memory. At the end each thread stores the number of passed checks. */
#ifndef SL_TESTS_PROGRAMS_H
#define SL_TESTS_PROGRAMS_H

#include <stddef.h>
#include <string.h>

#include "words.h"

enum {
  PROGRAM_CODE = 0x08000000,
  PARAMETERS =
      0x10000000,      /* first active thread, number of active threads, then the failed check: number, got, expected */
  COUNTS = 0x10010000, /* checks passed, per thread */
  TABLES = 0x10100000,
  PATTERN = 0x10200000,  /* what loads read */
  OWN_DRAM = 0x10300000, /* 16 bytes per thread */
  CLOSURE = 0x0badcafe,
  OWN_SHIFT = 4
};

/* In the scratchpad. */
#define OWN_SCRATCHPAD UINT32_C(0xbfff0000)
#define SHARED UINT32_C(0xbfffc000)
#define PATTERN_SCRATCHPAD UINT32_C(0xbfffd000)

/* Registers of the program itself; those of instructions under test are others. */
enum {
  OWN = 18,
  BASE = 19,
  TABLE = 20,
  LEFT = 21,
  EXPECTED = 22,
  THREAD = 23,
  PASSED = 24,
  AT_PARAMETERS = 25,
  T1 = 26,
  T2 = 27
};

enum { MOST_CODE = 8192, MOST_DATA = 1 << 15, MOST_CASES = 440, ROTATION = 64 };

struct program {
  bool host;
  unsigned count;  /* words of code */
  unsigned checks; /* per thread */
  unsigned numbered;
  unsigned fail, join_jump; /* index of the failure path, and of the jump over the checks */
  unsigned data_count;
  unsigned prints; /* words printed per thread, all the same */
  uint32_t print_value;
  bool adds_to_shared;
  uint32_t code[MOST_CODE];
  uint32_t data[MOST_DATA];
};

static inline uint32_t program_pc(const struct program *p)
{
  return PROGRAM_CODE + 4 * p->count;
}

static inline void emit(struct program *p, uint32_t word)
{
  if (p->count < MOST_CODE)
    p->code[p->count++] = word;
}

/* Always two words, so that later addresses are known in advance. */
static inline void emit_constant(struct program *p, unsigned rd, uint32_t value)
{
  const int low = (int)((value & 0xfff) ^ 0x800) - 0x800;
  emit(p, word_u(SL_OP_LUI, rd, (value - (uint32_t)low) >> 12));
  emit(p, word_i(SL_OP_ADDI, rd, rd, low));
}

static inline void emit_jump(struct program *p, unsigned index)
{
  emit(p, word_j(SL_OP_JAL, 0, 4 * ((int)index - (int)p->count)));
}

/* On the SM only: the host has no nesting. */
static inline void emit_nest(struct program *p, enum sl_op op)
{
  if (!p->host)
    emit(p, sl_op_info(op)->match);
}

static inline void emit_fail(struct program *p)
{
  p->fail = p->count;
  emit(p, word_s(SL_OP_SW, T1, AT_PARAMETERS, 8));
  emit(p, word_s(SL_OP_SW, T2, AT_PARAMETERS, 12));
  emit(p, word_s(SL_OP_SW, EXPECTED, AT_PARAMETERS, 16));
  emit(p, word_csr(SL_OP_CSRRWI, 0, 0x830, 1));
}

/* The register equals EXPECTED. */
static inline void emit_check(struct program *p, unsigned reg)
{
  emit(p, word_b(SL_OP_BEQ, reg, EXPECTED, 16));
  emit(p, word_i(SL_OP_ADDI, T2, reg, 0));
  emit(p, word_i(SL_OP_ADDI, T1, 0, (int)++p->numbered));
  emit_jump(p, p->fail);
  emit(p, word_i(SL_OP_ADDI, PASSED, PASSED, 1));
}

static inline void emit_check_once(struct program *p, unsigned reg)
{
  emit_check(p, reg);
  p->checks++;
}

/* reg = address + 16 * thread. */
static inline void emit_own(struct program *p, unsigned reg, uint32_t address)
{
  emit(p, word_r(SL_OP_SLLI, T1, THREAD, OWN_SHIFT));
  emit_constant(p, reg, address);
  emit(p, word_r(SL_OP_ADD, reg, reg, T1));
}

static inline void program_begin(struct program *p, bool host)
{
  memset(p, 0, offsetof(struct program, code));
  p->host = host;
  emit(p, word_j(SL_OP_JAL, 0, 4 * 5));
  emit_fail(p);
  emit(p, host ? word_i(SL_OP_ADDI, THREAD, 0, 0) : word_csr(SL_OP_CSRRS, THREAD, 0xf14, 0));
  emit_constant(p, AT_PARAMETERS, PARAMETERS);
  emit(p, word_i(SL_OP_LW, T1, AT_PARAMETERS, 0));
  emit(p, word_i(SL_OP_LW, T2, AT_PARAMETERS, 4));
  emit(p, word_i(SL_OP_ADDI, PASSED, 0, 0));
  emit_nest(p, SL_OP_PUSH);
  emit(p, word_r(SL_OP_SUB, T1, THREAD, T1));
  emit(p, word_b(SL_OP_BLTU, T1, T2, 8));
  p->join_jump = p->count;
  emit(p, 0);
}

static inline void program_end(struct program *p)
{
  emit(p, word_r(SL_OP_SLLI, T1, THREAD, 2));
  emit_constant(p, T2, COUNTS);
  emit(p, word_r(SL_OP_ADD, T1, T1, T2));
  emit(p, word_s(SL_OP_SW, PASSED, T1, 0));
  p->code[p->join_jump] = word_j(SL_OP_JAL, 0, 4 * (int)(p->count - p->join_jump));
  emit_nest(p, SL_OP_POP);
  emit(p, word_csr(SL_OP_CSRRWI, 0, 0x830, 3));
}

/* Operands and expected results of one instruction. */
struct cases {
  unsigned count;
  uint32_t a[MOST_CASES], b[MOST_CASES], expected[MOST_CASES];
};

/* A loop over cases. Each thread starts at another case, so that lanes differ. */
struct loop {
  unsigned start;
  int stride; /* bytes between the columns a, b, expected; TABLE points into the middle one */
  unsigned checks;
};

static inline void add_column(struct program *p, const uint32_t *values, unsigned count)
{
  for (unsigned i = 0; i < count + ROTATION && p->data_count < MOST_DATA; i++)
    p->data[p->data_count++] = values[i % count];
}

static inline struct loop loop_begin(struct program *p, const struct cases *c)
{
  const int stride = 4 * (int)(c->count + ROTATION);
  const uint32_t table = TABLES + 4 * p->data_count;
  add_column(p, c->a, c->count);
  add_column(p, c->b, c->count);
  add_column(p, c->expected, c->count);
  emit_constant(p, TABLE, table + (uint32_t)stride);
  emit(p, word_i(SL_OP_ANDI, T1, THREAD, ROTATION - 1));
  emit(p, word_r(SL_OP_SLLI, T1, T1, 2));
  emit(p, word_r(SL_OP_ADD, TABLE, TABLE, T1));
  emit_constant(p, LEFT, c->count);
  return (struct loop){p->count, stride, c->count};
}

static inline void loop_load(struct program *p, const struct loop *loop, unsigned ra, unsigned rb)
{
  emit(p, word_i(SL_OP_LW, ra, TABLE, -loop->stride));
  if (rb != ra)
    emit(p, word_i(SL_OP_LW, rb, TABLE, 0));
  emit(p, word_i(SL_OP_LW, EXPECTED, TABLE, loop->stride));
}

static inline void loop_end(struct program *p, const struct loop *loop, unsigned checks_per_case)
{
  emit(p, word_i(SL_OP_ADDI, TABLE, TABLE, 4));
  emit(p, word_i(SL_OP_ADDI, LEFT, LEFT, -1));
  emit(p, word_b(SL_OP_BNE, LEFT, 0, 4 * ((int)loop->start - (int)p->count)));
  p->checks += loop->checks * checks_per_case;
}

#endif
