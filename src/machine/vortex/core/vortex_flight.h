/* State of a Vortex core within a cycle: the instructions in flight and the queues between stages.
 *
 * An instruction passes schedule, fetch, decode, instruction buffer, issue, operand collection, dispatch, unit and
 * commit. Every stage is a queue with a capacity and a delay. The published RTL and the authors' simulator are
 * therefore the same pipeline with different numbers. vortex_keys.c gives the cycles. Each instruction executes
 * functionally once, when it is scheduled or issued (execute_at_schedule), through func/ipdom_execute.h.
 *
 * Source: Vortex' published RTL and simulator, commit b5f541b8. */
#ifndef SL_MACHINE_VORTEX_FLIGHT_H
#define SL_MACHINE_VORTEX_FLIGHT_H

#include "func/ipdom_execute.h"
#include "isa/probe.h"
#include "machine/machine.h"
#include "machine/vortex/core/vortex_scoreboard.h"
#include "timing/memory/cache.h"

enum {
  SL_VORTEX_WHEEL = 128,
  SL_VORTEX_NARROW = 12, /* lanes that one level of local memory's crossbar connects */
  SL_VORTEX_NONE = UINT16_MAX
};

#define SL_NO_HOLDER UINT32_MAX

/* A function of the cycle loop. It is compiled twice: for plain cores, and for all cores. */
#define SL_VORTEX_STAGE static inline __attribute__((always_inline))

SL_HOLDS(SL_VORTEX_WHEEL, SL_VORTEX_START + 1, "the first schedule");
SL_HOLDS(SL_VORTEX_WHEEL, 2 * SL_VORTEX_DELAY + 2, "any two delays, from this cycle or the next");
SL_HOLDS(SL_VORTEX_SLICES_MAX, SL_MAX_WARPS / 8, "slices of 8 warps, unless a key says otherwise");
SL_HOLDS(SL_VORTEX_BANKS_MAX, SL_MAX_LANES, "a bank of local memory per lane, unless a key says otherwise");
SL_HOLDS(UINT8_MAX, SL_MAX_LANES, "an answer per lane (struct sl_vortex_op)");

/* An instruction in flight. The fields that the pipeline uses are in the first cache line. */
struct sl_vortex_op {
  _Alignas(SL_CACHE_LINE) struct sl_vortex_facts facts; /* after extensions have replaced their part */
  sl_lanes mask;
  uint64_t decoded;    /* first cycle in which it can issue */
  uint32_t pc, number; /* index of its word in the code */
  uint16_t next;       /* next in its list */
  uint8_t warp, slice;
  uint8_t place;   /* in the ring before the instruction cache */
  uint8_t threads; /* lanes in the mask */
  uint8_t effect;  /* enum sl_ipdom_effect */
  uint8_t holds;   /* users of the record: the pipeline, and the LSU for a store; 0: it is free */
  bool executed;
  /* Memory accesses. */
  sl_lanes unsent; /* lanes that the coalescer has not sent */
  sl_lanes local, io;
  uint64_t local_last; /* cycle of local memory's last answer; 0: none */
  uint8_t answers;     /* responses outstanding; 0 outside the LSU */
  uint16_t queued;     /* cycles that it has waited for the LSU; for observers */
  /* Warp control. */
  uint32_t barrier, count, target;
  uint64_t id; /* for observers; 0 without one */
};

/* A bounded queue of instructions. Each entry is usable from its `ready` cycle on. */
struct sl_vortex_entry {
  uint64_t ready;
  uint16_t op;
  bool last; /* of a result: the instruction is complete */
};

struct sl_vortex_queue {
  uint32_t base; /* index of its first entry in the core's entries */
  uint32_t mask; /* size - 1 */
  uint32_t first, count;
};

static inline void sl_vortex_pop(struct sl_vortex_queue *q)
{
  q->first = (q->first + 1) & q->mask;
  q->count--;
}

/* Capacity 0: no limit. */
static inline bool sl_vortex_room(const struct sl_vortex_queue *q, uint32_t capacity)
{
  return capacity == 0 || q->count < capacity;
}

/* A slice's instructions from issue to the units' queues, in a ring, with the cycles in which the latest ones left each
 * step (vortex_operands.h). The numbers count from the start of the run and wrap from the maximum to 0. */
