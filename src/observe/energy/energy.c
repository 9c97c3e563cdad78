#include "observe/energy/energy.h"

#include "device/device.h"
#include "observe/json.h"
#include "observe/table.h"
#include "observe/wrapped_text.h"

enum { DRAM_BYTES = 32 };

static void count(struct sl_energy *e, enum sl_energy_event event, double events)
{
  e->counted[event] = true;
  e->events[event] += events;
}

/* Cycles are the launch's cycles times the number of cores. The machine defines the role of DRAM counters. */
static void count_by_role(struct sl_energy *e, const struct sl_config *config, const uint64_t *counters)
{
  const struct sl_soc soc = config->machine->soc(config->spec);
  const struct sl_peaks peaks = config->machine->peaks(config->spec);
  for (size_t i = 0; i < config->machine->counters->count; i++) {
    const enum sl_counter_role role = config->machine->counters->counter[i].role;
    if (role == SL_COUNTER_CYCLES)
      count(e, SL_ENERGY_STATIC, (double)counters[i] * (soc.cores > 0 ? soc.cores : 1));
    else if ((role == SL_COUNTER_DRAM_BEATS || role == SL_COUNTER_DRAM_LINES) && (int)role == peaks.traffic_role)
      count(e, SL_ENERGY_DRAM, (double)counters[i] * peaks.traffic_bytes / DRAM_BYTES);
  }
}

void sl_energy_of(struct sl_energy *e, const struct sl_energy_set *set, const struct sl_config *config,
                  const uint64_t *counters)
{
  *e = (struct sl_energy){.set = set, .machine = config->name};
  count_by_role(e, config, counters);
  for (const struct sl_energy_source *s = config->machine->energy; s->counter != NULL; s++) {
    size_t counter;
    if (sl_counter_find(config->machine, s->counter, &counter))
      count(e, s->event, (double)counters[counter] / s->per);
  }
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    e->picojoules[i] = set->known[i] ? e->events[i] * set->picojoules[i] : 0;
    e->total += e->picojoules[i];
  }
}

void sl_energy_of_launches(struct sl_energy *energy, const struct sl_energy_set *set, const struct sl_config *config,
                           const struct sl_launch *launches, size_t count)
{
  uint64_t counters[SL_MAX_COUNTERS];
  for (size_t i = 0; i < config->machine->counters->count; i++)
    counters[i] = sl_counter_total(config->machine, i, launches, count);
  sl_energy_of(energy, set, config, counters);
}

static double share(const struct sl_energy *e, unsigned event)
{
  return e->total > 0 ? 100 * e->picojoules[event] / e->total : 0;
}

static void print_table(const struct sl_energy *e, FILE *file)
{
  static const char *const titles[] = {"event", ">count", ">pJ each", ">uJ", ">%", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    if (!e->set->known[i] || e->events[i] <= 0)
      continue;
    sl_table_cell(&table, "%s", sl_energy_events[i].name);
    sl_table_cell(&table, "%.0f", e->events[i]);
    sl_table_cell(&table, "%g", e->set->picojoules[i]);
    sl_table_cell(&table, "%.3f", 1e-6 * e->picojoules[i]);
    sl_table_cell(&table, "%.1f", share(e, i));
  }
  sl_table_cell(&table, "total");
  sl_table_cell(&table, "%s", "");
  sl_table_cell(&table, "%s", "");
  sl_table_cell(&table, "%.3f", 1e-6 * e->total);
  sl_table_cell(&table, "%s", "");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static bool counts_all(const struct sl_energy *e)
{
  bool all = true;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    all &= e->counted[i];
  return all;
}

void sl_energy_print(const struct sl_energy *e, FILE *file)
{
  struct sl_list_line line;
  sl_print_lines(file, 2, "energy by set %s: %s", e->set->name, e->set->summary);
  print_table(e, file);
  bool begun = false;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    if (e->events[i] <= 0 || e->set->known[i])
      continue;
    if (!begun)
      sl_list_begin(&line, file, 2, "not included, because the set has no figure:");
    begun = true;
    sl_list_item(&line, "%.0f %s", e->events[i], sl_energy_events[i].name);
  }
  if (begun)
    sl_list_end(&line);
  if (counts_all(e))
    return;
  sl_list_begin(&line, file, 2, "not included, because %s does not count them:", e->machine);
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    if (!e->counted[i])
      sl_list_item(&line, "%s", sl_energy_events[i].name);
  sl_list_end(&line);
}

static json_t *event_json(const struct sl_energy *e, unsigned event)
{
  return SL_JSON({"count", json_real(e->events[event])}, {"picojoules_each", json_real(e->set->picojoules[event])},
                 {"picojoules", json_real(e->picojoules[event])});
}

json_t *sl_energy_json(const struct sl_energy *e)
{
  json_t *json = json_object(), *events = json_object(), *not_counted = json_array(), *without = json_object();
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    const char *name = sl_energy_events[i].name;
    if (!e->counted[i])
      sl_json_append(&not_counted, json_string(name));
    else if (e->set->known[i])
      sl_json_put(&events, name, event_json(e, i));
    else
      sl_json_put(&without, name, json_real(e->events[i]));
  }
  sl_json_put(&json, "set", sl_json_text(e->set->name));
  sl_json_put(&json, "summary", sl_json_text(e->set->summary));
  sl_json_put(&json, "source", sl_json_text(e->set->source));
  sl_json_put(&json, "picojoules", json_real(e->total));
  sl_json_put(&json, "events", events);
  sl_json_put(&json, "not_counted", not_counted);
  sl_json_put(&json, "without_figure", without);
  return json;
}
