/* How many registers a thread needs, by estimate: PTX has as many as one likes, and only an assembler for a real
 * machine would say. Values that are live at once, at the place where they are most, and some more. */
#ifndef SL_PTX_PTX_PRESSURE_H
#define SL_PTX_PTX_PRESSURE_H

#include "ptx/ptx.h"

/* The most 32-bit registers that values of the function from begin to end take at once; `weight` has how many each
 * register number takes. 0 if there is no memory to tell. */
unsigned sl_ptx_pressure(const struct sl_ptx_insn *code, uint32_t begin, uint32_t end, const uint8_t *weight,
                         unsigned registers);

/* What an assembler would come to, by rule of thumb from that. */
unsigned sl_ptx_registers_estimated(unsigned pressure);

#endif
