/* What every machine looks like to the device that hosts it: a streaming multiprocessor with configuration keys,
 * counters and a launch protocol. One const struct of functions per published pipeline; a preset in machines/ names a
 * pipeline and its key values. */
#ifndef SL_MACHINE_MACHINE_H
#define SL_MACHINE_MACHINE_H

#include "base/keys.h"
#include "base/series.h"
#include "base/tier.h"
#include "isa/isa.h"
#include "machine/energy_events.h"
#include "machine/peaks.h"
#include "warp/blocks/turn.h"
#include "warp/causes.h"
#include "warp/fault.h"
#include "warp/kernel_watch.h"
#include "warp/probe.h"

enum { SL_MAX_COUNTERS = 80 };

/* What a counter is to those who show it, so that nobody has to know its name. Over several launches all but
 * SL_COUNTER_GREATEST are summed. */
enum sl_counter_role {
  SL_COUNTER_PLAIN,    /* of this machine's own */
  SL_COUNTER_GREATEST, /* likewise, but a level: over several launches the greatest */
  SL_COUNTER_CYCLES,   /* of the launch */
  SL_COUNTER_CAUSE,    /* cycles of the issue slots by where they went; together they are all */
  SL_COUNTER_WARP_INSTRUCTIONS,
  SL_COUNTER_THREAD_INSTRUCTIONS, /* active lanes of those, each executed instruction once, on every machine */
  SL_COUNTER_RETRIES,
  SL_COUNTER_TRANSACTIONS, /* with the memory that the machine's caches, if any, are part of */
  SL_COUNTER_DRAM_BEATS,
  SL_COUNTER_SCRATCHPAD_WORDS,
  SL_COUNTER_DRAM_LINES /* several counters may be parts of them, such as read and written */
};

/* A counter, declared once, in a row of the machine's list (simtight_counters.def, ...): where it is shown, in what
 * unit, what it means, and where its value is. */
struct sl_counter {
  const char *name; /* "cycles" */
  const char *unit; /* "cycles" */
  enum sl_counter_role role;
  const char *cause; /* with SL_COUNTER_CAUSE: the cause's name */
  const char *meaning;
  int rtl_id;           /* number in the hardware's counter interface, -1 for none */
  const char *rtl_name; /* its name there, NULL for none */
};

struct sl_counters {
  const struct sl_counter *counter;
  size_t count;
};

/* Stopped: by a listener; goes on when it is run again. */
enum sl_sm_state { SL_SM_IDLE, SL_SM_RUNNING, SL_SM_STOPPED, SL_SM_DONE, SL_SM_FAULTED };

struct sl_memory;

/* What an SM is given to work with. */
struct sl_sm_environment {
  struct sl_memory *memory;
  struct sl_probes *probes; /* NULL: nobody listens */
  /* Simulation-only CSRs: output of a word, end of the program. */
  void (*print_word)(void *context, uint32_t word);
  void (*end_program)(void *context, uint32_t status);
  /* The program's console, and the exit status it leaves when it ends; NULL: nobody listens. */
  void (*print_byte)(void *context, uint8_t byte);
  void (*exit_status)(void *context, uint32_t status);
  /* A kernel that the program has launched itself begins or ends; the entry as far as the watch tells it, else 0. True:
   * the SM stops there, with timing as soon as it can. */
  bool (*kernel)(void *context, bool begins, uint32_t entry);
  void *print_context; /* of all five */
  bool portable_lanes; /* use the portable build of the lane functions */
  bool lanewise;       /* execute on every lane even what one value decides */
  enum sl_tier tier;   /* without timing */
  uint64_t threads;    /* of the host, to simulate several cores on at most; 0: one */
};

/* What every machine's SM begins with: those who hold one reach its functions through it. */
struct sl_sm {
  const struct sl_machine *machine;
  struct sl_turn turn;
};

/* What the rest of the SoC must know of the SM. */
struct sl_soc {
  uint32_t lanes, warps;
  uint32_t scratchpad_bytes;
  uint32_t code_base, code_words; /* instruction memory; data memory begins where it ends */
  unsigned isa_sets;              /* of the SM, enum sl_isa_set */
  unsigned host_isa_sets;
  unsigned isa;         /* enum sl_isa_number of its programs */
  unsigned registers;   /* of a thread, with 64-bit words */
  uint32_t start;       /* where every program begins, whatever its entry is; 0: at its entry */
  bool no_host;         /* the program runs on the SM alone; instruction memory is part of data memory */
  uint32_t memory_fill; /* word that memory holds until it is written */
  bool whole_memory;    /* with no_host: data is anywhere in the address space, else where instruction memory is */
  unsigned cores;       /* of `warps` warps each; 0: it is one SM */
  unsigned issue_slots; /* of each of them, in a cycle; 0: one */
  uint32_t arguments;   /* with no_host: where the program's arguments are put, and told as closure; 0: it takes none */
  uint32_t spill_base, spill_bytes; /* memory that the SM uses for itself; 0 bytes: none */
  /* Data memory that neither programs' code nor stacks, scratchpad and spilled registers are in: room for buffers of
   * those who launch kernels without a host program; equal: none. */
  uint32_t buffers_base, buffers_end;
  enum sl_launch_protocol {
    SL_LAUNCH_NONE,    /* kernels cannot be launched from outside */
    SL_LAUNCH_KERNEL,  /* the entry is a kernel's, the closure what it reads */
    SL_LAUNCH_GRID,    /* likewise, and the machine deals the blocks that the closure tells of */
    SL_LAUNCH_PROGRAM, /* the entry is the program's, whose start code finds at the closure which kernel to call */
  } launches;
};

