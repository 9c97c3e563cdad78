/* Execution on a compressed register file: scalar execution of one value equals execution lane by lane, and a plain
 * register file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registers.h"

enum { WARPS = 2, WARP = 1 };

/* Executes the same instructions on three register files. */
struct trio {
  struct file *once, *lanewise;
  struct file *plain; /* only its threads */
  int64_t now;
};

static struct file *make(unsigned lanes, bool once)
{
  const struct sl_register_file_spec spec = {
      .lanes = lanes, .warps = WARPS, .slots = WARPS * SL_REGISTERS, .affine = true, .once = once};
  return file_create(&spec);
}

static struct trio make_trio(unsigned lanes)
{
  return (struct trio){make(lanes, true), make(lanes, false), make(lanes, false), 4};
}

static void free_trio(struct trio *t)
{
  file_free(t->once);
  file_free(t->lanewise);
  file_free(t->plain);
}

static uint32_t *plain_register(struct trio *t, unsigned reg)
{
  return sl_path_warps_registers(&t->plain->threads, WARP) + ((size_t)reg << t->plain->threads.lane_bits);
}

static void clock_file(struct file *f, int64_t now)
{
  for (int64_t c = now; c < now + 3; c++)
    sl_register_file_clock(&f->file, c);
}

static void settle(struct trio *t)
{
  clock_file(t->once, t->now);
  clock_file(t->lanewise, t->now);
  t->now += 3;
}

static void set(struct trio *t, unsigned reg, uint32_t first, uint32_t step)
{
  file_set(t->once, WARP, reg, first, step, t->now);
  file_set(t->lanewise, WARP, reg, first, step, t->now);
  if (reg != 0)
    t->plain->threads.ops->fill(plain_register(t, reg), first, step, t->plain->threads.spec.lanes);
  settle(t);
}

static enum sl_effect execute_plain(struct file *f, sl_lanes lanes, uint32_t word)
{
  unsigned path;
  file_activate(f, WARP, lanes);
  sl_path_warps_write_code(&f->threads, FILE_PC, word);
  assert_true(sl_path_warps_fetch(&f->threads, WARP, &path, &f->ex));
  return sl_path_execute(&f->threads, WARP, path, &f->ex, &f->request);
}

static void expect_same_paths(const struct file *a, const struct file *b)
{
  const struct sl_paths *p = &a->threads.paths[WARP], *q = &b->threads.paths[WARP];
  assert_int_equal(p->count, q->count);
  for (unsigned i = 0; i < p->count; i++) {
    assert_true(p->path[i].lanes == q->path[i].lanes);
    assert_int_equal(p->path[i].pc, q->path[i].pc);
    assert_int_equal(p->path[i].level, q->path[i].level);
  }
}

static void expect_same_register(struct trio *t, unsigned reg, uint32_t word)
{
  const struct sl_warp_registers *a = &t->once->file.warp[WARP], *b = &t->lanewise->file.warp[WARP];
  const uint32_t bit = file_bit(reg);
  if (((a->vector ^ b->vector) | (a->affine ^ b->affine) | (a->zero ^ b->zero) | (a->spilled ^ b->spilled)) & bit)
    fail_msg("0x%08x: x%u is held in another way", word, reg);
  for (unsigned l = 0; l < t->plain->threads.spec.lanes; l++) {
    const uint32_t right = plain_register(t, reg)[l];
    if (file_value(t->once, WARP, l, reg) != right || file_value(t->lanewise, WARP, l, reg) != right)
      fail_msg("0x%08x: lane %u of x%u is 0x%08x done once, 0x%08x lane by lane, instead of 0x%08x", word, l, reg,
               file_value(t->once, WARP, l, reg), file_value(t->lanewise, WARP, l, reg), right);
  }
}

static void expect_same_registers(struct trio *t, uint32_t word)
{
  for (unsigned r = 0; r < SL_REGISTERS; r++) {
    expect_same_register(t, r, word);
    for (unsigned l = 0; l < t->plain->threads.spec.lanes; l++) {
      assert_int_equal(file_expanded(t->once, WARP, l, r), plain_register(t, r)[l]);
      assert_int_equal(file_expanded(t->lanewise, WARP, l, r), plain_register(t, r)[l]);
    }
  }
}

