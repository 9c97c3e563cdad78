/* simtlab grade: runs the answers of a lab sheet and gives points by their counters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "lab/grade.h"
#include "lab/worker_process.h"
#include "observe/output.h"
#include "observe/report.h"
#include "observe/terminal.h"

#define OWN_FILE "/proc/self/exe"

enum { PATH = 4200, MOST_WORDS = 4 + 2 * SL_GRADE_KEYS + 64, MOST_ARGUMENTS = 40 };

struct grade {
  const char *json_file;
  bool quiet;
  struct sl_output json;
  struct sl_grade_sheet sheet;
  json_t *stats[SL_GRADE_TASKS];
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
  struct sl_grade_task *task = &grade->sheet.tasks[number];
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
  return sl_grade_run(&grade->sheet, task, grade->stats[number], err);
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
    const struct sl_grade_task *task = &grade->sheet.tasks[i];
    uint64_t most;
    const uint64_t own = sl_grade_points(task, &most);
    points += own;
    of += most;
    sl_print(file, "%s: %" PRIu64 " of %" PRIu64 " points (%s)\n", task->name, own, most,
             task->outcome != NULL ? task->outcome : "no answer");
    for (size_t k = 0; k < task->check_count && task->outcome != NULL; k++) {
      const struct sl_grade_check *check = &task->checks[k];
      sl_print(file, "  %s %s\n", check->holds ? "yes" : "no ", sl_expression_text(check->expression));
      if (!check->holds && check->hint != NULL)
        sl_print(file, "      %s\n", check->hint);
    }
  }
  sl_print(file, "%s: %" PRIu64 " of %" PRIu64 " points\n", grade->sheet.name, points, of);
}

static bool is_complete(const struct sl_grade_sheet *sheet)
{
  for (size_t i = 0; i < sheet->count; i++) {
    uint64_t most;
    if (sl_grade_points(&sheet->tasks[i], &most) < most)
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
  enum sl_status code = sl_grade_read(&grade->sheet, operands->items[0], err);
  if (code == SL_OK && mkdtemp(grade->folder) == NULL)
    code = sl_fail(err, SL_USAGE, "%s: the folder cannot be made", grade->folder);
  if (code != SL_OK)
    return code;
  for (int i = 1; i < operands->count && code == SL_OK; i++)
    code = take_answer(grade, operands->items[i], err);
  if (code == SL_OK && grade->json_file != NULL)
    code = sl_json_write(sl_grade_json(&grade->sheet), &grade->json, err);
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
    for (size_t i = 0; i < SL_GRADE_TASKS; i++)
      json_decref(grade->stats[i]);
    sl_grade_free(&grade->sheet);
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
