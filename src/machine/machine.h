/* The interface between a machine and the device that hosts it. A machine is a streaming multiprocessor with
 * configuration keys, counters and a launch protocol. Each published pipeline is one const struct of functions. A
 * preset in machines/ names a pipeline and the values of its keys. */
#ifndef SL_MACHINE_MACHINE_H
#define SL_MACHINE_MACHINE_H

#include <stddef.h>

#include "base/keys.h"
#include "base/queues.h"
#include "base/schema.h"
#include "base/types.h"
#include "convergence/convergence.h"
#include "func/blocks/time_slice.h"
#include "func/fault.h"
#include "func/kernel_tracker.h"
#include "isa/isa.h"
#include "isa/probe.h"

/* The stall reasons and optional profile parts that a machine declares. */

/* Kinds of stall reasons, common to all machines. Reports show reasons of one kind alike. */
enum sl_stall_reason_kind {
  SL_STALL_REASON_ISSUED,
  SL_STALL_REASON_AGAIN, /* no progress, or progress for some lanes only */
  SL_STALL_REASON_LOST,  /* a pick without useful work, such as a suspended warp */
  SL_STALL_REASON_SPILL,
  SL_STALL_REASON_UNSPILL,
  SL_STALL_REASON_MEMORY,
  SL_STALL_REASON_STREAM,
  SL_STALL_REASON_UNIT,
  SL_STALL_REASON_OPERANDS,
  SL_STALL_REASON_BARRIER,
  SL_STALL_REASON_PIPELINE,
  SL_STALL_REASON_FETCH,
  SL_STALL_REASON_INITIAL,
  SL_STALL_REASON_ENDING,
  SL_STALL_REASON_KINDS
};

/* A stall reason: why an issue slot spent a cycle on an instruction. Each machine has its own list; entry 0 is
 * "issued". */
struct sl_stall_reason {
  const char *name, *meaning;
  enum sl_stall_reason_kind kind;
};

enum { SL_MAX_STALL_REASONS = 24 };

struct sl_stall_reasons {
  const struct sl_stall_reason *cause;
  size_t count;
};

/* Optional parts of a machine's profile, beside issues, active lanes and cycles. */
enum sl_profile_part {
  SL_PROFILE_SCALAR = 1,           /* scalar pipeline: issues, aborts */
  SL_PROFILE_RETRIES = 1 << 1,     /* retries */
  SL_PROFILE_SPILLS = 1 << 2,      /* registers spilled and filled */
  SL_PROFILE_REGULARITY = 1 << 3,  /* regularity of operands and results */
  SL_PROFILE_DRAM = 1 << 4,        /* DRAM transactions */
  SL_PROFILE_CACHE_LINES = 1 << 5, /* cache-line transactions */
  SL_PROFILE_SCRATCHPAD = 1 << 6,  /* scratchpad requests and cycles */
  SL_PROFILE_QUEUED = 1 << 7,      /* cycles that accesses queue for a unit */
  SL_PROFILE_HOLDERS = 1 << 8      /* retries by the instruction that holds the unit */
};

/* Peak rates of a machine per cycle, derived from its keys: the roofs of a roofline (S. Williams et al., "Roofline: an
 * insightful visual performance model", CACM 52(4), 2009). */

struct sl_peak {
  double per_cycle; /* 0: not applicable */
  const char *keys; /* the keys it follows from: "4 x scratchpad.banks" */
};

struct sl_peaks {
  struct sl_peak operations; /* thread instructions of any kind */
  struct sl_peak dram;       /* bytes */
  struct sl_peak scratchpad; /* bytes, in words */
  /* Memory traffic: the machine's counters of this role (enum sl_counter_role), times these bytes per count. */
  int traffic_role;
  unsigned traffic_bytes;
  unsigned clock_mhz; /* 0: the machine has none */
};

/* Energy events, and the counters of a machine that count them (machine/energy_events.def). A set of figures gives the
 * energy per event (config/config.h). */

enum sl_energy_event {
#define EVENT(id, name, coarse, meaning) SL_ENERGY_##id,
#include "machine/energy_events.def"
#undef EVENT
  SL_ENERGY_EVENTS,
  SL_ENERGY_NONE = SL_ENERGY_EVENTS
};