/* Whether the instruction's result is written back, now or later. */
static bool writes(const struct file *f)
{
  return f->ex.insn->rd != 0 && sl_writes_rd(f->ex.insn);
}

static void execute(struct trio *t, sl_lanes lanes, uint32_t word)
{
  const enum sl_effect effect = execute_plain(t->plain, lanes, word);
  assert_int_equal(file_execute(t->once, WARP, lanes, word), effect);
  assert_int_equal(file_execute(t->lanewise, WARP, lanes, word), effect);
  expect_same_paths(t->once, t->plain);
  expect_same_paths(t->lanewise, t->plain);
  if (effect == SL_EFFECT_FAULT) {
    assert_int_equal(t->once->threads.fault.kind, t->plain->threads.fault.kind);
    assert_true(t->once->threads.fault.lanes == t->plain->threads.fault.lanes);
    assert_int_equal(t->once->threads.fault.address, t->plain->threads.fault.address);
    return;
  }
  assert_int_equal(t->once->ex.jumped, t->plain->ex.jumped);
  if (!writes(t->plain))
    return;
  const unsigned rd = t->plain->ex.insn->rd;
  file_write_back(t->once, WARP, t->now);
  file_write_back(t->lanewise, WARP, t->now);
  settle(t);
  expect_same_register(t, rd, word);
}

/* ---- every instruction ------------------------------------------------------------------------------------------- */

struct registers {
  unsigned d, a, b;
};

static const struct registers choices[] = {{10, 11, 12}, {13, 13, 14}, {15, 16, 15}, {17, 5, 5},
                                           {6, 6, 6},    {0, 7, 28},   {9, 0, 8},    {9, 8, 0}};

enum { CHOICES = sizeof choices / sizeof choices[0] };

static bool computes(unsigned op)
{
  const enum sl_kind kind = sl_op_info(op)->kind;
  const bool row = (simtight_sets() & ~(unsigned)SL_ISA_HOST & (unsigned)sl_op_info(op)->set) != 0;
  return row && (kind == SL_KIND_ALU || kind == SL_KIND_MUL || kind == SL_KIND_DIV || kind == SL_KIND_FPU);
}

static uint32_t operand(uint64_t *seed)
{
  static const uint32_t corners[] = {0,          1,          2,          UINT32_MAX, 0x80000000, 0x7fffffff,
                                     0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 31,         0x4b800001};
  return random_below(seed, 3) ? corners[random_below(seed, 12)] : random32(seed);
}

/* A word of the row, with a valid immediate for its format. */
static uint32_t word_of(unsigned op, struct registers r, uint64_t *seed)
{
  switch (sl_op_info(op)->format) {
  case SL_FORMAT_U: return word_u((enum sl_op)op, r.d, random32(seed) >> 12);
  case SL_FORMAT_I: return word_i((enum sl_op)op, r.d, r.a, (int)random_below(seed, 4096) - 2048);
  case SL_FORMAT_SH: return word_i((enum sl_op)op, r.d, r.a, (int)random_below(seed, 32));
  case SL_FORMAT_R1M: return word_r((enum sl_op)op, r.d, r.a, 0);
  default: return word_r((enum sl_op)op, r.d, r.a, r.b);
  }
}

static void every_operation_on_uniform_operands(void **state)
{
  (void)state;
  uint64_t seed = 1;
  struct trio t = make_trio(32);
  for (unsigned op = 0; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; computes(op) && i < 10 * CHOICES; i++) {
      const struct registers r = choices[i % CHOICES];
      set(&t, r.a, operand(&seed), 0);
      set(&t, r.b, operand(&seed), 0);
      if (r.d != r.a && r.d != r.b)
        set(&t, r.d, 1, i / CHOICES % 4); /* over uniform, affine and general vectors */
      execute(&t, t.plain->threads.all, word_of(op, r, &seed));
      expect_same_register(&t, r.a, 0);
      expect_same_register(&t, r.b, 0);
    }
  expect_same_registers(&t, 0);
  free_trio(&t);
}

