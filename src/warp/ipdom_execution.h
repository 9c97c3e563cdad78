/* An instruction that a warp executes: what is known of it before, and what is found. */
#ifndef SL_WARP_IPDOM_EXECUTION_H
#define SL_WARP_IPDOM_EXECUTION_H

#include "warp/ipdom_warps.h"

/* What the pipeline must do about an instruction beyond its timing. */
enum sl_ipdom_effect {
  SL_IPDOM_NOTHING,
  SL_IPDOM_ENDS,    /* TMC with an empty mask: the warp is to be switched off */
  SL_IPDOM_SPAWNS,  /* WSPAWN: `count` warps at `target` */
  SL_IPDOM_ARRIVES, /* BAR: id in `barrier`, participants in `count` */
  SL_IPDOM_FAULTS   /* nothing was done; see w->fault */
};

struct sl_ipdom_execution {
  /* Given: what was fetched. */
  const struct sl_insn *insn;
  uint32_t pc;
  sl_lanes active;
  /* Found. */
  uint32_t target; /* of WSPAWN */
  uint32_t count, barrier;
  sl_lanes local;               /* of the active lanes of a memory access, those in local memory */
  sl_lanes io;                  /* and those in the I/O region, which no cache holds */
  struct sl_extended *extended; /* given: with extensions, what they know of it */
  bool jumped;                  /* a jump, or a branch taken */
  uint32_t *address; /* given: room for a word per lane; found: addresses of the active lanes of a memory access */
};

#endif
