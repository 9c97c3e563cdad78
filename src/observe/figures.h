/* Key figures of a run: counters summed over the launches, and the values that every summary shows. */
#ifndef SL_OBSERVE_FIGURES_H
#define SL_OBSERVE_FIGURES_H

#include "gpu/totals.h"

/* A number of a run; unknown if the machine does not count it. */
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

/* Sums the counters that have a role, over all launches; unknown if no counter has it. */
struct sl_known sl_role_total(const struct sl_machine *machine, enum sl_counter_role role,
                              const struct sl_launch *launches, size_t count);

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count);

/* Host seconds for the simulation of launches. */
double sl_launch_seconds(const struct sl_launch *launches, size_t count);

/* Returns the geometric mean of non-negative values: 0 if a value is 0 or there are none. */
double sl_geometric_mean(const double *values, size_t count);

/* quantity / seconds, 0 if no time has passed. */
double sl_rate(uint64_t quantity, double seconds);

#endif
