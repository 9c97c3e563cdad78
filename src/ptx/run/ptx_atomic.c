#include "ptx/run/ptx_atomic.h"

#include <string.h>

#include "ptx/run/ptx_values.h"

static uint64_t add(enum sl_ptx_type type, uint64_t old, uint64_t b)
{
  if (type == SL_PTX_F32) {
    float x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = CANONICAL32(x + y);
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  if (type == SL_PTX_F64) {
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = CANONICAL64(x + y);
    memcpy(&b, &x, sizeof b);
    return b;
  }
  return old + b;
}

static bool below(enum sl_ptx_type type, uint64_t a, uint64_t b)
{
  switch (type) {
  case SL_PTX_S32: return (int32_t)a < (int32_t)b;
  case SL_PTX_S64: return (int64_t)a < (int64_t)b;
  default: return a < b;
  }
}

uint64_t sl_ptx_atomic_value(unsigned operation, enum sl_ptx_type type, uint64_t old, uint64_t b, uint64_t c)
{
  switch ((enum sl_ptx_atomic)operation) {
  case SL_PTX_ATOM_ADD: return add(type, old, b);
  case SL_PTX_ATOM_MIN: return below(type, b, old) ? b : old;
  case SL_PTX_ATOM_MAX: return below(type, old, b) ? b : old;
  case SL_PTX_ATOM_AND: return old & b;
  case SL_PTX_ATOM_OR: return old | b;
  case SL_PTX_ATOM_XOR: return old ^ b;
  case SL_PTX_ATOM_EXCH: return b;
  case SL_PTX_ATOM_CAS: return old == b ? c : old;
  case SL_PTX_ATOM_INC: return old >= b ? 0 : old + 1;
  case SL_PTX_ATOM_DEC: return old == 0 || old > b ? b : old - 1;
  }
  return old;
}
