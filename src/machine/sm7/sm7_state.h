/* Saves and restores the SM7 GPU that runs RISC-V programs (struct sl_machine_checkpoint). */
#ifndef SL_MACHINE_SM7_STATE_H
#define SL_MACHINE_SM7_STATE_H

#include "machine/machine.h"

void sl_sm7_walk(struct sl_sm *sm, struct sl_archive *archive);
enum sl_status sl_sm7_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_sm7_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size);

#endif
