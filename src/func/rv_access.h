/* The values of loads, stores and atomics of the active lanes, the same on all machines. A machine finds the addresses,
 * decides which memory they are in and in which order lanes are served, and builds its requests.
 *
 * What machines do differently is in functions and flags that are constants at the call; the bodies are inlined. */
#ifndef SL_WARP_RV_ACCESS_H
#define SL_WARP_RV_ACCESS_H

#include "func/rv_execute.h"
#include "isa/isa.h"
#include "mem/memory.h"

/* The value of loads and atomics on one unit of memory: the semantics column of the LOAD and AMO rows as functions. */

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

/* Loads rd of the active lanes from addresses in one memory, or in several.
 *
 * `unit` reads one unit. `page`: the host's page with all units; NULL: there are several, or reading takes more than
 * that. `first`: the first unit, if all lanes are active and their units are consecutive; else NULL. */
SL_RV_BODY void sl_rv_load(const struct sl_rv_lanes *l, const uint32_t *address, const struct sl_addresses *s,
                           const uint8_t *page, const uint8_t *first,
                           uint32_t (*unit)(const void *memory, uint32_t address, unsigned width), const void *memory)
{
  const unsigned op = l->insn->op, width = l->insn->width;
  uint32_t *d = sl_rv_register(l, l->insn->rd);
  if (s->low == s->high) {
    l->ops->broadcast(d, sl_unit_extend(op, unit(memory, s->low, width)), l->active, l->lanes);
  } else if (first != NULL) {
    sl_unit_stream(op, d, first, l->lanes);
  } else if (page != NULL && width == 4 && sl_count(l->active) == l->lanes) {
    for (unsigned lane = 0; lane < l->lanes; lane++)
      memcpy(&d[lane], page + (address[lane] & (SL_PAGE_BYTES - 1)), 4);
  } else if (page != NULL) {
    sl_unit_gather(op, d, page, address, l->active);
  } else {
    for (sl_lanes rest = l->active; rest; rest &= rest - 1) {
      const unsigned lane = sl_lowest(rest);
      d[lane] = sl_unit_extend(op, unit(memory, address[lane], width));
    }
  }
}

/* Performs an atomic of one lane on its word; returns the word before. */
SL_RV_BODY uint32_t sl_rv_atomic(unsigned op, uint8_t *word, uint32_t operand)
{
  uint32_t before;
  memcpy(&before, word, 4);
  const uint32_t after = sl_unit_combine(op, before, operand);
  memcpy(word, &after, 4);
  return before;
}

/* The active lanes with an address in [base, base + bytes). */
SL_RV_BODY sl_lanes sl_rv_within(const struct sl_lane_ops *ops, const uint32_t *address, const struct sl_addresses *s,
                                 sl_lanes active, uint32_t base, uint32_t bytes, unsigned lanes)
{
  const bool low_in = s->low - base < bytes, high_in = s->high - base < bytes;
  if (low_in && high_in)
    return active;
  if (s->high < base || (s->low >= base && !low_in))
    return 0;
  return active & ops->within(address, base, bytes, lanes);
}

/* Notes a store to code, for the message when it would execute. */
SL_RV_BODY void sl_rv_note_code(struct sl_memory *memory, const uint32_t *address, sl_lanes lanes, unsigned width,
                                uint32_t pc)
{
  for (; lanes; lanes &= lanes - 1)
    sl_stored_code_note(&memory->code, address[sl_lowest(lanes)], width, pc);
}

#endif
