/* Figures of a run: its counters summed over the launches, and the few that every summary shows. */
#ifndef SL_OBSERVE_FIGURES_H
#define SL_OBSERVE_FIGURES_H

#include "gpu/device.h"

struct sl_figures {
  uint64_t cycles;
  uint64_t thread_instructions;
  uint64_t dram_beats;
  uint64_t retries;
  double ipc; /* thread instructions per cycle, 0 without cycles */
};

/* A counter's total over launches: the sum, or the largest for a counter whose name begins with "max_". */
uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count);

/* The index of a counter; false when the machine has none of that name. */
bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index);

/* The summary's figures over launches; one that the machine does not count is 0. */
struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count);

/* Counters whose name begins with "slots_" or "cycles." say where the cycles of the issue slot went: the rest of the
 * name, else NULL. */
const char *sl_counter_slot(const struct sl_counter *counter);

/* The geometric mean of values that are not negative: 0 when one of them is 0, and of no values. */
double sl_geometric_mean(const double *values, size_t count);

/* quantity / seconds, 0 when no time has passed. */
double sl_rate(uint64_t quantity, double seconds);

#endif
