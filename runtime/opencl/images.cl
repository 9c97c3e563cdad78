/* Images: reads with samplers, writes, queries.
 *
 * An image argument is the address of a struct simtlab_image in global memory, and its texels are in global memory too,
 * so accesses are those of the load/store unit, not of the texture unit: a kernel may combine any image with any
 * sampler. A sampler argument is the bits of sampler_t. Source: OpenCL 1.2, sections 6.12.14 and 8. */
#include "device.h"

typedef global const struct simtlab_image *image;

enum { NORMALISED = 1, ADDRESS = 0xe, NONE = 0, EDGE = 2, CLAMP = 4, REPEAT = 6, MIRRORED = 8, LINEAR = 0x20 };
enum { SNORM8 = 0x10d0, SNORM16, UNORM8, UNORM16, U565, U555, U101010, S8, S16, S32, U8, U16, U32, HALF, FLOAT };
enum { R = 0x10b0, A, RG, RA, RGB, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE, RX, RGX, RGBX };

uint OVERLOAD simtlab_bits(sampler_t sampler);

/* ---- texels ------------------------------------------------------------------------------------------------------ */

static uint channels_of(image i)
{
  const uint o = i->order;
  return o == RGBA || o == BGRA || o == ARGB ? 4 : o == RG || o == RA || o == RGX ? 2 : 1;
}

/* Puts stored channels in the order of RGBA. */
static float4 real_order(image i, float4 c)
{
  switch (i->order) {
  case R: case RX: return (float4)(c.x, 0, 0, 1);
  case A: return (float4)(0, 0, 0, c.x);
  case RG: case RGX: return (float4)(c.x, c.y, 0, 1);
  case RA: return (float4)(c.x, 0, 0, c.y);
  case BGRA: return c.zyxw;
  case ARGB: return c.yzwx;
  case INTENSITY: return c.xxxx;
  case LUMINANCE: return (float4)(c.xxx, 1);
  case RGB: case RGBX: return (float4)(c.xyz, 1);
  default: return c;
  }
}
static int4 word_order(image i, int4 c)
{
  switch (i->order) {
  case R: case RX: return (int4)(c.x, 0, 0, 1);
  case A: return (int4)(0, 0, 0, c.x);
  case RG: case RGX: return (int4)(c.x, c.y, 0, 1);
  case RA: return (int4)(c.x, 0, 0, c.y);
  case BGRA: return c.zyxw;
  case ARGB: return c.yzwx;
  default: return c;
  }
}

static global void *texel_at(image i, int x, int y, int z)
{
  return (global void *)(i->data + (ulong)z * i->slice + (ulong)y * i->row + (ulong)x * i->texel);
}

static float real_channel(image i, global const void *at, uint c)
{
  switch (i->type) {
  case SNORM8: return max(((global const char *)at)[c] / 127.0f, -1.0f);
  case SNORM16: return max(((global const short *)at)[c] / 32767.0f, -1.0f);
  case UNORM8: return ((global const uchar *)at)[c] / 255.0f;
  case UNORM16: return ((global const ushort *)at)[c] / 65535.0f;
  case HALF: return vload_half(c, (global const half *)at);
  default: return ((global const float *)at)[c];
  }
}
static float4 packed(image i, global const void *at)
{
  if (i->type == U101010) {
    const uint w = *(global const uint *)at;
    return (float4)((w >> 20 & 1023) / 1023.0f, (w >> 10 & 1023) / 1023.0f, (w & 1023) / 1023.0f, 1);
  }
  const uint w = *(global const ushort *)at;
  return i->type == U565 ? (float4)((w >> 11) / 31.0f, (w >> 5 & 63) / 63.0f, (w & 31) / 31.0f, 1)
                         : (float4)((w >> 10 & 31) / 31.0f, (w >> 5 & 31) / 31.0f, (w & 31) / 31.0f, 1);
}
static bool is_packed(image i)
{
  return i->type >= U565 && i->type <= U101010;
}

static __attribute__((noinline)) float4 real_texel(image i, int x, int y, int z)
{
  global const void *at = texel_at(i, x, y, z);
  if (is_packed(i))
    return packed(i, at);
  const uint n = channels_of(i);
  float4 c = 0;
  c.x = real_channel(i, at, 0);
  if (n > 1)
    c.y = real_channel(i, at, 1);
  if (n > 2) {
    c.z = real_channel(i, at, 2);
    c.w = real_channel(i, at, 3);
  }
  return real_order(i, c);
}

