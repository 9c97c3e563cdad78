#include "machine/vortex/vortex_counters.h"

#include "machine/vortex/vortex_extensions.h"

enum {
  CYCLES,
  WARP_INSTRUCTIONS,
  THREAD_INSTRUCTIONS,
  FIRST_CAUSE,
  LOADS = FIRST_CAUSE + SL_VORTEX_CAUSES,
  STORES,
  LOAD_LINES,
  STORE_LINES,
  LOCAL_ACCESSES,
  IFETCHES,
  ICACHE_READS,
  ICACHE_MISSES,
  DCACHE_READS,
  DCACHE_READ_MISSES,
  DCACHE_WRITES,
  DCACHE_WRITE_MISSES,
  DCACHE_BANK_STALLS,
  DCACHE_MSHR_STALLS,
  DRAM_READS,
  DRAM_WRITES,
  STREAM_READS,
  STREAM_WRITES,
  STREAM_LINES,
  COUNTER_COUNT
};

#define OURS(index, name_, unit_, meaning_) [index] = {.name = name_, .unit = unit_, .meaning = meaning_, .rtl_id = -1}
#define CAUSE(index, name_, meaning_)                                                                                  \
  OURS(FIRST_CAUSE + (index), "cycles." name_, "cycles", meaning_ ", summed over cores")

static const struct sl_counter counters[COUNTER_COUNT] = {
    OURS(CYCLES, "cycles", "cycles", "cycles from reset to the end of the last warp"),
    OURS(WARP_INSTRUCTIONS, "warp_instrs", "instructions", "warp instructions executed"),
    OURS(THREAD_INSTRUCTIONS, "thread_instrs", "instructions", "active threads of those"),
    CAUSE(SL_VORTEX_ISSUED, "issued", "cycles in which an instruction was issued"),
    CAUSE(SL_VORTEX_WAITS_MEMORY, "memory", "cycles in which what could issue waited for a load"),
    CAUSE(SL_VORTEX_WAITS_FPU, "fpu", "the same, for a floating-point result"),
    CAUSE(SL_VORTEX_WAITS_PIPELINE, "pipeline", "the same, for another result"),
    CAUSE(SL_VORTEX_WAITS_STREAM, "stream", "the same, for an element of a stream or room in one"),
    CAUSE(SL_VORTEX_WAITS_OPERANDS, "operands", "cycles in which operand collection was full"),
    CAUSE(SL_VORTEX_WAITS_FETCH, "fetch", "cycles in which nothing was decoded: fetch, or a jump under way"),
    CAUSE(SL_VORTEX_WAITS_BARRIER, "barrier", "cycles in which every warp was at a barrier"),
    CAUSE(SL_VORTEX_DRAINS, "drain", "cycles in which no warp was active"),
    OURS(LOADS, "loads", "accesses", "loads and atomics of threads"),
    OURS(STORES, "stores", "accesses", "stores of threads"),
    OURS(LOAD_LINES, "load_lines", "requests", "requests to the data cache that loads were coalesced to"),
    OURS(STORE_LINES, "store_lines", "requests", "the same, of stores"),
    OURS(LOCAL_ACCESSES, "local_accesses", "accesses", "accesses of threads to local memory"),
    OURS(IFETCHES, "ifetches", "instructions", "instructions fetched"),
    OURS(ICACHE_READS, "icache.reads", "requests", "requests to the instruction cache"),
    OURS(ICACHE_MISSES, "icache.misses", "requests", "those of lines it did not have"),
    OURS(DCACHE_READS, "dcache.reads", "requests", "reads of the data cache"),
    OURS(DCACHE_READ_MISSES, "dcache.read_misses", "requests", "those of lines it did not have"),
    OURS(DCACHE_WRITES, "dcache.writes", "requests", "writes to the data cache"),
    OURS(DCACHE_WRITE_MISSES, "dcache.write_misses", "requests", "those of lines it did not have"),
    OURS(DCACHE_BANK_STALLS, "dcache.bank_stalls", "cycles", "cycles in which a request found its bank busy"),
    OURS(DCACHE_MSHR_STALLS, "dcache.mshr_stalls", "cycles", "cycles in which a request found all MSHR entries taken"),
    OURS(DRAM_READS, "dram.reads", "requests", "lines read from DRAM"),
    OURS(DRAM_WRITES, "dram.writes", "requests", "lines written to DRAM"),
    OURS(STREAM_READS, "streams.read", "elements", "elements taken from streams, of warps"),
    OURS(STREAM_WRITES, "streams.written", "elements", "elements put into streams, of warps"),
    OURS(STREAM_LINES, "streams.lines", "requests", "lines that streams asked for"),
};

