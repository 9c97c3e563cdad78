#include "observe/figures.h"

#include <math.h>

struct sl_known sl_role_total(const struct sl_machine *machine, enum sl_counter_role role,
                              const struct sl_launch *launches, size_t count)
{
  struct sl_known total = {0};
  for (size_t i = 0; i < machine->counters->count; i++) {
    if (machine->counters->counter[i].role != role)
      continue;
    total.known = true;
    total.value += sl_counter_total(machine, i, launches, count);
  }
  return total;
}

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count)
{
  struct sl_figures figures = {
      .cycles = sl_role_total(machine, SL_COUNTER_CYCLES, launches, count).value,
      .thread_instructions = sl_role_total(machine, SL_COUNTER_THREAD_INSTRUCTIONS, launches, count).value,
      .warp_instructions = sl_role_total(machine, SL_COUNTER_WARP_INSTRUCTIONS, launches, count),
      .dram_beats = sl_role_total(machine, SL_COUNTER_DRAM_BEATS, launches, count),
      .dram_lines = sl_role_total(machine, SL_COUNTER_DRAM_LINES, launches, count),
      .retries = sl_role_total(machine, SL_COUNTER_RETRIES, launches, count),
  };
  if (figures.cycles > 0)
    figures.ipc = (double)figures.thread_instructions / (double)figures.cycles;
  return figures;
}

double sl_launch_seconds(const struct sl_launch *launches, size_t count)
{
  double seconds = 0;
  for (size_t i = 0; i < count; i++)
    seconds += launches[i].host_seconds;
  return seconds;
}

double sl_geometric_mean(const double *values, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(values[i] > 0))
      return 0;
    sum += log(values[i]);
  }
  return count > 0 ? exp(sum / (double)count) : 0;
}

double sl_rate(uint64_t quantity, double seconds)
{
  return seconds > 0 ? (double)quantity / seconds : 0;
}
