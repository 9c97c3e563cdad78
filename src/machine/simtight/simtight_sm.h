/* A SIMTight streaming multiprocessor: its state, wired from the units of core/ and mem/.
 *
 * Pipeline of the plain register file, t = cycle in which a warp is picked: t schedule, t+1 read thread state, t+2..t+3
 * select active threads, t+4 fetch, t+5 operands, t+6 latch and decode, e = t+7 execute, e+1 write back or resume; the
 * warp is in its queue again in e+2. At most one instruction of a warp is in flight, so nothing touches a warp's state
 * between pick and execute and everything about its instruction is evaluated in e, but for what says so below.
 *
 * The compressed register file adds two cycles of operand fetch, and the choice of a spill victim one more: e = t+9, or
 * t+10 with fewer vector slots than registers. A result then ends the warp's suspension two cycles later too. (Paper,
 * section III and Figures 1 to 3.) */
#ifndef SL_MACHINE_SIMTIGHT_SM_H
#define SL_MACHINE_SIMTIGHT_SM_H

#include "base/state_parts.h"
#include "machine/machine.h"
#include "machine/simtight/simtight_boxes.h"
#include "machine/simtight/simtight_spec.h"
#include "mem/events/request_path.h"
#include "unit/barrier.h"
#include "unit/divider.h"
#include "unit/fpu.h"
#include "unit/register_file.h"
#include "unit/resume.h"
#include "unit/scalar_pipeline.h"
#include "unit/scheduler.h"
#include "unit/spill.h"
#include "unit/suspension.h"
#include "warp/blocks/path_blocks.h"
#include "warp/path_execute.h"

enum {
  SL_SIMTIGHT_DEPTH = 7,            /* cycles from pick to execute with the plain register file, */
  SL_SIMTIGHT_DEPTH_COMPRESSED = 9, /* with the compressed one, */
  SL_SIMTIGHT_DEPTH_SPILLING = 10,  /* and with one that can spill */
  SL_SIMTIGHT_VICTIM = 6,           /* cycles before execute: a spill slot's victim is chosen */
  SL_SIMTIGHT_SUSPENDED = 4,        /* the same: whether a lane is suspended is looked at */
  SL_SIMTIGHT_RESULT_DELAY = 2,     /* cycles from a register's write to the end of suspension, compressed */
  SL_SIMTIGHT_FRUITLESS = 4096,     /* spill slots without an eviction that make one look for a deadlock */
  SL_SIMTIGHT_LIVELOCK = 1 << 19,   /* cycles, or instructions without timing, between looks for a livelock */
  SL_SIMTIGHT_RING = 16,            /* a power of two above the depths */
  SL_SIMTIGHT_UNCOUNTED = 6         /* the instruction counter's adder tree is this many cycles behind at the end */
};

SL_HOLDS(SL_SIMTIGHT_RING, SL_SIMTIGHT_DEPTH_SPILLING + 1, "picks that have not executed");
SL_HOLDS(4, SL_SIMTIGHT_RESULT_DELAY + 1, "results that settle");
SL_HOLDS(16, SL_SIMTIGHT_RING, "bits of spill_slots");

/* Where a cycle of the issue slot went. */
enum sl_slot {
#define CAUSE(id, name, kind, meaning) SL_SLOT_##id,
#include "machine/simtight/simtight_causes.def"
#undef CAUSE
  SL_SLOT_COUNT
};

struct sl_simtight_counts {
  uint64_t instructions; /* of the functional mode, which has no slots */
  uint64_t thread_instructions;
  uint64_t slots[SL_SLOT_COUNT];
  uint64_t by_warp[SL_MAX_WARPS]; /* instructions issued */
  uint64_t requested;             /* on the memory path, in lanes that await an answer */
};

