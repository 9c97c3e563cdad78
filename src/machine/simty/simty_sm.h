/* A Simty core: its state, wired from the units of unit/ and mem/.
 *
 * Timing contract: ten stages, t = cycle in which an instruction enters operand collection ("issue"): t-4 fetch
 * steering, t-3 fetch, t-2 predecode, t-1 schedule, t and t+1 operands (rs1, then rs2 from the same bank), t+2 execute
 * and membership, t+3 write-back, branch, memory arbitration. In t+4 the paths are sorted, the front end is redirected
 * and the memory sees the request; then follow the memory's latency, gather and load FIFO. A redirected warp issues
 * again in t+8 at the earliest; so does a warp after a load (memory latency 1).
 *
 * Instructions of a warp issue at least DISTANCE cycles apart, so none depends on a result that is not written yet.
 * With eight or more warps the scheduling wheel guarantees this distance. The published RTL relies on it with fewer
 * warps, too. The simulator evaluates the whole instruction in t+3. Source: Simty paper (RR-8944), sections 3.2 and
 * 3.3; published RTL. */
#ifndef SL_MACHINE_SIMTY_SM_H
#define SL_MACHINE_SIMTY_SM_H

#include "base/types.h"
#include "convergence/sorted_paths.h"
#include "func/blocks/basic_blocks.h"
#include "func/path_execute.h"
#include "machine/machine.h"
#include "machine/simtight/simtight_sm.h"
#include "timing/memory/dram.h"
#include "timing/memory/scratchpad.h"
#include "timing/pipeline/arithmetic_units.h"
#include "timing/pipeline/instruction_fetch.h"
#include "timing/pipeline/warp_scheduler.h"

/* ---- configuration (simty_keys.c) -------------------------------------------------------------------------------- */

/* The configuration of a Simty core: one field per key of simty_keys.c. */

struct sl_simty_spec {
  uint32_t lanes, warps;
  uint32_t sorter; /* the background sorter is active */
  uint32_t memory_bytes, memory_latency;
  uint32_t dram; /* memory is SIMTight's DRAM, not a memory of fixed latency */
  uint32_t dram_latency, dram_beat_bytes, dram_outstanding;
  uint32_t done_base;
  /* Only for a core in SIMTight's SoC: */
  uint32_t host;
  uint32_t global_atomics;
  uint32_t warp_functions;
  uint32_t fairness;
  uint32_t fpu, fpu_limit, fpu_latency[SL_FPU_CLASS_COUNT];
  uint32_t code_base, code_words;
  uint32_t scratchpad_base, scratchpad_bytes, scratchpad_banks;
  uint32_t stack_bytes;
};

extern const struct sl_keys sl_simty_keys;

/* Checks rules that involve several keys. */
enum sl_status sl_simty_check(const void *spec, struct sl_error *err);

/* The memory map and instructions of the SIMTight SoC in which a core with a host CPU replaces the SM. */
struct sl_simtight_spec sl_simty_soc(const struct sl_simty_spec *spec);

/* The configuration of such a core's threads. */
struct sl_path_warps_spec sl_simty_threads(const struct sl_simty_spec *spec);

/* ---- refusals (simty_execute.c) --------------------------------------------------------------------------------- */

/* Order of warps that a full unit or memory port refuses again and again (ours; the published core refuses nothing).
 *
 * An instruction that finds its unit full is replayed. Warps that come at the same place of the unit's period each time
 * would be refused for ever, while others are served: so the holder of a lock may never reach the word that releases
 * it. A warp with REFUSALS refusals in a row is *overdue*. As long as warps are overdue, only the one that has been so
 * longest is accepted. Its refusals do not count as turns of its path (convergence/convergence.h).
 *
 * Bound: a warp is accepted after REFUSALS refusals, and one acceptance of each other warp. Warps that are refused less
 * often, as in all programs that do not spin, keep their timing. */

enum { SL_SIMTY_REFUSALS = 1024 };

struct sl_simty_refusals {
  uint16_t refused[SL_MAX_WARPS]; /* since the lane has executed an instruction */
  uint8_t lane[SL_MAX_WARPS];     /* of the warp's path that was refused first */
  uint8_t overdue[SL_MAX_WARPS];  /* warps, the first one first */
  uint8_t count;
};

/* Whether the warp may use a unit that is free. */
static inline bool sl_simty_may_use(const struct sl_simty_refusals *r, unsigned warp)
{
  return r->count == 0 || r->overdue[0] == warp;
}

static inline bool sl_simty_is_overdue(const struct sl_simty_refusals *r, unsigned warp)
{
  return r->refused[warp] >= SL_SIMTY_REFUSALS;
}

