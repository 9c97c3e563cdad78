/* The function of one instruction on a warp: registers, memory, masks, next address. Performed once, when the pipeline
 * says so; time never changes a value. */
#ifndef SL_WARP_IPDOM_EXECUTE_H
#define SL_WARP_IPDOM_EXECUTE_H

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
  sl_lanes local;    /* of the active lanes of a memory access, those in local memory */
  sl_lanes io;       /* and those in the I/O region, which no cache holds */
  bool jumped;       /* a jump, or a branch taken */
  uint32_t *address; /* given: room for a word per lane; found: addresses of the active lanes of a memory access */
};

/* Performs ex->insn. The warp's pc is where the next instruction was fetched from (ex->pc + 4 unless a hardware loop
 * says otherwise) and changes only when the instruction jumps or joins; its mask changes at once. Active warps,
 * barriers and spawning are the caller's. */
enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Whether fetch of a warp waits for the instruction to execute: branches, jumps, warp control, traps, and accesses to
 * the CSRs that depend on what is under way (fflags, frm, fcsr). */
bool sl_stalls_fetch(const struct sl_insn *in);

#endif
