/* Bound on the waiting of lanes under the schemes of Vortex that yield: each lane executes an instruction within a
 * number of yields of its warp that depends on the number of lanes only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/ipdom_execute.h"
#include "random.h"

enum { LANES = 8, STEPS = 200000, LONGEST = 2 * LANES };

/* The lanes that run execute an instruction of a random program that loops for ever. Returns true if it is a yield. */
static bool execute(enum sl_scheme scheme, struct sl_ipdom_warp *p, uint64_t *seed)
{
  const struct sl_convergence *c = sl_convergences[scheme];
  const sl_lanes some = random32(seed) & random32(seed) & p->mask;
  const uint32_t kind = random32(seed) % 8;
  p->pc = (p->pc + 4) % 64;
  if (kind == 0)
    c->mark(p, 0, &(struct sl_mark){.kind = SL_MARK_YIELD, .room = LANES});
  else if (kind == 1 && scheme == SL_CONVERGENCE_SCS)
    c->mark(p, 0, &(struct sl_mark){.kind = SL_MARK_PREDICATE, .lanes = some, .others = p->mask, .nests = true});
  else if (kind == 1 && some != 0 && some != p->mask)
    c->branch(p, 0, some, 4 * (random32(seed) % 16), p->pc);
  return kind == 0;
}

static void wait_for_yields(enum sl_scheme scheme)
{
  struct sl_ipdom_warp p = {.mask = sl_low_bits(LANES)};
  struct sl_warp_path path[SL_MAX_LANES];
  unsigned waited[LANES] = {0}, longest = 0;
  uint64_t seed = 11;
  sl_convergences[scheme]->start(&p);
  for (unsigned n = 0; n < STEPS; n++) {
    const sl_lanes before = p.mask;
    assert_true(before != 0);
    const bool yields = execute(scheme, &p, &seed);
    for (unsigned l = 0; l < LANES; l++) {
      waited[l] = before >> l & 1 ? 0 : waited[l] + yields;
      longest = waited[l] > longest ? waited[l] : longest;
    }
    sl_lanes seen = 0;
    for (unsigned i = sl_convergences[scheme]->places(&p, path); i-- > 0; seen |= path[i].lanes)
      assert_true((path[i].lanes & seen) == 0);
    assert_true(seen == sl_low_bits(LANES)); /* no lane is lost, none is in two places */
  }
  assert_in_range(longest, 2, LONGEST);
}

static void its_runs_each_lane_in_time(void **state)
{
  (void)state;
  wait_for_yields(SL_CONVERGENCE_ITS);
}

static void scs_runs_each_lane_in_time(void **state)
{
  (void)state;
  wait_for_yields(SL_CONVERGENCE_SCS);
}

/* What the machines of test builds check after each instruction: lanes 0 to 3 keep their turn. */
static void a_lane_that_waits_for_longer_is_found(void **state)
{
  (void)state;
  uint32_t waited[SL_MAX_LANES] = {0};
  struct sl_ipdom_warp p = {.mask = sl_low_bits(LANES)};
  struct sl_ipdom_warps w = {
      .spec = {.lanes = LANES}, .convergence = sl_convergences[SL_CONVERGENCE_ITS], .warp = &p, .waited = waited};
  w.convergence->start(&p);
  w.convergence->branch(&p, 0, 0xf0, 100, 0);
  assert_int_equal(p.mask, 0x0f);
  for (unsigned n = 0; n < LONGEST; n++)
    assert_null(sl_ipdom_waited(&w, 0, 0x0f, true));
  assert_null(sl_ipdom_waited(&w, 0, 0x0f, false));
  assert_non_null(sl_ipdom_waited(&w, 0, 0x0f, true));
  assert_null(sl_ipdom_waited(&w, 0, 0xf0, true));
}

/* Lanes 4 to 7 wait at a convergence barrier for the others, however often these yield. */
static void a_lane_at_a_barrier_waits_for_others(void **state)
{
  (void)state;
  uint32_t waited[SL_MAX_LANES] = {0};
  struct sl_ipdom_warp p = {.mask = sl_low_bits(LANES)};
  struct sl_ipdom_warps w = {
      .spec = {.lanes = LANES}, .convergence = sl_convergences[SL_CONVERGENCE_ITS], .warp = &p, .waited = waited};
  w.convergence->start(&p);
  w.convergence->mark(&p, 0, &(struct sl_mark){.kind = SL_MARK_BARRIER});
  w.convergence->branch(&p, 0, 0x0f, 100, 0);
  assert_int_equal(p.mask, 0xf0);
  w.convergence->mark(&p, 0, &(struct sl_mark){.kind = SL_MARK_WAIT});
  assert_int_equal(p.mask, 0x0f);
  for (unsigned n = 0; n < 3 * LONGEST; n++)
    assert_null(sl_ipdom_waited(&w, 0, 0x0f, true));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_runs_each_lane_in_time),
      cmocka_unit_test(scs_runs_each_lane_in_time),
      cmocka_unit_test(a_lane_that_waits_for_longer_is_found),
      cmocka_unit_test(a_lane_at_a_barrier_waits_for_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
