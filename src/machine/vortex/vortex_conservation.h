/* Invariants of a timed run that has ended. Test builds check them. */
#ifndef SL_MACHINE_VORTEX_CONSERVATION_H
#define SL_MACHINE_VORTEX_CONSERVATION_H

#include "machine/vortex/vortex_gpu.h"

/* The first violated invariant of the counters or the hardware's final state, else NULL. The state stays unchanged. */
const char *sl_vortex_broken(struct sl_vortex_gpu *sm);

/* Returns a violation as a fault. */
enum sl_sm_state sl_vortex_conserve(struct sl_vortex_gpu *sm);

/* Runs a socket, and ends the run with a fault if it needed something that memory had not simulated yet, or made a
 * request that memory should have had. */
void sl_vortex_run_checked(const struct sl_vortex_timed *timed, struct sl_vortex_socket *socket, uint64_t cycles);

#endif
