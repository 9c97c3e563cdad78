#include "timing/memory/dram_controller.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct sl_dram_command_facts sl_dram_commands[SL_DRAM_COMMANDS] = {
    /* name     scope            opens  closes  first command if closed, other row open, same row open */
    [SL_DRAM_ACT] = {"ACT", SL_DRAM_BANK, true, false, {SL_DRAM_ACT, SL_DRAM_PRE, SL_DRAM_PRE}},
    [SL_DRAM_PRE] = {"PRE", SL_DRAM_BANK, false, true, {SL_DRAM_PRE, SL_DRAM_PRE, SL_DRAM_PRE}},
    [SL_DRAM_PREA] = {"PREA", SL_DRAM_CHANNEL, false, true, {SL_DRAM_PREA, SL_DRAM_PREA, SL_DRAM_PREA}},
    [SL_DRAM_RD] = {"RD", SL_DRAM_BANK, false, false, {SL_DRAM_ACT, SL_DRAM_PRE, SL_DRAM_RD}},
    [SL_DRAM_WR] = {"WR", SL_DRAM_BANK, false, false, {SL_DRAM_ACT, SL_DRAM_PRE, SL_DRAM_WR}},
    [SL_DRAM_REFAB] = {"REFab", SL_DRAM_CHANNEL, false, false, {SL_DRAM_REFAB, SL_DRAM_PREA, SL_DRAM_PREA}},
};

/* A standard's parameters as constants S_NAME, for use in its constraints, and as a table for listings. */
#define CONSTANT(standard, name, value, source) standard##_##name = value,
#define SHOWN(standard, name, value, source) {#name, value, source},

/* The constraints that all standards here share, in terms of their parameters. A constraint of a command to the whole
 * channel is declared at the channel. Data occupy the bus of a pseudo-channel for BL cycles, so BL is also the minimum
 * distance of two reads or two writes there. RD to WR leaves two cycles for the bus to turn around (JESD79-4B 4.24: RL
 * + BL/2 - WL + 2; same in HBM2's RTW with its CL, BL and CWL). */
