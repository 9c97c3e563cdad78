/* Spill code: moves registers without a physical register to memory.
 *
 * A spilled register is split into pieces, one per block that uses it. A piece is loaded at the block's first read and
 * stored after its last write. A piece that does not fit either is split again, into one piece per instruction with a
 * load before and a store after it; these always fit. A register with a single constant value is recomputed instead of
 * stored (P. Briggs, K. D. Cooper, L. Torczon, "Rematerialization", PLDI 1992). Slots are a separate kind of virtual
 * register, so that slots with disjoint lifetimes can share memory. */
#ifndef SL_BACKEND_SPILL_CODE_H
#define SL_BACKEND_SPILL_CODE_H

#include "backend/allocate/lifetimes.h"

/* Splits the registers in spilled[] of lir into result; origins are kept. slot[]: per register of lir the slot that
 * holds its value, SL_LIR_NONE: none yet. On return it has one element per register of result. */
bool sl_spill(const struct sl_lir *lir, const struct sl_lifetimes *life, const uint32_t *spilled, size_t count,
              uint32_t **slot, struct sl_lir *result);

#endif
