/* The compressed register file: its values, compared with a plain one, and its timing (specification, section 9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registers.h"

enum { WARPS = 4, REGISTERS = WARPS * SL_REGISTERS };

static struct file *make(unsigned lanes, unsigned slots, bool affine)
{
  const struct sl_register_file_spec spec = {
      .lanes = lanes, .warps = WARPS, .slots = slots, .affine = affine, .once = true};
  return file_create(&spec);
}

static struct file *make_published(void)
{
  return make(32, REGISTERS, true);
}

/* ---- values, against a plain register file ----------------------------------------------------------------------- */

enum held { COMPRESSED, VECTOR, SPILLED };

struct plain {
  uint32_t value[WARPS][SL_REGISTERS][SL_MAX_LANES];
  enum held held[WARPS][SL_REGISTERS];
  bool no_operand[WARPS][SL_REGISTERS]; /* a 0 that is not accepted as a scalar operand */
};

/* The compression rule, in bits: uniform; or each lane has its number times the stride in the low bits, and the same
 * upper bits. */
static bool compressible(const uint32_t *v, unsigned lanes, bool affine)
{
  for (unsigned stride = 0; stride <= (affine ? 4u : 0u); stride += stride ? stride : 1) {
    bool fits = true;
    for (unsigned l = 0; l < lanes; l++)
      fits &= v[l] == (stride ? (v[0] & ~(lanes * stride - 1)) | l * stride : v[0]);
    if (fits)
      return true;
  }
  return false;
}

/* Uniform, affine with compressed and other strides, aligned or not, each of these with one different lane, and general
 * values. */
static void choose_values(uint64_t *seed, unsigned lanes, uint32_t *v)
{
  static const uint32_t strides[] = {0, 0, 1, 2, 4, 4, 3, 8, UINT32_MAX};
  const uint32_t stride = strides[random_below(seed, 9)];
  uint32_t base = random_below(seed, 4) ? random32(seed) : random_below(seed, 2) * lanes * stride;
  if (random_below(seed, 4))
    base &= ~(lanes * (stride & 7) - (stride != 0));
  for (unsigned l = 0; l < lanes; l++)
    v[l] = base + l * stride;
  switch (random_below(seed, 6)) {
  case 0: v[random_below(seed, lanes)] += 1; break;
  case 1: v[random_below(seed, lanes)] ^= UINT32_C(1) << random_below(seed, 32); break;
  case 2:
    for (unsigned l = 0; l < lanes; l++)
      v[l] = random32(seed);
    break;
  default: break;
  }
}

static void check_register(struct file *f, const struct plain *p, unsigned w, unsigned r)
{
  const struct sl_warp_registers *held = &f->file.warp[w];
  assert_int_equal(held->vector >> r & 1, p->held[w][r] == VECTOR);
  assert_int_equal(held->spilled >> r & 1, p->held[w][r] == SPILLED);
  assert_int_equal(sl_register_file_scalars(held) >> r & 1, p->held[w][r] == COMPRESSED && !p->no_operand[w][r]);
  assert_int_equal(held->affine >> r & 1,
                   p->held[w][r] == COMPRESSED && p->value[w][r][0] != p->value[w][r][f->file.spec.lanes - 1]);
  if (p->held[w][r] == SPILLED)
    return;
  for (unsigned l = 0; l < f->file.spec.lanes; l++)
    if (file_value(f, w, l, r) != p->value[w][r][l])
      fail_msg("warp %u, x%u, lane %u: 0x%08x instead of 0x%08x", w, r, l, file_value(f, w, l, r), p->value[w][r][l]);
}

/* No slot is lost or allocated twice. */
static void check_slots(const struct file *f)
{
  bool seen[REGISTERS] = {false};
  unsigned count = 0;
  for (unsigned i = 0; i < f->file.free_count; i++, count++) {
    assert_false(seen[f->file.free[i]]);
    seen[f->file.free[i]] = true;
  }
  for (unsigned w = 0; w < WARPS; w++)
    for (uint32_t rest = f->file.warp[w].vector; rest; rest &= rest - 1, count++) {
      const unsigned slot = f->file.warp[w].slot[sl_lowest(rest)];
      assert_false(seen[slot]);
      seen[slot] = true;
    }
  assert_int_equal(count, f->file.spec.slots);
  assert_int_equal(f->file.free_count + file_vectors(f), f->file.spec.slots);
}

