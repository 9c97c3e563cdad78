/* The architectural state of a Vortex core's threads: warps with one program counter, a thread mask and an IPDOM stack.
 * It has no timing; ipdom_execute.h executes instructions on it.
 *
 * Divergence is explicit. SPLIT pushes the lanes of the other side on the warp's IPDOM stack, and JOIN pops them. PRED
 * and TMC set the mask. Sources: Tine et al., "Vortex: Extending the RISC-V ISA for GPGPU and 3D-graphics", MICRO 2021,
 * section 4; encodings of the published sources (2.x) and of the 1.x lineage.
 *
 * RV32 registers: 0 to 31 integer, 32 to 63 floating-point, from 64 the ends of streams (streams.h). With 64-bit
 * instruction words a key sets the number of registers. */
#ifndef SL_WARP_IPDOM_WARPS_H
#define SL_WARP_IPDOM_WARPS_H

#include "base/types.h"
#include "convergence/ipdom_stack.h"
#include "func/extensions/extension.h"
#include "func/fault.h"
#include "func/kernel_tracker.h"
#include "func/rv_execute.h"
#include "isa/code.h"
#include "isa/fp.h"
#include "isa/lanes.h"
#include "mem/memory.h"

/* Barrier and spawn synchronisation of a core's warps. The module keeps the sets of running and waiting warps. It has
 * no timing: a function returns the warps that an arrival, a spawn or an exit releases, and the caller decides when
 * they resume.
 *
 * Local barriers: the last arrival's count sets the number of warps. The barrier opens when that many have arrived. A
 * count below 2 does not wait. Global barriers: bit 31 of the id is set, and the count is of cores in a cluster. A core
 * has arrived when all of its running warps have. The low bits of the id choose a barrier; local and global barriers
 * are separate. A warp that exits counts at no barrier, so its exit can open one. WSPAWN waits until its warp is the
 * only running one.
 *
 * Source: published RTL, commit b5f541b8; docs/explanation/machines/vortex.md. */

enum { SL_CORE_SYNC_BARRIERS = 64, SL_CORE_SYNC_CORES = 64 };

/* This bit of a barrier id marks a global barrier. */
#define SL_CORE_SYNC_GLOBAL UINT32_C(0x80000000)

struct sl_core_sync {
  unsigned barriers;   /* of each kind; a power of two */
  sl_warps active;     /* running warps, including those that wait */
  sl_warps started;    /* warps started since the program began */
  sl_warps at_barrier; /* warps that wait at a local or global barrier */
  sl_warps at_global;  /* subset of at_barrier: at a global barrier */
  sl_warps local[SL_CORE_SYNC_BARRIERS];
  sl_warps global[SL_CORE_SYNC_BARRIERS];
  uint32_t cores[SL_CORE_SYNC_BARRIERS]; /* number of cores that a global barrier waits for */
  /* Pending WSPAWNs. The hardware has one latch: a second WSPAWN overwrites the first, and then neither happens. */
  sl_warps asking;
  bool spawning;
  unsigned spawner;
  uint32_t spawn_count, spawn_pc;
};

/* Resets: only warp 0 runs. */
void sl_core_sync_start(struct sl_core_sync *sync, unsigned barriers);

/* A warp arrives at a barrier. Returns the released warps: none, or all that wait there and the warp itself.
 * sl_core_syncs_open releases the warps at global barriers. */
sl_warps sl_core_sync_arrive(struct sl_core_sync *sync, unsigned warp, uint32_t id, uint32_t count);

/* A warp requests that warps 1 to count - 1 start at `pc`, and waits. */
void sl_core_sync_ask(struct sl_core_sync *sync, unsigned warp, uint32_t count, uint32_t pc);

/* Performs the pending WSPAWN if the requesting warp is the only running one. Returns the released warps: the requester
 * and the started warps. Returns 0 if the request must still wait. */
sl_warps sl_core_sync_spawn(struct sl_core_sync *sync);

/* A warp exits. Call sl_core_sync_spawn and sl_core_syncs_open for the warps that this releases. */
void sl_core_sync_end(struct sl_core_sync *sync, unsigned warp);

/* Opens each global barrier that enough cores of the cluster have reached. Sets released[core] to the warps that it
 * releases. Returns false if none opens. */
bool sl_core_syncs_open(struct sl_core_sync *const sync[], unsigned cores, sl_warps released[]);

