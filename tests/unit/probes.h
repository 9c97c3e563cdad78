/* Checks of single instructions in a program: a row of the table on its corner operands with several choices of
 * registers, with results from scalar.h. */
#ifndef SL_TESTS_PROBES_H
#define SL_TESTS_PROBES_H

#include "floats.h"
#include "programs.h"
#include "scalar.h"

static const uint32_t corner_integers[] = {0,  1,  0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, 2,
                                           31, 32, 0xffff,     0x8000,     0x55555555, 0x7fff,     0xaaaaaaaa};

/* Zeros, ones, infinities, quiet and signalling NaNs, limits, subnormals, limits of the integers, halves. */
static const uint32_t probe_floats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbfc00000, 0x7f800000, 0xff800000,
                                        0x7fc00000, 0x7f800001, 0x7f7fffff, 0x80000001, 0x007fffff, 0x4f000000,
                                        0xcf000000, 0x80800000, 0x3f000000, 0x40490fdb, 0x4b800001, 0x4effffff,
                                        0x4f7fffff, 0x4f800000, 0xff7fffff, 0xffc00000, 0xff800001, 0x33800000};

enum {
  INTEGERS = sizeof corner_integers / sizeof corner_integers[0],
  FLOATS = sizeof probe_floats / sizeof probe_floats[0]
};

/* Destination and sources, with and without repeated registers. */
struct registers {
  unsigned d, a, b;
};

static const struct registers choices[] = {{10, 11, 12}, {13, 13, 14}, {15, 16, 15}, {17, 5, 5},
                                           {6, 6, 6},    {0, 7, 28},   {31, 1, 2}};

enum { CHOICES = sizeof choices / sizeof choices[0], FEW = 12 };

static inline uint32_t probe_operand(unsigned op, unsigned i, uint64_t *seed)
{
  const bool from_integer = op == SL_OP_FCVT_S_W || op == SL_OP_FCVT_S_WU;
  if (((unsigned)sl_op_info(op)->set & SL_ISA_SIMT_FPU) == 0 || from_integer)
    return i < INTEGERS ? corner_integers[i] : i < 2 * INTEGERS ? ~corner_integers[i - INTEGERS] : random32(seed);
  return i < FLOATS ? probe_floats[i] : random_float(seed, random32(seed));
}

static inline void add_case(struct cases *c, uint32_t a, uint32_t b, uint32_t expected)
{
  c->a[c->count] = a;
  c->b[c->count] = b;
  c->expected[c->count++] = expected;
}

/* All pairs of the first corners, then random pairs of corners and other numbers; or a few of these only. */
static inline struct cases operand_pairs(unsigned op, bool few, bool same, uint32_t imm, uint64_t *seed)
{
  struct cases c = {0};
  const unsigned corners = 13, total = few ? FEW : 200;
  for (unsigned i = 0; i < total; i++) {
    const bool pair = !few && i < corners * corners;
    const uint32_t a = probe_operand(op, pair ? i / corners : random_below(seed, 36), seed);
    const uint32_t b = same ? a : probe_operand(op, pair ? i % corners : random_below(seed, 36), seed);
    add_case(&c, a, b, scalar_operation(op, a, b, imm, 0));
  }
  return c;
}

static inline void no_destination(struct cases *c)
{
  for (unsigned i = 0; i < c->count; i++)
    c->expected[i] = 0;
}

/* The fields that rows of this format ignore or that SIMTight ignores: ordering of atomics, rounding modes. */
static inline uint32_t ignored_bits(unsigned op, uint64_t *seed)
{
  switch (sl_op_info(op)->format) {
  case SL_FORMAT_RM:
  case SL_FORMAT_R1M: return random_below(seed, 8) << 12;
  case SL_FORMAT_A:
  case SL_FORMAT_AL: return random_below(seed, 4) << 25;
  default: return 0;
  }
}

