/* The coalescing unit with DRAM, scratchpad and stack cache behind it, cycle by cycle, without a machine. */
#ifndef SL_TESTS_MEMORY_PATH_H
#define SL_TESTS_MEMORY_PATH_H

#include <stdlib.h>
#include <string.h>

#include "stepped_coalescer.h"

#define ALL UINT64_C(0xffffffff)

#define STACKS UINT32_C(0xc0000000)

enum { LANES = 32, MOST_ANSWERS = 256 };

struct bench {
  struct sl_coalescer c;
  struct sl_dram dram;
  struct sl_scratchpad scratchpad;
  struct sl_stack_cache cache;
  int64_t now;
  unsigned answers; /* taken by the merge, from both memories */
  int64_t answered_in[MOST_ANSWERS];
  struct sl_response answer[MOST_ANSWERS];
  uint64_t passes;
  int64_t passed_in[MOST_ANSWERS]; /* cycles in which stage 4 started DRAM transactions */
};

static inline struct bench *make_bench(unsigned fifo_depth, unsigned in_flight_depth)
{
  struct bench *b = aligned_alloc(SL_CACHE_LINE, sizeof *b);
  assert_non_null(b);
  memset(b, 0, sizeof *b);
  const struct sl_coalescer_spec spec = {.lanes = LANES,
                                         .beat_bytes = 64,
                                         .fifo_depth = fifo_depth,
                                         .in_flight_depth = in_flight_depth,
                                         .stack_base = STACKS};
  sl_coalescer_init(&b->c, &spec);
  sl_dram_init(&b->dram, 30, 32);
  sl_scratchpad_init(&b->scratchpad);
  return b;
}

static inline void take(struct bench *b, struct sl_shift_queue *queue)
{
  if (!queue->full)
    return;
  assert_true(b->answers < MOST_ANSWERS);
  b->answered_in[b->answers] = b->now;
  b->answer[b->answers++] = sl_shift_take(queue, b->now);
}

/* A cycle up to the execute stage, which may put. */
static inline void step(struct bench *b)
{
  take(b, &b->c.response);
  take(b, &b->scratchpad.response);
  const bool taken = sl_coalescer_respond(&b->c, &b->dram, b->now);
  sl_dram_cycle(&b->dram, b->now, taken);
  sl_scratchpad_cycle(&b->scratchpad, b->now);
  sl_coalescer_cycle(&b->c, sl_lane_ops(LANES), &b->dram, &b->scratchpad, &b->cache, b->now);
  if (b->c.passes > b->passes && b->passes < MOST_ANSWERS)
    b->passed_in[b->passes++] = b->now;
  b->now++;
}

static inline void run(struct bench *b, int64_t cycles)
{
  while (cycles-- > 0)
    step(b);
}

#endif
