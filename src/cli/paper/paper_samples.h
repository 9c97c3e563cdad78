/* Accuracy of reproductions with sampled timing, as CSV, on the terminal, and as a sentence for the page. */
#ifndef SL_CLI_PAPER_SAMPLES_H
#define SL_CLI_PAPER_SAMPLES_H

#include "cli/paper/paper.h"

/* Writes samples.csv into the folder of the runs: configuration, benchmark, cycles, bar (half of the 95 % confidence
 * interval) and timed part in percent, windows. An unknown interval is empty. Also prints the sentence. */
enum sl_status sl_paper_samples(const struct sl_paper_runs *runs, struct sl_error *err);

/* Writes the sentence; nothing with full timing. */
void sl_paper_samples_html(FILE *file, const struct sl_paper_runs *runs);

#endif
