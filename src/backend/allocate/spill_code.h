/* Registers for which there is no room go to memory.
 *
 * A spilled register is divided into pieces: one within each block that has it, loaded where the block first reads it,
 * stored where it last writes it. A piece for which there is no room either is divided into one for each instruction,
 * loaded before and stored behind it, and these always find room. A register that is always the same constant is not
 * stored but made again (P. Briggs, K. D. Cooper, L. Torczon, "Rematerialization", PLDI 1992). Slots are virtual
 * registers of their own kind, so that those which do not live at the same time can share memory. */
#ifndef SL_BACKEND_SPILL_CODE_H
#define SL_BACKEND_SPILL_CODE_H

#include "backend/allocate/lifetimes.h"

/* A function with the registers in spilled[] divided, of one in which they are whole; origins are kept. slot[]: of each
 * register of lir the slot that holds its value, SL_LIR_NONE: none yet; it becomes one of all registers of result. */
bool sl_spill(const struct sl_lir *lir, const struct sl_lifetimes *life, const uint32_t *spilled, size_t count,
              uint32_t **slot, struct sl_lir *result);

#endif
