/* The lanes that one pass of the coalescing unit serves: its strategies (specification, section 5), with 32 lanes and
 * 64-byte beats unless stated otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "stepped_coalescer.h"

#define BLOCK UINT32_C(0x90000000) /* a DRAM address aligned to a block */
#define SCRATCHPAD UINT32_C(0xbfff0000)
#define ALL UINT64_C(0xffffffff)

struct unit {
  struct sl_coalescer coalescer;
  struct sl_request request;
};

static struct unit make_unit(unsigned lanes, unsigned width)
{
  struct unit u;
  const struct sl_coalescer_spec spec = {
      .lanes = lanes, .beat_bytes = 64, .fifo_depth = 32, .in_flight_depth = 32, .stack_base = 0xc0000000};
  sl_coalescer_init(&u.coalescer, &spec);
  memset(&u.request, 0, sizeof u.request);
  u.request.access = SL_ACCESS_LOAD;
  u.request.width = (uint8_t)width;
  u.request.pending = sl_low_bits(lanes);
  u.request.pattern = SL_PATTERN_ANY;
  return u;
}

/* Lane l at first + l * stride, all lanes of a 32-lane warp. */
static struct unit strided(unsigned width, uint32_t first, int stride)
{
  struct unit u = make_unit(32, width);
  for (unsigned l = 0; l < 32; l++)
    u.request.address[l] = first + (uint32_t)((int)l * stride);
  return u;
}

static void expect(struct unit *u, sl_lanes lanes, unsigned beats)
{
  const struct sl_selection s =
      sl_coalescer_select(&u->coalescer.spec, sl_lane_ops(u->coalescer.spec.lanes), &u->request);
  assert_true(s.lanes == lanes);
  assert_false(s.scratchpad);
  assert_int_equal(s.beats, beats);
}

static void one_address_is_one_beat(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK + 20, 0);
  expect(&u, ALL, 1);
  u.request.pattern = SL_PATTERN_SAME;
  expect(&u, ALL, 1);
}

static void same_address_serves_only_lanes_with_the_leaders(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK + 80, 0);
  for (unsigned l = 1; l < 32; l += 2)
    u.request.address[l] = BLOCK + 0x1000 + 80;
  expect(&u, 0x55555555, 1);
  u.request.pending = 0xaaaaaaaa; /* the second pass */
  expect(&u, 0xaaaaaaaa, 1);
}

/* The arithmetic unit at the memory's port updates a word once per pass. */
static void atomics_serve_a_block_or_the_leader_alone(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK + 20, 0);
  u.request.access = SL_ACCESS_ATOMIC;
  expect(&u, 1, 1);
  u.request.pattern = SL_PATTERN_SAME;
  expect(&u, 1, 1);
  u = strided(4, BLOCK, 4);
  u.request.access = SL_ACCESS_ATOMIC;
  expect(&u, ALL, 2);
  u.request.address[1] = BLOCK; /* the leader's word */
  expect(&u, ALL & ~UINT64_C(2), 2);
}

/* Byte addresses: neighbours in one word are different. Bytes 16 and 17 of a block belong to lanes 16 and 17 in byte
 * mode. */
static void same_address_compares_bytes_not_words(void **state)
{
  (void)state;
  struct unit u = strided(1, BLOCK + 16, 0);
  for (unsigned l = 1; l < 32; l += 2)
    u.request.address[l] = BLOCK + 18;
  expect(&u, 0x55555555, 1);
}

static void aligned_unit_stride_is_one_block(void **state)
{
  (void)state;
  struct unit words = strided(4, BLOCK, 4), halves = strided(2, BLOCK, 2), bytes = strided(1, BLOCK, 1);
  expect(&words, ALL, 2); /* 128 bytes in beats of 64 */
  expect(&halves, ALL, 1);
  expect(&bytes, ALL, 1);
  words.request.pattern = halves.request.pattern = bytes.request.pattern = SL_PATTERN_BLOCK;
  expect(&words, ALL, 2);
  expect(&halves, ALL, 1);
  expect(&bytes, ALL, 1);
}

/* Half mode covers either half of a block, byte mode each quarter. */
static void narrow_modes_cover_every_part_of_a_block(void **state)
{
  (void)state;
  struct unit halves = strided(2, BLOCK + 64, 2);
  expect(&halves, ALL, 1);
  for (uint32_t quarter = 0; quarter < 4; quarter++) {
    struct unit bytes = strided(1, BLOCK + 32 * quarter, 1);
    expect(&bytes, ALL, 1);
  }
}

static void word_mode_moves_two_beats_even_for_half_the_lanes(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 4);
  u.request.pending = 0x0000ffff;
  expect(&u, 0x0000ffff, 2);
  u.request.pending = 0x80000001;
  expect(&u, 0x80000001, 2);
}

