/* Compares the published suite of SIMTight's authors on their RTL with the runs, benchmark by benchmark. */
#ifndef SL_CLI_PAPER_SIMTIGHT_SUITE_H
#define SL_CLI_PAPER_SIMTIGHT_SUITE_H

#include "cli/paper/simtight/paper_simtight_figures.h"

/* Whether the suite is recorded at the sizes of the runs; it is recorded at the paper's sizes only. */
bool sl_simtight_suite_compares(const struct sl_simtight_figures *figures);

/* Geometric mean of the suite over the benchmarks that were run and recorded, at the paper's sizes, in the unit of the
 * measure; NAN if there are none. */
double sl_simtight_suite_mean(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure);

/* Writes a section of the report: a row per benchmark with the suite's and simtlab's values, the means of both and the
 * paper's, and the means of the integer programs. */
void sl_simtight_suite_section(FILE *file, const struct sl_simtight_figures *figures);

/* The same as CSV; the context is a struct sl_simtight_figures. */
void sl_simtight_suite_csv(FILE *file, const void *figures);

/* Writes the means of the integer programs as CSV; the same compiler compiled them for the suite and for simtlab. */
void sl_simtight_integer_csv(FILE *file, const void *figures);

#endif
