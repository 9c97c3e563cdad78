/* Figures of a run: its counters summed over the launches, and the few that every summary shows. */
#ifndef SL_OBSERVE_FIGURES_H
#define SL_OBSERVE_FIGURES_H

#include "gpu/totals.h"

/* A number of a run. Not every machine counts everything. */
struct sl_known {
  uint64_t value;
  bool known;
};

struct sl_figures {
  uint64_t cycles;
  uint64_t thread_instructions;
  double ipc; /* thread instructions per cycle, 0 without cycles */
  struct sl_known warp_instructions, dram_beats, dram_lines, retries;
};

/* What a machine counts in a role, over launches, added up if several counters have it; unknown if none has. */
struct sl_known sl_role_total(const struct sl_machine *machine, enum sl_counter_role role,
                              const struct sl_launch *launches, size_t count);

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count);

/* Of the computer, spent on simulating launches. */
double sl_launch_seconds(const struct sl_launch *launches, size_t count);

/* The geometric mean of values that are not negative: 0 when one of them is 0, and of no values. */
double sl_geometric_mean(const double *values, size_t count);

/* quantity / seconds, 0 when no time has passed. */
double sl_rate(uint64_t quantity, double seconds);

#endif
