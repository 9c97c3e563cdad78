/* State of a multiprocessor (SM), shared by the files of this folder: warps with their instruction buffers, scoreboard,
 * operand collectors, units, load/store unit, and the resident blocks. Sets of warps are bit masks, so blocked warps
 * cost no simulation time. This state is independent of the program's language (machine/sm7/sm7_code.h). */
#ifndef SL_MACHINE_SM7_SM_H
#define SL_MACHINE_SM7_SM_H

#include "machine/sm7/memory/sm7_cache.h"
#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_line_cache.h"
#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_spec.h"

enum {
  SL_SM7_OPS = 128, /* instructions between issue and their unit: registers, collectors, dispatch */
  SL_SM7_ACCESS_LISTS = 64,
  SL_SM7_ACCESSES = 128, /* sectors of one instruction: four words of 32 lanes of local memory */
  SL_SM7_HORIZON = 1024, /* maximum latency in cycles that a unit can schedule */
  SL_SM7_RESULT_BUSES = 8,
  SL_SM7_COMPLETIONS = SL_SM7_RESULT_BUSES * SL_SM7_HORIZON,
  SL_SM7_NO_COMPLETION = SL_SM7_COMPLETIONS,
  SL_SM7_COLLECTORS = 32,
  SL_SM7_SUMS = 20,
  SL_SM7_READING = 8, /* of a scheduler: instructions that read operands, memory instructions behind them */
  SL_SM7_MEMORY_QUEUE = 4,
  SL_SM7_BANKS = 64,
  SL_SM7_BANK_QUEUE = 256, /* reads: all collectors' operands in one bank */
  SL_SM7_MAX_BLOCKS = 32,
  SL_SM7_NONE = 0xff,
  SL_SM7_NO_REGISTER = SL_SM7_REGISTERS - 1, /* kernels hardly have so many */
  SL_SM7_L1_BANKS = 16,
  SL_SM7_SHARED_ROOM = 256,     /* results of shared memory */
  SL_SM7_WRITE_BACK_CLIENTS = 5 /* that take turns to write back (core/sm7_lsu.c) */
};
#define SL_SM7_NO_PC UINT32_MAX
#define SL_SM7_NO_BLOCK UINT64_MAX

/* Stall reason of a scheduler's slot, per cycle: the first one that applies, in this order. */
enum sl_sm7_stall_reason {
#define CAUSE(id, name, colour, meaning) SL_SM7_STALL_REASON_##id,
#include "machine/sm7/sm7_stall_reasons.def"
#undef CAUSE
  SL_SM7_STALL_REASONS
};

/* Memory accesses that the front end has deferred until all SMs have had their cycle. */
enum sl_sm7_late { SL_SM7_NOTHING_LATE, SL_SM7_LATE_READS, SL_SM7_LATE_WRITES };

struct sl_sm7_warp {
  uint32_t pc, fetch_pc; /* on top of its stack; of the next fetch */
  uint32_t buffer[2];    /* SL_SM7_NO_PC: empty */
  uint8_t next;          /* entry of the buffer */
  uint8_t slot, index;   /* of its block; in the block */
  uint32_t in_pipe;      /* instructions fetched and not complete */
  uint32_t stores, atomics, pending;
  uint64_t age;
  uint16_t waits_on;             /* register, of a warp in hazard; SL_SM7_NO_REGISTER: asynchronous loads */
  uint8_t group;                 /* of its next asynchronous load */
  uint16_t loads[SL_SM7_GROUPS]; /* outstanding asynchronous loads, by group */
  uint64_t busy[SL_SM7_REGISTERS / 64];
};

struct sl_sm7_access_list {
  uint32_t count;
  uint64_t address[SL_SM7_ACCESSES]; /* ascending */
  uint32_t bytes[SL_SM7_ACCESSES];
  uint8_t lanes[SL_SM7_ACCESSES];
};