struct sl_energy_event_words {
  const char *name, *meaning;
  enum sl_energy_event coarse; /* the event of which it is a part, or SL_ENERGY_NONE */
};

extern const struct sl_energy_event_words sl_energy_events[SL_ENERGY_EVENTS];

/* A counter and the event that it counts, with the number of counts per event. Several counters may count parts of one
 * event; with a negative number the counter is subtracted. Events of cycles and DRAM follow from the machine's cores
 * and peaks. */
struct sl_energy_source {
  enum sl_energy_event event;
  const char *counter; /* NULL ends the list */
  int per;
};

enum { SL_MAX_COUNTERS = 112 };

/* The role of a counter in reports, so that reports need no counter names. Over several launches all counters are
 * summed except SL_COUNTER_GREATEST. */
enum sl_counter_role {
  SL_COUNTER_PLAIN,        /* specific to this machine */
  SL_COUNTER_GREATEST,     /* specific to this machine, a maximum; over several launches the greatest */
  SL_COUNTER_CYCLES,       /* of the launch */
  SL_COUNTER_STALL_REASON, /* cycles of the issue slots by stall reason; they sum to all cycles */
  SL_COUNTER_WARP_INSTRUCTIONS,
  SL_COUNTER_THREAD_INSTRUCTIONS, /* active lanes of executed instructions, once per instruction, on every machine */
  SL_COUNTER_RETRIES,
  SL_COUNTER_TRANSACTIONS, /* with memory, including the machine's caches */
  SL_COUNTER_DRAM_BEATS,
  SL_COUNTER_SCRATCHPAD_WORDS,
  SL_COUNTER_DRAM_LINES /* may be split over several counters, such as read and written */
};

/* A counter, declared in one row of the machine's list (simtight_counters.def, ...): name, unit, meaning and value. */
struct sl_counter {
  const char *name; /* "cycles" */
  const char *unit; /* "cycles" */
  enum sl_counter_role role;
  const char *cause; /* with SL_COUNTER_STALL_REASON: name of the stall reason */
  const char *meaning;
  int rtl_id;           /* number in the hardware's counter interface, -1: none */
  const char *rtl_name; /* name in the hardware, NULL: none */
};

struct sl_counters {
  const struct sl_counter *counter;
  size_t count;
};

/* Stopped: by an observer, until the device sets it running again. */
enum sl_sm_state { SL_SM_IDLE, SL_SM_RUNNING, SL_SM_STOPPED, SL_SM_DONE, SL_SM_FAULTED };

struct sl_memory;

/* The environment that the device provides to an SM. */
struct sl_sm_environment {
  struct sl_memory *memory;
  struct sl_probes *probes; /* NULL: no observer */
  /* Simulation-only CSRs: output of a word, end of the program. */
  void (*print_word)(void *context, uint32_t word);
  void (*end_program)(void *context, uint32_t status);
  /* The program's console and its exit status. NULL: no observer. */
  void (*print_byte)(void *context, uint8_t byte);
  void (*exit_status)(void *context, uint32_t status);
  /* A kernel that the program launches itself begins or ends. `entry` is its address if the watch knows it, else 0.
   * Returns true to stop the SM: without timing at once, with timing as soon as possible. */
  bool (*kernel)(void *context, bool begins, uint32_t entry);
  void *print_context;         /* argument of the five functions above */
  bool portable_lanes;         /* use the portable build of the lane functions, and replay no timing */
  bool lanewise;               /* execute every lane, even if one value determines the result */
  enum sl_execution_mode mode; /* execution mode without timing */
  uint64_t threads;            /* most host threads for a parallel simulation of cores; 0: one */
};

/* The common head of every machine's SM. */
struct sl_sm {
  const struct sl_machine *machine;
  struct sl_time_slice slice;
  enum sl_sm_state state;
  uint64_t order; /* without timing: a number that changes with each slice and chooses the next warp; 0: cyclic order */
};

