/* Commit trace: a line of text per executed warp instruction, for diffing with another run or an RTL log.
 *
 * The first line is "# simtlab commits 1: cycle warp mask pc instruction [register=values]". Before the instructions of
 * a launch comes "launch N". The fields are separated by one blank: cycle of the launch (decimal), warp (decimal),
 * active lanes (hexadecimal, lane 0 lowest), pc (8 hexadecimal digits), the instruction (mnemonic, and after a blank
 * its operands), and when it writes a register, its name, '=' and the values of the active lanes, lowest lane first,
 * each 8 hexadecimal digits, separated by commas. */
#ifndef SL_OBSERVE_COMMITS_H
#define SL_OBSERVE_COMMITS_H

#include "machine/machine.h"
#include "observe/output.h"

struct sl_commits {
  struct sl_output *output;
  bool begun;
  unsigned launch;
};

/* Writes the header line. The output stays the caller's to close. */
void sl_commits_begin(struct sl_commits *commits, struct sl_output *output);

/* A listener to SL_PROBE_EXECUTED; the context is a struct sl_commits. */
bool sl_commits_write(void *context, const struct sl_probe *commit);

#endif