enum { SL_VORTEX_OPERAND_RING = 256, SL_VORTEX_DISPATCH_RING = 64 };

struct sl_vortex_operands {
  uint32_t issued, collected, dispatched; /* instructions whose cycle of this event is known */
  uint32_t sent[SL_UNIT_COUNT], taken[SL_UNIT_COUNT];
  uint64_t collector_free, dispatch_free, alu_free; /* first cycles in which each can accept another */
  uint16_t op[SL_VORTEX_OPERAND_RING];
  uint64_t collected_at[SL_VORTEX_OPERAND_RING]; /* until it is known: the earliest possible cycle */
  uint64_t dispatched_at[SL_VORTEX_OPERAND_RING];
  uint64_t taken_at[SL_UNIT_COUNT][SL_VORTEX_DISPATCH_RING];
};

/* Stall reason of a core's cycle. */
enum sl_vortex_stall_reason {
#define CAUSE(id, name, kind, meaning) SL_VORTEX_##id,
#include "machine/vortex/vortex_stall_reasons.def"
#undef CAUSE
  SL_VORTEX_STALL_REASONS
};

struct sl_vortex_counts {
  uint64_t cause[SL_VORTEX_STALL_REASONS];
  uint64_t instructions, thread_instructions;       /* executed */
  uint64_t committed;                               /* thread instructions */
  uint64_t loads, stores, ifetches;                 /* thread loads and stores */
  uint64_t load_lines, store_lines, lines_answered; /* lines_answered: of loads */
  uint64_t local_passes, local_writes;              /* thread accesses */
  uint64_t local_stalls;                            /* cycles of bank accesses beyond one per instruction */
  uint64_t scheduled, loaded;                       /* instructions; threads whose load was answered */
  uint64_t by_warp[SL_MAX_WARPS];                   /* scheduled instructions */
  uint64_t conflicts;                               /* cycles of operand collection that bank conflicts add */
  uint64_t schedule_idle, ibuffer_stalls, scoreboard_stalls, operand_stalls;
  uint64_t stalls_alu, stalls_fpu, stalls_lsu, stalls_sfu, stalls_csr, stalls_control;
  uint64_t fetch_latency, load_latency; /* sum of the end cycles minus sum of the start cycles */
};

/* A line request from the LSU to the data cache. */
struct sl_vortex_line_request {
  uint64_t ready;
  uint32_t line;
  uint32_t tag;
  bool write, io, flush;
};

/* Ring sizes: lines that wait for the cache, extensions' reads in the cache, and lines that return. The last ring holds
 * what the ports can return in the longest latency. */
enum { SL_VORTEX_LINES = 128, SL_VORTEX_PORT_LINES = 256, SL_VORTEX_PORT_RETURNS = 1024 };

SL_HOLDS(SL_VORTEX_LINES, SL_MAX_LANES, "a line per channel, of which there are no more than lanes");
SL_HOLDS(SL_VORTEX_PORT_RETURNS, SL_VORTEX_PORT_LINES + (SL_VORTEX_PORTS_MAX + 1) * SL_VORTEX_DELAY,
         "all that the cache answers at once, and a line per port and of local memory in each cycle of the latency");

struct sl_vortex_lsu {
  struct sl_vortex_queue requests, split;
  unsigned loads;     /* slots in use */
  uint64_t free_at;   /* cycle from which the last freed slot can be reused */
  unsigned freed;     /* slots that become free then */
  bool fence;         /* a fence is in progress */
  uint64_t send_from; /* next cycle in which the coalescer sends */
  unsigned tags;      /* load requests outstanding */
  struct sl_vortex_line_request line[SL_VORTEX_LINES];
  unsigned line_first, line_count;
  struct sl_vortex_queue returned; /* lines in transit from the cache */
  struct sl_vortex_queue local;    /* responses of local memory */
  uint64_t bank_free[SL_VORTEX_BANKS_MAX];
  uint32_t bank_written[SL_VORTEX_BANKS_MAX]; /* word last written */
  uint64_t lane_served[SL_MAX_LANES][2];      /* cycles of the lane's last two requests */
};

struct sl_vortex_pipeline;

/* An extension's line request that was granted a port of the data cache or of local memory. */
struct sl_vortex_port_line {
  bool waits; /* for its bank */
  bool write;
  uint32_t line, tag;
  uint8_t extension; /* the extension that asked */
};

