/* Agent expressions: conditions of breakpoints as gdb's bytecode (the manual's appendix "The GDB Agent Expression
 * Mechanism"). */
#ifndef SL_DEBUG_AGENT_H
#define SL_DEBUG_AGENT_H

#include "base/types.h"

#include <stddef.h>

/* The thread for which a condition is evaluated. */
struct sl_agent_thread {
  /* Reads a register by its number in the target description. Returns its bytes, 0: there is none. */
  unsigned (*read)(const void *context, unsigned thread, uint64_t number, uint64_t *value);
  void (*load)(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size);
  const void *context;
  unsigned thread;
};

/* True also if the code is not understood: gdb then evaluates the condition itself. */
bool sl_agent_holds(const struct sl_agent_thread *thread, const uint8_t *code, size_t size);

#endif
