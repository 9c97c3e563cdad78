/* A Simty core: its state, wired from the units of core/ and mem/.
 *
 * Ten stages, t = cycle in which an instruction enters operand collection ("issue"): t-4 fetch steering, t-3 fetch, t-2
 * predecode, t-1 schedule, t and t+1 operands (rs1, then rs2 from the same bank), t+2 execute and membership, t+3
 * write-back, branch, memory arbitration; in t+4 the paths are sorted, the front end is redirected and the memory sees
 * the request; then the memory's latency, gather, load FIFO. A redirected warp issues again in t+8 at the earliest, as
 * does one that has loaded (from a memory of latency 1).
 *
 * Instructions of a warp are issued at least DISTANCE cycles apart: then none needs what one before has not left yet.
 * With eight and more warps the wheel sees to that. The published RTL relies on it with fewer, too. Everything about an
 * instruction is evaluated in t+3. Source: Simty paper (RR-8944), sections 3.2 and 3.3; published RTL. */
#ifndef SL_MACHINE_SIMTY_SM_H
#define SL_MACHINE_SIMTY_SM_H

#include "base/state_parts.h"
#include "machine/machine.h"
#include "machine/simty/simty_spec.h"
#include "mem/dram.h"
#include "mem/events/scratchpad_events.h"
#include "unit/barrier.h"
#include "unit/divider.h"
#include "unit/fpu.h"
#include "unit/instruction_fetch.h"
#include "unit/load_fifo.h"
#include "unit/multiplier_events.h"
#include "warp/blocks/stretches.h"
#include "warp/path_execute.h"
#include "warp/sorted_paths.h"

enum {
  SL_SIMTY_EXECUTED = 3,       /* cycles from issue to write-back */
  SL_SIMTY_SORTED = 4,         /* and to redirect and memory request */
  SL_SIMTY_DISTANCE = 4,       /* least cycles between two instructions of a warp */
  SL_SIMTY_START = 5,          /* cycles from the end of initialisation to the first issue */
  SL_SIMTY_LIVELOCK = 1 << 19, /* cycles, or instructions without timing, between looks for a livelock */
  SL_SIMTY_RING = 8            /* a power of two above the cycles an instruction is under way */
};

SL_HOLDS(SL_SIMTY_RING, SL_SIMTY_SORTED + 2, "instructions under way, and those the counters look back at");

/* Where a cycle of the issue slot went; those that are still in the pipeline are counted later. */
enum sl_simty_slot {
#define CAUSE(id, name, kind, meaning) SL_SIMTY_##id,
#include "machine/simty/simty_causes.def"
#undef CAUSE
  SL_SIMTY_SLOT_COUNT
};

/* What predecode sees in an instruction. */
enum sl_simty_class {
  SL_SIMTY_READS_TWO = 1, /* registers: the second read takes the bank's next cycle */
  SL_SIMTY_WAITS = 2,     /* the warp is not issued again before it is woken */
  SL_SIMTY_WRITES = 4,    /* a register, from the ALU */
  SL_SIMTY_BRANCHES = 8,
  SL_SIMTY_MEMORY_ANSWERS = 16 /* a load or atomic */
};

/* An instruction under way, from issue to the sorting of its paths. */
struct sl_simty_issue {
  struct sl_fetched word;
  bool valid;
  bool requests;  /* the memory sees a request of it */
  bool redirects; /* the front end to: */
  uint32_t redirect_pc;
};

/* The way to SIMTight's DRAM and back: a request register, and the warps that await beats, in order. */
struct sl_simty_dram {
  struct sl_dram dram;
  bool full, store;
  unsigned beats, sent; /* of the request in the register */
  unsigned head, count;
  uint8_t warp[SL_MAX_WARPS];
  uint8_t left[SL_MAX_WARPS]; /* beats to come */
};

struct sl_simty_counts {
  uint64_t slots[SL_SIMTY_SLOT_COUNT];
  uint64_t issued;
  uint64_t thread_instructions; /* lanes of the masks committed, */
  uint64_t executed;            /* and of them, those that did not stay behind */
  uint64_t redirects;
  uint64_t partial_replays; /* memory instructions that left lanes behind */
  uint64_t indirect_replays;
  uint64_t requests;
  uint64_t pushes_pops, probes;
  uint64_t instructions;          /* of the functional mode, which has no slots */
  uint64_t by_warp[SL_MAX_WARPS]; /* with timing: instructions that left no lane behind */
};

