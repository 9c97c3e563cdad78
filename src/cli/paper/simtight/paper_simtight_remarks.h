/* What moves a number of the report: the benchmarks behind it, and what was counted in them. */
#ifndef SL_CLI_PAPER_SIMTIGHT_REMARKS_H
#define SL_CLI_PAPER_SIMTIGHT_REMARKS_H

#include "cli/paper/simtight/paper_simtight_figures.h"

/* Neither the paper nor the RTL is near. */
bool sl_simtight_far(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure);

/* Says what in our runs a number comes from: the benchmarks that move it most away from what was published, with what
 * was counted in them, and what it is without them. */
void sl_simtight_remark(FILE *file, const struct sl_simtight_figures *figures,
                        const struct sl_simtight_measure *measure);

#endif
