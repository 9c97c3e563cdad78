/* The kernel with linear registers as RV32 machine code: what is left of a kernel by its plan, with the operands that
 * the plan says, behind the form that tells of it (linear/linear_form.h) and the three phases that compute the
 * registers (rv32_phases.h).
 *
 * A uniform register is set before its loop to what it begins with, less a step, and the step is added where each
 * iteration begins: instructions have no guards that could keep an update to the way back. */
#ifndef SL_LINEAR_RV32_RV32_WRITE_H
#define SL_LINEAR_RV32_RV32_WRITE_H

#include "linear/linear_plan.h"
#include "linear/linear_rv32.h"

struct sl_rv32_form {
  uint32_t *word;
  uint32_t count;
};

/* The words of the other form of a kernel, the first of which is to stand at `address`. SL_USAGE: a sentence why it
 * cannot be written so. */
enum sl_status sl_rv32_form_make(struct sl_rv32_form *form, struct sl_linear_plan *plan,
                                 const struct sl_linear_machine_code *machine, uint32_t address, struct sl_error *err);
void sl_rv32_form_free(struct sl_rv32_form *form);

#endif
