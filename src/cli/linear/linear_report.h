/* What simtlab linear prints of a kernel. */
#ifndef SL_CLI_LINEAR_LINEAR_REPORT_H
#define SL_CLI_LINEAR_LINEAR_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "cli/linear/linear_input.h"
#include "linear/linear_text.h"

struct sl_linear_report {
  const struct sl_linear_input *input;
  const struct sl_linear_kernel *kernel;
  struct sl_linear_analysis *analysis;
  const struct sl_linear_plan *plan;
};

/* False when writing failed. `listing`: every instruction. */
bool sl_linear_print(const struct sl_linear_report *report, bool listing, FILE *file);

json_t *sl_linear_json(const struct sl_linear_report *report);

/* What is to be said of an instruction: its vector, why it has none, and what those that stay read instead. */
enum { SL_LINEAR_REMARK = 2 * SL_LINEAR_TEXT };
char *sl_linear_remark(const struct sl_linear_report *report, uint32_t insn, char text[SL_LINEAR_REMARK]);

/* "goes", "copies", "stays". */
const char *sl_linear_fate_text(enum sl_linear_fate fate);

/* An operand that a linear register takes the place of: "lr0+cr1+8". */
enum { SL_LINEAR_OPERAND_TEXT = 64 };
char *sl_linear_operand_text(const struct sl_linear_source *source, int64_t more, char text[SL_LINEAR_OPERAND_TEXT]);

#endif