static void narrow_accesses_a_word_apart_use_word_mode(void **state)
{
  (void)state;
  struct unit halves = strided(2, BLOCK + 2, 4), bytes = strided(1, BLOCK + 3, 4);
  expect(&halves, ALL, 2);
  expect(&bytes, ALL, 2);
}

/* Each lane addresses its word of the block, but another byte of it than the leader. */
static void word_mode_needs_the_leaders_byte_of_the_word(void **state)
{
  (void)state;
  struct unit u = strided(1, BLOCK, 4);
  u.request.address[7] += 1;
  expect(&u, ALL & ~sl_bit(7), 2);
}

/* Halfwords 2 bytes apart around lane 0: word mode would serve only the leader, so half mode is used. */
static void half_mode_is_used_when_word_mode_serves_the_leader_alone(void **state)
{
  (void)state;
  struct unit u = strided(2, BLOCK, 2);
  u.request.pending = 0x3;
  expect(&u, 0x3, 1);
}

static void offset_by_a_word_serves_the_leader_alone(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK + 4, 4);
  for (unsigned lead = 0; lead < 32; lead++) {
    u.request.pending = ALL & ~sl_low_bits(lead);
    expect(&u, sl_bit(lead), 1);
  }
}

static void other_strides_serve_the_leader_alone(void **state)
{
  (void)state;
  struct unit two = strided(4, BLOCK, 8), reversed = strided(4, BLOCK + 124, -4);
  expect(&two, 1, 1);
  expect(&reversed, 1, 1);
}

static void a_lone_leader_is_one_beat(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 4);
  u.request.pending = sl_bit(5);
  expect(&u, sl_bit(5), 1);
  u.request.pattern = SL_PATTERN_BLOCK;
  expect(&u, sl_bit(5), 1);
}

static void another_block_is_another_pass(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 4);
  for (unsigned l = 16; l < 32; l++)
    u.request.address[l] += 128;
  expect(&u, 0x0000ffff, 2);
  u.request.pending = 0xffff0000;
  expect(&u, 0xffff0000, 2);
}

static void the_block_strategy_precedes_the_same_address(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 0); /* lane 0 at its own word, all others at its address */
  u.request.address[9] = BLOCK + 36;    /* lane 9 at its own word, too */
  expect(&u, 0x201, 2);
}

static void the_scratchpad_gets_all_its_lanes_at_once(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 4);
  for (unsigned l = 0; l < 32; l += 3) {
    u.request.address[l] = SCRATCHPAD + 4 * (l * 7 % 32);
    u.request.scratchpad |= sl_bit(l);
  }
  const sl_lanes scratchpad = u.request.scratchpad;
  const struct sl_selection s = sl_coalescer_select(&u.coalescer.spec, sl_lane_ops(u.coalescer.spec.lanes), &u.request);
  assert_true(s.scratchpad);
  assert_true(s.lanes == scratchpad);
  u.request.pending = ALL & ~scratchpad; /* then the DRAM lanes */
  expect(&u, ALL & ~scratchpad, 2);
}

static void a_leader_in_dram_leaves_scratchpad_lanes_pending(void **state)
{
  (void)state;
  struct unit u = strided(4, BLOCK, 4);
  u.request.address[31] = SCRATCHPAD + 124;
  u.request.scratchpad = sl_bit(31);
  expect(&u, 0x7fffffff, 2);
}

/* Section 18: a block is lanes * 4 bytes, a word-mode transaction block / 64 beats, at least one. */
static void blocks_scale_with_the_lanes(void **state)
{
  (void)state;
  for (unsigned lanes = 2; lanes <= 64; lanes *= 2) {
    struct unit u = make_unit(lanes, 4);
    for (unsigned l = 0; l < lanes; l++)
      u.request.address[l] = BLOCK + 4 * lanes + 4 * l;
    expect(&u, sl_low_bits(lanes), lanes * 4 > 64 ? lanes * 4 / 64 : 1);
  }
}

/* ---- the rules, lane by lane ---- */

/* Whether lane l has the address that the mode of `unit` bytes requires, relative to address a. */
static bool in_block(const struct sl_request *r, unsigned l, uint32_t a, unsigned lanes, unsigned unit)
{
  const uint32_t v = r->address[l];
  return (r->pending >> l & 1) && v / (lanes * unit) == a / (lanes * unit) && v / unit % lanes == l &&
         v % unit == a % unit;
}

static sl_lanes block_lanes(const struct sl_request *r, uint32_t a, unsigned lanes, unsigned unit)
{
  sl_lanes set = 0;
  for (unsigned l = 0; l < lanes; l++)
    set |= in_block(r, l, a, lanes, unit) ? sl_bit(l) : 0;
  return set;
}