static void check_all(struct file *f, const struct plain *p)
{
  check_slots(f);
  assert_int_equal(f->file.in_use, file_vectors(f));
  for (unsigned w = 0; w < WARPS; w++)
    for (unsigned r = 0; r < FILE_ADDRESS; r++) {
      check_register(f, p, w, r);
      for (unsigned l = 0; l < f->file.spec.lanes && p->held[w][r] != SPILLED; l++)
        assert_int_equal(file_expanded(f, w, l, r), p->value[w][r][l]);
    }
}

/* Spilling writes a vector to memory: its lanes must not be read afterwards. */
static void spill(struct file *f, struct plain *p, uint64_t *seed, int64_t now)
{
  unsigned w = random_below(seed, WARPS), r = 1 + random_below(seed, FILE_ADDRESS - 1);
  for (; p->held[w][r] != VECTOR; r = 1 + r % (FILE_ADDRESS - 1))
    w = r == 1 ? (w + 1) % WARPS : w;
  sl_register_file_evict(&f->file, w, r, now);
  p->held[w][r] = SPILLED;
  f->threads.ops->fill(sl_path_warps_registers(&f->threads, w) + ((size_t)r << f->threads.lane_bits), 0xdead0000, 3,
                       f->file.spec.lanes);
}

static void write(struct file *f, struct plain *p, unsigned w, unsigned r, sl_lanes active, const uint32_t *v,
                  int64_t now)
{
  const bool all = active == f->threads.all;
  for (unsigned l = 0; l < f->file.spec.lanes; l++)
    if (active >> l & 1)
      p->value[w][r][l] = v[l];
  file_load(f, w, r, active, v, now);
  p->held[w][r] = all && compressible(v, f->file.spec.lanes, f->file.spec.affine) ? COMPRESSED : VECTOR;
  p->no_operand[w][r] = p->held[w][r] == COMPRESSED && v[0] == 0 && v[f->file.spec.lanes - 1] == 0;
}

static void write_scalar(struct file *f, struct plain *p, unsigned w, unsigned r, uint32_t value, int64_t now)
{
  file_set_scalar(f, w, r, value, now);
  for (unsigned l = 0; l < f->file.spec.lanes; l++)
    p->value[w][r][l] = value;
  p->held[w][r] = COMPRESSED;
  p->no_operand[w][r] = false;
}

static int64_t settle(struct file *f, int64_t now)
{
  for (unsigned i = 0; i < 3; i++)
    sl_register_file_clock(&f->file, now++);
  assert_true(sl_register_file_settled(&f->file));
  return now;
}

static void write_at_random(unsigned lanes, unsigned slots, bool affine, uint64_t seed)
{
  struct file *f = make(lanes, slots, affine);
  struct plain *p = calloc(1, sizeof *p);
  assert_non_null(p);
  uint32_t v[SL_MAX_LANES];
  int64_t now = 4;
  for (unsigned step = 0; step < 1500; step++) {
    const unsigned w = random_below(&seed, WARPS), r = 1 + random_below(&seed, FILE_ADDRESS - 1);
    sl_lanes active = f->threads.all & (random_below(&seed, 3) ? ~UINT64_C(0) : random64(&seed));
    active = active ? active : sl_bit(random_below(&seed, lanes));
    if (f->file.free_count == 0) {
      spill(f, p, &seed, now);
      now = settle(f, now);
    }
    if (p->held[w][r] == SPILLED && active != f->threads.all) { /* its other lanes must be read back first */
      write(f, p, w, r, f->threads.all, p->value[w][r], now);
      now = settle(f, now);
    }
    choose_values(&seed, lanes, v);
    if (f->file.free_count > 0 && random_below(&seed, 5))
      write(f, p, w, r, active, v, now);
    else
      write_scalar(f, p, w, r, random_below(&seed, 2) ? v[0] : 0, now);
    now = settle(f, now);
    check_register(f, p, w, r);
    if (step % 50 == 0)
      check_all(f, p);
  }
  check_all(f, p);
  free(p);
  file_free(f);
}

