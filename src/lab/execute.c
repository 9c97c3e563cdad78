#include "lab/execute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "device/script_player.h"
#include "lab/record_counters.h"
#include "lab/study.h"
#include "observe/figures.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

enum { KEPT_OUTPUT = 400, MOST_ARGUMENTS = 64 };

/* How a run ended, and what it counted. */
struct outcome {
  struct sl_error error; /* its code; the sentence unless that is SL_OK */
  int status;
  json_t *counters, *launches;
  const char *pipeline; /* of the counters; NULL: a command's own */
  char output[KEPT_OUTPUT];
  size_t output_size;
};

/* ---- counters ---------------------------------------------------------------------------------------------------- */

static void take_names(struct outcome *outcome, const struct sl_machine *machine)
{
  outcome->pipeline = machine->name;
  outcome->counters = json_array();
  outcome->launches = json_array();
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_append(&outcome->counters, json_string(machine->counters->counter[i].name));
}

static void take_launch(struct outcome *outcome, const struct sl_machine *machine, const struct sl_launch *launch)
{
  json_t *values = json_array();
  for (size_t i = 0; i < machine->counters->count; i++)
    sl_json_append(&values, sl_json_count(launch->counters[i]));
  sl_json_append(&outcome->launches, values);
}

/* The sum of the counter `cycles` over the launches. */
static json_int_t cycles_of(const struct outcome *outcome)
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

/* ---- kinds of programs ------------------------------------------------------------------------------------------- */

/* Keeps the end of the console output for the message of a failed run. */
static int put_byte(void *context, uint8_t byte)
{
  struct outcome *outcome = context;
  if (outcome->output_size == KEPT_OUTPUT - 1) {
    outcome->output_size /= 2;
    memmove(outcome->output, outcome->output + KEPT_OUTPUT - 1 - outcome->output_size, outcome->output_size);
  }
  outcome->output[outcome->output_size++] = (char)byte;
  outcome->output[outcome->output_size] = '\0';
  return 0;
}

/* Adds a counter to all launches: of one of them, or 0. */
static void add_counter(struct outcome *outcome, const char *name, size_t launch, int64_t value)
{
  size_t i;
  json_t *values;
  if (!sl_is_counter_name(name))
    sl_fail(&outcome->error, SL_USAGE, "'%.80s' is no name of a counter; use letters, digits and '_'", name);
  sl_json_append(&outcome->counters, json_string(name));
  json_array_foreach(outcome->launches, i, values)
      sl_json_append(&values, json_integer(i == launch ? (json_int_t)value : 0));
}

/* The numbers of the study's `prints` in the end of the output. */
static void add_printed(const json_t *run, struct outcome *outcome)
{
  const size_t last = json_array_size(outcome->launches) - 1;
  const char *pattern = sl_run_text(run, "prints"), *at = outcome->output;
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
    add_counter(outcome, name, last, value);
  }
  if (at == NULL)
    sl_fail(&outcome->error, SL_CHECK_FAILED, "the program does not print '%.200s'; its output ends with: %.200s",
            sl_run_text(run, "prints"), outcome->output);
}

/* The expressions of the study's `counts`, from the counters of each launch. */
static void add_counts(const json_t *run, struct outcome *outcome)
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

/* Sampled timing: progress of the machine, the timed part of it, windows, and half of the 95 % confidence interval of
 * cycles; -1: unknown. */
static void add_sampled(const struct sl_machine *machine, const struct sl_sampled *s, struct outcome *outcome)
{
  size_t cycles = 0;
  sl_counter_find(machine, "cycles", &cycles);
  const double bar = s->bar[cycles];
  const size_t last = json_array_size(outcome->launches) - 1;
  add_counter(outcome, "sampled.progress", last, (int64_t)s->progress);
  add_counter(outcome, "sampled.timed", last, (int64_t)s->timed);
  add_counter(outcome, "sampled.windows", last, (int64_t)s->windows);
  add_counter(outcome, "sampled.bar", last, s->settled ? isfinite(bar) ? llround(bar) : -1 : 0);
}

