/* Slow path of arithmetic: rounding modes other than to nearest, flushing of subnormals, saturation. */
#ifndef SL_PTX_RUN_PTX_CAREFUL_H
#define SL_PTX_RUN_PTX_CAREFUL_H

#include "ptx/run/ptx_lanes.h"

/* Like the function of the instruction's row. */
uint32_t sl_ptx_careful(const struct sl_ptx_insn *in, sl_ptx_lane_function *execute,
                        const struct sl_ptx_lane_operands *operands, uint32_t active);

#endif
