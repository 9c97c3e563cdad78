/* Random control-flow programs as instruction words, and an interpreter that runs one thread after the other.
 *
 * A body of basic blocks branches, jumps, calls and switches between them at random: loops are entered and left
 * anywhere, and each lane takes its own path. Functions call each other directly and through a table, one of them
 * recursively, to a depth that depends on the lane. Every block uses fuel; a thread without fuel leaves the body. */
#ifndef SL_TESTS_CONTROL_FLOW_H
#define SL_TESTS_CONTROL_FLOW_H

#include "kernel.h"
#include "random.h"

enum {
  FLOW_BLOCKS = 12,
  FLOW_FUNCTIONS = 4,
  FLOW_FUEL = 24,
  FLOW_OWN = 64, /* bytes of data and of stack per thread; its final registers go to its data */
  FLOW_STACK = 128,
  FLOW_TABLES = 0x1000000, /* from DATA on: targets of switches, then of indirect calls */
  FLOW_STACKS = 0x2000000,
  FLOW_RESULTS = 9 /* registers x5 to x12, and x15 */
};

/* Registers: x1 ra, x2 the own stack's end, x5-x9 x15 values, x10 hart, x11 own data, x12 fuel, x13 x14 temporary,
 * x16 tables. */
struct flow {
  struct kernel *k;
  uint64_t seed;
  bool marked;
  uint32_t block[FLOW_BLOCKS + 1]; /* addresses; the last is the exit */
  uint32_t function[FLOW_FUNCTIONS];
  /* Jumps with a target that is not known yet: place and target block. */
  struct {
    uint32_t at, word;
    unsigned block;
    bool jump;
  } fix[4 * FLOW_BLOCKS];
  unsigned fixes;
};

static inline unsigned flow_value(struct flow *f)
{
  static const unsigned values[] = {5, 6, 7, 8, 9, 15};
  return values[random_below(&f->seed, 6)];
}

static inline void flow_compute(struct flow *f)
{
  static const enum sl_op ops[] = {SL_OP_ADD, SL_OP_SUB, SL_OP_XOR, SL_OP_AND, SL_OP_OR, SL_OP_SLT, SL_OP_SLTU};
  const unsigned rd = flow_value(f), a = flow_value(f), b = flow_value(f);
  switch (random_below(&f->seed, 4)) {
  case 0: kernel_add(f->k, word_i(SL_OP_ADDI, rd, a, (int)random_below(&f->seed, 4000) - 2000)); break;
  case 1: kernel_add(f->k, word_i(SL_OP_LW, rd, 11, 4 * (int)random_below(&f->seed, 4))); break;
  case 2: kernel_add(f->k, word_s(SL_OP_SW, a, 11, 4 * (int)random_below(&f->seed, 4))); break;
  default: kernel_add(f->k, word_r(ops[random_below(&f->seed, 7)], rd, a, b)); break;
  }
}

static inline void flow_branch(struct flow *f, unsigned a, unsigned b, unsigned block)
{
  static const enum sl_op ops[] = {SL_OP_BEQ, SL_OP_BNE, SL_OP_BLT, SL_OP_BGE, SL_OP_BLTU, SL_OP_BGEU};
  const uint32_t word = b != 0 ? word_b(ops[random_below(&f->seed, 6)], a, b, 0) : word_b(SL_OP_BLT, a, 0, 0);
  f->fix[f->fixes].at = f->k->end;
  f->fix[f->fixes].word = word;
  f->fix[f->fixes].jump = false;
  f->fix[f->fixes++].block = block;
  kernel_add(f->k, 0);
}

static inline void flow_jump(struct flow *f, unsigned block)
{
  f->fix[f->fixes].at = f->k->end;
  f->fix[f->fixes].jump = true;
  f->fix[f->fixes++].block = block;
  kernel_add(f->k, 0);
}

/* x13 = word (value & 3) of table `table`. */
static inline void flow_look_up(struct flow *f, unsigned table)
{
  kernel_add(f->k, word_i(SL_OP_ANDI, 13, flow_value(f), 3));
  kernel_add(f->k, word_r(SL_OP_ADD, 13, 13, 13));
  kernel_add(f->k, word_r(SL_OP_ADD, 13, 13, 13));
  kernel_add(f->k, word_r(SL_OP_ADD, 13, 13, 16));
  kernel_add(f->k, word_i(SL_OP_LW, 13, 13, (int)table * 16));
}

static inline void flow_call(struct flow *f, uint32_t function)
{
  kernel_add(f->k, word_j(SL_OP_JAL, 1, (int)(function - f->k->end)));
}