/* Records that a path of the warp is refused. */
void sl_simty_refuse(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes);

void sl_simty_accept_refused(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes);

/* Records that lanes of the warp have executed an instruction. */
static inline void sl_simty_accept(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  if (__builtin_expect(r->refused[warp] != 0, 0))
    sl_simty_accept_refused(r, warp, lanes);
}

/* Validates the state of a checkpoint: the warps with so many refusals are in the list, once. */
bool sl_simty_refusals_valid(const struct sl_simty_refusals *r);

enum {
  SL_SIMTY_EXECUTED = 3, /* cycles from issue to write-back */
  SL_SIMTY_SORTED = 4,   /* cycles from issue to redirect and memory request */
  SL_SIMTY_DISTANCE = 4, /* least cycles between two instructions of a warp */
  SL_SIMTY_START = 5,    /* cycles from the end of initialisation to the first issue */
  SL_SIMTY_RING = 8      /* a power of two greater than the cycles an instruction is in flight */
};

SL_HOLDS(SL_SIMTY_RING, SL_SIMTY_SORTED + 2, "instructions in flight, and those that the counters read later");

/* Stall reasons of the issue slot. Instructions still in the pipeline are counted later. */
enum sl_simty_slot {
#define CAUSE(id, name, kind, meaning) SL_SIMTY_##id,
#include "machine/simty/simty_stall_reasons.def"
#undef CAUSE
  SL_SIMTY_SLOT_COUNT
};

/* Instruction classes of the predecode stage. */
enum sl_simty_class {
  SL_SIMTY_READS_TWO = 1, /* two registers: the second read takes the bank's next cycle */
  SL_SIMTY_WAITS = 2,     /* the warp does not issue again until it is woken */
  SL_SIMTY_WRITES = 4,    /* writes a register from the ALU */
  SL_SIMTY_BRANCHES = 8,
  SL_SIMTY_MEMORY_ANSWERS = 16 /* a load or atomic */
};

/* An instruction in flight, from issue to the sorting of its paths. */
struct sl_simty_issue {
  struct sl_fetched word;
  bool valid;
  bool requests;  /* it sends a memory request */
  bool redirects; /* it redirects the front end to: */
  uint32_t redirect_pc;
};

/* The path to SIMTight's DRAM and back: a request register, and the warps that await beats, in order. */
struct sl_simty_dram {
  struct sl_dram dram;
  bool full, store;
  bool updates;         /* an atomic's read, which its store follows */
  unsigned beats, sent; /* of the request in the register */
  unsigned head, count;
  uint8_t warp[SL_MAX_WARPS];
  uint8_t left[SL_MAX_WARPS]; /* beats not received yet */
};

struct sl_simty_counts {
  uint64_t slots[SL_SIMTY_SLOT_COUNT];
  uint64_t issued;
  uint64_t thread_instructions; /* lanes of the committed masks */
  uint64_t executed;            /* of these, lanes that need no replay */
  uint64_t redirects;
  uint64_t partial_replays; /* memory instructions that left lanes behind */
  uint64_t indirect_replays;
  uint64_t requests;
  uint64_t pushes_pops, probes;
  uint64_t instructions;          /* functional mode, which has no issue slots */
  uint64_t by_warp[SL_MAX_WARPS]; /* timed: instructions that left no lane behind */
};

/* Plain data without pointers. A checkpoint of the core holds it together with the arrays. */
struct sl_simty_state {
  uint64_t cycle;                            /* cycles simulated; the first has number 1 */
  sl_warps busy;                             /* warps that cannot issue until they are woken */
  sl_warps waits_for_memory;                 /* subset of busy: warps that wait for a load or atomic */
  unsigned blocked;                          /* bit b: a second read takes register bank b in this cycle's pick */
  struct sl_simty_issue ring[SL_SIMTY_RING]; /* the instruction issued in cycle t at t % RING */
  uint8_t alu_writes[SL_SIMTY_RING];         /* at c % RING, bit b: bank b receives an ALU result in cycle c */
  struct sl_instruction_fetch fetch;
  struct sl_load_fifo loads;
  struct sl_simty_dram dram;
  /* A core in SIMTight's SoC. */
  struct sl_multiplier_events multiplier;
  struct sl_divider divider;
  struct sl_fpu fpu;
  struct sl_scratchpad_events scratchpad;
  struct sl_barrier barrier;
  struct sl_simty_refusals refusals;
  struct sl_simty_counts counts;
  uint32_t done_left; /* threads that have not stored their done word */
  sl_warps ended;     /* by a warp command */
  bool success;
  unsigned launches;

