#include "observe/energy/energy.h"

#include "device/device.h"
#include "observe/json.h"
#include "observe/terminal.h"

/* ---- power that does not follow from events ---------------------------------------------------------------------- */

static bool any(const double events[SL_ENERGY_EVENTS], enum sl_energy_event first, enum sl_energy_event last)
{
  double sum = 0;
  for (enum sl_energy_event e = first; e <= last; e++)
    sum += events[e];
  return sum > 0;
}

static enum sl_power_kind without_arithmetic(const double e[SL_ENERGY_EVENTS])
{
  return e[SL_ENERGY_L1] > 0       ? SL_POWER_L1
         : e[SL_ENERGY_SHARED] > 0 ? SL_POWER_SHARED
         : e[SL_ENERGY_L2] > 0     ? SL_POWER_L2
                                   : SL_POWER_LIGHT;
}

/* The mixes that AccelWattch has measured. Moves, logic and the like count as integer additions. */
static enum sl_power_kind kind_of(const double e[SL_ENERGY_EVENTS])
{
  const bool adds = e[SL_ENERGY_LANE_INTEGER] + e[SL_ENERGY_LANE_OTHER] > 0;
  const bool multiplies = e[SL_ENERGY_LANE_MULTIPLY] + e[SL_ENERGY_LANE_DIVIDE] > 0, integer = adds || multiplies;
  const bool single = any(e, SL_ENERGY_LANE_FLOAT, SL_ENERGY_LANE_FUSED) || e[SL_ENERGY_LANE_FLOAT_DIVIDE] > 0;
  const bool wide =
      any(e, SL_ENERGY_LANE_DOUBLE, SL_ENERGY_LANE_DOUBLE_MULTIPLY) || e[SL_ENERGY_LANE_DOUBLE_DIVIDE] > 0;
  const bool special = any(e, SL_ENERGY_LANE_ROOT, SL_ENERGY_LANE_LOGARITHM), tensor = e[SL_ENERGY_LANE_TENSOR] > 0;
  const bool texture = e[SL_ENERGY_TEXTURE] > 0;
  const unsigned further = (unsigned)wide + special + tensor + texture;
  if (!integer && !single && further == 0)
    return without_arithmetic(e);
  if (integer && !single && further == 0)
    return !multiplies ? SL_POWER_INTEGER_ADD : !adds ? SL_POWER_INTEGER_MULTIPLY : SL_POWER_INTEGER;
  if (!integer || !single || further > 1)
    return SL_POWER_MIXED;
  return wide      ? SL_POWER_DOUBLE
         : special ? SL_POWER_SPECIAL
         : tensor  ? SL_POWER_TENSOR
         : texture ? SL_POWER_TEXTURE
                   : SL_POWER_FLOAT;
}

static struct sl_power power_of(const struct sl_power_set *set, const double events[SL_ENERGY_EVENTS], double lanes,
                                double clock_mhz)
{
  const double cycle = 1e6 / clock_mhz; /* picojoules of a watt in a cycle */
  struct sl_power p = {.kind = kind_of(events)};
  p.constant = set->constant / set->sms * cycle;
  p.idle = set->idle_sm * cycle;
  p.active = (set->first[p.kind] + (lanes > 1 ? lanes - 1 : 0) * set->further[p.kind]) / set->sms * cycle;
  return p;
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

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

/* Whether the set has a figure for a part of an event that the machine counts. */
static bool has_parts(const struct sl_energy *e, unsigned event)
{
  bool any = false;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    any |= sl_energy_events[i].coarse == event && e->counted[i] && e->set->known[i];
  return any;
}

/* Drops coarse events whose parts count, and parts of coarse events that count. */
static void choose_events(struct sl_energy *e)
{
  bool dropped[SL_ENERGY_EVENTS] = {false};
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    const enum sl_energy_event coarse = sl_energy_events[i].coarse;
    dropped[i] = coarse == SL_ENERGY_NONE ? has_parts(e, i) : !has_parts(e, coarse);
  }
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    if (dropped[i])
      e->events[i] = 0;
}

