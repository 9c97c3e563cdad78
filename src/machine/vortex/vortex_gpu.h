/* Internal state of a Vortex GPU, shared by its files: the cores, their shared components, and the current run. */
#ifndef SL_MACHINE_VORTEX_GPU_H
#define SL_MACHINE_VORTEX_GPU_H

#include "func/blocks/basic_blocks.h"
#include "func/ipdom_warps.h"
#include "machine/machine.h"
#include "machine/vortex/vortex_memory.h"
#include "machine/vortex/vortex_spec.h"

SL_HOLDS(SL_CORE_SYNC_CORES, SL_VORTEX_CORES_MAX, "cores of a cluster");
SL_HOLDS(SL_CORE_SYNC_BARRIERS, SL_VORTEX_BARRIERS_MAX, "barriers that the key asks for");
SL_HOLDS(SL_CORE_SYNC_BARRIERS, SL_MAX_WARPS, "half as many as warps, rounded up to a power of two");

struct sl_vortex_core {
  _Alignas(2 * SL_CACHE_LINE) struct sl_ipdom_warps warps; /* avoids false sharing between host threads */
};

/* A buffered event for observers of a core: vortex_events.c. */
struct sl_vortex_note {
  struct sl_probe probe;
  struct sl_insn insn;
};

struct sl_vortex_events {
  struct sl_vortex_note *note;
  uint32_t *words; /* of each: rd of all lanes, then their addresses */
  size_t first, count, capacity;
  bool lost; /* an event was lost for lack of memory */
};

struct sl_store_log;
struct sl_thread_pool;

/* Checkpointed state of the timed cores, together with that of the pipelines, sockets and memory. Plain data without
 * pointers. */
struct sl_vortex_timed_state {
  uint64_t cycle; /* of the sockets */
  uint64_t end;   /* end of the quantum */
  uint64_t quiet; /* cycles in which no instruction has been in flight */
};

/* The timed cores. */
struct sl_vortex_timed {
  struct sl_vortex_pipeline *pipeline; /* one per core */
  struct sl_vortex_socket *socket;
  unsigned sockets, quantum; /* quantum: cycles that sockets simulate at a time, */
  unsigned lead;             /* and how many of them memory is simulated ahead */
  struct sl_vortex_memory memory;
  struct sl_vortex_timed_state s;
  uint8_t *news; /* of each socket: its result of the quantum */
  /* With several cores. */
  struct sl_store_log **log;      /* of each core; NULL with one core */
  struct sl_vortex_events *notes; /* of each core, for observers */
  struct sl_thread_pool *pool;    /* from the first run on, if threads are available */
};

/* The source of a core's performance counters. */
struct sl_vortex_view {
  const struct sl_vortex_gpu *sm;
  unsigned core;
};

/* Checkpointed state of the GPU, together with that of the cores and the timed state. Plain data without pointers. */
struct sl_vortex_gpu_state {
  bool timing;
  unsigned launches;
  uint64_t cycle;        /* of the launch */
  uint64_t instructions; /* warp instructions */
  bool in_kernel;
  struct sl_vortex_console console;
};

struct sl_vortex_gpu {
  struct sl_sm base;
  struct sl_vortex_gpu_state s;
  /* Wiring: values that follow from the keys and the program, and the environment. */
  struct sl_vortex_spec spec;
  struct sl_sm_environment environment;
  bool observed;
  struct sl_kernel_tracker watch;
  struct sl_vortex_core *core;
  struct sl_code code;                 /* grows with the program */
  struct sl_vortex_facts *facts;       /* of each instruction */
  bool code_lost;                      /* its allocation failed */
  uint64_t code_edition;               /* changes whenever the code is written */
  struct sl_basic_blocks basic_blocks; /* without timing */
  bool warms;                          /* without timing: execution updates the caches */
  struct sl_vortex_timed timed;
  struct sl_vortex_view *view;    /* of each core */
  struct sl_fault fault;          /* ends the run; no further checkpoint is made */
  uint32_t address[SL_MAX_LANES]; /* of the current memory access */
};

