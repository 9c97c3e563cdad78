#include "observe/saved_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "observe/json.h"
#include "observe/report.h"

enum { SCHEMA = 2 };

/* The key as JSON, NULL without memory. */
static json_t *run_key_json(const struct sl_run_key *key)
{
  return json_pack("{ss so so ss ss ss so ss*}", "simtlab", key->version, "build",
                   json_sprintf("0x%016" PRIx64, key->build), "machine", sl_config_json(key->config), "benchmark",
                   key->benchmark, "size", key->size, "isa", key->isa, "program",
                   json_sprintf("0x%016" PRIx64, key->program), "sample", key->sample);
}

static bool read_number(const json_t *object, const char *name, uint64_t *value)
{
  const json_t *member = json_object_get(object, name);
  if (!json_is_integer(member) || json_integer_value(member) < 0)
    return false;
  *value = (uint64_t)json_integer_value(member);
  return true;
}

/* The bar is stored as text to preserve its exact value; "inf" if unknown. */
static bool read_samples(struct sl_saved_samples *samples, const json_t *root)
{
  const json_t *sampled = json_object_get(root, "sampled");
  const char *bar = json_string_value(json_object_get(sampled, "bar"));
  char *end = NULL;
  samples->bar = bar != NULL ? strtod(bar, &end) : -1;
  return read_number(sampled, "executed", &samples->executed) && read_number(sampled, "timed", &samples->timed) &&
         read_number(sampled, "windows", &samples->windows) && samples->bar >= 0 && *end == '\0';
}

static bool read_counters(struct sl_saved_run *run, const struct sl_counters *counters, const json_t *root)
{
  const json_t *values = json_object_get(root, "counters");
  bool ok = read_number(root, "launches", &run->launches) && read_number(root, "samples", &run->samples);
  for (size_t i = 0; i < counters->count && ok; i++)
    ok = read_number(values, counters->counter[i].name, &run->counters[i]);
  const json_t *region = json_object_get(root, "region");
  if (ok && region != NULL)
    ok = read_number(region, "cycles", &run->region.cycles) &&
         read_number(region, "thread_instrs", &run->region.thread_instrs) &&
         read_number(region, "flops", &run->region.flops);
  return ok;
}

/* Checksum over all members except itself, ordered by name: the file's layout does not matter. */
static json_t *checksum_of(const json_t *root)
{
  json_t *rest = json_copy((json_t *)(uintptr_t)root);
  if (rest != NULL)
    json_object_del(rest, "checksum");
  char *text = rest != NULL ? json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
  json_t *sum = text != NULL ? json_sprintf("0x%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text))) : NULL;
  free(text);
  json_decref(rest);
  return sum;
}

/* Whether the file is unmodified. */
static bool is_unchanged(const json_t *root)
{
  json_t *sum = checksum_of(root);
  const bool unchanged = sum != NULL && json_equal(json_object_get(root, "checksum"), sum);
  json_decref(sum);
  return unchanged;
}

bool sl_saved_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path)
{
  json_t *root = json_load_file(path, 0, NULL), *wanted = run_key_json(key);
  uint64_t schema = 0;
  *run = (struct sl_saved_run){0};
  const bool ours = root != NULL && wanted != NULL && read_number(root, "schema", &schema) && schema == SCHEMA;
  const bool whole = ours && is_unchanged(root);
  const bool ok = whole && json_equal(json_object_get(root, "key"), wanted) &&
                  read_counters(run, key->config->machine->counters, root) &&
                  (key->sample == NULL || read_samples(&run->timed_part, root));
  json_decref(root);
  json_decref(wanted);
  run->changed = ours && !whole;
  return ok;
}

static json_t *run_json(const struct sl_saved_run *run, const struct sl_run_key *key)
{
  const struct sl_counters *counters = key->config->machine->counters;
  json_t *values = json_object();
  bool ok = values != NULL;
  for (size_t i = 0; i < counters->count && ok; i++)
    ok = json_object_set_new(values, counters->counter[i].name, json_integer((json_int_t)run->counters[i])) == 0;
  if (!ok) {
    json_decref(values);
    return NULL;
  }
  json_t *json = json_pack("{si so sI sI so}", "schema", SCHEMA, "key", run_key_json(key), "launches",
                           (json_int_t)run->launches, "samples", (json_int_t)run->samples, "counters", values);
  if (json != NULL && key->sample != NULL)
    json_object_set_new(json, "sampled",
                        json_pack("{sI sI sI so}", "executed", (json_int_t)run->timed_part.executed, "timed",
                                  (json_int_t)run->timed_part.timed, "windows", (json_int_t)run->timed_part.windows,
                                  "bar", json_sprintf("%.17g", run->timed_part.bar)));
  if (json != NULL && run->region.cycles != 0)
    json_object_set_new(json, "region",
                        json_pack("{sI sI sI}", "cycles", (json_int_t)run->region.cycles, "thread_instrs",
                                  (json_int_t)run->region.thread_instrs, "flops", (json_int_t)run->region.flops));
  return json;
}

enum sl_status sl_saved_run_write(const struct sl_saved_run *run, const struct sl_run_key *key, const char *path,
                                  struct sl_error *err)
{
  json_t *json = run_json(run, key);
  sl_json_put(&json, "checksum", checksum_of(json));
  return sl_json_save(json, path, err);
}
