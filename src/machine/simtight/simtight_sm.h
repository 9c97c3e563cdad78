/* A SIMTight streaming multiprocessor: its state, wired from the units of unit/ and mem/.
 *
 * Timing contract of the plain register file, t = cycle in which a warp is picked: t schedule, t+1 read thread state,
 * t+2..t+3 select active threads, t+4 fetch, t+5 operands, t+6 latch and decode, e = t+7 execute, e+1 write back or
 * resume. The warp is in its queue again in e+2. At most one instruction of a warp is in flight, so a warp's state does
 * not change between pick and execute. The simulator evaluates the whole instruction in e, with the exceptions noted
 * below.
 *
 * The compressed register file adds two cycles of operand fetch, and the choice of a spill victim one more: e = t+9, or
 * t+10 with fewer vector slots than registers. A result then also ends the warp's suspension two cycles later. (Paper,
 * section III and Figures 1 to 3.) */
#ifndef SL_MACHINE_SIMTIGHT_SM_H
#define SL_MACHINE_SIMTIGHT_SM_H

#include "base/keys.h"
#include "base/queues.h"
#include "func/blocks/path_blocks.h"
#include "func/path_execute.h"
#include "func/path_warps.h"
#include "machine/machine.h"
#include "mem/request.h"
#include "timing/memory/coalescer.h"
#include "timing/pipeline/arithmetic_units.h"
#include "timing/pipeline/register_file.h"
#include "timing/pipeline/scalar_pipeline.h"
#include "timing/pipeline/warp_scheduler.h"

/* The configuration of a SIMTight streaming multiprocessor: one field per key of simtight_keys.c. */

struct sl_simtight_spec {
  uint32_t lanes, warps;
  uint32_t fpu;
  uint32_t divider, divider_latency, divider_depth;
  uint32_t code_base, code_words;
  uint32_t scratchpad_base, scratchpad_bytes, scratchpad_banks;
  uint32_t stack_bytes;
  uint32_t fifo_depth, in_flight_depth;
  uint32_t dram_latency, dram_beat_bytes, dram_outstanding;
  uint32_t fpu_limit, fpu_latency[SL_FPU_CLASS_COUNT];
  uint32_t barrier_phase, barrier_turned;
  uint32_t compressed;   /* register file: plain or compressed */
  uint32_t affine;       /* the compressed file also holds affine vectors */
  uint32_t vector_slots; /* of the compressed register file; 0: one per register */
  uint32_t spill_threshold, spill_policy, spill_base, free_ended;
  uint32_t scalar_pipeline, scalar_warps;
  uint32_t stack_cache_entries; /* 0: no stack cache */
  uint32_t convergence;         /* among the schemes of paths */
  uint32_t fairness;            /* 0: off */
  uint32_t global_atomics;      /* atomics on DRAM (coalescer.h) */
  uint32_t warp_functions;      /* votes and shuffles (rv_execute.h) */
};

extern const struct sl_keys sl_simtight_keys;

/* Checks rules that involve several keys. */
enum sl_status sl_simtight_check(const void *spec, struct sl_error *err);

/* Values derived from keys that may be automatic: vector slots, the spill threshold, and the address of spilled
 * registers. */