/* Properties of the SM that the rest of the SoC needs. */
struct sl_soc {
  uint32_t lanes, warps;
  uint32_t scratchpad_bytes;
  uint32_t code_base, code_words; /* instruction memory; data memory begins at its end */
  unsigned isa_sets;              /* of the SM, enum sl_isa_set */
  unsigned host_isa_sets;
  unsigned isa;         /* enum sl_isa_number of its programs */
  unsigned registers;   /* of a thread, with 64-bit words */
  uint32_t start;       /* start address of every program, whatever its entry; 0: the entry */
  bool no_host;         /* the program runs on the SM alone; instruction memory is part of data memory */
  uint32_t memory_fill; /* the word that untouched memory reads as */
  bool whole_memory;    /* with no_host: data may be anywhere in the address space, else only in code_base's region */
  unsigned cores;       /* with `warps` warps each; 0: one SM */
  unsigned issue_slots; /* per core and cycle; 0: one */
  bool lanes_switch;    /* events tell where other lanes of a warp run next (SL_PROBE_SWITCHED) */
  uint32_t arguments;   /* with no_host: address of the program's arguments, passed as closure; 0: no arguments */
  uint32_t spill_base, spill_bytes; /* memory that the SM uses for spilled registers; 0 bytes: none */
  /* Data memory that holds no code, stacks, scratchpad or spilled registers. A caller that launches kernels without a
   * host program can put its buffers there. Equal: none. */
  uint32_t buffers_base, buffers_end;
  enum sl_launch_protocol {
    SL_LAUNCH_NONE,    /* kernels cannot be launched from outside */
    SL_LAUNCH_KERNEL,  /* entry: a kernel; closure: its arguments */
    SL_LAUNCH_GRID,    /* entry: a kernel; the machine assigns the blocks that the closure describes */
    SL_LAUNCH_PROGRAM, /* entry: the program's; its start code reads the kernel to call from the closure */
  } launches;
};

enum sl_warp_wait {
  SL_WARP_RUNS,
  SL_WARP_WAITS_FOR_UNIT,
  SL_WARP_WAITS_FOR_MEMORY,
  SL_WARP_OFF, /* never started */
  /* In these states the instruction before the pc has stopped the warp. */
  SL_WARP_AT_BARRIER,
  SL_WARP_WAITS_FOR_WARPS, /* until other warps have ended */
  SL_WARP_ENDED
};

struct sl_warp_status {
  enum sl_warp_wait wait;
  uint32_t pc; /* next instruction of the active path */
  sl_lanes active;
};

/* How many blocks of a kernel a core holds at a time, and what limits the number. */
enum sl_occupancy_limit {
  SL_OCCUPANCY_WARPS = 1,
  SL_OCCUPANCY_SHARED = 2,
  SL_OCCUPANCY_REGISTERS = 4,
  SL_OCCUPANCY_SLOTS = 8,
  SL_OCCUPANCY_GRID = 16,
  SL_OCCUPANCY_LIMITS = 5
};

struct sl_occupancy {
  uint32_t blocks, warps; /* resident on a core at a time; warps of those blocks */
  uint32_t most_warps;    /* that a core holds */
  unsigned limits;        /* set of enum sl_occupancy_limit */
};

/* A queue or a set of units, for debuggers: what it holds, and how much it has room for (0: no limit of its own). */
struct sl_holding {
  const char *name;
  unsigned count, room;
};

enum { SL_HOLDINGS = 12 };

/* The name of one limit: "shared memory". */
const char *sl_occupancy_limit_name(enum sl_occupancy_limit limit);

