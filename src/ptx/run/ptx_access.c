#include "ptx/run/ptx_access.h"

#include <string.h>

#include "ptx/run/ptx_atomic.h"

typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));

/* A stretch of addresses as the lanes of a warp see it: local memory has a frame per lane. */
struct view {
  uint8_t *data;
  uint64_t base, bytes, stride;
};

static struct view view_of(const struct sl_ptx_warp *w, enum sl_ptx_space space)
{
  const struct sl_ptx_block *b = w->block;
  const struct sl_ptx_launch *launch = b->launch;
  switch (space) {
  case SL_PTX_SHARED: return (struct view){b->shared, 0, b->shared_bytes, 0};
  case SL_PTX_LOCAL: return (struct view){w->local, 0, launch->kernel->local_bytes, launch->kernel->local_bytes};
  case SL_PTX_CONST: return (struct view){launch->memory->constants.data, 0, launch->memory->constants.bytes, 0};
  case SL_PTX_PARAM: return (struct view){launch->params, 0, launch->kernel->param_bytes, 0};
  default: return (struct view){launch->memory->heap.data, launch->memory->heap.base, launch->memory->heap.bytes, 0};
  }
}

static void lane_addresses(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint64_t *address)
{
  const uint8_t *base = w->area[in->a.area] + in->a.offset;
  const uint64_t offset = (uint64_t)in->immediate;
  if (in->address32)
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      address[l] = ((const word *)base)[l] + offset;
  else
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      address[l] = ((const wide *)base)[l] + offset;
}

/* Turns the generic address of a lane into one of the space that it is in. */
static enum sl_ptx_space resolve(uint64_t *address)
{
  const uint64_t window = *address - SL_PTX_CONST_WINDOW;
  if (window >= 3 * SL_PTX_WINDOW_BYTES)
    return SL_PTX_GLOBAL;
  *address = window % SL_PTX_WINDOW_BYTES;
  return window < SL_PTX_WINDOW_BYTES ? SL_PTX_CONST : window < 2 * SL_PTX_WINDOW_BYTES ? SL_PTX_SHARED : SL_PTX_LOCAL;
}

static bool refuse(struct sl_ptx_fault *fault, enum sl_ptx_fault_kind kind, enum sl_ptx_space space, unsigned lane,
                   uint64_t address)
{
  fault->kind = kind;
  fault->space = space;
  fault->lane = lane;
  fault->address = address;
  return false;
}

/* Lane by lane: for generic addresses, module variables, and to say which lane is at fault. */
static bool pointers_one_by_one(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                                uint8_t **at, struct sl_ptx_fault *fault)
{
  const uint32_t bytes = effect->bytes;
  bool first = true;
  for (uint32_t lanes = effect->active; lanes != 0; lanes &= lanes - 1) {
    const unsigned l = sl_lowest(lanes);
    const enum sl_ptx_space space =
        in->space == SL_PTX_GENERIC ? resolve(&effect->address[l]) : (enum sl_ptx_space)in->space;
    const uint64_t address = effect->address[l];
    const struct view v = view_of(w, space);
    if (first)
      effect->space = space;
    first = false;
    if (address % bytes != 0)
      return refuse(fault, SL_PTX_FAULT_ALIGNMENT, space, l, address);
    if (space == SL_PTX_GLOBAL)
      at[l] = sl_ptx_memory_at(w->block->launch->memory, address, bytes);
    else
      at[l] = address < v.bytes && bytes <= v.bytes - address ? v.data + address + l * v.stride : NULL;
    if (at[l] == NULL)
      return refuse(fault, SL_PTX_FAULT_ADDRESS, space, l, address);
  }
  return true;
}

static bool pointers(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                     uint8_t **at, struct sl_ptx_fault *fault)
{
  lane_addresses(w, in, effect->address);
  effect->space = in->space;
  effect->bytes = (uint32_t)in->bytes * in->elements;
  if (in->space == SL_PTX_GENERIC)
    return pointers_one_by_one(w, in, effect, at, fault);
  const struct view v = view_of(w, in->space);
  const uint64_t *address = effect->address, any = address[sl_lowest(effect->active)];
  uint64_t bits = 0, most = 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const uint64_t a = (effect->active >> l & 1 ? address[l] : any) - v.base;
    bits |= a;
    most = a > most ? a : most;
    at[l] = (uint8_t *)((uintptr_t)v.data + (uintptr_t)(a + l * v.stride)); /* perhaps nowhere, see below */
  }
  if ((bits & (effect->bytes - 1)) == 0 && most < v.bytes && effect->bytes <= v.bytes - most)
    return true;
  return pointers_one_by_one(w, in, effect, at, fault);
}

