/* Text report of simtlab linear for a kernel. */
#ifndef SL_CLI_LINEAR_LINEAR_REPORT_H
#define SL_CLI_LINEAR_LINEAR_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "cli/linear/linear_input.h"
#include "compiler/linear/linear_vectors.h"

struct sl_linear_report {
  const struct sl_linear_input *input;
  const struct sl_linear_kernel *kernel;
  struct sl_linear_analysis *analysis;
  const struct sl_linear_plan *plan;
};

/* Returns false on a write error. `listing`: print every instruction. */
bool sl_linear_print(const struct sl_linear_report *report, bool listing, FILE *file);

json_t *sl_linear_json(const struct sl_linear_report *report);

/* Describes an instruction: its vector, why it has none, and the linear registers that kept instructions read. */
enum { SL_LINEAR_REMARK = 2 * SL_LINEAR_TEXT };
char *sl_linear_remark(const struct sl_linear_report *report, uint32_t insn, char text[SL_LINEAR_REMARK]);

/* "removed", "copied", "kept". */
const char *sl_linear_fate_text(enum sl_linear_fate fate);

#endif
