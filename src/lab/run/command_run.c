#include "lab/run/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/whole_file.h"
#include "config/yaml.h"
#include "host/runtimes.h"
#include "lab/process.h"
#include "lab/record.h"
#include "lab/sweep.h"
#include "observe/json.h"

/* ---- programs that a study builds -------------------------------------------------------------------------------- */

/* The hash of what makes a program. Its inputs count by size and time of their last change, as make has it. */
static void hash_of(const struct sl_study_program *program, const char *simulator, char text[SL_SHA256_TEXT])
{
  struct sl_sha256 hash;
  sl_sha256_begin(&hash);
  sl_sha256_text(&hash, simulator);
  sl_sha256_text(&hash, program->build);
  for (uint64_t i = 0; i < program->files.count; i++) {
    struct stat file = {0};
    const bool exists = stat(program->files.list[i], &file) == 0;
    const int64_t facts[] = {exists, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
    sl_sha256_text(&hash, program->files.list[i]);
    sl_sha256_add(&hash, facts, sizeof facts);
  }
  sl_sha256_end(&hash, text);
}

static void note_path(const struct sl_study_program *program, char path[SL_WHOLE_PATH])
{
  snprintf(path, SL_WHOLE_PATH, "%s.built", program->path);
}

bool sl_program_is_built(const struct sl_study_program *program, const char *simulator, char **printed)
{
  char path[SL_WHOLE_PATH], hash[SL_SHA256_TEXT], *text = NULL;
  size_t size = 0;
  struct sl_error ignored;
  note_path(program, path);
  if (access(program->path, R_OK) != 0 || sl_read_text(path, &text, &size, &ignored) != SL_OK)
    return false;
  hash_of(program, simulator, hash);
  const bool same = size > strlen(hash) && strncmp(text, hash, strlen(hash)) == 0;
  *printed = same ? strndup(text + strlen(hash) + 1, size - strlen(hash) - 1) : NULL;
  free(text);
  return same;
}

/* Runs the build command, and notes what it has built. */
static enum sl_status build(const struct sl_study *study, size_t number, const char *simulator, struct sl_error *err)
{
  const struct sl_study_program *program = &study->programs[number];
  char path[SL_WHOLE_PATH], hash[SL_SHA256_TEXT], folder[SL_WHOLE_PATH];
  struct sl_run_outcome outcome = {.status = 0};
  struct sl_whole_file note;
  const char *slash = strrchr(study->origin, '/');
  snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash + 1 - study->origin) : 1,
           slash != NULL ? study->origin : ".");
  hash_of(program, simulator, hash);
  note_path(program, path);
  unlink(path);
  const int status = sl_shell(folder, program->build, sl_outcome_put_byte, &outcome);
  while (outcome.output_size > 0 && outcome.output[outcome.output_size - 1] == '\n')
    outcome.output[--outcome.output_size] = '\0';
  if (status != 0)
    return sl_fail(err, SL_USAGE, "%.250s:%zu: %.80s cannot be built (%s %d): %s", study->origin, program->line,
                   program->name, WIFSIGNALED(status) ? "signal" : "exit status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), outcome.output);
  if (access(program->path, R_OK) != 0)
    return sl_fail(err, SL_USAGE, "%.250s:%zu: the build command has ended without %.300s", study->origin,
                   program->line, program->path);
  enum sl_status code = sl_whole_file_open(&note, path, err);
  if (code == SL_OK) {
    fprintf(note.file, "%s\n%s", hash, outcome.output);
    code = sl_whole_file_close(&note, false, err);
  }
  return code;
}

