/* What must hold of a timed run that has ended: in test builds it is looked at. */
#ifndef SL_MACHINE_VORTEX_CONSERVATION_H
#define SL_MACHINE_VORTEX_CONSERVATION_H

#include "machine/vortex/vortex_gpu.h"

/* What its accounts, or what is left in the hardware, show to be wrong, else NULL. The state after the run is kept. */
const char *sl_vortex_broken(struct sl_vortex_gpu *sm);

/* The same as a fault. */
enum sl_sm_state sl_vortex_conserve(struct sl_vortex_gpu *sm);

#endif
