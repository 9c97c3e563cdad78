/* Loads, stores, atomics, LR and SC of the active lanes: one body for all machines. A machine finds the addresses,
 * decides which memory they are in and in which order lanes are served, and builds its requests.
 *
 * What machines do differently is in functions and flags that are constants at the call; the bodies are inlined. */
#ifndef SL_WARP_LANE_ACCESS_H
#define SL_WARP_LANE_ACCESS_H

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

/* A store, atomic, LR or SC of one lane. */
struct sl_lane_change {
  uint32_t address, value; /* value: stored value, or operand of an atomic */
  uint32_t expected;       /* SC: the value that LR read */
  uint32_t pc;
  uint16_t op; /* enum sl_op */
  uint8_t kind, width, warp, lane;
  uint8_t rd;        /* 0: none */
  bool has_expected; /* SC: there is a reservation of this address */
};

/* The unit that a change leaves, and its result for rd, from the unit before. An SC without success changes nothing. */
SL_RV_BODY uint32_t sl_lane_left(const struct sl_lane_change *c, uint32_t before)
{
  if (c->kind == SL_KIND_STORE)
    return c->value;
  if (c->kind == SL_KIND_LRSC)
    return c->has_expected && before == c->expected ? c->value : before;
  return sl_unit_combine(c->op, before, c->value);
}

SL_RV_BODY uint32_t sl_lane_result(const struct sl_lane_change *c, uint32_t before)
{
  return c->kind == SL_KIND_LRSC ? !(c->has_expected && before == c->expected) : before;
}

/* Makes a change at its bytes. d: the lane's rd, if there is one. */
SL_RV_BODY void sl_lane_change(const struct sl_lane_change *c, uint8_t *bytes, uint32_t *d)
{
  if (c->kind == SL_KIND_STORE) {
    sl_memory_put(bytes, c->width, c->value);
    return;
  }
  const uint32_t before = sl_memory_unit(bytes, 4);
  sl_memory_put(bytes, 4, sl_lane_left(c, before));
  if (c->rd != 0)
    *d = sl_lane_result(c, before);
}

/* Lanes in the order in which memory serves them: those of a list, then the rest from one end. */
struct sl_lane_order {
  const uint8_t *list;
  unsigned count;
  sl_lanes rest;
  bool highest_first;
};

SL_RV_BODY bool sl_lane_next(struct sl_lane_order *order, unsigned *lane)
{
  if (order->count > 0) {
    order->count--;
    *lane = *order->list++;
    return true;
  }
  if (order->rest == 0)
    return false;
  *lane = order->highest_first ? sl_highest(order->rest) : sl_lowest(order->rest);
  order->rest &= ~sl_bit(*lane);
  return true;
}

/* Executes a store, atomic, LR or SC of a warp in this order. A lane's operands are read before its result is written,
 * because rd may be rs2. `reserved`: of the warp's lanes. `unit` reads a unit, and `change` makes a change, also of rd:
 * now or later. Any SC ends the lane's reservation, and succeeds while the word holds what LR has read. */
SL_RV_BODY void sl_lanes_change(const struct sl_rv_lanes *l, enum sl_kind kind, unsigned warp, const uint32_t *address,
                                struct sl_lane_order order, struct sl_reservation *reserved,
                                uint32_t (*unit)(const void *memory, uint32_t address, unsigned width),
                                void (*change)(void *memory, const struct sl_lane_change *change), void *memory)
{
  const struct sl_insn *in = l->insn;
  const uint32_t *b = sl_rv_register(l, in->rs2);
  for (unsigned lane; sl_lane_next(&order, &lane);) {
    struct sl_lane_change c = {.pc = l->pc,
                               .address = address[lane],
                               .value = b[lane],
                               .op = in->op,
                               .kind = (uint8_t)kind,
                               .width = kind == SL_KIND_STORE ? in->width : 4,
                               .warp = (uint8_t)warp,
                               .lane = (uint8_t)lane,
                               .rd = kind == SL_KIND_STORE ? 0 : in->rd};
    if (kind == SL_KIND_LRSC && in->op == SL_OP_LR) {
      const uint32_t value = unit(memory, address[lane], 4);
      reserved[lane] = (struct sl_reservation){address[lane], value};
      if (in->rd != 0)
        sl_rv_register(l, in->rd)[lane] = value;
      continue;
    }
    if (kind == SL_KIND_LRSC) {
      c.expected = reserved[lane].value;
      c.has_expected = reserved[lane].address == address[lane];
      reserved[lane].address = 0;
    }
    change(memory, &c);
  }
}

/* Whether all units are in one page of memory. */
SL_RV_BODY bool sl_lanes_in_page(const struct sl_addresses *s)
{
  return (s->low ^ s->high) >> SL_PAGE_BITS == 0;
}

/* The lanes among these that are not aligned, or whose address is below `low`. */
static inline sl_lanes sl_lanes_wrong(enum sl_fault_kind kind, sl_lanes lanes, const uint32_t *address, unsigned width,
                                      uint32_t low)
{
  sl_lanes wrong = 0;
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t at = address[sl_lowest(lanes)];
    if (kind == SL_FAULT_MISALIGNED ? (at & (width - 1u)) != 0 : at < low)
      wrong |= lanes & -lanes;
  }
  return wrong;
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