static inline void probe_registers(struct program *p, enum sl_op op, uint64_t *seed)
{
  const enum sl_format format = sl_op_info(op)->format;
  const bool one = format == SL_FORMAT_R1M;
  for (unsigned i = 0; i < CHOICES; i++) {
    const struct registers r = choices[i];
    struct cases c = operand_pairs(op, i > 0, r.a == r.b, 0, seed);
    if (r.d == 0)
      no_destination(&c);
    const struct loop loop = loop_begin(p, &c);
    loop_load(p, &loop, r.a, r.b);
    emit(p, word_r(op, r.d, r.a, one ? 0 : r.b) | ignored_bits(op, seed));
    emit_check(p, r.d);
    loop_end(p, &loop, 1);
  }
}

static inline void probe_immediates(struct program *p, enum sl_op op, uint64_t *seed)
{
  static const int immediates[] = {0, 1, -1, 2047, -2048, 1365, -1366, 31, 16};
  const bool shift = sl_op_info(op)->format == SL_FORMAT_SH;
  for (unsigned i = 0; i < sizeof immediates / sizeof immediates[0]; i++) {
    const int imm = shift ? immediates[i] & 31 : immediates[i];
    const struct registers r = choices[i % CHOICES];
    struct cases c = operand_pairs(op, i > 0, false, (uint32_t)imm, seed);
    if (r.d == 0)
      no_destination(&c);
    const struct loop loop = loop_begin(p, &c);
    loop_load(p, &loop, r.a, r.a);
    emit(p, word_i(op, r.d, r.a, imm));
    emit_check(p, r.d);
    loop_end(p, &loop, 1);
  }
}

static inline void probe_upper(struct program *p, enum sl_op op)
{
  static const uint32_t immediates[] = {0, 1, 0x7ffff, 0x80000, 0xfffff, 0x12345};
  for (unsigned i = 0; i < 6; i++) {
    const unsigned d = choices[i].d;
    emit_constant(p, EXPECTED, d == 0 ? 0 : scalar_operation(op, 0, 0, immediates[i] << 12, program_pc(p) + 8));
    emit(p, word_u(op, d, immediates[i]));
    emit_check_once(p, d);
  }
}

/* A jump forwards over a failure, then one backwards. */
static inline void probe_jal(struct program *p, enum sl_op op)
{
  for (unsigned d = 0; d < 2; d++) {
    emit_constant(p, EXPECTED, d == 0 ? 0 : program_pc(p) + 12);
    emit(p, word_j(op, d, 8));
    emit_jump(p, p->fail);
    emit_check_once(p, d);
    emit_constant(p, EXPECTED, d == 0 ? 0 : program_pc(p) + 20);
    emit_jump(p, p->count + 2);
    emit_jump(p, p->count + 3);
    emit(p, word_j(op, d, -4));
    emit_jump(p, p->fail);
    emit_check_once(p, d);
  }
}

/* Lanes with an odd thread number jump further. */
static inline void probe_scattered_jump(struct program *p, enum sl_op op)
{
  emit(p, word_i(SL_OP_ANDI, EXPECTED, THREAD, 1));
  emit(p, word_i(SL_OP_SLLI, 10, EXPECTED, 3));
  emit_constant(p, 11, program_pc(p) + (p->host ? 16 : 20));
  emit(p, word_r(SL_OP_ADD, 11, 11, 10));
  emit_nest(p, SL_OP_PUSH);
  emit(p, word_i(op, 12, 11, 0));
  emit(p, word_i(SL_OP_ADDI, 13, 0, 0));
  emit_jump(p, p->count + 2);
  emit(p, word_i(SL_OP_ADDI, 13, 0, 1));
  emit_nest(p, SL_OP_POP);
  emit_check_once(p, 13);
}

/* Bit 0 of the target is cleared. */
static inline void probe_jalr(struct program *p, enum sl_op op)
{
  static const int immediates[] = {0, 1, -1, 2047, -2048, 4};
  for (unsigned i = 0; i < 6; i++) {
    const struct registers r = choices[i];
    const uint32_t target = program_pc(p) + 24;
    emit_constant(p, EXPECTED, r.d == 0 ? 0 : target - 4);
    emit_constant(p, r.a, target + (i & 1) - (uint32_t)immediates[i]);
    emit(p, word_i(op, r.d, r.a, immediates[i]));
    emit_jump(p, p->fail);
    emit_check_once(p, r.d);
  }
  probe_scattered_jump(p, op);
}