static void every_operation_on_affine_operands(void **state)
{
  (void)state;
  uint64_t seed = 2;
  struct trio t = make_trio(32);
  for (unsigned op = 0; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; computes(op) && i < 10 * CHOICES; i++) {
      const struct registers r = choices[i % CHOICES];
      const unsigned strides = 1 + random_below(&seed, 3); /* one of the two affine, or both */
      set(&t, r.a, operand(&seed) & ~UINT32_C(127), strides & 1 ? 1u << random_below(&seed, 3) : 0);
      set(&t, r.b, operand(&seed) & ~UINT32_C(127), strides & 2 ? 1u << random_below(&seed, 3) : 0);
      execute(&t, t.plain->threads.all, word_of(op, r, &seed));
      expect_same_register(&t, r.a, 0);
      expect_same_register(&t, r.b, 0);
    }
  expect_same_registers(&t, 0);
  free_trio(&t);
}

static void every_branch_on_uniform_operands(void **state)
{
  (void)state;
  uint64_t seed = 3;
  struct trio t = make_trio(32);
  for (unsigned op = 0; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; sl_op_info(op)->kind == SL_KIND_BRANCH && i < 100; i++) {
      set(&t, 11, operand(&seed), 0);
      set(&t, 12, random_below(&seed, 3) ? operand(&seed) : t.once->file.warp[WARP].base[11], 0);
      static const int offsets[] = {64, -64, 4, 4000}; /* the last jumps outside the program */
      execute(&t, t.plain->threads.all, word_b((enum sl_op)op, 11, i % 7 ? 12 : 0, offsets[i % 4]));
    }
  free_trio(&t);
}

static void jumps_and_their_links(void **state)
{
  (void)state;
  struct trio t = make_trio(32);
  const sl_lanes all = t.plain->threads.all;
  for (unsigned d = 0; d < 12; d += 11) {
    execute(&t, all, word_j(SL_OP_JAL, d, 64));
    execute(&t, all, word_j(SL_OP_JAL, d, -64));
    execute(&t, all, word_j(SL_OP_JAL, d, 1 << 16)); /* outside */
    set(&t, 11, FILE_PC + 12, 0);
    execute(&t, all, word_i(SL_OP_JALR, d, 11, 8)); /* with d = 11, the link replaces the target */
    set(&t, 11, FILE_PC + 13, 0);
    execute(&t, all, word_i(SL_OP_JALR, d, 11, -8)); /* bit 0 is cleared */
    set(&t, 11, 0x100, 0);
    execute(&t, all, word_i(SL_OP_JALR, d, 11, 0)); /* outside */
    set(&t, 11, FILE_PC - 64, 4);
    execute(&t, all, word_i(SL_OP_JALR, d, 11, 0)); /* each lane to another place */
  }
  expect_same_registers(&t, 0);
  free_trio(&t);
}

static void a_result_is_visible_only_after_write_back(void **state)
{
  (void)state;
  for (unsigned step = 0; step <= 4; step += 4) { /* over a uniform register and an affine one */
    struct trio t = make_trio(32);
    set(&t, 10, 1024, step);
    set(&t, 11, 77, 0);
    assert_int_equal(file_execute(t.once, WARP, t.once->threads.all, word_r(SL_OP_MUL, 10, 11, 11)), SL_EFFECT_RESULT);
    for (unsigned l = 0; l < 32; l++)
      assert_int_equal(file_value(t.once, WARP, l, 10), 1024 + l * step);
    file_write_back(t.once, WARP, t.now);
    for (unsigned l = 0; l < 32; l++)
      assert_int_equal(file_value(t.once, WARP, l, 10), 77 * 77);
    free_trio(&t);
  }
}

/* ---- affine additions -------------------------------------------------------------------------------------------- */

static void expect_sum(struct trio *t, uint32_t word, bool compressed)
{
  execute(t, t->plain->threads.all, word);
  assert_int_equal(file_compressed(t->once, WARP, t->plain->ex.insn->rd), compressed);
}

static void an_affine_sum_is_affine_while_its_base_stays_aligned(void **state)
{
  (void)state;
  for (unsigned lanes = 2; lanes <= 64; lanes *= 2) {
    struct trio t = make_trio(lanes);
    for (uint32_t stride = 1; stride <= 4; stride *= 2) {
      const uint32_t align = lanes * stride;
      set(&t, 11, align * 5, stride);
      set(&t, 12, align * 3, 0);
      set(&t, 13, align * 3 + stride, 0);
      set(&t, 14, 0u - align * 5, 0);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 12), true);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 12, 11), true);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 14), true);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 0), true);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 13), false);
      expect_sum(&t, word_r(SL_OP_ADD, 10, 13, 11), false);
      expect_sum(&t, word_i(SL_OP_ADDI, 10, 11, (int)align), true);
      expect_sum(&t, word_i(SL_OP_ADDI, 10, 11, -(int)align), true);
      expect_sum(&t, word_i(SL_OP_ADDI, 10, 11, 1), false);
      expect_sum(&t, word_i(SL_OP_ADDI, 11, 11, (int)align), true);
    }
    free_trio(&t);
  }
}

