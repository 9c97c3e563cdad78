/* Fault records. The machine records a fault where it happens; the device formats the message. */
#ifndef SL_WARP_FAULT_H
#define SL_WARP_FAULT_H

#include "isa/isa.h"

/* Reasons why a warp cannot continue. */
enum sl_fault_kind {
  SL_FAULT_NONE,
  SL_FAULT_UNKNOWN_INSTRUCTION,
  SL_FAULT_FETCH,      /* pc outside the program */
  SL_FAULT_JUMP,       /* target of a jump or branch outside the program */
  SL_FAULT_ADDRESS,    /* access out of range */
  SL_FAULT_OUTSIDE,    /* access outside a memory of limited size */
  SL_FAULT_STACK,      /* access between the scratchpad and the thread's stack: stack overflow or wild pointer */
  SL_FAULT_MISALIGNED, /* address not a multiple of the access width */
  SL_FAULT_ATOMIC,     /* atomic on a memory without atomics */
  SL_FAULT_NEST_OVERFLOW,
  SL_FAULT_NEST_UNDERFLOW,
  SL_FAULT_DIVERGED_COMMAND, /* warp command in a diverged warp */
  SL_FAULT_CSR,
  SL_FAULT_SYSTEM, /* ecall, ebreak */
  SL_FAULT_DEADLOCK,
  SL_FAULT_LIVELOCK,        /* every running warp repeats its state; `lanes`: the lanes of this warp that do */
  SL_FAULT_IPDOM_OVERFLOW,  /* all `address` entries are in use */
  SL_FAULT_IPDOM_UNDERFLOW, /* join without a split */
  SL_FAULT_JOIN_TOKEN,      /* join without an open split: `address` is the token */
  SL_FAULT_CONVERGENCE, /* not supported by the scheme: `detail` says why; lanes `held` of the warp are at held_pc */
  SL_FAULT_DIVERGENT_BRANCH, /* lanes of a warp disagree on a branch */
  SL_FAULT_EXTENSION,        /* illegal use of hardware loops or streams; `detail` says which */
  SL_FAULT_WARPS_WAIT,       /* every remaining warp waits for another one */
  SL_FAULT_SPILL,            /* no register can be spilled and `address` slots are free: no warp can continue */
  SL_FAULT_OVERWRITTEN,      /* memory now holds a different instruction: `address` is the pc of the last store to it */
  SL_FAULT_BALLOT,           /* lanes above 31 vote, for which the result has no bits */
  SL_FAULT_LANES_APART,      /* lanes that the instruction needs are elsewhere: `held`, some of them at held_pc */
  SL_FAULT_INTERNAL          /* the simulator broke an invariant */
};

struct sl_fault {
  enum sl_fault_kind kind;
  int warp; /* -1: the host CPU. With several cores: core * warps per core + warp */
  sl_lanes lanes;
  uint32_t pc;
  uint32_t address; /* of the access; or the CSR number */
  struct sl_insn insn;
  uint64_t cycle;
  bool in_grid; /* blocks have numbers: `block` is the warp's, `thread` is its first lane's */
  uint32_t block[3], thread[3];
  const char *detail; /* a static part of the message, or NULL */
  /* Of a livelock: lanes of the warp wait for the end of the loop; those that the instruction at held_pc will switch on
   * again. Of SL_FAULT_CONVERGENCE and SL_FAULT_DIVERGED_COMMAND: other lanes. */
  bool blocks;
  bool parked; /* of a livelock: the lanes that do not loop wait at a barrier for all lanes of the warp */
  sl_lanes held;
  uint32_t held_pc;
};

#endif
