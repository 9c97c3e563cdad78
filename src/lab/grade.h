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
 * A check is an expression (lab/expression.h) over the counters of all launches. A program that does not pass gets no
 * points. Every error begins with FILE:LINE. */
#ifndef SL_LAB_GRADE_H
#define SL_LAB_GRADE_H

#include <jansson.h>

#include "lab/study/study.h"

enum { SL_GRADE_CHECKS = 16, SL_GRADE_KEYS = 16, SL_GRADE_TASKS = 16 };

struct sl_grade_check {
  struct sl_expression *expression;
  uint64_t points;
  char *hint; /* NULL: none */
  size_t line;
  bool holds;
};

struct sl_grade_task {
  char name[SL_STUDY_NAME];
  char *machine, *arguments; /* NULL: simtight, none */
  char *keys[SL_GRADE_KEYS]; /* "KEY=VALUE" */
  struct sl_grade_check checks[SL_GRADE_CHECKS];
  size_t key_count, check_count, line;
  const char *outcome; /* of the graded run; NULL: no answer */
};

struct sl_grade_sheet {
  char name[SL_STUDY_NAME];
  char path[4096];
  struct sl_grade_task tasks[SL_GRADE_TASKS];
  size_t count;
};

/* Reads a sheet. Free it also after an error. */
enum sl_status sl_grade_read(struct sl_grade_sheet *sheet, const char *path, struct sl_error *err);
void sl_grade_free(struct sl_grade_sheet *sheet);

/* Grades a run: `stats` is the object of simtlab run --stats, which must outlive the sheet. SL_USAGE: a check names a
 * counter that the machine does not have. */
enum sl_status sl_grade_run(struct sl_grade_sheet *sheet, struct sl_grade_task *task, const json_t *stats,
                            struct sl_error *err);

/* Points of a task, and how many it can give. */
uint64_t sl_grade_points(const struct sl_grade_task *task, uint64_t *most);

/* {schema: 1, lab, points, of, tasks [{task, outcome, points, of, checks [{check, holds, points, hint}]}]} */
json_t *sl_grade_json(const struct sl_grade_sheet *sheet);

#endif