#define COMMON_CONSTRAINTS(S)                                                                                          \
  {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_RD, SL_DRAM_RD, 1, S##_BL},                                                         \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_WR, SL_DRAM_WR, 1, S##_BL},                                                     \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_RD, SL_DRAM_RD, 1, S##_CCDS},                                                   \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_WR, SL_DRAM_WR, 1, S##_CCDS},                                                   \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_RD, SL_DRAM_WR, 1, S##_CL + S##_BL + 2 - S##_CWL},                              \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_WR, SL_DRAM_RD, 1, S##_CWL + S##_BL + S##_WTRS},                                \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_ACT, SL_DRAM_ACT, 1, S##_RRDS},                                                 \
      {SL_DRAM_PSEUDO_CHANNEL, SL_DRAM_ACT, SL_DRAM_ACT, 4, S##_FAW},                                                  \
      {SL_DRAM_BANK_GROUP, SL_DRAM_RD, SL_DRAM_RD, 1, S##_CCDL},                                                       \
      {SL_DRAM_BANK_GROUP, SL_DRAM_WR, SL_DRAM_WR, 1, S##_CCDL},                                                       \
      {SL_DRAM_BANK_GROUP, SL_DRAM_WR, SL_DRAM_RD, 1, S##_CWL + S##_BL + S##_WTRL},                                    \
      {SL_DRAM_BANK_GROUP, SL_DRAM_ACT, SL_DRAM_ACT, 1, S##_RRDL},                                                     \
      {SL_DRAM_BANK, SL_DRAM_ACT, SL_DRAM_ACT, 1, S##_RC}, {SL_DRAM_BANK, SL_DRAM_ACT, SL_DRAM_RD, 1, S##_RCD},        \
      {SL_DRAM_BANK, SL_DRAM_ACT, SL_DRAM_WR, 1, S##_RCD}, {SL_DRAM_BANK, SL_DRAM_ACT, SL_DRAM_PRE, 1, S##_RAS},       \
      {SL_DRAM_BANK, SL_DRAM_PRE, SL_DRAM_ACT, 1, S##_RP}, {SL_DRAM_BANK, SL_DRAM_RD, SL_DRAM_PRE, 1, S##_RTP},        \
      {SL_DRAM_BANK, SL_DRAM_WR, SL_DRAM_PRE, 1, S##_CWL + S##_BL + S##_WR},                                           \
      {SL_DRAM_CHANNEL, SL_DRAM_ACT, SL_DRAM_PREA, 1, S##_RAS},                                                        \
      {SL_DRAM_CHANNEL, SL_DRAM_RD, SL_DRAM_PREA, 1, S##_RTP},                                                         \
      {SL_DRAM_CHANNEL, SL_DRAM_WR, SL_DRAM_PREA, 1, S##_CWL + S##_BL + S##_WR},                                       \
      {SL_DRAM_CHANNEL, SL_DRAM_PREA, SL_DRAM_ACT, 1, S##_RP},                                                         \
      {SL_DRAM_CHANNEL, SL_DRAM_ACT, SL_DRAM_REFAB, 1, S##_RC},                                                        \
      {SL_DRAM_CHANNEL, SL_DRAM_PRE, SL_DRAM_REFAB, 1, S##_RP},                                                        \
      {SL_DRAM_CHANNEL, SL_DRAM_PREA, SL_DRAM_REFAB, 1, S##_RP},                                                       \
      {SL_DRAM_CHANNEL, SL_DRAM_REFAB, SL_DRAM_ACT, 1, S##_RFC},                                                       \
  {                                                                                                                    \
    SL_DRAM_CHANNEL, SL_DRAM_REFAB, SL_DRAM_REFAB, 1, S##_RFC                                                          \
  }

/* HBM2 at 2 Gb/s per pin, 8 Gb per channel. JESD235A leaves the core timings to the vendors. The values are those of
 * the public model that Vortex' simulators run on; its burst occupies the bus of a pseudo-channel for 4 cycles. */
#define MODEL "Ramulator 2, HBM2_2Gbps"
#define HBM2_PARAMETERS(P)                                                                                             \
  P(HBM2, BL, 4, MODEL)                                                                                                \
  P(HBM2, CL, 7, MODEL)                                                                                                \
  P(HBM2, CWL, 2, MODEL)                                                                                               \
  P(HBM2, RCD, 7, MODEL)                                                                                               \
  P(HBM2, RP, 7, MODEL)                                                                                                \
  P(HBM2, RAS, 17, MODEL)                                                                                              \
  P(HBM2, RC, 19, MODEL)                                                                                               \
  P(HBM2, WR, 8, MODEL)                                                                                                \
  P(HBM2, RTP, 3, MODEL " (RTPL, the longer one)")                                                                     \
  P(HBM2, CCDS, 1, MODEL)                                                                                              \
  P(HBM2, CCDL, 2, MODEL)                                                                                              \
  P(HBM2, RRDS, 2, MODEL)                                                                                              \
  P(HBM2, RRDL, 3, MODEL)                                                                                              \
  P(HBM2, FAW, 15, MODEL)                                                                                              \
  P(HBM2, WTRS, 3, MODEL)                                                                                              \
  P(HBM2, WTRL, 4, MODEL)                                                                                              \
  P(HBM2, ACTS, 2, "JESD235A: ACT is sent in two cycles on the row bus")                                               \
  P(HBM2, REFI, 3900, "JESD235A: 3.9 us")                                                                              \
  P(HBM2, RFC, 350, "JESD235A: 350 ns at 8 Gb per channel")

enum { HBM2_PARAMETERS(CONSTANT) };
static const struct sl_dram_parameter hbm2_parameters[] = {HBM2_PARAMETERS(SHOWN)};

static const struct sl_dram_constraint hbm2_constraints[] = {
    COMMON_CONSTRAINTS(HBM2),
    {SL_DRAM_CHANNEL, SL_DRAM_ACT, SL_DRAM_ACT, 1, HBM2_ACTS},
    {SL_DRAM_CHANNEL, SL_DRAM_ACT, SL_DRAM_PRE, 1, HBM2_ACTS},
};

const struct sl_dram_standard sl_dram_hbm2 = {
    .name = "hbm2",
    .clock_ps = 1000,
    .channels = 8,
    .pseudo_channels = 2,
    .bank_groups = 4,
    .banks = 4,
    .rows = 1 << 15,
    .columns = 1 << 6,
    .channel_width = 64,
    .prefetch = 2,
    .read_latency = HBM2_CL + HBM2_BL,
    .refresh_interval = HBM2_REFI,
    .constraint = hbm2_constraints,
    .constraints = COUNT(hbm2_constraints),
    .parameter = hbm2_parameters,
    .parameters = COUNT(hbm2_parameters),
};

/* DDR4-2400R (17-17-17), 8 Gb devices of 8 bits with pages of 1 KB, a single rank of 64 bits; tCK 0.833 ns. Times
 * given in ns are rounded up to cycles. */
#define DDR4_PARAMETERS(P)                                                                                             \
  P(DDR4, BL, 4, "JESD79-4B: burst of 8, two per cycle")                                                               \
  P(DDR4, CL, 17, "JESD79-4B, speed bin 2400R")                                                                        \
  P(DDR4, CWL, 12, "JESD79-4B, CAS write latency at 2400")                                                             \
  P(DDR4, RCD, 17, "JESD79-4B, speed bin 2400R")                                                                       \
  P(DDR4, RP, 17, "JESD79-4B, speed bin 2400R")                                                                        \
  P(DDR4, RAS, 39, "JESD79-4B, speed bin 2400R: 32 ns")                                                                \
  P(DDR4, RC, 56, "JESD79-4B, speed bin 2400R: RAS + RP")                                                              \
  P(DDR4, WR, 18, "JESD79-4B: 15 ns")                                                                                  \
  P(DDR4, RTP, 9, "JESD79-4B: 7.5 ns")                                                                                 \
  P(DDR4, CCDS, 4, "JESD79-4B: 4 cycles")                                                                              \
  P(DDR4, CCDL, 6, "JESD79-4B: 5 ns")                                                                                  \
  P(DDR4, RRDS, 4, "JESD79-4B, pages of 1 KB: 3.3 ns, at least 4 cycles")                                              \
  P(DDR4, RRDL, 6, "JESD79-4B, pages of 1 KB: 4.9 ns")                                                                 \
  P(DDR4, FAW, 26, "JESD79-4B, pages of 1 KB: 21 ns")                                                                  \
  P(DDR4, WTRS, 3, "JESD79-4B: 2.5 ns")                                                                                \
  P(DDR4, WTRL, 9, "JESD79-4B: 7.5 ns")                                                                                \
  P(DDR4, REFI, 9360, "JESD79-4B: 7.8 us")                                                                             \
  P(DDR4, RFC, 420, "JESD79-4B: 350 ns at 8 Gb")

enum { DDR4_PARAMETERS(CONSTANT) };
static const struct sl_dram_parameter ddr4_parameters[] = {DDR4_PARAMETERS(SHOWN)};

static const struct sl_dram_constraint ddr4_constraints[] = {COMMON_CONSTRAINTS(DDR4)};

const struct sl_dram_standard sl_dram_ddr4 = {
    .name = "ddr4",
    .clock_ps = 833,
    .channels = 1,
    .pseudo_channels = 1,
    .bank_groups = 4,
    .banks = 4,
    .rows = 1 << 16,
    .columns = 1 << 10,
    .channel_width = 64,
    .prefetch = 8,
    .read_latency = DDR4_CL + DDR4_BL,
    .refresh_interval = DDR4_REFI,
    .constraint = ddr4_constraints,
    .constraints = COUNT(ddr4_constraints),
    .parameter = ddr4_parameters,
    .parameters = COUNT(ddr4_parameters),
};

const struct sl_dram_standard *const sl_dram_standards[SL_DRAM_STANDARDS] = {&sl_dram_hbm2, &sl_dram_ddr4};

unsigned sl_dram_parameter(const struct sl_dram_standard *standard, const char *name)
{
  for (unsigned i = 0; i < standard->parameters; i++)
    if (strcmp(standard->parameter[i].name, name) == 0)
      return standard->parameter[i].value;
  return 0;
}

static enum sl_status check_constraint(const struct sl_dram_standard *s, unsigned i, struct sl_error *err)
{
  const struct sl_dram_constraint *c = &s->constraint[i];
  if (c->level >= SL_DRAM_LEVELS || c->previous >= SL_DRAM_COMMANDS || c->next >= SL_DRAM_COMMANDS)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has constraint %u on an unknown level or command.", s->name, i);
  if (c->level > sl_dram_commands[c->previous].scope || c->level > sl_dram_commands[c->next].scope)
    return sl_fail(err, SL_USAGE,
                   "The DRAM standard %s has constraint %u below the scope of %s or %s; declare it at their scope.",
                   s->name, i, sl_dram_commands[c->previous].name, sl_dram_commands[c->next].name);
  if (c->window < 1 || c->window > SL_DRAM_MAX_WINDOW)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has constraint %u with a window of %u; it must be 1 to %d.",
                   s->name, i, c->window, SL_DRAM_MAX_WINDOW);
  if (c->window > 1 && c->previous != SL_DRAM_ACT)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has constraint %u with a window on %s; only ACT can have one.",
                   s->name, i, sl_dram_commands[c->previous].name);
  return SL_OK;
}

enum sl_status sl_dram_standard_check(const struct sl_dram_standard *s, struct sl_error *err)
{
  const unsigned sizes[] = {s->channels, s->pseudo_channels, s->bank_groups,   s->banks,
                            s->rows,     s->columns,         s->channel_width, s->prefetch};
  for (unsigned i = 0; i < COUNT(sizes); i++)
    if (!sl_is_pow2(sizes[i]))
      return sl_fail(err, SL_USAGE, "The DRAM standard %s has a size of %u; all its sizes must be powers of two.",
                     s->name, sizes[i]);
  if (s->channels > SL_DRAM_MAX_CHANNELS || sl_dram_channel_banks(s) > SL_DRAM_MAX_BANKS)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has %u channels of %u banks; the maximum is %d of %d.", s->name,
                   s->channels, sl_dram_channel_banks(s), SL_DRAM_MAX_CHANNELS, SL_DRAM_MAX_BANKS);
  if (s->columns < s->prefetch || s->channel_width < 8)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has rows smaller than a burst.", s->name);
  if (s->constraints > SL_DRAM_MAX_CONSTRAINTS)
    return sl_fail(err, SL_USAGE, "The DRAM standard %s has %u constraints; the maximum is %d.", s->name,
                   s->constraints, SL_DRAM_MAX_CONSTRAINTS);
  for (unsigned i = 0; i < s->constraints; i++)
    if (check_constraint(s, i, err) != SL_OK)
      return SL_USAGE;
  return SL_OK;
}

/* Takes the next bits of an address for a number less than `values`. */
static struct sl_dram_field take(unsigned *low, unsigned values)
{
  const struct sl_dram_field field = {(uint8_t)*low, (uint8_t)sl_log2(values)};
  *low += field.bits;
  return field;
}

struct sl_dram_mapping sl_dram_mapping(const struct sl_dram_standard *s, unsigned unit_bytes)
{
  struct sl_dram_mapping m;
  const unsigned row_units = s->columns * (s->channel_width / 8) / unit_bytes;
  unsigned low = sl_log2(unit_bytes);
  m.level[SL_DRAM_CHANNEL] = take(&low, s->channels);
  take(&low, row_units > 0 ? row_units : 1);
  m.level[SL_DRAM_PSEUDO_CHANNEL] = take(&low, s->pseudo_channels);
  m.level[SL_DRAM_BANK_GROUP] = take(&low, s->bank_groups);
  m.level[SL_DRAM_BANK] = take(&low, s->banks);
  m.row = take(&low, s->rows);
  return m;
}

double sl_dram_peak(const struct sl_dram_standard *s, unsigned unit_bytes, unsigned line_bytes)
{
  const struct sl_dram_field field = sl_dram_mapping(s, unit_bytes).level[SL_DRAM_CHANNEL];
  const unsigned line_bits = sl_log2(line_bytes), within = line_bits > field.low ? line_bits - field.low : 0;
  const unsigned channels = 1u << (within < field.bits ? field.bits - within : 0);
  const unsigned burst = sl_dram_parameter(s, "BL"), distance = sl_dram_parameter(s, "CCDS");
  return (double)channels * s->pseudo_channels * line_bytes / (burst > distance ? burst : distance);
}