/* Life cycle of an SM. */
struct sl_machine_life {
  enum sl_status (*create)(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                           struct sl_error *err);
  void (*destroy)(struct sl_sm *sm);
  /* Writes one instruction word, in the encoding of its ISA, to instruction memory. */
  void (*write_instruction)(struct sl_sm *sm, uint32_t address, uint64_t word);
  /* Starts a kernel on all warps: entry address, closure (argument) address, warps per block modulo warps. */
  void (*start)(struct sl_sm *sm, uint32_t entry, uint32_t closure, uint32_t warps_per_block);
  /* Selects timed or functional execution from now on. */
  void (*set_timing)(struct sl_sm *sm, bool timing);
  /* Timed: simulates until the kernel ends, at most `cycles` more cycles. */
  void (*run_cycles)(struct sl_sm *sm, uint64_t cycles);
  /* Selects the kernels to detect in a program that launches them itself. Call before start. Returns false if the
   * program cannot have any. NULL: no program of this machine launches kernels. */
  bool (*watch_kernels)(struct sl_sm *sm, const struct sl_kernel_tracker *watch);
  /* Ends the run with a livelock fault if no running warp can leave its loop. Call it at
   * the times of sl_livelock_next. NULL: the machine does not detect livelocks. */
  void (*check_livelock)(struct sl_sm *sm);
};

/* Functional execution: warps execute in time slices (device/engine/engine.c). */
struct sl_machine_steps {
  unsigned slice; /* instructions of a time slice (func/blocks/time_slice.h) */
  /* Returns the next warp after `after`, in cyclic order, that can execute; -1: none. Opens complete barriers. */
  int (*next)(struct sl_sm *sm, unsigned after);
  /* Executes up to `most` instructions of the warp that has the time slice; returns their number. If it is smaller, the
   * slice is over or an observer has stopped the SM. */
  uint64_t (*run_warp)(struct sl_sm *sm, struct sl_time_slice *slice, uint64_t most);
  /* No warp can execute: ends the kernel, or records a deadlock fault. */
  void (*none)(struct sl_sm *sm);
};

/* Access to the SM's state, for reports and debuggers. */
struct sl_machine_view {
  uint64_t (*elapsed)(const struct sl_sm *sm); /* cycles (functional: instructions) since the kernel started */
  const struct sl_fault *(*fault)(const struct sl_sm *sm);
  bool (*succeeded)(const struct sl_sm *sm); /* last kernel: every warp ended with success */
  uint64_t (*counter)(const struct sl_sm *sm, size_t index);
  /* pc of the first branch on which lanes of a warp disagreed and one lane decided; 0: none. NULL: lanes of this
   * machine can diverge. */
  uint32_t (*disagreed_at)(const struct sl_sm *sm);
  /* Vector registers in use over the time of the last launch. NULL: the machine has no such series. */
  const struct sl_series *(*residency)(const struct sl_sm *sm);
  /* Occupancy of the last kernel; 0 blocks: they do not fit. NULL: software assigns the blocks of this machine. */
  struct sl_occupancy (*occupancy)(const struct sl_sm *sm);
  /* State of a warp: its active path and its wait reason. For deadlock and limit messages. */
  struct sl_warp_status (*warp_status)(const struct sl_sm *sm, unsigned warp);
  /* Returns the number of paths of a warp and sets `path`. For livelock messages. NULL: not available. */
  unsigned (*warp_paths)(const struct sl_sm *sm, unsigned warp, struct sl_warp_path path[SL_MAX_LANES]);
  /* With timing, the pc is that of the next fetch, which is ahead of execution. */
  bool fetches_ahead;
  /* Register and pc of a thread. */
  uint32_t (*read_register)(const struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg);
  uint32_t (*read_pc)(const struct sl_sm *sm, unsigned warp, unsigned lane);
  /* Write them, between cycles. Where a warp has one pc, write_pc sets that of all lanes. Return false if an
   * instruction of the warp is in flight or the register file has no room; retry in a later cycle. */
  bool (*write_register)(struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg, uint32_t value);
  bool (*write_pc)(struct sl_sm *sm, unsigned warp, unsigned lane, uint32_t pc);
  /* The byte at an address of a lane that is not in memory at this address; NULL: it is. NULL function: all are. */
  uint8_t *(*lane_byte)(struct sl_sm *sm, unsigned warp, unsigned lane, uint32_t address);
};

/* The complete state, for checkpoints of the same build and configuration, and for listings (machine/machine_state.h).
 * Restored bytes are untrusted: every value that serves as index, count or enumeration is validated. */
