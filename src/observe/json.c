/* JSON of a run. A member that cannot be created makes the whole value NULL, so nothing is missing silently. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/json.h"
#include "observe/report.h"

/* Enough digits for host times and ratios, and short to read. */
enum { REAL_DIGITS = 9 };

json_t *sl_json_hex(uint64_t value, int digits)
{
  return json_sprintf("0x%0*" PRIx64, digits, value);
}

json_t *sl_json_count(uint64_t value)
{
  return json_integer((json_int_t)value);
}

json_t *sl_json_known(struct sl_known known)
{
  return known.known ? sl_json_count(known.value) : json_null();
}

json_t *sl_json_text(const char *text)
{
  json_t *json = text != NULL ? json_string(text) : json_null();
  char *ascii = json == NULL ? strdup(text) : NULL;
  if (ascii == NULL)
    return json;
  for (char *c = ascii; *c != '\0'; c++)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  json = json_string(ascii);
  free(ascii);
  return json;
}

/* Drops the whole value if the part was not added. */
static void keep(json_t **whole, bool added)
{
  if (added)
    return;
  json_decref(*whole);
  *whole = NULL;
}

void sl_json_put(json_t **whole, const char *name, json_t *member)
{
  keep(whole, json_object_set_new(*whole, name, member) == 0);
}

void sl_json_append(json_t **whole, json_t *element)
{
  keep(whole, json_array_append_new(*whole, element) == 0);
}

json_t *sl_json_object(const struct sl_json_member *members, size_t count)
{
  json_t *json = json_object();
  for (size_t i = 0; i < count; i++)
    sl_json_put(&json, members[i].name, members[i].value);
  return json;
}

static json_t *key_json(const struct sl_key *key, uint32_t value)
{
  switch (key->type) {
  case SL_KEY_BOOL: return json_boolean(value != 0);
  case SL_KEY_CHOICE: return json_string(key->choices[value]);
  default: return json_integer(value);
  }
}

json_t *sl_config_json(const struct sl_config *config)
{
  const struct sl_keys *table = config->machine->keys;
  json_t *keys = json_object();
  for (size_t i = 0; i < table->count; i++)
    sl_json_put(&keys, table->key[i].name, key_json(&table->key[i], sl_key_value(&table->key[i], config->spec)));
  return SL_JSON({"name", sl_json_text(config->name)}, {"pipeline", json_string(config->machine->name)},
                 {"keys", keys});
}

json_t *sl_counter_json(const struct sl_counter *counter, uint64_t value)
{
  return SL_JSON({"value", json_integer((json_int_t)value)}, {"unit", json_string(counter->unit)});
}

static json_t *counters_json(const struct sl_machine *machine, const struct sl_launch *launches, size_t count)
{
  json_t *json = json_object();
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_put(&json, machine->counters->counter[i].name,
                sl_counter_json(&machine->counters->counter[i], sl_counter_total(machine, i, launches, count)));
  return json;
}

static json_t *launch_json(const struct sl_report *report, const struct sl_launch *launch)
{
  struct sl_location at = sl_program_locate(report->program, launch->entry);
  return SL_JSON({"entry", sl_json_hex(launch->entry, 8)}, {"function", sl_json_text(at.function)},
                 {"warps_per_block", json_integer(launch->warps_per_block)},
                 {"succeeded", json_boolean(launch->succeeded)},
                 {"counters", counters_json(report->config->machine, launch, 1)});
}

static json_t *launches_json(const struct sl_report *report, const struct sl_result *result)
{
  json_t *json = json_array();
  for (size_t i = 0; i < result->launch_count && json != NULL; i++)
    sl_json_append(&json, launch_json(report, &result->launches[i]));
  return json;
}

/* Instructions executed without timing before the first launch. */
static json_t *fast_forward_json(const struct sl_machine *machine, const struct sl_result *result)
{
  const struct sl_figures figures = sl_figures_of(machine, &result->skipped, 1);
  json_t *json =
      SL_JSON({"version", json_integer(1)}, {"launches_skipped", json_integer((json_int_t)result->skipped_count)},
              {"launch_begun", json_boolean(result->skipped_begin)});
  if (figures.warp_instructions.known)
    sl_json_put(&json, "warp_instrs", json_integer((json_int_t)figures.warp_instructions.value));
  sl_json_put(&json, "thread_instrs", json_integer((json_int_t)figures.thread_instructions));
  sl_json_put(&json, "seconds", json_real(result->skipped.host_seconds));
  return json;
}

