#include "lab/run/execute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/record.h"
#include "lab/study/study.h"
#include "lab/sweep.h"
#include "observe/energy/energy.h"
#include "observe/json.h"

void sl_outcome_names(struct sl_run_outcome *outcome, const struct sl_machine *machine)
{
  outcome->pipeline = machine->name;
  outcome->counters = json_array();
  outcome->launches = json_array();
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_append(&outcome->counters, json_string(machine->counters->counter[i].name));
}

void sl_outcome_launch(struct sl_run_outcome *outcome, const struct sl_machine *machine, const struct sl_launch *launch)
{
  json_t *values = json_array();
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_append(&values, sl_json_count(launch->counters[i]));
  sl_json_append(&outcome->launches, values);
}

json_int_t sl_outcome_cycles(const struct sl_run_outcome *outcome)
{
  json_int_t cycles = 0;
  size_t i, k;
  json_t *name, *values;
  json_array_foreach(outcome->counters, i, name)
  {
    if (strcmp(json_string_value(name), "cycles") != 0)
      continue;
    json_array_foreach(outcome->launches, k, values) cycles += json_integer_value(json_array_get(values, i));
  }
  return cycles;
}

int sl_outcome_put_byte(void *context, uint8_t byte)
{
  struct sl_run_outcome *outcome = context;
  if (outcome->output_size == SL_KEPT_OUTPUT - 1) {
    outcome->output_size /= 2;
    memmove(outcome->output, outcome->output + SL_KEPT_OUTPUT - 1 - outcome->output_size, outcome->output_size);
  }
  outcome->output[outcome->output_size++] = (char)byte;
  outcome->output[outcome->output_size] = '\0';
  return 0;
}

void sl_outcome_add(struct sl_run_outcome *outcome, const char *name, size_t launch, int64_t value)
{
  size_t i;
  json_t *values;
  if (!sl_is_counter_name(name))
    sl_fail(&outcome->error, SL_USAGE, "'%.80s' is no name of a counter; use letters, digits and '_'", name);
  sl_json_append(&outcome->counters, json_string(name));
  json_array_foreach(outcome->launches, i, values)
      sl_json_append(&values, json_integer(i == launch ? (json_int_t)value : 0));
}

void sl_outcome_add_printed(struct sl_run_outcome *outcome, const char *wanted, const char *text, const char *what)
{
  const size_t last = json_array_size(outcome->launches) - 1;
  const char *pattern = wanted, *at = text;
  const size_t literal = strcspn(pattern, "{");
  char first[SL_COUNTER_NAME * 2];
  snprintf(first, sizeof first, "%.*s", (int)literal, pattern);
  at = strstr(at, first);
  while (at != NULL && *pattern != '\0') {
    if (*pattern != '{') {
      at = *at == *pattern++ ? at + 1 : NULL;
      continue;
    }
    char name[SL_COUNTER_NAME], *end;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pattern + 1, "}"), pattern + 1);
    const long long value = strtoll(at, &end, 10);
    pattern += strcspn(pattern, "}") + (strchr(pattern, '}') != NULL);
    at = end > at ? end : NULL;
    sl_outcome_add(outcome, name, last, value);
  }
  if (at == NULL)
    sl_fail(&outcome->error, SL_CHECK_FAILED, "the %s does not print '%.200s'; its output ends with: %.200s", what,
            wanted, text);
}

void sl_outcome_add_counts(const json_t *run, struct sl_run_outcome *outcome)
{
  const char *name;
  json_t *text, *values;
  json_object_foreach(json_object_get(run, "counts"), name, text)
  {
    struct sl_expression *expression;
    if (sl_expression_parse(&expression, json_string_value(text), &outcome->error) == SL_OK) {
      size_t launch, i;
      json_array_foreach(outcome->launches, launch, values)
      {
        struct sl_datum data[SL_COUNTERS_MOST] = {{0}};
        for (size_t k = 0; k < sl_expression_name_count(expression); k++) {
          json_t *counter;
          data[k].number = NAN;
          json_array_foreach(outcome->counters, i, counter)
          {
            if (strcmp(json_string_value(counter), sl_expression_name(expression, k)) == 0)
              data[k].number = (double)json_integer_value(json_array_get(values, i));
          }
        }
        const double value = sl_expression_value(expression, data).number;
        sl_json_append(&values, json_integer(isfinite(value) ? llround(value) : 0));
      }
      sl_json_append(&outcome->counters, json_string(name));
    }
    sl_expression_free(expression);
  }
}

void sl_outcome_add_sampled(const struct sl_machine *machine, const struct sl_sampled *s,
                            struct sl_run_outcome *outcome)
{
  size_t cycles = 0;
  sl_counter_find(machine, "cycles", &cycles);
  const double bar = s->bar[cycles];
  const size_t last = json_array_size(outcome->launches) - 1;
  sl_outcome_add(outcome, "sampled.progress", last, (int64_t)s->progress);
  sl_outcome_add(outcome, "sampled.timed", last, (int64_t)s->timed);
  sl_outcome_add(outcome, "sampled.windows", last, (int64_t)s->windows);
  sl_outcome_add(outcome, "sampled.bar", last, s->settled ? isfinite(bar) ? llround(bar) : -1 : 0);
}

void sl_outcome_add_energy(struct sl_run_outcome *outcome, const char *name, const struct sl_config *config,
                           const uint64_t *totals)
{
  struct sl_energy_set set;
  struct sl_energy energy;
  const size_t launches = json_array_size(outcome->launches);
  if (launches == 0 || sl_energy_set_open(&set, name, &outcome->error) != SL_OK)
    return;
  sl_energy_of(&energy, &set, config, totals);
  sl_outcome_add(outcome, "energy", launches - 1, llround(1000 * energy.total));
  for (size_t i = 0; i < SL_ENERGY_EVENTS; i++) {
    char counter[SL_COUNTER_NAME];
    snprintf(counter, sizeof counter, "energy.%s", sl_energy_events[i].name);
    sl_outcome_add(outcome, counter, launches - 1, llround(1000 * energy.picojoules[i]));
  }
}