  sl_lanes done[SL_MAX_WARPS]; /* threads that have stored their done word */
  /* Stall accounting, with an observer. */
  struct {
    uint64_t charged[SL_SIMTY_SLOT_COUNT]; /* reported part of counts.slots */
    uint32_t last[SL_MAX_WARPS];           /* pc of the warp's latest instruction in a slot */
    uint32_t latest;                       /* the same of any warp */
    sl_lanes executed[SL_MAX_WARPS];       /* lanes of the warp's last instruction that have not retired */
    uint64_t ids;                          /* number of instructions that have an id */
    uint64_t fetched[SL_MAX_WARPS];        /* id of the word in the warp's buffer; 0: none */
    uint64_t issued[SL_SIMTY_RING];        /* of the instruction issued in cycle t at t % RING */
    uint64_t last_id[SL_MAX_WARPS];        /* of the warp's last instruction that has executed */
  } account;
  struct sl_request request; /* of the instruction being executed */
};

/* What a request enters. */
enum sl_simty_target { SL_SIMTY_SCRATCHPAD, SL_SIMTY_DRAM, SL_SIMTY_TARGETS };

struct sl_simty_core {
  struct sl_sm base;
  struct sl_simty_state s;
  /* Wiring: values derived from the keys, and external objects. */
  bool observed; /* there is an observer */
  sl_warps held; /* warps that must not be picked */
  /* Warps with one path whose latest access was refused, by what it needs. They will repeat it. Unknown at the start of
   * a run: none. */
  sl_warps refused_by[SL_SIMTY_TARGETS];
  struct sl_replay *replay; /* NULL: none is used (simty_replay.h) */
  bool records;             /* for the replay */
  bool went_back;           /* warp 0 has, in this cycle */
  bool drained;             /* in this launch; timing will resume, so paths are sorted at the hardware's pace */
  struct sl_simty_spec spec;
  struct sl_sm_environment environment;
  struct sl_path_warps warps;
  struct sl_sorted_paths *paths;        /* one per warp */
  uint8_t *classes;                     /* enum sl_simty_class of each instruction word */
  struct sl_basic_blocks basic_blocks;  /* functional mode */
  struct sl_simty_reference *reference; /* test builds only */
};

static inline struct sl_simty_core *sl_simty_of(struct sl_sm *handle)
{
  return (struct sl_simty_core *)handle;
}

static inline const struct sl_simty_core *sl_simty_of_const(const struct sl_sm *handle)
{
  return (const struct sl_simty_core *)handle;
}

/* The effect of the instruction at a warp's running path. */
struct sl_simty_effect {
  bool partial;  /* it left lanes behind */
  bool requests; /* it sends a memory request */
  bool wakes;    /* its kind waits, but the warp has nothing to wait for */
  bool refused;  /* its unit is full */
};

/* Executes an instruction on the running path and moves the paths. It serves all lanes (`all`) or the lanes of one
 * hardware pass. Returns false on a fault. */
bool sl_simty_execute(struct sl_simty_core *sm, unsigned warp, bool all, struct sl_simty_effect *effect);

/* Performs a load, store or atomic, and reduces ex->active to the lanes served; none if the scratchpad has no room.
 * Returns false on a fault. */
bool sl_simty_access(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, bool all,
                     struct sl_simty_effect *effect);

/* The same without timing, for the replay (sl_segment_access). ex->active: the path's lanes. */
struct sl_segments;
bool sl_simty_access_again(void *sm, struct sl_segments *g, unsigned warp, const struct sl_execution *ex, bool refused,
                           uint64_t *outcome);

static inline bool sl_simty_is_multiplication(const struct sl_insn *in)
{
  return in->kind == SL_KIND_MUL && sl_op_info(in->op)->set == SL_ISA_M;
}

