/* Effect of an executed warp instruction. */
#ifndef SL_PTX_RUN_PTX_EFFECT_H
#define SL_PTX_RUN_PTX_EFFECT_H

#include "ptx/run/ptx_fault.h"

struct sl_ptx_effect {
  const struct sl_ptx_insn *insn;
  uint64_t clock; /* the clock passed to sl_ptx_execute */
  uint32_t pc;
  uint32_t issued; /* lanes of the top of the stack */
  uint32_t active; /* those whose guard holds: counted as thread instructions */
  uint32_t taken;  /* lanes that branch */
  uint32_t exited;
  enum sl_ptx_space space;        /* of an access; a generic address is resolved (by the lowest active lane) */
  uint32_t bytes;                 /* per lane and access: element bytes x elements */
  uint64_t address[SL_PTX_LANES]; /* in that space, of the active lanes; local memory: in the thread's frame */
  unsigned barrier;               /* number of a barrier */
  unsigned barrier_threads;       /* threads it waits for; 0: all of the block */
  bool arrives;                   /* bar.arrive: does not wait */
};

#endif