static int word_channel(image i, global const void *at, uint c)
{
  switch (i->type) {
  case S8: return ((global const char *)at)[c];
  case S16: return ((global const short *)at)[c];
  case U8: return ((global const uchar *)at)[c];
  case U16: return ((global const ushort *)at)[c];
  default: return ((global const int *)at)[c];
  }
}
static __attribute__((noinline)) int4 word_texel(image i, int x, int y, int z)
{
  global const void *at = texel_at(i, x, y, z);
  const uint n = channels_of(i);
  int4 c = 0;
  c.x = word_channel(i, at, 0);
  if (n > 1)
    c.y = word_channel(i, at, 1);
  if (n > 2) {
    c.z = word_channel(i, at, 2);
    c.w = word_channel(i, at, 3);
  }
  return word_order(i, c);
}

/* The colour outside of an image. */
static float4 real_border(image i)
{
  const uint o = i->order;
  return (float4)(0, 0, 0, o == R || o == RG || o == RGB || o == LUMINANCE ? 1 : 0);
}
static int4 word_border(image i)
{
  return (int4)(0, 0, 0, i->order == R || i->order == RG || i->order == RGB ? 1 : 0);
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

/* The texel that an index stands for; -1: none. */
static int addressed(int index, int size, uint mode)
{
  if (mode == CLAMP)
    return index >= 0 && index < size ? index : -1;
  return clamp(index, 0, size - 1);
}

/* The nearest texel of a coordinate. Source: section 8.2. */
static int nearest(float u, int size, uint bits)
{
  const uint mode = bits & ADDRESS;
  if (mode == REPEAT) {
    const int i = convert_int_sat(floor((u - floor(u)) * size));
    return i >= size ? i - size : i;
  }
  if (mode == MIRRORED) {
    const float m = fabs(u - 2 * rint(0.5f * u));
    return min(convert_int_sat(floor(m * size)), size - 1);
  }
  return addressed(convert_int_sat(floor(bits & NORMALISED ? u * size : u)), size, mode);
}

/* Two texels and the weight of the second one. */
struct pair {
  int low, high;
  float weight;
};
static struct pair pair_of(float u, int size, uint bits)
{
  const uint mode = bits & ADDRESS;
  struct pair p;
  float at = bits & NORMALISED ? u * size : u;
  if (mode == REPEAT)
    at = (u - floor(u)) * size;
  if (mode == MIRRORED)
    at = fabs(u - 2 * rint(0.5f * u)) * size;
  const float below = floor(at - 0.5f);
  p.weight = at - 0.5f - below;
  p.low = convert_int_sat(below);
  p.high = p.low == INT_MAX ? p.low : p.low + 1;
  if (mode == REPEAT) {
    p.low = p.low < 0 ? p.low + size : p.low;
    p.high = p.high > size - 1 ? p.high - size : p.high;
  } else {
    p.low = addressed(p.low, size, mode == MIRRORED ? EDGE : mode);
    p.high = addressed(p.high, size, mode == MIRRORED ? EDGE : mode);
  }
  return p;
}

/* The layer of an array: always clamped. */
static int layer(float w, int size)
{
  return clamp(convert_int_sat(rint(w)), 0, size - 1);
}

static float4 real_inside(image i, int x, int y, int z)
{
  return x < 0 || y < 0 || z < 0 ? real_border(i) : real_texel(i, x, y, z);
}
static int4 word_inside(image i, int x, int y, int z)
{
  return x < 0 || y < 0 || z < 0 ? word_border(i) : word_texel(i, x, y, z);
}

/* Dimensions are those that are sampled; the layer of an array is in z or, of lines, in y. */
static __attribute__((noinline)) float4 real_sample(image i, uint bits, float4 c, uint dimensions, bool array)
{
  const int w = i->width, h = i->height, d = i->depth;
  int y = 0, z = 0;
  if (array && dimensions == 1)
    y = layer(c.y, h);
  if (array && dimensions == 2)
    z = layer(c.z, d);
  if (!(bits & LINEAR)) {
    if (dimensions > 1)
      y = nearest(c.y, h, bits);
    if (dimensions > 2)
      z = nearest(c.z, d, bits);
    return real_inside(i, nearest(c.x, w, bits), y, z);
  }
  const struct pair px = pair_of(c.x, w, bits);
  struct pair py = {y, y, 0}, pz = {z, z, 0};
  if (dimensions > 1)
    py = pair_of(c.y, h, bits);
  if (dimensions > 2)
    pz = pair_of(c.z, d, bits);
  float4 sum = 0;
  for (int k = 0; k < (dimensions > 2 ? 2 : 1); k++)
    for (int j = 0; j < (dimensions > 1 ? 2 : 1); j++) {
      const float wz = k ? pz.weight : 1 - pz.weight, wy = j ? py.weight : 1 - py.weight;
      const int iy = j ? py.high : py.low, iz = k ? pz.high : pz.low;
      const float4 low = real_inside(i, px.low, iy, iz), high = real_inside(i, px.high, iy, iz);
      sum += wz * wy * ((1 - px.weight) * low + px.weight * high);
    }
  return sum;
}
static __attribute__((noinline)) int4 word_sample(image i, uint bits, float4 c, uint dimensions, bool array)
{
  const int w = i->width, h = i->height, d = i->depth;
  int y = 0, z = 0;
  if (dimensions > 1 || array)
    y = array && dimensions == 1 ? layer(c.y, h) : nearest(c.y, h, bits);
  if (dimensions > 2 || (array && dimensions == 2))
    z = array ? layer(c.z, d) : nearest(c.z, d, bits);
  return word_inside(i, nearest(c.x, w, bits), y, z);
}

/* Whole coordinates name texels: no filter, and only the modes that do not need normalised ones. */
static int4 whole(image i, uint bits, int4 c, uint dimensions, bool array)
{
  const uint mode = bits & ADDRESS;
  const int w = i->width, h = i->height, d = i->depth;
  return (int4)(addressed(c.x, w, mode),
                dimensions > 1 ? addressed(c.y, h, mode) : array ? clamp(c.y, 0, h - 1) : 0,
                dimensions > 2 ? addressed(c.z, d, mode) : array && dimensions == 2 ? clamp(c.z, 0, d - 1) : 0, 0);
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

static float4 stored_order(image i, float4 c)
{
  switch (i->order) {
  case A: return c.wwww;
  case RA: return c.xwxw;
  case BGRA: return c.zyxw;
  case ARGB: return c.wxyz;
  default: return c;
  }
}
static void put_real(image i, global void *at, uint c, float v)
{
  switch (i->type) {
  case SNORM8: ((global char *)at)[c] = convert_char_sat_rte(v * 127.0f); return;
  case SNORM16: ((global short *)at)[c] = convert_short_sat_rte(v * 32767.0f); return;
  case UNORM8: ((global uchar *)at)[c] = convert_uchar_sat_rte(v * 255.0f); return;
  case UNORM16: ((global ushort *)at)[c] = convert_ushort_sat_rte(v * 65535.0f); return;
  case HALF: vstore_half_rte(v, c, (global half *)at); return;
  default: ((global float *)at)[c] = v; return;
  }
}
static bool is_outside(image i, int4 c)
{
  return (uint)c.x >= i->width || (uint)c.y >= i->height || (uint)c.z >= i->depth;
}
static __attribute__((noinline)) void put_reals(image i, int4 at, float4 colour)
{
  if (is_outside(i, at))
    return;
  global void *to = texel_at(i, at.x, at.y, at.z);
  const float4 c = stored_order(i, colour);
  if (is_packed(i)) {
    const float4 s = clamp(c, 0.0f, 1.0f);
    if (i->type == U101010)
      *(global uint *)to = convert_uint_rte(s.x * 1023) << 20 | convert_uint_rte(s.y * 1023) << 10 | convert_uint_rte(s.z * 1023);
    else if (i->type == U565)
      *(global ushort *)to = convert_uint_rte(s.x * 31) << 11 | convert_uint_rte(s.y * 63) << 5 | convert_uint_rte(s.z * 31);
    else
      *(global ushort *)to = convert_uint_rte(s.x * 31) << 10 | convert_uint_rte(s.y * 31) << 5 | convert_uint_rte(s.z * 31);
    return;
  }
  const uint n = channels_of(i);
  put_real(i, to, 0, c.x);
  if (n > 1)
    put_real(i, to, 1, c.y);
  if (n > 2) {
    put_real(i, to, 2, c.z);
    put_real(i, to, 3, c.w);
  }
}
static void put_word(image i, global void *at, uint c, int v)
{
  switch (i->type) {
  case S8: ((global char *)at)[c] = convert_char_sat(v); return;
  case S16: ((global short *)at)[c] = convert_short_sat(v); return;
  case U8: ((global uchar *)at)[c] = convert_uchar_sat((uint)v); return;
  case U16: ((global ushort *)at)[c] = convert_ushort_sat((uint)v); return;
  default: ((global int *)at)[c] = v; return;
  }
}
static __attribute__((noinline)) void put_words(image i, int4 at, int4 colour)
{
  if (is_outside(i, at))
    return;
  global void *to = texel_at(i, at.x, at.y, at.z);
  const uint n = channels_of(i);
  const int4 c = as_int4(stored_order(i, as_float4(colour)));
  put_word(i, to, 0, c.x);
  if (n > 1)
    put_word(i, to, 1, c.y);
  if (n > 2) {
    put_word(i, to, 2, c.z);
    put_word(i, to, 3, c.w);
  }
}

/* ---- the functions of the language ------------------------------------------------------------------------------- */


#define OF_IMAGE(access, kind)                                                                                         \
  image OVERLOAD simtlab_image_of(access kind i);                                                                      \
  int OVERLOAD get_image_width(access kind i)                                                                          \
  {                                                                                                                    \
    return simtlab_image_of(i)->width;                                                                                 \
  }                                                                                                                    \
  int OVERLOAD get_image_channel_data_type(access kind i)                                                              \
  {                                                                                                                    \
    return simtlab_image_of(i)->type;                                                                                  \
  }                                                                                                                    \
  int OVERLOAD get_image_channel_order(access kind i)                                                                  \
  {                                                                                                                    \
    return simtlab_image_of(i)->order;                                                                                 \
  }
#define OF_HEIGHT(access, kind)                                                                                        \
  int OVERLOAD get_image_height(access kind i)                                                                         \
  {                                                                                                                    \
    return simtlab_image_of(i)->height;                                                                                \
  }
#define OF_DIM2(access, kind)                                                                                          \
  int2 OVERLOAD get_image_dim(access kind i)                                                                           \
  {                                                                                                                    \
    return (int2)(simtlab_image_of(i)->width, simtlab_image_of(i)->height);                                            \
  }
#define OF_DEPTH(access, kind)                                                                                         \
  int OVERLOAD get_image_depth(access kind i)                                                                          \
  {                                                                                                                    \
    return simtlab_image_of(i)->depth;                                                                                 \
  }                                                                                                                    \
  int4 OVERLOAD get_image_dim(access kind i)                                                                           \
  {                                                                                                                    \
    return (int4)(simtlab_image_of(i)->width, simtlab_image_of(i)->height, simtlab_image_of(i)->depth, 0);             \
  }
#define OF_ARRAY(access, kind, last)                                                                                   \
  size_t OVERLOAD get_image_array_size(access kind i)                                                                  \
  {                                                                                                                    \
    return simtlab_image_of(i)->last;                                                                                  \
  }
#define BOTH(with, kind) with(read_only, kind) with(write_only, kind)
BOTH(OF_IMAGE, image1d_t)
BOTH(OF_IMAGE, image1d_buffer_t)
BOTH(OF_IMAGE, image1d_array_t)
BOTH(OF_IMAGE, image2d_t)
BOTH(OF_IMAGE, image2d_array_t)
BOTH(OF_IMAGE, image3d_t)
BOTH(OF_HEIGHT, image2d_t)
BOTH(OF_HEIGHT, image2d_array_t)
BOTH(OF_HEIGHT, image3d_t)
BOTH(OF_DIM2, image2d_t)
BOTH(OF_DIM2, image2d_array_t)
BOTH(OF_DEPTH, image3d_t)
OF_ARRAY(read_only, image1d_array_t, height)
OF_ARRAY(write_only, image1d_array_t, height)
OF_ARRAY(read_only, image2d_array_t, depth)
OF_ARRAY(write_only, image2d_array_t, depth)

/* Reads with a sampler, at real and at whole coordinates; without one. */
#define SAMPLED(kind, real, word, dimensions, array, wide_real, wide_word)                                             \
  float4 OVERLOAD read_imagef(read_only kind i, sampler_t s, real c)                                                   \
  {                                                                                                                    \
    return real_sample(simtlab_image_of(i), simtlab_bits(s), wide_real, dimensions, array);                            \
  }                                                                                                                    \
  int4 OVERLOAD read_imagei(read_only kind i, sampler_t s, real c)                                                     \
  {                                                                                                                    \
    return word_sample(simtlab_image_of(i), simtlab_bits(s), wide_real, dimensions, array);                            \
  }                                                                                                                    \
  uint4 OVERLOAD read_imageui(read_only kind i, sampler_t s, real c)                                                   \
  {                                                                                                                    \
    return as_uint4(word_sample(simtlab_image_of(i), simtlab_bits(s), wide_real, dimensions, array));                  \
  }                                                                                                                    \
  float4 OVERLOAD read_imagef(read_only kind i, sampler_t s, word c)                                                   \
  {                                                                                                                    \
    const int4 at = whole(simtlab_image_of(i), simtlab_bits(s), wide_word, dimensions, array);                         \
    return real_inside(simtlab_image_of(i), at.x, at.y, at.z);                                                         \
  }                                                                                                                    \
  int4 OVERLOAD read_imagei(read_only kind i, sampler_t s, word c)                                                     \
  {                                                                                                                    \
    const int4 at = whole(simtlab_image_of(i), simtlab_bits(s), wide_word, dimensions, array);                         \
    return word_inside(simtlab_image_of(i), at.x, at.y, at.z);                                                         \
  }                                                                                                                    \
  uint4 OVERLOAD read_imageui(read_only kind i, sampler_t s, word c)                                                   \
  {                                                                                                                    \
    return as_uint4(read_imagei(i, s, c));                                                                             \
  }
#define DIRECT(kind, word, wide_word)                                                                                  \
  float4 OVERLOAD read_imagef(read_only kind i, word c)                                                                \
  {                                                                                                                    \
    const int4 at = wide_word;                                                                                         \
    return real_texel(simtlab_image_of(i), at.x, at.y, at.z);                                                          \
  }                                                                                                                    \
  int4 OVERLOAD read_imagei(read_only kind i, word c)                                                                  \
  {                                                                                                                    \
    const int4 at = wide_word;                                                                                         \
    return word_texel(simtlab_image_of(i), at.x, at.y, at.z);                                                          \
  }                                                                                                                    \
  uint4 OVERLOAD read_imageui(read_only kind i, word c)                                                                \
  {                                                                                                                    \
    return as_uint4(read_imagei(i, c));                                                                                \
  }                                                                                                                    \
  void OVERLOAD write_imagef(write_only kind i, word c, float4 colour)                                                 \
  {                                                                                                                    \
    put_reals(simtlab_image_of(i), wide_word, colour);                                                                 \
  }                                                                                                                    \
  void OVERLOAD write_imagei(write_only kind i, word c, int4 colour)                                                   \
  {                                                                                                                    \
    put_words(simtlab_image_of(i), wide_word, colour);                                                                 \
  }                                                                                                                    \
  void OVERLOAD write_imageui(write_only kind i, word c, uint4 colour)                                                 \
  {                                                                                                                    \
    put_words(simtlab_image_of(i), wide_word, as_int4(colour));                                                        \
  }
SAMPLED(image1d_t, float, int, 1, false, (float4)(c, 0, 0, 0), (int4)(c, 0, 0, 0))
SAMPLED(image1d_array_t, float2, int2, 1, true, (float4)(c, 0, 0), (int4)(c, 0, 0))
SAMPLED(image2d_t, float2, int2, 2, false, (float4)(c, 0, 0), (int4)(c, 0, 0))
SAMPLED(image2d_array_t, float4, int4, 2, true, c, c)
SAMPLED(image3d_t, float4, int4, 3, false, c, c)
DIRECT(image1d_t, int, (int4)(c, 0, 0, 0))
DIRECT(image1d_buffer_t, int, (int4)(c, 0, 0, 0))
DIRECT(image1d_array_t, int2, (int4)(c, 0, 0))
DIRECT(image2d_t, int2, (int4)(c, 0, 0))
DIRECT(image2d_array_t, int4, c)
DIRECT(image3d_t, int4, c)
