/* CUDA's vector types (float4, ...). Each is aligned to its size, so that one access moves a whole vector. */
#ifndef SIMT_PTX_TYPES_H
#define SIMT_PTX_TYPES_H

#define SIMT_PTX_VECTORS_(name, type)                                                                                  \
  struct name##1                                                                                                       \
  {                                                                                                                    \
    type x;                                                                                                            \
  };                                                                                                                   \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2                                                            \
  {                                                                                                                    \
    type x, y;                                                                                                         \
  };                                                                                                                   \
  struct name##3                                                                                                       \
  {                                                                                                                    \
    type x, y, z;                                                                                                      \
  };                                                                                                                   \
  struct __attribute__((aligned(sizeof(type) < 8 ? 4 * sizeof(type) : 16))) name##4                                    \
  {                                                                                                                    \
    type x, y, z, w;                                                                                                   \
  };                                                                                                                   \
  SIMT_PTX_ struct name##1 make_##name##1(type x)                                                                      \
  {                                                                                                                    \
    struct name##1 v = {x};                                                                                            \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMT_PTX_ struct name##2 make_##name##2(type x, type y)                                                              \
  {                                                                                                                    \
    struct name##2 v = {x, y};                                                                                         \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMT_PTX_ struct name##3 make_##name##3(type x, type y, type z)                                                      \
  {                                                                                                                    \
    struct name##3 v = {x, y, z};                                                                                      \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMT_PTX_ struct name##4 make_##name##4(type x, type y, type z, type w)                                              \
  {                                                                                                                    \
    struct name##4 v = {x, y, z, w};                                                                                   \
    return v;                                                                                                          \
  }
SIMT_PTX_VECTORS_(char, signed char)
SIMT_PTX_VECTORS_(uchar, unsigned char)
SIMT_PTX_VECTORS_(short, short)
SIMT_PTX_VECTORS_(ushort, unsigned short)
SIMT_PTX_VECTORS_(int, int)
SIMT_PTX_VECTORS_(uint, unsigned)
SIMT_PTX_VECTORS_(longlong, long long)
SIMT_PTX_VECTORS_(ulonglong, unsigned long long)
SIMT_PTX_VECTORS_(float, float)
SIMT_PTX_VECTORS_(double, double)

#endif
