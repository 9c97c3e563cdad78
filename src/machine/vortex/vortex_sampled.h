/* A Vortex GPU of which parts are timed. What an instruction does it does when it is scheduled or issued, so once no
 * core has an instruction under way warps, registers and memory are all there is. Requests to caches and DRAM whose
 * instructions have ended stay where they are until time goes on, and so do the lines in caches: what is executed
 * without timing does not move them. */
#ifndef SL_MACHINE_VORTEX_SAMPLED_H
#define SL_MACHINE_VORTEX_SAMPLED_H

#include "machine/vortex/vortex_gpu.h"

/* Timing begins or ends for a GPU with nothing under way; the same again changes nothing. */
void sl_vortex_switch(struct sl_vortex_gpu *sm, bool timing);

/* Of struct sl_machine_sampling. */
const char *sl_vortex_refuses_sampling(const void *spec);
bool sl_vortex_drain(struct sl_sm *sm, uint64_t cycles);
void sl_vortex_warm_caches(struct sl_sm *sm, bool warm_up_follows);
unsigned sl_vortex_population(const struct sl_sm *sm);
uint64_t sl_vortex_issued(const struct sl_sm *sm, unsigned warp);

#endif
