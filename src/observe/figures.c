#include "observe/figures.h"

#include <math.h>
#include <string.h>

static bool is_maximum(const struct sl_counter *counter)
{
  return strncmp(counter->name, "max_", 4) == 0;
}

uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count)
{
  bool maximum = is_maximum(&machine->counters->counter[counter]);
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t value = launches[i].counters[counter];
    if (!maximum)
      total += value;
    else if (value > total)
      total = value;
  }
  return total;
}

bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index)
{
  for (size_t i = 0; i < machine->counters->count; i++)
    if (strcmp(machine->counters->counter[i].name, name) == 0) {
      *index = i;
      return true;
    }
  return false;
}

static uint64_t total_by_name(const struct sl_machine *machine, const char *name, const struct sl_launch *launches,
                              size_t count)
{
  size_t i;
  return sl_counter_find(machine, name, &i) ? sl_counter_total(machine, i, launches, count) : 0;
}

struct sl_figures sl_figures_of(const struct sl_machine *machine, const struct sl_launch *launches, size_t count)
{
  struct sl_figures figures = {
      .cycles = total_by_name(machine, "cycles", launches, count),
      .thread_instructions = total_by_name(machine, "thread_instrs", launches, count),
      .dram_beats = total_by_name(machine, "dram_beats", launches, count),
      .retries = total_by_name(machine, "retries", launches, count),
  };
  if (figures.cycles > 0)
    figures.ipc = (double)figures.thread_instructions / (double)figures.cycles;
  return figures;
}

const char *sl_counter_slot(const struct sl_counter *counter)
{
  static const char *const prefixes[] = {"slots_", "cycles."};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (strncmp(counter->name, prefixes[i], strlen(prefixes[i])) == 0)
      return counter->name + strlen(prefixes[i]);
  return NULL;
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
