#include "machine/vortex/vortex_gpu.h"

#include "machine/vortex/core/vortex_frontend.h"
#include "machine/vortex/core/vortex_operands.h"

#define OF_GPU(id, name, unit, role, value, meaning) ID_##id,
#define OF_CORE OF_GPU
#define OF_SOCKET OF_GPU
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/vortex/vortex_counters.def"
  COUNTER_COUNT
};
#undef OF_GPU
#undef CAUSE

#define OF_GPU(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning)                                                                                 \
  {"cycles." name, "cycles", SL_COUNTER_STALL_REASON, name, meaning ", summed over cores", -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/vortex/vortex_counters.def"
};
#undef OF_GPU
#undef OF_CORE
#undef OF_SOCKET
#undef CAUSE

const struct sl_counters sl_vortex_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_vortex_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {SL_ENERGY_SHARED, "local_accesses", 32},
    {SL_ENERGY_L1, "dcache.reads", 1},
    {SL_ENERGY_L1, "dcache.writes", 1},
    {0},
};

static struct sl_dram_statistics dram(const struct sl_vortex_gpu *sm)
{
  const struct sl_vortex_memory *memory = &sm->timed.memory;
  return sl_dram_statistics(&memory->dram.s.dram, memory->s.cycle);
}

#define NOT_HERE(id, name, unit, role, value, meaning)
#define READ(id, name, unit, role, value, meaning)                                                                     \
  case ID_##id:                                                                                                        \
    return value;

#define OF_GPU NOT_HERE
#define OF_CORE READ
#define OF_SOCKET NOT_HERE
#define CAUSE(id, name, kind, meaning)                                                                                 \
  case ID_CAUSE_##id: return p->s.counts.cause[SL_VORTEX_##id];
static uint64_t of_core(const struct sl_vortex_pipeline *p, size_t index)
{
  switch (index) {
#include "machine/vortex/vortex_counters.def"
  default: return 0;
  }
}
#undef OF_CORE
#undef OF_SOCKET
#undef CAUSE

#define OF_CORE NOT_HERE
#define OF_SOCKET READ
#define CAUSE(id, name, kind, meaning)
static uint64_t of_socket(const struct sl_vortex_socket *s, size_t index)
{
  const struct sl_cache_counts *i = &s->icache.s.counts, *d = &s->dcache.s.counts;
  switch (index) {
#include "machine/vortex/vortex_counters.def"
  default: return 0;
  }
}
#undef OF_GPU
#undef OF_SOCKET

/* A counter of the whole GPU, or a sum over its parts. */
#define OF_GPU READ
#define OF_SOCKET NOT_HERE
static uint64_t timed(const struct sl_vortex_gpu *sm, size_t index)
{
  uint64_t sum = 0;
  switch (index) {
#include "machine/vortex/vortex_counters.def"
  default: break;
  }
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sum += of_core(&sm->timed.pipeline[c], index);
  for (unsigned s = 0; s < sm->timed.sockets; s++)
    sum += of_socket(&sm->timed.socket[s], index);
  return sum;
}

/* The timed part plus the functional part of a run. Thread instructions are counted in only one of them at a time
 * (vortex_sampled.h). */
uint64_t sl_vortex_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  uint64_t threads = 0;
  if (index == ID_WARP_INSTRUCTIONS)
    return timed(sm, index) + sm->s.instructions;
  if (index != ID_THREAD_INSTRUCTIONS || sm->s.timing)
    return timed(sm, index);
  for (unsigned c = 0; c < sm->spec.cores; c++)
    threads += sm->core[c].warps.s.clock.thread_instructions;
  return threads;
}
