/* Replay of timing that recurs, and the images that it takes of the state. */
#include "machine/simtight/simtight_image.h"
#include "machine/simtight/simtight_replay.h"
#include "simtight_pair.h"

static void replay_equals_the_cycle_loop(void **state)
{
  (void)state;
  struct pair p = {.kernel = {.random = 2, .iterations = 30}, .observed = true, .shortest = 9, .longest = 17};
  uint64_t replayed = 0;
  for (unsigned i = 0; i < 24; i++) {
    create(&p);
    add_kernel(&p.kernel);
    run(&p);
    if (p.sm[1]->replay != NULL)
      replayed += sl_replay_cycles(p.sm[1]->replay);
    destroy(&p);
  }
  assert_true(replayed > 10000);
}

/* Gives the second SM the values of the first. */
static void copy_values(struct pair *p)
{
  memcpy(p->sm[1]->warps.x, p->sm[0]->warps.x, p->spec.warps * p->sm[0]->warps.warp_words * 4);
  copy_memory(p->memory);
}

/* Takes the image of an SM. Returns the number of words. */
static unsigned image(struct sl_simtight_sm *sm, uint64_t word[SL_IMAGE_WORDS])
{
  struct sl_windows windows;
  sl_windows_enter(&windows, sm);
  const unsigned words = sl_simtight_image(sm, &windows, word);
  sl_windows_leave(&windows, sm);
  return words;
}

/* Gives the second SM, which has run for another time, the timing state of the first. Returns false if the state has no
 * image. */
static bool copy_image(struct pair *p)
{
  static uint64_t word[SL_IMAGE_WORDS];
  struct sl_simtight_sm *to = p->sm[1];
  struct sl_windows windows;
  if (image(p->sm[0], word) == 0)
    return false;
  sl_windows_enter(&windows, to);
  sl_simtight_image_restore(to, &windows, word, to->s.cycle);
  sl_windows_leave(&windows, to);
  sl_replay_lose(to->replay);
  return true;
}

/* Runs both SMs to the end, or for some time. */
static void run_alike(struct pair *p)
{
  static uint64_t word[2][SL_IMAGE_WORDS];
  struct sl_simtight_counts before[2];
  for (unsigned i = 0; i < 2; i++)
    before[i] = p->sm[i]->s.counts;
  for (unsigned cycle = 0; cycle < 3000 && p->sm[0]->base.state == SL_SM_RUNNING; cycle++) {
    const unsigned words = image(p->sm[0], word[0]);
    assert_int_equal(image(p->sm[1], word[1]), words);
    assert_memory_equal(word[0], word[1], words * sizeof *word[0]);
    for (unsigned i = 0; i < 2; i++)
      sl_simtight_run_cycles(&p->sm[i]->base, 1);
    assert_int_equal(p->sm[0]->base.state, p->sm[1]->base.state);
  }
  for (unsigned slot = 0; slot < SL_SLOT_COUNT; slot++)
    assert_int_equal(p->sm[0]->s.counts.slots[slot] - before[0].slots[slot],
                     p->sm[1]->s.counts.slots[slot] - before[1].slots[slot]);
}

static void an_image_is_all_that_timing_depends_on(void **state)
{
  (void)state;
  if (SL_CHECKS)
    skip(); /* the conservation of requests needs the counters of one run */
  struct pair p = {.kernel = {.random = 3, .iterations = 8}};
  unsigned copied = 0;
  for (unsigned i = 0; i < kernels(120); i++) {
    create(&p);
    add_kernel(&p.kernel);
    start(&p);
    for (unsigned n = 0; n < 2; n++)
      sl_simtight_run_cycles(&p.sm[n]->base, 50 + below(&p.kernel, 3000));
    const bool running = p.sm[0]->base.state == SL_SM_RUNNING && p.sm[1]->base.state == SL_SM_RUNNING;
    if (running && p.sm[0]->replay != NULL && copy_image(&p)) {
      copy_values(&p);
      run_alike(&p);
      copied++;
    }
    destroy(&p);
  }
  assert_true(copied > kernels(120) / 6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(replay_equals_the_cycle_loop),
                                     cmocka_unit_test(an_image_is_all_that_timing_depends_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
