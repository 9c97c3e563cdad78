/* The configuration of an SM7 machine, one field per key of sm7_keys.c. */
#ifndef SL_MACHINE_SM7_SPEC_H
#define SL_MACHINE_SM7_SPEC_H

#include "base/keys.h"
#include "base/types.h"
#include "convergence/convergence.h"
#include "machine/machine.h"
#include "machine/sm7/sm7_code.h"

enum sl_sm7_scheduler { SL_SM7_LRR, SL_SM7_GTO, SL_SM7_OLDEST, SL_SM7_TWO_LEVEL, SL_SM7_GTY };
enum sl_sm7_register_model { SL_SM7_REGISTERS_COLLECTORS, SL_SM7_REGISTERS_VOLTA };
enum sl_sm7_multiply_unit { SL_SM7_MULTIPLY_INT, SL_SM7_MULTIPLY_SP };
enum sl_sm7_ur { SL_SM7_UR_WARP, SL_SM7_UR_BLOCK, SL_SM7_UR_FREE };
enum sl_sm7_fma { SL_SM7_FUSED, SL_SM7_UNFUSED };
enum sl_sm7_membar { SL_SM7_MEMBAR_READS, SL_SM7_MEMBAR_WAITS };
enum sl_sm7_replacement { SL_SM7_REPLACE_LRU, SL_SM7_REPLACE_FIFO, SL_SM7_REPLACE_RANDOM };
enum sl_sm7_prefetcher { SL_SM7_NO_PREFETCH, SL_SM7_NEXT_LINE };
enum sl_sm7_dram_scheduler { SL_SM7_FR_FCFS, SL_SM7_FIFO, SL_SM7_FIXED };
enum sl_sm7_crossbar_choice { SL_SM7_ISLIP, SL_SM7_ROUND_ROBIN };
enum sl_sm7_crossbar_queues { SL_SM7_ONE_QUEUE, SL_SM7_VIRTUAL_QUEUES };

/* Latency of an instruction class in its unit, and its initiation interval, in cycles. */
struct sl_sm7_timing {
  uint32_t latency, interval;
};

/* A read-only cache of whole lines. */
struct sl_sm7_line_spec {
  uint32_t sets, ways, line, mshrs, merges, queue;
};

/* The texture cache: accesses in its FIFO, requested lines, requested lines not yet sent, completed accesses not yet
 * taken. */
struct sl_sm7_texture_spec {
  uint32_t sets, ways, line, fragments, lines, requests, results;
};

struct sl_sm7_spec {
  uint32_t clusters, sms_per_cluster, launch_cycles;
  uint32_t warps, blocks, registers, shared_bytes, storage_bytes; /* of an SM */
  uint32_t schedulers, scheduler, active, issues, collectors, banks, collector_steps, fetches, result_buses,
      result_delay;
  uint32_t branch_interval, multiply_unit; /* enum sl_sm7_multiply_unit */
  uint32_t register_model;                 /* enum sl_sm7_register_model */
  uint32_t convergence, fairness;          /* convergence: among the schemes of masks */
  struct sl_sm7_timing timing[SL_SM7_CLASSES];
  uint32_t fma, membar;
  uint32_t r2d2, linear_add, linear_overlap, linear_pipelined, linear_fetch, linear_id, linear_global, linear_ur;
  uint32_t linear_shadow;
  uint32_t oracle, scalar; /* oracle: enum sl_ptx_oracle */
  uint32_t l1_sets, l1_banks, l1_latency, l1_mshrs, l1_merges, l1_queue, l1_dirty;
  uint32_t l1_replacement, l1_prefetch, l2_replacement;
  uint32_t lower[6];                        /* enum sl_sm7_lowering */
  uint32_t lower_sines, lower_fields;       /* a multiplication or a shift of their arguments precedes them */
  uint32_t lower_predicate, lower_unroll;   /* branches and loops of kernels change */
  uint32_t lower_schedule, lower_registers; /* for the order of instructions, the registers of a thread */
  uint32_t constant_passes, constant_unit, lsu_interval;
  uint32_t icache, ccache; /* off: every access hits */
  struct sl_sm7_line_spec instructions, constants;
  struct sl_sm7_texture_spec textures;
  uint32_t shared_latency, shared_fragments, response_fifo, perfect_memory;
  uint32_t ejection_fifo, crossbar_fifo, crossbar, crossbar_queues;
  uint32_t channels, l2_sets, l2_ways, l2_mshrs, l2_merges, l2_queue, l2_delay, l2_input, l2_output, l2_to_dram,
      l2_fill, l2_warm, l2_hash;
  uint32_t core_mhz, dram_mhz;
  uint32_t dram_scheduler, dram_delay, dram_reads, dram_writes, dram_high, dram_low, dram_replies;
  uint32_t ccd, ccdl, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, rtpl;
  uint32_t refi, rfc, rrdl, wtrl, dram_write_queue, dram_hash, l2_dirty;
};

