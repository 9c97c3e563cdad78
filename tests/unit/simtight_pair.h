/* Two SIMTight SMs that run the same random kernels. The first one may be observed, which selects the cycle loop. The
 * kernels have accesses, divergence and barriers in a loop. `run` stops both after random numbers of cycles and
 * compares their states. */
#ifndef SL_TEST_SIMTIGHT_PAIR_H
#define SL_TEST_SIMTIGHT_PAIR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_kernel.h"

struct pair {
  struct sl_simtight_spec spec;
  struct sl_memory memory[2];
  struct sl_probes probes;
  struct sl_simtight_sm *sm[2];
  bool observed; /* the first one is */
  struct random_kernel kernel;
  unsigned shortest, longest; /* 2^shortest to 2^longest - 1: the most cycles between two stops */
};

static inline bool ignore(void *context, const struct sl_probe *probe)
{
  (void)context, (void)probe;
  return true;
}

static inline void create(struct pair *p)
{
  static const struct {
    unsigned lanes, warps;
  } shapes[] = {{32, 64}, {32, 16}, {16, 8}, {8, 4}, {4, 1}};
  const unsigned shape = below(&p->kernel, 5);
  p->spec = kernel_spec(shapes[shape].lanes, shapes[shape].warps);
  p->kernel.machine = &sl_simtight;
  p->kernel.code_base = p->spec.code_base;
  p->spec.fifo_depth = below(&p->kernel, 2) ? 32 : 1 + below(&p->kernel, 4);
  p->spec.divider = below(&p->kernel, 2);
  p->spec.fpu = below(&p->kernel, 2);
  p->probes = (struct sl_probes){.wanted = SL_PROBE_ARRIVED, .tell = ignore};
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sl_memory_init(&p->memory[i], p->spec.code_base + 4 * p->spec.code_words, NULL), SL_OK);
    const struct sl_sm_environment environment = {.memory = &p->memory[i],
                                                  .probes = i == 0 && p->observed ? &p->probes : NULL};
    assert_int_equal(sl_simtight.life.create(&p->spec, &environment, (struct sl_sm **)&p->sm[i], NULL), SL_OK);
    p->kernel.sm[i] = &p->sm[i]->base;
  }
}

static inline void destroy(struct pair *p)
{
  for (unsigned i = 0; i < 2; i++) {
    sl_simtight.life.destroy(&p->sm[i]->base);
    sl_memory_free(&p->memory[i]);
  }
}

/* The still relevant entries of the cycle loop's rings. */
static inline void forget_the_past(struct sl_simtight_state *s)
{
  int8_t to_come[SL_SIMTIGHT_RING];
  memset(to_come, -1, sizeof to_come);
  for (unsigned i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const unsigned at = (unsigned)(s->cycle + i) % SL_SIMTIGHT_RING;
    to_come[at] = s->pipeline[at];
  }
  memcpy(s->pipeline, to_come, sizeof to_come);
  for (unsigned i = SL_SIMTIGHT_UNCOUNTED; i < SL_SIMTIGHT_RING; i++)
    s->recent[(unsigned)(s->cycle - 1 - i) % SL_SIMTIGHT_RING] = 0;
  memset(&s->account, 0, sizeof s->account);
}

static inline void compare(const struct pair *p)
{
  struct sl_simtight_state *s = aligned_alloc(SL_CACHE_LINE, 2 * sizeof *s);
  assert_non_null(s);
  for (unsigned i = 0; i < 2; i++) {
    memcpy(&s[i], &p->sm[i]->s, sizeof *s);
    forget_the_past(&s[i]);
  }
  assert_int_equal(s[0].cycle, s[1].cycle);
  assert_int_equal(s[0].queue, s[1].queue);
  assert_int_equal(s[0].requeue, s[1].requeue);
  assert_memory_equal(s[0].pipeline, s[1].pipeline, sizeof s[0].pipeline);
  assert_memory_equal(&s[0].suspension, &s[1].suspension, sizeof s[0].suspension);
  assert_memory_equal(&s[0].barrier, &s[1].barrier, sizeof s[0].barrier);
  assert_memory_equal(&s[0].counts, &s[1].counts, sizeof s[0].counts);
  assert_memory_equal(&s[0].recent, &s[1].recent, sizeof s[0].recent);
  assert_int_equal(s[0].resume.full, s[1].resume.full);
  assert_int_equal(s[0].multiplier.count, s[1].multiplier.count);
  assert_int_equal(s[0].multiplier.product, s[1].multiplier.product);
  for (unsigned stage = 1; stage <= 4; stage++)
    assert_int_equal(sl_request_path_stage(&s[0].path, stage) < 0, sl_request_path_stage(&s[1].path, stage) < 0);
  assert_int_equal(s[0].path.fifo_count, s[1].path.fifo_count);
  assert_int_equal(s[0].path.answered, s[1].path.answered);
  assert_int_equal(s[0].path.scratchpad.answer, s[1].path.scratchpad.answer);
  assert_int_equal(s[0].path.dram.answer, s[1].path.dram.answer);
  free(s);
  assert_memory_equal(p->sm[0]->warps.x, p->sm[1]->warps.x, p->spec.warps * p->sm[0]->warps.warp_words * 4);
}

static inline void start(struct pair *p)
{
  const unsigned block = below(&p->kernel, 2) ? 0 : p->spec.warps / 2;
  for (unsigned i = 0; i < 2; i++) {
    sl_simtight.life.start(&p->sm[i]->base, p->spec.code_base, 0, block);
    sl_simtight.life.set_timing(&p->sm[i]->base, true);
  }
}

static inline void run(struct pair *p)
{
  start(p);
  const unsigned most = 1u << (p->shortest + below(&p->kernel, p->longest - p->shortest));
  while (p->sm[0]->base.state == SL_SM_RUNNING) {
    const unsigned cycles = 1 + below(&p->kernel, most);
    for (unsigned i = 0; i < 2; i++)
      sl_simtight_run_cycles(&p->sm[i]->base, cycles);
    assert_int_equal(p->sm[0]->base.state, p->sm[1]->base.state);
    compare(p);
    assert_true(p->sm[0]->s.cycle < 2000000);
  }
  compare_memory(p->memory);
}

#endif
