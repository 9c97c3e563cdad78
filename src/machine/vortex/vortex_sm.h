/* The inside of a Vortex GPU, shared by its files: cores in vortex.c, the functional mode in vortex_fast.c, what
 * happens between cores in vortex_warps.c. */
#ifndef SL_MACHINE_VORTEX_SM_H
#define SL_MACHINE_VORTEX_SM_H

#include "machine/machine.h"
#include "machine/vortex/vortex_console.h"
#include "machine/vortex/vortex_notes.h"
#include "machine/vortex/vortex_spec.h"
#include "machine/vortex/vortex_timed.h"
#include "unit/stream_engine.h"
#include "warp/extensions.h"

SL_HOLDS(SL_GANG_CORES, SL_VORTEX_CORES_MAX, "cores of a cluster");
SL_HOLDS(SL_GANG_BARRIERS, SL_VORTEX_BARRIERS_MAX, "barriers that the key asks for");
SL_HOLDS(SL_GANG_BARRIERS, SL_MAX_WARPS, "half as many as warps, rounded up to a power of two");

struct sl_vortex_core {
  _Alignas(2 * SL_CACHE_LINE) struct sl_ipdom_warps warps; /* other cores are other threads' */
  struct sl_loops loops;
  struct sl_streams streams;
};

/* What the performance counters of a core are taken from. */
struct sl_vortex_view {
  const struct sl_vortex_gpu *sm;
  unsigned core;
};

struct sl_vortex_gpu {
  struct sl_sm base;
  struct sl_vortex_spec spec;
  struct sl_sm_environment environment;
  bool observed;
  struct sl_vortex_core *core;
  struct sl_insn *code;          /* grows with the program */
  struct sl_vortex_facts *facts; /* of each instruction */
  uint32_t code_words, code_capacity;
  bool code_lost; /* there was no memory for it */
  struct sl_vortex_timed timed;
  struct sl_vortex_view *view; /* of each core */
  bool timing;
  enum sl_sm_state state;
  unsigned launches;
  uint64_t cycle;        /* of the launch */
  uint64_t instructions; /* warp instructions */
  unsigned turn_core, turn_warp, turn_left;
  struct sl_fault fault;
  struct sl_vortex_console console;
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

/* Opens the global barriers of a cluster that enough of its cores are at: sl_gangs_open. */
bool sl_vortex_open_barriers(struct sl_vortex_gpu *sm, unsigned cluster, sl_warps released[SL_VORTEX_CORES_MAX]);

/* Some warp of some core has not ended. */
bool sl_vortex_active(const struct sl_vortex_gpu *sm);

/* Functional mode: warps in turn, up to that many instructions. */
enum sl_sm_state sl_vortex_run_fast(struct sl_vortex_gpu *sm, uint64_t instructions);

/* Every warp that is left waits: told of the first of them. */
void sl_vortex_deadlock(struct sl_vortex_gpu *sm);

/* After a timed run has ended: what its accounts or what is left in the hardware show to be wrong, else NULL. */
const char *sl_vortex_broken(struct sl_vortex_gpu *sm);

/* The machine interface's view of the state. */
size_t sl_vortex_state_bytes(const struct sl_sm *handle);
bool sl_vortex_fits(const struct sl_sm *handle, const uint8_t *bytes, size_t size);
void sl_vortex_save(const struct sl_sm *handle, uint8_t *bytes);
void sl_vortex_restore(struct sl_sm *handle, const uint8_t *bytes);

/* A performance counter, for struct sl_ipdom_clock; context: a view. */
uint64_t sl_vortex_performance(const void *context, unsigned class, unsigned index);

extern const struct sl_counters sl_vortex_counters;
uint64_t sl_vortex_counter(const struct sl_sm *handle, size_t index);

#endif