enum {
  SL_SM7_LINE = 128,
  SL_SM7_SECTOR = 32,
  SL_SM7_LINE_SECTORS = SL_SM7_LINE / SL_SM7_SECTOR,
  SL_SM7_CHANNEL_SLICES = 2,
  SL_SM7_DRAM_BANKS = 16,
  SL_SM7_DRAM_GROUPS = 4,
  SL_SM7_MAX_WARPS = 64,
  SL_SM7_MAX_SCHEDULERS = 4,
  SL_SM7_MAX_CLUSTERS = 128, /* ports of the crossbar (memory/sm7_crossbar.h) */
  SL_SM7_MAX_SLICES = 64
};

enum { SL_SM7_FAIRNESS = 256 /* with groups that take turns, unless the key fairness says otherwise */ };

/* Moves integer multiplications to the unit that the key says. */
static inline void sl_sm7_choose_unit(const struct sl_sm7_spec *spec, struct sl_sm7_instruction *code)
{
  if (spec->multiply_unit == SL_SM7_MULTIPLY_SP && code->class >= SL_SM7_C_INT_MUL && code->class <= SL_SM7_C_MAD24)
    code->unit = SL_SM7_SP;
}

static inline enum sl_scheme sl_sm7_scheme(const struct sl_sm7_spec *spec)
{
  return sl_scheme_of(SL_SCHEME_MASK, spec->convergence);
}

static inline bool sl_sm7_takes_turns(const struct sl_sm7_spec *spec)
{
  return sl_convergences[sl_sm7_scheme(spec)]->count != NULL;
}

/* Instructions between turns of groups; 0: there are no turns. */
static inline uint32_t sl_sm7_period(const struct sl_sm7_spec *spec)
{
  return !sl_sm7_takes_turns(spec) ? 0 : spec->fairness == 0 ? SL_SM7_FAIRNESS : spec->fairness;
}

extern const struct sl_keys sl_sm7_keys;
enum sl_status sl_sm7_check(const void *spec, struct sl_error *err);

/* The checker's fast runs execute what the target promises: from sm_70 on every lane goes on, as with the key
 * convergence=its, so that lanes wait for each other at __syncwarp wherever they come from. */
static inline bool sl_sm7_may_take_turns(const struct sl_sm7_spec *spec, unsigned target)
{
  enum { INDEPENDENT_TARGET = 70 };
  const bool one_order = spec->r2d2 || spec->oracle != 0 || spec->scalar;
  return !sl_sm7_takes_turns(spec) && !one_order && target >= INDEPENDENT_TARGET;
}

/* Occupancy: the number of blocks of a kernel that an SM holds, its limiting resource, and the division of the SM's
 * storage between L1 and shared memory. A grid too small to fill all SMs is spread evenly. */

struct sl_sm7_demand {
  uint64_t blocks;
  uint32_t threads, shared_bytes, registers; /* of a block; of a block; of a thread */
  uint32_t sm_registers, block_registers;    /* in addition: of the SM, of a block */
};

struct sl_sm7_occupancy {
  unsigned fits;     /* blocks per SM by the resources of a block */
  unsigned limited;  /* the limiting resources: all of enum sl_occupancy_limit that give this number */
  unsigned resident; /* blocks per SM in this grid */
  uint32_t l1_ways;
};

/* SL_FAULT if not even one block fits. */
enum sl_status sl_sm7_occupancy(const struct sl_sm7_spec *spec, const struct sl_sm7_demand *demand,
                                struct sl_sm7_occupancy *occupancy, struct sl_error *err);

#endif
