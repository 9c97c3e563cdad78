/* Barriers, spawning and ends of warps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/ipdom_warps.h"

static struct sl_core_sync of_warps(unsigned warps, unsigned barriers)
{
  struct sl_core_sync g;
  sl_core_sync_start(&g, barriers);
  sl_core_sync_ask(&g, 0, warps, 0x80000000);
  sl_core_sync_spawn(&g);
  return g;
}

static void one_warp_runs_at_first(void **state)
{
  (void)state;
  struct sl_core_sync g;
  sl_core_sync_start(&g, 4);
  assert_int_equal(g.active, 1);
  assert_int_equal(g.started, 1);
  assert_int_equal(sl_core_sync_free(&g), 1);
}

static void a_spawn_starts_all_other_warps(void **state)
{
  (void)state;
  struct sl_core_sync g;
  sl_core_sync_start(&g, 4);
  sl_core_sync_ask(&g, 0, 4, 0x80000100);
  assert_int_equal(sl_core_sync_free(&g), 0);
  assert_int_equal(sl_core_sync_spawn(&g), 0xf);
  assert_int_equal(g.active, 0xf);
  assert_int_equal(g.started, 0xf);
  assert_int_equal(g.spawn_pc, 0x80000100);
  assert_int_equal(sl_core_sync_spawn(&g), 0);
}

static void a_spawn_waits_for_the_others_to_end(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(3, 4);
  sl_core_sync_ask(&g, 2, 2, 0x80000200);
  assert_int_equal(sl_core_sync_spawn(&g), 0);
  assert_int_equal(sl_core_sync_free(&g), 3);
  sl_core_sync_end(&g, 0);
  assert_int_equal(sl_core_sync_spawn(&g), 0);
  sl_core_sync_end(&g, 1);
  assert_int_equal(sl_core_sync_spawn(&g), 6); /* warp 1 restarts, warp 2 continues, warp 0 stays inactive */
  assert_int_equal(g.active, 6);
}

/* The way programs wait for all other warps. */
static void a_spawn_of_less_than_two_starts_none(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(2, 4);
  for (uint32_t count = 0; count < 2; count++) {
    g.active = 3;
    sl_core_sync_ask(&g, 0, count, 0);
    assert_int_equal(sl_core_sync_spawn(&g), 0);
    sl_core_sync_end(&g, 1);
    assert_int_equal(sl_core_sync_spawn(&g), 1);
    assert_int_equal(g.active, 1);
  }
}

/* The latch holds the later spawn, whose warp is not alone. */
static void two_waiting_spawns_block_each_other(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(2, 4);
  sl_core_sync_ask(&g, 0, 2, 0);
  sl_core_sync_ask(&g, 1, 2, 0);
  assert_int_equal(sl_core_sync_spawn(&g), 0);
  assert_int_equal(sl_core_sync_free(&g), 0);
}

static void all_64_warps_can_be_spawned(void **state)
{
  (void)state;
  const struct sl_core_sync g = of_warps(64, 32);
  assert_true(g.active == UINT64_MAX);
}

static void the_last_to_arrive_releases_all(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(8, 4);
  assert_int_equal(sl_core_sync_arrive(&g, 3, 1, 3), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 5, 1, 3), 0);
  assert_int_equal(g.at_barrier, 0x28);
  assert_int_equal(sl_core_sync_free(&g), 0xd7);
  assert_int_equal(sl_core_sync_arrive(&g, 0, 1, 3), 0x29);
  assert_int_equal(g.at_barrier, 0);
  assert_int_equal(sl_core_sync_arrive(&g, 0, 1, 3), 0); /* and it closes again */
}

static void a_count_below_two_does_not_wait(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(4, 4);
  assert_int_equal(sl_core_sync_arrive(&g, 1, 0, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 2, 0, 1), 4); /* and releases no other warp */
  assert_int_equal(sl_core_sync_arrive(&g, 3, 0, 0), 8);
  assert_int_equal(sl_core_sync_arrive(&g, 3, SL_CORE_SYNC_GLOBAL, 1), 8);
  assert_int_equal(g.at_barrier, 2);
}

static void ids_with_the_same_low_bits_are_one_barrier(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(8, 4);
  assert_int_equal(sl_core_sync_arrive(&g, 0, 0, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 1, 8, 2), 3);
  assert_int_equal(sl_core_sync_arrive(&g, 0, 1, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 1, 3, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 2, 7, 2), 6);
}

static void every_id_selects_a_single_barrier(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(2, 1);
  assert_int_equal(sl_core_sync_arrive(&g, 0, 5, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 1, 10, 2), 3);
}

/* A local barrier counts arrivals: the hardware does not track warps that have ended. */
static void an_ending_warp_does_not_open_a_local_barrier(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(3, 4), *all = &g;
  sl_warps released;
  sl_core_sync_arrive(&g, 0, 0, 3);
  sl_core_sync_arrive(&g, 1, 0, 3);
  sl_core_sync_end(&g, 2);
  assert_int_equal(sl_core_sync_spawn(&g), 0);
  assert_false(sl_core_syncs_open(&all, 1, &released));
  assert_int_equal(sl_core_sync_free(&g), 0);
}

