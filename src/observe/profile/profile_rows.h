/* What a run is observed to do, instruction by instruction: a listener that fills in a row per word of instruction
 * memory. The rows partition the cycles of the kernels exactly: the sum of all rows' cycles, over all causes, is the
 * number of cycles that the launches took, on every core. */
#ifndef SL_OBSERVE_PROFILE_ROWS_H
#define SL_OBSERVE_PROFILE_ROWS_H

#include "base/error.h"
#include "machine/machine.h"
#include "observe/launch_choice.h"
#include "program/program.h"

struct sl_profile_row {
  uint64_t vector_issues, scalar_issues; /* times issued, in the vector and in the scalar pipeline */
  uint64_t active_lanes;                 /* summed over both */
  uint64_t retries;
  uint64_t aborts; /* attempts the scalar pipeline gave up */
  uint64_t spills, unspills;
  uint64_t operands[SL_REGULARITY_COUNT]; /* register operands read, not counting x0 */
  uint64_t results[SL_REGULARITY_COUNT];  /* results written, not counting x0 */
  uint64_t transactions;                  /* with DRAM or cache */
  uint64_t scratchpad_requests;           /* warp requests to the scratchpad, */
  uint64_t scratchpad_passes;             /* and the cycles its banks took for them: more by bank conflicts */
  uint64_t scratchpad_least;              /* than so many */
  uint64_t held;                          /* retries of others that waited for what this one held */
  uint64_t queued, queued_held;           /* cycles its accesses waited behind others, and others' behind it */
  uint64_t cycles[SL_MAX_CAUSES];         /* by the machine's causes */
};

struct sl_profile {
  uint32_t code_base;
  unsigned word_bytes;
  size_t count; /* words of instruction memory */
  struct sl_profile_row *rows;
  const struct sl_program *program;
  struct sl_launch_choice choice; /* launches that are counted */
  bool counting;                  /* in one of them */
};

/* Rows for the instruction memory of a machine, all zero; where that is wherever programs are, for the program's code.
 * All launches are chosen. */
enum sl_status sl_profile_create(struct sl_profile *profile, const struct sl_soc *soc, const struct sl_program *program,
                                 struct sl_error *err);
void sl_profile_free(struct sl_profile *profile);

/* The listener that fills them in; to be given to a device. */
struct sl_probes sl_profile_probes(struct sl_profile *profile);

#endif
