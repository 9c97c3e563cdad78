/* DRAM controllers, one per channel, for any standard of timing/memory/dram_controller.h.
 *
 * Timing: a request taken in cycle c enters its channel's queue; its first command can issue from the next DRAM cycle
 * on. A channel issues at most one command per DRAM cycle. A read is done the standard's read latency after its RD. A
 * write is done when its WR issues, without notification. So with an idle DRAM and one DRAM cycle per core cycle, a
 * read taken in c is done in c + 1 + read latency if its row is open, RCD later if no row is open, and RP + RCD later
 * if another row is open.
 *
 * In each DRAM cycle, a channel
 *   1. delivers the oldest outstanding read if its data have arrived: one per cycle, in the order of their RDs,
 *   2. chooses among the requests for which it has opened a row,
 *   3. else performs a due refresh,
 *   4. else chooses from the read or the write queue. It drains writes while there are no reads, and from drain_high
 *      queued writes on until drain_low are left,
 *   5. issues the chosen command, unless it would close a row that was opened for another request.
 * Choosing selects the oldest request whose next command violates no constraint now (SL_DRAM_READY_FIRST). Rows stay
 * open. The write queue answers a read of an address that it contains, one cycle after the read was taken.
 *
 * Source: the public controller Generic with FRFCFS, OpenRowPolicy and AllBank of Ramulator 2, which the Vortex
 * simulators run on. Its queues of 32 hold 33 requests, and its drain levels are 80 and 20 % of 32. It never refreshes
 * HBM2, because its refresh searches for ranks.
 *
 * The model keeps only occupancy, no data. The state has no pointers: a copy of the struct is a copy of the DRAM. */
#ifndef SL_MEM_DRAM_CONTROLLER_H
#define SL_MEM_DRAM_CONTROLLER_H

#include "base/error.h"
#include "base/types.h"

/* ---- the standard (dram_standard.c) ------------------------------------------------------------------------------ */

/* A DRAM standard as data: the organisation of a device, its commands, and the minimum times between them.
 *
 * A device is a tree: channels, each of pseudo-channels (in DDR: ranks), bank groups and banks. A command goes to one
 * node of the tree, the command's scope. A constraint sets the minimum number of cycles between two commands to a node
 * or its descendants. With a window of n, the cycles count from the n-th latest command.
 * The controller obeys every constraint and contains no times itself.
 *
 * Times are cycles of the command clock under the names of the JEDEC standards (tRCD is the parameter RCD). A standard
 * lists each parameter with its value and source. Sources: JESD235A (HBM2), JESD79-4B (DDR4), and the public model
 * HBM2_2Gbps of Ramulator 2 (CMU-SAFARI/ramulator2), which the published Vortex simulators run on. */

enum sl_dram_level { SL_DRAM_CHANNEL, SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_BANK_GROUP, SL_DRAM_BANK, SL_DRAM_LEVELS };

enum sl_dram_command {
  SL_DRAM_ACT,  /* open a row */
  SL_DRAM_PRE,  /* close the row of a bank */
  SL_DRAM_PREA, /* close the rows of all banks */
  SL_DRAM_RD,
  SL_DRAM_WR,
  SL_DRAM_REFAB, /* refresh all banks */
  SL_DRAM_COMMANDS
};

/* The state of a bank relative to a request. */
enum sl_dram_state { SL_DRAM_CLOSED, SL_DRAM_OPEN_OTHER, SL_DRAM_OPEN_SAME, SL_DRAM_STATES };

/* Properties of a command: its scope, its effect on the banks there, and, for each state of the bank, the first command
 * that a request of this kind needs. A request is served when its own command issues. All standards with one row buffer
 * per bank share these properties. */
struct sl_dram_command_facts {
  const char *name;
  enum sl_dram_level scope;
  bool opens, closes;
  enum sl_dram_command first[SL_DRAM_STATES];
};

extern const struct sl_dram_command_facts sl_dram_commands[SL_DRAM_COMMANDS];

struct sl_dram_constraint {
  uint8_t level;    /* enum sl_dram_level: both commands address the same node of this level */
  uint8_t previous; /* enum sl_dram_command */
  uint8_t next;
  uint8_t window; /* cycles count from the window-th latest `previous`; 1: from the latest */
  uint16_t cycles;
};

struct sl_dram_parameter {
  const char *name; /* JEDEC's name without the t */
  unsigned value;
  const char *source;
};

enum {
  SL_DRAM_MAX_CHANNELS = 8,
  SL_DRAM_MAX_BANKS = 32, /* per channel */
  SL_DRAM_MAX_CONSTRAINTS = 64,
  SL_DRAM_MAX_WINDOW = 4
};