static sl_lanes reference(const struct sl_request *r, unsigned lanes)
{
  unsigned lead = 0;
  while (!(r->pending >> lead & 1))
    lead++;
  const uint32_t a = r->address[lead];
  sl_lanes block = block_lanes(r, a, lanes, 4);
  const bool useful = (block >> lead & 1) && block != sl_bit(lead);
  if (r->width == 2 && !useful)
    block = block_lanes(r, a, lanes, 2);
  else if (r->width == 1 && !useful)
    block = block_lanes(r, a, lanes, 1);
  if ((block >> lead & 1) && block != sl_bit(lead))
    return block;
  sl_lanes same = 0;
  for (unsigned l = 0; l < lanes; l++)
    if ((r->pending >> l & 1) && r->address[l] == a)
      same |= sl_bit(l);
  return same;
}

/* Addresses near each lane's own word of a block, so that every strategy occurs. */
static void randomise(struct unit *u, unsigned lanes, unsigned width, uint64_t *seed)
{
  const unsigned unit = 1u << random_below(seed, 3), mix = random_below(seed, 4);
  const uint32_t base = BLOCK + width * random_below(seed, 64);
  for (unsigned l = 0; l < lanes; l++) {
    const uint32_t near = base + l * (unit > width ? unit : width), any = BLOCK + width * random_below(seed, 80);
    u->request.address[l] = random_below(seed, 4) < mix ? any : near;
  }
}

static void random_requests_follow_the_rules(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 4000; round++) {
    const unsigned lanes = 1u << random_below(&seed, 7), width = 1u << random_below(&seed, 3);
    struct unit u = make_unit(lanes, width);
    randomise(&u, lanes, width, &seed);
    unsigned passes = 0;
    for (; u.request.pending; passes++) {
      const struct sl_selection s =
          sl_coalescer_select(&u.coalescer.spec, sl_lane_ops(u.coalescer.spec.lanes), &u.request);
      assert_true(s.lanes == reference(&u.request, lanes));
      assert_true(s.lanes & sl_bit(sl_lowest(u.request.pending)));
      u.request.pending &= ~s.lanes;
      assert_true(passes < lanes);
    }
  }
}

/* A known address pattern must not change the served lanes. */
static void patterns_do_not_change_results(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (unsigned round = 0; round < 3000; round++) {
    const unsigned lanes = 1u << random_below(&seed, 7), width = 1u << random_below(&seed, 3);
    const bool same = random_below(&seed, 2);
    struct unit u = make_unit(lanes, width);
    const uint32_t block = BLOCK + lanes * width * random_below(&seed, 8);
    for (unsigned l = 0; l < lanes; l++)
      u.request.address[l] = same ? block + width : block + width * l;
    u.request.pending &= random64(&seed);
    if (u.request.pending == 0)
      continue;
    const struct sl_selection plain =
        sl_coalescer_select(&u.coalescer.spec, sl_lane_ops(u.coalescer.spec.lanes), &u.request);
    u.request.pattern = same ? SL_PATTERN_SAME : SL_PATTERN_BLOCK;
    const struct sl_selection known =
        sl_coalescer_select(&u.coalescer.spec, sl_lane_ops(u.coalescer.spec.lanes), &u.request);
    assert_true(known.lanes == plain.lanes);
    assert_int_equal(known.beats, plain.beats);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_address_is_one_beat),
      cmocka_unit_test(same_address_serves_only_lanes_with_the_leaders),
      cmocka_unit_test(atomics_serve_a_block_or_the_leader_alone),
      cmocka_unit_test(same_address_compares_bytes_not_words),
      cmocka_unit_test(aligned_unit_stride_is_one_block),
      cmocka_unit_test(narrow_modes_cover_every_part_of_a_block),
      cmocka_unit_test(word_mode_moves_two_beats_even_for_half_the_lanes),
      cmocka_unit_test(narrow_accesses_a_word_apart_use_word_mode),
      cmocka_unit_test(word_mode_needs_the_leaders_byte_of_the_word),
      cmocka_unit_test(half_mode_is_used_when_word_mode_serves_the_leader_alone),
      cmocka_unit_test(offset_by_a_word_serves_the_leader_alone),
      cmocka_unit_test(other_strides_serve_the_leader_alone),
      cmocka_unit_test(a_lone_leader_is_one_beat),
      cmocka_unit_test(another_block_is_another_pass),
      cmocka_unit_test(the_block_strategy_precedes_the_same_address),
      cmocka_unit_test(the_scratchpad_gets_all_its_lanes_at_once),
      cmocka_unit_test(a_leader_in_dram_leaves_scratchpad_lanes_pending),
      cmocka_unit_test(blocks_scale_with_the_lanes),
      cmocka_unit_test(random_requests_follow_the_rules),
      cmocka_unit_test(patterns_do_not_change_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