/* Plain data: what a checkpoint holds of the SM, beside the arrays. No pointers. */
struct sl_simtight_state {
  /* What the cycle loop touches every cycle. */
  int64_t cycle;    /* of the kernel, 0 = first with the pipeline active */
  sl_warps queue;   /* warps that can be picked, but for suspension */
  sl_warps requeue; /* warps whose instruction left execute in the previous cycle */
  struct sl_scheduler scheduler;
  int8_t pipeline[SL_SIMTIGHT_RING]; /* warp that executes in cycle c at c % RING, -1 for none */
  unsigned in_pipeline;
  struct sl_response result; /* of the instruction executed in the previous cycle; no lanes: none */
  struct sl_resume resume;
  struct sl_suspension suspension;
  struct sl_barrier barrier;
  struct sl_multiplier_events multiplier;
  struct sl_divider divider;
  struct sl_fpu fpu;
  struct sl_simtight_counts counts;
  uint8_t recent[SL_SIMTIGHT_RING]; /* thread instructions of the latest cycles, at c % RING */
  /* With a compressed register file. */
  uint16_t spill_slots; /* bit c % RING: what executes in cycle c is a spill slot */
  int8_t evicted;       /* warp a register of which was spilled in the previous cycle, -1 for none */
  uint8_t evicted_register;
  /* Of a round robin: words that warp 0 was about to execute, by cycle at c % 4, and the warp of the latest slot. */
  uint32_t warp0_words[4];
  uint8_t latest_slot;
  sl_warps suspects;       /* warps that can be picked in the one cycle before the scheduler sees them suspended */
  sl_warps slot_suspended; /* of them, those in the pipeline that were suspended when it was looked at */
  sl_warps requeue_scalar; /* as requeue: for the scalar pipeline, if there is room */
  struct sl_response settling[4]; /* results whose lanes are suspended to the end of cycle c, at c % 4 */
  sl_warps ended;
  bool success;
  enum sl_sm_state state;
  unsigned launches;

  struct sl_request_path path;
  struct sl_stack_cache stack_cache; /* survives kernels */
  struct sl_register_file registers;
  struct sl_spill spill;
  struct sl_scalar_pipeline scalar;
  /* While someone listens. */
  struct {
    uint64_t charged[SL_SLOT_COUNT];           /* of counts.slots, what has been told */
    uint32_t last[SL_MAX_WARPS];               /* pc of the instruction the warp was last in a slot with */
    uint32_t latest;                           /* of any warp */
    uint8_t known[SL_MAX_WARPS][SL_REGISTERS]; /* of a plain register: 1 + its regularity, 0 for not compared yet */
    int64_t next_pick;                         /* the cycle after the latest pick: picking in it leaves no gap */
    uint32_t awaited[SL_MAX_WARPS];            /* pc of the instruction whose result the warp was suspended for last */
    sl_warps filling;                          /* their last instruction was to have a register read back */
  } ledger;
  struct sl_request functional_request; /* of the functional mode, which has no memory path */
};

struct sl_simtight_sm {
  struct sl_sm base;
  struct sl_simtight_state s;
  /* Wiring: what follows from the keys, and what is outside. */
  unsigned depth; /* cycles from pick to execute */
  bool observed;  /* someone listens */
  bool can_spill; /* there are fewer slots than registers */
  struct sl_simtight_spec spec;
  struct sl_sm_environment environment;
  struct sl_path_warps warps;
  struct sl_stretches stretches;   /* without timing */
  uint8_t *predicted;              /* per instruction word: scalarisable; survives kernels */
  struct sl_simtight_boxes *boxes; /* in test builds */
};

static inline struct sl_simtight_sm *sl_simtight_of(struct sl_sm *handle)
{
  return (struct sl_simtight_sm *)handle;
}

static inline const struct sl_simtight_sm *sl_simtight_of_const(const struct sl_sm *handle)
{
  return (const struct sl_simtight_sm *)handle;
}

/* What listeners are told, to be called only while there are any (simtight_report.c, simtight_ledger.c). The rest of
 * the probe is filled in. */
void sl_simtight_tell(struct sl_simtight_sm *sm, struct sl_probe probe);

/* An executed instruction, before and after; request is that of a memory kind, NULL in the scalar pipeline. */
void sl_simtight_report_operands(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex);
void sl_simtight_report(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        struct sl_request *request);

/* The end of a cycle: the result written in it, the warps picked, and those a barrier has released. */
void sl_simtight_report_cycle(struct sl_simtight_sm *sm, struct sl_response written, sl_warps released);

