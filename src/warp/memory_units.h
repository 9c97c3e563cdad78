/* What loads and atomics do with a unit of memory: the semantics column of the LOAD and AMO rows, as functions. */
#ifndef SL_WARP_MEMORY_UNITS_H
#define SL_WARP_MEMORY_UNITS_H

#include "isa/isa.h"
#include "mem/memory.h"

#define S(x) ((int32_t)(x))

/* The value a load gives rd, from the bytes m: the semantics column of the LOAD rows. */
static inline __attribute__((always_inline)) uint32_t sl_unit_extend(unsigned op, uint32_t m)
{
  switch (op) {
#define ROW_LOAD(id, match, e)                                                                                         \
  case SL_OP_##id:                                                                                                     \
    return e;
#define ROW_ALU(id, match, e)
#define ROW_MUL(id, match, e)
#define ROW_DIV(id, match, e)
#define ROW_FPU(id, match, e)
#define ROW_FPX(id, match, e)
#define ROW_BRANCH(id, match, e)
#define ROW_JAL(id, match, e)
#define ROW_JALR(id, match, e)
#define ROW_STORE(id, match, e)
#define ROW_AMO(id, match, e)
#define ROW_LRSC(id, match, e)
#define ROW_FENCE(id, match, e)
#define ROW_CSR(id, match, e)
#define ROW_SYSTEM(id, match, e)
#define ROW_PUSH(id, match, e)
#define ROW_POP(id, match, e)
#define ROW_FLUSH(id, match, e)
#define ROW_WARP(id, match, e)
#define ROW(kind, id, name, match, mask, format, set, e) ROW_##kind(id, match, e)
#include "isa/rv32.def"
#undef ROW_LOAD
  default: return m;
  }
}

/* The same for lanes whose units are anywhere in one page, and for all lanes with consecutive units from p. */
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
#include "isa/rv32.def"
#undef ROW_LOAD
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
#include "isa/rv32.def"
#undef ROW_LOAD
  default: break;
  }
}

/* The word an atomic leaves in memory, from the word m that was there: the semantics column of the AMO rows. */
static inline uint32_t sl_unit_combine(unsigned op, uint32_t m, uint32_t b)
{
  switch (op) {
#define ROW_LOAD(id, match, e)
#undef ROW_AMO
#define ROW_AMO(id, match, e)                                                                                          \
  case SL_OP_##id:                                                                                                     \
    return e;
#include "isa/rv32.def"
#undef ROW
#undef ROW_LOAD
  default: return m;
  }
}

#undef ROW_ALU
#undef ROW_MUL
#undef ROW_DIV
#undef ROW_FPU
#undef ROW_FPX
#undef ROW_BRANCH
#undef ROW_JAL
#undef ROW_JALR
#undef ROW_STORE
#undef ROW_AMO
#undef ROW_LRSC
#undef ROW_FENCE
#undef ROW_CSR
#undef ROW_SYSTEM
#undef ROW_PUSH
#undef ROW_POP
#undef ROW_FLUSH
#undef ROW_WARP
#undef S

#endif
