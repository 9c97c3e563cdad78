/* simtlab grade: runs the answers of a lab sheet and gives points by their counters. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "config/yaml.h"
#include "lab/process.h"
#include "lab/study/study.h"
#include "observe/json.h"
#include "observe/output.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* Lab sheets: tasks whose answers are programs, graded by the counters of their runs.
 *
 *   lab: divergence                       # its name
 *   tasks:
 *     - task: sorted                      # its name
 *       machine: simtight                 # the default
 *       set: {lanes: 32}                  # keys of the machine
 *       arguments: "4096"                 # of the program
 *       checks:
 *         - check: thread_instrs / warp_instrs > 28
 *           points: 3
 *           hint: Lanes of a warp should take the same branch.
 *
 * A check is an expression (lab/study/study.h) over the counters of all launches. A program that does not pass gets no
 * points. Every error begins with FILE:LINE. */

enum { MOST_CHECKS = 16, MOST_KEYS = 16, MOST_TASKS = 16 };

struct sheet_check {
  struct sl_expression *expression;
  uint64_t points;
  char *hint; /* NULL: none */
  size_t line;
  bool holds;
};

struct sheet_task {
  char name[SL_STUDY_NAME];
  char *machine, *arguments; /* NULL: simtight, none */
  char *keys[MOST_KEYS];     /* "KEY=VALUE" */
  struct sheet_check checks[MOST_CHECKS];
  size_t key_count, check_count, line;
  const char *outcome; /* of the graded run; NULL: no answer */
};

struct sheet {
  char name[SL_STUDY_NAME];
  char path[4096];
  struct sheet_task tasks[MOST_TASKS];
  size_t count;
};

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

static enum sl_status read_expression(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sheet_check *check = target;
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
  return sl_study_number(file, node, 0, &((struct sheet_check *)target)->points);
}

static enum sl_status read_hint(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sheet_check *)target)->hint);
}

static enum sl_status read_check(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {
      {"check", read_expression}, {"points", read_points}, {"hint", read_hint}, {0}};
  struct sheet_task *task = target;
  (void)name;
  if (task->check_count == MOST_CHECKS)
    return sl_study_fail(file, sl_yaml_line(node), "a task has at most %d checks", MOST_CHECKS);
  struct sheet_check *check = &task->checks[task->check_count++];
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
  struct sheet_task *task = target;
  char *value = NULL;
  if (task->key_count == MOST_KEYS)
    return sl_study_fail(file, file->name_line, "a task sets at most %d keys", MOST_KEYS);
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
  return sl_study_name(file, node, ((struct sheet_task *)target)->name);
}

static enum sl_status read_machine(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sheet_task *)target)->machine);
}

static enum sl_status read_arguments(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sheet_task *)target)->arguments);
}

static enum sl_status read_task(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {{"task", read_task_name}, {"machine", read_machine},
                                                 {"set", read_set},        {"arguments", read_arguments},
                                                 {"checks", read_checks},  {0}};
  struct sheet *sheet = target;
  (void)name;
  if (sheet->count == MOST_TASKS)
    return sl_study_fail(file, sl_yaml_line(node), "a lab has at most %d tasks", MOST_TASKS);
  struct sheet_task *task = &sheet->tasks[sheet->count++];
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
  return sl_study_name(file, node, ((struct sheet *)target)->name);
}

