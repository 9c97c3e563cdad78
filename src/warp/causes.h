/* The stall reasons and optional profile parts that a machine declares. */
#ifndef SL_WARP_CAUSES_H
#define SL_WARP_CAUSES_H

#include "base/types.h"

/* Kinds of stall reasons, common to all machines. Reports show reasons of one kind alike. */
enum sl_cause_kind {
  SL_CAUSE_ISSUED,
  SL_CAUSE_AGAIN, /* no progress, or progress for some lanes only */
  SL_CAUSE_LOST,  /* a pick without useful work, such as a suspended warp */
  SL_CAUSE_SPILL,
  SL_CAUSE_UNSPILL,
  SL_CAUSE_MEMORY,
  SL_CAUSE_STREAM,
  SL_CAUSE_UNIT,
  SL_CAUSE_OPERANDS,
  SL_CAUSE_BARRIER,
  SL_CAUSE_PIPELINE,
  SL_CAUSE_FETCH,
  SL_CAUSE_INITIAL,
  SL_CAUSE_ENDING,
  SL_CAUSE_KINDS
};

/* A stall reason: why an issue slot spent a cycle on an instruction. Each machine has its own list; entry 0 is
 * "issued". */
struct sl_cause {
  const char *name, *meaning;
  enum sl_cause_kind kind;
};

enum { SL_MAX_CAUSES = 24 };

struct sl_causes {
  const struct sl_cause *cause;
  size_t count;
};

/* Optional parts of a machine's profile, beside issues, active lanes and cycles. */
enum sl_profile_part {
  SL_PROFILE_SCALAR = 1,           /* scalar pipeline: issues, aborts */
  SL_PROFILE_RETRIES = 1 << 1,     /* retries */
  SL_PROFILE_SPILLS = 1 << 2,      /* registers spilled and filled */
  SL_PROFILE_REGULARITY = 1 << 3,  /* regularity of operands and results */
  SL_PROFILE_DRAM = 1 << 4,        /* DRAM transactions */
  SL_PROFILE_CACHE_LINES = 1 << 5, /* cache-line transactions */
  SL_PROFILE_SCRATCHPAD = 1 << 6,  /* scratchpad requests and cycles */
  SL_PROFILE_QUEUED = 1 << 7,      /* cycles that accesses queue for a unit */
  SL_PROFILE_HOLDERS = 1 << 8      /* retries by the instruction that holds the unit */
};

#endif
