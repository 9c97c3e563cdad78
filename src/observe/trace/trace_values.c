#include "observe/trace/trace_values.h"

#include "isa/lanes.h"

enum { NONE, UNIFORM, AFFINE, GENERAL };

static inline uint64_t value_of(struct sl_trace_values v, unsigned lane)
{
  return v.narrow != NULL ? v.narrow[lane] : v.wide[lane];
}

/* All of the first lanes, up to a number of them, are active: the loop has no branches. */
static unsigned shape_of_first(const uint32_t *values, unsigned lanes, uint32_t *step)
{
  uint32_t differs = 0, bends = 0;
  *step = values[1] - values[0];
  for (unsigned i = 0; i < lanes; i++) {
    differs |= values[i] ^ values[0];
    bends |= values[i] ^ (values[0] + *step * i);
  }
  return differs == 0 ? UNIFORM : bends == 0 ? AFFINE : GENERAL;
}

static unsigned shape_of(struct sl_trace_values v, sl_lanes active, uint64_t *step)
{
  const unsigned first = sl_lowest(active);
  unsigned lane = first;
  bool uniform = true, affine = true;
  *step = 0;
  if (v.narrow != NULL && active != 1 && (active & (active + 1)) == 0) {
    uint32_t between;
    const unsigned shape = shape_of_first(v.narrow, (unsigned)__builtin_popcountll(active), &between);
    const uint64_t last = v.narrow[0] + (uint64_t)between * (unsigned)__builtin_popcountll(active);
    *step = between;
    if (shape != AFFINE || last <= UINT32_MAX) /* else the values are affine modulo 2^32 only */
      return shape;
  }
  for (sl_lanes rest = active & (active - 1); rest != 0; rest &= rest - 1) {
    const unsigned next = sl_lowest(rest);
    if (lane == first)
      *step = (value_of(v, next) - value_of(v, first)) / (next - first);
    uniform = uniform && value_of(v, next) == value_of(v, first);
    affine = affine && value_of(v, next) == value_of(v, first) + *step * (next - first);
    lane = next;
    if (!affine)
      break;
  }
  return uniform ? UNIFORM : affine ? AFFINE : GENERAL;
}

void sl_trace_values_put(struct sl_piece *piece, struct sl_trace_values v, sl_lanes active)
{
  uint64_t step = 0, before = 0;
  const unsigned shape = v.narrow != NULL || v.wide != NULL ? shape_of(v, active, &step) : NONE;
  sl_piece_number(piece, shape);
  if (shape == UNIFORM || shape == AFFINE)
    sl_piece_number(piece, value_of(v, sl_lowest(active)));
  if (shape == AFFINE)
    sl_piece_signed(piece, step);
  for (sl_lanes rest = shape == GENERAL ? active : 0; rest != 0; rest &= rest - 1) {
    sl_piece_signed(piece, value_of(v, sl_lowest(rest)) - before);
    before = value_of(v, sl_lowest(rest));
  }
}