/* An instruction in transit to its unit. */
struct sl_sm7_op {
  const struct sl_sm7_instruction *code;
  uint64_t order;
  uint64_t ready;                   /* cycle in which its operands are summed */
  uint32_t load;                    /* of loads, once in the load/store unit */
  uint16_t delay;                   /* cycles in the dispatch register */
  uint8_t warp, scheduler, missing; /* missing: operands still to be read */
  uint8_t space, lanes, group;
  uint8_t list; /* SL_SM7_NONE: no accesses */
};

/* A result of a unit or of memory. */
struct sl_sm7_result {
  const struct sl_sm7_instruction *code;
  uint64_t ready;
  uint32_t load;
  uint8_t warp, scheduler, lanes;
  uint8_t written; /* destinations that have been granted their bank */
};

/* An operation in an arithmetic unit, in the list of those that complete in the same cycle. */
struct sl_sm7_completion {
  const struct sl_sm7_instruction *code;
  uint8_t warp, scheduler;
  uint16_t next;
};

/* A load with outstanding sectors. */
struct sl_sm7_load {
  const struct sl_sm7_instruction *code;
  uint32_t remaining, next;
  uint8_t warp, scheduler, group;
  bool away; /* the last sector came from outside the SM: trip is valid */
  struct sl_sm7_trip trip;
};

struct sl_sm7_unit_state {
  uint64_t free_at;                    /* its dispatch register */
  uint64_t taken[SL_SM7_HORIZON / 64]; /* cycles in which an operation completes */
};

struct sl_sm7_block {
  uint64_t warps, active; /* of its warps: all, those that have not ended */
  uint64_t at[SL_SM7_BARRIERS];
  uint8_t needed[SL_SM7_BARRIERS]; /* warps that open it; 0: all that have not ended */
  unsigned left;                   /* not retired */
};

/* A two-level scheduler: its active warps, and the pending warps in order. */
struct sl_sm7_levels {
  uint64_t active;
  uint8_t pending[SL_SM7_MAX_WARPS], count;
};

/* The register file of a scheduler (core/sm7_register_file.c). Queues hold ops, the oldest first. */
struct sl_sm7_register_file {
  uint64_t since, port[SL_SM7_READ_BANKS];           /* bit i: the port is reserved in cycle since + i */
  uint16_t kept[SL_SM7_READ_BANKS][SL_SM7_PLACES];   /* register numbers in the cache; 0: none */
  uint8_t kept_of[SL_SM7_READ_BANKS][SL_SM7_PLACES]; /* their warps */
  uint8_t reader[SL_SM7_READING], readers;
  uint8_t queue[SL_SM7_MEMORY_QUEUE], queued; /* memory instructions with their operands */
  uint64_t free_at[SL_SM7_RESERVED];          /* first cycle in which the unit can be issued to again */
};

/* A kernel with linear registers (core/sm7_phases.c). */
struct sl_sm7_phases {
  uint8_t of[SL_SM7_MAX_WARPS];     /* enum sl_sm7_phase_of_kernel */
  uint64_t linear, held;            /* warps in a phase before the last; warps that wait for another warp's phase */
  uint32_t blocks;                  /* slots whose block part is complete */
  unsigned threads_left;            /* warps that have yet to compute the thread part */
  bool coefficients;                /* are computed */
  bool open;                        /* with r2d2.global_wait: all SMs have the linear registers of their first blocks */
  uint64_t asked;                   /* with r2d2.fetch: warps that look up the table of PCs, */
  uint64_t known[SL_SM7_MAX_WARPS]; /* and the cycle from which the answer is available */
};

/* Cycles in which a scheduler's slot was charged to a warp that waits for a load. */
struct sl_sm7_quantum {
  uint64_t from, to;
  uint32_t next; /* next of the same warp, or next free; UINT32_MAX: none */
};

/* Attribution of slots that wait for loads (core/sm7_waits.c). */
struct sl_sm7_waits {
  struct sl_sm7_quantum *span;
  uint32_t room, fresh, free;          /* entries: total; first never used; first free */
  uint32_t first[SL_SM7_MAX_WARPS];    /* of each warp */
  uint64_t warps;                      /* that have some, or have one open */
  uint8_t open[SL_SM7_MAX_SCHEDULERS]; /* the waiting warp that a scheduler's slots are charged to; SL_SM7_NONE: none */
  uint64_t since[SL_SM7_MAX_SCHEDULERS]; /* and the first of these cycles */
};

