/* What a machine declares of its profiles: where cycles of its issue slots go, and what else its listeners are told. */
#ifndef SL_WARP_CAUSES_H
#define SL_WARP_CAUSES_H

#include "base/types.h"

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
