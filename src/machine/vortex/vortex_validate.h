/* Validates the state of a Vortex GPU that was restored from a file (base/validate.h): the cores, and the requests
 * between cores, caches and DRAM. The source and the destination of each request must be valid. */
#ifndef SL_MACHINE_VORTEX_VALIDATE_H
#define SL_MACHINE_VORTEX_VALIDATE_H

#include "machine/vortex/vortex_gpu.h"

/* Validates a restored state in a GPU of the same configuration that has the program. SL_USAGE: the run cannot resume
 * from this state, with or without timing. SL_INTERNAL: out of memory. */
enum sl_status sl_vortex_valid(struct sl_vortex_gpu *sm, bool timing);

/* Recomputes the fields of a valid state that follow from it, the keys and the program. */
void sl_vortex_derive(struct sl_vortex_gpu *sm);

#endif
