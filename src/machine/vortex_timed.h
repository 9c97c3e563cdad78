/* A Vortex GPU in time: sockets of cores, the memory behind them, and the stretches of cycles in which the sockets do
 * not depend on each other. */
#ifndef SL_MACHINE_VORTEX_TIMED_H
#define SL_MACHINE_VORTEX_TIMED_H

#include "machine/vortex_memory.h"

struct sl_vortex_timed {
  struct sl_vortex_pipeline *pipeline; /* one per core */
  struct sl_vortex_socket *socket;
  unsigned sockets, lookahead;
  struct sl_vortex_memory memory;
  uint64_t cycle; /* of the sockets; memory is up to `lookahead` cycles ahead */
  uint64_t quiet; /* cycles in which no instruction has been under way */
};

enum sl_code sl_vortex_timed_init(struct sl_sm *sm, struct sl_error *err);
void sl_vortex_timed_free(struct sl_sm *sm);
void sl_vortex_timed_start(struct sl_sm *sm);

enum sl_sm_state sl_vortex_run_timed(struct sl_sm *sm, uint64_t cycles);

#endif