static void execute_elf(struct sl_executor *executor, const json_t *run, struct outcome *outcome)
{
  const char *words[MOST_ARGUMENTS] = {sl_run_text(run, "name")};
  int count = 1;
  size_t i;
  json_t *word;
  struct sl_device *device = NULL;
  struct sl_sampling_choice sampling = {0};
  const char *mode = sl_run_text(run, "mode");
  if (strncmp(mode, SL_SAMPLED, strlen(SL_SAMPLED)) == 0 &&
      sl_choose_sampling(&sampling, mode + strlen(SL_SAMPLED), &outcome->error) != SL_OK)
    return;
  const struct sl_device_options options = {
      .console = {outcome, NULL, put_byte},
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
  struct sl_error *err = &outcome->error;
  enum sl_status code = SL_OK;
  if (executor->program == NULL)
    code = sl_program_load(sl_run_text(run, "path"), &executor->program, err);
  if (code == SL_OK)
    code = sl_device_create(&executor->config, &options, &device, err);
  if (code == SL_OK)
    code = sl_device_load(device, executor->program, count, words, err);
  if (code == SL_OK) {
    err->code = sl_device_run(device, err);
    const struct sl_result *result = sl_device_result(device);
    outcome->status = result->status;
    take_names(outcome, executor->config.machine);
    for (i = 0; i < result->launch_count; i++)
      take_launch(outcome, executor->config.machine, &result->launches[i]);
    if (code == SL_OK && err->code == SL_OK)
      add_counts(run, outcome);
    if (err->code == SL_OK && outcome->status == 0)
      add_printed(run, outcome);
    if (sampling.wanted)
      add_sampled(executor->config.machine, &result->sampled, outcome);
  }
  sl_device_destroy(device);
}

static void execute_launch(struct sl_executor *executor, const json_t *run, struct outcome *outcome)
{
  struct sl_script script;
  struct sl_gpu *gpu = NULL;
  struct sl_error *err = &outcome->error;
  const struct sl_script_observer observer = {0};
  enum sl_status code = sl_script_load(&script, sl_run_text(run, "path"), err);
  if (code != SL_OK)
    return;
  const struct sl_gpu_options options = {
      .fast = strcmp(sl_run_text(run, "mode"), "fast") == 0,
      .machine_code = script.elf,
      .limit = (uint64_t)json_integer_value(json_object_get(run, "max-cycles")),
      .console = {outcome, NULL, put_byte},
  };
  code = sl_gpu_open(&gpu, &executor->config, &options, err);
  if (code == SL_OK) {
    err->code = sl_script_perform(&script, gpu, NULL, &observer, err);
    take_names(outcome, executor->config.machine);
    for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
      take_launch(outcome, executor->config.machine, &sl_gpu_record(gpu, i)->launch);
  }
  sl_gpu_close(gpu);
  sl_script_free(&script);
}

bool sl_run_expand(const json_t *run, const char *result, char *text, size_t size)
{
  char set[1024] = "";
  size_t i, used = 0;
  json_t *setting;
  for (unsigned k = 0; k < 2; k++)
    json_array_foreach(json_object_get(run, k == 0 ? "keys" : "set"), i, setting)
        snprintf(set + strlen(set), sizeof set - strlen(set), "%s--set %s", set[0] != '\0' ? " " : "",
                 json_string_value(setting));
  const struct {
    const char *place, *text;
  } places[] = {{"{machine}", sl_run_text(run, "machine")},
                {"{set}", set},
                {"{size}", sl_run_text(run, "size")},
                {"{seed}", sl_run_text(run, "seed")},
                {"{result}", result}};
  for (const char *at = sl_run_text(run, "path"); *at != '\0' && used + 1 < size;) {
    size_t p = 0;
    while (p < sizeof places / sizeof *places && strncmp(at, places[p].place, strlen(places[p].place)) != 0)
      p++;
    if (p == sizeof places / sizeof *places) {
      text[used++] = *at++;
      continue;
    }
    const int n = snprintf(text + used, size - used, "%s", places[p].text);
    used += n > 0 ? (size_t)n : 0;
    at += strlen(places[p].place);
  }
  if (used + 1 < size)
    text[used] = '\0';
  return used + 1 < size;
}

/* Counters of a launch in a report of simtlab run ({NAME: {value}}), or of a whole run ({NAME: value}). */
static void take_counters(struct outcome *outcome, json_t *counters)
{
  const char *name;
  json_t *member, *values = json_array();
  const bool first = json_array_size(outcome->launches) == 0;
  json_object_foreach(counters, name, member)
  {
    const json_t *value = json_is_object(member) ? json_object_get(member, "value") : member;
    if (!json_is_integer(value))
      continue;
    if (!sl_is_counter_name(name)) {
      sl_fail(&outcome->error, SL_USAGE,
              "the command's result has a counter named '%.80s'; use letters, digits and '_'", name);
      break;
    }
    if (first)
      sl_json_append(&outcome->counters, json_string(name));
    sl_json_append(&values, json_integer(json_integer_value(value)));
  }
  if (json_array_size(values) != json_array_size(outcome->counters))
    sl_fail(&outcome->error, SL_USAGE, "the launches in the command's result have different counters");
  sl_json_append(&outcome->launches, values);
}

static void take_command_result(struct outcome *outcome, const char *path)
{
  json_error_t error;
  json_t *json = json_load_file(path, 0, &error), *launches = json_object_get(json, "launches");
  size_t i;
  json_t *launch;
  outcome->counters = json_array();
  outcome->launches = json_array();
  if (!json_is_object(json))
    sl_fail(&outcome->error, SL_USAGE, "the command has ended without a JSON object in {result} (%.200s)", error.text);
  else if (json_is_array(launches))
    json_array_foreach(launches, i, launch) take_counters(outcome, json_object_get(launch, "counters"));
  else
    take_counters(outcome, json);
  json_decref(json);
}

/* Writes a text as one word of the shell. */
static void quote(const char *text, char *word, size_t size)
{
  size_t used = 0;
  word[used++] = '\'';
  for (; *text != '\0' && used + 6 < size; text++)
    if (*text == '\'')
      used += (size_t)snprintf(word + used, size - used, "'\\''");
    else
      word[used++] = *text;
  word[used++] = '\'';
  word[used] = '\0';
}

static void execute_command(struct sl_executor *executor, const json_t *run, struct outcome *outcome)
{
  char path[SL_SPOOL_PATH], text[8192], folder[SL_SPOOL_PATH], line[sizeof text + sizeof folder + 64];
  /* Beside the spool, whose folder another sweep may remove when it ends. */
  snprintf(path, sizeof path, "%s.%s.result", executor->spool, sl_run_text(run, "hash"));
  FILE *pipe = NULL;
  int byte, status = -1;
  if (!sl_run_expand(run, path, text, sizeof text)) {
    sl_fail(&outcome->error, SL_USAGE, "the command is longer than %zu characters", sizeof text);
    return;
  }
  quote(sl_run_text(run, "folder"), folder, sizeof folder);
  snprintf(line, sizeof line, "cd %s && { %s\n} </dev/null 2>&1", folder, text);
  pipe = popen(line, "r");
  while (pipe != NULL && (byte = getc(pipe)) != EOF)
    put_byte(outcome, (uint8_t)byte);
  if (pipe != NULL)
    status = pclose(pipe);
  if (status == -1)
    sl_fail(&outcome->error, SL_USAGE, "the command cannot be started");
  else if (WIFSIGNALED(status))
    sl_fail(&outcome->error, SL_FAULT, "signal %d ended the command", WTERMSIG(status));
  else if (WEXITSTATUS(status) == 0)
    take_command_result(outcome, path);
  else
    outcome->status = WEXITSTATUS(status);
  unlink(path);
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
  json_t *inputs = json_pack("{sO sO sO}", "kind", json_object_get(run, "kind"), "path", json_object_get(run, "path"),
                             "files", json_object_get(run, "files"));
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

static json_t *finish(struct sl_executor *executor, const json_t *run, struct outcome *outcome, double seconds)
{
  char message[sizeof outcome->error.text + KEPT_OUTPUT + 64] = "";
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
  sl_json_put(&result, "cycles", json_integer(cycles_of(outcome)));
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
  struct outcome outcome = {0};
  const double start = sl_seconds();
  if (strcmp(kind, "elf") == 0)
    execute_elf(executor, run, &outcome);
  else if (strcmp(kind, "launch") == 0)
    execute_launch(executor, run, &outcome);
  else
    execute_command(executor, run, &outcome);
  *result = finish(executor, run, &outcome, sl_seconds() - start);
  return *result != NULL ? SL_OK : sl_no_memory(err, 1);
}