/* The SM's connections to the rest of the GPU. */
struct sl_sm7_wiring {
  const struct sl_sm7_spec *spec;
  const struct sl_sm7_front *front;
  const struct sl_sm7_operands *operands; /* of the code, with registers.model=volta */
  struct sl_sm7_crossbar *requests;
  unsigned part;                /* its partition: partitions are simulated in parallel by host threads */
  struct sl_sm7_ring *ejection; /* of its cluster, for perfect memory */
};

struct sl_sm7_counts {
  uint64_t warp_instructions, thread_instructions, cycles, blocks;
  uint64_t cause[SL_SM7_STALL_REASONS];
  uint64_t shared_cycles, shared_instructions, sectors;
  uint64_t of_phase[SL_SM7_PHASE_REST], lanes_of_phase[SL_SM7_PHASE_REST]; /* warp and thread instructions */
  uint64_t linear_cycles;                                                  /* with a warp in one of these */
  uint64_t lanes[SL_SM7_CLASSES];                                          /* thread instructions */
  uint64_t words_read, words_written, narrow_reads;                        /* per instruction */
  uint64_t sums;                                                           /* warp instructions that sum operands */
  uint64_t passed, passed_lanes;                                           /* eliminated instructions */
  uint64_t strayed;                                                        /* warps that left the predicted path */
  uint64_t fetches, memory_instructions, constant_passes, others;          /* others: operands that are no registers */
  uint64_t scalar;                                                         /* warp instructions executed by one lane */
};

