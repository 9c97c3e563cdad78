#include "lab/study/study.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "config/yaml.h"
#include "device/device.h"

/* What options choose of a study: programs by --only, sampled timing. */

/* Whether a list "NAME,NAME" has a name. */
static bool lists(const char *list, const char *name)
{
  for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (strlen(name) == length && strncmp(list, name, length) == 0)
      return true;
  }
  return false;
}

/* Drops the programs that a list "NAME,NAME" does not name. */
static enum sl_status study_keep(struct sl_study *study, const char *only, struct sl_error *err)
{
  for (const char *at = only; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    char word[SL_STUDY_NAME];
    struct sl_nearest nearest;
    size_t i = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
    sl_nearest_begin(&nearest, word);
    for (; i < study->program_count && strcmp(study->programs[i].name, word) != 0; i++)
      sl_nearest_offer(&nearest, study->programs[i].name);
    if (i == study->program_count)
      return sl_fail(err, SL_USAGE, "--only: unknown program '%s'%s%s%s", word,
                     nearest.name != NULL ? "; did you mean '" : "", nearest.name != NULL ? nearest.name : "",
                     nearest.name != NULL ? "'?" : "");
  }
  size_t kept = 0;
  for (size_t i = 0; i < study->program_count; i++)
    if (lists(only, study->programs[i].name))
      study->programs[kept++] = study->programs[i];
    else
      sl_study_program_free(&study->programs[i]);
  study->program_count = kept;
  study->reduced = true;
  return kept > 0 ? SL_OK : sl_fail(err, SL_USAGE, "--only names no program");
}

const char *sl_study_mode(const struct sl_study *study)
{
  return study->fast ? "fast" : study->sample != NULL ? study->sample : "cycle";
}

/* Sets the plan of sampled timing. */
static enum sl_status study_sample(struct sl_study *study, const char *plan, struct sl_error *err)
{
  struct sl_sampling_choice sampling;
  const size_t size = strlen(SL_SAMPLED) + strlen(plan) + 1;
  char *sample = malloc(size);
  if (sample == NULL)
    return sl_no_memory(err, size);
  snprintf(sample, size, "%s%s", SL_SAMPLED, plan);
  free(study->sample);
  study->sample = sample;
  return sl_choose_sampling(&sampling, plan, err);
}

enum { MOST_KEYS = SL_STUDY_NAME, MOST_RULES = 256 };

__extension__ typedef unsigned __int128 wide;

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static enum sl_status add_key(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  if (study->key_count == MOST_KEYS)
    return sl_study_fail(file, sl_yaml_line(node), "a study changes at most %d keys", MOST_KEYS);
  struct sl_study_key *key = &study->keys[study->key_count++];
  snprintf(key->name, sizeof key->name, "%s", name);
  key->group = study->group_count++;
  return sl_study_values(file, node, &key->values);
}

static enum sl_status read_keys(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  study->keys = calloc(MOST_KEYS, sizeof *study->keys);
  return study->keys != NULL ? sl_study_mapping(file, node, "'keys'", add_key, study)
                             : sl_no_memory(file->err, MOST_KEYS * sizeof *study->keys);
}

static struct sl_study_key *find_key(const struct sl_study *study, const char *name)
{
  for (size_t i = 0; i < study->key_count; i++)
    if (strcmp(study->keys[i].name, name) == 0)
      return &study->keys[i];
  return NULL;
}

static enum sl_status unknown_key(struct sl_study_file *file, size_t line, const struct sl_study *study,
                                  const char *name)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; i < study->key_count; i++)
    sl_nearest_offer(&nearest, study->keys[i].name);
  if (nearest.name != NULL)
    return sl_study_fail(file, line, "'zip' names '%s', which 'keys' does not have; did you mean '%s'?", name,
                         nearest.name);
  return sl_study_fail(file, line, "'zip' names '%s', which 'keys' does not have", name);
}

struct zip {
  struct sl_study *study;
  struct sl_study_key *first; /* of the current list */
};

static enum sl_status zip_key(struct sl_study_file *file, const char *unused, yaml_node_t *node, void *target)
{
  struct zip *zip = target;
  char name[SL_STUDY_NAME];
  (void)unused;
  const enum sl_status code = sl_study_name(file, node, name);
  if (code != SL_OK)
    return code;
  struct sl_study_key *key = find_key(zip->study, name);
  if (key == NULL)
    return unknown_key(file, sl_yaml_line(node), zip->study, name);
  for (const struct sl_study_key *other = zip->study->keys; other < zip->study->keys + zip->study->key_count; other++)
    if (other != key && other->group == key->group)
      return sl_study_fail(file, sl_yaml_line(node), "'zip' names '%s' twice", name);
  if (zip->first == NULL)
    zip->first = key;
  if (key->values.count != zip->first->values.count)
    return sl_study_fail(file, sl_yaml_line(node),
                         "keys that advance together have equally many values; '%s' has %" PRIu64 ", '%s' has %" PRIu64,
                         zip->first->name, zip->first->values.count, name, key->values.count);
  key->group = zip->first->group;
  return SL_OK;
}