static inline void emit_branch_forwards(struct program *p, enum sl_op op, struct registers r)
{
  emit(p, word_i(SL_OP_ADDI, 30, 0, 1));
  emit_nest(p, SL_OP_PUSH);
  emit(p, word_b(op, r.a, r.b, 8));
  emit(p, word_i(SL_OP_ADDI, 30, 0, 0));
  emit_nest(p, SL_OP_POP);
}

static inline void emit_branch_backwards(struct program *p, enum sl_op op, struct registers r)
{
  emit(p, word_i(SL_OP_ADDI, 30, 0, 0));
  emit_nest(p, SL_OP_PUSH);
  emit_jump(p, p->count + 3);
  emit(p, word_i(SL_OP_ADDI, 30, 0, 1));
  emit_jump(p, p->count + 2);
  emit(p, word_b(op, r.a, r.b, -8));
  emit_nest(p, SL_OP_POP);
}

static inline void probe_branch(struct program *p, enum sl_op op, uint64_t *seed)
{
  for (unsigned i = 0; i < 4; i++) {
    const struct registers r = choices[i];
    const struct cases c = operand_pairs(op, i > 1, r.a == r.b, 0, seed);
    const struct loop loop = loop_begin(p, &c);
    loop_load(p, &loop, r.a, r.b);
    if (i % 2)
      emit_branch_backwards(p, op, r);
    else
      emit_branch_forwards(p, op, r);
    emit_check(p, 30);
    loop_end(p, &loop, 1);
  }
}

/* Byte i of the loaded data; every width covers both signs. */
static inline uint32_t pattern_byte(unsigned i)
{
  return (i * 37 + (i & 4 ? 128 : 0) + 0x7e) & 0xff;
}

static inline uint32_t loaded(unsigned op, unsigned offset)
{
  const bool is_signed = op == SL_OP_LB || op == SL_OP_LH;
  const unsigned width = op == SL_OP_LW ? 4 : op == SL_OP_LH || op == SL_OP_LHU ? 2 : 1;
  uint64_t value = 0;
  for (unsigned i = 0; i < width; i++)
    value += (uint64_t)pattern_byte(offset + i) << 8 * i;
  const uint64_t top = UINT64_C(1) << (8 * width - 1);
  return (uint32_t)(is_signed && value >= top ? value - 2 * top : value);
}

static inline void probe_load(struct program *p, enum sl_op op)
{
  static const int immediates[] = {0, 4, -4, 2047, -2048, 1, -1};
  const unsigned width = sl_decode(sl_op_info(op)->match, SL_ISA_I).width;
  for (unsigned i = 0; i < 7; i++) {
    const struct registers r = choices[i];
    struct cases c = {0};
    for (unsigned offset = 0; offset < 32; offset += width) {
      add_case(&c, PATTERN + offset - (uint32_t)immediates[i], 0, loaded(op, offset));
      add_case(&c, PATTERN_SCRATCHPAD + offset - (uint32_t)immediates[i], 0, loaded(op, offset));
    }
    if (r.d == 0)
      no_destination(&c);
    const struct loop loop = loop_begin(p, &c);
    loop_load(p, &loop, r.a, r.a);
    emit(p, word_i(op, r.d, r.a, immediates[i]));
    emit_check(p, r.d);
    loop_end(p, &loop, 1);
  }
}

/* a, with the bytes at the offset replaced by those of b. */
static inline uint32_t stored(uint32_t a, uint32_t b, unsigned offset, unsigned width)
{
  uint64_t word = 0;
  for (unsigned i = 0; i < 4; i++) {
    const bool new = i >= offset &&i < offset + width;
    word += (uint64_t)(new ? b >> 8 * (i - offset) & 0xff : a >> 8 * i & 0xff) << 8 * i;
  }
  return (uint32_t)word;
}