static json_t *totals_json(const struct sl_machine *machine, const struct sl_result *result)
{
  struct sl_figures figures = sl_figures_of(machine, result->launches, result->launch_count);
  return SL_JSON({"launches", json_integer((json_int_t)result->launch_count)},
                 {"counters", counters_json(machine, result->launches, result->launch_count)},
                 {"ipc", json_real(figures.ipc)});
}

json_t *sl_program_json(const struct sl_program *program)
{
  return SL_JSON({"file", sl_json_text(sl_program_name(program))}, {"hash", sl_json_hex(sl_program_hash(program), 16)});
}

/* Values of the host: two runs differ in nothing else. */
static json_t *host_json(const struct sl_machine *machine, const struct sl_result *result)
{
  struct sl_figures figures = sl_figures_of(machine, result->launches, result->launch_count);
  return SL_JSON({"seconds", json_real(result->host_seconds)}, {"sm_seconds", json_real(result->sm_host_seconds)},
                 {"kernel_seconds", json_real(sl_launch_seconds(result->launches, result->launch_count))},
                 {"cycles_per_second",
                  json_real(sl_rate(figures.cycles, sl_launch_seconds(result->launches, result->launch_count)))});
}

json_t *sl_series_json(const struct sl_series *series)
{
  json_t *values = json_array();
  for (unsigned i = 0; i < series->count && values != NULL; i++)
    sl_json_append(&values, json_integer(series->value[i]));
  return SL_JSON({"cycles_per_sample", sl_json_count(series->period)}, {"most_in_use", values});
}

json_t *sl_report_json(const struct sl_report *report)
{
  const struct sl_result *result = sl_device_result(report->device);
  const struct sl_machine *machine = report->config->machine;
  json_t *json = SL_JSON({"schema", json_integer(1)}, {"simtlab", json_string(report->version)},
                         {"machine", sl_config_json(report->config)}, {"program", sl_program_json(report->program)},
                         {"mode", json_string(report->fast              ? "fast"
                                              : result->sampled.settled ? "sampled"
                                                                        : "cycle")},
                         {"outcome", json_string(sl_outcome(report->error->code, result->status))});
  if (report->error->code != SL_OK)
    sl_json_put(&json, "message", sl_json_text(report->error->text));
  sl_json_put(&json, "status", report->error->code == SL_OK ? json_integer(result->status) : json_null());
  sl_json_put(&json, "host_instructions", json_integer((json_int_t)result->host_instructions));
  sl_json_put(&json, "launches", launches_json(report, result));
  sl_json_put(&json, "totals", totals_json(machine, result));
  if (result->skipped_count > 0 || result->skipped_begin)
    sl_json_put(&json, "fast_forward", fast_forward_json(machine, result));
  if (sl_device_residency(report->device) != NULL)
    sl_json_put(&json, "vector_registers_over_time", sl_series_json(sl_device_residency(report->device)));
  sl_json_put(&json, "memory_hash", sl_json_hex(sl_device_memory_hash(report->device), 16));
  sl_json_put(&json, "host", host_json(machine, result));
  return json;
}

const char *sl_outcome(enum sl_status code, int status)
{
  switch (code) {
  case SL_OK: return status == 0 ? "passed" : "check failed";
  case SL_CHECK_FAILED: return "check failed";
  case SL_FAULT: return "fault";
  case SL_LIMIT: return "limit";
  default: return code >= SL_INTERRUPTED ? "interrupted" : "error";
  }
}

static int write_piece(const char *bytes, size_t size, void *output)
{
  sl_output_write(output, bytes, size);
  return 0;
}

enum sl_status sl_json_write(json_t *json, struct sl_output *output, struct sl_error *err)
{
  if (json == NULL)
    return sl_no_memory(err, 0);
  int failed = json_dump_callback(json, write_piece, output, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
  json_decref(json);
  sl_output_write(output, "\n", 1);
  return failed ? sl_no_memory(err, 0) : SL_OK;
}

enum sl_status sl_json_save(json_t *json, const char *path, struct sl_error *err)
{
  struct sl_output output;
  enum sl_status code = sl_output_open(&output, path, err);
  if (code != SL_OK) {
    json_decref(json);
    return code;
  }
  code = sl_json_write(json, &output, err);
  enum sl_status closed = sl_output_close(&output, code == SL_OK ? err : NULL);
  return code != SL_OK ? code : closed;
}