const struct sl_counters sl_vortex_counters = {counters, COUNTER_COUNT};

/* A counter of one core. */
static uint64_t of_core(const struct sl_vortex_pipeline *p, size_t index)
{
  const struct sl_vortex_counts *c = &p->counts;
  if (index >= FIRST_CAUSE && index < FIRST_CAUSE + SL_VORTEX_CAUSES)
    return c->cause[index - FIRST_CAUSE];
  switch (index) {
  case WARP_INSTRUCTIONS: return c->instructions;
  case THREAD_INSTRUCTIONS: return c->thread_instructions;
  case LOADS: return c->loads;
  case STORES: return c->stores;
  case LOAD_LINES: return c->load_lines;
  case STORE_LINES: return c->store_lines;
  case LOCAL_ACCESSES: return c->local_passes;
  case IFETCHES: return c->ifetches;
  case STREAM_READS: return sl_vortex_extension_count(p->warps, SL_VORTEX_ELEMENTS_READ);
  case STREAM_WRITES: return sl_vortex_extension_count(p->warps, SL_VORTEX_ELEMENTS_WRITTEN);
  case STREAM_LINES: return sl_vortex_extension_count(p->warps, SL_VORTEX_EXTENSION_LINES);
  default: return 0;
  }
}

static uint64_t of_socket(const struct sl_vortex_socket *s, size_t index)
{
  const struct sl_cache_counts *i = &s->icache.counts, *d = &s->dcache.counts;
  switch (index) {
  case ICACHE_READS: return i->reads;
  case ICACHE_MISSES: return i->read_misses;
  case DCACHE_READS: return d->reads;
  case DCACHE_READ_MISSES: return d->read_misses;
  case DCACHE_WRITES: return d->writes;
  case DCACHE_WRITE_MISSES: return d->write_misses;
  case DCACHE_BANK_STALLS: return d->bank_stalls;
  case DCACHE_MSHR_STALLS: return d->mshr_stalls;
  default: return 0;
  }
}

/* Without timing only instructions are counted. */
static uint64_t functional(const struct sl_vortex_gpu *sm, size_t index)
{
  uint64_t threads = 0;
  if (index == WARP_INSTRUCTIONS)
    return sm->instructions;
  for (unsigned c = 0; c < sm->spec.cores && index == THREAD_INSTRUCTIONS; c++)
    threads += sm->core[c].warps.clock.thread_instructions;
  return threads;
}

uint64_t sl_vortex_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const struct sl_vortex_timed *t = &sm->timed;
  uint64_t sum = 0;
  if (!sm->timing)
    return functional(sm, index);
  switch (index) {
  case CYCLES: return sm->cycle;
  case DRAM_READS: return sl_dram_statistics(&t->memory.dram.dram, t->memory.cycle).reads;
  case DRAM_WRITES: return sl_dram_statistics(&t->memory.dram.dram, t->memory.cycle).writes;
  default: break;
  }
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sum += of_core(&t->pipeline[c], index);
  for (unsigned s = 0; s < t->sockets; s++)
    sum += of_socket(&t->socket[s], index);
  return sum;
}
