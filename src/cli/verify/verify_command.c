/* simtlab verify: compares counters with those of the published RTL or its authors' simulator. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/verify/records.h"
#include "device/gpu.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* Result of one recorded program. */
struct outcome {
  enum sl_status code;
  struct sl_error error;
  uint64_t counters[SL_MAX_COUNTERS];
  bool equal; /* every counter */
};

struct verify {
  struct sl_machine_choice choice;
  const char *only, *json;
  uint64_t jobs;
  bool quiet, all;
  struct sl_config config;
  const struct sl_recording *recording;
  struct sl_records records;
  struct outcome *outcomes;
  size_t compared, equal, equal_programs;
  pthread_mutex_t mutex; /* protects the following fields */
  struct sl_progress progress;
  size_t done;
};

/* Far more cycles than any recorded program takes; a program that does not end is a defect to report. */
#define MOST_CYCLES UINT64_C(100000000)

static void take_counters(struct outcome *outcome, const struct sl_device *device)
{
  const struct sl_result *result = sl_device_result(device);
  if (outcome->code != SL_OK)
    return;
  if (result->launch_count != 1)
    outcome->code =
        sl_fail(&outcome->error, SL_CHECK_FAILED, "%zu kernel launches instead of one", result->launch_count);
  else
    for (size_t i = 0; i < SL_MAX_COUNTERS; i++)
      outcome->counters[i] = result->launches[0].counters[i];
}

static void run_record(const struct verify *verify, const struct sl_record *record, struct outcome *outcome)
{
  const struct sl_device_options options = {.max_cycles = MOST_CYCLES, .whole_program = true};
  char relative[256], path[SL_PATH];
  struct sl_program *program = NULL;
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &options};
  struct sl_gpu *gpu = NULL;
  snprintf(relative, sizeof relative, "reference/%.20s/%.200s.elf", verify->recording->programs, record->name);
  outcome->code = sl_find_data(relative, path, &outcome->error);
  if (outcome->code == SL_OK)
    outcome->code = sl_program_load(path, &program, &outcome->error);
  if (outcome->code == SL_OK)
    outcome->code = sl_gpu_open(&gpu, &verify->config, &hosts, &outcome->error);
  struct sl_device *device = outcome->code == SL_OK ? sl_gpu_device(gpu) : NULL;
  if (outcome->code == SL_OK)
    outcome->code = sl_device_load(device, program, 1, (const char *const[]){record->name}, &outcome->error);
  if (outcome->code == SL_OK) {
    outcome->code = sl_device_run(device, &outcome->error);
    take_counters(outcome, device);
  }
  sl_gpu_close(gpu);
  sl_program_free(program);
}

static void run_job(void *context, size_t index)
{
  struct verify *verify = context;
  run_record(verify, &verify->records.record[index], &verify->outcomes[index]);
  pthread_mutex_lock(&verify->mutex);
  verify->done++;
  if (sl_progress_due(&verify->progress)) {
    char line[80];
    snprintf(line, sizeof line, "%zu of %zu programs", verify->done, verify->records.count);
    sl_progress_draw(&verify->progress, line);
  }
  pthread_mutex_unlock(&verify->mutex);
}

static void add_row(struct sl_table *table, const char *program, const struct sl_counter *counter, uint64_t ours,
                    uint64_t rtl)
{
  sl_table_cell(table, "%s", program);
  sl_table_cell(table, "%s", counter->rtl_name);
  sl_table_cell(table, "%" PRIu64, ours);
  sl_table_cell(table, "%" PRIu64, rtl);
  sl_table_cell(table, "%+" PRId64, (int64_t)(ours - rtl));
  sl_table_tone(table, ours == rtl ? SL_TONE_GOOD : SL_TONE_BAD);
}

