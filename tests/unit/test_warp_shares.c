/* Shares of the warps in a functional period of sampling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/engine/sampling.h"

enum { WARPS = 4 };

/* A timed period in which warps issue this many instructions each. */
static void stretch(struct sl_warp_shares *shares, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
  static const uint64_t before[WARPS] = {10, 20, 30, 40};
  const uint64_t after[WARPS] = {10 + a, 20 + b, 30 + c, 40 + d};
  sl_warp_shares_begin(shares, before);
  sl_warp_shares_end(shares, after);
}

static void warps_in_step_get_equal_shares(void **state)
{
  (void)state;
  struct sl_warp_shares shares;
  assert_true(sl_warp_shares_open(&shares, WARPS));
  sl_warp_shares_start(&shares);
  for (unsigned i = 0; i < 10; i++)
    stretch(&shares, 101, 100, 100, 100); /* one more is due to the end of the period */
  sl_warp_shares_deal(&shares, 500);
  for (unsigned w = 0; w < WARPS; w++)
    assert_int_equal(shares.warp[w].left, 500);
  sl_warp_shares_close(&shares);
}

static void a_steady_lead_continues(void **state)
{
  (void)state;
  struct sl_warp_shares shares;
  assert_true(sl_warp_shares_open(&shares, WARPS));
  sl_warp_shares_start(&shares);
  for (unsigned i = 0; i < 10; i++)
    stretch(&shares, 1201, 1000, 1000, 799); /* leads of 20 % beyond the one instruction */
  sl_warp_shares_deal(&shares, 500);
  assert_int_equal(shares.warp[0].left, 600);
  assert_int_equal(shares.warp[1].left, 500);
  assert_int_equal(shares.warp[3].left, 400);
  sl_warp_shares_close(&shares);
}

/* Leads of 200 that alternate: their mean is not significant. */
static void a_random_lead_does_not_continue(void **state)
{
  (void)state;
  struct sl_warp_shares shares;
  assert_true(sl_warp_shares_open(&shares, WARPS));
  sl_warp_shares_start(&shares);
  for (unsigned i = 0; i < 5; i++) {
    stretch(&shares, 1201, 1000, 1000, 799);
    stretch(&shares, 799, 1000, 1000, 1201);
  }
  stretch(&shares, 1201, 1000, 1000, 799);
  sl_warp_shares_deal(&shares, 500);
  for (unsigned w = 0; w < WARPS; w++)
    assert_int_equal(shares.warp[w].left, 500);
  sl_warp_shares_close(&shares);
}

static void a_launch_starts_without_leads(void **state)
{
  (void)state;
  struct sl_warp_shares shares;
  assert_true(sl_warp_shares_open(&shares, WARPS));
  sl_warp_shares_start(&shares);
  for (unsigned i = 0; i < 10; i++)
    stretch(&shares, 1201, 1000, 1000, 799);
  sl_warp_shares_start(&shares);
  stretch(&shares, 1000, 1000, 1000, 1000);
  sl_warp_shares_deal(&shares, 500);
  assert_int_equal(shares.warp[0].left, 500);
  sl_warp_shares_close(&shares);
}

static void unused_shares_remain(void **state)
{
  (void)state;
  struct sl_warp_shares shares;
  assert_true(sl_warp_shares_open(&shares, WARPS));
  sl_warp_shares_start(&shares);
  assert_true(sl_warp_shares_left(&shares) == 0); /* of nothing */
  sl_warp_shares_deal(&shares, 500);
  shares.warp[0].left = shares.warp[1].left = 0;
  assert_true(sl_warp_shares_left(&shares) == 0.5);
  sl_warp_shares_close(&shares);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warps_in_step_get_equal_shares),  cmocka_unit_test(a_steady_lead_continues),
      cmocka_unit_test(a_random_lead_does_not_continue), cmocka_unit_test(unused_shares_remain),
      cmocka_unit_test(a_launch_starts_without_leads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
