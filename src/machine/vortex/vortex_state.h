/* Saves and restores a Vortex GPU, for the machine's interface. */
#ifndef SL_MACHINE_VORTEX_STATE_H
#define SL_MACHINE_VORTEX_STATE_H

#include "base/state_archive.h"
#include "machine/vortex/vortex_gpu.h"

void sl_vortex_walk(struct sl_sm *sm, struct sl_archive *archive);
void sl_vortex_derive(struct sl_sm *sm);

/* Validates the rules of a restored state over several parts: vortex_census.c. */
enum sl_status sl_vortex_valid(struct sl_sm *sm, bool timing);

#endif
