/* A DRAM standard as data: the organisation of a device, its commands, and the minimum times between them.
 *
 * A device is a tree: channels, each of pseudo-channels (in DDR: ranks), bank groups and banks. A command goes to one
 * node of the tree, the command's scope. A constraint sets the minimum number of cycles between two commands to a node
 * or its descendants. With a window of n, the cycles count from the n-th latest command.
 * timing/memory/dram_controller.h obeys every constraint and contains no times itself.
 *
 * Times are cycles of the command clock under the names of the JEDEC standards (tRCD is the parameter RCD). A standard
 * lists each parameter with its value and source. Sources: JESD235A (HBM2), JESD79-4B (DDR4), and the public model
 * HBM2_2Gbps of Ramulator 2 (CMU-SAFARI/ramulator2), which the published Vortex simulators run on. */
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

#endif