struct sl_machine_checkpoint {
  /* Visits all state. Measuring, saving and listing do not change the SM. A restore expects the rules over several
   * parts, and recomputes what follows from a valid state. */
  void (*walk)(struct sl_sm *sm, struct sl_archive *archive);
  /* Of a machine that restores into a second SM. */
  enum sl_status (*fits)(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
  void (*restore)(struct sl_sm *sm, const uint8_t *bytes, size_t size);
};

/* Sampled timing: launches of which only parts are timed (device/engine/sampling.h). */
struct sl_machine_sampling {
  /* Returns why these keys prevent sampling; NULL: sampling works. A NULL function: it always works. */
  const char *(*refuses)(const void *spec);
  /* The measure of progress, equal with and without timing: warp or thread instructions. It gives the length of a
   * launch and the weight of its untimed parts. */
  enum sl_counter_role progress;
  /* Timed: picks no warp until no instruction is in flight, for at most `cycles` cycles. Returns true when drained. A
   * NULL function: no part of a launch can be timed alone. */
  bool (*drain)(struct sl_sm *sm, uint64_t cycles);
  bool launches; /* without `drain`: whole launches can be left out (device/engine/launch_sampling.h), and on sm7
                    blocks (device/engine/sampled_launches.h) */
  /* Functional execution from now on warms the caches, at least those that a following warm-up does not fill. NULL: the
   * machine has no caches. */
  void (*warm)(struct sl_sm *sm, bool warm_up_follows);
  unsigned (*population)(const struct sl_sm *sm); /* warps that have started and not ended */
  uint64_t (*issued)(const struct sl_sm *sm,
                     unsigned warp); /* instructions of a warp in timed parts, since the start */
};

/* Advice after a fault, in terms of the machine's keys: a full sentence without the full stop. */
struct sl_advice {
  enum sl_fault_kind kind;
  const char *text;
  /* The advice applies only to programs with (or without) these instructions, of enum sl_isa_set. 0: to all. */
  unsigned with, without;
};

/* What clients ask of a machine that executes grids of PTX (device/gpu_ptx.c runs them). */
struct sl_ptx_options;
struct sl_machine_ptx {
  /* Sets the options by which its modules are parsed: the keys may transform the text. */
  void (*parse)(const void *spec, struct sl_ptx_options *options);
  bool (*resumes)(const void *spec); /* a launch can be saved and resumed */
};

struct sl_machine {
  const char *name;
  const char *summary;
  const struct sl_keys *keys;
  size_t spec_size;
  const struct sl_counters *counters;
  const struct sl_stages *stages; /* of its pipeline, as events name them */
  /* Stall reasons, and the optional profile parts (enum sl_profile_part) of a configuration. */
  const struct sl_stall_reasons *causes;
  const struct sl_energy_source *energy;
  unsigned (*profiled)(const void *spec);
  /* Checks rules that involve several keys. */
  enum sl_status (*check)(const void *spec, struct sl_error *err);
  struct sl_soc (*soc)(const void *spec);
  struct sl_peaks (*peaks)(const void *spec);
  const struct sl_advice *advice; /* for faults; ends with a NULL text */
  struct sl_machine_life life;
  struct sl_machine_steps steps;
  struct sl_machine_view view;
  struct sl_machine_checkpoint state;
  struct sl_machine_sampling sampling;
  const struct sl_machine_ptx *ptx; /* NULL: it executes no PTX */
};

/* All built-in pipelines, NULL-terminated. */
extern const struct sl_machine *const sl_machines[];

/* Naylor et al., "Advanced Dynamic Scalarisation for RISC-V GPGPUs", with a plain or compressed register file. */
extern const struct sl_machine sl_simtight;

/* Collange, "Simty: a synthesizable general-purpose SIMT processor", RR-8944: SIMT on plain RV32I binaries. */
extern const struct sl_machine sl_simty;

/* Tine et al., "Vortex: Extending the RISC-V ISA for GPGPU and 3D-graphics", MICRO 2021: cores of warps with explicit
 * divergence, without a host CPU. */
extern const struct sl_machine sl_vortex;

extern const struct sl_machine sl_cyclotron; /* cyclotron/cyclotron_core.h */
extern const struct sl_machine sl_sm7;       /* sm7/sm7_gpu.h */

#endif
