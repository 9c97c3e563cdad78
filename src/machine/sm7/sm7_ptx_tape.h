/* PTX on the SM7 core in checkpoints: the blocks and the linear registers of a launch that is under way. */
#ifndef SL_MACHINE_SM7_PTX_TAPE_H
#define SL_MACHINE_SM7_PTX_TAPE_H

#include "base/state_tape.h"
#include "machine/sm7/sm7_ptx.h"

/* Between two runs of the GPU. It is read into one that has just been opened. */
void sl_sm7_ptx_tape(struct sl_tape *tape, struct sl_sm7_ptx *ptx);

#endif
