/* What a run is observed to do, instruction by instruction: a row per word of instruction memory, filled in by the
 * machine while it simulates with timing. The rows partition the cycles of the kernels exactly: the sum of all rows'
 * cycles, over all causes, is the number of cycles simulated.
 *
 * A cycle of the issue slot belongs to the instruction that executes in it. A cycle in which no warp can be picked
 * belongs to the instruction that is waited for: the last one of the warp that is picked next. (Milestone attribution:
 * the moment a reason to wait ends says whose the interval was.) */
#ifndef SL_WARP_PROFILE_ROWS_H
#define SL_WARP_PROFILE_ROWS_H

#include "base/types.h"

/* How regular a register's value is over the lanes of a warp. On a machine with a compressed register file: how the
 * file holds it. On a plain one: how a compressed one would (value of all lanes for operands; a result that not all
 * lanes write is general). Paper, Figures 2 and 3. */
enum sl_regularity { SL_UNIFORM, SL_AFFINE, SL_GENERAL, SL_REGULARITY_COUNT };

/* Why a cycle went to an instruction. */
enum sl_cause {
  SL_CAUSE_ISSUE,    /* it executed in this cycle of the vector pipeline */
  SL_CAUSE_RETRY,    /* it found its unit busy */
  SL_CAUSE_BUBBLE,   /* its warp was picked while suspended, or a spill slot found nothing to spill */
  SL_CAUSE_SPILL,    /* a register was spilled before it, or the pipeline was held to spill */
  SL_CAUSE_UNSPILL,  /* an operand of it had to be read back */
  SL_CAUSE_MEMORY,   /* no warp to pick: waited for its answer from memory */
  SL_CAUSE_UNIT,     /* the same, from multiplier, divider or floating-point unit */
  SL_CAUSE_BARRIER,  /* the same, for the other warps of the block */
  SL_CAUSE_PIPELINE, /* the same, for it to leave the pipeline */
  SL_CAUSE_FINISHED, /* the same, with other warps already ended */
  SL_CAUSE_COUNT
};

struct sl_profile_row {
  uint64_t vector_issues, scalar_issues; /* times executed, in the vector and in the scalar pipeline */
  uint64_t active_lanes;                 /* summed over both */
  uint64_t retries;
  uint64_t aborts; /* attempts the scalar pipeline gave up */
  uint64_t spills, unspills;
  uint64_t operands[SL_REGULARITY_COUNT]; /* register operands read, not counting x0 */
  uint64_t results[SL_REGULARITY_COUNT];  /* results written, not counting x0 */
  uint64_t transactions;                  /* passes of the coalescing unit that went to DRAM */
  uint64_t scratchpad_requests;           /* warp requests to the scratchpad, */
  uint64_t scratchpad_passes;             /* and the cycles its banks took for them: more by bank conflicts */
  uint64_t cycles[SL_CAUSE_COUNT];
};

struct sl_profile {
  uint32_t code_base;
  size_t count; /* words of instruction memory */
  struct sl_profile_row *rows;
};

/* A quantity over time: value[i] is the greatest value in cycles i * period to (i + 1) * period - 1 since the start of
 * the launch. When the series is full, neighbours merge and the period doubles. */
enum { SL_SERIES_SIZE = 256 };

struct sl_series {
  uint64_t period;
  unsigned count;
  uint16_t value[SL_SERIES_SIZE];
};

#endif
