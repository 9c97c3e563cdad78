/* The controllers of a DRAM, one per channel, over any standard of mem/dram_standard.h.
 *
 * Timing: a request taken in cycle c is in its channel's queue and can have a command issued from the next DRAM cycle
 * on. A channel issues at most one command per DRAM cycle; a read is done the standard's read latency after its RD, a
 * write when its WR is issued (nobody is told). So with DRAM idle and a DRAM cycle per core cycle, a read taken in c
 * is done in c + 1 + read latency when its row is open, RCD later when no row is, and RP + RCD later when another is.
 *
 * In each DRAM cycle, a channel
 *   1. hands out the oldest read under way, if its data have come: one per cycle, in the order in which their RD was
 *      issued,
 *   2. chooses among the requests whose row it has opened for them,
 *   3. or else, when a refresh is due, does that,
 *   4. or else chooses from the read or the write queue. Writes are drained when there are no reads, and from
 *      drain_high queued writes on until drain_low are left,
 *   5. issues the command chosen, unless it would close a row that was opened for another request.
 * Choosing means: of the requests whose next command violates no constraint now, the one that came first
 * (SL_DRAM_READY_FIRST). Rows stay open. A read of an address with a queued write is answered from the queue, one cycle
 * after it was taken. Source: the public controller Generic with FRFCFS, OpenRowPolicy and AllBank of Ramulator 2,
 * which the Vortex simulators run on. Its queues of 32 hold 33 requests, and drain levels are 80 and 20 % of 32; it
 * never refreshes HBM2, since its refresh looks for ranks.
 *
 * Only occupancy is kept, no data. The state has no pointers: a copy of the struct is a copy of the DRAM. */
#ifndef SL_MEM_DRAM_CONTROLLER_H
#define SL_MEM_DRAM_CONTROLLER_H

#include "mem/dram_standard.h"

enum sl_dram_order {
  SL_DRAM_READY_FIRST, /* the oldest whose next command can be issued */
  SL_DRAM_HIT_FIRST,   /* likewise, but those with their row open before all others */
  SL_DRAM_OLDEST_FIRST /* in the order of arrival */
};

enum {
  SL_DRAM_MAX_QUEUE = 64,
  SL_DRAM_MAX_READS = 256, /* inside a channel; a read beyond them is not taken */
  SL_DRAM_MAX_DONE = 64,
  SL_DRAM_MAX_NODES = 1 + 3 * SL_DRAM_MAX_BANKS
};

struct sl_dram_spec {
  const struct sl_dram_standard *standard;
  unsigned unit_bytes;              /* of the address mapping */
  unsigned read_queue, write_queue; /* entries per channel */
  unsigned drain_high, drain_low;
  enum sl_dram_order order;
  bool forward; /* reads to queued writes */
  bool refresh;
  unsigned clock_numerator, clock_denominator; /* DRAM cycles per core cycle */
};

/* What the reference runs, but for the standard: its queues and drain levels, READY_FIRST, no refresh, clock 1. */
struct sl_dram_spec sl_dram_default_spec(const struct sl_dram_standard *standard);

enum sl_status sl_dram_spec_check(const struct sl_dram_spec *spec, struct sl_error *err);

struct sl_dram_request {
  uint64_t address;
  uint64_t tag;
  uint64_t arrived; /* DRAM cycle */
  uint32_t row;
  uint8_t bank; /* of the channel */
  bool write;
  bool counted; /* as row hit, miss or conflict */
};

/* Requests by arrival: order[0] is the place of the oldest. */
struct sl_dram_queue {
  unsigned count;
  uint64_t used;
  uint8_t order[SL_DRAM_MAX_QUEUE];
  struct sl_dram_request request[SL_DRAM_MAX_QUEUE];
};

struct sl_dram_read {
  uint64_t tag;
  uint64_t ready; /* DRAM cycle in a channel, core cycle when done */
};

/* The latest command of a channel, for whoever watches. */
struct sl_dram_issue {
  uint64_t tick; /* UINT64_MAX before the first */
  enum sl_dram_command command;
  unsigned bank; /* 0 when the command goes to all banks */
  uint32_t row;
};

