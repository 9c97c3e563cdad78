/* The report of the SIMTight paper's evaluation as a page. */
#ifndef SL_CLI_PAPER_SIMTIGHT_REPORT_H
#define SL_CLI_PAPER_SIMTIGHT_REPORT_H

#include "cli/paper/simtight/paper_simtight_figures.h"

/* Writes the page; the context is a struct sl_simtight_figures. */
void sl_simtight_page(FILE *file, const void *figures);

#endif
