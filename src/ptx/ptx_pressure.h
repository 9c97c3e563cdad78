/* How many registers a thread needs, by estimate: PTX has as many as one likes, and only an assembler for a real
 * machine would say.
 *
 * Counted are values that are live at once, without what nothing reads, without what instructions take from the bank of
 * constants (parameters, immediates, sizes of grid and block), with one register for addresses of shared and local
 * memory, and with what divisions need for themselves. An assembler moves loads up as long as that costs no threads:
 * with 32 registers an SM is full. */
#ifndef SL_PTX_PTX_PRESSURE_H
#define SL_PTX_PTX_PRESSURE_H

#include "ptx/ptx.h"

/* The most 32-bit registers at once: in the order as written, and with all loads as early as they can be. */
struct sl_ptx_pressure {
  unsigned least, early;
};

/* Of the function from begin to end; `weight` has how many each register number takes, and changes. Zeros if there is
 * no memory to tell. */
struct sl_ptx_pressure sl_ptx_pressure(const struct sl_ptx_insn *code, uint32_t begin, uint32_t end, uint8_t *weight,
                                       unsigned registers);

/* What an assembler would come to. */
unsigned sl_ptx_registers_estimated(struct sl_ptx_pressure pressure);

#endif