struct sl_sm7_sm {
  struct sl_sm7_wiring wire;
  unsigned id, cluster, sms, own_banks; /* own_banks: of a scheduler */
  uint8_t (*writer)[SL_SM7_REGISTERS];  /* unit that will write a pending register, by warp: enum sl_sm7_unit */
  /* sets of warps; on_load: those in hazard whose register comes from memory */
  uint64_t present, live, buffered, hazard, on_load, barrier, atomic, fence, fence_passed, fence_done, finished;
  uint64_t of_scheduler[SL_SM7_MAX_SCHEDULERS];
  struct sl_sm7_warp warp[SL_SM7_MAX_WARPS];
  uint64_t next_age, next_order;
  /* blocks */
  struct sl_sm7_block block[SL_SM7_MAX_BLOCKS];
  struct sl_sm7_phases phases;
  bool special; /* the front end has phases, eliminates instructions, or reports scalar instructions */
  uint32_t used_slots;
  unsigned blocks, limit, warps_per_block;
  uint64_t given; /* the block to begin next; SL_SM7_NO_BLOCK: none */
  uint32_t padded_threads;
  /* schedulers */
  /* Warps whose next instruction waits for room before a unit only: by unit, and of all units. Derived. */
  uint64_t ready_for[SL_SM7_UNITS], ready;
  uint64_t prefetched;                 /* warps whose next registers have been prefetched; derived */
  uint8_t last[SL_SM7_MAX_SCHEDULERS]; /* SL_SM7_NONE: none has issued */
  uint8_t by_age[SL_SM7_MAX_WARPS];
  struct sl_sm7_levels levels[SL_SM7_MAX_SCHEDULERS];
  uint8_t aged;
  unsigned first_scheduler;
  uint8_t cause[SL_SM7_MAX_SCHEDULERS];      /* of this cycle */
  uint8_t cause_warp[SL_SM7_MAX_SCHEDULERS]; /* the warp that waits for a load; SL_SM7_NONE: another stall reason */
  struct sl_sm7_waits waits;
  /* fetch */
  uint8_t fetched, last_fetched;         /* SL_SM7_NONE: the buffer between fetch and decode is empty */
  uint64_t missing;                      /* warps whose fetch waits for memory */
  struct sl_sm7_line_cache instructions; /* with `icache` */
  /* ops, and the registers before collectors and units */
  struct sl_sm7_op op[SL_SM7_OPS];
  uint8_t free_op[SL_SM7_OPS], free_ops; /* a stack */
  struct sl_sm7_access_list *list;
  uint64_t free_lists;
  uint8_t issue_reg[SL_SM7_UNITS][SL_SM7_MAX_SCHEDULERS], execute_reg[SL_SM7_UNITS][SL_SM7_MAX_SCHEDULERS];
  uint8_t issue_full[SL_SM7_UNITS], execute_full[SL_SM7_UNITS]; /* a bit per scheduler */
  /* collectors */
  uint8_t collector[SL_SM7_COLLECTORS], dispatcher[SL_SM7_COLLECTORS];
  uint64_t collecting, collected; /* collectors in use, and those that have all operands */
  uint8_t summing[SL_SM7_SUMS];   /* ops after the collectors whose operands are being summed, in order of `ready` */
  uint8_t sums;
  struct {
    uint8_t collector[SL_SM7_BANK_QUEUE];
    uint8_t head, count;
  } bank[SL_SM7_BANKS];
  struct sl_sm7_register_file file[SL_SM7_MAX_SCHEDULERS];
  uint8_t refused[SL_SM7_RESERVED]; /* schedulers that may not issue to the unit */
  uint64_t queued, written;         /* banks with reads to do, banks written in this cycle */
  uint64_t wide, written_again;     /* banks of 64 bits, and those of them that were written twice in this cycle */
  /* units */
  struct sl_sm7_unit_state unit[SL_SM7_MEM][SL_SM7_MAX_SCHEDULERS];
  struct {
    uint16_t first, last;
    uint16_t count;
  } completing[SL_SM7_HORIZON];
  uint64_t completing_at[SL_SM7_HORIZON / 64]; /* cycles with a non-empty list */
  struct sl_sm7_completion *completion;
  uint16_t free_completion, fresh_completion; /* first free of the used ones; first never used */
  unsigned executing;
  /* load/store unit */
  uint8_t dispatch;      /* op; SL_SM7_NONE: none */
  uint64_t accepts_from; /* the cycle in which the next one may take its place */
  uint8_t indexed;       /* with constant.unit: the load from constant memory in that unit */
  uint64_t indexes_from;
  struct sl_sm7_cache l1;
  struct sl_sm7_line_cache constants; /* with `ccache` */
  struct sl_sm7_texture_cache textures;
  struct sl_sm7_ring pipe[SL_SM7_L1_BANKS], response;
  uint32_t piped;                     /* banks whose pipe is not empty */
  uint64_t piped_at[SL_SM7_L1_BANKS]; /* cycle of the last entry */
  uint64_t blocked[SL_SM7_L1_BANKS];  /* the first one, as L1 tells; 0: it was not blocked. Derived */
  struct {
    struct sl_sm7_result result[SL_SM7_SHARED_ROOM];
    uint32_t head, count;
  } shared;
  struct sl_sm7_result write_back, uncached; /* code NULL: empty */
  bool shared_write_back;
  unsigned write_back_turn;
  struct sl_sm7_load *loads;
  uint32_t loads_room, free_load;
  bool failed, out_of_memory;
  uint8_t late; /* enum sl_sm7_late: accesses deferred in this cycle */

  struct sl_sm7_counts counts;
  uint64_t slept_from; /* first cycle not accounted for */

  struct sl_sm7_events *events; /* its events (core/sm7_events.h); NULL: no observer */
};

/* The current cycle. Valid while the SM executes its cycle. */
static inline uint64_t sl_sm7_this_cycle(const struct sl_sm7_sm *sm)
{
  return sm->slept_from - 1;
}

/* A no-op instruction that replaces those of a program that has ended. */
extern const struct sl_sm7_instruction sl_sm7_nothing;

