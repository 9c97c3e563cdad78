/* Explains numbers of the report by the benchmarks that dominate them and by their counters. */
#ifndef SL_CLI_PAPER_SIMTIGHT_REMARKS_H
#define SL_CLI_PAPER_SIMTIGHT_REMARKS_H

#include "cli/paper/simtight/paper_simtight_figures.h"

/* Whether neither the paper nor the RTL is near. */
bool sl_simtight_far(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure);

/* Names the benchmarks that move a number furthest from the published one, with their counters, and the number without
 * them. */
void sl_simtight_remark(FILE *file, const struct sl_simtight_figures *figures,
                        const struct sl_simtight_measure *measure);

#endif
