#include "func/jit/emit_hammock.h"

enum { TAIL_SHIFT = 8, BYTE = 0xff, POPS = 0x10000, NESTING = 0x20000 };

static void set_masks(struct sl_jit_frame *f, uint32_t active)
{
  static const uint32_t bit[SL_EMIT_LANES_MAX] = {
      1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
      1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
      1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};
  for (unsigned l = 0; l < SL_EMIT_LANES_MAX; l++) /* this loop vectorises; shifts by l do not */
    f->mask[l] = (active & bit[l]) == bit[l] ? UINT32_MAX : 0;
}

void sl_jit_activate_others(struct sl_jit_frame *f, sl_lanes active)
{
  const unsigned lowest = sl_lowest(active);
  f->active = active;
  if (f->mask_rows)
    set_masks(f, (uint32_t)active);
  f->lowest = lowest * 4;
  for (unsigned w = 0; w < SL_EMIT_WIDTHS; w++) {
    f->before[w] = lowest << w;
    f->apart_active[w] = &f->apart[w][SL_EMIT_LANE_0 - lowest];
  }
}

uint32_t sl_jit_shape(const struct sl_hammock *h)
{
  return h->steps | h->tail << TAIL_SHIFT | (h->pops ? POPS : 0) | (h->nesting ? NESTING : 0);
}

bool sl_jit_part(struct sl_jit_frame *f, uint32_t taken, uint32_t branch, uint32_t shape)
{
  const struct sl_hammock h = {branch, shape & BYTE, shape >> TAIL_SHIFT & BYTE, shape & POPS, shape & NESTING};
  const sl_lanes others = f->active & ~(sl_lanes)taken;
  if (!sl_hammock_may(&h, taken, others, *f->level, (uint64_t)f->left))
    return false;
  f->hammock = h;
  f->taken = taken;
  sl_jit_activate(f, others);
  f->lanes->active = others;
  return true;
}

void sl_jit_join_after(struct sl_jit_frame *f, uint32_t done)
{
  const sl_lanes others = f->active, all = f->taken | others;
  const struct sl_hammock_count ran = sl_hammock_count(&f->hammock, f->taken, others, done);
  f->left -= ran.instructions;
  f->idle += (uint64_t)ran.instructions * sl_count(all) - ran.thread_instructions;
  sl_jit_activate(f, all);
  f->lanes->active = all;
}

void sl_jit_join(struct sl_jit_frame *f)
{
  sl_jit_join_after(f, f->hammock.steps);
  f->hammock.steps = 0;
}