static inline void probe_store_at(struct program *p, enum sl_op op, uint32_t own, unsigned offset, int imm,
                                  uint64_t *seed)
{
  const unsigned width = sl_decode(sl_op_info(op)->match, SL_ISA_I).width;
  struct cases c = {0};
  for (unsigned i = 0; i < FEW; i++) {
    const uint32_t a = random32(seed), b = random32(seed);
    add_case(&c, a, b, stored(a, b, offset, width));
  }
  emit_own(p, OWN, own);
  emit_constant(p, T1, offset - (uint32_t)imm);
  emit(p, word_r(SL_OP_ADD, BASE, OWN, T1));
  const struct loop loop = loop_begin(p, &c);
  loop_load(p, &loop, 10, 11);
  emit(p, word_s(SL_OP_SW, 10, OWN, 0));
  emit(p, word_s(op, 11, BASE, imm));
  emit(p, word_i(SL_OP_LW, 12, OWN, 0));
  emit_check(p, 12);
  loop_end(p, &loop, 1);
}

static inline void probe_store(struct program *p, enum sl_op op, uint64_t *seed)
{
  static const int immediates[] = {0, 4, 2047, -2048};
  const unsigned width = sl_decode(sl_op_info(op)->match, SL_ISA_I).width;
  for (unsigned offset = 0; offset < 4; offset += width)
    for (unsigned i = 0; i < 4; i++)
      probe_store_at(p, op, i % 2 ? OWN_SCRATCHPAD : OWN_DRAM, offset, immediates[i], seed);
}

/* In the scratchpad: the old value is returned, the new value is in memory. */
static inline void probe_atomic(struct program *p, enum sl_op op, uint64_t *seed)
{
  for (unsigned i = 0; i < 4; i++) {
    const struct registers r = choices[i == 2 ? 5 : i];
    struct cases c = operand_pairs(SL_OP_ADD, i > 0, false, 0, seed);
    for (unsigned k = 0; k < c.count; k++)
      c.expected[k] = scalar_atomic(op, c.a[k], c.b[k]);
    emit_own(p, OWN, OWN_SCRATCHPAD);
    const struct loop loop = loop_begin(p, &c);
    loop_load(p, &loop, 29, r.b == r.d ? 12 : r.b);
    emit(p, word_s(SL_OP_SW, 29, OWN, 0));
    emit(p, word_r(op, r.d, OWN, r.b == r.d ? 12 : r.b) | ignored_bits(op, seed));
    emit(p, word_i(SL_OP_LW, 30, OWN, 0));
    emit_check(p, 30);
    emit(p, word_i(SL_OP_ADDI, EXPECTED, r.d == 0 ? 0 : 29, 0));
    emit_check(p, r.d);
    loop_end(p, &loop, 2);
  }
  if (op != SL_OP_AMOADD)
    return;
  p->adds_to_shared = true;
  emit_constant(p, 10, SHARED);
  emit(p, word_i(SL_OP_ADDI, 11, 0, 1));
  emit(p, word_r(op, 0, 10, 11));
}

/* A load after it sees a store before it. */
static inline void probe_fence(struct program *p, enum sl_op op)
{
  emit_own(p, OWN, OWN_DRAM);
  emit_constant(p, EXPECTED, 0x600dbeef);
  emit(p, word_s(SL_OP_SW, EXPECTED, OWN, 0));
  emit(p, sl_op_info(op)->match | (op == SL_OP_FENCE ? 0x0ff00000 : 0));
  emit(p, word_i(SL_OP_LW, 10, OWN, 0));
  emit_check_once(p, 10);
}

/* Reads a CSR and writes nothing, or an ignored value. */
static inline void probe_csr_read(struct program *p, enum sl_op op, unsigned csr, unsigned source)
{
  emit(p, word_csr(op, 10, csr, source));
  emit_check_once(p, 10);
  emit(p, word_csr(op, 0, csr, source));
}

/* The value written to CSR 0x800 is printed; set and clear write nothing from x0 or 0. */
static inline void probe_csr(struct program *p, enum sl_op op)
{
  const bool immediate = sl_op_info(op)->format == SL_FORMAT_CI, replaces = op == SL_OP_CSRRW || op == SL_OP_CSRRWI;
  const bool clears = op == SL_OP_CSRRC || op == SL_OP_CSRRCI;
  const unsigned source = immediate ? 21 : 11;
  emit_constant(p, 11, 0x89abcdef);
  emit(p, word_i(SL_OP_ADDI, EXPECTED, THREAD, 0));
  probe_csr_read(p, op, 0xf14, source);
  probe_csr_read(p, op, 0xf14, 0);
  emit_constant(p, EXPECTED, CLOSURE);
  probe_csr_read(p, op, 0x831, source);
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 0));
  p->prints = 2;
  p->print_value = clears ? 0 : immediate ? 21 : 0x89abcdef;
  probe_csr_read(p, op, 0x800, source);
  if (!replaces && !p->host)
    probe_csr_read(p, op, 0x800, 0);
}

