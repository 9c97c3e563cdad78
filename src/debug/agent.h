/* Agent expressions: conditions of breakpoints as gdb's bytecode (the manual's appendix "The GDB Agent Expression
 * Mechanism"). */
#ifndef SL_DEBUG_AGENT_H
#define SL_DEBUG_AGENT_H

#include "debug/target.h"

/* Evaluates for a thread. True also if the code is not understood: gdb then evaluates the condition itself. */
bool sl_agent_holds(const struct sl_target *target, unsigned thread, const uint8_t *code, size_t size);

#endif