/* Of the barrier alone: a warp has come to it, warps leave it. */
void sl_simtight_report_arrived(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_report_released(struct sl_simtight_sm *sm, sl_warps released);

/* A result of the scalar pipeline is written. */
void sl_simtight_report_written(struct sl_simtight_sm *sm, struct sl_response written);

/* The evicted register's slot is free. */
void sl_simtight_report_evicted(struct sl_simtight_sm *sm);

/* The memory path in cycle now, and the passes of the coalescing unit for requests that go to DRAM in it. */
void sl_simtight_report_path(struct sl_simtight_sm *sm, int64_t now);

/* Something that happens to an instruction, or to a register because of it. */
void sl_simtight_report_event(struct sl_simtight_sm *sm, enum sl_probe_kind kind, unsigned warp,
                              const struct sl_insn *insn, unsigned reg);

/* Whose cycles are: from the start of a kernel to its end, of every pick and of every cycle of the issue slot in which
 * an instruction was there. */
void sl_simtight_ledger_start(struct sl_simtight_sm *sm, uint32_t entry);
void sl_simtight_ledger_pick(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_ledger_slot(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, enum sl_slot slot);
void sl_simtight_ledger_end(struct sl_simtight_sm *sm);

/* The coalescing unit has had its cycle, in which it decided on this request (-1: none). */
void sl_simtight_ledger_queue(struct sl_simtight_sm *sm, int deciding);

/* Counts a cycle of the issue slot in which the warp's instruction was there. */
static inline void sl_simtight_count_slot(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn,
                                          enum sl_slot slot)
{
  sm->s.counts.slots[slot]++;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_ledger_slot(sm, warp, sl_code_address(&sm->warps.code, sl_code_number(&sm->warps.code, insn)), slot);
}

/* Puts the request on the memory path; its lanes wait if it answers. */
static inline __attribute__((always_inline)) void sl_simtight_issue_memory(struct sl_simtight_sm *sm, unsigned warp,
                                                                           const struct sl_request *request)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  sl_simtight_boxes_put(sm, request);
  sl_request_path_put(&sm->s.path, sm->warps.ops, sm->s.cycle);
  if (!waiting)
    return;
  sl_suspension_set(&sm->s.suspension, warp, waiting, SL_WAIT_MEMORY);
  sm->s.counts.requested += waiting == sm->warps.all ? sm->warps.spec.lanes : sl_count(waiting);
}

/* The execute stage, for the warp picked `depth` cycles ago. */
void sl_simtight_execute(struct sl_simtight_sm *sm, unsigned warp);

/* The same with a compressed register file, where the slot may be one to spill. */
void sl_simtight_execute_compressed(struct sl_simtight_sm *sm, unsigned warp);

/* The scalar pipeline's cycle, from write-back to execute; the vector pipeline has executed. */
void sl_simtight_scalar_cycle(struct sl_simtight_sm *sm);

/* Stages of the vector pipeline that look at state before execute: for suspended warps and spill victims. */
void sl_simtight_look_ahead(struct sl_simtight_sm *sm);

/* The choices of victims in so many cycles, from this one on, in which nothing is in the pipeline. */
void sl_simtight_skip_choices(struct sl_simtight_sm *sm, int64_t cycles);

/* Whether the warp in this slot was suspended when the pipeline looked. */
static inline bool sl_simtight_was_suspended(struct sl_simtight_sm *sm, unsigned warp)
{
  const sl_warps bit = sm->s.slot_suspended & sl_bit(warp);
  sm->s.slot_suspended &= ~bit;
  return bit != 0;
}

/* The execute stage of a spill slot, and of an instruction with a spilled operand. */
void sl_simtight_spill(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_unspill(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn);

/* The check of the scalar pipeline's stage u+3: a suspended warp will be sent back, and one whose instruction turns out
 * not to be scalarisable. */
void sl_simtight_check_scalar(struct sl_simtight_sm *sm);

/* The register of a warp that would be spilled now, or -1. */
int sl_simtight_victim(const struct sl_simtight_sm *sm, unsigned warp);

/* Why no warp can be picked, if some wait for memory or for units, or have ended. */
static inline enum sl_slot sl_simtight_idle_reason(const struct sl_simtight_sm *sm, bool memory, bool unit, bool ended)
{
  if (memory)
    return SL_SLOT_MEMORY;
  if (unit)
    return SL_SLOT_UNIT;
  if (sm->s.barrier.waiting)
    return SL_SLOT_BARRIER;
  return ended ? SL_SLOT_FINISHED : SL_SLOT_PIPELINE;
}

/* Simulates cycles up to `end`, or until no warp is in the pipeline, of a plain register file, while nobody listens. */
void sl_simtight_run_rounds(struct sl_simtight_sm *sm, int64_t end);

/* Simulates up to that many cycles. */
void sl_simtight_run_cycles(struct sl_sm *handle, uint64_t cycles);

/* For launches of which parts are timed: struct sl_machine_sampling (simtight_sampled.c). */
bool sl_simtight_drained(const struct sl_simtight_sm *sm);
/* With a compressed register file, drained: values go to the threads' arrays; and from there back to entries. */
void sl_simtight_unpack(struct sl_simtight_sm *sm);
void sl_simtight_pack(struct sl_simtight_sm *sm);
bool sl_simtight_drain(struct sl_sm *handle, uint64_t cycles);
unsigned sl_simtight_population(const struct sl_sm *handle);
uint64_t sl_simtight_issued(const struct sl_sm *handle, unsigned warp);

/* Without timing: struct sl_machine_steps. */
enum { SL_SIMTIGHT_TURN = 64 };
int sl_simtight_next(struct sl_sm *handle, unsigned after);
uint64_t sl_simtight_run_warp(struct sl_sm *handle, struct sl_turn *turn, uint64_t most);
void sl_simtight_none(struct sl_sm *handle);

/* A warp command: the warp waits at the barrier or has ended. */
void sl_simtight_command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command);

/* Ends the run with a deadlock: the warps left wait at a barrier that cannot open. */
void sl_simtight_deadlock(struct sl_simtight_sm *sm);

/* Ends the run with a deadlock if no warp left has a register to spill, though too few slots are free: spill mode, and
 * with it the wait, would never end. */
void sl_simtight_check_spilling(struct sl_simtight_sm *sm);

/* Ends the run with a livelock if no warp that runs can ever leave the loop it is in. */
void sl_simtight_check_livelock(struct sl_sm *handle);

/* Conservation at the end of a kernel: where the issue slot's cycles went adds up, every lane that waited was answered,
 * and what is still under way drains. NULL, or what is broken. */
const char *sl_simtight_broken(const struct sl_simtight_sm *sm);

/* The state as bytes: a list of parts, in this order. */
enum {
  SL_SIMTIGHT_PART_STATE,
  SL_SIMTIGHT_PART_WARPS,
  SL_SIMTIGHT_PART_REGISTERS,
  SL_SIMTIGHT_PART_PATHS,
  SL_SIMTIGHT_PART_CODE,
  SL_SIMTIGHT_PART_PREDICTED,
  SL_SIMTIGHT_PART_TURN,
  SL_SIMTIGHT_PARTS
};

void sl_simtight_parts(const struct sl_simtight_sm *sm, struct sl_state_part part[SL_SIMTIGHT_PARTS]);

/* The machine interface's view of the state. */
size_t sl_simtight_state_bytes(const struct sl_sm *handle);
enum sl_status sl_simtight_fits(struct sl_sm *handle, bool timing, const uint8_t *bytes, size_t size);
void sl_simtight_save(const struct sl_sm *handle, uint8_t *bytes);
void sl_simtight_restore(struct sl_sm *handle, const uint8_t *bytes);
uint32_t sl_simtight_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg);
uint32_t sl_simtight_pc(const struct sl_sm *handle, unsigned warp, unsigned lane);
bool sl_simtight_set_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value);
bool sl_simtight_set_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc);

extern const struct sl_counters sl_simtight_counters;
extern const struct sl_energy_source sl_simtight_energy[];
extern const struct sl_causes sl_simtight_causes;
unsigned sl_simtight_profiled(const void *spec);
uint64_t sl_simtight_counter(const struct sl_sm *handle, size_t index);

#endif
