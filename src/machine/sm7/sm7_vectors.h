/* Lowering: adjacent loads from shared or constant memory are one load of a vector.
 *
 * An assembler knows the addresses of such variables, and so the alignment of many accesses. It joins two or four
 * loads of words from an aligned piece of 8 or 16 bytes, of constant memory two (LDC.64), if they are in one basic
 * block and no store is between them that could write there. Here the first of them gets the registers of all and the
 * bytes of all; the others become free (sm7_lower.h) and execute where they are in the PTX, so values do not change.
 *
 * Source: CUDA C++ Best Practices Guide, "Vectorized memory access"; the shape of machine code of Volta in
 * arXiv:1804.06826, section 1. Of constant memory: mri-q reads 4,096 words of it per warp, and a Quadro V100 counts
 * 2,151 requests (CC_ACC in AccelWattch's hw_perf.csv). */
#ifndef SL_MACHINE_SM7_VECTORS_H
#define SL_MACHINE_SM7_VECTORS_H

#include "machine/sm7/sm7_code.h"
#include "ptx/ptx.h"

/* Joins the loads of a function, whose code may be lowered otherwise before. `defs`: by register number, how often the
 * function defines it. `joined` is called for each load that became free. */
void sl_sm7_join_loads(const struct sl_ptx_module *module, const struct sl_ptx_function *function,
                       struct sl_sm7_instruction *code, const uint32_t defs[SL_SM7_REGISTERS],
                       void (*joined)(void *context, uint32_t pc), void *context);

#endif