/* Reads a sheet. Free it also after an error. */
/* Reads a sheet. Free it also after an error. */
static enum sl_status read_sheet(struct sheet *sheet, const char *path, struct sl_error *err)
{
  static const struct sl_study_field fields[] = {{"lab", read_lab_name}, {"tasks", read_tasks}, {0}};
  struct sl_study_file file = {.origin = path, .err = err};
  yaml_node_t *root;
  char *text = NULL;
  size_t size;
  *sheet = (struct sheet){0};
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

static void free_sheet(struct sheet *sheet)
{
  for (size_t i = 0; i < sheet->count; i++) {
    struct sheet_task *task = &sheet->tasks[i];
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

static enum sl_status evaluate(const struct sheet *sheet, struct sheet_check *check, const json_t *counters,
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

/* Grades a run: `stats` is the object of simtlab run --stats, which must outlive the sheet. SL_USAGE: a check names a
 * counter that the machine does not have. */
static enum sl_status grade_run(struct sheet *sheet, struct sheet_task *task, const json_t *stats, struct sl_error *err)
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

/* Points of a task, and how many it can give. */
static uint64_t points_of(const struct sheet_task *task, uint64_t *most)
{
  uint64_t points = 0;
  *most = 0;
  for (size_t i = 0; i < task->check_count; i++) {
    points += task->checks[i].holds ? task->checks[i].points : 0;
    *most += task->checks[i].points;
  }
  return points;
}

/* {schema: 1, lab, points, of, tasks [{task, outcome, points, of, checks [{check, holds, points, hint}]}]} */
static json_t *json_of(const struct sheet *sheet)
{
  json_t *whole = json_object(), *tasks = json_array();
  uint64_t points = 0, of = 0;
  for (size_t i = 0; i < sheet->count; i++) {
    const struct sheet_task *task = &sheet->tasks[i];
    json_t *object = json_object(), *checks = json_array();
    uint64_t most;
    const uint64_t own = points_of(task, &most);
    points += own;
    of += most;
    for (size_t k = 0; k < task->check_count; k++) {
      const struct sheet_check *check = &task->checks[k];
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

/* ---- the command ------------------------------------------------------------------------------------------------- */

#define OWN_FILE "/proc/self/exe"

enum { PATH = 4200, MOST_WORDS = 4 + 2 * MOST_KEYS + 64, MOST_ARGUMENTS = 40 };

struct grade {
  const char *json_file;
  bool quiet;
  struct sl_output json;
  struct sheet sheet;
  json_t *stats[MOST_TASKS];
  char folder[64]; /* of the programs and results */
};

/* Runs this command with other words; its output is dropped, its errors are shown. Returns its exit status. */
static int run_self(const char *const *words, struct sl_error *err)
{
  struct sl_worker_process process;
  if (sl_worker_start(&process, words, err) != SL_OK)
    return 127;
  while (sl_worker_read(&process))
    while (sl_worker_line(&process) != NULL)
      ;
  const int status = sl_worker_end(&process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_source(const char *path)
{
  const char *end = strrchr(path, '.');
  return end != NULL && (strcmp(end, ".c") == 0 || strcmp(end, ".cpp") == 0 || strcmp(end, ".cc") == 0);
}

/* Compiles an answer unless it is a program, runs it and grades the run. */
static enum sl_status grade_answer(struct grade *grade, size_t number, const char *answer, struct sl_error *err)
{
  struct sheet_task *task = &grade->sheet.tasks[number];
  char program[PATH], stats[PATH], arguments[1024] = "", *place = NULL;
  const char *words[MOST_WORDS] = {OWN_FILE, "cc", "-O2", "-g", "-o", program, answer, NULL};
  size_t count = 0;
  json_error_t error;
  snprintf(program, sizeof program, "%s/%zu.elf", grade->folder, number);
  snprintf(stats, sizeof stats, "%s/%zu.json", grade->folder, number);
  if (is_source(answer)) {
    if (run_self(words, err) != 0)
      return sl_fail(err, SL_USAGE, "%.300s: the answer to %s does not compile", answer, task->name);
  } else {
    snprintf(program, sizeof program, "%s", answer);
  }
  const char *const run[] = {
      OWN_FILE, "run", "-q", "--stats", stats, "-m", task->machine != NULL ? task->machine : "simtight"};
  for (; count < sizeof run / sizeof run[0]; count++)
    words[count] = run[count];
  for (size_t i = 0; i < task->key_count; i++) {
    words[count++] = "-s";
    words[count++] = task->keys[i];
  }
  words[count++] = program;
  snprintf(arguments, sizeof arguments, "%s", task->arguments != NULL ? task->arguments : "");
  for (char *word = strtok_r(arguments, " ", &place); word != NULL && count < MOST_WORDS - 1;
       word = strtok_r(NULL, " ", &place))
    words[count++] = word;
  words[count] = NULL;
  run_self(words, err); /* the file tells how it ended */
  grade->stats[number] = json_load_file(stats, 0, &error);
  if (grade->stats[number] == NULL)
    return sl_fail(err, SL_USAGE, "%.300s: the answer to %s cannot be run", answer, task->name);
  return grade_run(&grade->sheet, task, grade->stats[number], err);
}

/* "TASK=FILE", or FILE for a lab with one task. */
static enum sl_status take_answer(struct grade *grade, const char *word, struct sl_error *err)
{
  const char *equals = strchr(word, '=');
  const size_t length = equals != NULL ? (size_t)(equals - word) : 0;
  for (size_t i = 0; i < grade->sheet.count; i++) {
    const char *name = grade->sheet.tasks[i].name;
    if (equals != NULL ? strlen(name) == length && strncmp(name, word, length) == 0 : grade->sheet.count == 1)
      return grade_answer(grade, i, equals != NULL ? equals + 1 : word, err);
  }
  return sl_fail(err, SL_USAGE, "'%.200s' is no TASK=FILE with a task of %.200s; its first task is %s", word,
                 grade->sheet.path, grade->sheet.tasks[0].name);
}

static void print(const struct grade *grade, FILE *file)
{
  uint64_t points = 0, of = 0;
  for (size_t i = 0; i < grade->sheet.count; i++) {
    const struct sheet_task *task = &grade->sheet.tasks[i];
    uint64_t most;
    const uint64_t own = points_of(task, &most);
    points += own;
    of += most;
    sl_print(file, "%s: %" PRIu64 " of %" PRIu64 " points (%s)\n", task->name, own, most,
             task->outcome != NULL ? task->outcome : "no answer");
    for (size_t k = 0; k < task->check_count && task->outcome != NULL; k++) {
      const struct sheet_check *check = &task->checks[k];
      sl_print(file, "  %s %s\n", check->holds ? "yes" : "no ", sl_expression_text(check->expression));
      if (!check->holds && check->hint != NULL)
        sl_print(file, "      %s\n", check->hint);
    }
  }
  sl_print(file, "%s: %" PRIu64 " of %" PRIu64 " points\n", grade->sheet.name, points, of);
}

static bool is_complete(const struct sheet *sheet)
{
  for (size_t i = 0; i < sheet->count; i++) {
    uint64_t most;
    if (points_of(&sheet->tasks[i], &most) < most)
      return false;
  }
  return true;
}

static enum sl_status grade_all(struct grade *grade, const struct sl_operands *operands, struct sl_error *err)
{
  const char *temporary = getenv("TMPDIR");
  char path[PATH];
  snprintf(grade->folder, sizeof grade->folder, "%.40s/simtlab.XXXXXX",
           temporary != NULL && strlen(temporary) <= 40 ? temporary : "/tmp");
  enum sl_status code = read_sheet(&grade->sheet, operands->items[0], err);
  if (code == SL_OK && mkdtemp(grade->folder) == NULL)
    code = sl_fail(err, SL_USAGE, "%s: the folder cannot be made", grade->folder);
  if (code != SL_OK)
    return code;
  for (int i = 1; i < operands->count && code == SL_OK; i++)
    code = take_answer(grade, operands->items[i], err);
  if (code == SL_OK && grade->json_file != NULL)
    code = sl_json_write(json_of(&grade->sheet), &grade->json, err);
  if (code == SL_OK && !grade->quiet)
    print(grade, grade->json.standard ? stderr : stdout);
  for (size_t i = 0; i < grade->sheet.count; i++)
    for (unsigned k = 0; k < 2; k++) {
      snprintf(path, sizeof path, "%s/%zu.%s", grade->folder, i, k == 0 ? "elf" : "json");
      unlink(path);
    }
  rmdir(grade->folder);
  return code == SL_OK && !is_complete(&grade->sheet) ? sl_fail(err, SL_CHECK_FAILED, "%s", "") : code;
}

static enum sl_status grade_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct grade *grade = calloc(1, sizeof *grade);
  if (grade == NULL)
    return sl_no_memory(err, sizeof *grade);
  const struct sl_option options[] = {
      {'J', "json", SL_OPTION_OUTPUT, "FILE", "write points as JSON (- is standard output)", &grade->json_file},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no text", &grade->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code == SL_OK && !operands.help) {
    if (operands.count < 2)
      code = sl_fail(err, SL_USAGE, "grade takes a lab sheet and answers: simtlab grade LAB.yaml TASK=FILE...");
    if (code == SL_OK && grade->json_file != NULL)
      code = sl_output_open(&grade->json, grade->json_file, err);
    if (code == SL_OK)
      code = grade_all(grade, &operands, err);
    struct sl_error closing = {0};
    const enum sl_status closed = grade->json.file != NULL ? sl_output_close(&grade->json, &closing) : SL_OK;
    if (closed != SL_OK && err->text[0] == '\0')
      *err = closing;
    code = closed > code ? closed : code;
    for (size_t i = 0; i < MOST_TASKS; i++)
      json_decref(grade->stats[i]);
    free_sheet(&grade->sheet);
  }
  free(grade);
  return code;
}

const struct sl_command sl_grade_command = {
    .name = "grade",
    .operands = "[OPTION]... LAB.yaml TASK=FILE...",
    .summary = "Grade answers to a lab sheet by their counters",
    .details = "A FILE is a C source or a program. docs/labs has sheets; their tasks have checks,\n"
               "expressions over counters. The exit status is 1 if points are missing.\n",
    .run = grade_command,
};
