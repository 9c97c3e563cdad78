/* Register allocation of a function. It repeats assignment and spilling until every virtual register has a physical
 * one, then saves the callee-saved registers in use. */
#ifndef SL_BACKEND_ALLOCATE_H
#define SL_BACKEND_ALLOCATE_H

#include "compiler/isa64/allocate/assignment.h"

/* Statistics of an allocation. */
struct sl_allocation_facts {
  unsigned rounds;
  uint32_t slots;       /* words of stack memory for spilled registers */
  uint32_t saved;       /* registers saved and restored */
  uint32_t registers;   /* physical registers in use */
  uint32_t spill_loads; /* instructions in the code, without those for saved registers */
  uint32_t spill_stores;
};

/* Allocates `lir`, which has virtual registers; the result has physical ones only. The result's virtual registers are
 * its slots: first those of spilled registers, then one per saved register, beginning with ra and the frame pointer.
 * SL_USAGE: the function needs more registers. */
enum sl_status sl_allocate(const struct sl_lir *lir, const struct sl_registers *registers,
                           enum sl_allocation allocation, struct sl_lir *result, struct sl_allocation_facts *facts,
                           struct sl_error *err);

/* Counts source pairs of instructions whose physical registers are in one bank. */
unsigned sl_source_conflicts(const struct sl_lir *lir, const struct sl_registers *registers,
                             const struct sl_lir_insn *insn);

#endif
