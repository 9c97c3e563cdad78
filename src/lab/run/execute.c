#include "lab/run/execute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"
#include "device/gpu.h"
#include "device/script.h"
#include "lab/record.h"
#include "lab/study/study.h"
#include "observe/figures.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* ---- files in memory, as lists of "ADDRESS=PATH" ----------------------------------------------------------------- */

/* Reads the file of an entry; the caller frees it. */
static enum sl_status read_entry(const json_t *entry, uint32_t *address, char **bytes, size_t *size,
                                 struct sl_error *err)
{
  const char *text = json_string_value(entry);
  *address = (uint32_t)strtoul(text, NULL, 0);
  return sl_read_text(strchr(text, '=') + 1, bytes, size, err);
}

enum sl_status sl_memory_files_write(struct sl_device *device, const json_t *files, struct sl_error *err)
{
  size_t i;
  json_t *entry;
  json_array_foreach(files, i, entry)
  {
    uint32_t address;
    char *bytes = NULL;
    size_t size = 0;
    const enum sl_status code = read_entry(entry, &address, &bytes, &size, err);
    if (code == SL_OK)
      sl_device_write(device, address, bytes, size);
    free(bytes);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

static enum sl_status compare(uint32_t address, const uint32_t *words, const uint32_t *wanted, size_t count,
                              struct sl_error *err)
{
  size_t wrong = 0, first = 0;
  for (size_t i = count; i-- > 0;)
    if (words[i] != wanted[i]) {
      wrong++;
      first = i;
    }
  return wrong == 0 ? SL_OK
                    : sl_fail(err, SL_CHECK_FAILED,
                              "%zu of %zu results are wrong; the first at 0x%08" PRIx32 " is 0x%08" PRIx32
                              " and should be 0x%08" PRIx32,
                              wrong, count, address + 4 * (uint32_t)first, words[first], wanted[first]);
}

enum sl_status sl_memory_files_compare(const struct sl_device *device, const json_t *files, struct sl_error *err)
{
  size_t i;
  json_t *entry;
  enum sl_status code = SL_OK;
  json_array_foreach(files, i, entry)
  {
    uint32_t address;
    char *bytes = NULL;
    size_t size = 0;
    if (code == SL_OK)
      code = read_entry(entry, &address, &bytes, &size, err);
    const size_t count = (size + 3) / 4;
    uint32_t *words = calloc(2 * count + 1, sizeof *words);
    if (code == SL_OK && words == NULL)
      code = sl_no_memory(err, size);
    if (code == SL_OK) {
      sl_device_read(device, address, words, size);
      memcpy(words + count, bytes, size);
      code = compare(address, words, words + count, count, err);
    }
    free(words);
    free(bytes);
  }
  return code;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 64 };

/* ---- kinds of programs ------------------------------------------------------------------------------------------- */

/* What the study adds to a run that has ended, from the totals of its counters. */
static void add_more(const struct sl_executor *executor, const json_t *run, const uint64_t *totals,
                     struct sl_run_outcome *outcome)
{
  if (json_array_size(outcome->launches) == 0)
    return;
  if (sl_run_text(run, "energy")[0] != '\0')
    sl_outcome_add_energy(outcome, sl_run_text(run, "energy"), &executor->config, totals);
  if (sl_run_text(run, "build prints")[0] != '\0')
    sl_outcome_add_printed(outcome, sl_run_text(run, "build prints"), sl_run_text(run, "printed"), "build command");
}

/* The launches of the measured kernel, or all. */
static void take_launches(const struct sl_executor *executor, const json_t *run, const struct sl_result *result,
                          struct sl_run_outcome *outcome)
{
  const struct sl_machine *machine = executor->config.machine;
  const char *kernel = sl_run_text(run, "kernel");
  const struct sl_launch_choice choice = {kernel[0] != '\0' ? kernel : NULL, SL_EVERY_LAUNCH};
  uint64_t totals[SL_COUNTERS_MOST];
  size_t count;
  struct sl_launch *launches = sl_choose_launches(&choice, executor->program, result, &count);
  if (launches == NULL) {
    sl_no_memory(&outcome->error, sizeof *launches);
    return;
  }
  for (size_t i = 0; i < count; i++)
    sl_outcome_launch(outcome, machine, &launches[i]);
  for (size_t i = 0; i < machine->counters->count; i++)
    totals[i] = sl_counter_total(machine, i, launches, count);
  free(launches);
  if (outcome->error.code == SL_OK)
    sl_outcome_add_counts(run, outcome);
  add_more(executor, run, totals, outcome);
  if (count == 0 && kernel[0] != '\0' && outcome->error.code == SL_OK)
    sl_fail(&outcome->error, SL_CHECK_FAILED, "the program has not launched its kernel %s", kernel);
}

/* The result of a program that has ended, and its checks. */
static void take_result(struct sl_executor *executor, const json_t *run, const struct sl_device *device,
                        struct sl_run_outcome *outcome)
{
  struct sl_error *err = &outcome->error;
  const struct sl_result *result = sl_device_result(device);
  outcome->status = result->status;
  sl_outcome_names(outcome, executor->config.machine);
  take_launches(executor, run, result, outcome);
  if (err->code == SL_OK && outcome->status == 0 && sl_run_text(run, "prints")[0] != '\0')
    sl_outcome_add_printed(outcome, sl_run_text(run, "prints"), outcome->output, "program");
  if (err->code == SL_OK && outcome->status == 0)
    sl_memory_files_compare(device, json_object_get(run, "expect"), err);
}

static void execute_elf(struct sl_executor *executor, const json_t *run, struct sl_run_outcome *outcome)
{
  const char *words[MOST_ARGUMENTS] = {sl_run_text(run, "name")};
  int count = 1;
  size_t i;
  json_t *word;
  struct sl_gpu *gpu = NULL;
  struct sl_sampling_choice sampling = {0};
  const char *mode = sl_run_text(run, "mode");
  if (strncmp(mode, SL_SAMPLED, strlen(SL_SAMPLED)) == 0 &&
      sl_choose_sampling(&sampling, mode + strlen(SL_SAMPLED), &outcome->error) != SL_OK)
    return;
  const struct sl_device_options options = {
      .console = {outcome, NULL, sl_outcome_put_byte},
      .fast = strcmp(sl_run_text(run, "mode"), "fast") == 0,
      .sampling = sampling,
      .max_cycles = (uint64_t)json_integer_value(json_object_get(run, "max-cycles")),
      .whole_program = json_is_true(json_object_get(run, "whole")),
  };
  json_array_foreach(json_object_get(run, "arguments"), i, word)
  {
    if (count < MOST_ARGUMENTS)
      words[count++] = json_string_value(word);
  }
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &options};
  struct sl_error *err = &outcome->error;
  enum sl_status code = SL_OK;
  if (executor->program == NULL)
    code = sl_program_load(sl_run_text(run, "path"), &executor->program, err);
  if (code == SL_OK)
    code = sl_gpu_open(&gpu, &executor->config, &hosts, err);
  struct sl_device *device = code == SL_OK ? sl_gpu_device(gpu) : NULL;
  if (code == SL_OK)
    code = sl_device_load(device, executor->program, count, words, err);
  if (code == SL_OK)
    code = sl_memory_files_write(device, json_object_get(run, "memory"), err);
  if (code == SL_OK) {
    err->code = sl_device_run(device, err);
    take_result(executor, run, device, outcome);
    if (sampling.wanted)
      sl_outcome_add_sampled(executor->config.machine, &sl_device_result(device)->sampled, outcome);
  }
  sl_gpu_close(gpu);
}

/* The checksums of a script's buffers as one number, which is exact as a counter of expressions. */
struct sums {
  uint64_t sum;
  bool any;
};

static void add_sum(void *context, const char *buffer, uint64_t sum)
{
  struct sums *sums = context;
  (void)buffer;
  sums->any = true;
  sums->sum = (sums->sum * 31 + sum) & ((UINT64_C(1) << 52) - 1);
}

static void execute_launch(struct sl_executor *executor, const json_t *run, struct sl_run_outcome *outcome)
{
  struct sl_script script;
  struct sl_gpu *gpu = NULL;
  struct sl_error *err = &outcome->error;
  struct sums sums = {0};
  uint64_t totals[SL_COUNTERS_MOST];
  const struct sl_script_observer observer = {.summed = add_sum, .context = &sums};
  enum sl_status code = sl_script_load(&script, sl_run_text(run, "path"), err);
  if (code != SL_OK)
    return;
  const struct sl_gpu_options options = {
      .fast = strcmp(sl_run_text(run, "mode"), "fast") == 0,
      .machine_code = script.elf,
      .limit = (uint64_t)json_integer_value(json_object_get(run, "max-cycles")),
      .console = {outcome, NULL, sl_outcome_put_byte},
  };
  code = sl_gpu_open(&gpu, &executor->config, &options, err);
  if (code == SL_OK) {
    err->code = sl_script_perform(&script, gpu, NULL, &observer, err);
    sl_outcome_names(outcome, executor->config.machine);
    for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
      sl_outcome_launch(outcome, executor->config.machine, &sl_gpu_record(gpu, i)->launch);
    if (err->code == SL_OK)
      sl_outcome_add_counts(run, outcome);
    if (sums.any && sl_gpu_record_count(gpu) > 0)
      sl_outcome_add(outcome, "memory.sum", sl_gpu_record_count(gpu) - 1, (int64_t)sums.sum);
    for (size_t i = 0; i < executor->config.machine->counters->count; i++)
      totals[i] = sl_gpu_total(gpu, i);
    add_more(executor, run, totals, outcome);
  }
  sl_gpu_close(gpu);
  sl_script_free(&script);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

void sl_executor_init(struct sl_executor *executor, const struct sl_lab_build *build, const char *spool)
{
  *executor = (struct sl_executor){.build = build, .spool = spool};
}

static void drop_machine(struct sl_executor *executor)
{
  sl_config_close(&executor->config);
  json_decref(executor->machine);
  executor->machine = NULL;
}

static void drop_program(struct sl_executor *executor)
{
  sl_program_free(executor->program);
  json_decref(executor->inputs);
  executor->program = NULL;
  executor->inputs = NULL;
}

void sl_executor_free(struct sl_executor *executor)
{
  drop_machine(executor);
  drop_program(executor);
}

static enum sl_status set_keys(struct sl_config *config, const json_t *settings, struct sl_error *err)
{
  size_t i;
  json_t *setting;
  enum sl_status code = SL_OK;
  json_array_foreach(settings, i, setting)
  {
    if (code == SL_OK)
      code = sl_config_set(config, json_string_value(setting), err);
  }
  return code;
}

static enum sl_status open_machine(struct sl_executor *executor, const json_t *run, struct sl_error *err)
{
  const char *named = sl_run_text(run, "named");
  json_t *machine =
      json_pack("{sO sO sO sO}", "machine", json_object_get(run, "machine"), "named", json_object_get(run, "named"),
                "keys", json_object_get(run, "keys"), "set", json_object_get(run, "set"));
  if (machine == NULL)
    return sl_fail(err, SL_USAGE, "the description of a run is not complete");
  if (executor->machine != NULL && json_equal(machine, executor->machine)) {
    json_decref(machine);
    return SL_OK;
  }
  drop_machine(executor);
  enum sl_status code = sl_config_open(&executor->config, sl_run_text(run, "machine"), err);
  if (code == SL_OK && named[0] != '\0')
    snprintf(executor->config.name, sizeof executor->config.name, "%s", named);
  if (code == SL_OK)
    code = set_keys(&executor->config, json_object_get(run, "keys"), err);
  if (code == SL_OK)
    code = set_keys(&executor->config, json_object_get(run, "set"), err);
  if (code == SL_OK)
    code = sl_config_check(&executor->config, err);
  if (code != SL_OK) {
    json_decref(machine);
    return code;
  }
  executor->machine = machine;
  sl_config_digest(&executor->config, named[0] != '\0', executor->config_digest);
  return SL_OK;
}

static enum sl_status open_program(struct sl_executor *executor, const json_t *run, struct sl_error *err)
{
  json_t *inputs = json_pack("{sO sO sO sO* sO*}", "kind", json_object_get(run, "kind"), "path",
                             json_object_get(run, "path"), "files", json_object_get(run, "files"), "memory",
                             json_object_get(run, "memory"), "expect", json_object_get(run, "expect"));
  if (inputs == NULL)
    return sl_fail(err, SL_USAGE, "the description of a run is not complete");
  if (executor->program != NULL && json_equal(inputs, executor->inputs)) {
    json_decref(inputs);
    return SL_OK;
  }
  drop_program(executor);
  executor->inputs = inputs;
  return sl_program_digest(run, executor->program_digest, err);
}

static json_t *finish(struct sl_executor *executor, const json_t *run, struct sl_run_outcome *outcome, double seconds)
{
  char message[sizeof outcome->error.text + SL_KEPT_OUTPUT + 64] = "";
  const char *word = sl_outcome(outcome->error.code, outcome->status);
  if (outcome->error.code != SL_OK)
    snprintf(message, sizeof message, "%s", outcome->error.text);
  else if (outcome->status != 0)
    snprintf(message, sizeof message, "the program's own check failed (status %d)%s%s", outcome->status,
             outcome->output_size > 0 ? "; its output ended with: " : "", outcome->output);
  for (size_t end = strlen(message); end > 0 && message[end - 1] == '\n'; end--)
    message[end - 1] = '\0';
  json_t *result = sl_result_json(run, &executor->config, executor->program_digest, executor->build);
  if (executor->program != NULL && sl_program_toolchain(executor->program) != NULL)
    json_object_set_new(json_object_get(result, "program"), "toolchain",
                        sl_json_text(sl_program_toolchain(executor->program)));
  sl_json_put(&result, "cycles", json_integer(sl_outcome_cycles(outcome)));
  if (outcome->pipeline != NULL)
    sl_json_put(&result, "pipeline", json_string(outcome->pipeline));
  sl_json_put(&result, "counters", outcome->counters != NULL ? outcome->counters : json_array());
  sl_json_put(&result, "launches", outcome->launches != NULL ? outcome->launches : json_array());
  sl_result_end(&result, word, outcome->status, message, seconds);
  return result;
}

enum sl_status sl_execute(struct sl_executor *executor, const json_t *run, json_t **result, struct sl_error *err)
{
  char hash[SL_SHA256_TEXT];
  const char *kind = sl_run_text(run, "kind");
  enum sl_status code = open_machine(executor, run, err);
  if (code == SL_OK)
    code = open_program(executor, run, err);
  if (code != SL_OK)
    return code;
  sl_run_hash(run, executor->config_digest, executor->program_digest, executor->build->hash, hash);
  if (strcmp(hash, sl_run_text(run, "hash")) != 0)
    return sl_fail(err, SL_USAGE, "%.300s, its inputs or machine %.100s changed during the study; start it again",
                   sl_run_text(run, "path"), sl_run_text(run, "machine"));
  struct sl_run_outcome outcome = {0};
  const double start = sl_seconds();
  if (strcmp(kind, "elf") == 0)
    execute_elf(executor, run, &outcome);
  else if (strcmp(kind, "launch") == 0)
    execute_launch(executor, run, &outcome);
  else if (strcmp(kind, "command") == 0)
    sl_command_run(run, executor->spool, &outcome);
  else
    sl_host_program_run(run, executor->spool, &executor->config, &outcome);
  *result = finish(executor, run, &outcome, sl_seconds() - start);
  return *result != NULL ? SL_OK : sl_no_memory(err, 1);
}
