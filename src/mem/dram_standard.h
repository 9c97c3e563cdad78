/* A DRAM standard as data: how a device is organised, its commands, and the times that must pass between them.
 *
 * A device is a tree: channels, each of pseudo-channels (in DDR: ranks), bank groups and banks. A command is sent to
 * one node of the tree, the scope of the command. A constraint says that at a node, so many cycles pass from a command
 * to that node or below it to the next one; with a window of n, from the n-th latest. mem/dram_controller.h obeys
 * every constraint and knows no time of its own.
 *
 * Times are cycles of the command clock under the names of the JEDEC standards (tRCD is the parameter RCD); a standard
 * lists each with its value and where that comes from. Sources: JESD235A (HBM2), JESD79-4B (DDR4), and the public
 * model HBM2_2Gbps of Ramulator 2 (CMU-SAFARI/ramulator2), which the published Vortex simulators run on. */
#ifndef SL_MEM_DRAM_STANDARD_H
#define SL_MEM_DRAM_STANDARD_H

#include "base/error.h"
#include "base/types.h"

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

/* A bank as a request finds it. */
enum sl_dram_state { SL_DRAM_CLOSED, SL_DRAM_OPEN_OTHER, SL_DRAM_OPEN_SAME, SL_DRAM_STATES };

/* What a command is: where it is sent, what it makes of the banks there, and what a request that ends in it needs
 * first, for each state of the bank; a request is served when its own command has been issued. The same for all
 * standards with a row buffer per bank. */
struct sl_dram_command_facts {
  const char *name;
  enum sl_dram_level scope;
  bool opens, closes;
  enum sl_dram_command first[SL_DRAM_STATES];
};

extern const struct sl_dram_command_facts sl_dram_commands[SL_DRAM_COMMANDS];

struct sl_dram_constraint {
  uint8_t level;    /* enum sl_dram_level: both commands to the same node of this level */
  uint8_t previous; /* enum sl_dram_command */
  uint8_t next;
  uint8_t window; /* counts from the window-th latest `previous`; 1: from the latest */
  uint16_t cycles;
};

struct sl_dram_parameter {
  const char *name; /* JEDEC's, without the t */
  unsigned value;
  const char *source;
};

enum {
  SL_DRAM_MAX_CHANNELS = 8,
  SL_DRAM_MAX_BANKS = 32, /* of a channel */
  SL_DRAM_MAX_CONSTRAINTS = 64,
  SL_DRAM_MAX_WINDOW = 4
};

struct sl_dram_standard {
  const char *name;
  unsigned clock_ps;

  /* How many of each within one of the level above: pseudo-channels of a channel, and so on. Columns are those of a
   * row, of `channel_width` bits each; `prefetch` of them are the unit of addressing. */
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

/* Whether the controller can run it: sizes are powers of two within the limits above. */
enum sl_status sl_dram_standard_check(const struct sl_dram_standard *standard, struct sl_error *err);

/* The value of a parameter; 0 when the standard has none of that name. */
unsigned sl_dram_parameter(const struct sl_dram_standard *standard, const char *name);

/* Bytes of a unit of addressing. */
static inline unsigned sl_dram_unit_bytes(const struct sl_dram_standard *standard)
{
  return standard->channel_width / 8 * standard->prefetch;
}

static inline unsigned sl_dram_channel_banks(const struct sl_dram_standard *standard)
{
  return standard->pseudo_channels * standard->bank_groups * standard->banks;
}

/* Bytes that move in a DRAM cycle at most, of a memory of lines: a burst per line keeps a pseudo-channel's bus for BL
 * cycles, or for CCDS; only channels that the mapping sends lines to count. */
double sl_dram_peak(const struct sl_dram_standard *standard, unsigned unit_bytes, unsigned line_bytes);

/* Where in an address the number of a node is. */
struct sl_dram_field {
  uint8_t low, bits;
};

struct sl_dram_mapping {
  struct sl_dram_field level[SL_DRAM_LEVELS];
  struct sl_dram_field row;
};

/* From the lowest bit: the bytes of a unit, channel, column, pseudo-channel, bank group, bank, row (row, bank, rank,
 * column, channel from the top). A unit of more bytes than the standard's moves consecutive lines of that size to
 * different channels; with the standard's own unit of 16 bytes in HBM2, lines of 64 only ever reach channels 0 and 4,
 * which is what the published Vortex simulators do. */
struct sl_dram_mapping sl_dram_mapping(const struct sl_dram_standard *standard, unsigned unit_bytes);

static inline unsigned sl_dram_field_of(struct sl_dram_field field, uint64_t address)
{
  return (unsigned)((address >> field.low) & sl_low_bits(field.bits));
}

#endif
