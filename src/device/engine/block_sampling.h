/* Sampled timing of a grid on sm7 by its blocks, after PKA (Baddouh et al., MICRO 2021), which stops to time a grid
 * when its rate is steady.
 *
 * The first blocks are timed: two rounds of as many blocks as the GPU holds at a time. Then phases repeat. Skip: the
 * blocks that would begin next execute without timing, while those that have begun stay in the GPU. Warm-up: two rounds
 * of blocks end. Window: another round or more ends, and is measured. The last round of the grid is timed, too. Where
 * blocks may wait for each other, the blocks that have begun end before a skip.
 *
 * The warm-up is so long because blocks from before and after a skip may use the memory differently than neighbours: in
 * a transposition neighbours wait for one slice of L2, and it takes a round more until its queues are full again. To
 * choose windows whose halves agree would be no better, as the rate may be steady for a while before that.
 *
 * The estimate has the timed counts up to the first skip and from the last window on; between them the rate per warp
 * instruction is the weighted mean over windows (engine/sampling.h). A window stands for half of what was executed
 * between it and each neighbour, so that a rate that rises or falls has no bias, and the first one for all before it.
 * Skips grow with the blocks that have begun, so that a launch of any length has windows. A grid of fewer than
 * SL_BLOCK_ROUNDS rounds, which has too few windows for an interval, or whose blocks cannot execute apart from each
 * other, is timed completely.
 *
 * L2 sees the accesses to global memory of the last blocks of a skip, as many as fill it twice. First-level caches see
 * the reads, each that of one of the SMs in turn, and rows in DRAM are open that were read last. */
#ifndef SL_ENGINE_BLOCK_SAMPLING_H
#define SL_ENGINE_BLOCK_SAMPLING_H

#include "device/device.h"
#include "device/engine/launch_sampling.h"
#include "device/engine/sampling.h"
#include "machine/sm7/sm7_gpu.h"
#include "ptx/run/ptx_grid.h"

enum { SL_BLOCK_ROUNDS = 32 };

enum sl_block_phase {
  SL_BLOCKS_EXACT, /* to the end of the launch */
  SL_BLOCKS_FIRST,
  SL_BLOCKS_DRAIN,
  SL_BLOCKS_WARM,
  SL_BLOCKS_EARLY, /* the first half of a window */
  SL_BLOCKS_LATE
};

/* A launch of PTX or of machine code that the GPU has begun. */
struct sl_block_source {
  struct sl_sm7_gpu *gpu;             /* NULL: there is no launch */
  const struct sl_sm7_totals *before; /* of the GPU, at the launch's start */
  bool together;                      /* its blocks cannot execute apart from each other */
  void *context;                      /* of the functions */
  bool (*waits)(const void *context); /* whether blocks may wait for others */
  /* Simulates the GPU up to cycle `until` of the launch, and then returns SL_PAUSED. */
  enum sl_status (*go_on)(void *context, uint64_t until, struct sl_error *err);
  /* Executes the blocks that begin next without timing, and adds to *counts. Blocks that have begun stay as they are.
   * With `warms`, L2 sees their accesses to global memory. */
  enum sl_status (*skip)(void *context, uint64_t blocks, bool warms, struct sl_ptx_counts *counts,
                         struct sl_error *err);
};

/* The sampler of a GPU. The members up to `total` are of the current launch. */
struct sl_block_sampler {
  struct sl_block_source source;
  enum sl_block_phase phase;
  bool drains;
  uint64_t round;                        /* blocks that the GPU holds at a time */
  uint64_t goal;                         /* blocks that have ended at the end of the phase */
  uint64_t step;                         /* cycles between two looks at the blocks */
  struct sl_ptx_counts skipped;          /* executed without timing */
  uint64_t first, mark;                  /* warp instructions at the first skip, and at the end of the latest window */
  double weight;                         /* of the latest window so far */
  struct sl_counter_values start, exact; /* the GPU's counters at the launch's start, and at its first skip */
  struct sl_counter_values begin, middle, end; /* of the latest window */
  struct sl_window_sums sums;
  /* Over all launches. */
  struct sl_sampled total;
  double squares[SL_MAX_COUNTERS], biases[SL_MAX_COUNTERS];
  uint64_t random;
};

/* Stores a sampler, which the caller frees; NULL: it is not wanted. SL_USAGE: the plan is not the automatic one, or the
 * bounds have an observer or checkpoints. */
enum sl_status sl_block_sampler_open(struct sl_block_sampler **sampler, const struct sl_sampling_choice *choice,
                                     const struct sl_ptx_bounds *bounds, struct sl_error *err);

/* The GPU has begun a launch. */
void sl_block_sampler_begin(struct sl_block_sampler *s, const struct sl_block_source *source);

/* The same for a launch of PTX. */
struct sl_sm7_engine;
void sl_block_sampler_begin_ptx(struct sl_block_sampler *s, struct sl_sm7_engine *engine);

/* As the source's go_on; SL_PAUSED at the latest when the GPU has simulated `until` cycles of the launch. */
enum sl_status sl_block_sampler_go_on(struct sl_block_sampler *s, uint64_t until, struct sl_error *err);

/* Ends the launch, whose counters are those of its timed part: replaces them by estimates. Adds what was skipped to
 * *counts. */
void sl_block_sampler_end(struct sl_block_sampler *s, struct sl_launch *launch, struct sl_ptx_counts *counts);

/* Half of the 95 % confidence interval of a counter over all launches: chance of which launches are timed, and what
 * sampling within them adds, of which the untimed launches have the same part. `timed`: the counter's sum over timed
 * launches. */
double sl_block_sampler_bar(const struct sl_sampled *total, size_t counter, const struct sl_launch_sum *launches,
                            double timed);

#endif
