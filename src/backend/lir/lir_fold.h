/* What 32-bit immediates make superfluous: an address or a number that two RV32 instructions build is one immediate, of
 * the instruction that uses it if that has one (section 3.1 and 3.2 of the paper on 64-bit instruction words).
 *
 * Of a virtual register with a single definition, all uses see what that gives. So constants are moved into their uses,
 * with absolute addresses as offsets from x0, an offset that is added to an address into the accesses, and what nobody
 * uses any more is dropped. */
#ifndef SL_BACKEND_LIR_FOLD_H
#define SL_BACKEND_LIR_FOLD_H

#include "backend/lir/lir.h"

/* False without memory. */
bool sl_lir_fold(struct sl_lir *lir);

#endif
