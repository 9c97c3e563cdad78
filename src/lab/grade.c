#include "lab/grade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"
#include "lab/study/study_file.h"
#include "observe/json.h"

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

static enum sl_status read_expression(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_grade_check *check = target;
  struct sl_error error;
  char *text = NULL;
  check->line = sl_yaml_line(node);
  enum sl_status code = sl_study_text(file, node, &text);
  if (code == SL_OK && sl_expression_parse(&check->expression, text, &error) != SL_OK)
    code = sl_study_fail(file, check->line, "%s", error.text);
  free(text);
  return code;
}

static enum sl_status read_points(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_number(file, node, 0, &((struct sl_grade_check *)target)->points);
}

static enum sl_status read_hint(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_grade_check *)target)->hint);
}

static enum sl_status read_check(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {
      {"check", read_expression}, {"points", read_points}, {"hint", read_hint}, {0}};
  struct sl_grade_task *task = target;
  (void)name;
  if (task->check_count == SL_GRADE_CHECKS)
    return sl_study_fail(file, sl_yaml_line(node), "a task has at most %d checks", SL_GRADE_CHECKS);
  struct sl_grade_check *check = &task->checks[task->check_count++];
  check->points = 1;
  const enum sl_status code = sl_study_fields(file, node, "a check", fields, check);
  if (code == SL_OK && check->expression == NULL)
    return sl_study_fail(file, sl_yaml_line(node), "a check needs check: EXPRESSION");
  return code;
}

static enum sl_status read_checks(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_list(file, node, read_check, target);
}

static enum sl_status read_key(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_grade_task *task = target;
  char *value = NULL;
  if (task->key_count == SL_GRADE_KEYS)
    return sl_study_fail(file, file->name_line, "a task sets at most %d keys", SL_GRADE_KEYS);
  enum sl_status code = sl_study_text(file, node, &value);
  if (code != SL_OK)
    return code;
  const size_t size = strlen(name) + strlen(value) + 2;
  char *text = malloc(size);
  if (text != NULL)
    snprintf(text, size, "%s=%s", name, value);
  free(value);
  task->keys[task->key_count++] = text;
  return text != NULL ? SL_OK : sl_no_memory(file->err, size);
}

static enum sl_status read_set(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_mapping(file, node, "keys", read_key, target);
}

static enum sl_status read_task_name(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_name(file, node, ((struct sl_grade_task *)target)->name);
}

static enum sl_status read_machine(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_grade_task *)target)->machine);
}

static enum sl_status read_arguments(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_grade_task *)target)->arguments);
}

static enum sl_status read_task(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {{"task", read_task_name}, {"machine", read_machine},
                                                 {"set", read_set},        {"arguments", read_arguments},
                                                 {"checks", read_checks},  {0}};
  struct sl_grade_sheet *sheet = target;
  (void)name;
  if (sheet->count == SL_GRADE_TASKS)
    return sl_study_fail(file, sl_yaml_line(node), "a lab has at most %d tasks", SL_GRADE_TASKS);
  struct sl_grade_task *task = &sheet->tasks[sheet->count++];
  task->line = sl_yaml_line(node);
  const enum sl_status code = sl_study_fields(file, node, "a task", fields, task);
  if (code == SL_OK && (task->name[0] == '\0' || task->check_count == 0))
    return sl_study_fail(file, task->line, "a task needs task: NAME and checks");
  for (size_t i = 0; code == SL_OK && i + 1 < sheet->count; i++)
    if (strcmp(sheet->tasks[i].name, task->name) == 0)
      return sl_study_fail(file, task->line, "there are two tasks named %s", task->name);
  return code;
}

static enum sl_status read_tasks(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_list(file, node, read_task, target);
}

static enum sl_status read_lab_name(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_name(file, node, ((struct sl_grade_sheet *)target)->name);
}

enum sl_status sl_grade_read(struct sl_grade_sheet *sheet, const char *path, struct sl_error *err)
{
  static const struct sl_study_field fields[] = {{"lab", read_lab_name}, {"tasks", read_tasks}, {0}};
  struct sl_study_file file = {.origin = path, .err = err};
  yaml_node_t *root;
  char *text = NULL;
  size_t size;
  *sheet = (struct sl_grade_sheet){0};
  snprintf(sheet->path, sizeof sheet->path, "%s", path);
  enum sl_status code = sl_read_text(path, &text, &size, err);
  if (code != SL_OK)
    return code;
  code = sl_study_file_open(&file, text, size, &root, err);
  if (code == SL_OK)
    code = sl_study_fields(&file, root, "a lab", fields, sheet);
  if (code == SL_OK && (sheet->name[0] == '\0' || sheet->count == 0))
    code = sl_study_fail(&file, 1, "a lab needs lab: NAME and tasks");
  yaml_document_delete(&file.document);
  free(text);
  return code;
}