static void every_value_written_is_read(void **state)
{
  (void)state;
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2)
    for (unsigned affine = 0; affine < 2; affine++) {
      write_at_random(lanes, REGISTERS, affine, lanes);
      write_at_random(lanes, 24, affine, lanes + 100);
    }
}

static void expect_held(struct file *f, uint32_t first, uint32_t step, bool compressed)
{
  static const unsigned reg = 7;
  file_set(f, 1, reg, first, step, 0);
  if (file_compressed(f, 1, reg) != compressed)
    fail_msg("0x%x + lane * %d: %s", first, (int)step, compressed ? "takes a slot" : "is compressed");
  if (compressed) {
    assert_int_equal(f->file.warp[1].base[reg], first);
    assert_int_equal(f->file.warp[1].stride[reg], step);
    assert_int_equal(f->file.warp[1].affine >> reg & 1, step != 0);
  }
}

/* A base is a multiple of lanes * stride. */
static void affine_vectors_are_compressed_when_aligned(void **state)
{
  (void)state;
  struct file *f = make_published();
  expect_held(f, 12345, 0, true);
  for (uint32_t stride = 1; stride <= 4; stride *= 2) {
    expect_held(f, 0, stride, true);
    expect_held(f, 32 * stride * 77, stride, true);
    expect_held(f, UINT32_MAX - 32 * stride + 1, stride, true);
    expect_held(f, 1, stride, false);
    expect_held(f, 16 * stride, stride, false);
    expect_held(f, 32 * stride - stride, stride, false);
  }
  expect_held(f, 0, 3, false);
  expect_held(f, 0, 8, false);
  expect_held(f, 0, UINT32_MAX, false);
  file_free(f);
}

static void only_uniform_vectors_are_compressed_without_affine_compression(void **state)
{
  (void)state;
  struct file *f = make(32, REGISTERS, false);
  expect_held(f, 12345, 0, true);
  for (uint32_t stride = 1; stride <= 4; stride *= 2)
    expect_held(f, 32 * stride, stride, false);
  file_free(f);
}

static void one_differing_lane_makes_a_vector(void **state)
{
  (void)state;
  struct file *f = make_published();
  for (unsigned l = 0; l < 32; l++)
    for (unsigned stride = 0; stride <= 4; stride += stride ? stride : 1) {
      uint32_t v[32];
      for (unsigned i = 0; i < 32; i++)
        v[i] = 1024 + i * stride + (i == l);
      file_load(f, 0, 9, f->threads.all, v, 0);
      assert_false(file_compressed(f, 0, 9));
    }
  file_free(f);
}

static void a_write_of_some_lanes_makes_a_vector_of_new_and_old_values(void **state)
{
  (void)state;
  struct file *f = make_published();
  uint32_t v[32];
  for (unsigned i = 0; i < 32; i++)
    v[i] = 5;
  file_set(f, 0, 9, 5, 0, 0);
  assert_true(file_compressed(f, 0, 9));
  file_load(f, 0, 9, f->threads.all & ~sl_bit(31), v, 0); /* still uniform */
  assert_false(file_compressed(f, 0, 9));
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(file_value(f, 0, l, 9), 5);
  file_set(f, 0, 9, 256, 4, 0);
  file_load(f, 0, 9, 0xff00, v, 0);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(file_value(f, 0, l, 9), l >= 8 && l < 16 ? 5 : 256 + 4 * l);
  file_free(f);
}

