/* Table of a run's launches as text: kernel, cycles, instructions and the machine's other counters. */
#ifndef SL_OBSERVE_LAUNCH_TABLE_H
#define SL_OBSERVE_LAUNCH_TABLE_H

#include <stdio.h>

#include "observe/figures.h"

/* Columns after launch and kernel; a value is unknown if the machine does not count it in this mode. */
struct sl_launch_column {
  const char *title; /* begins with > for a number */
  bool known;
  char text[32];
};

enum { SL_LAUNCH_COLUMNS = 7 };

void sl_launch_columns(const struct sl_figures *figures, struct sl_launch_column columns[SL_LAUNCH_COLUMNS]);

/* Prints the first launches and the total. */
void sl_launches_print(const struct sl_machine *machine, const struct sl_program *program,
                       const struct sl_launch *launches, size_t count, FILE *file);

#endif