/* The running warps that do not wait. */
static inline sl_warps sl_core_sync_free(const struct sl_core_sync *sync)
{
  return sync->active & ~sync->at_barrier & ~sync->asking;
}

enum {
  SL_IPDOM_STREAM_REGISTERS = 16,
  SL_IPDOM_FIRST_STREAM = 64,
  SL_IPDOM_RV32_REGISTERS = SL_IPDOM_FIRST_STREAM + SL_IPDOM_STREAM_REGISTERS
};

/* Encodings of the warp-control instructions, each with its CSR map. */
enum sl_ipdom_encoding { SL_ENCODING_2, SL_ENCODING_1 };

/* The result of an access whose address is not a multiple of its width. */
enum sl_misaligned { SL_MISALIGNED_FAULTS, SL_MISALIGNED_WORD, SL_MISALIGNED_BYTES };

struct sl_ipdom_spec {
  unsigned lanes, warps;
  unsigned core, cores;  /* number of this core, number of cores */
  unsigned isa_sets;     /* enum sl_isa_set, including the set of the encoding */
  unsigned registers;    /* of a thread; 0: the RV32 registers */
  bool spawns_all_lanes; /* warps start with all lanes, not with lane 0 */
  enum sl_ipdom_encoding encoding;
  enum sl_scheme convergence;
  uint32_t local_base, local_bytes; /* this core's local memory */
  uint32_t local_storage_bytes;     /* size of its storage, which repeats; local_bytes if all of it exists */
  unsigned barriers;                /* see struct sl_core_sync */
  unsigned ipdom_entries;           /* of a warp's stack; one entry holds a whole split */
  bool negate_ignored;              /* the core executes split_n as split */
  bool divergent_branch_faults;     /* else the last active lane decides */
  bool smaller_first;               /* of a split's sides; else the larger one */
  unsigned pool;                    /* parked groups of a warp (schedulable_stack.c); 0: YIELD changes no lanes */
  bool loops_nest;                  /* each loop keeps its own parked lanes */
  unsigned pop_delay;               /* cycles more until a group from the pool runs */
  unsigned watchdog;                /* ipdom_execute.h; 0: none */
  unsigned lane_barriers;           /* convergence barriers of a warp (thread_scheduling.c) */
  bool unguarded;                   /* what a scheme does not support has the hardware's effect, and is no fault */
  enum sl_misaligned misaligned;
};

/* Stores and atomics of one core in a quantum: the cycles that the cores simulate in parallel. Memory receives them
 * after the quantum, when the logs are applied core by core. So the result does not depend on the order of host
 * threads. A core sees its own stores through its log. */
struct sl_store_log;

/* Counters that a program can read. The machine sets them. */
struct sl_ipdom_clock {
  uint64_t cycle;               /* mcycle */
  uint64_t thread_instructions; /* minstret */
};

/* YIELDs; changes of a warp's lanes by YIELD, by the watchdog and at their end; YIELDs without another lane; YIELDs
 * with pending lanes and a full pool; the most lanes of a warp that did not run; changes by the watchdog; and
 * back-offs. */
struct sl_switch_counts {
  uint64_t yields, switches, idle, full, parked, timeouts, backoffs;
};

/* Plain data without pointers. A checkpoint holds it together with registers, warps, reservations, local memory and the
 * extensions' state. */
struct sl_ipdom_warps_state {
  struct sl_switch_counts switches;
  struct sl_ipdom_clock clock;
  struct sl_core_sync sync;   /* running and waiting warps; the pipeline decides when they start and resume */
  uint32_t mscratch;          /* one per core */
  unsigned performance_class; /* DCR 5 */
  struct sl_kernel_span span; /* of the kernel that this core executes */
  uint32_t disagreed_at;      /* pc of the first branch or jump on which lanes disagreed; 0: none */
};

