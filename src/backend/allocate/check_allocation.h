/* A proof that an allocation computes what the function does, made without knowing how it came about.
 *
 * The allocated function is walked along all its paths together with the function before, instruction by instruction.
 * At each point is known which values each physical register and slot surely holds: the current value of a virtual
 * register, of a register of the calling convention, or what the caller had in a register. Where paths meet, what all
 * of them agree on stays (data flow to a fixed point). Each operand must hold what the function before reads there;
 * each exit must leave saved registers as they were; calls keep nothing but those. Added instructions may only move
 * values, or make again a constant that is all a register ever holds. (After J. Rideau, X. Leroy, "Validating register
 * allocation and spilling", CC 2010, forwards instead of backwards.) */
#ifndef SL_BACKEND_CHECK_ALLOCATION_H
#define SL_BACKEND_CHECK_ALLOCATION_H

#include "backend/allocate/registers.h"
#include "backend/lir/lir.h"

/* SL_OK, or SL_INTERNAL with the first place that is wrong. */
enum sl_status sl_check_allocation(const struct sl_lir *before, const struct sl_lir *after,
                                   const struct sl_registers *registers, struct sl_error *err);

#endif