enum sl_warp_wait {
  SL_WARP_RUNS,
  SL_WARP_WAITS_FOR_UNIT,
  SL_WARP_WAITS_FOR_MEMORY,
  SL_WARP_OFF, /* never started */
  /* The instruction behind the pc is what has stopped these. */
  SL_WARP_AT_BARRIER,
  SL_WARP_WAITS_FOR_WARPS, /* until others have ended */
  SL_WARP_ENDED
};

struct sl_warp_status {
  enum sl_warp_wait wait;
  uint32_t pc; /* next instruction of the active path */
  sl_lanes active;
};

/* Lanes of a warp that are at one place. */
struct sl_warp_path {
  sl_lanes lanes;
  uint32_t pc;
};

/* How many blocks of a kernel a core has at a time, and what keeps it from more. */
enum sl_occupancy_limit {
  SL_OCCUPANCY_WARPS = 1,
  SL_OCCUPANCY_SHARED = 2,
  SL_OCCUPANCY_REGISTERS = 4,
  SL_OCCUPANCY_SLOTS = 8,
  SL_OCCUPANCY_GRID = 16,
  SL_OCCUPANCY_LIMITS = 5
};

struct sl_occupancy {
  uint32_t blocks, warps; /* at a time on a core; warps of those blocks */
  uint32_t most_warps;    /* that a core has */
  unsigned limits;        /* set of enum sl_occupancy_limit */
};

/* The name of one limit: "shared memory". */
const char *sl_occupancy_limit_name(enum sl_occupancy_limit limit);

/* From its making to its end. */
struct sl_machine_life {
  enum sl_status (*create)(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                           struct sl_error *err);
  void (*destroy)(struct sl_sm *sm);
  /* Instruction memory: the word of its instruction set at an address. */
  void (*write_instruction)(struct sl_sm *sm, uint32_t address, uint64_t word);
  /* Starts a kernel on all warps: entry address, closure (argument) address, warps per block modulo warps. */
  void (*start)(struct sl_sm *sm, uint32_t entry, uint32_t closure, uint32_t warps_per_block);
  /* From now on it is run with timing, or without. */
  void (*set_timing)(struct sl_sm *sm, bool timing);
  /* Goes on after a listener has stopped it. */
  void (*resume)(struct sl_sm *sm);
  /* With timing: simulates until the kernel ends or so many more cycles have passed. */
  void (*run_cycles)(struct sl_sm *sm, uint64_t cycles);
  /* Where programs launch kernels themselves: which ones of the program that is loaded to tell of. Before a start.
   * False: it cannot have any. NULL: no program has. */
  bool (*watch_kernels)(struct sl_sm *sm, const struct sl_kernel_watch *watch);
  /* Ends the run with a livelock if no warp that runs can ever leave the loop it is in; to be asked every so many
   * cycles or instructions. NULL, 0: it does not tell. */
  void (*check_livelock)(struct sl_sm *sm);
  uint64_t livelock_period;
};

/* Without timing: warps execute in turn (engine/stepwise.c). */
struct sl_machine_steps {
  unsigned turn; /* instructions of a turn (warp/blocks/turn.h) */
  /* The next warp after that one, in order of number and then from the first again, that can execute; -1: none.
   * Barriers that are complete open. */
  int (*next)(struct sl_sm *sm, unsigned after);
  /* Executes at most so many instructions of the warp whose turn it is; returns how many. Fewer: the turn is over, or a
   * listener has stopped the SM. */
  uint64_t (*run_warp)(struct sl_sm *sm, struct sl_turn *turn, uint64_t most);
  /* No warp can: the kernel has ended, or it never will and that is a fault. */
  void (*none)(struct sl_sm *sm);
};

