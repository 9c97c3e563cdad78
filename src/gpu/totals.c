#include "gpu/totals.h"

#include <string.h>

uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count)
{
  const bool level = machine->counters->counter[counter].role == SL_COUNTER_GREATEST;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t value = launches[i].counters[counter];
    if (!level)
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