/* Two levels: 1 for even threads, 2 or 3 for odd ones. All lanes must reconverge, or the command fails. */
static inline void probe_nesting(struct program *p)
{
  emit(p, word_i(SL_OP_ANDI, 10, THREAD, 1));
  emit(p, word_i(SL_OP_ANDI, 11, THREAD, 2));
  emit(p, word_i(SL_OP_ADDI, 12, 0, 1));
  emit(p, sl_op_info(SL_OP_PUSH)->match);
  emit(p, word_b(SL_OP_BEQ, 10, 0, 24));
  emit(p, word_i(SL_OP_ADDI, 12, 0, 2));
  emit(p, sl_op_info(SL_OP_PUSH)->match | 10 << 15); /* as the published kernel library writes it */
  emit(p, word_b(SL_OP_BEQ, 11, 0, 8));
  emit(p, word_i(SL_OP_ADDI, 12, 0, 3));
  emit(p, sl_op_info(SL_OP_POP)->match | 10 << 15);
  emit(p, sl_op_info(SL_OP_POP)->match);
  emit(p, word_i(SL_OP_SRLI, EXPECTED, 11, 1));
  emit(p, word_r(SL_OP_AND, EXPECTED, EXPECTED, 10));
  emit(p, word_r(SL_OP_ADD, EXPECTED, EXPECTED, 10));
  emit(p, word_i(SL_OP_ADDI, EXPECTED, EXPECTED, 1));
  emit_check_once(p, 12);
}

/* Host only: a reservation holds for one store-conditional, at the same address. */
static inline void probe_reservation(struct program *p, uint64_t *seed)
{
  const uint32_t order = ignored_bits(SL_OP_LR, seed);
  emit_own(p, OWN, OWN_DRAM);
  emit_constant(p, EXPECTED, 0x1234abcd);
  emit(p, word_s(SL_OP_SW, EXPECTED, OWN, 0));
  emit(p, word_r(SL_OP_LR, 10, OWN, 0) | order);
  emit_check_once(p, 10);
  emit_constant(p, 11, 0x55667788);
  emit(p, word_r(SL_OP_SC, 12, OWN, 11) | order);
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 0));
  emit_check_once(p, 12);
  emit(p, word_r(SL_OP_SC, 12, OWN, 0));
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 1));
  emit_check_once(p, 12);
  emit(p, word_i(SL_OP_LW, 10, OWN, 0));
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 11, 0));
  emit_check_once(p, 10);
  emit(p, word_r(SL_OP_LR, 10, OWN, 0));
  emit(p, word_i(SL_OP_ADDI, BASE, OWN, 4));
  emit(p, word_r(SL_OP_SC, 12, BASE, 0));
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 1));
  emit_check_once(p, 12);
}

/* Host only: no effect. */
static inline void probe_flush(struct program *p)
{
  emit(p, sl_op_info(SL_OP_FLUSH)->match | 10 << 15);
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 0));
  emit_check_once(p, 0);
}

/* Votes on a predicate that all active lanes have, and the own bit of a ballot on the lowest bit of the thread's
 * number: they do not depend on how many lanes are active. Bit 1 of a predicate does not count. */