static void a_core_arrives_at_a_global_barrier_with_all_its_warps(void **state)
{
  (void)state;
  struct sl_core_sync g[2] = {of_warps(2, 4), of_warps(2, 4)}, *all[2] = {&g[0], &g[1]};
  sl_warps released[2];
  assert_int_equal(sl_core_sync_arrive(&g[0], 0, SL_CORE_SYNC_GLOBAL, 2), 0);
  sl_core_sync_arrive(&g[0], 1, SL_CORE_SYNC_GLOBAL, 2);
  sl_core_sync_arrive(&g[1], 1, SL_CORE_SYNC_GLOBAL, 2);
  assert_false(sl_core_syncs_open(all, 2, released));
  sl_core_sync_arrive(&g[1], 0, SL_CORE_SYNC_GLOBAL, 2);
  assert_true(sl_core_syncs_open(all, 2, released));
  assert_int_equal(released[0], 3);
  assert_int_equal(released[1], 3);
  assert_int_equal(g[0].at_barrier | g[0].at_global | g[1].at_barrier | g[1].at_global, 0);
  assert_false(sl_core_syncs_open(all, 2, released));
}

static void an_ending_warp_can_open_a_global_barrier(void **state)
{
  (void)state;
  struct sl_core_sync g[2] = {of_warps(3, 4), of_warps(1, 4)}, *all[2] = {&g[0], &g[1]};
  sl_warps released[2];
  sl_core_sync_arrive(&g[1], 0, SL_CORE_SYNC_GLOBAL | 3, 2);
  sl_core_sync_arrive(&g[0], 0, SL_CORE_SYNC_GLOBAL | 3, 2);
  sl_core_sync_arrive(&g[0], 2, SL_CORE_SYNC_GLOBAL | 3, 2);
  assert_false(sl_core_syncs_open(all, 2, released));
  sl_core_sync_end(&g[0], 1);
  assert_true(sl_core_syncs_open(all, 2, released));
  assert_int_equal(released[0], 5);
  assert_int_equal(released[1], 1);
}

/* Inactive cores, cores at another barrier and ended cores do not count and stay unchanged. */
static void global_barriers_of_two_numbers_do_not_meet(void **state)
{
  (void)state;
  struct sl_core_sync g[3] = {of_warps(1, 4), of_warps(1, 4), of_warps(1, 4)}, *all[3] = {&g[0], &g[1], &g[2]};
  sl_warps released[3];
  sl_core_sync_arrive(&g[0], 0, SL_CORE_SYNC_GLOBAL, 2);
  sl_core_sync_arrive(&g[1], 0, SL_CORE_SYNC_GLOBAL | 1, 2);
  assert_false(sl_core_syncs_open(all, 3, released));
  sl_core_sync_arrive(&g[2], 0, SL_CORE_SYNC_GLOBAL | 5, 2);
  assert_true(sl_core_syncs_open(all, 3, released));
  assert_int_equal(released[0], 0);
  assert_int_equal(released[1], 1);
  assert_int_equal(released[2], 1);
  assert_int_equal(g[0].at_global, 1);
}

static void local_and_global_barriers_are_separate(void **state)
{
  (void)state;
  struct sl_core_sync g = of_warps(3, 4), *all = &g;
  sl_warps released;
  sl_core_sync_arrive(&g, 0, SL_CORE_SYNC_GLOBAL, 2);
  assert_int_equal(sl_core_sync_arrive(&g, 1, 0, 2), 0);
  assert_int_equal(sl_core_sync_arrive(&g, 2, 0, 2), 6);
  assert_int_equal(g.at_barrier, 1);
  assert_false(sl_core_syncs_open(&all, 1, &released));
}

/* Each cluster has its own barriers; the caller passes one cluster at a time. */
static void clusters_do_not_wait_for_each_other(void **state)
{
  (void)state;
  struct sl_core_sync g[4], *all[4];
  sl_warps released[4];
  for (unsigned c = 0; c < 4; c++) {
    g[c] = of_warps(1, 4);
    all[c] = &g[c];
  }
  sl_core_sync_arrive(&g[0], 0, SL_CORE_SYNC_GLOBAL, 2);
  sl_core_sync_arrive(&g[2], 0, SL_CORE_SYNC_GLOBAL, 2);
  sl_core_sync_arrive(&g[3], 0, SL_CORE_SYNC_GLOBAL, 2);
  assert_false(sl_core_syncs_open(all, 2, released));
  assert_true(sl_core_syncs_open(all + 2, 2, released + 2));
  assert_int_equal(released[2] & released[3], 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_warp_runs_at_first),
      cmocka_unit_test(a_spawn_starts_all_other_warps),
      cmocka_unit_test(a_spawn_waits_for_the_others_to_end),
      cmocka_unit_test(a_spawn_of_less_than_two_starts_none),
      cmocka_unit_test(two_waiting_spawns_block_each_other),
      cmocka_unit_test(all_64_warps_can_be_spawned),
      cmocka_unit_test(the_last_to_arrive_releases_all),
      cmocka_unit_test(a_count_below_two_does_not_wait),
      cmocka_unit_test(ids_with_the_same_low_bits_are_one_barrier),
      cmocka_unit_test(every_id_selects_a_single_barrier),
      cmocka_unit_test(an_ending_warp_does_not_open_a_local_barrier),
      cmocka_unit_test(a_core_arrives_at_a_global_barrier_with_all_its_warps),
      cmocka_unit_test(an_ending_warp_can_open_a_global_barrier),
      cmocka_unit_test(global_barriers_of_two_numbers_do_not_meet),
      cmocka_unit_test(local_and_global_barriers_are_separate),
      cmocka_unit_test(clusters_do_not_wait_for_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