static void add_power(struct sl_energy *e, const struct sl_config *config, const uint64_t *counters)
{
  const unsigned mhz = config->machine->peaks(config->spec).clock_mhz;
  size_t active, warps, threads;
  if (mhz == 0 || !e->set->power.known || !sl_counter_find(config->machine, "sm_cycles", &active) ||
      !sl_counter_find(config->machine, "warp_instrs", &warps) ||
      !sl_counter_find(config->machine, "thread_instrs", &threads))
    return;
  const double lanes = counters[warps] > 0 ? (double)counters[threads] / (double)counters[warps] : 0;
  const struct sl_power power = power_of(&e->set->power, e->events, lanes, mhz);
  const double all = e->events[SL_ENERGY_STATIC];
  const struct {
    enum sl_energy_event event;
    double count, each;
  } rows[] = {{SL_ENERGY_POWER_CONSTANT, all, power.constant},
              {SL_ENERGY_POWER_IDLE, all - (double)counters[active], power.idle},
              {SL_ENERGY_POWER_ACTIVE, (double)counters[active], power.active}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    count(e, rows[i].event, rows[i].count);
    e->known[rows[i].event] = true;
    e->each[rows[i].event] = rows[i].each;
  }
  if (!e->set->known[SL_ENERGY_STATIC]) /* the rows above are it */
    e->events[SL_ENERGY_STATIC] = 0;
}

/* Simulated time of all launches. */
static double seconds_of(const struct sl_config *config, const uint64_t *counters)
{
  const unsigned mhz = config->machine->peaks(config->spec).clock_mhz;
  double cycles = 0;
  for (size_t i = 0; i < config->machine->counters->count; i++)
    cycles += config->machine->counters->counter[i].role == SL_COUNTER_CYCLES ? (double)counters[i] : 0;
  return mhz > 0 ? cycles / (mhz * 1e6) : 0;
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
    e->known[i] = set->known[i];
    e->each[i] = set->picojoules[i];
  }
  add_power(e, config, counters);
  choose_events(e);
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    e->picojoules[i] = e->known[i] ? e->events[i] * e->each[i] : 0;
    e->total += e->picojoules[i];
  }
  e->seconds = seconds_of(config, counters);
  e->watts = set->power.known && e->seconds > 0 ? e->total * 1e-12 / e->seconds : 0;
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
    if (!e->known[i] || e->events[i] <= 0)
      continue;
    sl_table_cell(&table, "%s", sl_energy_events[i].name);
    sl_table_cell(&table, "%.0f", e->events[i]);
    sl_table_cell(&table, "%g", e->each[i]);
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

/* Whether a count of the event is not missing: it is counted, or follows from others. */
static bool is_listed(const struct sl_energy *e, unsigned event)
{
  return e->counted[event] || sl_energy_events[event].coarse != SL_ENERGY_NONE || event >= SL_ENERGY_POWER_CONSTANT;
}

static bool counts_all(const struct sl_energy *e)
{
  bool all = true;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    all &= is_listed(e, i);
  return all;
}

void sl_energy_print(const struct sl_energy *e, FILE *file)
{
  struct sl_list_line line;
  sl_print_lines(file, 2, "energy by set %s: %s", e->set->name, e->set->summary);
  print_table(e, file);
  if (e->watts > 0)
    sl_print_lines(file, 2, "mean power %.1f W over %.3f us", e->watts, 1e6 * e->seconds);
  bool begun = false;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    if (e->events[i] <= 0 || e->known[i])
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
    if (!is_listed(e, i))
      sl_list_item(&line, "%s", sl_energy_events[i].name);
  sl_list_end(&line);
}

static json_t *event_json(const struct sl_energy *e, unsigned event)
{
  return SL_JSON({"count", json_real(e->events[event])}, {"picojoules_each", json_real(e->each[event])},
                 {"picojoules", json_real(e->picojoules[event])});
}

json_t *sl_energy_json(const struct sl_energy *e)
{
  json_t *json = json_object(), *events = json_object(), *not_counted = json_array(), *without = json_object();
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++) {
    const char *name = sl_energy_events[i].name;
    if (!is_listed(e, i))
      sl_json_append(&not_counted, json_string(name));
    else if (e->known[i] && e->counted[i])
      sl_json_put(&events, name, event_json(e, i));
    else if (e->counted[i] && (e->events[i] > 0 || sl_energy_events[i].coarse == SL_ENERGY_NONE))
      sl_json_put(&without, name, json_real(e->events[i]));
  }
  SL_JSON_ADD(&json, {"set", sl_json_text(e->set->name)}, {"summary", sl_json_text(e->set->summary)},
              {"source", sl_json_text(e->set->source)}, {"picojoules", json_real(e->total)},
              {"watts", e->watts > 0 ? json_real(e->watts) : json_null()},
              {"seconds", e->seconds > 0 ? json_real(e->seconds) : json_null()}, {"events", events},
              {"not_counted", not_counted}, {"without_figure", without});
  return json;
}