void sl_grade_free(struct sl_grade_sheet *sheet)
{
  for (size_t i = 0; i < sheet->count; i++) {
    struct sl_grade_task *task = &sheet->tasks[i];
    for (size_t k = 0; k < task->check_count; k++) {
      sl_expression_free(task->checks[k].expression);
      free(task->checks[k].hint);
    }
    for (size_t k = 0; k < task->key_count; k++)
      free(task->keys[k]);
    free(task->machine);
    free(task->arguments);
  }
}

/* ---- grading ----------------------------------------------------------------------------------------------------- */

static enum sl_status evaluate(const struct sl_grade_sheet *sheet, struct sl_grade_check *check, const json_t *counters,
                               struct sl_error *err)
{
  const size_t names = sl_expression_name_count(check->expression);
  struct sl_datum *values = calloc(names + 1, sizeof *values);
  enum sl_status code = values != NULL ? SL_OK : sl_no_memory(err, names * sizeof *values);
  for (size_t i = 0; i < names && code == SL_OK; i++) {
    const char *name = sl_expression_name(check->expression, i);
    const json_t *counter = json_object_get(json_object_get(counters, name), "value");
    values[i].number = json_number_value(counter);
    if (counter == NULL)
      code = sl_fail(err, SL_USAGE, "%.300s:%zu: the machine has no counter '%.80s'", sheet->path, check->line, name);
  }
  if (code == SL_OK)
    check->holds = sl_datum_holds(sl_expression_value(check->expression, values));
  free(values);
  return code;
}

enum sl_status sl_grade_run(struct sl_grade_sheet *sheet, struct sl_grade_task *task, const json_t *stats,
                            struct sl_error *err)
{
  const json_t *counters = json_object_get(json_object_get(stats, "totals"), "counters");
  const char *outcome = json_string_value(json_object_get(stats, "outcome"));
  enum sl_status code = SL_OK;
  task->outcome = outcome != NULL ? outcome : "error";
  for (size_t i = 0; i < task->check_count && code == SL_OK; i++) {
    code = evaluate(sheet, &task->checks[i], counters, err);
    task->checks[i].holds &= strcmp(task->outcome, "passed") == 0;
  }
  return code;
}

uint64_t sl_grade_points(const struct sl_grade_task *task, uint64_t *most)
{
  uint64_t points = 0;
  *most = 0;
  for (size_t i = 0; i < task->check_count; i++) {
    points += task->checks[i].holds ? task->checks[i].points : 0;
    *most += task->checks[i].points;
  }
  return points;
}

json_t *sl_grade_json(const struct sl_grade_sheet *sheet)
{
  json_t *whole = json_object(), *tasks = json_array();
  uint64_t points = 0, of = 0;
  for (size_t i = 0; i < sheet->count; i++) {
    const struct sl_grade_task *task = &sheet->tasks[i];
    json_t *object = json_object(), *checks = json_array();
    uint64_t most;
    const uint64_t own = sl_grade_points(task, &most);
    points += own;
    of += most;
    for (size_t k = 0; k < task->check_count; k++) {
      const struct sl_grade_check *check = &task->checks[k];
      json_t *one = json_object();
      sl_json_put(&one, "check", sl_json_text(sl_expression_text(check->expression)));
      sl_json_put(&one, "holds", json_boolean(check->holds));
      sl_json_put(&one, "points", json_integer((json_int_t)check->points));
      if (check->hint != NULL)
        sl_json_put(&one, "hint", sl_json_text(check->hint));
      json_array_append_new(checks, one);
    }
    sl_json_put(&object, "task", sl_json_text(task->name));
    sl_json_put(&object, "outcome", json_string(task->outcome != NULL ? task->outcome : "no answer"));
    sl_json_put(&object, "points", json_integer((json_int_t)own));
    sl_json_put(&object, "of", json_integer((json_int_t)most));
    sl_json_put(&object, "checks", checks);
    json_array_append_new(tasks, object);
  }
  sl_json_put(&whole, "schema", json_integer(1));
  sl_json_put(&whole, "lab", sl_json_text(sheet->name));
  sl_json_put(&whole, "points", json_integer((json_int_t)points));
  sl_json_put(&whole, "of", json_integer((json_int_t)of));
  sl_json_put(&whole, "tasks", tasks);
  return whole;
}
