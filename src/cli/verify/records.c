#include "cli/verify/records.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "observe/terminal.h"

/* The differences reached, plus a fifth. The RTL's slope of eight warps with fmadd alone is 4.8 % off. */
static const struct sl_bounds vortex_rtl = {.kernel_mean = 0.45, .kernel_worst = 1.3, .slope_worst = 5, .kernels = 26};
static const struct sl_bounds vortex_simx = {.kernel_mean = 0.14, .kernel_worst = 1.4, .slope_worst = 0, .kernels = 26};

static const struct sl_recording recordings[] = {
    {"simtight", {NULL}, "base", "simtight", false, NULL},
    {"simtight-fp", {NULL}, "basefp", "simtight", false, NULL},
    {"simtight-rfc", {"registers.slots=0"}, "rfc2048", "simtight", false, NULL},
    {"simtight-rfc", {NULL}, "rfc512", "simtight", false, NULL},
    {"simtight-rfc", {"registers.slots=256"}, "rfc256", "simtight", false, NULL},
    {"simtight-rfc-pp", {"registers.slots=2047"}, "rfcpp2047", "simtight", true, NULL},
    {"simtight-rfc-pp", {NULL}, "rfcpp512", "simtight", true, NULL},
    {"simtight-rfc-pp-sb", {"registers.slots=2047"}, "rfcppsb2047", "simtight", true, NULL},
    {"simtight-rfc-pp-fp", {NULL}, "rfcppfp512", "simtight", true, NULL},
    {"simty", {NULL}, "8x4", "simty/8x4", false, NULL},
    {"simty", {"lanes=8"}, "8x8", "simty/8x8", false, NULL},
    {"simty", {"warps=16"}, "16x4", "simty/16x4", false, NULL},
    {"simty", {"warps=16", "lanes=16"}, "16x16", "simty/16x16", false, NULL},
    {"vortex", {NULL}, "rtl", "vortex", false, &vortex_rtl},
    {"vortex-simx", {NULL}, "simx", "vortex", false, &vortex_simx},
};

enum { RECORDINGS = sizeof recordings / sizeof recordings[0] };

/* The counter belongs to a register file of capability meta-data; the RTL reports its size even without one. */
enum { CAPABILITY_REGISTERS = 2048 };

/* Counts the keys that differ between two configurations of one pipeline, and lists them in `text`. */
size_t sl_recording_differences(const struct sl_config *ours, const struct sl_config *recorded, char *text, size_t size)
{
  const struct sl_keys *keys = ours->machine->keys;
  size_t different = 0, used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < keys->count; i++) {
    uint32_t a = sl_key_value(&keys->key[i], ours->spec), b = sl_key_value(&keys->key[i], recorded->spec);
    if (a == b)
      continue;
    char a_text[64], b_text[64];
    sl_key_format(&keys->key[i], a, a_text, sizeof a_text);
    sl_key_format(&keys->key[i], b, b_text, sizeof b_text);
    if (used < size) {
      int n = snprintf(text + used, size - used, "%s%s is %s, recorded with %s", different > 0 ? "; " : "",
                       keys->key[i].name, a_text, b_text);
      used += n > 0 ? (size_t)n : 0;
    }
    different++;
  }
  return different;
}

size_t sl_recording_count(void)
{
  return RECORDINGS;
}

const struct sl_recording *sl_recording_at(size_t i)
{
  return &recordings[i];
}

enum sl_status sl_recording_open(const struct sl_recording *recording, struct sl_config *config, struct sl_error *err)
{
  enum sl_status code = sl_config_open(config, recording->preset, err);
  for (size_t i = 0; i < 2 && code == SL_OK && recording->setting[i] != NULL; i++)
    code = sl_config_set(config, recording->setting[i], err);
  return code;
}

/* Whether the machine can run the recorded programs: same instruction set, with or without a host CPU. */
static bool runs_records(const struct sl_config *config, const struct sl_config *recorded)
{
  if (config->machine != recorded->machine)
    return false;
  const struct sl_soc ours = config->machine->soc(config->spec), its = recorded->machine->soc(recorded->spec);
  return ours.isa == its.isa && ours.launches == its.launches && ours.no_host == its.no_host;
}

