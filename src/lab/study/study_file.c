#include "lab/study/study.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/yaml.h"

size_t sl_yaml_line(const yaml_node_t *node)
{
  return node->start_mark.line + 1;
}

enum sl_status sl_study_fail(struct sl_study_file *file, size_t line, const char *format, ...)
{
  char sentence[700];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  return sl_fail(file->err, SL_USAGE, "%.250s:%zu: %s", file->origin, line, sentence);
}

static yaml_node_t *node_of(struct sl_study_file *file, int number)
{
  return yaml_document_get_node(&file->document, number);
}

/* The text of a single value; NULL if the node is none or holds a zero byte. */
static const char *scalar_of(const yaml_node_t *node)
{
  if (node->type != YAML_SCALAR_NODE || strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
    return NULL;
  return (const char *)node->data.scalar.value;
}

enum sl_status sl_study_file_open(struct sl_study_file *file, const char *text, size_t size, yaml_node_t **root,
                                  struct sl_error *err)
{
  yaml_parser_t parser;
  file->err = err;
  memset(&file->document, 0, sizeof file->document);
  if (!yaml_parser_initialize(&parser))
    return sl_no_memory(err, sizeof parser);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  enum sl_status code = SL_OK;
  if (!yaml_parser_load(&parser, &file->document)) {
    memset(&file->document, 0, sizeof file->document);
    code = sl_study_fail(file, parser.problem_mark.line + 1, "not valid YAML: %.200s",
                         parser.problem != NULL ? parser.problem : "the text cannot be read");
  }
  yaml_document_t second;
  if (code == SL_OK && yaml_parser_load(&parser, &second)) {
    if (yaml_document_get_root_node(&second) != NULL)
      code = sl_study_fail(file, second.start_mark.line + 1, "a second document; a study is one");
    yaml_document_delete(&second);
  }
  yaml_parser_delete(&parser);
  *root = code == SL_OK ? yaml_document_get_root_node(&file->document) : NULL;
  if (code == SL_OK && *root == NULL)
    code = sl_study_fail(file, 1, "the file is empty; a study has a name, machines and programs");
  return code;
}

/* ---- mappings and lists ------------------------------------------------------------------------------------------ */

enum sl_status sl_study_mapping(struct sl_study_file *file, yaml_node_t *node, const char *what, sl_study_item *item,
                                void *target)
{
  if (node->type != YAML_MAPPING_NODE)
    return sl_study_fail(file, sl_yaml_line(node), "%s must be a mapping of names to values", what);
  const yaml_node_pair_t *first = node->data.mapping.pairs.start;
  for (const yaml_node_pair_t *pair = first; pair < node->data.mapping.pairs.top; pair++) {
    yaml_node_t *key = node_of(file, pair->key);
    const char *name = scalar_of(key);
    if (name == NULL || strlen(name) >= SL_STUDY_NAME)
      return sl_study_fail(file, sl_yaml_line(key), "a name in %s must be a short text", what);
    for (const yaml_node_pair_t *other = first; other < pair; other++)
      if (strcmp(scalar_of(node_of(file, other->key)), name) == 0)
        return sl_study_fail(file, sl_yaml_line(key), "'%s' is given twice; the first time is line %zu", name,
                             sl_yaml_line(node_of(file, other->key)));
    file->name_line = sl_yaml_line(key);
    const enum sl_status code = item(file, name, node_of(file, pair->value), target);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

enum sl_status sl_study_list(struct sl_study_file *file, yaml_node_t *node, sl_study_item *item, void *target)
{
  if (node->type != YAML_SEQUENCE_NODE)
    return item(file, NULL, node, target);
  for (const yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
    const enum sl_status code = item(file, NULL, node_of(file, *i), target);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

struct fields {
  const char *what;
  const struct sl_study_field *field;
  void *target;
};

static enum sl_status read_field(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  const struct fields *fields = target;
  struct sl_nearest nearest;
  char all[300] = "";
  sl_nearest_begin(&nearest, name);
  for (const struct sl_study_field *field = fields->field; field->name != NULL; field++) {
    if (strcmp(field->name, name) == 0)
      return field->read(file, node, fields->target);
    sl_nearest_offer(&nearest, field->name);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] != '\0' ? ", " : "", field->name);
  }
  if (nearest.name != NULL)
    return sl_study_fail(file, file->name_line, "unknown name '%s' in %s; did you mean '%s'?", name, fields->what,
                         nearest.name);
  return sl_study_fail(file, file->name_line, "unknown name '%s' in %s; there are %s", name, fields->what, all);
}

enum sl_status sl_study_fields(struct sl_study_file *file, yaml_node_t *node, const char *what,
                               const struct sl_study_field *fields, void *target)
{
  struct fields all = {what, fields, target};
  return sl_study_mapping(file, node, what, read_field, &all);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum sl_status sl_study_text(struct sl_study_file *file, yaml_node_t *node, char **text)
{
  const char *scalar = scalar_of(node);
  if (scalar == NULL || scalar[0] == '\0')
    return sl_study_fail(file, sl_yaml_line(node), "a single value belongs here");
  *text = strdup(scalar);
  return *text != NULL ? SL_OK : sl_no_memory(file->err, strlen(scalar));
}

enum sl_status sl_study_name(struct sl_study_file *file, yaml_node_t *node, char name[SL_STUDY_NAME])
{
  const char *scalar = scalar_of(node);
  if (scalar == NULL || scalar[0] == '\0' || strlen(scalar) >= SL_STUDY_NAME || strchr(scalar, '/') != NULL)
    return sl_study_fail(file, sl_yaml_line(node), "a name of 1 to %d letters without '/' belongs here",
                         SL_STUDY_NAME - 1);
  strcpy(name, scalar);
  return SL_OK;
}

enum sl_status sl_study_switch(struct sl_study_file *file, yaml_node_t *node, bool *on)
{
  const char *scalar = scalar_of(node);
  *on = scalar != NULL && strcmp(scalar, "true") == 0;
  return *on || (scalar != NULL && strcmp(scalar, "false") == 0)
             ? SL_OK
             : sl_study_fail(file, sl_yaml_line(node), "true or false belongs here");
}

enum sl_status sl_study_number(struct sl_study_file *file, yaml_node_t *node, uint64_t least, uint64_t *number)
{
  const char *scalar = scalar_of(node);
  char *end = NULL;
  errno = 0;
  if (scalar != NULL && scalar[0] >= '0' && scalar[0] <= '9')
    *number = strtoull(scalar, &end, 10);
  if (end == NULL || *end != '\0' || errno != 0 || *number < least)
    return sl_study_fail(file, sl_yaml_line(node), "a whole number from %" PRIu64 " belongs here%s%.40s%s", least,
                         scalar != NULL ? ", not '" : "", scalar != NULL ? scalar : "", scalar != NULL ? "'" : "");
  return SL_OK;
}

static enum sl_status add_value(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study_values *values = target;
  const char *scalar = scalar_of(node);
  (void)name;
  if (scalar == NULL || scalar[0] == '\0' || strlen(scalar) >= SL_STUDY_TEXT)
    return sl_study_fail(file, sl_yaml_line(node), "a value must be a single text of 1 to %d letters",
                         SL_STUDY_TEXT - 1);
  char **list = realloc(values->list, (values->count + 1) * sizeof *list);
  if (list != NULL)
    values->list = list;
  size_t *lines = realloc(values->lines, (values->count + 1) * sizeof *lines);
  if (lines != NULL)
    values->lines = lines;
  if (list == NULL || lines == NULL || (list[values->count] = strdup(scalar)) == NULL)
    return sl_no_memory(file->err, (values->count + 1) * sizeof *list);
  lines[values->count++] = sl_yaml_line(node);
  for (uint64_t i = 0; i + 1 < values->count; i++)
    if (strcmp(list[i], scalar) == 0)
      return sl_study_fail(file, sl_yaml_line(node), "the value '%.80s' is given twice", scalar);
  return SL_OK;
}

struct range {
  struct sl_study_values *values;
  uint64_t to;
  bool has_from, has_to;
};

static enum sl_status read_from(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct range *range = target;
  range->has_from = true;
  return sl_study_number(file, node, 0, &range->values->from);
}

static enum sl_status read_to(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct range *range = target;
  range->has_to = true;
  return sl_study_number(file, node, 0, &range->to);
}

static enum sl_status read_step(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_number(file, node, 1, &((struct range *)target)->values->step);
}

static enum sl_status read_factor(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_number(file, node, 2, &((struct range *)target)->values->factor);
}

static enum sl_status read_range(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values)
{
  static const struct sl_study_field fields[] = {
      {"from", read_from}, {"to", read_to}, {"step", read_step}, {"factor", read_factor}, {0}};
  struct range range = {.values = values};
  const enum sl_status code = sl_study_fields(file, node, "a range", fields, &range);
  if (code != SL_OK)
    return code;
  if (!range.has_from || !range.has_to || (values->step != 0 && values->factor != 0))
    return sl_study_fail(file, values->line, "a range has 'from', 'to', and one of 'step' and 'factor'");
  if (range.to < values->from || (values->factor != 0 && values->from == 0))
    return sl_study_fail(file, values->line, "the range from %" PRIu64 " to %" PRIu64 " has no %s", values->from,
                         range.to,
                         values->factor != 0 && values->from == 0 ? "next value: 0 times a factor is 0" : "values");
  if (values->factor != 0) {
    for (uint64_t value = values->from; values->count++, value <= range.to / values->factor; value *= values->factor)
      ;
    return SL_OK;
  }
  if (values->step == 0)
    values->step = 1;
  if (range.to - values->from == UINT64_MAX && values->step == 1)
    range.to--; /* one value fewer than the count can hold; the product is refused anyway */
  values->count = (range.to - values->from) / values->step + 1;
  return SL_OK;
}

enum sl_status sl_study_values(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values)
{
  values->line = sl_yaml_line(node);
  if (node->type == YAML_MAPPING_NODE)
    return read_range(file, node, values);
  const enum sl_status code = sl_study_list(file, node, add_value, values);
  return code == SL_OK && values->count == 0 ? sl_study_fail(file, values->line, "the list has no values") : code;
}

struct scaled {
  struct sl_study_values *values;
  bool found;
  char scales[200];
};

static enum sl_status read_scaled(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct scaled *scaled = target;
  snprintf(scaled->scales + strlen(scaled->scales), sizeof scaled->scales - strlen(scaled->scales), "%s%s",
           scaled->scales[0] != '\0' ? ", " : "", name);
  if (strcmp(name, file->scale) != 0)
    return SL_OK;
  scaled->found = true;
  return sl_study_values(file, node, scaled->values);
}

enum sl_status sl_study_sizes(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values)
{
  bool scales = node->type == YAML_MAPPING_NODE;
  for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; scales && pair < node->data.mapping.pairs.top;
       pair++) {
    const char *name = scalar_of(node_of(file, pair->key));
    scales = name != NULL && strcmp(name, "from") != 0;
  }
  if (!scales)
    return sl_study_values(file, node, values);
  struct scaled scaled = {.values = values};
  const enum sl_status code = sl_study_mapping(file, node, "'sizes'", read_scaled, &scaled);
  return code != SL_OK || scaled.found
             ? code
             : sl_study_fail(file, sl_yaml_line(node), "there are no sizes of scale '%.80s', but of %s", file->scale,
                             scaled.scales);
}

const char *sl_study_value(const struct sl_study_values *values, uint64_t i, char text[SL_STUDY_TEXT])
{
  text[0] = '\0';
  if (values->count == 0)
    return text;
  if (values->list != NULL)
    return values->list[i];
  uint64_t value = values->from;
  if (values->factor == 0)
    value += i * values->step;
  else
    for (; i > 0; i--)
      value *= values->factor;
  snprintf(text, SL_STUDY_TEXT, "%" PRIu64, value);
  return text;
}

size_t sl_study_line(const struct sl_study_values *values, uint64_t i)
{
  return values->lines != NULL ? values->lines[i] : values->line;
}

void sl_study_values_free(struct sl_study_values *values)
{
  for (uint64_t i = 0; i < values->count && values->list != NULL; i++)
    free(values->list[i]);
  free(values->list);
  free(values->lines);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

struct texts {
  const char *what, *const *names;
  struct sl_texts *to;
};

enum sl_status sl_study_texts_add(struct sl_study_file *file, const char *name, yaml_node_t *node, const char *what,
                                  const char *const *known, struct sl_texts *texts)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, name);
  for (; known != NULL && *known != NULL && strcmp(*known, name) != 0; known++)
    sl_nearest_offer(&nearest, *known);
  if (known != NULL && *known == NULL)
    return sl_study_fail(file, file->name_line, "unknown name '%s' in %s%s%s%s", name, what,
                         nearest.name != NULL ? "; did you mean '" : "", nearest.name != NULL ? nearest.name : "",
                         nearest.name != NULL ? "'?" : "");
  struct sl_text *larger = realloc(texts->list, (texts->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(file->err, (texts->count + 1) * sizeof *larger);
  texts->list = larger;
  struct sl_text *text = &larger[texts->count++];
  *text = (struct sl_text){.line = file->name_line};
  snprintf(text->name, sizeof text->name, "%s", name);
  return sl_study_text(file, node, &text->text);
}

static enum sl_status add_text(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  const struct texts *texts = target;
  return sl_study_texts_add(file, name, node, texts->what, texts->names, texts->to);
}

enum sl_status sl_study_texts(struct sl_study_file *file, yaml_node_t *node, const char *what, const char *const *names,
                              struct sl_texts *to)
{
  struct texts texts = {what, names, to};
  return sl_study_mapping(file, node, what, add_text, &texts);
}

const char *sl_texts_find(const struct sl_texts *texts, const char *name)
{
  for (size_t i = 0; i < texts->count; i++)
    if (strcmp(texts->list[i].name, name) == 0)
      return texts->list[i].text;
  return NULL;
}

void sl_texts_free(struct sl_texts *texts)
{
  for (size_t i = 0; i < texts->count; i++)
    free(texts->list[i].text);
  free(texts->list);
}

enum sl_status sl_study_rule(struct sl_study_file *file, yaml_node_t *node, struct sl_metric *rule)
{
  char *text = NULL;
  enum sl_status code = sl_study_text(file, node, &text);
  rule->line = sl_yaml_line(node);
  if (code == SL_OK && (code = sl_expression_parse(&rule->expression, text, file->err)) != SL_OK)
    sl_error_prefix(file->err, "%.250s:%zu: ", file->origin, rule->line);
  free(text);
  return code;
}

/* ---- settings and paths ------------------------------------------------------------------------------------------ */

static enum sl_status add_setting(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study_settings *settings = target;
  const char *scalar = scalar_of(node);
  if (scalar == NULL || scalar[0] == '\0' || strlen(scalar) >= SL_STUDY_TEXT)
    return sl_study_fail(file, sl_yaml_line(node), "the key '%s' takes a single value here", name);
  const size_t size = strlen(name) + 1 + strlen(scalar) + 1;
  char **list = realloc(settings->list, (settings->count + 1) * sizeof *list);
  if (list != NULL)
    settings->list = list;
  size_t *lines = realloc(settings->lines, (settings->count + 1) * sizeof *lines);
  if (lines != NULL)
    settings->lines = lines;
  if (list == NULL || lines == NULL || (list[settings->count] = malloc(size)) == NULL)
    return sl_no_memory(file->err, size);
  snprintf(list[settings->count], size, "%s=%s", name, scalar);
  lines[settings->count++] = file->name_line;
  return SL_OK;
}

enum sl_status sl_study_settings(struct sl_study_file *file, yaml_node_t *node, struct sl_study_settings *settings)
{
  return sl_study_mapping(file, node, "'keys'", add_setting, settings);
}

void sl_study_settings_free(struct sl_study_settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    free(settings->list[i]);
  free(settings->list);
  free(settings->lines);
}

char *sl_study_path(const struct sl_study_file *file, const char *name)
{
  const char *slash = strrchr(file->origin, '/');
  const size_t folder = slash != NULL && name[0] != '/' ? (size_t)(slash - file->origin + 1) : 0;
  char *path = malloc(folder + strlen(name) + 1);
  if (path != NULL) {
    memcpy(path, file->origin, folder);
    strcpy(path + folder, name);
  }
  return path;
}
