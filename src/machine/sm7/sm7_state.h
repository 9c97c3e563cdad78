/* Saves and restores the SM7 GPU that runs RISC-V programs (struct sl_machine_checkpoint). */
#ifndef SL_MACHINE_SM7_STATE_H
#define SL_MACHINE_SM7_STATE_H

#include "machine/machine.h"

size_t sl_sm7_state_bytes(const struct sl_sm *sm);
enum sl_status sl_sm7_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_sm7_state_save(const struct sl_sm *sm, uint8_t *bytes);
void sl_sm7_state_restore(struct sl_sm *sm, const uint8_t *bytes);

#endif