enum sl_status sl_recording_find(const struct sl_config *config, const struct sl_recording **recording,
                                 char *differences, size_t size, struct sl_error *err)
{
  size_t fewest = SIZE_MAX;
  *recording = NULL;
  for (size_t i = 0; i < RECORDINGS; i++) {
    struct sl_config recorded;
    char text[512];
    enum sl_status code = sl_recording_open(&recordings[i], &recorded, err);
    if (code != SL_OK)
      return code;
    if (runs_records(config, &recorded)) {
      size_t different = sl_recording_differences(config, &recorded, text, sizeof text);
      if (different < fewest) {
        fewest = different;
        *recording = &recordings[i];
        snprintf(differences, size, "%s", text);
      }
    }
    sl_config_close(&recorded);
  }
  if (*recording == NULL)
    return sl_fail(err, SL_USAGE,
                   "nothing is recorded for machine '%s'; there are records for simtight, simty, vortex, vortex-simx, "
                   "sm7 and what "
                   "is based on them",
                   config->name);
  return SL_OK;
}

/* Adds a run if its name matches. */
static enum sl_status add_record(struct sl_records *records, const char *pattern, const struct sl_record *record,
                                 struct sl_error *err)
{
  if (pattern != NULL && fnmatch(pattern, record->name, 0) != 0)
    return SL_OK;
  if (!SL_GROW(records->record, records->count))
    return sl_no_memory(err, (records->count + 1) * sizeof *records->record);
  records->record[records->count++] = *record;
  return SL_OK;
}

/* program -> "runs" -> configuration -> run -> counters. */
static enum sl_status collect(struct sl_records *records, const char *configuration, const char *pattern,
                              struct sl_error *err)
{
  const char *program, *name;
  json_t *entry, *counters;
  enum sl_status code = SL_OK;
  json_object_foreach(records->root, program, entry)
  {
    json_t *runs = json_object_get(json_object_get(entry, "runs"), configuration);
    json_object_foreach(runs, name, counters)
    {
      struct sl_record record = {.counters = counters};
      snprintf(record.name, sizeof record.name, "%s", name);
      if (code == SL_OK)
        code = add_record(records, pattern, &record, err);
    }
  }
  return code;
}

/* "kernels" -> kernel -> size -> values, and "micro" -> program -> values, for all configurations. */
static enum sl_status collect_bounded(struct sl_records *records, const char *pattern, struct sl_error *err)
{
  const char *name, *size;
  json_t *sizes, *values;
  enum sl_status code = SL_OK;
  json_object_foreach(json_object_get(records->root, "kernels"), name, sizes)
  {
    json_object_foreach(sizes, size, values)
    {
      struct sl_record record = {.counters = values, .kernel = true};
      snprintf(record.name, sizeof record.name, "%s_%s", name, size);
      if (code == SL_OK)
        code = add_record(records, pattern, &record, err);
    }
  }
  json_object_foreach(json_object_get(records->root, "micro"), name, values)
  {
    struct sl_record record = {.counters = values};
    snprintf(record.name, sizeof record.name, "%s", name);
    if (code == SL_OK)
      code = add_record(records, pattern, &record, err);
  }
  return code;
}

enum sl_status sl_records_read(struct sl_records *records, const struct sl_recording *recording, const char *path,
                               const char *pattern, struct sl_error *err)
{
  json_error_t problem;
  *records = (struct sl_records){.root = json_load_file(path, 0, &problem)};
  if (records->root == NULL)
    return sl_fail(err, SL_USAGE, "%.300s:%d: %s", path, problem.line, problem.text);
  enum sl_status code = recording->bounds != NULL ? collect_bounded(records, pattern, err)
                                                  : collect(records, recording->configuration, pattern, err);
  if (code == SL_OK && records->count == 0)
    code = sl_fail(err, SL_USAGE, "no recorded program of configuration '%s' matches '%.80s'", recording->configuration,
                   pattern != NULL ? pattern : "*");
  if (code != SL_OK)
    sl_records_free(records);
  return code;
}

void sl_records_free(struct sl_records *records)
{
  json_decref(records->root);
  free(records->record);
  *records = (struct sl_records){0};
}

bool sl_record_value(const struct sl_recording *recording, const struct sl_record *record,
                     const struct sl_counter *counter, uint64_t *value)
{
  if (counter->rtl_name == NULL)
    return false;
  if (strcmp(counter->rtl_name, "ScalarisableInstrs") == 0 && !recording->scalar_pipeline)
    return false;
  const json_t *recorded = json_object_get(record->counters, counter->rtl_name);
  if (recorded == NULL && strcmp(counter->rtl_name, "MaxCapVecRegs") == 0)
    *value = CAPABILITY_REGISTERS;
  else
    *value = (uint64_t)json_integer_value(recorded);
  return true;
}

