/* Whether the state of a memory port and the DRAM behind it can be what a file says (base/sound.h). */
#ifndef SL_MEM_DRAM_SOUND_H
#define SL_MEM_DRAM_SOUND_H

#include "mem/memory_port.h"

/* At the beginning of a cycle. */
bool sl_memory_port_sound(const struct sl_memory_port *m, uint64_t cycle);

/* Calls see with the tag of every read that is to be answered; false as soon as see does. Of a port that is sound. */
bool sl_memory_port_each_read(const struct sl_memory_port *m, bool (*see)(void *context, uint64_t tag), void *context);

#endif
