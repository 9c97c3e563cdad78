#include "ptx/run/ptx_exchange.h"

#include <string.h>

typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));

static void *place(const struct sl_ptx_warp *w, struct sl_ptx_place p)
{
  return w->area[p.area] + p.offset;
}

static void set_predicate(word *p, uint32_t value, uint32_t lanes)
{
  *p = (*p & ~lanes) | (value & lanes);
}

/* The lane that `lane` reads from, and whether it is in the same segment; c has clamp and mask of the segment. */
static bool partner(enum sl_ptx_shuffle mode, unsigned lane, uint32_t b, uint32_t c, unsigned *from)
{
  const unsigned by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const unsigned most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  const int last = (int)most;
  int j = (int)lane;
  bool inside;
  switch (mode) {
  case SL_PTX_SHFL_UP: j -= (int)by, inside = j >= last; break;
  case SL_PTX_SHFL_DOWN: j += (int)by, inside = j <= last; break;
  case SL_PTX_SHFL_BFLY: j ^= (int)by, inside = j <= last; break;
  default: j = (int)(least | (by & ~segment)), inside = j <= last; break;
  }
  *from = inside ? (unsigned)j & 31 : lane;
  return inside;
}

void sl_ptx_shuffle(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const word *a = place(w, in->a), *b = place(w, in->b), *c = place(w, in->c);
  word *d = place(w, in->d), old[SL_PTX_LANES];
  uint32_t inside = 0;
  memcpy(old, a, sizeof old);
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    unsigned from;
    if ((active >> l & 1) == 0)
      continue;
    inside |= (uint32_t)partner(in->mode, l, b[l], c[l], &from) << l;
    d[l] = old[from];
  }
  if (in->has_e)
    set_predicate(place(w, in->e), inside, active);
}

void sl_ptx_vote(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const word *members = place(w, in->b);
  const uint32_t set = (*(const word *)place(w, in->c) ^ (in->negated_c ? UINT32_MAX : 0));
  word *d = place(w, in->d);
  const uint32_t voters = active & (active ? members[sl_lowest(active)] : 0), yes = set & voters;
  bool result = false;
  switch ((enum sl_ptx_vote)in->mode) {
  case SL_PTX_VOTE_ALL: result = yes == voters; break;
  case SL_PTX_VOTE_ANY: result = yes != 0; break;
  case SL_PTX_VOTE_UNI: result = yes == voters || yes == 0; break;
  case SL_PTX_VOTE_BALLOT:
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      d[l] = active >> l & 1 ? yes : d[l];
    return;
  }
  set_predicate(d, result ? UINT32_MAX : 0, active);
}

static uint64_t value_of(const void *a, unsigned lane, bool wide64)
{
  return wide64 ? ((const wide *)a)[lane] : ((const word *)a)[lane];
}

void sl_ptx_match(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const void *a = place(w, in->a);
  const word *members = place(w, in->b);
  const bool wide64 = in->type == SL_PTX_B64;
  uint32_t same[SL_PTX_LANES] = {0}, all = 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const uint32_t group = active & members[l];
    for (unsigned other = 0; other < SL_PTX_LANES; other++)
      if (group >> other & 1 && value_of(a, l, wide64) == value_of(a, other, wide64))
        same[l] |= (uint32_t)sl_bit(other);
    all |= (uint32_t)(same[l] == group) << l;
  }
  word *d = place(w, in->d);
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (active >> l & 1)
      d[l] = in->mode == SL_PTX_MATCH_ANY || all >> l & 1 ? same[l] : 0;
  if (in->has_e)
    set_predicate(place(w, in->e), all, active);
}
