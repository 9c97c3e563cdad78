/* Translation validation of an allocation: proves that the allocated function computes the same, without using the
 * allocator's data.
 *
 * The checker walks the allocated function along all paths, in step with the original, instruction by instruction. At
 * each point it knows which values each physical register and slot certainly holds: the current value of a virtual
 * register, a register of the calling convention, or the caller's value of a register. Where paths meet, it keeps the
 * facts that all paths agree on (data flow to a fixed point). Each operand must hold the value that the original reads
 * there. Each exit must leave saved registers unchanged; calls preserve only those. Added instructions may only move
 * values, or recompute a constant that is the register's only value. (After J. Rideau, X. Leroy, "Validating register
 * allocation and spilling", CC 2010, forwards instead of backwards.) */
#ifndef SL_BACKEND_CHECK_ALLOCATION_H
#define SL_BACKEND_CHECK_ALLOCATION_H

#include "compiler/isa64/allocate/occupancy.h"
#include "compiler/isa64/lir/lir.h"

/* SL_OK, or SL_INTERNAL with the first wrong place. */
enum sl_status sl_check_allocation(const struct sl_lir *before, const struct sl_lir *after,
                                   const struct sl_registers *registers, struct sl_error *err);

#endif