/* Plain data: what a checkpoint holds of the core, beside the arrays. No pointers. */
struct sl_simty_state {
  uint64_t cycle;                            /* cycles simulated; the first has number 1 */
  sl_warps busy;                             /* warps not to be issued before they are woken */
  sl_warps waits_for_memory;                 /* of them, those that do for a load or atomic */
  unsigned blocked;                          /* bit b: register bank b is taken by a second read in this cycle's pick */
  struct sl_simty_issue ring[SL_SIMTY_RING]; /* issued in cycle t at t % RING */
  uint8_t alu_writes[SL_SIMTY_RING];         /* bit b: bank b gets an ALU result in cycle c at c % RING */
  struct sl_instruction_fetch fetch;
  struct sl_load_fifo loads;
  struct sl_simty_dram dram;
  /* Of a core in SIMTight's SoC. */
  struct sl_multiplier_events multiplier;
  struct sl_divider divider;
  struct sl_fpu fpu;
  struct sl_scratchpad_events scratchpad;
  struct sl_barrier barrier;
  struct sl_simty_counts counts;
  uint32_t done_left; /* threads that have not stored their done word */
  sl_warps ended;     /* by a warp command */
  bool success;
  enum sl_sm_state state;
  unsigned launches;

  sl_lanes done[SL_MAX_WARPS]; /* threads that have stored their done word */
  /* While someone listens. */
  struct {
    uint64_t charged[SL_SIMTY_SLOT_COUNT]; /* of counts.slots, what has been told */
    uint32_t last[SL_MAX_WARPS];           /* pc of the instruction the warp was last in a slot with */
    uint32_t latest;                       /* of any warp */
    sl_lanes executed[SL_MAX_WARPS];       /* lanes of the warp's last instruction that have not retired */
  } ledger;
  struct sl_request request; /* of the instruction being executed */
};

struct sl_simty_core {
  struct sl_sm base;
  struct sl_simty_state s;
  /* Wiring: what follows from the keys, and what is outside. */
  bool observed; /* someone listens */
  sl_warps held; /* warps not to be picked */
  bool drained;  /* in this launch, so it will go on with timing: paths are put in order at the hardware's pace */
  struct sl_simty_spec spec;
  struct sl_sm_environment environment;
  struct sl_path_warps warps;
  struct sl_sorted_paths *paths; /* one per warp */
  uint8_t *classes;              /* enum sl_simty_class of each instruction word */
  struct sl_stretches stretches; /* without timing */
#ifdef SL_CHECK_INVARIANTS
  struct sl_simty_boxes *boxes; /* beside the units by events */
#endif
};

static inline struct sl_simty_core *sl_simty_of(struct sl_sm *handle)
{
  return (struct sl_simty_core *)handle;
}

static inline const struct sl_simty_core *sl_simty_of_const(const struct sl_sm *handle)
{
  return (const struct sl_simty_core *)handle;
}

/* What the instruction at the running path of a warp did. */
struct sl_simty_effect {
  bool partial;  /* it left lanes behind */
  bool requests; /* the memory gets a request */
  bool wakes;    /* the warp has nothing to wait for, though the instruction is of a kind that waits */
};

/* Executes an instruction on the running path, all of whose lanes are served (`all`) or those that one pass of the
 * hardware serves, and moves the paths on. False: it faulted. */
bool sl_simty_execute(struct sl_simty_core *sm, unsigned warp, bool all, struct sl_simty_effect *effect);

/* Performs a load, store or atomic of ex->active, of which those served remain; none if the scratchpad has no room.
 * False: it faulted. */
bool sl_simty_access(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, bool all,
                     struct sl_simty_effect *effect);

static inline bool sl_simty_is_multiplication(const struct sl_insn *in)
{
  return in->kind == SL_KIND_MUL && sl_op_info(in->op)->set == SL_ISA_M;
}