static inline void probe_vote(struct program *p, enum sl_op op)
{
  const uint32_t vote = sl_op_info(op)->match | 12u << 7 | 10u << 15;
  const bool ballot = op == SL_OP_VOTE_BALLOT || op == SL_OP_VOTE_LOW;
  for (int holds = 0; holds < 2; holds++) {
    emit(p, word_i(SL_OP_ADDI, 10, 0, 2 + holds));
    emit(p, vote);
    emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, op == SL_OP_VOTE_UNI || holds));
    if (op == SL_OP_VOTE_HIGH) /* of at most 32 lanes */
      emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 0));
    if (ballot)
      emit(p, word_r(SL_OP_SRL, 12, 12, THREAD));
    if (ballot)
      emit(p, word_i(SL_OP_ANDI, 12, 12, 1));
    emit_check_once(p, 12);
  }
  if (!ballot)
    return;
  emit(p, word_i(SL_OP_ADDI, 10, THREAD, 0));
  emit(p, vote);
  emit(p, word_r(SL_OP_SRL, 12, 12, THREAD));
  emit(p, word_i(SL_OP_ANDI, 12, 12, 1));
  emit(p, word_i(SL_OP_ANDI, EXPECTED, THREAD, 1));
  emit_check_once(p, 12);
}

/* Shuffles that read the own lane: by distance 0 (idx: by number), outside the warp, and in groups of one lane. */
static inline void probe_shuffle(struct program *p, enum sl_op op)
{
  enum { LAST = 63 << 6, ALONE = 63 << 12 };
  emit(p, word_i(SL_OP_ADDI, EXPECTED, THREAD, 77));
  emit(p, word_i(SL_OP_ADDI, 10, THREAD, 77));
  if (op == SL_OP_SHFL_IDX)
    emit(p, word_i(SL_OP_ANDI, 11, THREAD, 31));
  else
    emit(p, word_i(SL_OP_ADDI, 11, 0, 0));
  emit_constant(p, 12, LAST);
  emit(p, word_r(SL_OP_OR, 11, 11, 12));
  emit(p, word_r(op, 12, 10, 11));
  emit_check_once(p, 12);
  emit_constant(p, 11, LAST | 63);
  emit(p, word_r(op, 12, 10, 11));
  emit_check_once(p, 12);
  emit_constant(p, 11, ALONE | 1);
  emit(p, word_r(op, 12, 10, 11));
  if (op != SL_OP_SHFL_BFLY) /* its groups only have an end */
    emit_check_once(p, 12);
}

/* A wait for the own lane goes on at once. */
static inline void probe_sync(struct program *p, enum sl_op op)
{
  emit(p, word_i(SL_OP_ADDI, 10, 0, 1));
  emit(p, word_r(SL_OP_SLL, 10, 10, THREAD));
  emit(p, sl_op_info(op)->match | 10u << 15);
  emit(p, word_i(SL_OP_ADDI, EXPECTED, 0, 0));
  emit_check_once(p, 0);
}

/* The checks of a row. */
static inline void probe(struct program *p, enum sl_op op, uint64_t *seed)
{
  const struct sl_op_info *info = sl_op_info(op);
  switch (info->kind) {
  case SL_KIND_LOAD: probe_load(p, op); break;
  case SL_KIND_STORE: probe_store(p, op, seed); break;
  case SL_KIND_AMO: probe_atomic(p, op, seed); break;
  case SL_KIND_LRSC: probe_reservation(p, seed); break;
  case SL_KIND_FENCE: probe_fence(p, op); break;
  case SL_KIND_BRANCH: probe_branch(p, op, seed); break;
  case SL_KIND_JAL: probe_jal(p, op); break;
  case SL_KIND_JALR: probe_jalr(p, op); break;
  case SL_KIND_CSR: probe_csr(p, op); break;
  case SL_KIND_PUSH:
  case SL_KIND_POP: probe_nesting(p); break;
  case SL_KIND_FLUSH: probe_flush(p); break;
  case SL_KIND_WARP: probe_sync(p, op); break;
  case SL_KIND_VOTE:
    if (info->format == SL_FORMAT_R)
      probe_shuffle(p, op);
    else
      probe_vote(p, op);
    break;
  default:
    if (info->format == SL_FORMAT_U)
      probe_upper(p, op);
    else if (info->format == SL_FORMAT_I || info->format == SL_FORMAT_SH)
      probe_immediates(p, op, seed);
    else if (info->format == SL_FORMAT_R || info->format == SL_FORMAT_RM || info->format == SL_FORMAT_R1M)
      probe_registers(p, op, seed);
    break; /* a row of another format gets no check, which the test of coverage reports */
  }
}

#endif