struct sl_vortex_port_return {
  uint64_t cycle;
  uint32_t tag;
  uint8_t extension;
};

struct sl_vortex_ports {
  struct sl_vortex_port_line port[SL_VORTEX_PORTS_MAX];
  struct sl_vortex_port_line read[SL_VORTEX_PORT_LINES]; /* reads in the cache, by number */
  uint64_t free[SL_VORTEX_PORT_LINES / 64];
  struct sl_vortex_port_return back[SL_VORTEX_PORT_RETURNS];
  unsigned first, count;
};

/* Stages of a core. A stage is evaluated in the cycles in which something may happen in it. Evaluating an idle stage
 * has no effect, so evaluating all of them is always correct. Each stage requests its next evaluation. */
enum {
  SL_STAGE_ISSUE = 1,
  SL_STAGE_LSU = 2,
  SL_STAGE_UNITS = 4,
  SL_STAGE_COMMIT = 8,
  SL_STAGE_SCHEDULE = 16,
  SL_STAGE_CLEAR = 32,
  SL_STAGE_SHOW = 64,
  SL_STAGE_COALESCE = 128,
  SL_STAGE_LINES = 256, /* from the LSU to the data cache */
  /* For a core with private caches. */
  SL_STAGE_FETCH = 512,   /* instruction cache and the buffers before it */
  SL_STAGE_DATA = 1024,   /* data cache */
  SL_STAGE_RETURN = 2048, /* lines from memory */
  SL_STAGES = 4095,
  SL_STAGES_IN_VAIN = SL_STAGES & ~SL_STAGE_CLEAR /* all but the stage that completes register writes */
};

/* Events of one future cycle: warps that become schedulable, warps that get an instruction to issue, lists of
 * instructions whose results arrive and whose registers are written, and stages to evaluate. */
struct sl_vortex_due {
  _Alignas(32) sl_warps wake;
  sl_warps show;
  uint16_t done, clear;
  uint16_t stages;
};

/* Instructions between schedule and the instruction cache, in a ring: first the cache requests, then the scheduler's
 * buffer. A warp has at most one. The numbers count from the start of the run and wrap from the maximum to 0. For the
 * latest instruction of each entry the ring records when its places became free and when it was decoded. */
struct sl_vortex_front {
  uint32_t first, moved, end; /* numbers of the oldest, of the oldest in the buffer, and of the next to be scheduled */
  uint16_t op[SL_MAX_WARPS];
  uint64_t ready[SL_MAX_WARPS];        /* first cycle in which it can advance */
  uint64_t buffer_free[SL_MAX_WARPS];  /* first cycle in which its buffer place is free, */
  uint64_t request_free[SL_MAX_WARPS]; /* and its place before the cache */
  uint64_t decoded[SL_MAX_WARPS];      /* one cycle after decode, if known in advance */
};

/* Decoded instructions of each warp, in rings. */
struct sl_vortex_buffers {
  uint8_t first[SL_MAX_WARPS], count[SL_MAX_WARPS];
  uint16_t op[SL_MAX_WARPS][SL_VORTEX_IBUFFER];
};

/* Events of the unit that selects the lanes of a warp (vortex_regroup.c). */
enum sl_vortex_event {
  SL_VORTEX_BRANCHES,
  SL_VORTEX_CONTROLS,
  SL_VORTEX_STARTS,
  SL_VORTEX_EVENTS,
  SL_VORTEX_NO_EVENT = SL_VORTEX_EVENTS
};

struct sl_vortex_regroup {
  uint8_t awaits[SL_MAX_WARPS]; /* event that the warp's fetch waits for */
  uint8_t first[SL_VORTEX_EVENTS], count[SL_VORTEX_EVENTS], queue[SL_VORTEX_EVENTS][SL_MAX_WARPS];
  uint8_t last; /* class of the last event that was served */
};

/* Stall accounting of an observed core: the instruction that each cycle is charged to. Instructions are identified by
 * number. */
