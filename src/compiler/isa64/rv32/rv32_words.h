/* Translates RV32 instruction words to 64-bit words: the same operation on the same registers. Offsets of branches and
 * jumps double. The extensions are those common to both formats: IMA, Zicsr, Zfinx, Zicond and Vortex 2.x. */
#ifndef SL_BACKEND_RV32_WORDS_H
#define SL_BACKEND_RV32_WORDS_H

#include "isa/wide.h"

#define SL_RV32_SETS (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2)
#define SL_WIDE_SETS (SL_RV32_SETS | SL_ISA_WIDE)

/* False: no instruction of these extensions. */
bool sl_wide_of_rv32(uint32_t word, struct sl_wide *wide);

#endif
