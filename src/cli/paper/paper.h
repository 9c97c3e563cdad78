/* simtlab paper: sweeps a study of studies/ and writes its report. */
#ifndef SL_CLI_PAPER_H
#define SL_CLI_PAPER_H

/* Names of the papers; ends with NULL. */
extern const char *const sl_papers[];

#endif
