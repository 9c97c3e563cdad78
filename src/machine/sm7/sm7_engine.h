/* Runs grids of PTX with timing, each at once or in parts. L2 and DRAM keep their state from launch to
 * launch; data copied by the host is in L2. */
#ifndef SL_MACHINE_SM7_ENGINE_H
#define SL_MACHINE_SM7_ENGINE_H

#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_ptx.h"
#include "ptx/run/ptx_grid.h"

struct sl_sm7_engine {
  struct sl_sm7_gpu *gpu;
  unsigned threads, shared;    /* of the host: at most, and those of the GPU */
  bool broken;                 /* the last grid did not end; the next grid needs a new GPU */
  struct sl_ptx_bounds bounds; /* of each launch */
  uint32_t registers;          /* per thread, overriding the script; 0: as in the script */
  uint64_t cycles;             /* of all launches */
  /* The current launch. */
  struct sl_ptx_launch launch;
  struct sl_sm7_demand demand;
  struct sl_ptx_linear *linear;
  struct sl_sm7_ptx program;
  struct sl_sm7_observation observation; /* with an observer */
  bool launched;                         /* the GPU has it */
  uint64_t reached;                      /* cycle, over all launches, in which to call the bounds' `reached` */
  struct sl_ptx_block *kept;             /* by SM and block slot: storage that launches reuse */
  struct sl_sm7_totals before;           /* the GPU's totals at its start */
};

/* `threads`: maximum number of host threads. */
enum sl_status sl_sm7_engine_open(struct sl_sm7_engine *engine, const struct sl_sm7_spec *spec, unsigned threads,
                                  struct sl_error *err);
void sl_sm7_engine_close(struct sl_sm7_engine *engine);

/* A launch in parts. Begin: the GPU has the launch, which must outlive it. Go on: runs to its end, to
 * cycle `until` (SL_PAUSED), or to a stop. The division into parts does not change the result. SL_STOPPED: the bounds
 * or the observer have stopped it; after the observer the next call resumes. End it in any case; it adds to the counts.
 */
enum sl_status sl_sm7_engine_begin(struct sl_sm7_engine *engine, const struct sl_ptx_launch *launch,
                                   struct sl_error *err);
enum sl_status sl_sm7_engine_go_on(struct sl_sm7_engine *engine, uint64_t until, struct sl_error *err);
void sl_sm7_engine_end(struct sl_sm7_engine *engine, struct sl_ptx_counts *counts);

/* Sampled timing (device/engine/block_sampling.h), between two calls of go_on. */

/* Whether blocks of the launch may wait for others: it reads what other blocks write by atomics, or by loads that are
 * volatile or ordered. */
bool sl_sm7_engine_waits(const struct sl_sm7_engine *engine);

/* Executes the blocks that begin next without timing, and adds to *counts. Blocks that have begun stay as they are.
 * With `warms`, L2 sees their accesses to global memory. */
enum sl_status sl_sm7_engine_skip(struct sl_sm7_engine *engine, uint64_t blocks, bool warms,
                                  struct sl_ptx_counts *counts, struct sl_error *err);

/* An observer of functional execution, by which L2 sees accesses to global memory. */
struct sl_probes sl_sm7_engine_warms(struct sl_sm7_engine *engine);

/* The host has copied data to memory: it is in L2, unless a launch is under way. */
void sl_sm7_engine_copied(struct sl_sm7_engine *engine, uint64_t address, uint64_t bytes);

/* Checkpoints between two launches. The state is restored into a new engine, from which the other one then takes it.
 * After a bad archive the new one can only be closed. */
void sl_sm7_engine_archive(struct sl_archive *archive, struct sl_sm7_engine *engine);
void sl_sm7_engine_take(struct sl_sm7_engine *engine, struct sl_sm7_engine *fresh);

struct sl_ptx_engine sl_sm7_ptx_engine(struct sl_sm7_engine *engine);

/* Order of blocks in runs without timing. Blocks run one after the other, all in the first block slot. If one takes
 * long, others begin beside it and they alternate in time slices, because blocks may wait for each other. The k-th
 * begun block is in SM k modulo the number of SMs. */

/* Begins with a block. */
void sl_sm7_turns_start(struct sl_sm7_device *d, uint64_t block);

/* Selects the block to run, a live one, in d->now. False: there is none, or a fault; see d->state. */
bool sl_sm7_turns_choose(struct sl_sm7_device *d);

/* The most blocks that run at a time. */
unsigned sl_sm7_turns_most(const struct sl_sm7_device *d);

/* The first block that does not run without timing. */
static inline uint64_t sl_sm7_turns_end(const struct sl_sm7_device *d)
{
  return d->skips ? d->end_block : sl_sm7_rv_blocks(&d->rv);
}

/* Sampled timing of the launch that the GPU has begun: the next `blocks` execute without timing from now on, in other
 * storage than those that the GPU holds. With `warms`, L2 sees their accesses to global memory. False: out of
 * memory. */
bool sl_sm7_turns_skip(struct sl_sm7_device *d, uint64_t blocks, bool warms);

void sl_sm7_turns_free(struct sl_sm7_device *d);

/* Ends this when they have ended, or must not go on; d->steps has what was executed. */
void sl_sm7_turns_resume(struct sl_sm7_device *d);

static inline struct sl_sm7_rv_place sl_sm7_turns_place(const struct sl_sm7_device *d, unsigned resident)
{
  return (struct sl_sm7_rv_place){.sm = resident % d->rv.sms, .slot = resident / d->rv.sms};
}

#endif