struct sl_vortex_account {
  uint32_t issued, latest;                            /* first issued in this cycle, last scheduled, */
  uint32_t scheduled[SL_MAX_WARPS];                   /* and last scheduled of each warp */
  uint64_t ids, scheduled_id[SL_MAX_WARPS];           /* instructions that have an id; the id of `scheduled` */
  uint32_t writer[SL_MAX_WARPS][SL_VORTEX_REGISTERS]; /* writers of pending registers */
  uint32_t fence;                                     /* the last fence */
  uint32_t load[SL_VORTEX_LOADS_MAX];                 /* outstanding loads, oldest first, */
  uint32_t loads, answered;                           /* their count, and the last one answered */
  uint32_t holder;                                    /* in this cycle, of the LSU; SL_NO_HOLDER: none */
};

/* Cycles in which a warp is not scheduled because its lanes change, or because it backs off (vortex_watchdog.c). */
struct sl_vortex_absence {
  sl_warps back_off; /* from when they can be scheduled again */
  sl_warps waits;    /* woken before the end */
  uint64_t from[SL_MAX_WARPS], to[SL_MAX_WARPS];
};

/* Checkpointed state of a pipeline, together with the instructions in flight, their addresses and the queue entries.
 * Plain data without pointers. */
struct sl_vortex_pipeline_state {
  uint64_t cycle;
  /* Warps. */
  sl_warps stalled;                          /* cannot be scheduled */
  sl_warps visible;                          /* with a decoded instruction that could issue */
  sl_warps hindered;                         /* of these, those known to wait for a register, */
  sl_warps starved;                          /* and those that wait for an extension */
  struct sl_vortex_due due[SL_VORTEX_WHEEL]; /* by cycle */
  struct sl_vortex_scoreboard scoreboard;
  uint32_t in_flight[SL_MAX_WARPS];
  uint64_t committed[SL_MAX_WARPS]; /* cycle of the last commit */
  uint32_t total_in_flight;
  struct sl_vortex_buffers ibuffer;
  /* Stages. */
  struct sl_vortex_front front;
  struct sl_vortex_regroup regroup;
  struct sl_vortex_absence absence;
  struct sl_vortex_queue collect[SL_VORTEX_SLICES_MAX];
  struct sl_vortex_queue collected[SL_VORTEX_SLICES_MAX];
  uint64_t collector_free[SL_VORTEX_SLICES_MAX];
  sl_warps snapshot[SL_VORTEX_SLICES_MAX];
  struct sl_vortex_queue dispatch[SL_VORTEX_SLICES_MAX][SL_UNIT_COUNT];
  struct sl_vortex_queue input[SL_VORTEX_SLICES_MAX][SL_UNIT_COUNT];
  unsigned slice[SL_UNIT_COUNT];
  struct sl_vortex_queue result[SL_VORTEX_SLICES_MAX][SL_UNIT_COUNT];
  struct sl_vortex_queue stored[SL_VORTEX_SLICES_MAX]; /* stores, which complete at once */
  unsigned last_winner[SL_VORTEX_SLICES_MAX];
  uint32_t results[SL_VORTEX_SLICES_MAX]; /* results that wait in a slice, without those of loads */
  uint32_t waiting;                       /* their sum */
  unsigned fpu_tags[SL_VORTEX_SLICES_MAX];
  struct sl_vortex_lsu lsu;
  struct sl_vortex_ports ports;
  uint64_t spawn_from; /* first cycle in which a WSPAWN may happen */
  bool issued;
  uint64_t end_cycle; /* set once all warps have ended */
  bool faulted;
  struct sl_vortex_counts counts;
  uint16_t free_op; /* first of the free records */
  struct sl_vortex_account account;
};

/* Cached facts that hold until the next event. They can be recomputed and are not checkpointed. */
struct sl_vortex_known {
  sl_warps awaits;                   /* visible warps whose next instruction has a pending register: */
  sl_warps load, fpu;                /* one from memory, or from the FPU */
  enum sl_vortex_stall_reason cause; /* stall reason of a cycle without issue evaluation, */
  bool scoreboard;                   /* and whether a warp waits for a register in it */
  uint16_t again;                    /* stages to evaluate in the next cycle */
};

