/* Random kernels for SIMTight's SoC, written to two SMs: accesses, values, divergence and barriers in a loop. */
#ifndef SL_TEST_RANDOM_KERNEL_H
#define SL_TEST_RANDOM_KERNEL_H

#include "kernel.h"
#include "random.h"

enum { FIRST = 8, REGISTERS = 8 /* registers of random instructions */ };

/* x5: a word of each thread in DRAM, x6: one in the scratchpad, x7: counts iterations down. */
enum { DATA_BYTES = 0x10100, SCRATCHPAD_BYTES = 0x4100 };

enum { IN_DRAM = 5, IN_SCRATCHPAD = 6, ITERATIONS = 7, SCRATCH = 30 };

struct random_kernel {
  const struct sl_machine *machine;
  struct sl_sm *sm[2];
  uint32_t code_base, end;
  uint64_t random;
  unsigned iterations; /* of the loop, at least */
};

static inline unsigned below(struct random_kernel *k, unsigned n)
{
  return random_below(&k->random, n);
}

static inline void add(struct random_kernel *k, uint32_t word)
{
  for (unsigned i = 0; i < 2; i++)
    k->machine->life.write_instruction(k->sm[i], k->end, word);
  k->end += 4;
}

static inline unsigned any_register(struct random_kernel *k)
{
  return FIRST + below(k, REGISTERS);
}

static inline void add_access(struct random_kernel *k)
{
  static const unsigned loads[] = {SL_OP_LW, SL_OP_LH, SL_OP_LBU}, stores[] = {SL_OP_SW, SL_OP_SH, SL_OP_SB};
  const unsigned base = below(k, 3) ? IN_SCRATCHPAD : IN_DRAM, width = below(k, 2) ? 0 : below(k, 3);
  const int offset = (int)below(k, 16) * 4;
  if (below(k, 2))
    add(k, word_i(loads[width], any_register(k), base, offset));
  else
    add(k, word_s(stores[width], any_register(k), base, offset));
  if (base == IN_SCRATCHPAD && below(k, 3) == 0)
    add(k, word_r(SL_OP_AMOADD, below(k, 2) ? any_register(k) : 0, IN_SCRATCHPAD, any_register(k)));
}

static inline void add_value(struct random_kernel *k)
{
  static const unsigned ops[] = {SL_OP_ADD, SL_OP_SUB,   SL_OP_XOR, SL_OP_SLTU,
                                 SL_OP_MUL, SL_OP_MULHU, SL_OP_SLL, SL_OP_SRA};
  if (below(k, 24) == 0)
    add(k, word_r(below(k, 2) ? SL_OP_DIVU : SL_OP_REM, any_register(k), any_register(k), any_register(k)));
  else
    add(k, word_r(ops[below(k, 8)], any_register(k), any_register(k), any_register(k)));
}

static inline void add_instructions(struct random_kernel *k, unsigned count)
{
  while (count-- > 0)
    if (below(k, 3) == 0)
      add_access(k);
    else
      add_value(k);
}

/* Lanes with arbitrary comparisons skip some instructions. */
static inline void add_divergence(struct random_kernel *k)
{
  static const unsigned branches[] = {SL_OP_BEQ, SL_OP_BLT, SL_OP_BGEU};
  const unsigned skipped = 1 + below(k, 4);
  add(k, sl_op_info(SL_OP_PUSH)->match);
  add(k, word_b(branches[below(k, 3)], any_register(k), any_register(k), 4 + 4 * (int)skipped));
  for (unsigned i = 0; i < skipped; i++)
    add_value(k);
  add(k, sl_op_info(SL_OP_POP)->match);
}

static inline void add_constant(struct random_kernel *k, unsigned reg, uint32_t value)
{
  const uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
  add(k, word_u(SL_OP_LUI, reg, (value - low) >> 12));
  add(k, word_i(SL_OP_ADDI, reg, reg, (int)low));
}

/* Register `reg` = base + (hart * stride & mask), other registers from the hart. */
static inline void add_address(struct random_kernel *k, unsigned reg, uint32_t base, uint32_t stride, uint32_t mask)
{
  add(k, word_csr(SL_OP_CSRRS, reg, 0xf14, 0));
  add_constant(k, SCRATCH, stride);
  add(k, word_r(SL_OP_MUL, reg, reg, SCRATCH));
  add_constant(k, SCRATCH, mask);
  add(k, word_r(SL_OP_AND, reg, reg, SCRATCH));
  add_constant(k, SCRATCH, base);
  add(k, word_r(SL_OP_ADD, reg, reg, SCRATCH));
}

static inline void add_kernel(struct random_kernel *k)
{
  static const uint32_t strides[] = {0, 4, 8, 64, 132};
  k->end = k->code_base;
  add_address(k, IN_DRAM, DATA, strides[below(k, 5)], 0xfffc);
  add_address(k, IN_SCRATCHPAD, SCRATCHPAD, strides[below(k, 5)], 0x3ffc);
  for (unsigned r = 0; r < REGISTERS; r++)
    add_address(k, FIRST + r, r, 1 + r * r, 0xff);
  add_constant(k, ITERATIONS, k->iterations + below(k, 4));
  const uint32_t loop = k->end;
  const unsigned parts = 1 + below(k, 4);
  for (unsigned i = 0; i < parts; i++) {
    add_instructions(k, below(k, 12));
    if (below(k, 2))
      add_divergence(k);
    if (below(k, 4) == 0)
      add(k, BARRIER);
  }
  add(k, word_i(SL_OP_ADDI, ITERATIONS, ITERATIONS, -1));
  add(k, word_b(SL_OP_BNE, ITERATIONS, 0, (int)(loop - k->end)));
  add(k, END);
}

/* Compares the memory that random kernels use. */
static inline void compare_memory(const struct sl_memory memory[2])
{
  static uint8_t byte[2][DATA_BYTES];
  for (unsigned i = 0; i < 2; i++)
    sl_memory_read(&memory[i], DATA, byte[i], DATA_BYTES);
  assert_memory_equal(byte[0], byte[1], DATA_BYTES);
  for (unsigned i = 0; i < 2; i++)
    sl_memory_read(&memory[i], SCRATCHPAD, byte[i], SCRATCHPAD_BYTES);
  assert_memory_equal(byte[0], byte[1], SCRATCHPAD_BYTES);
}

/* Copies it from the first memory to the second. */
static inline void copy_memory(struct sl_memory memory[2])
{
  static uint8_t byte[DATA_BYTES];
  sl_memory_read(&memory[0], DATA, byte, DATA_BYTES);
  sl_memory_write(&memory[1], DATA, byte, DATA_BYTES);
  sl_memory_read(&memory[0], SCRATCHPAD, byte, SCRATCHPAD_BYTES);
  sl_memory_write(&memory[1], SCRATCHPAD, byte, SCRATCHPAD_BYTES);
}

/* The number of kernels: fewer in sanitized builds. */
static inline unsigned kernels(unsigned all)
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  return brief != NULL && *brief != 0 ? all / 6 : all;
}

#endif
