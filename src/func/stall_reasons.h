/* The stall reasons and optional profile parts that a machine declares. */
#ifndef SL_WARP_STALL_REASONS_H
#define SL_WARP_STALL_REASONS_H

#include "base/types.h"

/* Kinds of stall reasons, common to all machines. Reports show reasons of one kind alike. */
enum sl_stall_reason_kind {
  SL_STALL_REASON_ISSUED,
  SL_STALL_REASON_AGAIN, /* no progress, or progress for some lanes only */
  SL_STALL_REASON_LOST,  /* a pick without useful work, such as a suspended warp */
  SL_STALL_REASON_SPILL,
  SL_STALL_REASON_UNSPILL,
  SL_STALL_REASON_MEMORY,
  SL_STALL_REASON_STREAM,
  SL_STALL_REASON_UNIT,
  SL_STALL_REASON_OPERANDS,
  SL_STALL_REASON_BARRIER,
  SL_STALL_REASON_PIPELINE,
  SL_STALL_REASON_FETCH,
  SL_STALL_REASON_INITIAL,
  SL_STALL_REASON_ENDING,
  SL_STALL_REASON_KINDS
};

/* A stall reason: why an issue slot spent a cycle on an instruction. Each machine has its own list; entry 0 is
 * "issued". */
struct sl_stall_reason {
  const char *name, *meaning;
  enum sl_stall_reason_kind kind;
};

enum { SL_MAX_STALL_REASONS = 24 };

struct sl_stall_reasons {
  const struct sl_stall_reason *cause;
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