/* Returns true if an instruction uses the multiplier, divider or FPU. Shifts use the ALU here. */
static inline bool sl_simty_needs_unit(const struct sl_insn *in)
{
  return sl_simty_is_multiplication(in) || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Returns true if the unit accepts the instruction in this cycle. Otherwise it is replayed. */
bool sl_simty_unit_accepts(const struct sl_simty_core *sm, const struct sl_insn *in);
void sl_simty_unit_put(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex);

/* Puts a request of `beats` beats into the request register, which must be empty. The answer of a load wakes the warp.
 */
void sl_simty_dram_put(struct sl_simty_core *sm, unsigned warp, enum sl_access access, unsigned beats);

/* One cycle of the DRAM and of the path to it. */
void sl_simty_dram_cycle(struct sl_simty_core *sm);

void sl_simty_start_units(struct sl_simty_core *sm, uint32_t warps_per_block);

/* One cycle of all units of a core in SIMTight's SoC. Their results wake warps. */
void sl_simty_units(struct sl_simty_core *sm);

/* Predecodes an instruction to its classes. */
uint8_t sl_simty_classify(const struct sl_insn *in);

/* The classes of the word at an address; 0 outside the code. */
static inline uint8_t sl_simty_class(const struct sl_simty_core *sm, uint32_t pc)
{
  const uint32_t index = sl_code_index(&sm->warps.code, pc);
  return index < sm->warps.code.count ? sm->classes[index] : 0;
}

/* Deadlock: some warps have ended, and all others wait at the barrier for them. */
bool sl_simty_deadlocked(const struct sl_simty_core *sm);
void sl_simty_deadlock(struct sl_simty_core *sm);

/* Notifies the observer. Call only if there is one. Fills in the rest of the probe. */
void sl_simty_tell(struct sl_simty_core *sm, struct sl_probe probe);

/* With an observer: the id of the instruction that executes. */
static inline uint64_t sl_simty_executing(const struct sl_simty_core *sm)
{
  return sm->warps.s.timing ? sm->s.account.issued[(sm->s.cycle - SL_SIMTY_EXECUTED) % SL_SIMTY_RING]
                            : sm->s.account.ids + 1;
}

/* Stall accounting: start of a kernel, each pick, each commit, end of the kernel. */
void sl_simty_account_start(struct sl_simty_core *sm, uint32_t entry);
void sl_simty_account_pick(struct sl_simty_core *sm, unsigned warp);
void sl_simty_account_commit(struct sl_simty_core *sm, const struct sl_fetched *word, enum sl_simty_slot slot,
                             sl_lanes lanes);
void sl_simty_account_end(struct sl_simty_core *sm);

/* Reports an event of the latest instruction of each of these warps; for FETCHED, of the instruction in its buffer. */
void sl_simty_report_warps(struct sl_simty_core *sm, enum sl_probe_kind kind, sl_warps warps);

/* Simulates up to `cycles` cycles. */
void sl_simty_run_cycles(struct sl_sm *handle, uint64_t cycles);

/* Sampled timing: struct sl_machine_sampling. refill sets the front end to the paths, so timing can begin anywhere in a
 * launch. */
bool sl_simty_drain(struct sl_sm *handle, uint64_t cycles);
bool sl_simty_drained(const struct sl_simty_core *sm);
void sl_simty_refill(struct sl_simty_core *sm);
unsigned sl_simty_population(const struct sl_sm *handle);
uint64_t sl_simty_issued(const struct sl_sm *handle, unsigned warp);

/* Functional execution: struct sl_machine_steps. */
enum { SL_SIMTY_TURN = 64 };

/* Returns NULL or the broken invariant. conserve, with SL_CHECKS: returns false, and ends the run with a fault, if one
 * is broken. */
const char *sl_simty_broken(const struct sl_simty_core *sm);
bool sl_simty_conserve(struct sl_simty_core *sm);

/* The walk of the machine interface. */
void sl_simty_walk(struct sl_sm *handle, struct sl_archive *archive);

extern const struct sl_counters sl_simty_counters;
extern const struct sl_energy_source sl_simty_energy[];
extern const struct sl_stall_reasons sl_simty_stall_reasons;
extern const struct sl_stages sl_simty_stages;
unsigned sl_simty_profiled(const void *spec);
uint64_t sl_simty_counter(const struct sl_sm *handle, size_t index);

/* ---- oracles of test builds -------------------------------------------------------------------------------------- */

/* Test builds: cycle-stepped reference models of the multiplier and the scratchpad. They run beside the event-driven
 * models and must give the same outputs in every cycle. Call these functions only with SL_CHECKS.
 *
 * The reference models start with a kernel. A checkpoint does not include them: after a restore they start when no
 * request is in flight. */

struct sl_simty_core;

/* Returns false if the host is out of memory. */
bool sl_simty_reference_create(struct sl_simty_core *sm);
void sl_simty_reference_free(struct sl_simty_core *sm);

/* start: a kernel starts. lose: a state has been restored. */
void sl_simty_reference_start(struct sl_simty_core *sm);
void sl_simty_reference_lose(struct sl_simty_core *sm);

/* Requests that enter the scratchpad and the multiplier in this cycle. */
void sl_simty_reference_put(struct sl_simty_core *sm, const struct sl_scratchpad_request *request);
void sl_simty_reference_multiply(struct sl_simty_core *sm, struct sl_response response);

/* cycle: takes the outputs of the reference models and steps them; call before the event-driven units deliver theirs in
 * cycle `now`. compare: call after it. */
void sl_simty_reference_cycle(struct sl_simty_core *sm, int64_t now);
void sl_simty_reference_compare(struct sl_simty_core *sm, int64_t now);

#endif
