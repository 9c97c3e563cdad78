/* Rows of a profile: an observer that fills one row per word of instruction memory during a run. The rows partition the
 * kernels' cycles exactly. On every core, the sum of all rows' cycles over all stall reasons equals the launches'
 * cycles. */
#ifndef SL_OBSERVE_PROFILE_ROWS_H
#define SL_OBSERVE_PROFILE_ROWS_H

#include "base/error.h"
#include "machine/machine.h"
#include "observe/launch_choice.h"
#include "program/program.h"

struct sl_profile_row {
  uint64_t vector_issues, scalar_issues; /* issues in the vector and in the scalar pipeline */
  uint64_t active_lanes;                 /* sum over both pipelines */
  uint64_t retries;
  uint64_t aborts; /* attempts aborted by the scalar pipeline */
  uint64_t spills, unspills;
  uint64_t operands[SL_REGULARITY_COUNT]; /* register operands read, except x0 */
  uint64_t results[SL_REGULARITY_COUNT];  /* results written, except x0 */
  uint64_t transactions;                  /* with DRAM or cache */
  uint64_t scratchpad_requests;           /* warp requests to the scratchpad, */
  uint64_t scratchpad_passes;             /* bank cycles of these requests; bank conflicts add to */
  uint64_t scratchpad_least;              /* this minimum */
  uint64_t held;                /* retries of other instructions that waited for a resource held by this one */
  uint64_t queued, queued_held; /* cycles its accesses waited behind others, and cycles others waited behind them */
  uint64_t cycles[SL_MAX_STALL_REASONS]; /* by stall reason of the machine */
};

struct sl_profile {
  uint32_t code_base;
  unsigned word_bytes;
  size_t count; /* words of instruction memory */
  struct sl_profile_row *rows;
  const struct sl_program *program;
  struct sl_launch_choice choice; /* launches to count */
  bool counting;                  /* such a launch is running */
};

/* Allocates zeroed rows for a machine's instruction memory; if programs can be anywhere in memory, for the program's
 * code. All launches are selected. */
enum sl_status sl_profile_create(struct sl_profile *profile, const struct sl_soc *soc, const struct sl_program *program,
                                 struct sl_error *err);
void sl_profile_free(struct sl_profile *profile);

/* Returns the observer that fills the rows; the caller attaches it to a device. */
struct sl_probes sl_profile_probes(struct sl_profile *profile);

#endif