static enum sl_status zip_list(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct zip zip = {.study = target};
  (void)name;
  return sl_study_list(file, node, zip_key, &zip);
}

/* A list of names, or a list of such lists. */
static enum sl_status apply_zip(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study)
{
  const yaml_node_t *first = NULL;
  if (node->type == YAML_SEQUENCE_NODE && node->data.sequence.items.start < node->data.sequence.items.top)
    first = yaml_document_get_node(&file->document, *node->data.sequence.items.start);
  return first != NULL && first->type == YAML_SEQUENCE_NODE ? sl_study_list(file, node, zip_list, study)
                                                            : zip_list(file, NULL, node, study);
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

struct rules {
  struct sl_metric **all;
  size_t *count;
};

static enum sl_status add_rule(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  const struct rules *rules = target;
  if (*rules->count == MOST_RULES)
    return sl_study_fail(file, sl_yaml_line(node), "more than %d expressions", MOST_RULES);
  struct sl_metric *larger = realloc(*rules->all, (*rules->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(file->err, sizeof *larger);
  *rules->all = larger;
  struct sl_metric *rule = &larger[(*rules->count)++];
  *rule = (struct sl_metric){.line = 0};
  snprintf(rule->name, sizeof rule->name, "%s", name != NULL ? name : "");
  return sl_study_rule(file, node, rule);
}

static enum sl_status read_filters(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  struct rules rules = {&study->filters, &study->filter_count};
  return sl_study_list(file, node, add_rule, &rules);
}

static enum sl_status read_metrics(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  struct rules rules = {&study->metrics, &study->metric_count};
  size_t at = 0;
  enum sl_status code = sl_study_mapping(file, node, "'metrics'", add_rule, &rules);
  if (code == SL_OK && (code = sl_metrics_check(study->metrics, study->metric_count, &at, file->err)) != SL_OK)
    sl_error_prefix(file->err, "%.250s:%zu: ", file->origin, study->metrics[at].line);
  return code;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static enum sl_status read_study_name(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  study->line = sl_yaml_line(node);
  return sl_study_name(file, node, study->name);
}

static enum sl_status read_about(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study *)target)->about);
}

static enum sl_status read_machines(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_machines(file, node, target);
}

static enum sl_status read_zip(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  (void)file, (void)node, (void)target; /* after `keys`, wherever it stands */
  return SL_OK;
}

static enum sl_status read_programs(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_programs(file, node, target);
}

static enum sl_status read_report(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_report_read(file, node, &((struct sl_study *)target)->report);
}

static enum sl_status read_mode(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char mode[SL_STUDY_NAME];
  const enum sl_status code = sl_study_name(file, node, mode);
  if (code != SL_OK)
    return code;
  ((struct sl_study *)target)->fast = strcmp(mode, "fast") == 0;
  return strcmp(mode, "fast") == 0 || strcmp(mode, "cycle") == 0
             ? SL_OK
             : sl_study_fail(file, sl_yaml_line(node), "the mode is cycle or fast, not '%s'", mode);
}

static enum sl_status read_scale(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char scale[SL_STUDY_NAME];
  (void)target; /* before the rest, wherever it stands */
  return sl_study_name(file, node, scale);
}

static enum sl_status read_sample(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char *plan = NULL;
  enum sl_status code = sl_study_text(file, node, &plan);
  if (code == SL_OK && (code = study_sample(target, plan, file->err)) != SL_OK)
    sl_error_prefix(file->err, "%.250s:%zu: ", file->origin, sl_yaml_line(node));
  free(plan);
  return code;
}

static enum sl_status read_prints(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study *)target)->prints);
}

static enum sl_status read_energy(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char **energy = &((struct sl_study *)target)->energy, *text = NULL;
  const enum sl_status code = sl_study_text(file, node, &text);
  *energy = code == SL_OK && sl_is_file_name(text) ? sl_study_path(file, text) : text;
  if (*energy != text)
    free(text);
  return code;
}