struct sl_ipdom_warps {
  struct sl_ipdom_warps_state s;
  /* Wiring: values derived from the keys, arrays, and external objects. */
  struct sl_ipdom_spec spec;
  const struct sl_convergence *convergence;
  bool lanes_branch; /* each for itself */
  bool turns;        /* what a warp executes next may depend on each instruction if some of its lanes are parked */
  const struct sl_lane_ops *ops;
  const struct sl_fp_ops *fp;
  struct sl_memory *memory;
  uint8_t *local; /* contents of local memory */
  unsigned lane_bits;
  sl_lanes all;
  uint32_t *x; /* warps x (registers x lanes + gap) */
  size_t warp_words;
  struct sl_ipdom_warp *warp;
  struct sl_reservation *reserved; /* warps x lanes */
  const struct sl_code *code;      /* shared by all cores */
  struct sl_store_log *log;        /* NULL: stores change memory at once */
  bool code_logged;                /* the log holds a store to code */
  struct sl_extension extension[SL_EXTENSIONS_MAX];
  unsigned extensions;
  unsigned schedules, renames; /* extensions with such a function, as sets */
  const struct sl_kernel_tracker *watch;
  uint64_t watched; /* kinds of instructions for sl_kernel_see */
  /* Console: `slot` is the address - 0x40 of the byte that a hart stores. Exit code: the word stored at 0x88. */
  void (*console)(void *context, unsigned slot, uint8_t byte);
  void (*exit_code)(void *context, uint32_t code);
  void *io_context;
  /* Performance counter `index` (0: CSR 0xB03) of the selected class. NULL: all counters read 0. */
  uint64_t (*performance)(const void *context, unsigned class, unsigned index);
  const void *performance_context;
  struct sl_fault fault; /* ends the run; no checkpoint follows */
  uint32_t *waited;      /* test builds with yields: warps x lanes, see sl_ipdom_waited */
};

static inline uint32_t *sl_ipdom_registers(const struct sl_ipdom_warps *w, unsigned warp)
{
  return w->x + warp * w->warp_words;
}

static inline uint32_t *sl_ipdom_register(const struct sl_ipdom_warps *w, unsigned warp, unsigned reg)
{
  return sl_ipdom_registers(w, warp) + ((size_t)reg << w->lane_bits);
}

enum sl_status sl_ipdom_init(struct sl_ipdom_warps *w, const struct sl_ipdom_spec *spec, const struct sl_lane_ops *ops,
                             struct sl_memory *memory, const struct sl_code *code, struct sl_error *err);
void sl_ipdom_free(struct sl_ipdom_warps *w);

/* Adds an extension. The warps take over its state. */
void sl_ipdom_extend(struct sl_ipdom_warps *w, const struct sl_extension_kind *kind, void *state);

/* Resets: warp 0 runs lane 0 at the entry; all else is off. Stacks are empty. Registers are 0 (undefined in hardware).
 */
void sl_ipdom_start(struct sl_ipdom_warps *w, uint32_t entry, uint32_t argument);

/* Starts a warp at `pc` with lane 0, or with all lanes. */
void sl_ipdom_spawn(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc);

/* Performs the pending WSPAWN if it can happen (sl_core_sync_spawn). Returns the warps that start or resume. */
sl_warps sl_ipdom_begin_spawned(struct sl_ipdom_warps *w);

/* Switches a warp off. */
void sl_ipdom_end(struct sl_ipdom_warps *w, unsigned warp);

/* Global numbers: of a warp over all cores, and of a thread over all warps. */
static inline unsigned sl_ipdom_global(const struct sl_ipdom_warps *w, unsigned warp)
{
  return w->spec.core * w->spec.warps + warp;
}

static inline unsigned sl_ipdom_hart(const struct sl_ipdom_warps *w, unsigned warp, unsigned lane)
{
  return (sl_ipdom_global(w, warp) << w->lane_bits) + lane;
}

/* Returns true if the program has stored to its code. Then each instruction is checked against memory. */
static inline bool sl_ipdom_code_stored(const struct sl_ipdom_warps *w)
{
  return w->memory->code.any || w->code_logged;
}

/* The instruction at an address; NULL outside the program. */
static inline const struct sl_insn *sl_ipdom_insn(const struct sl_ipdom_warps *w, uint32_t pc)
{
  return sl_code_at(w->code, pc);
}

/* One instruction that a warp executes: its inputs and the results of its execution. */

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
  uint32_t target;              /* of WSPAWN */
  uint32_t count, barrier;      /* count without an effect: cycles more until the warp continues */
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

/* Kernel detection for programs on IPDOM warps: passes executed instructions to func/kernel_tracker.h. */

/* Starts detection. The watch must outlive the warps. */
void sl_ipdom_watch(struct sl_ipdom_warps *w, const struct sl_kernel_tracker *watch);

/* Returns true if the instruction can begin or end a kernel. */
static inline bool sl_ipdom_watched(const struct sl_ipdom_warps *w, const struct sl_insn *in)
{
  return w->watched >> in->kind & 1;
}

/* Records such an instruction after its execution. Returns true if the core's span has changed. */
bool sl_ipdom_see_kernel(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                         enum sl_ipdom_effect effect);

#endif