/* Compares a program's counters. Lists those that are not 0 on both sides; when quiet, only differences. */
static void compare(struct verify *verify, size_t index, struct sl_table *table)
{
  const struct sl_record *record = &verify->records.record[index];
  const struct sl_counters *counters = verify->config.machine->counters;
  struct outcome *outcome = &verify->outcomes[index];
  outcome->equal = outcome->code == SL_OK;
  for (size_t i = 0; i < counters->count; i++) {
    uint64_t rtl, ours = outcome->counters[i];
    if (!sl_record_value(verify->recording, record, &counters->counter[i], &rtl))
      continue;
    bool equal = outcome->code == SL_OK && ours == rtl;
    verify->compared++;
    verify->equal += equal;
    outcome->equal = outcome->equal && equal;
    if (outcome->code == SL_OK && (verify->quiet ? !equal : ours != 0 || rtl != 0))
      add_row(table, record->name, &counters->counter[i], ours, rtl);
  }
  verify->equal_programs += outcome->equal;
}

static void print_result(const struct verify *verify, FILE *file)
{
  for (size_t i = 0; i < verify->records.count; i++)
    if (verify->outcomes[i].code != SL_OK)
      sl_print(file, "%s: %s\n", verify->records.record[i].name, verify->outcomes[i].error.text);
  sl_print_lines(file, 2, "%s against the RTL's '%s': %zu of %zu programs agree, %zu of %zu counters",
                 verify->config.name, verify->recording->configuration, verify->equal_programs, verify->records.count,
                 verify->equal, verify->compared);
  if (!verify->quiet)
    fprintf(file, "counters that are 0 on both sides are compared but not listed\n");
}

static json_t *counters_json(const struct verify *verify, size_t index)
{
  const struct sl_counters *counters = verify->config.machine->counters;
  json_t *json = json_object();
  for (size_t i = 0; i < counters->count; i++) {
    uint64_t rtl;
    if (sl_record_value(verify->recording, &verify->records.record[index], &counters->counter[i], &rtl))
      json_object_set_new(
          json, counters->counter[i].rtl_name,
          json_pack("{sI sI}", "ours", (json_int_t)verify->outcomes[index].counters[i], "rtl", (json_int_t)rtl));
  }
  return json;
}

static json_t *verify_json(const struct verify *verify)
{
  json_t *programs = json_array();
  for (size_t i = 0; i < verify->records.count; i++) {
    const struct outcome *outcome = &verify->outcomes[i];
    json_t *program = json_pack("{ss sb ss}", "name", verify->records.record[i].name, "equal", outcome->equal,
                                "outcome", sl_outcome(outcome->code, 0));
    if (outcome->code == SL_OK)
      json_object_set_new(program, "counters", counters_json(verify, i));
    else
      json_object_set_new(program, "message", json_string(outcome->error.text));
    json_array_append_new(programs, program);
  }
  return json_pack("{si ss so ss sI sI sI sI so}", "schema", 1, "simtlab", SL_VERSION, "machine",
                   sl_config_json(&verify->config), "configuration", verify->recording->configuration, "programs_equal",
                   (json_int_t)verify->equal_programs, "programs_compared", (json_int_t)verify->records.count,
                   "counters_equal", (json_int_t)verify->equal, "counters_compared", (json_int_t)verify->compared,
                   "programs", programs);
}

static json_t *bounded_json(const struct verify *verify, const struct sl_bounded_run *runs)
{
  json_t *programs = json_array(),
         *json = sl_verify_bounds_json(verify->recording->bounds, runs, verify->records.count);
  for (size_t i = 0; i < verify->records.count; i++) {
    const struct outcome *outcome = &verify->outcomes[i];
    json_t *program = json_pack("{ss sb ss}", "name", runs[i].name, "kernel", runs[i].kernel, "outcome",
                                sl_outcome(outcome->code, 0));
    if (outcome->code == SL_OK)
      json_object_set_new(program, "values", sl_bounded_run_json(runs, verify->records.count, i));
    else
      json_object_set_new(program, "message", json_string(outcome->error.text));
    json_array_append_new(programs, program);
  }
  json_t *whole = json_pack("{si ss so ss}", "schema", 1, "simtlab", SL_VERSION, "machine",
                            sl_config_json(&verify->config), "configuration", verify->recording->configuration);
  json_object_update_new(whole, json);
  json_object_set_new(whole, "programs", programs);
  return whole;
}