/* Functions before the body: 0 recursive, 1 and 2 with a branch in them, 3 calls another. */
static inline void flow_functions(struct flow *f)
{
  struct kernel *k = f->k;
  f->function[0] = k->end; /* x13 calls deep, with the return addresses on the stack */
  kernel_add(k, word_b(SL_OP_BEQ, 13, 0, 32));
  kernel_add(k, word_i(SL_OP_ADDI, 2, 2, -4));
  kernel_add(k, word_s(SL_OP_SW, 1, 2, 0));
  kernel_add(k, word_i(SL_OP_ADDI, 13, 13, -1));
  flow_call(f, f->function[0]);
  kernel_add(k, word_r(SL_OP_ADD, 5, 5, 13));
  kernel_add(k, word_i(SL_OP_LW, 1, 2, 0));
  kernel_add(k, word_i(SL_OP_ADDI, 2, 2, 4));
  kernel_add(k, word_i(SL_OP_ADDI, 6, 6, 3));
  kernel_add(k, word_i(SL_OP_JALR, 0, 1, 0));
  for (unsigned i = 1; i < 3; i++) {
    f->function[i] = k->end;
    flow_compute(f);
    kernel_add(k, word_b(i == 1 ? SL_OP_BLT : SL_OP_BNE, flow_value(f), flow_value(f), 12));
    flow_compute(f);
    kernel_add(k, word_i(SL_OP_JALR, 0, 1, 0)); /* an early return */
    flow_compute(f);
    kernel_add(k, word_i(SL_OP_JALR, 0, 1, 0));
  }
  f->function[3] = k->end;
  kernel_add(k, word_i(SL_OP_ADDI, 14, 1, 0));
  flow_call(f, f->function[1 + random_below(&f->seed, 2)]);
  kernel_add(k, word_i(SL_OP_ADDI, 1, 14, 0));
  kernel_add(k, word_i(SL_OP_JALR, 0, 1, 0));
}

static inline void flow_block(struct flow *f, unsigned number)
{
  struct kernel *k = f->k;
  f->block[number] = k->end;
  kernel_add(k, word_i(SL_OP_ADDI, 12, 12, -1));
  flow_branch(f, 12, 0, FLOW_BLOCKS);
  for (unsigned n = random_below(&f->seed, 4); n > 0; n--)
    flow_compute(f);
  const unsigned target = random_below(&f->seed, FLOW_BLOCKS);
  switch (random_below(&f->seed, 7)) {
  case 0: flow_jump(f, target); break;
  case 1: /* switch */
    flow_look_up(f, number % 4);
    kernel_add(k, word_i(SL_OP_JALR, 0, 13, 0));
    break;
  case 2: /* the same function or another one in each lane */
    flow_look_up(f, 4);
    kernel_add(k, word_i(SL_OP_JALR, 1, 13, 0));
    break;
  case 3:
    kernel_add(k, word_i(SL_OP_ANDI, 13, flow_value(f), 7));
    flow_call(f, f->function[0]);
    break;
  case 4: flow_call(f, f->function[1 + random_below(&f->seed, 3)]); break;
  default: flow_branch(f, flow_value(f), flow_value(f), target); break;
  }
}

static inline void flow_prologue(struct flow *f)
{
  struct kernel *k = f->k;
  kernel_add(k, word_csr(SL_OP_CSRRS, 10, 0xf14, 0));
  kernel_add(k, word_u(SL_OP_LUI, 16, (DATA + FLOW_TABLES) >> 12));
  kernel_add(k, word_u(SL_OP_LUI, 11, DATA >> 12));
  kernel_add(k, word_u(SL_OP_LUI, 2, (DATA + FLOW_STACKS) >> 12));
  kernel_add(k, word_i(SL_OP_SLLI, 13, 10, 6));
  kernel_add(k, word_r(SL_OP_ADD, 11, 11, 13));
  kernel_add(k, word_r(SL_OP_ADD, 2, 2, 13));
  kernel_add(k, word_r(SL_OP_ADD, 2, 2, 13));
  kernel_add(k, word_i(SL_OP_ADDI, 2, 2, FLOW_STACK));
  for (unsigned reg = 5; reg < 10; reg++)
    kernel_add(k, word_i(reg % 2 ? SL_OP_XORI : SL_OP_ADDI, reg, 10, (int)random_below(&f->seed, 60) - 30));
  kernel_add(k, word_i(SL_OP_SLLI, 15, 10, (int)random_below(&f->seed, 6)));
  kernel_add(k, word_i(SL_OP_ADDI, 12, 0, FLOW_FUEL));
}

/* The exit: lanes reconverge at the end of a nested statement or by a return; then the registers go to memory. */
static inline void flow_exit(struct flow *f)
{
  struct kernel *k = f->k;
  f->block[FLOW_BLOCKS] = k->end;
  kernel_add(k, f->marked ? sl_op_info(SL_OP_POP)->match : word_i(SL_OP_ADDI, 0, 0, 0));
  kernel_add(k, word_u(SL_OP_AUIPC, 1, 0));
  kernel_add(k, word_i(SL_OP_ADDI, 1, 1, 12));
  kernel_add(k, word_i(SL_OP_JALR, 0, 1, 0));
  for (unsigned i = 0; i < FLOW_RESULTS; i++)
    kernel_add(k, word_s(SL_OP_SW, i + 1 < FLOW_RESULTS ? 5 + i : 15, 11, 16 + 4 * (int)i));
  kernel_add(k, END);
}