/* Expressions over the counters of a launch. */
static enum sl_status read_counts(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_texts *counts = &((struct sl_study *)target)->counts;
  enum sl_status code = sl_study_texts(file, node, "'counts'", NULL, counts);
  for (size_t i = 0; i < counts->count && code == SL_OK; i++) {
    struct sl_expression *expression;
    code = sl_expression_parse(&expression, counts->list[i].text, file->err);
    sl_expression_free(expression);
    if (code != SL_OK)
      sl_error_prefix(file->err, "%.250s:%zu: ", file->origin, counts->list[i].line);
  }
  return code;
}

static enum sl_status read_max_cycles(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_number(file, node, 1, &((struct sl_study *)target)->max_cycles);
}

static enum sl_status read_limit(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study *study = target;
  study->limit_line = sl_yaml_line(node);
  const enum sl_status code = sl_study_number(file, node, 1, &study->runs_limit);
  if (code == SL_OK && study->runs_limit > SL_STUDY_RUNS_MOST)
    return sl_study_fail(file, study->limit_line, "the limit is at most %d", SL_STUDY_RUNS_MOST);
  return code;
}

/* The number of values of a group of keys; 0: no key is in it. */
static uint64_t group_size(const struct sl_study *study, size_t group)
{
  for (size_t i = 0; i < study->key_count; i++)
    if (study->keys[i].group == group)
      return study->keys[i].values.count;
  return 0;
}

static uint64_t at_least_one(uint64_t count)
{
  return count > 0 ? count : 1;
}

static wide runs_of_program(const struct sl_study_program *program)
{
  return (wide)at_least_one(program->sizes.count) * at_least_one(program->seeds.count);
}

/* Counts the combinations. A product beyond 64 bits is not counted further: it is too large in any case. */
static enum sl_status count_points(struct sl_study_file *file, struct sl_study *study)
{
  wide points = 0;
  for (size_t i = 0; i < study->program_count && points <= UINT64_MAX; i++)
    points += runs_of_program(&study->programs[i]);
  if (points <= UINT64_MAX)
    points *= study->machines.count;
  for (size_t i = 0; i < study->group_count && points <= UINT64_MAX; i++)
    points *= at_least_one(group_size(study, i));
  if (points <= study->runs_limit) {
    study->points = (uint64_t)points;
    return SL_OK;
  }
  char count[64] = "more than 2^64";
  if (points <= UINT64_MAX)
    snprintf(count, sizeof count, "%" PRIu64, (uint64_t)points);
  return sl_study_fail(file, study->limit_line > 0 ? study->limit_line : study->line,
                       "the study has %s runs, more than its limit of %" PRIu64
                       "; take fewer values, or set 'runs limit'",
                       count, study->runs_limit);
}

/* The value of a name of the study that counts before the others are read; NULL: it does not have the name. */
static const char *first_value(struct sl_study_file *file, const yaml_node_t *root, const char *name)
{
  const bool mapping = root->type == YAML_MAPPING_NODE;
  for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; mapping && pair < root->data.mapping.pairs.top;
       pair++) {
    const yaml_node_t *key = yaml_document_get_node(&file->document, pair->key),
                      *value = yaml_document_get_node(&file->document, pair->value);
    if (key->type == YAML_SCALAR_NODE && value->type == YAML_SCALAR_NODE &&
        strcmp((const char *)key->data.scalar.value, name) == 0)
      return (const char *)value->data.scalar.value;
  }
  return NULL;
}

/* Replaces {built} by the folder's absolute path. */
static enum sl_status replace_built(struct sl_study_file *file, const yaml_node_t *root,
                                    const struct sl_study_choice *choice)
{
  char folder[4096] = "", path[sizeof folder + 512];
  const char *chosen = choice != NULL ? choice->built : NULL, *name = first_value(file, root, "study");
  if ((chosen == NULL || chosen[0] != '/') && getcwd(folder, sizeof folder) == NULL)
    return sl_fail(file->err, SL_USAGE, "the current folder has no name (%s)", strerror(errno));
  if (chosen != NULL)
    snprintf(path, sizeof path, "%s%s%.500s", folder, folder[0] != '\0' ? "/" : "", chosen);
  else
    snprintf(path, sizeof path, "%s/results/%.200s.db.programs", folder, name != NULL ? name : "");
  return sl_study_replace(file, "built", path);
}

