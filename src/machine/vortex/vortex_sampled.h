/* Sampled timing of a Vortex GPU: only parts of a run are timed. An instruction executes when it is scheduled or
 * issued. Once no core has an instruction in flight, the state is therefore only warps, registers and memory. Requests
 * to caches and DRAM whose instructions have ended stay in place until timing resumes, and so do the cached lines:
 * functional execution does not move them. */
#ifndef SL_MACHINE_VORTEX_SAMPLED_H
#define SL_MACHINE_VORTEX_SAMPLED_H

#include "machine/vortex/vortex_gpu.h"

/* Switches timing on or off for a GPU without instructions in flight. Repeating the same switch has no effect. */
void sl_vortex_switch(struct sl_vortex_gpu *sm, bool timing);

/* Of struct sl_machine_sampling. */
const char *sl_vortex_refuses_sampling(const void *spec);
bool sl_vortex_drain(struct sl_sm *sm, uint64_t cycles);
void sl_vortex_warm_caches(struct sl_sm *sm, bool warm_up_follows);
unsigned sl_vortex_population(const struct sl_sm *sm);
uint64_t sl_vortex_issued(const struct sl_sm *sm, unsigned warp);

#endif