static inline struct sl_vortex_gpu *sl_vortex_of(struct sl_sm *handle)
{
  return (struct sl_vortex_gpu *)handle;
}

static inline const struct sl_vortex_gpu *sl_vortex_of_const(const struct sl_sm *handle)
{
  return (const struct sl_vortex_gpu *)handle;
}

/* Checkpoints (struct sl_machine_checkpoint): vortex_state.c. */
void sl_vortex_walk(struct sl_sm *sm, struct sl_archive *archive);

/* `tag`: the core in its socket, and the instruction. Returns true. */
bool sl_vortex_give_line(struct sl_archive *archive, uint64_t socket, uint64_t tag, bool is_read);

/* The rules of a restored state over several parts: vortex_census.c. */
void sl_vortex_expect(struct sl_vortex_gpu *sm, struct sl_archive *archive);

/* ---- vortex_warps.c ---------------------------------------------------------------------------------------------- */

/* Interaction of warps of all cores, without its timing: global barriers, and the end of a run. */

/* Opens the global barriers of a cluster at which enough of its cores have arrived: sl_core_syncs_open. */
bool sl_vortex_open_barriers(struct sl_vortex_gpu *sm, unsigned cluster, sl_warps released[SL_VORTEX_CORES_MAX]);

/* Whether any warp of any core has not ended. */
bool sl_vortex_active(const struct sl_vortex_gpu *sm);

/* All remaining warps wait: ends the run with a fault of the first of them. */
void sl_vortex_deadlock(struct sl_vortex_gpu *sm);

/* ---- vortex_events.c --------------------------------------------------------------------------------------------- */

/* Observer events of a Vortex GPU. In a timed run with several cores, each core buffers its events of a quantum. One
 * thread delivers them at the end of the quantum, in order of cycle and core. By then atomics have their results. */

/* Kernel boundaries of a program that runs on a Vortex GPU alone. The launcher is notified when a kernel begins and
 * ends, in the cycle in which the instruction responsible executes; with several cores, at the end of the quantum. */

bool sl_vortex_watch(struct sl_sm *sm, const struct sl_kernel_tracker *watch);

/* The kernel span of a core has changed. */
void sl_vortex_kernels(struct sl_vortex_gpu *sm);

void sl_vortex_events_free(struct sl_vortex_events *notes);

/* Reports an event of a core's warp, by the warp's number in the core, now or at the end of the quantum. An execution
 * event carries its instruction, values and addresses. */
void sl_vortex_report(const void *gpu, unsigned core, const struct sl_probe *probe);

/* Delivers the buffered events of all cores. False: events were lost for lack of memory. */
bool sl_vortex_tell(struct sl_vortex_gpu *sm);

/* ---- vortex_fast.c ----------------------------------------------------------------------------------------------- */

/* Vortex without timing: the same instructions; the warps of all cores take turns. Warp numbers run over all cores. See
 * struct sl_machine_steps. */

enum { SL_VORTEX_TURN = 256 };

int sl_vortex_next(struct sl_sm *handle, unsigned after);
uint64_t sl_vortex_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most);
void sl_vortex_none(struct sl_sm *handle);

/* ---- vortex_extensions.c ----------------------------------------------------------------------------------------- */

/* The extensions of a Vortex core, given by its keys. Only this module of the machine knows which extensions exist. */

/* Performance counters as programs read them. */

/* For struct sl_ipdom_warps; context: a view. */
uint64_t sl_vortex_performance(const void *context, unsigned class, unsigned index);

/* Adds the configured extensions to the warps of a core. */
enum sl_status sl_vortex_extend(struct sl_ipdom_warps *w, const struct sl_vortex_spec *spec, struct sl_error *err);

/* What waits for an access to an extension's CSR: the warp's fetch, and the access itself in its unit. */
enum { SL_VORTEX_FETCH_WAITS = 1, SL_VORTEX_UNIT_WAITS = 2 };
unsigned sl_vortex_extension_waits(const struct sl_vortex_spec *spec, const struct sl_insn *in);

