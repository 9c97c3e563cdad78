/* The value of loads and atomics on one unit of memory: the semantics column of the LOAD and AMO rows as functions. */
#ifndef SL_WARP_MEMORY_UNITS_H
#define SL_WARP_MEMORY_UNITS_H

#include "isa/isa.h"
#include "mem/memory.h"

#define S(x) ((int32_t)(x))

/* clang-format off */

/* The value that a load writes to rd, from the bytes m: semantics column of the LOAD rows. */
static inline __attribute__((always_inline)) uint32_t sl_unit_extend(unsigned op, uint32_t m)
{
  switch (op) {
#define ROW_LOAD(id, match, e) case SL_OP_##id: return e;
#include "isa/rows.h"
  default: return m;
  }
}

/* sl_unit_extend for lanes whose units lie in one page, and for all lanes with consecutive units from p. */
static inline void sl_unit_gather(unsigned op, uint32_t *d, const uint8_t *page, const uint32_t *address,
                                  sl_lanes active)
{
  switch (op) {
#define ROW_LOAD(id, match, e)                                                                                         \
  case SL_OP_##id:                                                                                                     \
    for (sl_lanes rest = active; rest; rest &= rest - 1) {                                                             \
      const unsigned lane = sl_lowest(rest);                                                                           \
      const uint32_t m = sl_memory_unit(page + (address[lane] & (SL_PAGE_BYTES - 1)), 1u << ((match) >> 12 & 3));      \
      d[lane] = e;                                                                                                     \
    }                                                                                                                  \
    break;
#include "isa/rows.h"
  default: break;
  }
}

static inline void sl_unit_stream(unsigned op, uint32_t *d, const uint8_t *p, unsigned lanes)
{
  switch (op) {
#define ROW_LOAD(id, match, e)                                                                                         \
  case SL_OP_##id:                                                                                                     \
    for (unsigned lane = 0; lane < lanes; lane++) {                                                                    \
      const uint32_t m = sl_memory_unit(p + (lane << ((match) >> 12 & 3)), 1u << ((match) >> 12 & 3));                 \
      d[lane] = e;                                                                                                     \
    }                                                                                                                  \
    break;
#include "isa/rows.h"
  default: break;
  }
}

/* The word that an atomic leaves in memory, from the old word m: semantics column of the AMO rows. */
static inline uint32_t sl_unit_combine(unsigned op, uint32_t m, uint32_t b)
{
  switch (op) {
#define ROW_AMO(id, match, e) case SL_OP_##id: return e;
#include "isa/rows.h"
  default: return m;
  }
}

/* clang-format on */

#undef S

#endif