struct sl_dram_statistics {
  uint64_t reads, writes, forwarded; /* requests taken; forwarded ones are among the reads */
  uint64_t row_hits, row_misses, row_conflicts;
  uint64_t refreshes;
  uint64_t busy; /* DRAM cycles with a request, summed over channels */
};

struct sl_dram_channel {
  uint64_t next;         /* DRAM cycle before which nothing can happen */
  uint64_t next_command; /* likewise, no command can be issued */

  uint64_t open; /* set of banks */
  uint32_t row[SL_DRAM_MAX_BANKS];
  uint64_t ready[SL_DRAM_MAX_NODES][SL_DRAM_COMMANDS];     /* first cycle in which the constraints allow a command */
  uint64_t history[SL_DRAM_MAX_NODES][SL_DRAM_MAX_WINDOW]; /* of ACT, latest first */

  struct sl_dram_queue activated, reads, writes;
  bool draining;

  unsigned first, under_way; /* reads whose RD has been issued, in a ring */
  struct sl_dram_read read[SL_DRAM_MAX_READS];

  uint64_t refresh_due;
  unsigned refreshes_owed;

  bool busy;
  uint64_t busy_since;

  struct sl_dram_issue latest;
};

/* The spec and its standard as the cycles need them. */
struct sl_dram_plan {
  struct sl_dram_mapping mapping;
  unsigned channels, banks;
  uint8_t node[SL_DRAM_MAX_BANKS][SL_DRAM_LEVELS]; /* of a bank, and of what it belongs to */
  unsigned windowed;                               /* set of levels at which a constraint has a window */
  unsigned first_constraint[SL_DRAM_COMMANDS + 1];
  struct sl_dram_constraint constraint[SL_DRAM_MAX_CONSTRAINTS]; /* by previous command */
  unsigned read_latency, refresh_interval;
  unsigned read_queue, write_queue, drain_high, drain_low;
  enum sl_dram_order order;
  bool forward, refresh;
  unsigned clock_numerator, clock_denominator;
};

struct sl_dram_controller {
  struct sl_dram_plan plan;
  uint64_t next;    /* least of the channels' */
  uint64_t working; /* set of channels that have a next */
  unsigned first_done, done_count;
  struct sl_dram_read done[SL_DRAM_MAX_DONE]; /* FIFO */
  struct sl_dram_statistics statistics;
  struct sl_dram_channel channel[SL_DRAM_MAX_CHANNELS];
};

/* The spec has passed its check. */
void sl_dram_controller_init(struct sl_dram_controller *d, const struct sl_dram_spec *spec);

/* Addresses are those of lines; cycle is the current one, or the previous one before sl_dram_controller_cycle. */
bool sl_dram_can_take(const struct sl_dram_controller *d, uint64_t address, bool write);

/* False when the channel's queue is full. The tag comes back with a read. */
bool sl_dram_take(struct sl_dram_controller *d, uint64_t cycle, uint64_t address, bool write, uint64_t tag);

/* All that happens up to this core cycle. Must be called in each cycle that sl_dram_controller_next names. */
void sl_dram_controller_run(struct sl_dram_controller *d, uint64_t cycle);

static inline uint64_t sl_dram_tick(const struct sl_dram_plan *plan, uint64_t cycle)
{
  return plan->clock_numerator == plan->clock_denominator ? cycle
                                                          : cycle * plan->clock_numerator / plan->clock_denominator;
}

static inline void sl_dram_controller_cycle(struct sl_dram_controller *d, uint64_t cycle)
{
  if (d->working != 0 && d->next <= sl_dram_tick(&d->plan, cycle))
    sl_dram_controller_run(d, cycle);
}

/* Takes out a read that is done. */
static inline bool sl_dram_take_done(struct sl_dram_controller *d, struct sl_dram_read *read)
{
  if (d->done_count == 0)
    return false;
  *read = d->done[d->first_done];
  d->first_done = (d->first_done + 1) % SL_DRAM_MAX_DONE;
  d->done_count--;
  return true;
}

/* The first cycle from `cycle` on in which anything can happen; UINT64_MAX when nothing will. */
uint64_t sl_dram_controller_next(const struct sl_dram_controller *d, uint64_t cycle);

struct sl_dram_statistics sl_dram_statistics(const struct sl_dram_controller *d, uint64_t cycle);

#endif
