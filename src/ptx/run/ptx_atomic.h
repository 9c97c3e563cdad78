/* The operation of an atomic instruction on a value in memory. */
#ifndef SL_PTX_RUN_PTX_ATOMIC_H
#define SL_PTX_RUN_PTX_ATOMIC_H

#include "ptx/ptx.h"

/* The new value: `old` is in memory, b and c are the operands, bits of `type` (32 or 64 of them). */
uint64_t sl_ptx_atomic_value(unsigned operation, enum sl_ptx_type type, uint64_t old, uint64_t b, uint64_t c);

#endif
