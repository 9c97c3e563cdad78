/* Random RV32 kernels for sm7 with loops, branches, exits from loops, registers saved on the stack and calls. */
#ifndef SL_TESTS_RANDOM_RV32_H
#define SL_TESTS_RANDOM_RV32_H

#include <assert.h>

#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "random.h"
#include "words.h"

enum { DEPTH = 4, MOST = 2000, LABELS = 1000, FRAME = 64, SLOTS = 6, REGISTERS = 12 };
enum { RA = 1, SP = 2, A0 = 10, COUNTER = 18, SPARE = 30 };
#define BASE UINT32_C(0x8000400)
#define LAUNCH UINT32_C(0x10000000)

/* General registers. a0 and the loop counters (from s2 on by depth) have fixed uses. */
static const unsigned pool[REGISTERS] = {5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 28, 29};

struct writer {
  uint32_t word[MOST];
  uint32_t count;
  uint64_t seed;
  uint32_t label[LABELS]; /* words */
  unsigned labels;
  struct {
    uint32_t at;
    unsigned label;
  } jump[MOST];
  unsigned jumps;
  unsigned leave[DEPTH + 1]; /* labels after the enclosing loops */
  unsigned function;         /* label of a called function */
  bool stores;               /* its registers at its end */
};

static unsigned below(struct writer *w, unsigned n)
{
  return random_below(&w->seed, n);
}

static void put(struct writer *w, uint32_t word)
{
  assert_true(w->count < MOST);
  w->word[w->count++] = word;
}

static unsigned new_label(struct writer *w)
{
  assert_true(w->labels < LABELS);
  return w->labels++;
}

static void here(struct writer *w, unsigned label)
{
  w->label[label] = w->count;
}

/* A branch or jump; its distance is filled in later. */
static void jump(struct writer *w, uint32_t word, unsigned label)
{
  w->jump[w->jumps].at = w->count;
  w->jump[w->jumps++].label = label;
  put(w, word);
}

static void land(struct writer *w)
{
  for (unsigned i = 0; i < w->jumps; i++) {
    uint32_t *word = &w->word[w->jump[i].at];
    const int distance = 4 * ((int)w->label[w->jump[i].label] - (int)w->jump[i].at);
    *word |= (*word & 127) == 0x6f ? word_j(SL_OP_UNKNOWN, 0, distance) : word_b(SL_OP_UNKNOWN, 0, 0, distance);
  }
}

static unsigned any(struct writer *w)
{
  return pool[below(w, REGISTERS)];
}

/* A number, mostly small, of either sign. */
static int number(struct writer *w)
{
  return below(w, 8) == 0 ? (int)below(w, 4096) - 2048 : (int)below(w, 33) - 16;
}

static void compute(struct writer *w)
{
  static const enum sl_op two[] = {SL_OP_ADD, SL_OP_SUB, SL_OP_MUL, SL_OP_ADD, SL_OP_AND, SL_OP_SLT, SL_OP_SLL};
  const unsigned to = any(w);
  switch (below(w, 12)) {
  case 0: put(w, word_i(SL_OP_ADDI, to, any(w), 0)); break;
  case 1: put(w, word_i(SL_OP_SLLI, to, any(w), (int)below(w, 6))); break;
  case 2: put(w, word_i(SL_OP_ADDI, to, to, number(w))); break; /* registers that step in loops */
  case 3:
    put(w, word_u(SL_OP_LUI, to, below(w, 1u << 20)));
    put(w, word_i(SL_OP_ADDI, to, to, number(w)));
    break;
  case 4: put(w, word_csr(SL_OP_CSRRS, to, SL_SM7_RV_CSR_PLACE + below(w, 12), 0)); break;
  case 5: put(w, word_i(SL_OP_LW, to, A0, 36 + 4 * (int)below(w, 2))); break;
  case 6: put(w, word_s(SL_OP_SW, any(w), SP, 4 * (int)below(w, SLOTS))); break;
  case 7: put(w, word_i(SL_OP_LW, to, SP, 4 * (int)below(w, SLOTS))); break;
  default: put(w, word_r(two[below(w, sizeof two / sizeof *two)], to, any(w), any(w)));
  }
}

/* A branch on a condition that may differ by lane. */
static void test(struct writer *w, unsigned label)
{
  static const enum sl_op branches[] = {SL_OP_BLT, SL_OP_BGE, SL_OP_BEQ, SL_OP_BNE, SL_OP_BLTU};
  jump(w, word_b(branches[below(w, sizeof branches / sizeof *branches)], any(w), any(w), 0), label);
}

static void statements(struct writer *w, unsigned depth);

static void branch(struct writer *w, unsigned depth)
{
  const unsigned otherwise = new_label(w), end = new_label(w);
  test(w, otherwise);
  statements(w, depth + 1);
  if (below(w, 2)) {
    jump(w, word_j(SL_OP_JAL, 0, 0), end);
    here(w, otherwise);
    statements(w, depth + 1);
  } else {
    here(w, otherwise);
  }
  here(w, end);
}

