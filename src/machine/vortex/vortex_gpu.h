/* The inside of a Vortex GPU, shared by its files: cores, what they have in common, and the run under way. */
#ifndef SL_MACHINE_VORTEX_GPU_H
#define SL_MACHINE_VORTEX_GPU_H

#include "machine/machine.h"
#include "machine/vortex/vortex_console.h"
#include "machine/vortex/vortex_memory.h"
#include "machine/vortex/vortex_spec.h"
#include "warp/blocks/stretches.h"

SL_HOLDS(SL_GANG_CORES, SL_VORTEX_CORES_MAX, "cores of a cluster");
SL_HOLDS(SL_GANG_BARRIERS, SL_VORTEX_BARRIERS_MAX, "barriers that the key asks for");
SL_HOLDS(SL_GANG_BARRIERS, SL_MAX_WARPS, "half as many as warps, rounded up to a power of two");

struct sl_vortex_core {
  _Alignas(2 * SL_CACHE_LINE) struct sl_ipdom_warps warps; /* other cores are other threads' */
};

/* What observers will be told of a core: vortex_notes.h. */
struct sl_vortex_note {
  struct sl_probe probe;
  struct sl_insn insn;
};

struct sl_vortex_notes {
  struct sl_vortex_note *note;
  uint32_t *words; /* of each: rd of all lanes, then their addresses */
  size_t first, count, capacity;
  bool lost; /* there was no memory for one */
};

struct sl_store_log;
struct sl_crew;

/* Plain data of the cores in time: with theirs, that of sockets and of memory, what a checkpoint holds. No pointers. */
struct sl_vortex_timed_state {
  uint64_t cycle; /* of the sockets */
  uint64_t end;   /* of the stretch */
  uint64_t quiet; /* cycles in which no instruction has been under way */
};

/* The cores in time: vortex_timed.h. */
struct sl_vortex_timed {
  struct sl_vortex_pipeline *pipeline; /* one per core */
  struct sl_vortex_socket *socket;
  unsigned sockets, stretch; /* stretch: cycles, */
  unsigned lead;             /* and how many of them memory is simulated before */
  struct sl_vortex_memory memory;
  struct sl_vortex_timed_state s;
  uint8_t *news; /* of each socket: what it has come to in the stretch */
  /* With several cores. */
  struct sl_store_log **log;     /* of each, NULL with one core */
  struct sl_vortex_notes *notes; /* of each, for observers */
  struct sl_crew *crew;          /* from the first run on, if there are threads to use */
};

/* What the performance counters of a core are taken from. */
struct sl_vortex_view {
  const struct sl_vortex_gpu *sm;
  unsigned core;
};

/* Plain data: with that of the cores and of time, what a checkpoint holds of the whole. No pointers. */
struct sl_vortex_gpu_state {
  bool timing;
  enum sl_sm_state state;
  unsigned launches;
  uint64_t cycle;        /* of the launch */
  uint64_t instructions; /* warp instructions */
  bool in_kernel;
  struct sl_vortex_console console;
};

struct sl_vortex_gpu {
  struct sl_sm base;
  struct sl_vortex_gpu_state s;
  /* Wiring: what follows from the keys and the program, and what is outside. */
  struct sl_vortex_spec spec;
  struct sl_sm_environment environment;
  bool observed;
  struct sl_kernel_watch watch;
  struct sl_vortex_core *core;
  struct sl_code code;           /* grows with the program */
  struct sl_vortex_facts *facts; /* of each instruction */
  bool code_lost;                /* there was no memory for it */
  uint64_t code_edition;         /* another number whenever it has been written */
  struct sl_stretches stretches; /* without timing */
  bool warms;                    /* likewise: caches see what is executed (vortex_warming.h) */
  struct sl_vortex_timed timed;
  struct sl_vortex_view *view;    /* of each core */
  struct sl_fault fault;          /* with it the run has ended: no checkpoint is made any more */
  uint32_t address[SL_MAX_LANES]; /* of the memory access under way */
};

static inline struct sl_vortex_gpu *sl_vortex_of(struct sl_sm *handle)
{
  return (struct sl_vortex_gpu *)handle;
}

static inline const struct sl_vortex_gpu *sl_vortex_of_const(const struct sl_sm *handle)
{
  return (const struct sl_vortex_gpu *)handle;
}

#endif
