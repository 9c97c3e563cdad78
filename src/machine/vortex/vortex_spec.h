/* The configuration of a Vortex GPU: one field per key of vortex_keys.c. */
#ifndef SL_MACHINE_VORTEX_SPEC_H
#define SL_MACHINE_VORTEX_SPEC_H

#include "base/keys.h"
#include "convergence/convergence.h"
#include "timing/memory/cache.h"

/* Maximum values of keys. Wheels and rings that depend on them assert their size. */
enum {
  SL_VORTEX_DELAY = 60,       /* of delays and latencies, cycles */
  SL_VORTEX_WATCHDOG = 65536, /* of the watchdog and its back-off */
  SL_VORTEX_START = 100,
  SL_VORTEX_IBUFFER = 32,
  SL_VORTEX_SLICES_MAX = 8,
  SL_VORTEX_BANKS_MAX = 64, /* of local memory */
  SL_VORTEX_BARRIERS_MAX = 64,
  SL_VORTEX_PORTS_MAX = 8, /* of the data cache */
  SL_VORTEX_CORES_MAX = 64,
  SL_VORTEX_LOADS_MAX = 64 /* outstanding in a core */
};

enum { SL_WORD_BYTES = 4 };

/* Instruction classes with separate latencies. */
enum sl_vortex_class {
  SL_VORTEX_ALU,
  SL_VORTEX_MUL,
  SL_VORTEX_DIV,
  SL_VORTEX_FMA,
  SL_VORTEX_FDIV,
  SL_VORTEX_FSQRT,
  SL_VORTEX_FCVT,
  SL_VORTEX_FNCP,
  SL_VORTEX_CSR,
  SL_VORTEX_VOTE,
  SL_VORTEX_CLASS_COUNT
};

enum sl_vortex_dram { SL_VORTEX_HBM2, SL_VORTEX_DDR4 };

/* The keys of a cache. */
struct sl_vortex_cache_spec {
  uint32_t enabled, bytes, ways, banks, mshr, latency, miss_latency, start_cycles;
};

struct sl_vortex_spec {
  uint32_t lanes, warps, cores, socket_cores, clusters; /* cores: in total, a multiple of clusters */
  uint32_t barriers;                                    /* of each kind; 0: half the number of warps */
  uint32_t encoding;                                    /* enum sl_ipdom_encoding */
  uint32_t atomics;                                     /* the A extension is present */
  uint32_t isa;                                         /* enum sl_isa_number */
  uint32_t registers;                                   /* of a thread, with 64-bit words */
  uint32_t register_banks, bank_map;                    /* enum sl_bank_map */
  uint32_t registers_total;                             /* of a core, of all lanes; 0: enough for all warps */
  uint32_t code_base, code_bytes;                       /* region of program code that is decoded */
  uint32_t local_base, local_bytes, local_aliased;
  uint32_t ipdom_entries; /* 0: lanes - 1 */
  uint32_t split_negate;  /* split_n negates */
  uint32_t divergent_branch_faults;
  uint32_t divergence;                                       /* among the schemes of Vortex */
  uint32_t split_first;                                      /* 0: the larger side, 1: the smaller one */
  uint32_t scs_pool, scs_pending, scs_pop_delay, scs_hazard; /* pool 0: as many as lanes; hazard 1: silent */
  uint32_t scs_stack, scs_watchdog, scs_backoff;             /* stack 1: of a split */
  uint32_t its_barriers, its_yield, its_service;
  /* Schedule, fetch, decode. */
  uint32_t start_cycle; /* of the first schedule */
  uint32_t execute_at_schedule;
  uint32_t fetch_delay, fetch_queue, fetch_answers, decode_release, ibuffer_size, decode_delay;
  uint32_t queues_same_cycle, commit_fpu_before_sfu, fence_delay;
  /* Issue, operands, dispatch. */
  uint32_t issue_slices; /* 0: a slice per 8 warps */
  uint32_t issue_rotates;
  uint32_t operands_overtake, operands_count_pairs, operands_f0_free;
  uint32_t operands_queue, operands_delay, operands_out_delay;
  uint32_t dispatch_size, dispatch_delay, dispatch_unit_delay, dispatch_decoupled;
  uint32_t shared_unit_delay; /* LSU and SFU, in addition to dispatch_unit_delay */
  /* Units. */
  uint32_t latency[SL_VORTEX_CLASS_COUNT]; /* from the unit's input to the commit arbiter */
  uint32_t fma_in_alu;
  uint32_t fpu_queue;                                          /* 0: no limit */
  uint32_t branch_delay, control_delay, join_delay, csr_delay; /* from the unit's input until the warp is scheduled */
  uint32_t spawn_delay, csr_flags_wait, csr_clock_delay;
  uint32_t commit_delay; /* from the arbiter until a dependent instruction can issue */
  uint32_t end_delay;    /* from the last instruction's commit to the end of the run */
  /* LSU, coalescer, local memory. */
  uint32_t lsu_loads, lsu_slot_delay, lsu_queue, lsu_partial_commit;
  uint32_t lsu_store_delay, lsu_response_delay;
  uint32_t coalescer_delay, coalescer_interval, coalescer_tags, coalescer_line;
  uint32_t lmem_delay, lmem_latency, lmem_wide_latency, local_bank_by, lmem_banks, lmem_raw_stall;
  uint32_t fence_flushes, fence_flush_cycles;
  /* Memory. */
  struct sl_vortex_cache_spec icache, dcache, l2, l3;
  uint32_t dcache_ports;
  uint32_t write_merge, fills_in_order, fill_bubble, fill_delay, replace_rotating;
  uint32_t socket_delay;     /* each way, for caches shared by several cores */
  uint32_t io_delay;         /* from the data cache's input to memory, for uncached accesses */
  uint32_t lsu_return_delay; /* of lines, from the cache's answer to the LSU */
  uint32_t memory_delay, memory_return_delay;
  uint32_t dram_standard, dram_interleave, dram_ports, dram_response_delay;
  uint32_t performance_class;
  uint32_t memory_fill;
  uint32_t misaligned; /* enum sl_misaligned */
  /* Hardware loops and streaming lanes; 0: none. */
  uint32_t loops, loops_blocking;
  uint32_t streams, stream_credits, stream_lines, stream_latency;
};

