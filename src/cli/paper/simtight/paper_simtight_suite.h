/* The published suite of SIMTight's authors on their RTL, benchmark by benchmark, beside the programs that were run. */
#ifndef SL_CLI_PAPER_SIMTIGHT_SUITE_H
#define SL_CLI_PAPER_SIMTIGHT_SUITE_H

#include "cli/paper/simtight/paper_simtight_figures.h"

/* Whether the suite was run at the sizes that are run here: it is recorded at the paper's. */
bool sl_simtight_suite_compares(const struct sl_simtight_figures *figures);

/* The suite's geometric mean over those benchmarks that were run and of which it is known, at the paper's sizes, shown
 * as the measure is; NAN when there is none. */
double sl_simtight_suite_mean(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure);

/* A section of the report: a row per benchmark, the suite's figures beside ours, the means of both
 * and the paper's, and those of the integer programs. */
void sl_simtight_suite_section(FILE *file, const struct sl_simtight_figures *figures);

/* The same as CSV; the context is a struct sl_simtight_figures. */
void sl_simtight_suite_csv(FILE *file, const void *figures);

/* The means of the integer programs, which the same compiler compiled for the suite and for us, as CSV. */
void sl_simtight_integer_csv(FILE *file, const void *figures);

#endif