#define EACH(lanes)                                                                                                    \
  for (uint32_t rest_ = (lanes); rest_ != 0; rest_ &= rest_ - 1)                                                       \
    for (unsigned l = sl_lowest(rest_), once_ = 1; once_; once_ = 0)

#define LOAD_AS(memory_t, value_t)                                                                                     \
  do {                                                                                                                 \
    EACH(lanes)                                                                                                        \
    {                                                                                                                  \
      memory_t v;                                                                                                      \
      memcpy(&v, at[l] + skip, sizeof v);                                                                              \
      if (wide64)                                                                                                      \
        ((uint64_t *)d)[l] = (uint64_t)(value_t)v;                                                                     \
      else                                                                                                             \
        ((uint32_t *)d)[l] = (uint32_t)(value_t)v;                                                                     \
    }                                                                                                                  \
  } while (0)

static void load(const struct sl_ptx_insn *in, uint8_t *const *at, uint32_t skip, uint32_t lanes, void *d, bool wide64)
{
  switch ((enum sl_ptx_type)in->type) {
  case SL_PTX_S8: LOAD_AS(int8_t, int64_t); break;
  case SL_PTX_S16: LOAD_AS(int16_t, int64_t); break;
  case SL_PTX_S32: LOAD_AS(int32_t, int64_t); break;
  default:
    switch (in->bytes) {
    case 1: LOAD_AS(uint8_t, uint64_t); break;
    case 2: LOAD_AS(uint16_t, uint64_t); break;
    case 4: LOAD_AS(uint32_t, uint64_t); break;
    default: LOAD_AS(uint64_t, uint64_t); break;
    }
  }
}

#define STORE_AS(memory_t, source)                                                                                     \
  do {                                                                                                                 \
    EACH(lanes)                                                                                                        \
    {                                                                                                                  \
      const memory_t v = (memory_t)((const source *)s)[l];                                                             \
      memcpy(at[l] + skip, &v, sizeof v);                                                                              \
    }                                                                                                                  \
  } while (0)

/* Registers are words or wide ones; either way their low bytes come first. */
static void store(const struct sl_ptx_insn *in, uint8_t *const *at, uint32_t skip, uint32_t lanes, const void *s,
                  bool wide64)
{
  switch (in->bytes) {
  case 1:
    if (wide64)
      STORE_AS(uint8_t, wide);
    else
      STORE_AS(uint8_t, word);
    break;
  case 2:
    if (wide64)
      STORE_AS(uint16_t, wide);
    else
      STORE_AS(uint16_t, word);
    break;
  case 4:
    if (wide64)
      STORE_AS(uint32_t, wide);
    else
      STORE_AS(uint32_t, word);
    break;
  default: STORE_AS(uint64_t, wide); break;
  }
}

static uint64_t lane_value(const uint8_t *values, unsigned l, unsigned bytes)
{
  return bytes == 8 ? ((const wide *)values)[l] : ((const word *)values)[l];
}

static void atomic(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *const *at, uint32_t lanes)
{
  const uint8_t *b = w->area[in->b.area] + in->b.offset, *c = w->area[in->c.area] + in->c.offset;
  uint8_t *d = in->dsts > 0 ? w->area[in->d.area] + in->d.offset : NULL;
  EACH(lanes)
  {
    uint64_t old = 0;
    memcpy(&old, at[l], in->bytes);
    const uint64_t new =
        sl_ptx_atomic_value(in->mode, in->type, old, lane_value(b, l, in->bytes), lane_value(c, l, in->bytes));
    memcpy(at[l], &new, in->bytes);
    if (d != NULL && in->bytes == 8)
      ((wide *)d)[l] = old;
    else if (d != NULL)
      ((word *)d)[l] = (uint32_t)old;
  }
}

bool sl_ptx_access(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                   struct sl_ptx_fault *fault)
{
  uint8_t *at[SL_PTX_LANES];
  const uint32_t lanes = effect->active;
  effect->space = in->space;
  effect->bytes = (uint32_t)in->bytes * in->elements;
  if (lanes == 0)
    return true;
  if (!pointers(w, in, effect, at, fault))
    return false;
  if (in->kind == SL_PTX_K_ATOMIC) {
    atomic(w, in, at, lanes);
    return true;
  }
  for (unsigned i = 0; i < in->elements; i++) {
    uint8_t *values = w->area[in->element[i].area] + in->element[i].offset;
    const bool wide64 = in->wide >> i & 1;
    if (in->kind == SL_PTX_K_LOAD)
      load(in, at, i * in->bytes, lanes, values, wide64);
    else
      store(in, at, i * in->bytes, lanes, values, wide64);
  }
  return true;
}