static void a_compressible_write_frees_the_vectors_slot(void **state)
{
  (void)state;
  struct file *f = make_published();
  const unsigned before = f->file.free_count;
  file_set(f, 2, 9, 1, 3, 0);
  assert_int_equal(f->file.free_count, before - 1);
  file_set(f, 2, 9, 1, 5, 0);
  assert_int_equal(f->file.free_count, before - 1); /* it keeps its slot */
  file_set(f, 2, 9, 1, 0, 0);
  assert_int_equal(f->file.free_count, before);
  file_set(f, 2, 9, 1, 3, 0);
  file_set_scalar(f, 2, 9, 1, 0);
  assert_int_equal(f->file.free_count, before);
  file_free(f);
}

/* ---- scalar operands --------------------------------------------------------------------------------------------- */

static bool is_operand(const struct file *f, unsigned reg)
{
  return sl_register_file_scalars(&f->file.warp[0]) >> reg & 1;
}

static void zeros_of_initialisation_and_scalar_pipeline_are_operands(void **state)
{
  (void)state;
  struct file *f = make_published();
  assert_true(is_operand(f, 0));
  assert_true(is_operand(f, 9));
  file_set(f, 0, 9, 1, 3, 0);
  file_set_scalar(f, 0, 9, 0, 0);
  assert_true(is_operand(f, 9));
  file_free(f);
}

static void a_zero_of_the_vector_pipeline_is_compressed_but_not_an_operand(void **state)
{
  (void)state;
  struct file *f = make_published();
  file_set(f, 0, 9, 0, 0, 0);
  assert_true(file_compressed(f, 0, 9));
  assert_false(is_operand(f, 9));
  file_set(f, 0, 9, 1, 0, 0);
  assert_true(is_operand(f, 9));
  file_set(f, 0, 9, 0, 4, 0); /* starts with 0, but is not accepted */
  assert_true(is_operand(f, 9));
  file_set(f, 0, 9, 0, 0, 0);
  file_set_scalar(f, 0, 9, 0, 0);
  assert_true(is_operand(f, 9));
  file_free(f);
}

static void a_new_kernel_finds_uniform_zeros(void **state)
{
  (void)state;
  struct file *f = make_published();
  file_set(f, 0, 9, 0, 0, 10);
  file_set(f, 3, 9, 1, 3, 11);
  file_set(f, 3, 10, 0, 4, 12);
  sl_register_file_evict(&f->file, 3, 9, 13);
  sl_register_file_start(&f->file);
  assert_int_equal(f->file.free_count, REGISTERS);
  assert_int_equal(f->file.in_use, 0);
  assert_int_equal(f->file.most, 0);
  assert_true(sl_register_file_settled(&f->file));
  for (unsigned w = 0; w < WARPS; w++)
    for (unsigned r = 0; r < SL_REGISTERS; r++) {
      assert_true(sl_register_file_scalars(&f->file.warp[w]) >> r & 1);
      for (unsigned l = 0; l < 32; l++)
        assert_int_equal(file_expanded(f, w, l, r), 0);
    }
  file_free(f);
}

static void a_spilled_register_comes_back_with_any_write_of_all_lanes(void **state)
{
  (void)state;
  struct file *f = make_published();
  const unsigned before = f->file.free_count;
  for (unsigned i = 0; i < 3; i++) {
    file_set(f, 0, 9, 1, 3, 0);
    sl_register_file_evict(&f->file, 0, 9, 0);
    assert_true(f->file.warp[0].spilled == file_bit(9));
    assert_false(is_operand(f, 9));
    assert_int_equal(f->file.free_count, before);
    if (i < 2)
      file_set(f, 0, 9, 8, i ? 0 : 3, 0);
    else
      file_set_scalar(f, 0, 9, 8, 0);
    assert_true(f->file.warp[0].spilled == 0);
    assert_int_equal(file_compressed(f, 0, 9), i > 0);
    assert_int_equal(file_value(f, 0, 0, 9), 8);
  }
  file_free(f);
}