extern const struct sl_keys sl_vortex_keys;

enum sl_status sl_vortex_check(const void *spec, struct sl_error *err);

static inline enum sl_scheme sl_vortex_scheme(const struct sl_vortex_spec *spec)
{
  return sl_scheme_of(SL_SCHEME_VORTEX, spec->divergence);
}

/* Whether lanes of a warp can run before others that are elsewhere. */
static inline bool sl_vortex_parts(const struct sl_vortex_spec *spec)
{
  return sl_convergences[sl_vortex_scheme(spec)]->apart != NULL;
}

/* Warps of a core that its registers can hold. */
unsigned sl_vortex_warps(const struct sl_vortex_spec *spec);

/* Registers of a thread, including floating point. */
unsigned sl_vortex_registers(const struct sl_vortex_spec *spec);

/* Barriers of a core, and global barriers of a cluster: a power of two. */
unsigned sl_vortex_barriers(const struct sl_vortex_spec *spec);

/* Slices of a core; each issues one instruction per cycle. */
unsigned sl_vortex_slices(const struct sl_vortex_spec *spec);

enum sl_vortex_cache { SL_VORTEX_ICACHE, SL_VORTEX_DCACHE, SL_VORTEX_L2, SL_VORTEX_L3, SL_VORTEX_CACHES };

/* The configuration of a cache of any level, from the keys. */
struct sl_cache_spec sl_vortex_cache(const struct sl_vortex_spec *spec, enum sl_vortex_cache which);

/* Whether the cache is present. */
bool sl_vortex_has(const struct sl_vortex_spec *spec, enum sl_vortex_cache which);

/* Sockets of a cluster. */
unsigned sl_vortex_sockets(const struct sl_vortex_spec *spec);

/* Size of the address block that the coalescing unit requests at once, number of blocks that it examines per cycle, and
 * maximum number of outstanding requests. */
unsigned sl_vortex_coalescer_line(const struct sl_vortex_spec *spec);
unsigned sl_vortex_channels(const struct sl_vortex_spec *spec);
unsigned sl_vortex_coalescer_tags(const struct sl_vortex_spec *spec);

/* Cores that share their first-level caches. */
unsigned sl_vortex_socket_cores(const struct sl_vortex_spec *spec);

#endif
