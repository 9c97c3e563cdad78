/* Replay of a Simty core's timing that recurs, and the images that it takes of the state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/simty/simty_replay.h"
#include "random_kernel.h"

struct cores {
  struct sl_simty_spec spec;
  struct sl_memory memory[2];
  struct sl_probes probes;
  struct sl_simty_core *sm[2];
  struct random_kernel kernel;
};

static bool ignore(void *context, const struct sl_probe *probe)
{
  (void)context, (void)probe;
  return true;
}

/* observed: the first core is, and so is not replayed. */
static void create(struct cores *c, bool observed)
{
  sl_keys_defaults(&sl_simty_keys, &c->spec);
  c->spec.lanes = 4u << below(&c->kernel, 4);
  c->spec.warps = 4u << below(&c->kernel, 3);
  c->spec.host = c->spec.dram = c->spec.sorter = 1;
  c->spec.fpu = below(&c->kernel, 2);
  c->spec.dram_outstanding = 4u << below(&c->kernel, 4);
  c->probes = (struct sl_probes){.wanted = SL_PROBE_ARRIVED, .tell = ignore};
  c->kernel.machine = &sl_simty;
  c->kernel.code_base = c->spec.code_base;
  assert_int_equal(sl_simty.check(&c->spec, NULL), SL_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sl_memory_init(&c->memory[i], c->spec.code_base + 4 * c->spec.code_words, NULL), SL_OK);
    const struct sl_sm_environment environment = {.memory = &c->memory[i],
                                                  .probes = i == 0 && observed ? &c->probes : NULL};
    assert_int_equal(sl_simty.life.create(&c->spec, &environment, (struct sl_sm **)&c->sm[i], NULL), SL_OK);
    c->kernel.sm[i] = &c->sm[i]->base;
  }
  add_kernel(&c->kernel);
  const unsigned block = below(&c->kernel, 2) ? 0 : c->spec.warps / 2;
  for (unsigned i = 0; i < 2; i++) {
    sl_simty.life.start(&c->sm[i]->base, c->spec.code_base, 0, block);
    sl_simty.life.set_timing(&c->sm[i]->base, true);
  }
}

static void destroy(struct cores *c)
{
  for (unsigned i = 0; i < 2; i++) {
    sl_simty.life.destroy(&c->sm[i]->base);
    sl_memory_free(&c->memory[i]);
  }
}

static void compare(const struct cores *c)
{
  static uint64_t word[2][SL_IMAGE_WORDS];
  const unsigned words = sl_simty_image(c->sm[0], word[0]);
  assert_int_equal(sl_simty_image(c->sm[1], word[1]), words);
  assert_memory_equal(word[0], word[1], words * sizeof *word[0]);
  assert_int_equal(c->sm[0]->base.state, c->sm[1]->base.state);
}

static void replay_equals_simulation(void **state)
{
  (void)state;
  struct cores c = {.kernel = {.random = 5, .iterations = 30}};
  uint64_t replayed = 0;
  for (unsigned i = 0; i < 24; i++) {
    create(&c, true);
    const unsigned most = 1u << (9 + below(&c.kernel, 8));
    while (c.sm[0]->base.state == SL_SM_RUNNING && c.sm[0]->s.cycle < 200000) {
      const unsigned cycles = 1 + below(&c.kernel, most);
      for (unsigned n = 0; n < 2; n++)
        sl_simty_run_cycles(&c.sm[n]->base, cycles);
      compare(&c);
      assert_int_equal(c.sm[0]->s.cycle, c.sm[1]->s.cycle);
      assert_memory_equal(&c.sm[0]->s.counts, &c.sm[1]->s.counts, sizeof c.sm[0]->s.counts);
    }
    assert_memory_equal(c.sm[0]->warps.x, c.sm[1]->warps.x, c.spec.warps * c.sm[0]->warps.warp_words * 4);
    compare_memory(c.memory);
    replayed += sl_replay_cycles(c.sm[1]->replay);
    destroy(&c);
  }
  assert_true(replayed > 10000);
}

/* Nothing is left of the state of the second core, which has run for another time. */
static void an_image_is_all_that_timing_depends_on(void **state)
{
  (void)state;
  if (SL_CHECKS)
    skip(); /* the conservation of requests needs the counters of one run */
  static uint64_t word[SL_IMAGE_WORDS];
  struct cores c = {.kernel = {.random = 6, .iterations = 8}};
  unsigned copied = 0;
  for (unsigned i = 0; i < kernels(120); i++) {
    create(&c, false);
    const unsigned cycles = 100 + below(&c.kernel, 3000), more = c.spec.warps * below(&c.kernel, 100);
    sl_simty_run_cycles(&c.sm[0]->base, cycles);
    sl_simty_run_cycles(&c.sm[1]->base, cycles + more);
    if (c.sm[0]->base.state == SL_SM_RUNNING && c.sm[1]->base.state == SL_SM_RUNNING &&
        sl_simty_image(c.sm[0], word) != 0) {
      sl_simty_image_restore(c.sm[1], word, c.sm[1]->s.cycle);
      sl_replay_lose(c.sm[1]->replay);
      memcpy(c.sm[1]->warps.x, c.sm[0]->warps.x, c.spec.warps * c.sm[0]->warps.warp_words * 4);
      copy_memory(c.memory);
      for (unsigned cycle = 0; cycle < 2000 && c.sm[0]->base.state == SL_SM_RUNNING; cycle++) {
        for (unsigned n = 0; n < 2; n++)
          sl_simty_run_cycles(&c.sm[n]->base, 1);
        compare(&c);
      }
      copied++;
    }
    destroy(&c);
  }
  assert_true(copied > kernels(120) / 6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(replay_equals_simulation),
                                     cmocka_unit_test(an_image_is_all_that_timing_depends_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