uint32_t sl_simtight_slots(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_threshold(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_bytes(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_base(const struct sl_simtight_spec *spec);

/* The configuration of such an SM's threads. */
struct sl_path_warps_spec sl_simtight_threads(const struct sl_simtight_spec *spec);

enum {
  SL_SIMTIGHT_DEPTH = 7,            /* cycles from pick to execute, plain register file */
  SL_SIMTIGHT_DEPTH_COMPRESSED = 9, /* compressed register file */
  SL_SIMTIGHT_DEPTH_SPILLING = 10,  /* compressed register file that can spill */
  SL_SIMTIGHT_VICTIM = 6,           /* cycles before execute: choice of a spill slot's victim */
  SL_SIMTIGHT_SUSPENDED = 4,        /* cycles before execute: check for suspended lanes */
  SL_SIMTIGHT_RESULT_DELAY = 2,     /* compressed: cycles from a register's write to the end of suspension */
  SL_SIMTIGHT_FRUITLESS = 4096,     /* spill slots without an eviction before a deadlock check */
  SL_SIMTIGHT_RING = 16,            /* a power of two greater than the depths */
  SL_SIMTIGHT_UNCOUNTED = 6         /* at the end the instruction counter's adder tree lags by these cycles */
};

SL_HOLDS(SL_SIMTIGHT_RING, SL_SIMTIGHT_DEPTH_SPILLING + 1, "picks that have not executed");
SL_HOLDS(4, SL_SIMTIGHT_RESULT_DELAY + 1, "results that settle");
SL_HOLDS(16, SL_SIMTIGHT_RING, "bits of spill_slots");

/* Stall reasons of the issue slot. */
enum sl_slot {
#define CAUSE(id, name, kind, meaning) SL_SLOT_##id,
#include "machine/simtight/simtight_stall_reasons.def"
#undef CAUSE
  SL_SLOT_COUNT
};

struct sl_simtight_counts {
  uint64_t instructions; /* functional mode, which has no issue slots */
  uint64_t thread_instructions;
  uint64_t slots[SL_SLOT_COUNT];
  uint64_t by_warp[SL_MAX_WARPS]; /* instructions issued */
  uint64_t requested;             /* lanes whose request awaits an answer on the memory path */
};

/* Plain data without pointers. A checkpoint of the SM holds it together with the arrays. */
struct sl_simtight_state {
  /* Used in every cycle. */
  int64_t cycle;    /* of the kernel; 0: first cycle with the pipeline active */
  sl_warps queue;   /* warps that can be picked unless they are suspended */
  sl_warps requeue; /* warps whose instruction left execute in the previous cycle */
  struct sl_scheduler scheduler;
  int8_t pipeline[SL_SIMTIGHT_RING]; /* warp that executes in cycle c at c % RING, -1: none */
  unsigned in_pipeline;
  struct sl_response result; /* of the instruction executed in the previous cycle; no lanes: none */
  struct sl_resume resume;
  struct sl_suspension suspension;
  struct sl_barrier barrier;
  struct sl_multiplier_events multiplier;
  struct sl_divider divider;
  struct sl_fpu fpu;
  struct sl_simtight_counts counts;
  uint8_t recent[SL_SIMTIGHT_RING]; /* thread instructions of recent cycles, at c % RING */
  /* Compressed register file. */
  uint16_t spill_slots; /* bit c % RING: a spill slot executes in cycle c */
  int8_t evicted;       /* warp whose register was spilled in the previous cycle, -1: none */
  uint8_t evicted_register;
  /* Round robin only: the words that warp 0 was about to execute, by cycle at c % 4, and the warp of the latest slot.
   */
  uint32_t warp0_words[4];
  uint8_t latest_slot;
  sl_warps suspects;              /* warps that can be picked in the cycle before the scheduler sees their suspension */
  sl_warps slot_suspended;        /* suspects in the pipeline that were suspended at the check */
  sl_warps requeue_scalar;        /* as requeue, to the scalar pipeline if it has room */
  struct sl_response settling[4]; /* results whose lanes stay suspended to the end of cycle c, at c % 4 */
  sl_warps ended;
  bool success;
  unsigned launches;

  struct sl_request_path path;
  struct sl_stack_cache stack_cache; /* kept across kernels */
  struct sl_register_file registers;
  struct sl_spill spill;
  struct sl_scalar_pipeline scalar;
  /* Stall accounting, with an observer. */
  struct {
    uint64_t charged[SL_SLOT_COUNT]; /* reported part of counts.slots */
    uint32_t last[SL_MAX_WARPS];     /* pc of the warp's latest instruction in a slot */
    uint32_t latest;                 /* the same of any warp */
    uint8_t known[SL_MAX_WARPS]
                 [SL_REGISTERS];       /* plain register file: 1 + the register's regularity, 0: not compared yet */
    int64_t next_pick;                 /* the cycle after the latest pick: a pick in it leaves no gap */
    uint32_t awaited[SL_MAX_WARPS];    /* pc of the instruction whose result the warp awaited last */
    sl_warps filling;                  /* warps whose last instruction requires a register fill */
    uint64_t ids;                      /* number of instructions that have an id */
    uint64_t attempt[SL_MAX_WARPS];    /* id of the warp's instruction before execute; 0: none */
    uint64_t executed[SL_MAX_WARPS];   /* id of its latest instruction that has executed */
    uint64_t awaited_id[SL_MAX_WARPS]; /* id of `awaited` */
    sl_lanes lanes[SL_MAX_WARPS];      /* that have executed it, */
    sl_lanes unanswered[SL_MAX_WARPS]; /* and those without a result */
  } account;
  struct sl_request functional_request; /* functional mode, which has no memory path */
};

struct sl_simtight_sm {
  struct sl_sm base;
  struct sl_simtight_state s;
  /* Wiring: values derived from the keys, and external objects. */
  unsigned depth; /* cycles from pick to execute */
  bool observed;  /* there is an observer */
  bool can_spill; /* fewer vector slots than registers */
  struct sl_simtight_spec spec;
  struct sl_sm_environment environment;
  struct sl_path_warps warps;
  struct sl_basic_blocks basic_blocks; /* functional mode */
  uint8_t *predicted;                  /* per instruction word: the prediction "scalarisable"; kept across kernels */
  struct sl_replay *replay;            /* NULL: none is used (simtight_replay.h) */
  struct sl_simtight_reference *reference; /* test builds only */
};

static inline struct sl_simtight_sm *sl_simtight_of(struct sl_sm *handle)
{
  return (struct sl_simtight_sm *)handle;
}

static inline const struct sl_simtight_sm *sl_simtight_of_const(const struct sl_sm *handle)
{
  return (const struct sl_simtight_sm *)handle;
}

/* Notifies the observer. Call only if there is one (simtight_report.c, simtight_accounting.c). Fills in the rest of the
 * probe. */
void sl_simtight_tell(struct sl_simtight_sm *sm, struct sl_probe probe);

/* Report an instruction, before and after its execution. request: of a memory kind; NULL in the scalar pipeline. */
void sl_simtight_report_operands(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex);
void sl_simtight_report(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        struct sl_request *request);

/* Reports the end of a cycle: the result written, the warps picked and the warps released by a barrier. */
void sl_simtight_report_cycle(struct sl_simtight_sm *sm, struct sl_response written, sl_warps released);

/* Report a warp that arrives at the barrier, and the warps that it releases. */
void sl_simtight_report_arrived(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_report_released(struct sl_simtight_sm *sm, sl_warps released);

/* Reports a result that the scalar pipeline writes. */
void sl_simtight_report_written(struct sl_simtight_sm *sm, struct sl_response written);

/* Reports that the evicted register has left its slot. */
void sl_simtight_report_evicted(struct sl_simtight_sm *sm);

/* Reports the memory path in cycle `now`, and the passes of the coalescing unit for requests that go to DRAM in it. */
void sl_simtight_report_path(struct sl_simtight_sm *sm, int64_t now);

/* Reports that the warp's instruction leaves the pipeline without having executed. */
void sl_simtight_account_flushed(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc);

/* Reports an event of an instruction, or of a register that it uses. */
void sl_simtight_report_event(struct sl_simtight_sm *sm, enum sl_probe_kind kind, unsigned warp,
                              const struct sl_insn *insn, unsigned reg);

/* Stall accounting: start of a kernel, each pick, each cycle of the issue slot with an instruction, end of the kernel.
 */
void sl_simtight_account_start(struct sl_simtight_sm *sm, uint32_t entry);
void sl_simtight_account_pick(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_account_slot(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, enum sl_slot slot);
void sl_simtight_account_end(struct sl_simtight_sm *sm);

/* Call after the coalescing unit's cycle. `deciding`: the request that it decided on, -1: none. */
void sl_simtight_account_queue(struct sl_simtight_sm *sm, int deciding);

/* Counts a cycle of the issue slot that the warp's instruction occupies. */
static inline void sl_simtight_count_slot(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn,
                                          enum sl_slot slot)
{
  sm->s.counts.slots[slot]++;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_account_slot(sm, warp, sl_code_address(&sm->warps.code, sl_code_number(&sm->warps.code, insn)), slot);
}

/* ---- oracles of test builds -------------------------------------------------------------------------------------- */

/* Test builds: cycle-stepped reference models of the memory path and the multiplier. They run beside the event-driven
 * models and must give the same outputs in every cycle. Call these functions only with SL_CHECKS.
 *
 * The reference models start with a kernel. A checkpoint does not include them: after a restore they start when no
 * request is in flight. */

/* Returns false if the host is out of memory. */
bool sl_simtight_reference_create(struct sl_simtight_sm *sm);
void sl_simtight_reference_free(struct sl_simtight_sm *sm);

/* start: a kernel starts. lose: a state has been restored. */
void sl_simtight_reference_start(struct sl_simtight_sm *sm);
void sl_simtight_reference_lose(struct sl_simtight_sm *sm);

/* put: a request enters the FIFO. multiply: a response enters the multiplier. answer: a result enters the register of
 * memory answers from elsewhere. */
void sl_simtight_reference_put(struct sl_simtight_sm *sm, const struct sl_request *request);
void sl_simtight_reference_answer(struct sl_simtight_sm *sm, struct sl_response response);
void sl_simtight_reference_multiply(struct sl_simtight_sm *sm, struct sl_response response);

/* cycle: call before the cycle of the event-driven units, after results have been written. compare: call after it;
 * steps the reference models and compares. */
void sl_simtight_reference_cycle(struct sl_simtight_sm *sm, int64_t now);
void sl_simtight_reference_compare(struct sl_simtight_sm *sm, int64_t now);

/* The SM skips `cycles` cycles, starting with this one. */
void sl_simtight_reference_skip(struct sl_simtight_sm *sm, int64_t cycles);

/* Conservation check at the end of a kernel: stall reasons sum to the cycles, every waiting lane was answered, and
 * requests in flight drain. Returns NULL or the broken invariant. */
const char *sl_simtight_broken(const struct sl_simtight_sm *sm);

/* The same, with SL_CHECKS: ends the run with a fault if an invariant is broken. */
void sl_simtight_conserve(struct sl_simtight_sm *sm);

/* ---- requests and results ---------------------------------------------------------------------------------------- */

/* Puts a request on the memory path. Its lanes wait if the request has an answer. */
static inline __attribute__((always_inline)) void sl_simtight_issue_memory(struct sl_simtight_sm *sm, unsigned warp,
                                                                           const struct sl_request *request)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  if (SL_CHECKS)
    sl_simtight_reference_put(sm, request);
  sl_request_path_put(&sm->s.path, sm->warps.ops, sm->s.cycle);
  if (!waiting)
    return;
  sl_suspension_set(&sm->s.suspension, warp, waiting, SL_WAIT_MEMORY);
  sm->s.counts.requested += waiting == sm->warps.all ? sm->warps.spec.lanes : sl_count(waiting);
}

/* Sends the result of a vote or shuffle (ours) to the register of memory answers, which must be empty: without a
 * competitor it is written one cycle after an ALU result. */
static inline void sl_simtight_vote(struct sl_simtight_sm *sm, struct sl_response response)
{
  if (SL_CHECKS)
    sl_simtight_reference_answer(sm, response);
  sl_resume_put(&sm->s.resume, SL_RESUME_MEMORY, response);
}

/* Execute stage, for the warp picked `depth` cycles ago. */
void sl_simtight_execute(struct sl_simtight_sm *sm, unsigned warp);

/* The same for a compressed register file, including spill slots. */
void sl_simtight_execute_compressed(struct sl_simtight_sm *sm, unsigned warp);

/* One cycle of the scalar pipeline, from write-back to execute. Call after the vector pipeline has executed. */
void sl_simtight_scalar_cycle(struct sl_simtight_sm *sm);

/* Stages of the vector pipeline before execute that read state: checks for suspended warps, and spill victims. */
void sl_simtight_look_ahead(struct sl_simtight_sm *sm);

/* Chooses the victims of `cycles` cycles, starting with this one, in which the pipeline is empty. */
void sl_simtight_skip_choices(struct sl_simtight_sm *sm, int64_t cycles);

/* Returns true if the warp in this slot was suspended at the check. */
static inline bool sl_simtight_was_suspended(struct sl_simtight_sm *sm, unsigned warp)
{
  const sl_warps bit = sm->s.slot_suspended & sl_bit(warp);
  sm->s.slot_suspended &= ~bit;
  return bit != 0;
}

/* Execute stage of a spill slot, and of an instruction with a spilled operand. */
void sl_simtight_spill(struct sl_simtight_sm *sm, unsigned warp);
void sl_simtight_unspill(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn);

/* Stage u+3 of the scalar pipeline: marks suspended warps, and warps whose instruction is not scalarisable, to be sent
 * back. */
void sl_simtight_check_scalar(struct sl_simtight_sm *sm);

/* Returns the stall reason if no warp can be picked, and some wait for memory, for units or at the barrier, or have
 * ended. */
static inline enum sl_slot sl_simtight_idle_reason(bool memory, bool unit, bool barrier, bool ended)
{
  if (memory)
    return SL_SLOT_MEMORY;
  if (unit)
    return SL_SLOT_UNIT;
  if (barrier)
    return SL_SLOT_BARRIER;
  return ended ? SL_SLOT_FINISHED : SL_SLOT_PIPELINE;
}

/* Simulate cycles up to `end`, or until the pipeline is empty. Plain register file; no observer, or one that takes the
 * lives of instructions. */
void sl_simtight_run_windows(struct sl_simtight_sm *sm, int64_t end);
void sl_simtight_tell_windows(struct sl_simtight_sm *sm, int64_t end);

/* Simulates up to `cycles` cycles. */
void sl_simtight_run_cycles(struct sl_sm *handle, uint64_t cycles);

/* Sampled timing: struct sl_machine_sampling (simtight_fast.c). */
bool sl_simtight_drained(const struct sl_simtight_sm *sm);
/* Compressed register file, drained: unpack copies values to the threads' arrays; pack copies them back to entries. */
void sl_simtight_unpack(struct sl_simtight_sm *sm);
void sl_simtight_pack(struct sl_simtight_sm *sm);
bool sl_simtight_drain(struct sl_sm *handle, uint64_t cycles);
unsigned sl_simtight_population(const struct sl_sm *handle);
uint64_t sl_simtight_issued(const struct sl_sm *handle, unsigned warp);

/* Functional execution: struct sl_machine_steps. */
enum { SL_SIMTIGHT_TURN = 64 };
int sl_simtight_next(struct sl_sm *handle, unsigned after);
uint64_t sl_simtight_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most);
void sl_simtight_none(struct sl_sm *handle);

/* Executes a warp command: the warp waits at the barrier or ends. */
void sl_simtight_command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command);

/* Ends the run with a deadlock fault: the remaining warps wait at a barrier that cannot open. */
void sl_simtight_deadlock(struct sl_simtight_sm *sm);

/* Ends the run with a deadlock fault if too few slots are free and no remaining warp has a register to spill. Spill
 * mode would then never end. */
void sl_simtight_check_spilling(struct sl_simtight_sm *sm);

/* The walk of the machine interface. */
void sl_simtight_walk(struct sl_sm *handle, struct sl_archive *archive);

extern const struct sl_counters sl_simtight_counters;
extern const struct sl_energy_source sl_simtight_energy[];
extern const struct sl_stall_reasons sl_simtight_stall_reasons;
extern const struct sl_stages sl_simtight_stages;
unsigned sl_simtight_profiled(const void *spec);
uint64_t sl_simtight_counter(const struct sl_sm *handle, size_t index);

/* One cycle of an SM's functional units and memory path, from the resume merge on. The cycle loops include it. */

/* Resume merge with any unit that has results. Its queue is empty. */
static inline void sl_simtight_merge_all(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_resume *r = &sm->s.resume;
  const bool memory = sl_resume_has(r, SL_RESUME_MEMORY);
  if (memory && !sm->spec.fpu) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_resume_take(r, SL_RESUME_MEMORY));
  } else if (sm->s.multiplier.product < now) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_multiplier_events_oldest(&sm->s.multiplier));
    sl_multiplier_events_take(&sm->s.multiplier, now);
    sl_resume_show_product(r, &sm->s.multiplier);
  } else if (sl_divider_can_take(&sm->s.divider, now)) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_divider_take(&sm->s.divider, now));
  } else if (memory) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_resume_take(r, SL_RESUME_MEMORY));
  } else if (sm->s.fpu.response.full) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_fpu_take(&sm->s.fpu));
  }
}

/* Resume merge, then memory path, multiplier and FPU. */
static inline __attribute__((always_inline)) void sl_simtight_units_cycle(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_request_path *path = &sm->s.path;
  if (SL_CHECKS)
    sl_simtight_reference_cycle(sm, now);
  if (!sm->spec.fpu && sm->s.divider.count == 0)
    sl_resume_merge(&sm->s.resume, &sm->s.multiplier, now);
  else if (!sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE))
    sl_simtight_merge_all(sm, now);
  if (sm->spec.fpu && (sl_fpu_busy(&sm->s.fpu) || sm->s.fpu.consumed))
    sl_fpu_cycle(&sm->s.fpu, now);
  if ((unsigned)!sl_resume_has(&sm->s.resume, SL_RESUME_MEMORY) & (unsigned)sl_request_path_can_answer(path, now))
    sl_resume_put(&sm->s.resume, SL_RESUME_MEMORY, sl_request_path_answer(path, now));
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_path(sm, now);
  else
    sl_request_path_cycle(path, sm->warps.ops, &sm->s.stack_cache, now);
  if (SL_CHECKS)
    sl_simtight_reference_compare(sm, now);
}

#endif
