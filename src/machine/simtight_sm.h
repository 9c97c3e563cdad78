/* A SIMTight streaming multiprocessor: its state, wired from the units of core/ and mem/.
 *
 * Pipeline of the plain register file, t = cycle in which a warp is picked: t schedule, t+1 read thread state, t+2..t+3
 * select active threads, t+4 fetch, t+5 operands, t+6 latch and decode, e = t+7 execute, e+1 write back or resume; the
 * warp is in its queue again in e+2. At most one instruction of a warp is in flight, so nothing touches a warp's state
 * between pick and execute and everything about its instruction is evaluated in e. (Paper, section III-A and Figure 1.)
 */
#ifndef SL_MACHINE_SIMTIGHT_SM_H
#define SL_MACHINE_SIMTIGHT_SM_H

#include "core/barrier.h"
#include "core/divider.h"
#include "core/execute.h"
#include "core/fpu.h"
#include "core/multiplier.h"
#include "core/scheduler.h"
#include "core/suspension.h"
#include "machine/machine.h"
#include "machine/simtight_spec.h"
#include "mem/coalescer.h"

enum {
  SL_SIMTIGHT_DEPTH = 7,    /* cycles from pick to execute */
  SL_SIMTIGHT_RING = 8,     /* the smallest power of two above it */
  SL_SIMTIGHT_UNCOUNTED = 6 /* the instruction counter's adder tree is this many cycles behind at the end */
};

/* Where a cycle of the issue slot went. */
enum sl_slot {
  SL_SLOT_ISSUED,
  SL_SLOT_RETRIED,
  SL_SLOT_BUBBLE, /* a suspended warp was picked: never without a scalar pipeline */
  SL_SLOT_MEMORY,   /* nothing to pick: some warp waits for memory */
  SL_SLOT_UNIT,     /* else some warp waits for multiplier, divider or floating-point unit */
  SL_SLOT_BARRIER,  /* else some warp waits at the barrier */
  SL_SLOT_PIPELINE, /* else all warps have their instruction in the pipeline */
  SL_SLOT_FINISHED, /* the same, after some warps have ended: those left cannot fill the pipeline */
  SL_SLOT_COUNT
};

struct sl_simtight_counts {
  uint64_t instructions; /* of the functional mode, which has no slots */
  uint64_t thread_instructions;
  uint64_t slots[SL_SLOT_COUNT];
  uint64_t requested, answered; /* on the memory path, in lanes that await an answer */
};

struct sl_sm {
  /* What the cycle loop touches every cycle. */
  int64_t cycle;    /* of the kernel, 0 = first with the pipeline active */
  sl_warps queue;   /* warps that can be picked, but for suspension */
  sl_warps requeue; /* warps whose instruction left execute in the previous cycle */
  struct sl_scheduler scheduler;
  int8_t pipeline[SL_SIMTIGHT_RING]; /* warp that executes in cycle c at c % RING, -1 for none */
  unsigned in_pipeline;
  struct sl_response result; /* of the instruction executed in the previous cycle; no lanes: none */
  struct sl_pipeline_queue resume;
  struct sl_pipeline_queue memory_response; /* DRAM and scratchpad answers, merged */
  bool last_was_dram;                       /* the merge's last choice; survives kernels */
  bool multiplier_ready;
  bool observed; /* someone listens to commits or accesses */
  struct sl_suspension suspension;
  struct sl_barrier barrier;
  struct sl_multiplier multiplier;
  struct sl_divider divider;
  struct sl_fpu fpu;
  struct sl_simtight_counts counts;
  uint8_t recent[SL_SIMTIGHT_RING]; /* thread instructions of the latest cycles, at c % RING */
  sl_warps ended;
  bool success;
  enum sl_sm_state state;
  unsigned launches;

  struct sl_simtight_spec spec;
  struct sl_sm_environment environment;
  struct sl_threads threads;
  struct sl_dram dram;
  struct sl_scratchpad scratchpad;
  struct sl_coalescer coalescer;
  /* Of the functional mode: whose turn it is, for how many more instructions, and who is next in this round. */
  unsigned turn_warp;
  uint64_t turn_left;
  sl_warps turn_rest;
  struct sl_request functional_request; /* of the functional mode, which has no memory path */
};

/* The execute stage, for the warp picked DEPTH cycles ago. */
void sl_simtight_execute(struct sl_sm *sm, unsigned warp);

/* Functional mode: warps run to their next barrier in turn, for at most `instructions` warp instructions. */
enum sl_sm_state sl_simtight_run_fast(struct sl_sm *sm, uint64_t instructions);

/* Tells those who listen about an executed instruction; request is that of a memory kind. */
void sl_simtight_report(const struct sl_sm *sm, unsigned warp, const struct sl_execution *ex,
                        const struct sl_request *request);

/* A warp command: the warp waits at the barrier or has ended. */
void sl_simtight_command(struct sl_sm *sm, unsigned warp, uint32_t command);

/* Ends the run with a deadlock: the warps left wait at a barrier that cannot open. */
void sl_simtight_deadlock(struct sl_sm *sm);

/* Stage by stage, the memory path from the answers' merge back to the request FIFO. */
void sl_simtight_memory_path(struct sl_sm *sm);

/* Conservation at the end of a kernel: where the issue slot's cycles went adds up, every lane that waited was answered,
 * and what is still under way drains. NULL, or what is broken. */
const char *sl_simtight_broken(const struct sl_sm *sm);

/* The machine interface's view of the state. */
size_t sl_simtight_state_bytes(const struct sl_sm *sm);
void sl_simtight_save(const struct sl_sm *sm, uint8_t *bytes);
void sl_simtight_restore(struct sl_sm *sm, const uint8_t *bytes);
uint32_t sl_simtight_register(const struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg);
uint32_t sl_simtight_pc(const struct sl_sm *sm, unsigned warp, unsigned lane);

extern const struct sl_counters sl_simtight_counters;
uint64_t sl_simtight_counter(const struct sl_sm *sm, size_t index);

#endif