/* Compares within bounds instead of for equality. */
static enum sl_status report_bounded(struct verify *verify, struct sl_error *err)
{
  const struct sl_bounds *bounds = verify->recording->bounds;
  const size_t count = verify->records.count;
  FILE *file = sl_is_standard(verify->json) ? stderr : stdout;
  struct sl_bounded_run *runs = calloc(count, sizeof *runs);
  if (runs == NULL)
    return sl_no_memory(err, count * sizeof *runs);
  for (size_t i = 0; i < count; i++) {
    const struct outcome *outcome = &verify->outcomes[i];
    runs[i] = sl_record_bounded(verify->recording, &verify->records.record[i], verify->config.machine->counters,
                                outcome->counters);
    runs[i].failed = outcome->code != SL_OK;
    if (runs[i].failed)
      sl_print(file, "%s: %s\n", runs[i].name, outcome->error.text);
  }
  sl_verify_bounds_print(file, verify->config.name, verify->recording->configuration, bounds, runs, count,
                         verify->quiet);
  const bool holds = sl_bounds_judge(bounds, runs, count).holds;
  enum sl_status code =
      verify->json != NULL ? sl_json_save(sl_with_provenance(bounded_json(verify, runs)), verify->json, err) : SL_OK;
  free(runs);
  return code != SL_OK || holds ? code : SL_CHECK_FAILED;
}

static enum sl_status report(struct verify *verify, struct sl_error *err)
{
  static const char *const titles[] = {"program", "counter", ">ours", ">RTL", ">difference", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < verify->records.count; i++)
    compare(verify, i, &table);
  FILE *file = sl_is_standard(verify->json) ? stderr : stdout;
  if (table.count > 0)
    sl_table_print(&table, file);
  sl_table_free(&table);
  print_result(verify, file);
  enum sl_status code =
      verify->json != NULL ? sl_json_save(sl_with_provenance(verify_json(verify)), verify->json, err) : SL_OK;
  if (code != SL_OK)
    return code;
  return verify->equal_programs == verify->records.count ? SL_OK : SL_CHECK_FAILED;
}

static enum sl_status run_records(struct verify *verify, struct sl_error *err)
{
  verify->outcomes = calloc(verify->records.count, sizeof *verify->outcomes);
  if (verify->outcomes == NULL)
    return sl_no_memory(err, verify->records.count * sizeof *verify->outcomes);
  pthread_mutex_init(&verify->mutex, NULL);
  sl_progress_init(&verify->progress, stderr, false);
  sl_parallel(verify->jobs, verify->records.count, run_job, verify);
  sl_progress_hide(&verify->progress);
  pthread_mutex_destroy(&verify->mutex);
  return verify->recording->bounds != NULL ? report_bounded(verify, err) : report(verify, err);
}

/* Compares the machine in verify->config with verify->recording. */
static enum sl_status verify_recording(struct verify *verify, struct sl_error *err)
{
  char relative[80], path[SL_PATH];
  verify->compared = verify->equal = verify->equal_programs = verify->done = 0;
  snprintf(relative, sizeof relative, "reference/%.40s/cycles.json", verify->config.machine->name);
  enum sl_status code = sl_find_data(relative, path, err);
  if (code == SL_OK)
    code = sl_records_read(&verify->records, verify->recording, path, verify->only, err);
  if (code != SL_OK)
    return code;
  code = run_records(verify, err);
  sl_records_free(&verify->records);
  free(verify->outcomes);
  return code;
}

static enum sl_status verify_machine(struct verify *verify, struct sl_error *err)
{
  char differences[512];
  enum sl_status code = sl_recording_find(&verify->config, &verify->recording, differences, sizeof differences, err);
  if (code != SL_OK)
    return code;
  if (differences[0] != '\0')
    sl_print(stderr, "simtlab: not the recorded machine: %s\n", differences);
  return verify_recording(verify, err);
}

/* Every recorded configuration of the machine's pipeline; the machine's own keys are ignored. */
static enum sl_status verify_all(struct verify *verify, struct sl_error *err)
{
  const struct sl_machine *machine = verify->config.machine;
  enum sl_status worst = SL_OK;
  sl_config_close(&verify->config);
  for (size_t i = 0; i < sl_recording_count(); i++) {
    verify->recording = sl_recording_at(i);
    enum sl_status code = sl_recording_open(verify->recording, &verify->config, err);
    if (code == SL_OK && verify->config.machine == machine)
      code = verify_recording(verify, err);
    if (code != SL_OK && code != SL_CHECK_FAILED)
      return code;
    worst = code > worst ? code : worst;
    sl_config_close(&verify->config);
  }
  return worst;
}