struct sl_vortex_pipeline {
  _Alignas(2 * SL_CACHE_LINE) const struct sl_vortex_spec *spec; /* avoids false sharing between host threads */
  unsigned number;
  bool extends, asks;     /* has extensions; some of them request lines from the data cache */
  bool regroups, watches; /* vortex_regroup.c, vortex_watchdog.c */
  /* Takes warps out of the woken ones that go on later (the same files). NULL: none. */
  sl_warps (*selects)(struct sl_vortex_pipeline *core, sl_warps woken);
  bool parks;             /* lanes of a warp can be parked */
  bool ahead, feeds;      /* vortex_operands.h */
  uint16_t polled;        /* stages evaluated in every cycle */
  bool plain;             /* no stage is polled, and fetch runs ahead (vortex_frontend.h), */
  unsigned fetch_horizon; /* by this many cycles */
  bool watched;           /* vortex_accounting.c */
  bool tells_queues;      /* an observer wants each cycle in which an access waits for the LSU */
  /* Reports a warp of this core to observers; the callee fills in the rest of the probe. NULL: no observer. */
  void (*tell)(const void *observer, unsigned core, const struct sl_probe *probe);
  const void *observer;
  /* Where the usual events are written as records (isa/probe.h), in the GPU's launch; NULL: they are told. */
  struct sl_probes *recorder;
  const unsigned *launches;
  /* Reports that the span of the core's kernel has changed. NULL: no immediate report is needed. */
  void (*kernels_changed)(void *gpu);
  void *gpu;
  sl_warps held;                       /* cannot be scheduled either: vortex_gpu.h */
  const struct sl_vortex_facts *facts; /* of each instruction of the code */
  struct sl_ipdom_warps *warps;
  /* Derived from the configuration. */
  unsigned slices, slice_warps;
  sl_warps slice_set[SL_VORTEX_SLICES_MAX];
  unsigned channels, channel_width, coalescer_line, coalescer_tags, lsu_loads;
  sl_lanes channel_lanes;
  unsigned lmem_banks, lmem_latency;
  bool lmem_wide;
  /* Arrays. */
  struct sl_vortex_op *op;             /* instructions in flight */
  struct sl_extended *extended;        /* the extensions' data of each */
  uint32_t *address;                   /* a word per lane of each */
  struct sl_vortex_operands *operands; /* of each slice */
  uint32_t op_count;
  struct sl_vortex_entry *entries; /* of all queues */
  size_t entry_count;
  struct sl_vortex_known known;
  struct sl_vortex_pipeline_state s;
};

/* The oldest entry of a non-empty queue, and the entry a given number of places after it, which may be the next free
 * one. */
static inline struct sl_vortex_entry *sl_vortex_first(const struct sl_vortex_pipeline *core,
                                                      const struct sl_vortex_queue *q)
{
  return &core->entries[q->base + q->first];
}

static inline struct sl_vortex_entry *sl_vortex_entry(const struct sl_vortex_pipeline *core,
                                                      const struct sl_vortex_queue *q, uint32_t i)
{
  return &core->entries[q->base + ((q->first + i) & q->mask)];
}

/* The oldest entry, if it is ready. */
static inline struct sl_vortex_entry *sl_vortex_head(const struct sl_vortex_pipeline *core,
                                                     const struct sl_vortex_queue *q, uint64_t cycle)
{
  if (q->count == 0)
    return NULL;
  struct sl_vortex_entry *e = sl_vortex_first(core, q);
  return e->ready <= cycle ? e : NULL;
}

static inline void sl_vortex_push(const struct sl_vortex_pipeline *core, struct sl_vortex_queue *q, uint16_t op,
                                  uint64_t ready, bool last)
{
  *sl_vortex_entry(core, q, q->count++) = (struct sl_vortex_entry){ready, op, last};
}

/* The instruction as the program has it. */
static inline const struct sl_insn *sl_vortex_insn(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  return &core->warps->code->insn[op->number];
}

/* The events of a cycle within the wheel's range. */
static inline struct sl_vortex_due *sl_vortex_due(struct sl_vortex_pipeline *core, uint64_t cycle)
{
  return &core->s.due[cycle % SL_VORTEX_WHEEL];
}

/* Requests evaluation of stages in a cycle, or in the next one if that cycle has passed. */
static inline void sl_vortex_look_at(struct sl_vortex_pipeline *core, unsigned stages, uint64_t cycle)
{
  const uint64_t most = core->s.cycle + SL_VORTEX_WHEEL - 1; /* the request is renewed from there */
  if (cycle <= core->s.cycle)
    core->known.again |= (uint16_t)stages;
  sl_vortex_due(core, cycle < most ? cycle : most)->stages |= (uint16_t)stages;
}