/* Whether an instruction is one of multiplier, divider or FPU; shifts are the ALU's here. */
static inline bool sl_simty_needs_unit(const struct sl_insn *in)
{
  return sl_simty_is_multiplication(in) || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Whether its unit takes the instruction in this cycle; if not it is replayed. */
bool sl_simty_unit_accepts(const struct sl_simty_core *sm, const struct sl_insn *in);
void sl_simty_unit_put(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex);

/* A request for so many beats enters the request register, which must be empty; a load's answer wakes the warp. */
void sl_simty_dram_put(struct sl_simty_core *sm, unsigned warp, bool store, unsigned beats);

/* A cycle of the DRAM and of the way to it. */
void sl_simty_dram_cycle(struct sl_simty_core *sm);

void sl_simty_start_units(struct sl_simty_core *sm, uint32_t warps_per_block);

/* The cycle of all units that a core in SIMTight's SoC has: their results wake warps. */
void sl_simty_units(struct sl_simty_core *sm);

/* What predecode sees in an instruction. */
uint8_t sl_simty_classify(const struct sl_insn *in);

/* What predecode sees in the word at an address; nothing where there is no memory. */
static inline uint8_t sl_simty_class(const struct sl_simty_core *sm, uint32_t pc)
{
  const uint32_t index = sl_code_index(&sm->warps.code, pc);
  return index < sm->warps.code.count ? sm->classes[index] : 0;
}

/* No warp can ever go on: those that have not ended wait at a barrier of which others have. */
bool sl_simty_deadlocked(const struct sl_simty_core *sm);
void sl_simty_deadlock(struct sl_simty_core *sm);

/* Ends the run with a livelock if no warp that runs can ever leave the loop it is in. */
void sl_simty_check_livelock(struct sl_sm *handle);

/* What listeners are told, to be called only while there are any. The rest of the probe is filled in. */
void sl_simty_tell(struct sl_simty_core *sm, struct sl_probe probe);

/* Whose cycles are: from the start of a kernel to its end, of every pick and every commit. */
void sl_simty_ledger_start(struct sl_simty_core *sm, uint32_t entry);
void sl_simty_ledger_pick(struct sl_simty_core *sm, unsigned warp);
void sl_simty_ledger_commit(struct sl_simty_core *sm, const struct sl_fetched *word, enum sl_simty_slot slot,
                            sl_lanes lanes);
void sl_simty_ledger_end(struct sl_simty_core *sm);

/* Something happens to the latest instruction of each of these warps, or with FETCHED to the one in its buffer. */
void sl_simty_report_warps(struct sl_simty_core *sm, enum sl_probe_kind kind, sl_warps warps);

/* Simulates up to that many cycles. */
void sl_simty_run_cycles(struct sl_sm *handle, uint64_t cycles);

/* Of struct sl_machine_sampling; and for its begin of timing anywhere in a launch: the front end is at the paths. */
bool sl_simty_drain(struct sl_sm *handle, uint64_t cycles);
bool sl_simty_drained(const struct sl_simty_core *sm);
void sl_simty_refill(struct sl_simty_core *sm);
unsigned sl_simty_population(const struct sl_sm *handle);
uint64_t sl_simty_issued(const struct sl_sm *handle, unsigned warp);

/* Without timing: struct sl_machine_steps. */
enum { SL_SIMTY_TURN = 64 };
int sl_simty_next(struct sl_sm *handle, unsigned after);
uint64_t sl_simty_run_warp(struct sl_sm *handle, struct sl_turn *turn, uint64_t most);
void sl_simty_none(struct sl_sm *handle);

/* NULL, or which invariant is broken. */
const char *sl_simty_broken(const struct sl_simty_core *sm);

/* The state as bytes: a list of parts, in this order. */
enum {
  SL_SIMTY_PART_STATE,
  SL_SIMTY_PART_WARPS,
  SL_SIMTY_PART_REGISTERS,
  SL_SIMTY_PART_PATHS,
  SL_SIMTY_PART_CODE,
  SL_SIMTY_PART_TURN,
  SL_SIMTY_PARTS
};

void sl_simty_parts(const struct sl_simty_core *sm, struct sl_state_part part[SL_SIMTY_PARTS]);

/* The machine interface's view of the state. */
size_t sl_simty_state_bytes(const struct sl_sm *handle);
enum sl_status sl_simty_fits(struct sl_sm *handle, bool timing, const uint8_t *bytes, size_t size);
void sl_simty_save(const struct sl_sm *handle, uint8_t *bytes);
void sl_simty_restore(struct sl_sm *handle, const uint8_t *bytes);

extern const struct sl_counters sl_simty_counters;
extern const struct sl_energy_source sl_simty_energy[];
extern const struct sl_causes sl_simty_causes;
unsigned sl_simty_profiled(const void *spec);
uint64_t sl_simty_counter(const struct sl_sm *handle, size_t index);

#endif
