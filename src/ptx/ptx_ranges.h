/* Numbers the registers of a function by live ranges instead of names, for functions with more names than a machine can
 * tell apart. */
#ifndef SL_PTX_PTX_RANGES_H
#define SL_PTX_PTX_RANGES_H

#include "ptx/ptx.h"

/* The place of a register in the block of registers. */
struct sl_ptx_home {
  uint32_t offset, bytes;
};

/* Registers of one size share a number and a place if no thread needs both values at once. New numbers ascend in the
 * order of the old ones, which are the indices of `home`. `home` has `count` items: those of the function's registers,
 * then of places without a number. Sets the numbers and places of the instructions, and `registers`, `register_bytes`
 * and `shares` of the function. */
enum sl_status sl_ptx_ranges_number(struct sl_ptx_insn *code, struct sl_ptx_function *function,
                                    const struct sl_ptx_home *home, uint32_t count, struct sl_error *err);

/* Adds to all places and numbers of an instruction's registers. */
void sl_ptx_ranges_move(struct sl_ptx_insn *in, uint32_t offset, uint32_t id);

#endif