struct sl_dram_standard {
  const char *name;
  unsigned clock_ps;

  /* Number of each within one of the level above: pseudo-channels per channel, and so on. Columns: columns per row, of
   * `channel_width` bits each. `prefetch` columns are one addressing unit. */
  unsigned channels, pseudo_channels, bank_groups, banks;
  unsigned rows, columns, channel_width, prefetch;

  unsigned read_latency; /* from RD to the last data */
  unsigned refresh_interval;

  const struct sl_dram_constraint *constraint;
  unsigned constraints;
  const struct sl_dram_parameter *parameter;
  unsigned parameters;
};

extern const struct sl_dram_standard sl_dram_hbm2;
extern const struct sl_dram_standard sl_dram_ddr4;

enum { SL_DRAM_STANDARDS = 2 };
extern const struct sl_dram_standard *const sl_dram_standards[SL_DRAM_STANDARDS];

/* Checks that the controller supports the standard: sizes are powers of two within the limits above. */
enum sl_status sl_dram_standard_check(const struct sl_dram_standard *standard, struct sl_error *err);

/* The value of a parameter; 0 if the standard has none of that name. */
unsigned sl_dram_parameter(const struct sl_dram_standard *standard, const char *name);

/* Bytes of an addressing unit. */
static inline unsigned sl_dram_unit_bytes(const struct sl_dram_standard *standard)
{
  return standard->channel_width / 8 * standard->prefetch;
}

static inline unsigned sl_dram_channel_banks(const struct sl_dram_standard *standard)
{
  return standard->pseudo_channels * standard->bank_groups * standard->banks;
}

/* Peak bandwidth in bytes per DRAM cycle for line transfers: the burst of a line occupies a pseudo-channel's bus for BL
 * cycles, or for CCDS. Only channels to which the mapping sends lines count. */
double sl_dram_peak(const struct sl_dram_standard *standard, unsigned unit_bytes, unsigned line_bytes);

/* The bits of an address that select a node. */
struct sl_dram_field {
  uint8_t low, bits;
};

struct sl_dram_mapping {
  struct sl_dram_field level[SL_DRAM_LEVELS];
  struct sl_dram_field row;
};

/* The address mapping for a unit of unit_bytes. Fields from the lowest bit: byte in the unit, channel, column,
 * pseudo-channel, bank group, bank, row (row, bank, rank, column, channel from the top). With a unit larger than the
 * standard's, consecutive lines of that size go to different channels. With the standard's own unit of 16 bytes in
 * HBM2, lines of 64 bytes reach only channels 0 and 4, as in the published Vortex simulators. */
struct sl_dram_mapping sl_dram_mapping(const struct sl_dram_standard *standard, unsigned unit_bytes);

static inline unsigned sl_dram_field_of(struct sl_dram_field field, uint64_t address)
{
  return (unsigned)((address >> field.low) & sl_low_bits(field.bits));
}

enum sl_dram_order {
  SL_DRAM_READY_FIRST, /* the oldest request whose next command can issue */
  SL_DRAM_HIT_FIRST,   /* likewise, but requests to an open row go first */
  SL_DRAM_OLDEST_FIRST /* in the order of arrival */
};

enum {
  SL_DRAM_MAX_QUEUE = 64,
  SL_DRAM_MAX_READS = 256, /* inside a channel; the channel takes no further reads */
  SL_DRAM_MAX_DONE = 64,
  SL_DRAM_MAX_NODES = 1 + 3 * SL_DRAM_MAX_BANKS
};

struct sl_dram_spec {
  const struct sl_dram_standard *standard;
  unsigned unit_bytes;              /* unit of the address mapping */
  unsigned read_queue, write_queue; /* entries per channel */
  unsigned drain_high, drain_low;
  enum sl_dram_order order;
  bool forward; /* the write queue answers reads */
  bool refresh;
  unsigned clock_numerator, clock_denominator; /* DRAM cycles per core cycle */
};

/* The reference's configuration except for the standard: its queues and drain levels, READY_FIRST, no refresh, clock
 * 1. */
struct sl_dram_spec sl_dram_default_spec(const struct sl_dram_standard *standard);

enum sl_status sl_dram_spec_check(const struct sl_dram_spec *spec, struct sl_error *err);

struct sl_dram_request {
  uint64_t address;
  uint64_t tag;
  uint64_t arrived; /* DRAM cycle */
  uint32_t row;
  uint8_t bank; /* in the channel */
  bool write;
  bool counted; /* already counted as row hit, miss or conflict */
};

/* Requests by arrival: order[0] is the index of the oldest. */
struct sl_dram_queue {
  unsigned count;
  uint64_t used;
  uint8_t order[SL_DRAM_MAX_QUEUE];
  struct sl_dram_request request[SL_DRAM_MAX_QUEUE];
};

