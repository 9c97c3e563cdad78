/* Random unstructured programs from a seed: blocks of arithmetic and memory instructions that end in branches to any
 * other block, jumps through a table, calls of recursive functions and of a function selected per lane.
 *
 * Every block uses fuel, which bounds the program's run. Registers: x8 fuel, x9 the thread's own memory, x2 its stack,
 * x10 hart id, x11 results; x12 to x19 general; x5 to x7 scratch. */
#ifndef SL_TESTS_GENERATE_H
#define SL_TESTS_GENERATE_H

#include <string.h>

#include "../unit/random.h"
#include "../unit/words.h"

enum { GEN_ENTRY = 0x200, GEN_WORDS = 4096, GEN_BLOCKS = 24, GEN_FUNCTIONS = 3, GEN_FIXUPS = 512 };
enum { SP = 2, FUEL = 8, OWN = 9, HART = 10, OUT = 11, FIRST = 12, DATA_REGISTERS = 8 };

/* The memory layout, by the number of threads. */
struct layout {
  uint32_t own, own_bytes, stacks, stack_bytes, results, done, bytes;
};

struct fixup {
  unsigned at, label; /* index of the word, and its target */
};

struct generated {
  uint64_t seed;
  unsigned count, blocks, fixups;
  unsigned label[GEN_BLOCKS + GEN_FUNCTIONS + 1]; /* index of a block's first word; then functions, then the end */
  struct fixup fixup[GEN_FIXUPS];
  uint32_t word[GEN_WORDS];
};

static inline struct layout layout_of(unsigned threads)
{
  struct layout l = {.own = 0x10000, .own_bytes = 64, .stack_bytes = 256};
  l.stacks = l.own + threads * l.own_bytes;
  l.results = l.stacks + threads * l.stack_bytes;
  l.done = l.results + threads * 32;
  l.bytes = 0x20000;
  while (l.bytes < l.done + threads * 4)
    l.bytes *= 2;
  return l;
}

static inline void put(struct generated *g, uint32_t word)
{
  g->word[g->count++] = word;
}

static inline void put_constant(struct generated *g, unsigned rd, uint32_t value)
{
  const int low = (int)((value & 0xfff) ^ 0x800) - 0x800;
  put(g, word_u(SL_OP_LUI, rd, (value - (uint32_t)low) >> 12));
  put(g, word_i(SL_OP_ADDI, rd, rd, low));
}

/* A branch or jump whose target is filled in later. */
static inline void put_to(struct generated *g, uint32_t word, unsigned label)
{
  g->fixup[g->fixups++] = (struct fixup){g->count, label};
  put(g, word);
}

static inline unsigned below(struct generated *g, unsigned n)
{
  return random_below(&g->seed, n);
}

static inline unsigned data_register(struct generated *g)
{
  return FIRST + below(g, DATA_REGISTERS);
}

/* rd = base + hart * bytes, with x5. */
static inline void put_own(struct generated *g, unsigned rd, uint32_t base, uint32_t bytes)
{
  put(g, word_r(SL_OP_SLLI, 5, HART, (unsigned)__builtin_ctz(bytes)));
  put_constant(g, rd, base);
  put(g, word_r(SL_OP_ADD, rd, rd, 5));
}

static inline void put_operation(struct generated *g)
{
  static const enum sl_op registers[] = {SL_OP_ADD, SL_OP_SUB,  SL_OP_XOR, SL_OP_AND, SL_OP_OR,
                                         SL_OP_SLT, SL_OP_SLTU, SL_OP_SLL, SL_OP_SRL, SL_OP_SRA};
  static const enum sl_op loads[] = {SL_OP_LB, SL_OP_LBU, SL_OP_LH, SL_OP_LHU, SL_OP_LW};
  static const enum sl_op stores[] = {SL_OP_SB, SL_OP_SH, SL_OP_SW};
  const unsigned rd = data_register(g), a = data_register(g), b = data_register(g), kind = below(g, 10);
  if (kind < 5)
    put(g, word_r(registers[below(g, 10)], rd, a, b));
  else if (kind < 7)
    put(g, word_i(SL_OP_ADDI, rd, a, (int)below(g, 4096) - 2048));
  else if (kind < 9)
    put(g, word_i(loads[below(g, 5)], rd, OWN, (int)below(g, 16) * 4));
  else
    put(g, word_s(stores[below(g, 3)], a, OWN, (int)below(g, 16) * 4));
}

/* Jumps to one of four blocks by the low bits of a register, through a table of jumps. */
static inline void put_switch(struct generated *g)
{
  put(g, word_i(SL_OP_ANDI, 6, data_register(g), 3));
  put(g, word_r(SL_OP_SLLI, 6, 6, 2));
  put(g, word_u(SL_OP_AUIPC, 7, 0));
  put(g, word_r(SL_OP_ADD, 7, 7, 6));
  put(g, word_i(SL_OP_JALR, 0, 7, 12));
  for (unsigned i = 0; i < 4; i++)
    put_to(g, word_j(SL_OP_JAL, 0, 0), below(g, g->blocks));
}

