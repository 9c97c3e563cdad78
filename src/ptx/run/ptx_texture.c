#include "ptx/run/ptx_access.h"

#include <math.h>
#include <string.h>

enum { CHANNELS = 4, DIMENSIONS = 3, FRACTIONS = 256 }; /* of weights: 8 fractional bits */

/* Texels of a fetch along a dimension: one, or two with the weight of the second in FRACTIONS. */
struct span {
  int64_t index[2]; /* -1: outside */
  unsigned count, weight;
};

static unsigned texel_bytes(const struct sl_ptx_texture *t)
{
  return sl_ptx_type_bytes(t->type) * t->channels;
}

static uint64_t row_bytes(const struct sl_ptx_texture *t)
{
  return t->pitch > 0 ? t->pitch : (uint64_t)t->width * texel_bytes(t);
}

static uint64_t handle_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane)
{
  uint64_t value;
  memcpy(&value, w->area[in->a.area] + in->a.offset + lane * sizeof value, sizeof value);
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
  fault->address = handle < SL_PTX_STATIC_BASE ? handle : 0; /* of an unbound variable: none */
  const struct sl_ptx_texture *t = sl_ptx_memory_texture(m, handle);
  if (t == NULL || t->width == 0)
    return NULL;
  fault->kind = SL_PTX_FAULT_TEXEL;
  if (!suits(in, t))
    return NULL;
  fault->kind = SL_PTX_FAULT_TEXTURES;
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (handle_of(w, in, sl_lowest(rest)) != handle)
      return NULL;
  fault->kind = SL_PTX_FAULT_NONE;
  return t;
}

/* The texel that an index outside of `size` texels stands for; -1: none. */
static int64_t addressed(int64_t index, int64_t size, enum sl_ptx_texture_mode mode)
{
  if (index >= 0 && index < size)
    return index;
  switch (mode) {
  case SL_PTX_TEXTURE_WRAP: return ((index % size) + size) % size;
  case SL_PTX_TEXTURE_MIRROR: {
    const int64_t place = ((index % (2 * size)) + 2 * size) % (2 * size);
    return place < size ? place : 2 * size - 1 - place;
  }
  case SL_PTX_TEXTURE_BORDER: return -1;
  default: return index < 0 ? 0 : size - 1;
  }
}

/* Converts a floor to an index; what is far outside or no number stays outside on its side. */
static int64_t index_of(float floor)
{
  const float most = 1 << 30;
  return floor >= most ? 1 << 30 : floor > -most ? (int64_t)floor : floor <= -most ? -(1 << 30) : 0;
}

static struct span real_span(const struct sl_ptx_texture *t, float value, uint32_t size, enum sl_ptx_texture_mode mode,
                             bool layer)
{
  const float place = t->normalised_coordinates && !layer ? value * (float)size : value;
  if (!t->linear)
    return (struct span){.index = {addressed(index_of(floorf(place)), size, mode)}, .count = 1};
  const float from = floorf(place - 0.5f), fraction = place - 0.5f - from;
  const int64_t first = index_of(from);
  const unsigned weight = fraction > 0 && fraction < 1 ? (unsigned)(fraction * (float)FRACTIONS + 0.5f) : 0;
  return (struct span){
      .index = {addressed(first, size, mode), addressed(first + 1, size, mode)}, .count = 2, .weight = weight};
}

static struct span span_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                           unsigned lane, unsigned dimension)
{
  const struct sl_ptx_place place = dimension == 0 ? in->b : dimension == 1 ? in->c : in->e;
  const uint32_t size = dimension == 0 ? t->width : dimension == 1 ? t->height : t->depth;
  const uint8_t *at = w->area[place.area] + place.offset + lane * sizeof(uint32_t);
  if (in->mode & SL_PTX_TEX_REAL) {
    float value;
    memcpy(&value, at, sizeof value);
    return real_span(t, value, size, t->mode[dimension], t->layered && dimension == 2);
  }
  uint32_t index;
  memcpy(&index, at, sizeof index);
  return (struct span){.index = {index < size ? (int64_t)index : -1}, .count = 1};
}