struct sl_dram_read {
  uint64_t tag;
  uint64_t ready; /* DRAM cycle inside a channel, core cycle in the list of done reads */
};

/* The latest command of a channel, for observers. */
struct sl_dram_issue {
  uint64_t tick; /* UINT64_MAX before the first */
  enum sl_dram_command command;
  unsigned bank; /* 0 if the command goes to all banks */
  uint32_t row;
};

struct sl_dram_statistics {
  uint64_t reads, writes, forwarded; /* accepted requests; reads include the forwarded ones */
  uint64_t row_hits, row_misses, row_conflicts;
  uint64_t refreshes;
  uint64_t busy; /* DRAM cycles with a request, summed over channels */
};

struct sl_dram_channel {
  uint64_t next;         /* no event in the channel before this DRAM cycle */
  uint64_t next_command; /* no command can issue before this DRAM cycle */

  uint64_t open; /* set of banks */
  uint32_t row[SL_DRAM_MAX_BANKS];
  uint64_t ready[SL_DRAM_MAX_NODES][SL_DRAM_COMMANDS];     /* first cycle in which the constraints allow a command */
  uint64_t history[SL_DRAM_MAX_NODES][SL_DRAM_MAX_WINDOW]; /* of ACTs, latest first */

  struct sl_dram_queue activated, reads, writes;
  bool draining;

  unsigned first, under_way; /* ring of reads whose RD has issued */
  struct sl_dram_read read[SL_DRAM_MAX_READS];

  uint64_t refresh_due;
  unsigned refreshes_owed;

  bool busy;
  uint64_t busy_since;

  struct sl_dram_issue latest;
};

/* The spec and its standard, prepared for the cycle loop. */
struct sl_dram_plan {
  struct sl_dram_mapping mapping;
  unsigned channels, banks;
  uint8_t node[SL_DRAM_MAX_BANKS][SL_DRAM_LEVELS]; /* the nodes of a bank and of its parents */
  unsigned windowed;                               /* set of levels with a windowed constraint */
  unsigned first_constraint[SL_DRAM_COMMANDS + 1], first_windowed[SL_DRAM_COMMANDS];
  struct sl_dram_constraint constraint[SL_DRAM_MAX_CONSTRAINTS]; /* by previous command; those with a window last */
  uint8_t first_command[2][SL_DRAM_STATES];                      /* of a read and of a write */
  unsigned read_latency, refresh_interval;
  unsigned read_queue, write_queue, drain_high, drain_low;
  enum sl_dram_order order;
  unsigned eligible; /* requests of a queue that are considered, from the oldest on */
  bool forward, refresh;
  unsigned clock_numerator, clock_denominator;
};

struct sl_dram_controller {
  struct sl_dram_plan plan;
  uint64_t next;    /* minimum over the channels */
  uint64_t working; /* set of channels with a next event */
  unsigned first_done, done_count;
  struct sl_dram_read done[SL_DRAM_MAX_DONE]; /* FIFO */
  struct sl_dram_statistics statistics;
  struct sl_dram_channel channel[SL_DRAM_MAX_CHANNELS];
};

/* Initialises the controllers. The spec must have passed sl_dram_spec_check. */
void sl_dram_controller_init(struct sl_dram_controller *d, const struct sl_dram_spec *spec);

/* Whether the channel's queue has room. Addresses are line addresses. Before sl_dram_controller_cycle, the answer
 * applies to the previous cycle, else to the current one. */
bool sl_dram_can_take(const struct sl_dram_controller *d, uint64_t address, bool write);

/* Takes a request; returns false if the channel's queue is full. The answer to a read carries its tag. */
bool sl_dram_take(struct sl_dram_controller *d, uint64_t cycle, uint64_t address, bool write, uint64_t tag);

/* Advances to this core cycle. Call it in each cycle that sl_dram_controller_next returns. */
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

/* Removes the oldest done read; returns false if there is none. */
static inline bool sl_dram_take_done(struct sl_dram_controller *d, struct sl_dram_read *read)
{
  if (d->done_count == 0)
    return false;
  *read = d->done[d->first_done];
  d->first_done = (d->first_done + 1) % SL_DRAM_MAX_DONE;
  d->done_count--;
  return true;
}

/* The first cycle from `cycle` on with an event, or UINT64_MAX if nothing is pending. */
uint64_t sl_dram_controller_next(const struct sl_dram_controller *d, uint64_t cycle);

struct sl_dram_statistics sl_dram_statistics(const struct sl_dram_controller *d, uint64_t cycle);

#endif