/* The entries do not show it, but the comparison of the values does. */
static void a_sum_of_two_affine_vectors_is_compared_like_any_other(void **state)
{
  (void)state;
  struct trio t = make_trio(32);
  set(&t, 11, 128, 1);
  set(&t, 12, 256, 2);
  set(&t, 13, 128, 4);
  expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 11), true); /* stride 2 */
  assert_int_equal(t.once->file.warp[WARP].stride[10], 2);
  expect_sum(&t, word_r(SL_OP_ADD, 10, 12, 12), true);
  expect_sum(&t, word_r(SL_OP_ADD, 10, 11, 12), false); /* stride 3 */
  expect_sum(&t, word_r(SL_OP_ADD, 10, 13, 13), false);
  expect_sum(&t, word_r(SL_OP_SUB, 10, 13, 12), true);
  free_trio(&t);
}

/* ---- random sequences -------------------------------------------------------------------------------------------- */

static unsigned any_register(uint64_t *seed)
{
  return random_below(seed, 12); /* few, so that results are used */
}

static uint32_t any_word(uint64_t *seed)
{
  const struct registers r = {any_register(seed), any_register(seed), any_register(seed)};
  static const enum sl_op branches[] = {SL_OP_BEQ, SL_OP_BNE, SL_OP_BLTU, SL_OP_BGE};
  switch (random_below(seed, 16)) {
  case 0: return word_s(SL_OP_SW, r.b, FILE_ADDRESS, 0);
  case 1: return word_i(SL_OP_LW, r.d, FILE_ADDRESS, 0);
  case 2: return word_i(SL_OP_LBU, r.d, FILE_ADDRESS, 1);
  case 3: return word_b(branches[random_below(seed, 4)], r.a, r.b, 64);
  case 4: return word_j(SL_OP_JAL, r.d, 64);
  case 5: return word_i(SL_OP_JALR, r.d, r.a, 0); /* rarely inside the program */
  case 6: return word_csr(SL_OP_CSRRS, r.d, 0xf14, 0);
  case 7: return word_i(SL_OP_ADDI, r.d, r.a, 0);
  case 8: return word_i(SL_OP_ADDI, r.d, 0, (int)random_below(seed, 8) * 32);
  case 9: return word_r(SL_OP_ADD, r.d, r.a, r.b);
  default:
    for (;;) {
      const unsigned op = random_below(seed, SL_OP_COUNT);
      if (computes(op))
        return word_of(op, r, seed);
    }
  }
}

static void random_instructions(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2) {
    struct trio t = make_trio(lanes);
    t.plain->threads.ops->fill(plain_register(&t, FILE_ADDRESS), FILE_DATA, 4, lanes);
    for (unsigned i = 0; i < 4000; i++) {
      sl_lanes active = t.plain->threads.all & (random_below(&seed, 4) ? ~UINT64_C(0) : random64(&seed));
      active = active ? active : sl_bit(random_below(&seed, lanes));
      const uint32_t word = any_word(&seed);
      execute(&t, active, word);
      if (i % 64 == 0)
        expect_same_registers(&t, word);
      for (unsigned l = 0; l < lanes; l++)
        assert_int_equal(sl_memory_load(&t.once->memory, FILE_DATA + 4 * l, 4),
                         sl_memory_load(&t.plain->memory, FILE_DATA + 4 * l, 4));
    }
    free_trio(&t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation_on_uniform_operands),
      cmocka_unit_test(every_operation_on_affine_operands),
      cmocka_unit_test(every_branch_on_uniform_operands),
      cmocka_unit_test(jumps_and_their_links),
      cmocka_unit_test(a_result_is_visible_only_after_write_back),
      cmocka_unit_test(an_affine_sum_is_affine_while_its_base_stays_aligned),
      cmocka_unit_test(a_sum_of_two_affine_vectors_is_compared_like_any_other),
      cmocka_unit_test(random_instructions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
