/* A table of a run's launches for people: kernel, cycles, instructions and what else the machine counts. */
#ifndef SL_OBSERVE_LAUNCH_TABLE_H
#define SL_OBSERVE_LAUNCH_TABLE_H

#include <stdio.h>

#include "observe/figures.h"

/* What follows launch and kernel; only what the machine counts, and counts in this mode, is known. */
struct sl_launch_column {
  const char *title; /* begins with > if it is a number */
  bool known;
  char text[32];
};

enum { SL_LAUNCH_COLUMNS = 7 };

void sl_launch_columns(const struct sl_figures *figures, struct sl_launch_column columns[SL_LAUNCH_COLUMNS]);

/* The first launches and the total. */
void sl_launches_print(const struct sl_machine *machine, const struct sl_program *program,
                       const struct sl_launch *launches, size_t count, FILE *file);

#endif
