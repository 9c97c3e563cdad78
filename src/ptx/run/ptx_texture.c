#include "ptx/run/ptx_texture.h"

#include <math.h>
#include <string.h>

enum { CHANNELS = 4 };

unsigned sl_ptx_texel_bytes(const struct sl_ptx_texture *t)
{
  return sl_ptx_type_bytes(t->type) * t->channels;
}

static uint64_t handle_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane)
{
  uint64_t value;
  memcpy(&value, w->area[in->a.area] + in->a.offset + lane * sizeof value, sizeof value);
  if (in->mode & SL_PTX_TEX_VARIABLE)
    memcpy(&value, sl_ptx_memory_at(w->block->launch->memory, value, sizeof value), sizeof value);
  return value;
}

/* Whether texels can be read as the instruction's type. */
static bool suits(const struct sl_ptx_insn *in, const struct sl_ptx_texture *t)
{
  return (in->type == SL_PTX_F32) == (t->type == SL_PTX_F32 || t->normalised);
}

const struct sl_ptx_texture *sl_ptx_texture_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                                               uint32_t active, struct sl_ptx_fault *fault)
{
  const struct sl_ptx_memory *m = w->block->launch->memory;
  const uint64_t handle = handle_of(w, in, sl_lowest(active));
  fault->kind = SL_PTX_FAULT_TEXTURE;
  fault->lane = sl_lowest(active);
  fault->address = handle;
  if (handle == 0 || handle > m->texture_count)
    return NULL;
  fault->kind = SL_PTX_FAULT_TEXEL;
  if (!suits(in, &m->textures[handle - 1]))
    return NULL;
  fault->kind = SL_PTX_FAULT_TEXTURES;
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (handle_of(w, in, sl_lowest(rest)) != handle)
      return NULL;
  fault->kind = SL_PTX_FAULT_NONE;
  return &m->textures[handle - 1];
}

/* A coordinate in texels; false: outside. */
static bool coordinate(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_place place,
                       unsigned lane, uint32_t size, uint64_t *texel)
{
  const uint8_t *at = w->area[place.area] + place.offset + lane * sizeof(uint32_t);
  if (!(in->mode & SL_PTX_TEX_REAL)) {
    uint32_t index;
    memcpy(&index, at, sizeof index);
    *texel = index;
    return index < size;
  }
  float value;
  memcpy(&value, at, sizeof value);
  const float below = floorf(value), last = (float)(size - 1);
  *texel = !(below > 0) ? 0 : below >= last ? size - 1 : (uint64_t)below;
  return true;
}

void sl_ptx_texels(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                   uint32_t active, uint64_t *offset)
{
  for (; active != 0; active &= active - 1) {
    const unsigned l = sl_lowest(active);
    uint64_t x = 0, y = 0;
    bool inside = coordinate(w, in, in->b, l, t->width, &x);
    if (in->mode & SL_PTX_TEX_2D)
      inside = coordinate(w, in, in->c, l, t->height, &y) && inside;
    offset[l] = inside ? (y * t->width + x) * sl_ptx_texel_bytes(t) : SL_PTX_OUTSIDE;
  }
}

/* A channel as the bits of the instruction's type. */
static uint32_t channel(const struct sl_ptx_texture *t, const uint8_t *at)
{
  const unsigned bits = 8 * sl_ptx_type_bytes(t->type);
  const bool sign = t->type >= SL_PTX_S8 && t->type <= SL_PTX_S64;
  uint32_t value = 0;
  memcpy(&value, at, bits / 8);
  if (sign)
    value = (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
  if (!t->normalised)
    return value;
  const float most = (float)((1u << (bits - sign)) - 1);
  const float part = sign ? fmaxf((float)(int32_t)value / most, -1) : (float)value / most;
  memcpy(&value, &part, sizeof value);
  return value;
}

void sl_ptx_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                  const uint8_t *data, const uint64_t *offset, uint32_t active)
{
  const unsigned bytes = sl_ptx_type_bytes(t->type);
  const uint32_t one = in->type == SL_PTX_F32 ? 0x3f800000 : 1;
  for (; active != 0; active &= active - 1) {
    const unsigned l = sl_lowest(active);
    uint32_t texel[CHANNELS] = {0, 0, 0, offset[l] == SL_PTX_OUTSIDE ? 0 : one};
    for (unsigned c = 0; c < t->channels && offset[l] != SL_PTX_OUTSIDE; c++)
      texel[c] = channel(t, data + offset[l] + c * bytes);
    for (unsigned c = 0; c < CHANNELS; c++)
      memcpy(w->area[in->element[c].area] + in->element[c].offset + l * sizeof texel[c], &texel[c], sizeof texel[c]);
  }
}