enum sl_status sl_sm7_sm_init(struct sl_sm7_sm *sm, const struct sl_sm7_wiring *wire, unsigned id, unsigned sms,
                              struct sl_error *err);
void sl_sm7_sm_free(struct sl_sm7_sm *sm);

/* Ways of L1 that its storage provides. */
static inline uint32_t sl_sm7_l1_set(const struct sl_sm7_spec *spec, uint64_t address)
{
  return (uint32_t)(address / SL_SM7_LINE % spec->l1_sets);
}

static inline uint32_t sl_sm7_l1_ways(const struct sl_sm7_spec *spec)
{
  return (uint32_t)((uint64_t)spec->storage_bytes / SL_SM7_LINE / spec->l1_sets);
}

/* A kernel begins; the arguments give its occupancy. */
void sl_sm7_sm_launch(struct sl_sm7_sm *sm, unsigned limit, unsigned threads, uint32_t l1_ways);

/* The kernel has ended. Operations in flight drop their references to its program, which the caller may free. */
void sl_sm7_sm_end(struct sl_sm7_sm *sm);

/* Starts the block that was given to the SM; its warps have their first cycle in `cycle`. */
void sl_sm7_sm_start(struct sl_sm7_sm *sm, uint64_t cycle);

#define SL_SM7_ASLEEP UINT64_MAX

/* Simulates one cycle; `now` counts over launches; crowded: so many SMs are awake that prefetching pays
 * (sm7_prefetch.h). Returns the next cycle in which something can happen without an
 * answer from memory; SL_SM7_ASLEEP: none. Sets sm->failed if the front end reports a fault. */
uint64_t sl_sm7_sm_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now, bool crowded);

/* Checkpoints: sm7_sm_state.c. An SM is restored into a new SM; if a kernel is running, it must have been launched
 * there. Pointers to instructions are items of the kernel's code. */
const struct sl_schema *sl_sm7_counts_schema(void);
const struct sl_schema *sl_sm7_sm_schema(void);

/* Validates a restored SM for a kernel with the given number of blocks, blocks dispatched, and cycle. */
bool sl_sm7_sm_valid(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle);

/* Validates a restored SM between two kernels. */
bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm);

/* Operations that complete in the same cycle do so in the order in which they began. */
static inline void sl_sm7_append_completion(struct sl_sm7_sm *sm, uint16_t number, unsigned place)
{
  if (sm->completing[place].count++)
    sm->completion[sm->completing[place].last].next = number;
  else
    sm->completing[place].first = number;
  sm->completing[place].last = number;
  sm->completing_at[place / 64] |= UINT64_C(1) << place % 64;
  sm->executing++;
}

/* The path of an SM's packets to L2: its cluster's input of the crossbar, or, with perfect memory, directly to the
 * cluster's queue of answers. */

static inline void sl_sm7_send(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p)
{
  struct sl_sm7_packet sent = *p;
  const uint16_t cycle = (uint16_t)sl_sm7_this_cycle(sm);
  sent.trip = (struct sl_sm7_trip){cycle, cycle, cycle, cycle, cycle};
  if (sm->wire.spec->perfect_memory)
    sl_sm7_ring_push(sm->wire.ejection, &sent);
  else
    sl_sm7_crossbar_push(sm->wire.requests, sm->wire.part, sm->cluster, p->slice, &sent);
}

static inline bool sl_sm7_can_send(const struct sl_sm7_sm *sm)
{
  return sm->wire.spec->perfect_memory ? !sl_sm7_ring_full(sm->wire.ejection)
                                       : !sl_sm7_ring_full(&sm->wire.requests->in[sm->cluster]);
}

/* Sends the front of a line cache's miss queue; one packet per call. */
static inline void sl_sm7_send_miss(struct sl_sm7_sm *sm, struct sl_sm7_line_cache *c)
{
  const struct sl_sm7_packet *p = sl_sm7_line_cache_request(c);
  if (p == NULL || !sl_sm7_can_send(sm))
    return;
  sl_sm7_send(sm, p);
  sl_sm7_line_cache_sent(c);
}

#endif