/* `key` names the value in the records, `name` the counter. */
static struct sl_bounded_value bounded_value(const struct sl_record *record, const char *key,
                                             const struct sl_counters *counters, const char *name, const uint64_t *ours)
{
  struct sl_bounded_value value = {.recorded = json_number_value(json_object_get(record->counters, key))};
  for (size_t i = 0; i < counters->count; i++)
    if (strcmp(counters->counter[i].name, name) == 0)
      value.ours = (double)ours[i];
  return value;
}

struct sl_bounded_run sl_record_bounded(const struct sl_recording *recording, const struct sl_record *record,
                                        const struct sl_counters *counters, const uint64_t *ours)
{
  return (struct sl_bounded_run){
      .name = record->name,
      .kernel = record->kernel,
      .cycles = bounded_value(record, recording->configuration, counters, "cycles", ours),
      .instructions = {bounded_value(record, "warp_instrs", counters, "warp_instrs", ours),
                       bounded_value(record, "thread_instrs", counters, "thread_instrs", ours)},
  };
}

/* Loop iterations of every micro-program. */
enum { ITERATIONS = 40 };

double sl_bounded_difference(struct sl_bounded_value value)
{
  if (value.ours == value.recorded)
    return 0;
  return value.recorded == 0 ? INFINITY : 100 * (value.ours - value.recorded) / value.recorded;
}

bool sl_bounded_miscounts(const struct sl_bounded_run *run)
{
  bool equal = true;
  for (unsigned i = 0; i < SL_BOUNDED_INSTRUCTIONS; i++)
    equal = equal && run->instructions[i].ours == run->instructions[i].recorded;
  return !run->failed && !equal;
}

/* The run that is paired with `longer`, NAME_b: NAME_a. */
static const struct sl_bounded_run *partner(const struct sl_bounded_run *run, size_t count,
                                            const struct sl_bounded_run *longer)
{
  const size_t stem = strlen(longer->name) - 1;
  for (size_t i = 0; i < count; i++)
    if (strncmp(run[i].name, longer->name, stem) == 0 && strcmp(run[i].name + stem, "a") == 0)
      return &run[i];
  return NULL;
}

bool sl_bounded_slope(const struct sl_bounded_run *run, size_t count, size_t i, struct sl_bounded_value *slope)
{
  const struct sl_bounded_run *b = &run[i];
  const size_t length = strlen(b->name);
  if (b->kernel || b->failed || length < 2 || strcmp(b->name + length - 2, "_b") != 0)
    return false;
  const struct sl_bounded_run *a = partner(run, count, b);
  if (a == NULL || a->failed)
    return false;
  *slope = (struct sl_bounded_value){(b->cycles.ours - a->cycles.ours) / ITERATIONS,
                                     (b->cycles.recorded - a->cycles.recorded) / ITERATIONS};
  return true;
}

/* `mean` holds the sum until the group is complete. */
static void add(struct sl_bounded_group *group, struct sl_bounded_value value, double worst, const char *name)
{
  const double difference = fabs(sl_bounded_difference(value));
  group->count++;
  group->equal += value.ours == value.recorded;
  group->outside += difference > worst;
  group->mean += difference;
  if (difference > group->worst) {
    group->worst = difference;
    group->worst_name = name;
  }
}

static void complete(struct sl_bounded_group *group)
{
  group->mean = group->count > 0 ? group->mean / (double)group->count : 0;
}

struct sl_bounds_verdict sl_bounds_judge(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count)
{
  struct sl_bounds_verdict verdict = {0};
  for (size_t i = 0; i < count; i++) {
    struct sl_bounded_value slope;
    verdict.failed += run[i].failed;
    verdict.miscounted += sl_bounded_miscounts(&run[i]);
    if (run[i].kernel && !run[i].failed)
      add(&verdict.kernels, run[i].cycles, bounds->kernel_worst, run[i].name);
    else if (sl_bounded_slope(run, count, i, &slope))
      add(&verdict.slopes, slope, bounds->slope_worst, run[i].name);
  }
  complete(&verdict.kernels);
  complete(&verdict.slopes);
  const bool mean_holds = verdict.kernels.mean <= bounds->kernel_mean || verdict.kernels.count < bounds->kernels;
  verdict.holds = verdict.failed == 0 && verdict.miscounted == 0 && verdict.kernels.outside == 0 &&
                  verdict.slopes.outside == 0 && mean_holds;
  return verdict;
}

static const char *const instruction_names[SL_BOUNDED_INSTRUCTIONS] = {"warp_instrs", "thread_instrs"};