static inline void flow_tables(struct flow *f)
{
  for (unsigned i = 0; i < 20; i++) {
    const uint32_t target =
        i < 16 ? f->block[random_below(&f->seed, FLOW_BLOCKS)] : f->function[1 + (i + 2) % (FLOW_FUNCTIONS - 1)];
    sl_memory_store(&f->k->memory, DATA + FLOW_TABLES + 4 * i, 4, target);
  }
}

/* Makes the program of a seed, with marks around the body or without, and its tables. */
static inline void flow_write(struct flow *f, struct kernel *k, uint64_t seed, bool marked)
{
  *f = (struct flow){.k = k, .seed = seed, .marked = marked};
  flow_prologue(f);
  kernel_add(k, marked ? sl_op_info(SL_OP_PUSH)->match : word_i(SL_OP_ADDI, 0, 0, 0));
  const uint32_t entry = k->end; /* a call of the body, after the functions */
  kernel_add(k, 0);
  flow_functions(f);
  sl_simtight.life.write_instruction(&k->sm->base, entry, word_j(SL_OP_JAL, 1, (int)(k->end - entry)));
  for (unsigned i = 0; i < FLOW_BLOCKS; i++)
    flow_block(f, i);
  flow_exit(f);
  for (unsigned i = 0; i < f->fixes; i++) {
    const int offset = (int)(f->block[f->fix[i].block] - f->fix[i].at);
    const uint32_t word = f->fix[i].jump
                              ? word_j(SL_OP_JAL, 0, offset)
                              : f->fix[i].word | (word_b(SL_OP_BEQ, 0, 0, offset) ^ word_b(SL_OP_BEQ, 0, 0, 0));
    sl_simtight.life.write_instruction(&k->sm->base, f->fix[i].at, word);
  }
  flow_tables(f);
}

/* ---- one thread after the other ---------------------------------------------------------------------------------- */

struct flow_thread {
  uint32_t x[32], pc;
};

static inline bool flow_taken(const struct sl_insn *in, uint32_t a, uint32_t b)
{
  switch (in->op) {
  case SL_OP_BEQ: return a == b;
  case SL_OP_BNE: return a != b;
  case SL_OP_BLT: return (int32_t)a < (int32_t)b;
  case SL_OP_BGE: return (int32_t)a >= (int32_t)b;
  case SL_OP_BLTU: return a < b;
  default: return a >= b;
  }
}

static inline uint32_t flow_result(const struct sl_insn *in, uint32_t pc, uint32_t a, uint32_t b)
{
  switch (in->op) {
  case SL_OP_ADDI: return a + in->imm;
  case SL_OP_ANDI: return a & in->imm;
  case SL_OP_XORI: return a ^ in->imm;
  case SL_OP_SLLI: return a << (in->imm & 31);
  case SL_OP_LUI: return in->imm;
  case SL_OP_AUIPC: return pc + in->imm;
  case SL_OP_ADD: return a + b;
  case SL_OP_SUB: return a - b;
  case SL_OP_XOR: return a ^ b;
  case SL_OP_AND: return a & b;
  case SL_OP_OR: return a | b;
  case SL_OP_SLT: return (int32_t)a < (int32_t)b;
  case SL_OP_SLTU: return a < b;
  default: fail_msg("the interpreter does not know instruction 0x%08x", (unsigned)in->word); return 0;
  }
}

/* Runs one thread to its end on its own memory. */
static inline void flow_interpret(const struct kernel *k, struct sl_memory *memory, uint32_t hart)
{
  struct flow_thread t = {.pc = k->spec.code_base};
  for (unsigned steps = 0; steps < 100000; steps++) {
    const struct sl_insn *in = sl_code_at(&k->sm->warps.code, t.pc);
    const uint32_t a = t.x[in->rs1], b = t.x[in->rs2];
    uint32_t next = t.pc + 4, value = t.pc + 4;
    if (in->word == END)
      return;
    switch ((enum sl_kind)in->kind) {
    case SL_KIND_BRANCH: next = flow_taken(in, a, b) ? t.pc + in->imm : next; break;
    case SL_KIND_JAL: next = t.pc + in->imm; break;
    case SL_KIND_JALR: next = (a + in->imm) & ~1u; break;
    case SL_KIND_LOAD: value = sl_memory_load(memory, a + in->imm, 4); break;
    case SL_KIND_STORE: sl_memory_store(memory, a + in->imm, 4, b); break;
    case SL_KIND_CSR: value = hart; break;
    case SL_KIND_PUSH:
    case SL_KIND_POP: break;
    default: value = flow_result(in, t.pc, a, b); break;
    }
    if (in->rd != 0 && in->kind != SL_KIND_BRANCH && in->kind != SL_KIND_STORE)
      t.x[in->rd] = value;
    t.pc = next;
  }
  fail_msg("thread %u does not end", hart);
}

#endif