/* The loop counts to a number, or to a value of each lane. */
static void loop(struct writer *w, unsigned depth)
{
  const unsigned again = new_label(w), out = new_label(w), counter = COUNTER + depth;
  w->leave[depth] = out;
  put(w, word_i(SL_OP_ADDI, counter, 0, 0));
  here(w, again);
  statements(w, depth + 1);
  put(w, word_i(SL_OP_ADDI, counter, counter, 1));
  if (below(w, 3) == 0)
    put(w, word_i(SL_OP_ANDI, SPARE, any(w), 3));
  else
    put(w, word_i(SL_OP_ADDI, SPARE, 0, 1 + (int)below(w, 4)));
  jump(w, word_b(SL_OP_BLT, counter, SPARE, 0), again);
  here(w, out);
  w->leave[depth] = LABELS;
}

static void leave(struct writer *w, unsigned depth)
{
  for (unsigned d = depth; d-- > 0;)
    if (w->leave[d] != LABELS) {
      test(w, w->leave[d]);
      return;
    }
}

static void statements(struct writer *w, unsigned depth)
{
  for (unsigned n = 1 + below(w, depth == 0 ? 12 : 5); n > 0; n--) {
    const unsigned what = below(w, 24);
    if (what <= 1 && depth < DEPTH)
      branch(w, depth);
    else if (what <= 5 && depth < DEPTH)
      loop(w, depth);
    else if (what <= 7)
      leave(w, depth);
    else if (what == 8)
      jump(w, word_j(SL_OP_JAL, RA, 0), w->function);
    else
      compute(w);
  }
}

/* A function of a1 to a6 that preserves saved registers and changes one other. */
static void write_function(struct writer *w)
{
  here(w, w->function);
  for (unsigned i = 0; i < REGISTERS; i++)
    if (pool[i] != 8 && pool[i] != 9 && pool[i] != 13)
      put(w, word_i(SL_OP_ADDI, pool[i], 11 + i % 6, (int)i));
  put(w, word_i(SL_OP_JALR, 0, RA, 0));
}

/* Stores all registers to memory, to the thread's own place from word 2 of the arguments on. */
static void store_all(struct writer *w)
{
  enum { INDEX = 23, SIZE = 24, NUMBER = 25, BYTES = 64 };
  put(w, word_i(SL_OP_ADDI, NUMBER, 0, 0));
  for (unsigned d = 6; d-- > 0;) { /* index of the block in the grid, then of the thread in the block */
    put(w, word_csr(SL_OP_CSRRS, INDEX, SL_SM7_RV_CSR_PLACE + d, 0));
    put(w, word_csr(SL_OP_CSRRS, SIZE, SL_SM7_RV_CSR_PLACE + 6 + d, 0));
    put(w, word_r(SL_OP_MUL, NUMBER, NUMBER, SIZE));
    put(w, word_r(SL_OP_ADD, NUMBER, NUMBER, INDEX));
  }
  put(w, word_i(SL_OP_SLLI, NUMBER, NUMBER, 6));
  put(w, word_i(SL_OP_LW, INDEX, A0, 36 + 8));
  put(w, word_r(SL_OP_ADD, INDEX, INDEX, NUMBER));
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w, word_s(SL_OP_SW, pool[i], INDEX, 4 * (int)i));
}

/* Returns the end of the kernel; its function comes after it. */
static uint32_t write_kernel(struct writer *w, uint64_t seed)
{
  w->count = 0;
  w->labels = w->jumps = 0;
  w->seed = seed;
  w->function = new_label(w);
  for (unsigned d = 0; d <= DEPTH; d++)
    w->leave[d] = LABELS;
  put(w, word_i(SL_OP_ADDI, SP, SP, -FRAME));
  put(w, word_s(SL_OP_SW, RA, SP, FRAME - 4));
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w, i % 3 == 2 ? word_i(SL_OP_ADDI, pool[i], 0, 5)
                      : word_csr(SL_OP_CSRRS, pool[i], SL_SM7_RV_CSR_PLACE + (i % 3 == 0 ? i % 4 : 3), 0));
  for (unsigned i = 0; i < SLOTS; i += 2)
    put(w, word_s(SL_OP_SW, pool[i], SP, 4 * (int)i));
  statements(w, 0);
  if (w->stores)
    store_all(w);
  put(w, word_i(SL_OP_LW, RA, SP, FRAME - 4));
  put(w, word_i(SL_OP_ADDI, SP, SP, FRAME));
  put(w, word_i(SL_OP_JALR, 0, RA, 0));
  const uint32_t end = w->count;
  write_function(w);
  land(w);
  return end;
}

#endif
