/* Registers for a whole function: assignment, spilling and assignment again until all have one, then the registers that
 * the function has to save. */
#ifndef SL_BACKEND_ALLOCATE_H
#define SL_BACKEND_ALLOCATE_H

#include "backend/allocate/assignment.h"

/* What it came to. */
struct sl_allocation_facts {
  unsigned rounds;
  uint32_t slots;       /* words of memory for spilled registers */
  uint32_t saved;       /* registers saved and restored */
  uint32_t registers;   /* physical registers that hold virtual ones */
  uint32_t spill_loads; /* instructions in the code, those for saved registers apart */
  uint32_t spill_stores;
};

/* A function with physical registers only, of one with virtual ones. Its slots are the virtual registers of the result:
 * first those of spilled registers, then one for each saved register, ra and the frame pointer first of these.
 * SL_USAGE: it cannot be had with so few registers. */
enum sl_status sl_allocate(const struct sl_lir *lir, const struct sl_registers *registers,
                           enum sl_allocation allocation, struct sl_lir *result, struct sl_allocation_facts *facts,
                           struct sl_error *err);

/* Pairs of sources of an instruction with physical registers that are in one bank. */
unsigned sl_source_conflicts(const struct sl_lir *lir, const struct sl_registers *registers,
                             const struct sl_lir_insn *insn);

#endif
