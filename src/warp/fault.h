/* Faults: what a program did that the machine cannot do, recorded where it happened; the device turns it into a
 * sentence. */
#ifndef SL_WARP_FAULT_H
#define SL_WARP_FAULT_H

#include "isa/isa.h"

/* What stopped a warp that cannot go on. */
enum sl_fault_kind {
  SL_FAULT_NONE,
  SL_FAULT_UNKNOWN_INSTRUCTION,
  SL_FAULT_FETCH,      /* pc outside the program */
  SL_FAULT_JUMP,       /* jump or branch to where there is no program */
  SL_FAULT_ADDRESS,    /* access out of range */
  SL_FAULT_OUTSIDE,    /* access outside a memory of a given size */
  SL_FAULT_STACK,      /* access between scratchpad and own stack: the stack has overflowed, or a wild pointer */
  SL_FAULT_MISALIGNED, /* address no multiple of the width */
  SL_FAULT_ATOMIC,     /* atomic on memory that has none */
  SL_FAULT_NEST_OVERFLOW,
  SL_FAULT_NEST_UNDERFLOW,
  SL_FAULT_DIVERGED_COMMAND, /* warp command while some lanes are elsewhere */
  SL_FAULT_CSR,
  SL_FAULT_SYSTEM, /* ecall, ebreak */
  SL_FAULT_DEADLOCK,
  SL_FAULT_LIVELOCK,         /* every warp that runs repeats its state, `lanes` those that do in this one */
  SL_FAULT_IPDOM_OVERFLOW,   /* `address` entries are all in use */
  SL_FAULT_IPDOM_UNDERFLOW,  /* join without a split */
  SL_FAULT_JOIN_TOKEN,       /* join of a split that is not under way: `address` is the token */
  SL_FAULT_DIVERGENT_BRANCH, /* branch that lanes of a warp disagree on */
  SL_FAULT_EXTENSION,        /* what hardware loops or streams do not allow, as `detail` says */
  SL_FAULT_WARPS_WAIT,       /* every warp that is left waits for others */
  SL_FAULT_SPILL,            /* no register left to spill, `address` free slots: no warp can go on */
  SL_FAULT_OVERWRITTEN, /* the instruction is not what memory has there now: `address` is the pc of the last store */
  SL_FAULT_INTERNAL     /* a broken invariant of the simulator */
};

struct sl_fault {
  enum sl_fault_kind kind;
  int warp; /* -1: the host CPU; with several cores, core * warps of a core + warp */
  sl_lanes lanes;
  uint32_t pc;
  uint32_t address; /* of an access, or the CSR number */
  struct sl_insn insn;
  uint64_t cycle;
  bool in_grid; /* blocks have numbers: that of the warp's block, and of its first lane's thread */
  uint32_t block[3], thread[3];
  const char *detail; /* a static sentence part, or NULL */
};

#endif
