#include "lab/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/yaml.h"
#include "host/runtimes.h"
#include "lab/run/execute.h"
#include "observe/json.h"

enum { MOST_NAMES = 64 };

static enum sl_status fail_at(const struct sl_plan *plan, size_t line, struct sl_error *err)
{
  sl_error_prefix(err, "%.250s:%zu: ", plan->study->origin, line);
  return err != NULL ? err->code : SL_USAGE;
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

static char *absolute(const char *path)
{
  char *real = realpath(path, NULL);
  return real != NULL ? real : strdup(path);
}

static json_t *path_json(const char *path)
{
  char *real = absolute(path);
  json_t *json = real != NULL ? json_string(real) : NULL;
  free(real);
  return json;
}

/* The folder of a file. */
static json_t *folder_json(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  json_t *json = folder != NULL ? path_json(folder) : NULL;
  free(folder);
  return json;
}

/* Splits a text at blanks, and replaces {size} and {seed} in each word. */
static json_t *arguments_json(const char *text, const char *size, const char *seed)
{
  json_t *words = json_array();
  while (text != NULL && text[strspn(text, " ")] != '\0' && words != NULL) {
    char word[2 * SL_STUDY_TEXT] = "";
    text += strspn(text, " ");
    size_t used = 0;
    while (*text != ' ' && *text != '\0' && used + 1 < sizeof word) {
      const bool is_size = strncmp(text, "{size}", 6) == 0;
      const char *value = is_size ? size : strncmp(text, "{seed}", 6) == 0 ? seed : NULL;
      if (value != NULL)
        used += (size_t)snprintf(word + used, sizeof word - used, "%s", value);
      else
        word[used++] = *text;
      used = used < sizeof word ? used : sizeof word - 1;
      text += value != NULL ? 6 : 1;
    }
    word[used] = '\0';
    sl_json_append(&words, json_string(word));
  }
  return words;
}

/* The paths that descriptions share. */
static enum sl_status find_paths(struct sl_plan *plan, struct sl_error *err)
{
  const struct sl_study *study = plan->study;
  plan->folder = folder_json(study->origin);
  plan->machine_names = json_array();
  plan->program_paths = json_array();
  plan->program_files = json_array();
  for (uint64_t i = 0; i < study->machines.count; i++) {
    const char *name = study->machine[i].base;
    sl_json_append(&plan->machine_names, sl_is_file_name(name) ? path_json(name) : json_string(name));
  }
  for (size_t i = 0; i < study->program_count; i++) {
    const struct sl_study_program *program = &study->programs[i];
    json_t *files = json_array();
    for (uint64_t k = 0; k < program->files.count; k++)
      sl_json_append(&files, path_json(program->files.list[k]));
    sl_json_append(&plan->program_files, files);
    sl_json_append(&plan->program_paths,
                   program->kind == SL_STUDY_COMMAND ? sl_json_text(program->path) : path_json(program->path));
  }
  const bool complete =
      plan->folder != NULL && plan->machine_names != NULL && plan->program_paths != NULL && plan->program_files != NULL;
  return complete ? SL_OK : sl_no_memory(err, 1);
}

/* The settings of a machine or a program. */
static json_t *settings_json(json_t *set, const struct sl_study_settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    sl_json_append(&set, json_string(settings->list[i]));
  return set;
}

static json_t *run_json(const struct sl_plan *plan, uint64_t index)
{
  static const char *const kinds[] = {
      [SL_STUDY_ELF] = "elf", [SL_STUDY_LAUNCH] = "launch", [SL_STUDY_COMMAND] = "command"};
  const struct sl_study *study = plan->study;
  const struct sl_study_point point = sl_study_point(study, index);
  const struct sl_study_program *program = &study->programs[point.program];
  const bool host = program->kind >= SL_STUDY_HOST;
  char size[SL_STUDY_TEXT], seed[SL_STUDY_TEXT], value[SL_STUDY_TEXT], setting[SL_STUDY_NAME + SL_STUDY_TEXT];
  const char *size_text = sl_study_value(&program->sizes, point.size, size),
             *seed_text = sl_study_value(&program->seeds, point.seed, seed);
  json_t *set = json_array(), *run = json_object();
  for (size_t i = 0; i < study->key_count; i++) {
    const struct sl_study_key *key = &study->keys[i];
    snprintf(setting, sizeof setting, "%s=%s", key->name, sl_study_value(&key->values, point.group[key->group], value));
    sl_json_append(&set, json_string(setting));
  }
  sl_json_put(&run, "machine", json_incref(json_array_get(plan->machine_names, point.machine)));
  const struct sl_study_machine *machine = &study->machine[point.machine];
  sl_json_put(&run, "named", json_string(machine->named ? study->machines.list[point.machine] : ""));
  sl_json_put(&run, "keys", settings_json(json_array(), &machine->keys));
  sl_json_put(&run, "set", settings_json(set, &program->keys));
  sl_json_put(&run, "kind", json_string(host ? sl_runtimes[program->kind - SL_STUDY_HOST].name : kinds[program->kind]));
  sl_json_put(&run, "name", sl_json_text(program->name));
  sl_json_put(&run, "path", json_incref(json_array_get(plan->program_paths, point.program)));
  sl_json_put(&run, "folder", json_incref(plan->folder));
  if (host)
    sl_json_put(&run, "library", sl_json_text(plan->build->library[program->kind - SL_STUDY_HOST]));
  sl_json_put(&run, "files", json_incref(json_array_get(plan->program_files, point.program)));
  sl_json_put(&run, "arguments", arguments_json(program->arguments, size_text, seed_text));
  sl_json_put(&run, "size", json_string(size_text));
  sl_json_put(&run, "seed", json_string(seed_text));
  sl_json_put(&run, "whole", json_boolean(program->whole));
  sl_json_put(&run, "mode", json_string(sl_study_mode(study)));
  if (study->prints != NULL)
    sl_json_put(&run, "prints", sl_json_text(study->prints));
  if (study->energy != NULL)
    sl_json_put(&run, "energy", sl_json_text(study->energy));
  if (program->kernel != NULL)
    sl_json_put(&run, "kernel", sl_json_text(program->kernel));
  if (program->build_prints != NULL) {
    const char *printed = plan->printed != NULL ? plan->printed[point.program] : NULL;
    sl_json_put(&run, "build prints", sl_json_text(program->build_prints));
    sl_json_put(&run, "printed", sl_json_text(printed != NULL ? printed : ""));
  }
  if (program->memory.count + program->expect.count > 0) {
    sl_json_put(&run, "memory", settings_json(json_array(), &program->memory));
    sl_json_put(&run, "expect", settings_json(json_array(), &program->expect));
  }
  if (study->counts.count > 0) {
    json_t *counts = json_object();
    for (size_t i = 0; i < study->counts.count; i++)
      sl_json_put(&counts, study->counts.list[i].name, json_string(study->counts.list[i].text));
    sl_json_put(&run, "counts", counts);
  }
  sl_json_put(&run, "max-cycles", json_integer((json_int_t)study->max_cycles));
  return run;
}

json_t *sl_plan_json(const struct sl_plan *plan, size_t i)
{
  json_t *run = run_json(plan, plan->runs[i].point);
  sl_json_put(&run, "hash", json_string(plan->runs[i].hash));
  sl_json_put(&run, "task", json_string(plan->runs[i].task));
  return run;
}

void sl_plan_describe(const struct sl_plan *plan, size_t i, char *text, size_t size)
{
  const struct sl_study *study = plan->study;
  const struct sl_study_point point = sl_study_point(study, plan->runs[i].point);
  const struct sl_study_program *program = &study->programs[point.program];
  char value[SL_STUDY_TEXT];
  int n = snprintf(text, size, "%s %s", program->name, sl_study_value(&program->sizes, point.size, value));
  if (program->seeds.count > 0 && n > 0 && (size_t)n < size)
    n += snprintf(text + n, size - (size_t)n, " %s", sl_study_value(&program->seeds, point.seed, value));
  if (n > 0 && (size_t)n < size)
    n += snprintf(text + n, size - (size_t)n, "%son %s",
                  program->sizes.count > 0 || program->seeds.count > 0 ? " " : "", plan->machines[point.machine].name);
  for (size_t k = 0; k < program->keys.count && n > 0 && (size_t)n < size; k++)
    n += snprintf(text + n, size - (size_t)n, " %s", program->keys.list[k]);
  for (size_t k = 0; k < study->key_count && n > 0 && (size_t)n < size; k++)
    n += snprintf(text + n, size - (size_t)n, " %s=%s", study->keys[k].name,
                  sl_study_value(&study->keys[k].values, point.group[study->keys[k].group], value));
}

const char *sl_plan_program(const struct sl_plan *plan, size_t i)
{
  return plan->programs[sl_study_point(plan->study, plan->runs[i].point).program];
}

const char *sl_plan_pipeline(const struct sl_plan *plan, size_t i)
{
  return plan->machines[sl_study_point(plan->study, plan->runs[i].point).machine].machine->name;
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* Sets the keys of a machine or a program. */
static enum sl_status apply(const struct sl_plan *plan, const struct sl_study_settings *settings,
                            struct sl_config *config, struct sl_error *err)
{
  for (size_t i = 0; i < settings->count; i++)
    if (sl_config_set(config, settings->list[i], err) != SL_OK) {
      sl_error_prefix(err, "machine %s: ", config->name);
      return fail_at(plan, settings->lines[i], err);
    }
  return SL_OK;
}

static enum sl_status set_keys(const struct sl_plan *plan, const struct sl_study_point *point, struct sl_config *config,
                               struct sl_error *err)
{
  char settings[300] = "";
  char value[SL_STUDY_TEXT];
  for (size_t i = 0; i < plan->study->key_count; i++) {
    const struct sl_study_key *key = &plan->study->keys[i];
    const uint64_t number = point->group[key->group];
    const char *text = sl_study_value(&key->values, number, value);
    if (sl_key_set(config->machine->keys, config->spec, key->name, text, err) != SL_OK) {
      sl_error_prefix(err, "machine %s: ", config->name);
      return fail_at(plan, sl_study_line(&key->values, number), err);
    }
    snprintf(settings + strlen(settings), sizeof settings - strlen(settings), " %s=%s", key->name, text);
  }
  const struct sl_study_settings *own = &plan->study->programs[point->program].keys;
  if (apply(plan, own, config, err) != SL_OK)
    return err->code;
  if (sl_config_check(config, err) == SL_OK)
    return SL_OK;
  if (own->count > 0) {
    sl_error_prefix(err, "machine %s with the keys of the program cannot exist: ", config->name);
    return fail_at(plan, own->lines[0], err);
  }
  sl_error_prefix(err, "machine %s with%s cannot exist; a filter can leave it out: ", config->name, settings);
  return fail_at(plan, plan->study->key_count > 0 ? plan->study->keys[0].values.line : plan->study->machines.line, err);
}

static enum sl_status open_point(const struct sl_plan *plan, const struct sl_study_point *point,
                                 struct sl_config *config, struct sl_error *err)
{
  const struct sl_config *base = &plan->machines[point->machine];
  *config = *base;
  config->spec = malloc(base->machine->spec_size);
  if (config->spec == NULL)
    return sl_no_memory(err, base->machine->spec_size);
  memcpy(config->spec, base->spec, base->machine->spec_size);
  return set_keys(plan, point, config, err);
}

enum sl_status sl_plan_config(const struct sl_plan *plan, size_t i, struct sl_config *config, struct sl_error *err)
{
  const struct sl_study_point point = sl_study_point(plan->study, plan->runs[i].point);
  return open_point(plan, &point, config, err);
}

/* ---- names in expressions ---------------------------------------------------------------------------------------- */

static const char *const own_names[] = {"machine", "form", "program", "size", "seed", "scale"};

/* Whether a filter may use a name, or a metric with `counted`. */
static bool is_known(const struct sl_plan *plan, const char *name, bool counted)
{
  const struct sl_study *study = plan->study;
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
    if (strcmp(name, own_names[i]) == 0)
      return true;
  if (counted && (strcmp(name, "cycles") == 0 || strcmp(name, "seconds") == 0 ||
                  sl_metric_find(study->metrics, study->metric_count, name) != NULL))
    return true;
  for (uint64_t i = 0; i < study->machines.count; i++) {
    const struct sl_machine *machine = plan->machines[i].machine;
    if (sl_key_find(machine->keys, name) != NULL)
      return true;
    for (size_t c = 0; c < machine->counters->count && counted; c++)
      if (strcmp(machine->counters->counter[c].name, name) == 0)
        return true;
  }
  for (size_t i = 0; i < study->program_count && counted; i++)
    if (study->programs[i].kind == SL_STUDY_COMMAND || study->prints != NULL || study->counts.count > 0 ||
        study->energy != NULL || study->programs[i].build_prints != NULL)
      return true; /* what it counts is known when it has run */
  return false;
}

static enum sl_status unknown_name(const struct sl_plan *plan, const struct sl_metric *rule, const char *name,
                                   bool counted, struct sl_error *err)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
    sl_nearest_offer(&nearest, own_names[i]);
  for (uint64_t m = 0; m < plan->study->machines.count; m++) {
    const struct sl_machine *machine = plan->machines[m].machine;
    for (size_t i = 0; i < machine->keys->count; i++)
      sl_nearest_offer(&nearest, machine->keys->key[i].name);
    for (size_t i = 0; i < machine->counters->count && counted; i++)
      sl_nearest_offer(&nearest, machine->counters->counter[i].name);
  }
  if (nearest.name != NULL)
    sl_fail(err, SL_USAGE, "unknown name '%s'; did you mean '%s'?", name, nearest.name);
  else
    sl_fail(err, SL_USAGE,
            "unknown name '%s'; %s knows machine, form, program, size, seed and the keys of the machines%s", name,
            counted ? "a metric" : "a filter", counted ? ", and their counters" : "");
  return fail_at(plan, rule->line, err);
}

static enum sl_status check_names(const struct sl_plan *plan, const struct sl_metric *rules, size_t count, bool counted,
                                  struct sl_error *err)
{
  for (const struct sl_metric *rule = rules; rule < rules + count; rule++)
    for (size_t i = 0; rule->expression != NULL && i < sl_expression_name_count(rule->expression); i++)
      if (!is_known(plan, sl_expression_name(rule->expression, i), counted))
        return unknown_name(plan, rule, sl_expression_name(rule->expression, i), counted, err);
  return SL_OK;
}

/* The value of a name in a combination: a program's own keys count before those of the study, and these before the
 * machine's. */
static struct sl_datum value_of(const struct sl_plan *plan, const struct sl_study_point *point, const char *name,
                                char text[SL_STUDY_TEXT])
{
  const struct sl_study *study = plan->study;
  const struct sl_study_program *program = &study->programs[point->program];
  const struct sl_config *config = &plan->machines[point->machine];
  if (strcmp(name, "machine") == 0)
    return (struct sl_datum){config->name, 0};
  if (strcmp(name, "form") == 0)
    return (struct sl_datum){study->machine[point->machine].form != NULL ? study->machine[point->machine].form : "", 0};
  if (strcmp(name, "program") == 0)
    return (struct sl_datum){program->name, 0};
  if (strcmp(name, "size") == 0)
    return sl_datum_of(sl_study_value(&program->sizes, point->size, text));
  if (strcmp(name, "scale") == 0)
    return (struct sl_datum){study->scale, 0};
  if (strcmp(name, "seed") == 0)
    return sl_datum_of(sl_study_value(&program->seeds, point->seed, text));
  for (size_t i = 0; i < program->keys.count; i++)
    if (strncmp(program->keys.list[i], name, strlen(name)) == 0 && program->keys.list[i][strlen(name)] == '=')
      return sl_datum_of(program->keys.list[i] + strlen(name) + 1);
  for (size_t i = 0; i < study->key_count; i++)
    if (strcmp(study->keys[i].name, name) == 0)
      return sl_datum_of(sl_study_value(&study->keys[i].values, point->group[study->keys[i].group], text));
  const struct sl_key *key = sl_key_find(config->machine->keys, name);
  if (key == NULL)
    return (struct sl_datum){"", 0};
  sl_key_format(key, sl_key_value(key, config->spec), text, SL_STUDY_TEXT);
  return sl_datum_of(text);
}

static bool accepts(const struct sl_plan *plan, const struct sl_study_point *point, const struct sl_expression *filter)
{
  struct sl_datum values[MOST_NAMES];
  char texts[MOST_NAMES][SL_STUDY_TEXT];
  for (size_t i = 0; i < sl_expression_name_count(filter); i++)
    values[i] = value_of(plan, point, sl_expression_name(filter, i), texts[i]);
  return sl_datum_holds(sl_expression_value(filter, values));
}

static bool has_name(const struct sl_study_values *names, const char *name)
{
  for (uint64_t i = 0; i < names->count; i++)
    if (strcmp(names->list[i], name) == 0)
      return true;
  return false;
}

static bool holds(const struct sl_plan *plan, const struct sl_study_point *point, const struct sl_metric *rule)
{
  return rule->expression == NULL || accepts(plan, point, rule->expression);
}

static bool all_accept(const struct sl_plan *plan, const struct sl_study_point *point)
{
  for (size_t i = 0; i < plan->study->filter_count; i++)
    if (!holds(plan, point, &plan->study->filters[i]))
      return false;
  const struct sl_study_program *program = &plan->study->programs[point->program];
  const struct sl_study_machine *machine = &plan->study->machine[point->machine];
  if (machine->programs.count > 0 && !has_name(&machine->programs, program->name))
    return false;
  return holds(plan, point, &program->where) && holds(plan, point, &machine->where);
}

/* ---- expansion --------------------------------------------------------------------------------------------------- */

static enum sl_status open_machines(struct sl_plan *plan, struct sl_error *err)
{
  const struct sl_study_values *machines = &plan->study->machines;
  plan->machines = calloc(machines->count, sizeof *plan->machines);
  if (plan->machines == NULL)
    return sl_no_memory(err, machines->count * sizeof *plan->machines);
  for (uint64_t i = 0; i < machines->count; i++) {
    const struct sl_study_machine *machine = &plan->study->machine[i];
    struct sl_config *config = &plan->machines[i];
    if (sl_config_open(config, machine->base, err) != SL_OK)
      return fail_at(plan, sl_study_line(machines, i), err);
    if (machine->named)
      snprintf(config->name, sizeof config->name, "%s", machines->list[i]);
    if (apply(plan, &machine->keys, config, err) != SL_OK)
      return err->code;
  }
  return SL_OK;
}

/* Checks the names of programs and machines that a machine has. */
static enum sl_status check_machine(const struct sl_plan *plan, const struct sl_study_machine *machine,
                                    struct sl_error *err)
{
  const struct sl_study *study = plan->study;
  const struct sl_study_values *names = &machine->programs;
  if (machine->compare != NULL && !has_name(&study->machines, machine->compare)) {
    sl_fail(err, SL_USAGE, "the study has no machine '%.80s'", machine->compare);
    return fail_at(plan, machine->compare_line, err);
  }
  for (uint64_t i = 0; i < names->count; i++) {
    size_t p = 0;
    while (p < study->program_count && strcmp(study->programs[p].name, names->list[i]) != 0)
      p++;
    if (p == study->program_count && !study->reduced) {
      sl_fail(err, SL_USAGE, "the study has no program '%.80s'", names->list[i]);
      return fail_at(plan, names->lines[i], err);
    }
  }
  return SL_OK;
}

/* Which programs have runs. Only those that are built need it. */
static void find_used(struct sl_plan *plan)
{
  bool builds = false;
  for (size_t i = 0; i < plan->study->program_count; i++) {
    builds = builds || plan->study->programs[i].build != NULL;
    plan->used[i] = true;
  }
  if (!builds)
    return;
  memset(plan->used, 0, plan->study->program_count * sizeof *plan->used);
  for (uint64_t index = 0; index < plan->study->points; index++) {
    const struct sl_study_point point = sl_study_point(plan->study, index);
    plan->used[point.program] = plan->used[point.program] || all_accept(plan, &point);
  }
}

/* The digest of program number i, from the description of a run with it. One that is not built yet has none. */
static enum sl_status digest_program(struct sl_plan *plan, size_t i, struct sl_error *err)
{
  uint64_t index = 0;
  const struct sl_study_program *program = &plan->study->programs[i];
  if (program->build != NULL && (!plan->used[i] || !sl_program_is_built(program, plan->build->hash, &plan->printed[i])))
    return SL_OK;
  while (sl_study_point(plan->study, index).program != i)
    index++;
  json_t *run = run_json(plan, index);
  const enum sl_status code = run != NULL ? sl_program_digest(run, plan->programs[i], err) : sl_no_memory(err, 1);
  json_decref(run);
  return code == SL_OK ? SL_OK : fail_at(plan, plan->study->programs[i].line, err);
}

/* The last machine whose digest was computed: runs that differ in the program only follow each other. */
struct last_machine {
  bool known;
  struct sl_study_point point;
  char digest[SL_SHA256_TEXT];
};

static enum sl_status add_run(struct sl_plan *plan, uint64_t index, struct last_machine *last, struct sl_error *err)
{
  const struct sl_study_point point = sl_study_point(plan->study, index);
  if (!all_accept(plan, &point))
    return SL_OK;
  const struct sl_study_settings *keys = &plan->study->programs[point.program].keys;
  if (!last->known || last->point.machine != point.machine || keys->count > 0 ||
      plan->study->programs[last->point.program].keys.count > 0 ||
      memcmp(last->point.group, point.group, sizeof point.group) != 0) {
    struct sl_config config;
    const enum sl_status code = open_point(plan, &point, &config, err);
    if (code == SL_OK)
      sl_config_digest(&config, plan->study->machine[point.machine].named, last->digest);
    free(config.spec);
    if (code != SL_OK)
      return code;
    last->point = point;
    last->known = true;
  }
  struct sl_plan_run *run = &plan->runs[plan->count];
  json_t *json = run_json(plan, index);
  if (json == NULL)
    return sl_no_memory(err, 1);
  run->point = index;
  sl_run_hash(json, last->digest, plan->programs[point.program], plan->build->hash, run->hash);
  sl_run_hash(json, last->digest, plan->programs[point.program], SL_TIMING_VERSION, run->task);
  plan->count++;
  json_decref(json);
  return SL_OK;
}

enum sl_status sl_plan_open(struct sl_plan *plan, const struct sl_study *study, const struct sl_lab_build *build,
                            struct sl_error *err)
{
  *plan = (struct sl_plan){.study = study, .build = build};
  enum sl_status code = open_machines(plan, err);
  if (code == SL_OK)
    code = find_paths(plan, err);
  if (code == SL_OK)
    code = check_names(plan, study->filters, study->filter_count, false, err);
  if (code == SL_OK)
    code = check_names(plan, study->metrics, study->metric_count, true, err);
  for (uint64_t i = 0; i < study->machines.count && code == SL_OK; i++)
    code = check_machine(plan, &study->machine[i], err);
  for (size_t i = 0; i < study->program_count && code == SL_OK; i++)
    code = check_names(plan, &study->programs[i].where, 1, false, err);
  for (uint64_t i = 0; i < study->machines.count && code == SL_OK; i++)
    code = check_names(plan, &study->machine[i].where, 1, false, err);
  if (code != SL_OK)
    return code;
  plan->used = calloc(study->program_count, sizeof *plan->used);
  if (plan->used == NULL)
    return sl_no_memory(err, study->program_count);
  find_used(plan);
  return SL_OK;
}

enum sl_status sl_plan_make(struct sl_plan *plan, struct sl_error *err)
{
  const struct sl_study *study = plan->study;
  enum sl_status code = SL_OK;
  plan->programs = calloc(study->program_count, sizeof *plan->programs);
  plan->printed = calloc(study->program_count, sizeof *plan->printed);
  plan->runs = calloc(study->points, sizeof *plan->runs);
  if (plan->programs == NULL || plan->printed == NULL || plan->runs == NULL)
    return sl_no_memory(err, study->points * sizeof *plan->runs);
  for (size_t i = 0; i < study->program_count && code == SL_OK; i++)
    code = digest_program(plan, i, err);
  struct last_machine last = {0};
  for (uint64_t i = 0; i < study->points && code == SL_OK; i++)
    code = add_run(plan, i, &last, err);
  if (code == SL_OK && plan->count == 0) {
    sl_fail(err, SL_USAGE, "the filters leave no run of the study");
    return fail_at(plan, study->filter_count > 0 ? study->filters[0].line : study->programs[0].line, err);
  }
  return code;
}

void sl_plan_free(struct sl_plan *plan)
{
  for (uint64_t i = 0; plan->machines != NULL && i < plan->study->machines.count; i++)
    sl_config_close(&plan->machines[i]);
  json_decref(plan->machine_names);
  json_decref(plan->program_paths);
  json_decref(plan->program_files);
  json_decref(plan->folder);
  free(plan->machines);
  for (size_t i = 0; plan->printed != NULL && i < plan->study->program_count; i++)
    free(plan->printed[i]);
  free(plan->printed);
  free(plan->used);
  free(plan->programs);
  free(plan->runs);
}