static void abandoned_vectors_free_their_slots(void **state)
{
  (void)state;
  struct file *f = make_published();
  file_set(f, 1, 8, 1, 3, 4);
  file_set(f, 1, 9, 1, 3, 5);
  file_set(f, 2, 9, 1, 3, 6);
  for (int64_t c = 4; c < 10; c++)
    sl_register_file_clock(&f->file, c);
  const unsigned before = f->file.in_use;
  sl_register_file_abandon(&f->file, 1, 10);
  for (int64_t c = 10; c < 13; c++)
    sl_register_file_clock(&f->file, c);
  assert_int_equal(f->file.in_use, before - 3); /* with the address register */
  assert_true(f->file.warp[1].vector == 0);
  assert_false(file_compressed(f, 2, 9));
  check_slots(f);
  file_free(f);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

/* Advances to the end of cycle `last`. */
static void clock_to(struct file *f, int64_t *now, int64_t last)
{
  while (*now <= last)
    sl_register_file_clock(&f->file, (*now)++);
}

static void a_vector_is_counted_from_the_third_cycle_after_its_write(void **state)
{
  (void)state;
  for (int64_t w = 4; w < 8; w++) {
    struct file *f = make_published();
    const unsigned before = f->file.in_use;
    int64_t now = 4;
    clock_to(f, &now, w - 1);
    file_set(f, 0, 9, 1, 3, w);
    clock_to(f, &now, w + 1);
    assert_int_equal(f->file.in_use, before); /* visible in w + 2 */
    assert_false(sl_register_file_settled(&f->file));
    clock_to(f, &now, w + 2);
    assert_int_equal(f->file.in_use, before + 1);
    assert_true(sl_register_file_settled(&f->file));
    assert_int_equal(f->file.most, before + 1);
    file_free(f);
  }
}

static void a_freed_slot_is_also_counted_from_the_third_cycle(void **state)
{
  (void)state;
  for (unsigned spilled = 0; spilled < 2; spilled++) {
    struct file *f = make_published();
    int64_t now = 4;
    file_set(f, 0, 9, 1, 3, 4);
    clock_to(f, &now, 9);
    const unsigned before = f->file.in_use;
    if (spilled)
      sl_register_file_evict(&f->file, 0, 9, 10);
    else
      file_set(f, 0, 9, 1, 0, 10);
    clock_to(f, &now, 11);
    assert_int_equal(f->file.in_use, before);
    clock_to(f, &now, 12);
    assert_int_equal(f->file.in_use, before - 1);
    assert_int_equal(f->file.most, before);
    file_free(f);
  }
}

/* The scalar pipeline writes without a comparison first. */
static void a_slot_freed_by_the_scalar_pipeline_is_counted_a_cycle_earlier(void **state)
{
  (void)state;
  struct file *f = make_published();
  int64_t now = 4;
  file_set(f, 0, 9, 1, 3, 4);
  clock_to(f, &now, 9);
  const unsigned before = f->file.in_use;
  file_set_scalar(f, 0, 9, 1, 10);
  clock_to(f, &now, 10);
  assert_int_equal(f->file.in_use, before);
  clock_to(f, &now, 11);
  assert_int_equal(f->file.in_use, before - 1);
  file_free(f);
}

/* One slot allocated and one freed in the same cycle. */
static void changes_in_one_cycle_are_summed(void **state)
{
  (void)state;
  struct file *f = make_published();
  int64_t now = 4;
  file_set(f, 0, 9, 1, 3, 4);
  clock_to(f, &now, 9);
  const unsigned before = f->file.in_use;
  file_set(f, 1, 9, 1, 3, 10);
  clock_to(f, &now, 10);
  file_set_scalar(f, 0, 9, 1, 11);
  clock_to(f, &now, 11);
  assert_int_equal(f->file.in_use, before);
  clock_to(f, &now, 12);
  assert_int_equal(f->file.in_use, before);
  assert_true(sl_register_file_settled(&f->file));
  assert_int_equal(f->file.most, before);
  file_free(f);
}

static void a_write_delays_a_result_for_its_register_two_cycles(void **state)
{
  (void)state;
  for (int64_t w = 10; w < 14; w++) {
    struct file *f = make_published();
    file_set(f, 2, 9, 7, 0, w);
    for (int64_t c = w + 1; c <= w + 2; c++) {
      assert_true(sl_register_file_blocks(&f->file, 2, 9, c));
      assert_false(sl_register_file_blocks(&f->file, 2, 8, c));
      assert_false(sl_register_file_blocks(&f->file, 1, 9, c));
      assert_false(sl_register_file_blocks(&f->file, 0, 0, c));
    }
    assert_false(sl_register_file_blocks(&f->file, 2, 9, w + 3));
    file_free(f);
  }
}

static void consecutive_writes_each_delay_their_register(void **state)
{
  (void)state;
  struct file *f = make_published();
  file_set(f, 2, 9, 7, 0, 10);
  file_set(f, 3, 9, 7, 0, 11);
  assert_true(sl_register_file_blocks(&f->file, 2, 9, 12));
  assert_true(sl_register_file_blocks(&f->file, 3, 9, 12));
  assert_false(sl_register_file_blocks(&f->file, 2, 9, 13));
  assert_true(sl_register_file_blocks(&f->file, 3, 9, 13));
  assert_false(sl_register_file_blocks(&f->file, 3, 9, 14));
  file_free(f);
}

/* A result for x0 passes through the write pipeline without a write. */
static void writes_of_x0_and_evictions_are_in_the_write_pipeline(void **state)
{
  (void)state;
  struct file *f = make_published();
  const unsigned before = f->file.free_count;
  file_set(f, 2, 0, 1, 3, 10);
  assert_true(sl_register_file_blocks(&f->file, 2, 0, 12));
  assert_false(sl_register_file_blocks(&f->file, 2, 0, 13));
  assert_int_equal(f->file.free_count, before);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(file_value(f, 2, l, 0), 0);
  file_set(f, 2, 9, 1, 3, 20);
  sl_register_file_evict(&f->file, 2, 9, 30);
  assert_true(sl_register_file_blocks(&f->file, 2, 9, 32));
  assert_false(sl_register_file_blocks(&f->file, 2, 9, 33));
  file_free(f);
}

static void a_kernel_starts_without_delays(void **state)
{
  (void)state;
  struct file *f = make_published();
  file_set(f, 0, 0, 7, 0, 0);
  file_set(f, 2, 9, 7, 0, 1);
  sl_register_file_start(&f->file);
  for (int64_t c = 0; c < 4; c++) {
    assert_false(sl_register_file_blocks(&f->file, 0, 0, c));
    assert_false(sl_register_file_blocks(&f->file, 2, 9, c));
  }
  file_free(f);
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

/* The first sample is that of the 2049th cycle, number 2048. */
static void slots_in_use_are_sampled_every_2049_cycles(void **state)
{
  (void)state;
  struct file *f = make_published();
  const uint64_t in_use = f->file.in_use;
  int64_t now = 4;
  for (uint64_t n = 1; n <= 5; n++) {
    clock_to(f, &now, 2049 * (int64_t)n - 2);
    assert_true(f->file.samples == (n - 1) * in_use);
    clock_to(f, &now, 2049 * (int64_t)n - 1);
    assert_true(f->file.samples == n * in_use);
  }
  file_free(f);
}

static void a_sample_has_the_slots_of_its_cycle(void **state)
{
  (void)state;
  for (int64_t w = 2045; w <= 2046; w++) { /* seen from 2048 on, and from 2049 on */
    struct file *f = make_published();
    const uint64_t before = f->file.in_use;
    int64_t now = 4;
    clock_to(f, &now, w - 1);
    file_set(f, 0, 9, 1, 3, w);
    clock_to(f, &now, 2100);
    assert_true(f->file.samples == before + (w == 2045));
    file_free(f);
  }
}

static void skipped_cycles_are_sampled(void **state)
{
  (void)state;
  struct file *stepped = make_published(), *skipped = make_published();
  int64_t now = 4;
  clock_to(stepped, &now, 20000);
  sl_register_file_clock(&skipped->file, 20000);
  assert_true(stepped->file.samples == skipped->file.samples);
  assert_true(stepped->file.samples == 9 * (uint64_t)stepped->file.in_use);
  assert_int_equal(stepped->file.series.count, skipped->file.series.count);
  assert_memory_equal(stepped->file.series.value, skipped->file.series.value, sizeof stepped->file.series.value);
  file_free(stepped);
  file_free(skipped);
}

/* In the middle of each window of 64 cycles, the number of vectors differs for a few cycles. */
static unsigned peak(int64_t window)
{
  return (unsigned)(window * window + window / 7) % 11;
}

static void expect_series(const struct sl_series *s, int64_t end, unsigned base)
{
  const int64_t windows = (int64_t)s->period / 64;
  assert_true(sl_is_pow2(s->period) && s->count <= SL_SERIES_SIZE);
  assert_true(s->period == 64 || s->count >= SL_SERIES_SIZE / 2); /* no coarser than necessary */
  assert_true(s->count * (int64_t)s->period <= end && (s->count + 1) * (int64_t)s->period >= end);
  for (unsigned i = 0; i < s->count; i++) {
    unsigned most = 0;
    for (int64_t w = i * windows; w < (i + 1) * windows; w++)
      most = peak(w) > most ? peak(w) : most;
    assert_int_equal(s->value[i], base + most);
  }
}

static void the_series_keeps_the_greatest_values_and_doubles_its_period(void **state)
{
  (void)state;
  struct file *f = make_published();
  const unsigned base = f->file.in_use;
  int64_t now = 4;
  for (int64_t window = 0; window < 1400; window++) {
    const int64_t middle = 64 * window + 20;
    clock_to(f, &now, middle - 1);
    for (unsigned r = 0; r < peak(window); r++)
      file_set(f, r % WARPS, 1 + r, 1, 3, middle);
    clock_to(f, &now, middle + 9);
    for (unsigned r = 0; r < peak(window); r++)
      file_set(f, r % WARPS, 1 + r, 1, 0, middle + 10);
    clock_to(f, &now, middle + 40);
    if (window % 50 == 49 || window / 10 == 25)
      expect_series(&f->file.series, middle + 40, base);
  }
  assert_true(f->file.series.period == 512); /* 1400 * 64 cycles in 128 to 256 values */
  file_free(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_written_is_read),
      cmocka_unit_test(affine_vectors_are_compressed_when_aligned),
      cmocka_unit_test(only_uniform_vectors_are_compressed_without_affine_compression),
      cmocka_unit_test(one_differing_lane_makes_a_vector),
      cmocka_unit_test(a_write_of_some_lanes_makes_a_vector_of_new_and_old_values),
      cmocka_unit_test(a_compressible_write_frees_the_vectors_slot),
      cmocka_unit_test(zeros_of_initialisation_and_scalar_pipeline_are_operands),
      cmocka_unit_test(a_zero_of_the_vector_pipeline_is_compressed_but_not_an_operand),
      cmocka_unit_test(a_new_kernel_finds_uniform_zeros),
      cmocka_unit_test(a_spilled_register_comes_back_with_any_write_of_all_lanes),
      cmocka_unit_test(abandoned_vectors_free_their_slots),
      cmocka_unit_test(a_vector_is_counted_from_the_third_cycle_after_its_write),
      cmocka_unit_test(a_freed_slot_is_also_counted_from_the_third_cycle),
      cmocka_unit_test(a_slot_freed_by_the_scalar_pipeline_is_counted_a_cycle_earlier),
      cmocka_unit_test(changes_in_one_cycle_are_summed),
      cmocka_unit_test(a_write_delays_a_result_for_its_register_two_cycles),
      cmocka_unit_test(consecutive_writes_each_delay_their_register),
      cmocka_unit_test(writes_of_x0_and_evictions_are_in_the_write_pipeline),
      cmocka_unit_test(a_kernel_starts_without_delays),
      cmocka_unit_test(slots_in_use_are_sampled_every_2049_cycles),
      cmocka_unit_test(a_sample_has_the_slots_of_its_cycle),
      cmocka_unit_test(skipped_cycles_are_sampled),
      cmocka_unit_test(the_series_keeps_the_greatest_values_and_doubles_its_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
