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

/* Colours that presenters tell things apart by. */
enum sl_colour {
  SL_GREEN,
  SL_YELLOW,
  SL_GREY,
  SL_VERMILION,
  SL_PINK,
  SL_ORANGE,
  SL_VIOLET,
  SL_BLUE,
  SL_BROWN,
  SL_SLATE
};

/* Why a cycle went to an instruction. Every machine has its own list, whose first is that it issued. */
struct sl_cause {
  const char *name, *meaning;
  enum sl_colour colour; /* like things have like colours on all machines */
};

enum { SL_MAX_CAUSES = 10 };

struct sl_causes {
  const struct sl_cause *cause;
  size_t count;
};

/* What the rows of a machine have besides issues, active lanes and cycles. */
enum sl_profile_part {
  SL_PROFILE_SCALAR = 1,           /* scalar_issues, aborts */
  SL_PROFILE_RETRIES = 1 << 1,     /* retries */
  SL_PROFILE_SPILLS = 1 << 2,      /* spills, unspills */
  SL_PROFILE_REGULARITY = 1 << 3,  /* operands, results */
  SL_PROFILE_DRAM = 1 << 4,        /* transactions, with DRAM */
  SL_PROFILE_CACHE_LINES = 1 << 5, /* transactions, with a data cache */
  SL_PROFILE_SCRATCHPAD = 1 << 6   /* scratchpad_requests, scratchpad_passes */
};

struct sl_profile_row {
  uint64_t vector_issues, scalar_issues; /* times executed, in the vector and in the scalar pipeline */
  uint64_t active_lanes;                 /* summed over both */
  uint64_t retries;
  uint64_t aborts; /* attempts the scalar pipeline gave up */
  uint64_t spills, unspills;
  uint64_t operands[SL_REGULARITY_COUNT]; /* register operands read, not counting x0 */
  uint64_t results[SL_REGULARITY_COUNT];  /* results written, not counting x0 */
  uint64_t transactions;                  /* passes of the coalescing unit that went to DRAM or cache */
  uint64_t scratchpad_requests;           /* warp requests to the scratchpad, */
  uint64_t scratchpad_passes;             /* and the cycles its banks took for them: more by bank conflicts */
  uint64_t cycles[SL_MAX_CAUSES];         /* by the machine's causes */
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