static enum sl_status read_all(struct sl_study_file *file, yaml_node_t *root, struct sl_study *study,
                               const struct sl_study_choice *choice)
{
  const char *scale = choice != NULL && choice->scale != NULL ? choice->scale : first_value(file, root, "scale");
  snprintf(study->scale, sizeof study->scale, "%s", scale != NULL ? scale : "");
  file->scale = study->scale;
  static const struct sl_study_field fields[] = {{"study", read_study_name},
                                                 {"about", read_about},
                                                 {"machines", read_machines},
                                                 {"keys", read_keys},
                                                 {"zip", read_zip},
                                                 {"programs", read_programs},
                                                 {"filters", read_filters},
                                                 {"metrics", read_metrics},
                                                 {"report", read_report},
                                                 {"mode", read_mode},
                                                 {"max-cycles", read_max_cycles},
                                                 {"runs limit", read_limit},
                                                 {"scale", read_scale},
                                                 {"sample", read_sample},
                                                 {"prints", read_prints},
                                                 {"counts", read_counts},
                                                 {"energy", read_energy},
                                                 {0}};
  enum sl_status code = replace_built(file, root, choice);
  if (code == SL_OK)
    code = sl_study_fields(file, root, "a study", fields, study);
  if (code != SL_OK)
    return code;
  const char *missing = study->name[0] == '\0'       ? "study: NAME"
                        : study->machines.count == 0 ? "machines: [MACHINE]"
                        : study->program_count == 0  ? "programs: [{elf: FILE}]"
                                                     : NULL;
  if (missing != NULL)
    return sl_study_fail(file, sl_yaml_line(root), "the study has no '%s'", missing);
  for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; pair++)
    if (strcmp((const char *)yaml_document_get_node(&file->document, pair->key)->data.scalar.value, "zip") == 0)
      code = apply_zip(file, yaml_document_get_node(&file->document, pair->value), study);
  if (code == SL_OK && choice != NULL && choice->only != NULL)
    code = study_keep(study, choice->only, file->err);
  return code == SL_OK ? count_points(file, study) : code;
}

enum sl_status sl_study_parse(struct sl_study *study, const char *path, const char *text, size_t size,
                              const struct sl_study_choice *choice, struct sl_error *err)
{
  *study = (struct sl_study){.origin = strdup(path), .runs_limit = SL_STUDY_RUNS};
  if (study->origin == NULL)
    return sl_no_memory(err, strlen(path));
  struct sl_study_file file = {.origin = study->origin};
  yaml_node_t *root;
  enum sl_status code = sl_study_file_open(&file, text, size, &root, err);
  if (code == SL_OK)
    code = sl_study_expand(&file);
  if (code == SL_OK)
    code = read_all(&file, yaml_document_get_root_node(&file.document), study, choice);
  if (code == SL_OK && choice != NULL && choice->sample != NULL)
    code = study_sample(study, choice->sample, err);
  yaml_document_delete(&file.document);
  return code;
}

enum sl_status sl_study_read(struct sl_study *study, const char *path, const struct sl_study_choice *choice,
                             struct sl_error *err)
{
  char *text = NULL;
  size_t size = 0;
  *study = (struct sl_study){0};
  enum sl_status code = sl_read_text(path, &text, &size, err);
  if (code == SL_OK)
    code = sl_study_parse(study, path, text, size, choice, err);
  free(text);
  return code;
}

void sl_study_free(struct sl_study *study)
{
  for (size_t i = 0; i < study->key_count; i++)
    sl_study_values_free(&study->keys[i].values);
  for (size_t i = 0; i < study->program_count; i++)
    sl_study_program_free(&study->programs[i]);
  for (size_t i = 0; i < study->filter_count; i++)
    sl_expression_free(study->filters[i].expression);
  for (size_t i = 0; i < study->metric_count; i++)
    sl_expression_free(study->metrics[i].expression);
  sl_report_free(&study->report);
  sl_study_machines_free(study);
  free(study->keys);
  free(study->programs);
  free(study->filters);
  free(study->metrics);
  free(study->origin);
  free(study->about);
  free(study->sample);
  free(study->prints);
  free(study->energy);
  sl_texts_free(&study->counts);
  *study = (struct sl_study){0};
}

/* ---- combinations ------------------------------------------------------------------------------------------------ */

struct sl_study_point sl_study_point(const struct sl_study *study, uint64_t index)
{
  struct sl_study_point point = {0};
  uint64_t per_machine = 0;
  for (size_t i = 0; i < study->program_count; i++)
    per_machine += (uint64_t)runs_of_program(&study->programs[i]);
  uint64_t run = index % per_machine;
  index /= per_machine;
  for (; run >= (uint64_t)runs_of_program(&study->programs[point.program]); point.program++)
    run -= (uint64_t)runs_of_program(&study->programs[point.program]);
  point.size = run / at_least_one(study->programs[point.program].seeds.count);
  point.seed = run % at_least_one(study->programs[point.program].seeds.count);
  for (size_t i = study->group_count; i-- > 0;) {
    point.group[i] = index % at_least_one(group_size(study, i));
    index /= at_least_one(group_size(study, i));
  }
  point.machine = index;
  return point;
}
