/* Of a reproduction whose launches are timed in part: how much of each run was, and how sure its cycles are, as CSV, on
 * the terminal, and as a sentence for the page. */
#ifndef SL_CLI_PAPER_SAMPLES_H
#define SL_CLI_PAPER_SAMPLES_H

#include "cli/paper/paper.h"

/* Writes samples.csv into the runs' folder: configuration, benchmark, cycles, bar (half of the 95 % interval) and timed
 * in percent, windows. A bar that is not known is empty. Prints the sentence. */
enum sl_status sl_paper_samples(const struct sl_paper_runs *runs, struct sl_error *err);

/* The sentence; nothing if all is timed. */
void sl_paper_samples_html(FILE *file, const struct sl_paper_runs *runs);

#endif
