/* The state of a memory port and its DRAM in checkpoints. */
#ifndef SL_MEM_PORT_STATE_H
#define SL_MEM_PORT_STATE_H

#include "base/state_archive.h"
#include "mem/memory_port.h"

void sl_memory_port_walk(struct sl_memory_port *m, struct sl_archive *archive);

/* Validates a restored state at the beginning of a cycle. */
bool sl_memory_port_valid(const struct sl_memory_port *m, uint64_t cycle);

/* Calls `see` with the tag of each unanswered read; returns false as soon as `see` does. The port must be valid. */
bool sl_memory_port_each_read(const struct sl_memory_port *m, bool (*see)(void *context, uint64_t tag), void *context);

#endif
