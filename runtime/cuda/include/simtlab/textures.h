/* Texture fetches: inline assembly per result kind and coordinates, and their forms for references and objects. */
#ifndef SIMTLAB_CUDA_TEXTURES_H
#define SIMTLAB_CUDA_TEXTURES_H

#define SIMTLAB_TEX static __device__ __forceinline__

#define SIMTLAB_FETCH(type, kind, reg)                                                                                 \
  SIMTLAB_TEX void simtlab_tex(type##4 & r, unsigned long long t, int x)                                               \
  {                                                                                                                    \
    asm("tex.1d.v4." #kind ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                                                        \
        : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                                       \
        : "l"(t), "r"(x));                                                                                             \
  }                                                                                                                    \
  SIMTLAB_TEX void simtlab_tex(type##4 & r, unsigned long long t, float x)                                             \
  {                                                                                                                    \
    asm("tex.1d.v4." #kind ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                                                        \
        : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                                       \
        : "l"(t), "f"(x));                                                                                             \
  }                                                                                                                    \
  SIMTLAB_TEX void simtlab_tex(type##4 & r, unsigned long long t, float x, float y)                                    \
  {                                                                                                                    \
    asm("tex.2d.v4." #kind ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                                    \
        : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                                       \
        : "l"(t), "f"(x), "f"(y));                                                                                     \
  }                                                                                                                    \
  SIMTLAB_TEX void simtlab_tex(type##4 & r, unsigned long long t, float x, float y, float z)                           \
  {                                                                                                                    \
    asm("tex.3d.v4." #kind ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                            \
        : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                                       \
        : "l"(t), "f"(x), "f"(y), "f"(z));                                                                             \
  }
SIMTLAB_FETCH(int, s32, "r")
SIMTLAB_FETCH(uint, u32, "r")
SIMTLAB_FETCH(float, f32, "f")
#undef SIMTLAB_FETCH

/* How a texel becomes its type: raw is what the instruction gives, real is for normalised reads. */
template <class T, enum cudaTextureReadMode mode = cudaReadModeElementType> struct simtlab_texel;
#define SIMTLAB_TEXEL(type, mode, result, raws, ...)                                                                   \
  template <> struct simtlab_texel<type, mode> {                                                                       \
    typedef result value;                                                                                              \
    typedef raws raw;                                                                                                  \
    static __device__ __forceinline__ value of(raws r)                                                                 \
    {                                                                                                                  \
      value v;                                                                                                         \
      __VA_ARGS__;                                                                                                     \
      return v;                                                                                                        \
    }                                                                                                                  \
  };
#define SIMTLAB_TEXELS(name, type, mode, result, results, raws)                                                        \
  SIMTLAB_TEXEL(name##1, mode, results##1, raws, v.x = (result)r.x)                                                    \
  SIMTLAB_TEXEL(name##2, mode, results##2, raws, v.x = (result)r.x, v.y = (result)r.y)                                 \
  SIMTLAB_TEXEL(name##4, mode, results##4, raws, v.x = (result)r.x, v.y = (result)r.y, v.z = (result)r.z,              \
                v.w = (result)r.w)                                                                                     \
  SIMTLAB_TEXEL(type, mode, result, raws, v = (result)r.x)
#define SIMTLAB_TEXELS_OF(name, type, raws) SIMTLAB_TEXELS(name, type, cudaReadModeElementType, type, name, raws)
#define SIMTLAB_REALS_OF(name, type) SIMTLAB_TEXELS(name, type, cudaReadModeNormalizedFloat, float, float, float4)
SIMTLAB_TEXELS_OF(char, signed char, int4)
SIMTLAB_TEXELS_OF(uchar, unsigned char, uint4)
SIMTLAB_TEXELS_OF(short, short, int4)
SIMTLAB_TEXELS_OF(ushort, unsigned short, uint4)
SIMTLAB_TEXELS_OF(int, int, int4)
SIMTLAB_TEXELS_OF(uint, unsigned int, uint4)
SIMTLAB_TEXELS_OF(float, float, float4)
SIMTLAB_TEXEL(char, cudaReadModeElementType, char, int4, v = (char)r.x)
SIMTLAB_REALS_OF(char, signed char)
SIMTLAB_REALS_OF(uchar, unsigned char)
SIMTLAB_REALS_OF(short, short)
SIMTLAB_REALS_OF(ushort, unsigned short)
SIMTLAB_TEXEL(char, cudaReadModeNormalizedFloat, float, float4, v = r.x)
#undef SIMTLAB_TEXEL
#undef SIMTLAB_TEXELS
#undef SIMTLAB_TEXELS_OF
#undef SIMTLAB_REALS_OF

/* name, number of dimensions, coordinates as parameters and as arguments */
#define SIMTLAB_FETCHER(name, dims, parameters, ...)                                                                   \
  template <class T, enum cudaTextureReadMode mode>                                                                    \
  SIMTLAB_TEX typename simtlab_texel<T, mode>::value name(texture<T, dims, mode> t, parameters)                        \
  {                                                                                                                    \
    typename simtlab_texel<T, mode>::raw r;                                                                            \
    simtlab_tex(r, *(const unsigned long long *)(const void *)&t, __VA_ARGS__);                                        \
    return simtlab_texel<T, mode>::of(r);                                                                              \
  }                                                                                                                    \
  template <class T> SIMTLAB_TEX typename simtlab_texel<T>::value name(cudaTextureObject_t t, parameters)              \
  {                                                                                                                    \
    typename simtlab_texel<T>::raw r;                                                                                  \
    simtlab_tex(r, t, __VA_ARGS__);                                                                                    \
    return simtlab_texel<T>::of(r);                                                                                    \
  }                                                                                                                    \
  template <class T> SIMTLAB_TEX void name(T *value, cudaTextureObject_t t, parameters)                                \
  {                                                                                                                    \
    *value = name<T>(t, __VA_ARGS__);                                                                                  \
  }
#define SIMTLAB_COMMA ,
SIMTLAB_FETCHER(tex1Dfetch, 1, int x, x)
SIMTLAB_FETCHER(tex1D, 1, float x, x)
SIMTLAB_FETCHER(tex2D, 2, float x SIMTLAB_COMMA float y, x, y)
SIMTLAB_FETCHER(tex3D, 3, float x SIMTLAB_COMMA float y SIMTLAB_COMMA float z, x, y, z)
/* There is one level. */
SIMTLAB_FETCHER(tex1DLod, 1, float x SIMTLAB_COMMA float, x)
SIMTLAB_FETCHER(tex2DLod, 2, float x SIMTLAB_COMMA float y SIMTLAB_COMMA float, x, y)
SIMTLAB_FETCHER(tex3DLod, 3, float x SIMTLAB_COMMA float y SIMTLAB_COMMA float z SIMTLAB_COMMA float, x, y, z)
#undef SIMTLAB_FETCHER

/* Layers are slices of three dimensions; the middle of one is it alone, filtered or not. */
#define SIMTLAB_LAYERS(name, dims, parameters, ...)                                                                    \
  template <class T, enum cudaTextureReadMode mode>                                                                    \
  SIMTLAB_TEX typename simtlab_texel<T, mode>::value name(texture<T, dims, mode> t, parameters)                        \
  {                                                                                                                    \
    typename simtlab_texel<T, mode>::raw r;                                                                            \
    simtlab_layer(r, *(const unsigned long long *)(const void *)&t, __VA_ARGS__);                                      \
    return simtlab_texel<T, mode>::of(r);                                                                              \
  }                                                                                                                    \
  template <class T> SIMTLAB_TEX typename simtlab_texel<T>::value name(cudaTextureObject_t t, parameters)              \
  {                                                                                                                    \
    typename simtlab_texel<T>::raw r;                                                                                  \
    simtlab_layer(r, t, __VA_ARGS__);                                                                                  \
    return simtlab_texel<T>::of(r);                                                                                    \
  }                                                                                                                    \
  template <class T> SIMTLAB_TEX void name(T *value, cudaTextureObject_t t, parameters)                                \
  {                                                                                                                    \
    *value = name<T>(t, __VA_ARGS__);                                                                                  \
  }
template <class R> SIMTLAB_TEX void simtlab_layer(R &r, unsigned long long t, float x, int layer)
{
  simtlab_tex(r, t, x, 0.5f, layer + 0.5f);
}
template <class R> SIMTLAB_TEX void simtlab_layer(R &r, unsigned long long t, float x, float y, int layer)
{
  simtlab_tex(r, t, x, y, layer + 0.5f);
}
/* The face of a direction, and the place on it. Source: CUDA C Programming Guide, "Cubemap Textures". */
template <class R> SIMTLAB_TEX void simtlab_layer(R &r, unsigned long long t, float x, float y, float z, int layer)
{
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  const int face = ax >= ay && ax >= az ? (x < 0) : ay >= az ? 2 + (y < 0) : 4 + (z < 0);
  const float m = face < 2 ? ax : face < 4 ? ay : az;
  const float s = face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x;
  const float u = face == 2 ? z : face == 3 ? -z : -y;
  simtlab_tex(r, t, (s / m + 1) * 0.5f, (u / m + 1) * 0.5f, layer * 6 + face + 0.5f);
}
SIMTLAB_LAYERS(tex1DLayered, cudaTextureType1DLayered, float x SIMTLAB_COMMA int layer, x, layer)
SIMTLAB_LAYERS(tex2DLayered, cudaTextureType2DLayered, float x SIMTLAB_COMMA float y SIMTLAB_COMMA int layer, x, y,
               layer)
SIMTLAB_LAYERS(texCubemap, cudaTextureTypeCubemap, float x SIMTLAB_COMMA float y SIMTLAB_COMMA float z, x, y, z, 0)
SIMTLAB_LAYERS(texCubemapLayered, cudaTextureTypeCubemapLayered,
               float x SIMTLAB_COMMA float y SIMTLAB_COMMA float z SIMTLAB_COMMA int layer, x, y, z, layer)
#undef SIMTLAB_LAYERS
#undef SIMTLAB_COMMA
#undef SIMTLAB_TEX

#endif
