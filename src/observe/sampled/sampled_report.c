#include "observe/sampled/sampled_report.h"

#include <inttypes.h>
#include <math.h>

#include "observe/figures.h"
#include "observe/json.h"
#include "observe/table.h"
#include "observe/terminal.h"

static size_t index_of(const struct sl_machine *machine, enum sl_counter_role role)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != role)
    i++;
  return i;
}

static size_t index_of_cycles(const struct sl_machine *machine)
{
  return index_of(machine, SL_COUNTER_CYCLES);
}

static double percent(double part, uint64_t whole)
{
  return whole > 0 ? 100 * part / (double)whole : 0;
}

static bool exact(const struct sl_sampled *s)
{
  return s->kernels == 0 && s->untimed_begins == 0;
}

void sl_sampled_print(const struct sl_machine *machine, const struct sl_sampled *s, uint64_t cycles, FILE *file)
{
  const size_t index = index_of_cycles(machine);
  char text[32], bar[32];
  if (exact(s)) {
    fputs("sampled: every launch was too short to skip anything, so cycles are exact\n", file);
    return;
  }
  fprintf(file, "sampled: cycles and timing counters are estimates, %.1f %% timed, %" PRIu64 " windows\n",
          percent((double)s->timed, s->progress), s->windows);
  if (s->untimed_begins > 0)
    fprintf(file, "launches timed that began after what was not: %" PRIu64 "\n", s->untimed_begins);
  if (s->untimed_launches > 0)
    fprintf(file, "launches left out: %" PRIu64 "\n", s->untimed_launches);
  if (isfinite(s->bar[index]))
    sl_print(file, "cycles: %s +- %s (%.2f %%), 95 %% confidence interval\n", sl_grouped(cycles, text),
             sl_grouped((uint64_t)llround(s->bar[index]), bar), percent(s->bar[index], cycles));
  else
    sl_print(file, "cycles: %s, without confidence interval: a kernel has less than %d windows\n",
             sl_grouped(cycles, text), SL_WINDOWS_MIN);
  if (s->kernels > 0)
    sl_print(file, "distance from a skip: windows of %u of %u kernels change with it%s\n", s->drifting, s->kernels,
             s->drifting > 0 ? "; a longer W would help" : "");
}

static json_t *bar_json(double bar)
{
  return isfinite(bar) ? json_real(bar) : json_null();
}

double sl_sampled_percent(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles)
{
  return percent(sampled->bar[index_of_cycles(machine)], cycles);
}

json_t *sl_sampled_json(const struct sl_machine *machine, const struct sl_sampled *s, uint64_t total)
{
  const size_t index = index_of_cycles(machine);
  json_t *cycles = json_object(), *bars = json_object(), *json = json_object();
  sl_json_put(&cycles, "value", sl_json_count(total));
  sl_json_put(&cycles, "bar", bar_json(s->bar[index]));
  sl_json_put(&cycles, "percent", bar_json(percent(s->bar[index], total)));
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_put(&bars, machine->counters->counter[i].name, bar_json(s->bar[i]));
  sl_json_put(&json, "version", json_integer(1));
  sl_json_put(&json, "estimated", json_boolean(!exact(s)));
  sl_json_put(&json, "measure",
              json_string(machine->counters->counter[index_of(machine, machine->sampling.progress)].name));
  sl_json_put(&json, "executed", sl_json_count(s->progress));
  sl_json_put(&json, "timed", sl_json_count(s->timed));
  sl_json_put(&json, "windows", sl_json_count(s->windows));
  sl_json_put(&json, "untimed_launches", sl_json_count(s->untimed_launches));
  sl_json_put(&json, "untimed_begins", sl_json_count(s->untimed_begins));
  sl_json_put(&json, "kernels", json_integer(s->kernels));
  sl_json_put(&json, "drifting_kernels", json_integer(s->drifting));
  sl_json_put(&json, "cycles", cycles);
  sl_json_put(&json, "bars", bars);
  return json;
}
