/* Writes a kernel with linear registers as RV32 machine code: the descriptor (compiler/linear/linear_form.h), the three
 * phases that compute the registers (rv32_phases.h), then the remaining instructions with the plan's operands.
 *
 * A uniform register is set before its loop to its initial value minus a step. The step is added at the start of each
 * iteration, because instructions have no guards that could restrict an update to the back edge. */
#ifndef SL_LINEAR_RV32_RV32_WRITE_H
#define SL_LINEAR_RV32_RV32_WRITE_H

#include "compiler/linear/linear_plan.h"
#include "compiler/linear/linear_rv32.h"

struct sl_rv32_form {
  uint32_t *word;
  uint32_t count;
};

/* Returns the words of the kernel's linear variant, to be placed at `address`. SL_USAGE: the message says why it cannot
 * be written. */
enum sl_status sl_rv32_form_make(struct sl_rv32_form *form, struct sl_linear_plan *plan,
                                 const struct sl_linear_machine_code *machine, uint32_t address, struct sl_error *err);
void sl_rv32_form_free(struct sl_rv32_form *form);

#endif