/* What can be seen of it, and changed by those who look. */
struct sl_machine_view {
  enum sl_sm_state (*state)(const struct sl_sm *sm);
  uint64_t (*elapsed)(const struct sl_sm *sm); /* cycles (fast: instructions) since the kernel's start */
  const struct sl_fault *(*fault)(const struct sl_sm *sm);
  bool (*succeeded)(const struct sl_sm *sm); /* of the last kernel: every warp ended with success */
  uint64_t (*counter)(const struct sl_sm *sm, size_t index);
  /* Where lanes of a warp first disagreed on a branch that one of them then decided; 0: nowhere. NULL on a machine
   * whose lanes go their own ways. */
  uint32_t (*disagreed_at)(const struct sl_sm *sm);
  /* Vector registers in use over the time of the last launch; NULL on a machine that has no such thing. */
  const struct sl_series *(*residency)(const struct sl_sm *sm);
  /* Of the last kernel; no blocks: they do not fit. NULL on a machine whose blocks are dealt by software. */
  struct sl_occupancy (*occupancy)(const struct sl_sm *sm);
  /* What a warp is doing: where its active path is, and what it waits for. For deadlock and limit messages. */
  struct sl_warp_status (*warp_status)(const struct sl_sm *sm, unsigned warp);
  /* The paths of a warp and how many they are, for livelock messages; NULL on a machine that does not tell. */
  unsigned (*warp_paths)(const struct sl_sm *sm, unsigned warp, struct sl_warp_path path[SL_MAX_LANES]);
  /* Register of a thread, and where the thread is. */
  uint32_t (*read_register)(const struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg);
  uint32_t (*read_pc)(const struct sl_sm *sm, unsigned warp, unsigned lane);
  /* Sets them, between cycles; where a warp has one pc, that of all its lanes. False: an instruction of the warp is
   * under way, or the register file has no room; a later cycle will do. */
  bool (*write_register)(struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg, uint32_t value);
  bool (*write_pc)(struct sl_sm *sm, unsigned warp, unsigned lane, uint32_t pc);
};

/* The whole state as bytes, for a checkpoint of the same build and configuration. */
struct sl_machine_checkpoint {
  size_t (*bytes)(const struct sl_sm *sm);
  /* Whether so many bytes, which begin at a multiple of SL_CACHE_LINE, can be such a state, to go on with or without
   * timing: everything that would be used as an index, a count or one of several values is looked at (base/sound.h).
   * What does not fit, SL_USAGE, is not restored; what does finds memory then. SL_INTERNAL: there is none. The SM is as
   * before. */
  enum sl_status (*fits)(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
  void (*save)(const struct sl_sm *sm, uint8_t *bytes);
  void (*restore)(struct sl_sm *sm, const uint8_t *bytes);
};

/* For launches of which parts are timed (engine/sampling.h). */
struct sl_machine_sampling {
  /* Why with some keys it cannot do that; NULL: it can. NULL in place of the function: it can with all. */
  const char *(*refuses)(const void *spec);
  /* What execution counts alike with and without timing: by it launches are as long as they are, and stretches that are
   * not timed stand for others. Of warps' or of threads' instructions. */
  enum sl_counter_role progress;
  /* With timing: picks no warp until nothing is under way, for so many cycles at most. True: nothing is. NULL in place
   * of the function: the machine cannot do any of this. */
  bool (*drain)(struct sl_sm *sm, uint64_t cycles);
  /* What is executed without timing from now on is to leave in caches what it would have: at least in those that a
   * warm-up that follows does not fill. NULL on a machine without caches. */
  void (*warm)(struct sl_sm *sm, bool warm_up_follows);
  unsigned (*population)(const struct sl_sm *sm);            /* warps that have begun and not ended */
  uint64_t (*issued)(const struct sl_sm *sm, unsigned warp); /* a warp's instructions while timed, since the start */
};

/* What to try when a program has run into a fault of some kind: the machine knows its keys. A full sentence without its
 * full stop. */
struct sl_advice {
  enum sl_fault_kind kind;
  const char *text;
  /* Only where programs have these instructions, or have not: of enum sl_isa_set, 0: wherever. */
  unsigned with, without;
};

struct sl_machine {
  const char *name;
  const char *summary;
  const struct sl_keys *keys;
  size_t spec_size;
  const struct sl_counters *counters;
  /* Where its cycles go, and what else profiles of it have: of enum sl_profile_part. */
  const struct sl_causes *causes;
  const struct sl_energy_source *energy;
  unsigned (*profiled)(const void *spec);
  /* Rules that concern more than one key. */
  enum sl_status (*check)(const void *spec, struct sl_error *err);
  struct sl_soc (*soc)(const void *spec);
  struct sl_peaks (*peaks)(const void *spec);
  const struct sl_advice *advice; /* to faults; ends with a NULL text */
  struct sl_machine_life life;
  struct sl_machine_steps steps;
  struct sl_machine_view view;
  struct sl_machine_checkpoint state;
  struct sl_machine_sampling sampling;
};

/* Every pipeline built in, NULL-terminated. */
extern const struct sl_machine *const sl_machines[];

#endif