static void add_row(struct sl_table *table, const char *program, const char *what, struct sl_bounded_value value)
{
  const int digits = floor(value.ours) == value.ours && floor(value.recorded) == value.recorded ? 0 : 3;
  sl_table_cell(table, "%s", program);
  sl_table_cell(table, "%s", what);
  sl_table_cell(table, "%.*f", digits, value.ours);
  sl_table_cell(table, "%.*f", digits, value.recorded);
  sl_table_cell(table, "%+.2f", sl_bounded_difference(value));
}

static void add_run(struct sl_table *table, const struct sl_bounds *bounds, const struct sl_bounded_run *run,
                    size_t count, size_t i, bool quiet)
{
  struct sl_bounded_value slope;
  if (run[i].failed)
    return;
  if (run[i].kernel && (!quiet || fabs(sl_bounded_difference(run[i].cycles)) > bounds->kernel_worst))
    add_row(table, run[i].name, "cycles", run[i].cycles);
  if (sl_bounded_slope(run, count, i, &slope) && (!quiet || fabs(sl_bounded_difference(slope)) > bounds->slope_worst))
    add_row(table, run[i].name, "slope", slope);
  for (unsigned k = 0; k < SL_BOUNDED_INSTRUCTIONS; k++)
    if (run[i].instructions[k].ours != run[i].instructions[k].recorded)
      add_row(table, run[i].name, instruction_names[k], run[i].instructions[k]);
}

static void print_group(FILE *file, const char *what, const struct sl_bounded_group *group)
{
  if (group->count == 0)
    return;
  const char *name = group->worst_name != NULL ? group->worst_name : "";
  sl_print_lines(file, 2,
                 "%zu %s: mean absolute difference %.2f %%, worst %.2f %%%s%s%s, %zu exactly equal, %zu out of bounds",
                 group->count, what, group->mean, group->worst, *name ? " (" : "", name, *name ? ")" : "", group->equal,
                 group->outside);
}

void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet)
{
  static const char *const titles[] = {"program", "value", ">ours", ">recorded", ">difference %", NULL};
  const struct sl_bounds_verdict verdict = sl_bounds_judge(bounds, run, count);
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < count; i++)
    add_run(&table, bounds, run, count, i, quiet);
  if (table.count > 0)
    sl_table_print(&table, file);
  sl_table_free(&table);
  print_group(file, "kernels", &verdict.kernels);
  print_group(file, "slopes", &verdict.slopes);
  sl_print_lines(file, 2,
                 "%s against the recorded '%s': %s; %zu of %zu programs ran, %zu with another number of instructions",
                 machine, configuration, verdict.holds ? "within bounds" : "out of bounds", count - verdict.failed,
                 count, verdict.miscounted);
  sl_print_lines(file, 2, "bounds: kernels %g %% on average and %g %% each, slopes %g %% each", bounds->kernel_mean,
                 bounds->kernel_worst, bounds->slope_worst);
}

/* JSON has no infinity. */
static json_t *number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *value_json(struct sl_bounded_value value)
{
  return json_pack("{sf sf so}", "ours", value.ours, "recorded", value.recorded, "difference_percent",
                   number(sl_bounded_difference(value)));
}

static json_t *group_json(const struct sl_bounded_group *group)
{
  return json_pack("{sI sI sI so so ss?}", "compared", (json_int_t)group->count, "equal", (json_int_t)group->equal,
                   "outside", (json_int_t)group->outside, "mean_percent", number(group->mean), "worst_percent",
                   number(group->worst), "worst_program", group->worst_name);
}

json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count)
{
  const struct sl_bounds_verdict verdict = sl_bounds_judge(bounds, run, count);
  return json_pack("{s{sf sf sf} so so sI sI sb}", "bounds", "kernel_mean_percent", bounds->kernel_mean,
                   "kernel_worst_percent", bounds->kernel_worst, "slope_worst_percent", bounds->slope_worst, "kernels",
                   group_json(&verdict.kernels), "slopes", group_json(&verdict.slopes), "miscounted",
                   (json_int_t)verdict.miscounted, "failed", (json_int_t)verdict.failed, "holds", verdict.holds);
}

json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i)
{
  struct sl_bounded_value slope;
  json_t *json = json_pack("{so}", "cycles", value_json(run[i].cycles));
  for (unsigned k = 0; k < SL_BOUNDED_INSTRUCTIONS; k++)
    json_object_set_new(json, instruction_names[k], value_json(run[i].instructions[k]));
  if (sl_bounded_slope(run, count, i, &slope))
    json_object_set_new(json, "slope", value_json(slope));
  return json;
}