/* The extensions' counters. */
enum sl_vortex_extension_counter { SL_VORTEX_ELEMENTS_READ, SL_VORTEX_ELEMENTS_WRITTEN, SL_VORTEX_EXTENSION_LINES };
uint64_t sl_vortex_extension_count(const struct sl_ipdom_warps *w, enum sl_vortex_extension_counter counter);

/* ---- vortex_counters.c ------------------------------------------------------------------------------------------- */

extern const struct sl_counters sl_vortex_counters;
extern const struct sl_energy_source sl_vortex_energy[];
uint64_t sl_vortex_counter(const struct sl_sm *sm, size_t index);

/* ---- invariants -------------------------------------------------------------------------------------------------- */

/* Invariants of a timed run that has ended. Test builds check them. */

/* The first violated invariant of the counters or the hardware's final state, else NULL. The state stays unchanged. */
const char *sl_vortex_broken(struct sl_vortex_gpu *sm);

/* Returns a violation as a fault. */
enum sl_sm_state sl_vortex_conserve(struct sl_vortex_gpu *sm);

/* Runs a socket, and ends the run with a fault if it needed something that memory had not simulated yet, or made a
 * request that memory should have had. */
void sl_vortex_run_checked(const struct sl_vortex_timed *timed, struct sl_vortex_socket *socket, uint64_t cycles);

/* Timed simulation of a Vortex GPU: sockets of cores and the memory behind them. Within a quantum of cycles the sockets
 * do not depend on each other, so host threads can simulate them in parallel.
 *
 * When all sockets have reached cycle s, memory can be simulated up to m = s + sl_vortex_lookahead(), because requests
 * made from s on are due later. Each socket can then be simulated alone up to m + sl_vortex_return_delay(), because
 * answers after m arrive later. A quantum is the sum of the two delays. One thread performs all other exchanges of the
 * cores between quanta: it opens global barriers and performs stores.
 *
 * With several cores each core keeps a log of its stores and atomics (func/ipdom_execute.h). The logs are performed at
 * the end of the quantum in core order. A load sees the stores of all cores before the quantum, and those of its own
 * core in it. An atomic's rd is written when its log is performed. The quantum must therefore end before a dependent
 * instruction executes: sl_vortex_quantum() is at most the shortest pipeline delay from an atomic to a dependent
 * instruction.
 *
 * Quanta begin at the same cycles however a run is divided. The results depend neither on that nor on the number of
 * threads. With one core a run can pause within a quantum, with several cores only at its end. */

/* Cache warming of a Vortex GPU during functional execution. Instructions update the caches with the lines that they
 * fetch and access, in the order of execution, as if each request were answered before the next. A request that would
 * have merged with an outstanding line hits that line. */

/* A core has executed an instruction. */
void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex);

/* Sampled timing of a Vortex GPU: only parts of a run are timed. An instruction executes when it is scheduled or
 * issued. Once no core has an instruction in flight, the state is therefore only warps, registers and memory. Requests
 * to caches and DRAM whose instructions have ended stay in place until timing resumes, and so do the cached lines:
 * functional execution does not move them. */

/* Switches timing on or off for a GPU without instructions in flight. Repeating the same switch has no effect. */
void sl_vortex_switch(struct sl_vortex_gpu *sm, bool timing);

/* Of struct sl_machine_sampling. */
const char *sl_vortex_refuses_sampling(const void *spec);
bool sl_vortex_drain(struct sl_sm *sm, uint64_t cycles);
void sl_vortex_warm_caches(struct sl_sm *sm, bool warm_up_follows);
unsigned sl_vortex_population(const struct sl_sm *sm);
uint64_t sl_vortex_issued(const struct sl_sm *sm, unsigned warp);

enum sl_status sl_vortex_timed_init(struct sl_vortex_gpu *sm, struct sl_error *err);
void sl_vortex_timed_free(struct sl_vortex_gpu *sm);
void sl_vortex_timed_start(struct sl_vortex_gpu *sm);

enum sl_sm_state sl_vortex_run_timed(struct sl_vortex_gpu *sm, uint64_t cycles);

/* Simulates a whole quantum with this thread, from its beginning. */
void sl_vortex_pass_quantum(struct sl_vortex_gpu *sm);

#endif
