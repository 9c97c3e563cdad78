/* Constant folding with 32-bit immediates: if two RV32 instructions build an address or a number, the instruction that
 * uses it takes it as an immediate, where it has one (sections 3.1 and 3.2 of the paper on 64-bit instruction words).
 *
 * All uses of a virtual register with a single definition see that definition's value. The pass therefore moves
 * constants into their uses. Absolute addresses become offsets from x0, and added offsets move into the accesses. It
 * removes instructions without uses. */
#ifndef SL_BACKEND_LIR_FOLD_H
#define SL_BACKEND_LIR_FOLD_H

#include "compiler/isa64/lir/lir.h"

/* False: out of memory. */
bool sl_lir_fold(struct sl_lir *lir);

#endif
