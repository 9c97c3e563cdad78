/* Saves and restores a Vortex GPU, for the machine's interface. */
#ifndef SL_MACHINE_VORTEX_STATE_H
#define SL_MACHINE_VORTEX_STATE_H

#include "machine/vortex/vortex_gpu.h"

size_t sl_vortex_state_bytes(const struct sl_sm *sm);
enum sl_status sl_vortex_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_vortex_save(const struct sl_sm *sm, uint8_t *bytes);
void sl_vortex_restore(struct sl_sm *sm, const uint8_t *bytes);

#endif
