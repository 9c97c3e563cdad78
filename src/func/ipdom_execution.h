/* One instruction that a warp executes: its inputs and the results of its execution. */
#ifndef SL_WARP_IPDOM_EXECUTION_H
#define SL_WARP_IPDOM_EXECUTION_H

#include "func/ipdom_warps.h"
#include "func/rv_execute.h"

/* What the pipeline must do after an instruction, beyond its timing. */
enum sl_ipdom_effect {
  SL_IPDOM_NOTHING,
  SL_IPDOM_ENDS,    /* TMC with an empty mask: switch the warp off */
  SL_IPDOM_SPAWNS,  /* WSPAWN: start `count` warps at `target` */
  SL_IPDOM_ARRIVES, /* BAR: id in `barrier`, number of participants in `count` */
  SL_IPDOM_FAULTS   /* nothing has changed; see w->fault */
};

struct sl_ipdom_execution {
  /* Inputs: the fetched instruction. */
  const struct sl_insn *insn;
  uint32_t pc;
  sl_lanes active;
  /* Results. */
  uint32_t target; /* of WSPAWN */
  uint32_t count, barrier;
  sl_lanes local;               /* memory access: active lanes that access local memory */
  sl_lanes io;                  /* memory access: active lanes that access the uncached I/O region */
  struct sl_extended *extended; /* input: the extensions' data about it, if there are extensions */
  bool jumped;                  /* a jump or a taken branch */
  uint32_t *address;            /* input: room for one word per lane; result: addresses of the active lanes */
};

static inline struct sl_rv_lanes sl_ipdom_lanes(const struct sl_ipdom_warps *w, unsigned warp,
                                                const struct sl_ipdom_execution *ex)
{
  return (struct sl_rv_lanes){.ops = w->ops,
                              .insn = ex->insn,
                              .x = sl_ipdom_registers(w, warp),
                              .active = ex->active,
                              .pc = ex->pc,
                              .lanes = w->spec.lanes,
                              .lane_bits = w->lane_bits};
}

#endif