/* Requests evaluation when the oldest entry of a queue becomes ready. */
static inline void sl_vortex_look_at_head(struct sl_vortex_pipeline *core, unsigned stages,
                                          const struct sl_vortex_queue *q)
{
  if (q->count > 0)
    sl_vortex_look_at(core, stages, sl_vortex_first(core, q)->ready);
}

/* Whether an instruction requests the instruction cache by that cycle; the first one that does. */
static inline bool sl_vortex_fetches(const struct sl_vortex_front *front, uint64_t cycle)
{
  return front->first != front->moved && front->ready[front->first % SL_MAX_WARPS] <= cycle;
}

static inline uint16_t sl_vortex_to_fetch(const struct sl_vortex_front *front)
{
  return front->op[front->first % SL_MAX_WARPS];
}

/* Makes a warp's next instruction visible to issue, from that cycle on. */
static inline void sl_vortex_show(struct sl_vortex_pipeline *core, unsigned warp, uint64_t cycle)
{
  struct sl_vortex_due *due = sl_vortex_due(core, cycle);
  due->show |= sl_bit(warp);
  due->stages |= SL_STAGE_SHOW;
}

/* The oldest decoded instruction of a warp. */
static inline uint16_t sl_vortex_to_issue(const struct sl_vortex_pipeline *core, unsigned warp)
{
  return core->s.ibuffer.op[warp][core->s.ibuffer.first[warp]];
}

static inline sl_warps sl_vortex_with(sl_warps warps, unsigned warp, bool is)
{
  return (warps & ~sl_bit(warp)) | (sl_warps)is << warp;
}

/* Updates what the next instruction of a warp waits for. Called when the instruction becomes visible and when a
 * register of the warp is written. Undefined for warps that are not visible. */
static inline void sl_vortex_know(struct sl_vortex_pipeline *core, unsigned warp)
{
  const struct sl_vortex_scoreboard *s = &core->s.scoreboard;
  const struct sl_vortex_facts *facts = &core->op[sl_vortex_to_issue(core, warp)].facts;
  struct sl_vortex_known *known = &core->known;
  known->awaits = sl_vortex_with(known->awaits, warp, sl_scoreboard_awaits(s, SL_AWAITED, warp, facts));
  known->load = sl_vortex_with(known->load, warp, sl_scoreboard_awaits(s, SL_AWAITED_LOAD, warp, facts));
  known->fpu = sl_vortex_with(known->fpu, warp, sl_scoreboard_awaits(s, SL_AWAITED_FPU, warp, facts));
}

/* Allocates an instruction record; SL_VORTEX_NONE: all are in use. */
static inline uint16_t sl_vortex_take_op(struct sl_vortex_pipeline *core)
{
  const uint16_t op = core->s.free_op;
  if (op != SL_VORTEX_NONE)
    core->s.free_op = core->op[op].next;
  return op;
}

/* Drops one user of the record. */
static inline void sl_vortex_let_go(struct sl_vortex_pipeline *core, uint16_t op)
{
  if (--core->op[op].holds > 0)
    return;
  core->op[op].next = core->s.free_op;
  core->s.free_op = op;
}

/* Inserts into a queue in order of time. */
void sl_vortex_insert(const struct sl_vortex_pipeline *core, struct sl_vortex_queue *q, uint16_t op, uint64_t ready);

/* Sends the instruction's result to the commit arbiter in cycle `ready`; finish_at: the whole result. */
void sl_vortex_result(struct sl_vortex_pipeline *core, uint16_t op, uint64_t ready, bool last);

static inline void sl_vortex_finish_at(struct sl_vortex_pipeline *core, uint16_t op, uint64_t ready)
{
  struct sl_vortex_due *due = sl_vortex_due(core, ready);
  core->op[op].next = due->done;
  due->done = op;
  due->stages |= SL_STAGE_COMMIT;
}

/* Makes warps schedulable from that cycle on. */
static inline void sl_vortex_wake(struct sl_vortex_pipeline *core, sl_warps warps, uint64_t cycle)
{
  struct sl_vortex_due *due = sl_vortex_due(core, cycle);
  due->wake |= warps;
  due->stages |= SL_STAGE_SCHEDULE;
}

#endif