/* The spans of a fetch; dimensions that it does not have are their first texel. */
static void find_spans(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                       unsigned lane, struct span span[DIMENSIONS])
{
  const unsigned count = in->mode & SL_PTX_TEX_3D ? 3 : in->mode & SL_PTX_TEX_2D ? 2 : 1;
  for (unsigned d = 0; d < DIMENSIONS; d++)
    span[d] = d < count ? span_of(w, in, t, lane, d) : (struct span){.count = 1};
}

static uint64_t offset_of(const struct sl_ptx_texture *t, int64_t x, int64_t y, int64_t z)
{
  return ((uint64_t)z * t->height + (uint64_t)y) * row_bytes(t) + (uint64_t)x * texel_bytes(t);
}

void sl_ptx_texture_addresses(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                              struct sl_ptx_effect *effect)
{
  effect->space = SL_PTX_GLOBAL;
  effect->bytes = texel_bytes(t);
  for (uint32_t rest = effect->active; rest != 0; rest &= rest - 1) {
    struct span s[DIMENSIONS];
    const unsigned l = sl_lowest(rest);
    find_spans(w, in, t, l, s);
    const bool inside = s[0].index[0] >= 0 && s[1].index[0] >= 0 && s[2].index[0] >= 0;
    /* A lane outside of the texture reads the first texel from memory. */
    effect->address[l] = t->address + (inside ? offset_of(t, s[0].index[0], s[1].index[0], s[2].index[0]) : 0);
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

/* The channels of a texel; outside of the texture all are 0. */
static void read_texel(const struct sl_ptx_insn *in, const struct sl_ptx_texture *t, const uint8_t *data, int64_t x,
                       int64_t y, int64_t z, uint32_t texel[CHANNELS])
{
  const unsigned bytes = sl_ptx_type_bytes(t->type);
  const bool inside = x >= 0 && y >= 0 && z >= 0;
  memset(texel, 0, CHANNELS * sizeof *texel);
  if (!inside)
    return;
  texel[CHANNELS - 1] = in->type == SL_PTX_F32 ? 0x3f800000 : 1;
  const uint8_t *at = data + offset_of(t, x, y, z);
  for (unsigned c = 0; c < t->channels; c++)
    texel[c] = channel(t, at + c * bytes);
}

/* Adds the weighted texels of all combinations of the spans. */
static void combine(const struct sl_ptx_insn *in, const struct sl_ptx_texture *t, const uint8_t *data,
                    const struct span s[DIMENSIONS], uint32_t texel[CHANNELS])
{
  float sum[CHANNELS] = {0};
  for (unsigned i = 0; i < s[0].count * s[1].count * s[2].count; i++) {
    uint32_t part[CHANNELS];
    const unsigned x = i % s[0].count, y = i / s[0].count % s[1].count, z = i / s[0].count / s[1].count;
    const unsigned choice[DIMENSIONS] = {x, y, z};
    float weight = 1;
    for (unsigned d = 0; d < DIMENSIONS; d++)
      if (s[d].count == 2)
        weight *= (float)(choice[d] == 1 ? s[d].weight : FRACTIONS - s[d].weight) / (float)FRACTIONS;
    read_texel(in, t, data, s[0].index[x], s[1].index[y], s[2].index[z], part);
    for (unsigned c = 0; c < CHANNELS && weight > 0; c++) {
      float value;
      memcpy(&value, &part[c], sizeof value);
      sum[c] += weight * value;
    }
  }
  memcpy(texel, sum, sizeof sum);
}

void sl_ptx_texture_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_texture *t,
                          const uint8_t *data, uint32_t active)
{
  for (; active != 0; active &= active - 1) {
    struct span s[DIMENSIONS];
    uint32_t texel[CHANNELS];
    const unsigned l = sl_lowest(active);
    find_spans(w, in, t, l, s);
    if (s[0].count == 2)
      combine(in, t, data, s, texel);
    else
      read_texel(in, t, data, s[0].index[0], s[1].index[0], s[2].index[0], texel);
    for (unsigned c = 0; c < CHANNELS; c++)
      memcpy(w->area[in->element[c].area] + in->element[c].offset + l * sizeof texel[c], &texel[c], sizeof texel[c]);
  }
}