/* Sweeps that build the same program wait for each other. The lock of a sweep that is killed is free. */
enum sl_status sl_program_build(const struct sl_study *study, size_t number, const char *simulator,
                                struct sl_error *err)
{
  const struct sl_study_program *program = &study->programs[number];
  char path[SL_WHOLE_PATH], *printed = NULL;
  snprintf(path, sizeof path, "%s.lock", program->path);
  const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
    ;
  const enum sl_status code =
      sl_program_is_built(program, simulator, &printed) ? SL_OK : build(study, number, simulator, err);
  free(printed);
  if (lock >= 0)
    close(lock);
  return code;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

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
static void take_counters(struct sl_run_outcome *outcome, json_t *counters)
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

static void take_command_result(struct sl_run_outcome *outcome, const char *path)
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

/* Runs a line of the shell in the study's folder. False: it has failed. */
static bool shell(const json_t *run, const char *line, struct sl_run_outcome *outcome)
{
  const int status = sl_shell(sl_run_text(run, "folder"), line, sl_outcome_put_byte, outcome);
  if (status == -1)
    sl_fail(&outcome->error, SL_USAGE, "the command cannot be started");
  else if (WIFSIGNALED(status))
    sl_fail(&outcome->error, SL_FAULT, "signal %d ended the command", WTERMSIG(status));
  else
    outcome->status = WEXITSTATUS(status);
  return outcome->error.code == SL_OK && outcome->status == 0;
}

/* Beside the spool, whose folder another sweep may remove when it ends. */
static void result_path(const json_t *run, const char *spool, char path[SL_SPOOL_PATH])
{
  snprintf(path, SL_SPOOL_PATH, "%s.%s.result", spool, sl_run_text(run, "hash"));
}

void sl_command_run(const json_t *run, const char *spool, struct sl_run_outcome *outcome)
{
  char path[SL_SPOOL_PATH], text[8192];
  result_path(run, spool, path);
  if (!sl_run_expand(run, path, text, sizeof text)) {
    sl_fail(&outcome->error, SL_USAGE, "the command is longer than %zu characters", sizeof text);
    return;
  }
  if (shell(run, text, outcome))
    take_command_result(outcome, path);
  unlink(path);
}

/* ---- host programs ----------------------------------------------------------------------------------------------- */

extern char **environ;

static void put_word(FILE *file, const char *prefix, const char *name, const char *value)
{
  char word[8192];
  sl_shell_quote(value, word, sizeof word);
  fprintf(file, " %s%s%s%s", prefix, name, name[0] != '\0' ? "=" : "", word);
}

/* Variables of the caller would change what the program simulates. */
static void put_unset(FILE *file, const char *prefix)
{
  for (char **variable = environ; *variable != NULL; variable++)
    if (strncmp(*variable, prefix, strlen(prefix)) == 0)
      fprintf(file, " -u %.*s", (int)strcspn(*variable, "="), *variable);
}

/* The keys of the machine and the study, KEY=VALUE,... */
static void join_keys(const json_t *run, char *text, size_t size)
{
  size_t i;
  json_t *setting;
  text[0] = '\0';
  for (unsigned k = 0; k < 2; k++)
    json_array_foreach(json_object_get(run, k == 0 ? "keys" : "set"), i, setting) snprintf(
        text + strlen(text), size - strlen(text), "%s%s", text[0] != '\0' ? "," : "", json_string_value(setting));
}

static void put_program(FILE *file, const json_t *run, const char *statistics)
{
  const struct sl_runtime *runtime = sl_runtime(sl_run_text(run, "kind"));
  const char *prefix = runtime->prefix;
  char keys[1024], limit[24], found[2 * SL_SPOOL_PATH];
  size_t i;
  json_t *word;
  join_keys(run, keys, sizeof keys);
  snprintf(limit, sizeof limit, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(run, "max-cycles")));
  sl_runtime_finder(runtime, sl_run_text(run, "library"), found, sizeof found);
  fputs("exec env", file);
  put_unset(file, prefix);
  put_word(file, "", runtime->finder, found);
  put_word(file, prefix, "MACHINE", sl_run_text(run, "machine"));
  if (keys[0] != '\0')
    put_word(file, prefix, "SET", keys);
  put_word(file, prefix, "MODE", strcmp(sl_run_text(run, "mode"), "fast") == 0 ? "fast" : "timed");
  put_word(file, prefix, "THREADS", "1"); /* the sweep runs a program per processor */
  if (strcmp(limit, "0") != 0)
    put_word(file, prefix, "MAX_CYCLES", limit);
  put_word(file, prefix, "STATS", statistics);
  put_word(file, "", "", sl_run_text(run, "path"));
  json_array_foreach(json_object_get(run, "arguments"), i, word) put_word(file, "", "", json_string_value(word));
}

