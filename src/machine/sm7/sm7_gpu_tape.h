/* The GPU in checkpoints. */
#ifndef SL_MACHINE_SM7_GPU_TAPE_H
#define SL_MACHINE_SM7_GPU_TAPE_H

#include "base/state_tape.h"
#include "machine/sm7/sm7_gpu.h"

/* Between two runs of a kernel, or between two kernels. It is read into a GPU that has just been made; for one that is
 * in a kernel, that kernel has been launched. The front end's warps are to be there already. A GPU for which the tape
 * is bad is good for nothing. */
void sl_sm7_gpu_tape(struct sl_tape *tape, struct sl_sm7_gpu *gpu, bool in_kernel);

#endif
