/* Validation of the checkpoint state of a memory port and its DRAM (base/validate.h). */
#ifndef SL_MEM_DRAM_VALIDATE_H
#define SL_MEM_DRAM_VALIDATE_H

#include "mem/memory_port.h"

/* Validates the state at the beginning of a cycle. */
bool sl_memory_port_valid(const struct sl_memory_port *m, uint64_t cycle);

/* Calls `see` with the tag of each unanswered read; returns false as soon as `see` does. The port must be valid. */
bool sl_memory_port_each_read(const struct sl_memory_port *m, bool (*see)(void *context, uint64_t tag), void *context);

#endif