/* A line of statistics: a launch; the line of totals has no kernel. */
static void take_statistics(const json_t *run, json_t *line, struct sl_run_outcome *outcome)
{
  const char *kernel = json_string_value(json_object_get(line, "kernel")), *end = sl_run_text(line, "outcome"),
             *wanted = sl_run_text(run, "kernel");
  if (kernel == NULL || outcome->error.code != SL_OK)
    return;
  if (wanted[0] == '\0' || strcmp(wanted, kernel) == 0)
    take_counters(outcome, json_object_get(line, "counters"));
  if (outcome->error.code == SL_OK && strcmp(end, "ok") != 0)
    sl_fail(&outcome->error, strcmp(end, "limit") == 0 ? SL_LIMIT : SL_FAULT, "%.400s", sl_run_text(line, "message"));
}

static void take_all_statistics(const json_t *run, const char *path, struct sl_run_outcome *outcome)
{
  FILE *file = fopen(path, "r");
  json_t *line;
  outcome->counters = json_array();
  outcome->launches = json_array();
  while (file != NULL && (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
    take_statistics(run, line, outcome);
    json_decref(line);
  }
  if (file != NULL)
    fclose(file);
  if (json_array_size(outcome->launches) == 0 && outcome->error.code == SL_OK && outcome->status == 0)
    sl_fail(&outcome->error, SL_CHECK_FAILED, "the program has launched no kernel%s%.80s on the simulated machine",
            sl_run_text(run, "kernel")[0] != '\0' ? " " : "", sl_run_text(run, "kernel"));
}

/* Adds the energy of all launches. */
static void add_energy(const json_t *run, const struct sl_config *config, struct sl_run_outcome *outcome)
{
  uint64_t totals[SL_COUNTERS_MOST] = {0};
  size_t i, launch, counter;
  json_t *name, *values;
  json_array_foreach(outcome->counters, i, name)
  {
    if (!sl_counter_find(config->machine, json_string_value(name), &counter))
      continue;
    json_array_foreach(outcome->launches, launch, values) totals[counter] +=
        (uint64_t)json_integer_value(json_array_get(values, i));
  }
  sl_outcome_add_energy(outcome, sl_run_text(run, "energy"), config, totals);
}

void sl_host_program_run(const json_t *run, const char *spool, const struct sl_config *config,
                         struct sl_run_outcome *outcome)
{
  char path[SL_SPOOL_PATH], *line = NULL;
  size_t size = 0;
  result_path(run, spool, path);
  if (sl_run_text(run, "library")[0] == '\0' || sl_runtime(sl_run_text(run, "kind")) == NULL) {
    sl_fail(&outcome->error, SL_USAGE, "this simtlab has no library for %s programs", sl_run_text(run, "kind"));
    return;
  }
  FILE *file = open_memstream(&line, &size);
  if (file != NULL)
    put_program(file, run, path);
  if (file == NULL || fclose(file) != 0) {
    sl_no_memory(&outcome->error, size);
  } else {
    outcome->pipeline = config->machine->name;
    const bool passed = shell(run, line, outcome);
    take_all_statistics(run, path, outcome);
    if (passed && outcome->error.code == SL_OK)
      sl_outcome_add_counts(run, outcome);
    if (passed && sl_run_text(run, "energy")[0] != '\0' && outcome->error.code == SL_OK)
      add_energy(run, config, outcome);
    if (passed && sl_run_text(run, "prints")[0] != '\0' && outcome->error.code == SL_OK)
      sl_outcome_add_printed(outcome, sl_run_text(run, "prints"), outcome->output, "program");
  }
  free(line);
  unlink(path);
}
