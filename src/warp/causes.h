/* What a machine declares of its profiles: where cycles of its issue slots go, and what else its listeners are told. */
#ifndef SL_WARP_CAUSES_H
#define SL_WARP_CAUSES_H

#include "base/types.h"

/* What causes of all machines come to: those of one kind look alike wherever they are shown. */
enum sl_cause_kind {
  SL_CAUSE_ISSUED,
  SL_CAUSE_AGAIN, /* tried in vain, or for some lanes only */
  SL_CAUSE_LOST,  /* by a warp that had nothing to do there */
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

/* Why a cycle went to an instruction. Every machine has its own list, whose first is that it issued. */
struct sl_cause {
  const char *name, *meaning;
  enum sl_cause_kind kind;
};

enum { SL_MAX_CAUSES = 24 };

struct sl_causes {
  const struct sl_cause *cause;
  size_t count;
};

/* What the profile of a machine has besides issues, active lanes and cycles. */
enum sl_profile_part {
  SL_PROFILE_SCALAR = 1,           /* a scalar pipeline: issues to it, aborts */
  SL_PROFILE_RETRIES = 1 << 1,     /* retries */
  SL_PROFILE_SPILLS = 1 << 2,      /* registers spilled and filled */
  SL_PROFILE_REGULARITY = 1 << 3,  /* of operands and results */
  SL_PROFILE_DRAM = 1 << 4,        /* transactions, with DRAM */
  SL_PROFILE_CACHE_LINES = 1 << 5, /* transactions, with a data cache */
  SL_PROFILE_SCRATCHPAD = 1 << 6,  /* requests to the scratchpad, and its cycles */
  SL_PROFILE_QUEUED = 1 << 7,      /* cycles that accesses wait behind others, */
  SL_PROFILE_HOLDERS = 1 << 8      /* and retries by who held the unit */
};

#endif