/* For any number of SMs. */
static enum sl_status check_sm7(const struct sl_config *config, struct sl_error *err)
{
  static const char *const sizes[] = {"clusters", "sms_per_cluster"}, *const unrecorded[] = {"r2d2", "oracle",
                                                                                             "scalar"};
  struct sl_config recorded;
  char set[64], differences[512];
  uint32_t ours, theirs;
  enum sl_status code = sl_config_open(&recorded, sl_sm7.name, err);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && code == SL_OK && sl_config_value(config, sizes[i], &ours);
       i++) {
    snprintf(set, sizeof set, "%s=%" PRIu32, sizes[i], ours);
    code = sl_config_set(&recorded, set, err);
  }
  if (code != SL_OK)
    return code;
  for (size_t i = 0; i < sizeof unrecorded / sizeof unrecorded[0] && code == SL_OK; i++)
    if (sl_config_value(config, unrecorded[i], &ours) && sl_config_value(&recorded, unrecorded[i], &theirs) &&
        ours != theirs)
      code =
          sl_fail(err, SL_USAGE, "nothing is recorded for machine '%s': GPGPU-Sim has no %s. There are records for sm7",
                  config->name, unrecorded[i]);
  if (code == SL_OK && sl_recording_differences(config, &recorded, differences, sizeof differences) > 0)
    sl_print(stderr, "simtlab: not the recorded machine: %s\n", differences);
  sl_config_close(&recorded);
  return code;
}

/* PTX programs, recorded on another simulator; with --all also kernels on machines with one mechanism changed. */
static enum sl_status verify_sm7(const struct verify *verify, struct sl_error *err)
{
  const struct sl_verify_sm7 sm7 = {.config = &verify->config,
                                    .only = verify->only,
                                    .json = verify->json,
                                    .jobs = verify->jobs,
                                    .variants = verify->all,
                                    .quiet = verify->quiet};
  const enum sl_status code = check_sm7(&verify->config, err);
  return code == SL_OK ? sl_verify_sm7(&sm7, err) : code;
}

static enum sl_status verify_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct verify verify = {.jobs = sl_processors()};
  const struct sl_option options[] = {
      SL_SET_OPTION(verify.choice),
      {'o', "only", SL_OPTION_TEXT, "GLOB", "only programs whose name matches, such as 'sram_*'", &verify.only},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "programs run in parallel [all processors]", &verify.jobs},
      {0, "json", SL_OPTION_OUTPUT, "FILE", "write the comparison as JSON (- is standard output)", &verify.json},
      {'a', "all", SL_OPTION_FLAG, NULL, "every recorded configuration of the machine's pipeline", &verify.all},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "list only differences", &verify.quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "one machine is needed: simtlab verify MACHINE; simtlab machines lists them");
  verify.choice.machine = operands.items[0];
  code = sl_open_machine(&verify.choice, &verify.config, err);
  if (code == SL_OK && verify.all && verify.json != NULL && verify.config.machine->ptx == NULL)
    code = sl_fail(err, SL_USAGE, "--json describes one configuration; leave out --all");
  if (code == SL_OK && verify.config.machine->ptx != NULL)
    code = verify_sm7(&verify, err);
  else if (code == SL_OK)
    code = verify.all ? verify_all(&verify, err) : verify_machine(&verify, err);
  sl_config_close(&verify.config);
  return code;
}

const struct sl_command sl_verify_command = {
    .name = "verify",
    .operands = "MACHINE [OPTION]...",
    .operand = {"MACHINE"},
    .summary = "Compare a machine with recorded counts of its RTL",
    .details = "The exit status is 0 only if every counter of every program is equal or, on Vortex, all cycles\n"
               "are within the printed bounds and instruction counts are equal. 2: nothing is recorded\n"
               "for the machine.\n",
    .run = verify_command,
};