/* Calls one of two functions, selected per lane by address. */
static inline void put_indirect_call(struct generated *g)
{
  const unsigned f = GEN_BLOCKS + below(g, GEN_FUNCTIONS), at = below(g, 2) ? 1 : 7;
  put(g, word_i(SL_OP_ANDI, 6, data_register(g), 1));
  put(g, word_r(SL_OP_SLLI, 6, 6, 2));
  put(g, word_u(SL_OP_AUIPC, at, 0));
  put(g, word_r(SL_OP_ADD, at, at, 6));
  put(g, word_i(SL_OP_JALR, 1, at, 16));
  put(g, word_j(SL_OP_JAL, 0, 12));
  put_to(g, word_j(SL_OP_JAL, 0, 0), f);
  put_to(g, word_j(SL_OP_JAL, 0, 0), GEN_BLOCKS + (f - GEN_BLOCKS + 1) % GEN_FUNCTIONS);
}

static inline void put_block(struct generated *g, unsigned block)
{
  static const enum sl_op branches[] = {SL_OP_BEQ, SL_OP_BNE, SL_OP_BLT, SL_OP_BGE, SL_OP_BLTU, SL_OP_BGEU};
  const unsigned end = GEN_BLOCKS + GEN_FUNCTIONS;
  g->label[block] = g->count;
  put(g, word_i(SL_OP_ADDI, FUEL, FUEL, -1));
  put(g, word_b(SL_OP_BLT, 0, FUEL, 8));
  put_to(g, word_j(SL_OP_JAL, 0, 0), end);
  for (unsigned n = below(g, 6); n > 0; n--)
    put_operation(g);
  switch (below(g, 6)) {
  case 0: put_switch(g); break;
  case 1:
    put(g, word_i(SL_OP_ANDI, 6, data_register(g), 3));
    put_to(g, word_j(SL_OP_JAL, 1, 0), GEN_BLOCKS + below(g, GEN_FUNCTIONS));
    break;
  case 2:
    put(g, word_i(SL_OP_ANDI, 6, data_register(g), 3));
    put_indirect_call(g);
    break;
  case 3: put_to(g, word_j(SL_OP_JAL, 0, 0), below(g, g->blocks)); break;
  default: put_to(g, word_b(branches[below(g, 6)], data_register(g), data_register(g), 0), below(g, g->blocks)); break;
  }
}

/* A function that calls the next one, or itself, x6 times: as deep as the lane's data say. */
static inline void put_function(struct generated *g, unsigned f)
{
  g->label[GEN_BLOCKS + f] = g->count;
  put(g, word_i(SL_OP_ADDI, SP, SP, -16));
  put(g, word_s(SL_OP_SW, 1, SP, 12));
  put(g, word_s(SL_OP_SW, 6, SP, 8));
  for (unsigned n = below(g, 3); n > 0; n--)
    put_operation(g);
  const unsigned skip = g->count;
  put(g, 0);
  put(g, word_i(SL_OP_ADDI, 6, 6, -1));
  put_to(g, word_j(SL_OP_JAL, 1, 0), GEN_BLOCKS + (f + below(g, 2)) % GEN_FUNCTIONS);
  put_operation(g);
  g->word[skip] = word_b(SL_OP_BEQ, 6, 0, 4 * (int)(g->count - skip));
  put(g, word_i(SL_OP_LW, 6, SP, 8));
  put(g, word_i(SL_OP_LW, 1, SP, 12));
  put(g, word_i(SL_OP_ADDI, SP, SP, 16));
  put(g, word_i(SL_OP_JALR, 0, 1, 0));
}

/* The results, the done word, and the loop in which threads wait for the others. */
static inline void put_end(struct generated *g, const struct layout *l)
{
  g->label[GEN_BLOCKS + GEN_FUNCTIONS] = g->count;
  for (unsigned i = 0; i < DATA_REGISTERS; i++)
    put(g, word_s(SL_OP_SW, FIRST + i, OUT, (int)i * 4));
  put_own(g, 6, l->done, 4);
  put(g, word_i(SL_OP_ADDI, 7, 0, 1));
  put(g, word_s(SL_OP_SW, 7, 6, 0));
  put(g, word_j(SL_OP_JAL, 0, 0));
}

static inline void resolve(struct generated *g)
{
  for (unsigned i = 0; i < g->fixups; i++) {
    const struct fixup *f = &g->fixup[i];
    const int offset = 4 * ((int)g->label[f->label] - (int)f->at);
    g->word[f->at] |= (g->word[f->at] & 0x7f) == 0x63 ? word_b(SL_OP_BEQ, 0, 0, offset) : word_j(SL_OP_JAL, 0, offset);
  }
}

static inline void generate(struct generated *g, uint64_t seed, const struct layout *l)
{
  memset(g, 0, sizeof *g);
  g->seed = seed;
  g->blocks = 4 + below(g, GEN_BLOCKS - 4);
  put(g, word_csr(SL_OP_CSRRS, HART, 0xf14, 0));
  put_own(g, OWN, l->own, l->own_bytes);
  put_own(g, SP, l->stacks + l->stack_bytes, l->stack_bytes);
  put_own(g, OUT, l->results, 32);
  put(g, word_i(SL_OP_ADDI, FUEL, 0, 60));
  for (unsigned i = 0; i < DATA_REGISTERS; i++) {
    put_constant(g, FIRST + i, random32(&g->seed));
    if (below(g, 3) > 0)
      put(g, word_r(below(g, 2) ? SL_OP_ADD : SL_OP_SLL, FIRST + i, FIRST + i, HART));
  }
  for (unsigned b = 0; b < g->blocks; b++)
    put_block(g, b);
  put_to(g, word_j(SL_OP_JAL, 0, 0), GEN_BLOCKS + GEN_FUNCTIONS);
  for (unsigned f = 0; f < GEN_FUNCTIONS; f++)
    put_function(g, f);
  put_end(g, l);
  resolve(g);
}

#endif
