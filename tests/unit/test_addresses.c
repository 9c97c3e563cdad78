/* Addresses of a memory instruction: stack interleaving, address patterns, and sets of lanes by address.
 *
 * Interleaving (specification, section 5; 32 lanes, 64 warps, 512 KiB of stack): addresses whose bits 31..19 are all
 * ones map to 0xC0000000 | a[18:2]<<13 | warp<<7 | lane<<2 | a[1:0]. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/lanes.h"
#include "random.h"

enum { WARP = 37 };

static const struct sl_stack_map published = {
    .virtual_base = 0xfff80000, .physical_base = 0xc0000000, .lane0 = WARP << 7, .slot_shift = 13};

/* Addresses of `width` bytes computed from base registers. */
static struct sl_addresses compute(const struct sl_lane_ops *ops, const uint32_t *base, int imm, unsigned width,
                                   sl_lanes active, uint32_t *address, unsigned lanes)
{
  const struct sl_insn in = {.imm = (uint32_t)imm, .width = (uint8_t)width};
  struct sl_addresses s;
  memset(address, 0xee, SL_MAX_LANES * sizeof *address);
  ops->addresses(base, &in, active, &published, address, &s, lanes);
  return s;
}

static void stack_words_of_a_warp_are_one_block(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t base[32], address[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    base[l] = 0xfffffff8; /* the initial stack pointer */
  const struct sl_addresses s = compute(sl_lane_ops(32), base, 0, 4, 0xffffffff, address, 32);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(address[l], 0xc0000000u | 0x1fffeu << 13 | WARP << 7 | l << 2);
  assert_true(s.consecutive);
  assert_int_equal(s.first % 128, 0);
}

static void bytes_of_a_stack_word_stay_together(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t base[32] = {0}, address[SL_MAX_LANES];
  for (int byte = 0; byte < 4; byte++) {
    compute(sl_lane_ops(32), base, -4 + byte, 1, 0xffffffff, address, 32);
    for (unsigned l = 0; l < 32; l++)
      assert_int_equal(address[l], 0xc0000000u | 0x1ffffu << 13 | WARP << 7 | l << 2 | (unsigned)byte);
  }
}

static void stacks_begin_at_their_virtual_base(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t base[32], address[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    base[l] = l % 2 ? 0xfff80000 : 0xfff7fffc;
  compute(sl_lane_ops(32), base, 0, 4, 0xffffffff, address, 32);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(address[l], l % 2 ? 0xc0000000u | WARP << 7 | l << 2 : 0xfff7fffcu);
}

static void inactive_lanes_take_the_first_active_address(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t base[32], address[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    base[l] = 0x90000000 + 64 * l;
  const struct sl_addresses s = compute(sl_lane_ops(32), base, 4, 4, 0x00f0, address, 32);
  for (unsigned l = 0; l < 32; l++)
    assert_int_equal(address[l], l >= 4 && l < 8 ? 0x90000004 + 64 * l : 0x90000104);
  assert_int_equal(s.first, 0x90000104);
  assert_int_equal(s.low, 0x90000104);
  assert_int_equal(s.high, 0x900001c4);
}

static void unit_strides_are_consecutive_under_any_mask(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (unsigned i = 0; i < 300; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t base[SL_MAX_LANES], address[SL_MAX_LANES];
    const unsigned width = 1u << i % 3, lanes = 1u << random_below(&seed, 7);
    for (unsigned l = 0; l < SL_MAX_LANES; l++)
      base[l] = 0x90000000 + l * width;
    const sl_lanes active = (random64(&seed) & sl_low_bits(lanes)) | 1;
    assert_true(compute(sl_lane_ops(lanes), base, 0, width, active, address, lanes).consecutive);
    const unsigned last = sl_highest(active);
    base[last] += width; /* one lane at another address */
    assert_true(compute(sl_lane_ops(lanes), base, 0, width, active, address, lanes).consecutive == (last == 0));
  }
}

static void one_misaligned_active_lane_is_detected(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t base[32], address[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    base[l] = 0x90000000 + 4 * l;
  base[19] += 2;
  const struct sl_lane_ops *ops = sl_lane_ops(32);
  assert_true(compute(ops, base, 0, 4, 0xffffffff, address, 32).misaligned);
  assert_false(compute(ops, base, 0, 4, ~sl_bit(19) & 0xffffffff, address, 32).misaligned);
  assert_false(compute(ops, base, 0, 2, 0xffffffff, address, 32).misaligned);
  assert_true(compute(ops, base, 1, 2, 0xffffffff, address, 32).misaligned);
  assert_false(compute(ops, base, 1, 1, 0xffffffff, address, 32).misaligned);
}

/* The rules above, lane by lane. */
static void check_reference(const struct sl_lane_ops *ops, uint64_t *seed, unsigned lanes)
{
  _Alignas(SL_CACHE_LINE) uint32_t base[SL_MAX_LANES] = {0}, address[SL_MAX_LANES];
  const unsigned width = 1u << random_below(seed, 3), kind = random_below(seed, 4);
  const int imm = (int)random_below(seed, 4096) - 2048;
  const sl_lanes random = random64(seed) & sl_low_bits(lanes), active = random ? random : sl_low_bits(lanes);
  const uint32_t first = random32(seed);
  for (unsigned l = 0; l < lanes; l++)
    base[l] = kind == 0 ? random32(seed) : kind == 1 ? first : kind == 2 ? first + l * width : 0xfff80000 + 4 * l;
  const struct sl_addresses s = compute(ops, base, imm, width, active, address, lanes);
  const unsigned lead = sl_lowest(active);
  uint32_t low = UINT32_MAX, high = 0, bits = 0, expected[SL_MAX_LANES];
  bool consecutive = true;
  for (unsigned l = 0; l < lanes; l++) {
    const uint32_t v = base[l] + (uint32_t)imm;
    const bool stack = v >> 19 == 0x1fff;
    expected[l] = stack ? 0xc0000000u | (v >> 2 & 0x1ffff) << 13 | WARP << 7 | l << 2 | (v & 3) : v;
  }
  for (unsigned l = 0; l < lanes; l++) {
    if (!(active >> l & 1))
      continue;
    assert_int_equal(address[l], expected[l]);
    low = expected[l] < low ? expected[l] : low;
    high = expected[l] > high ? expected[l] : high;
    bits |= expected[l] % width;
    consecutive &= expected[l] == expected[lead] + (l - lead) * width;
  }
  assert_int_equal(s.low, low);
  assert_int_equal(s.high, high);
  assert_int_equal(s.first, expected[lead]);
  assert_true(s.misaligned == (bits != 0));
  assert_true(s.consecutive == consecutive);
}

static void random_addresses_agree_with_the_reference(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (unsigned i = 0; i < 20000; i++) {
    const unsigned lanes = 1u << (i / 2 % 7);
    check_reference(i % 2 ? sl_lane_ops(lanes) : sl_lane_ops_portable(lanes), &seed, lanes);
  }
}

static void sets_by_address_agree_with_their_definition(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (unsigned i = 0; i < 5000; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t address[SL_MAX_LANES];
    const unsigned lanes = 1u << (i / 2 % 7);
    const struct sl_lane_ops *ops = i % 2 ? sl_lane_ops(lanes) : sl_lane_ops_portable(lanes);
    const uint32_t base = 0xbfff0000, size = 1u << random_below(&seed, 8), stride = random_below(&seed, 3);
    for (unsigned l = 0; l < lanes; l++)
      address[l] = base - 4 + random_below(&seed, 12) + (random_below(&seed, 2) ? l * stride : 0);
    const sl_lanes equal = ops->equal(address, base, lanes), within = ops->within(address, base, size, lanes),
                   strided = ops->strided(address, base, stride, lanes);
    assert_int_equal((equal | within | strided) & ~sl_low_bits(lanes), 0);
    for (unsigned l = 0; l < lanes; l++) {
      assert_true((equal >> l & 1) == (address[l] == base));
      assert_true((within >> l & 1) == (address[l] >= base && address[l] < base + size));
      assert_true((strided >> l & 1) == (address[l] == base + l * stride));
    }
  }
}

/* One address, consecutive words, or these with one other lane: the shape, and base + imm of each lane. */
static void shapes_agree_with_their_definition(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (unsigned i = 0; i < 6000; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t base[SL_MAX_LANES], address[SL_MAX_LANES];
    const unsigned lanes = 1u << (i / 2 % 7);
    const struct sl_lane_ops *ops = i % 2 ? sl_lane_ops(lanes) : sl_lane_ops_portable(lanes);
    const uint32_t first = (uint32_t)random64(&seed), imm = (uint32_t)random64(&seed), stride = i % 3 * 4;
    for (unsigned l = 0; l < lanes; l++)
      base[l] = first + l * stride;
    if (i % 5 == 0)
      base[random64(&seed) % lanes] ^= 1u << random64(&seed) % 32;
    bool same = true, row = true;
    for (unsigned l = 0; l < lanes; l++) {
      same &= base[l] == base[0];
      row &= base[l] == base[0] + 4 * l;
    }
    assert_int_equal(ops->shape(base, imm, address, lanes), same ? SL_SHAPE_SAME : row ? SL_SHAPE_ROW : SL_SHAPE_OTHER);
    for (unsigned l = 0; l < lanes; l++)
      assert_int_equal(address[l], base[l] + imm);
  }
}

static void a_broadcast_changes_only_active_lanes(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (unsigned i = 0; i < 2000; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t d[SL_MAX_LANES + 1];
    const unsigned lanes = 1u << (i / 2 % 7);
    const struct sl_lane_ops *ops = i % 2 ? sl_lane_ops(lanes) : sl_lane_ops_portable(lanes);
    const sl_lanes active = i % 3 ? random64(&seed) & sl_low_bits(lanes) : sl_low_bits(lanes);
    for (unsigned l = 0; l <= SL_MAX_LANES; l++)
      d[l] = 0x0dd00000 + l;
    ops->broadcast(d, 0x12345678, active, lanes);
    for (unsigned l = 0; l <= SL_MAX_LANES; l++)
      assert_int_equal(d[l], l < lanes && (active >> l & 1) ? 0x12345678 : 0x0dd00000 + l);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stack_words_of_a_warp_are_one_block),
      cmocka_unit_test(bytes_of_a_stack_word_stay_together),
      cmocka_unit_test(stacks_begin_at_their_virtual_base),
      cmocka_unit_test(inactive_lanes_take_the_first_active_address),
      cmocka_unit_test(unit_strides_are_consecutive_under_any_mask),
      cmocka_unit_test(one_misaligned_active_lane_is_detected),
      cmocka_unit_test(random_addresses_agree_with_the_reference),
      cmocka_unit_test(sets_by_address_agree_with_their_definition),
      cmocka_unit_test(shapes_agree_with_their_definition),
      cmocka_unit_test(a_broadcast_changes_only_active_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
