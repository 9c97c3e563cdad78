/* Surfaces: reads and writes of arrays by kernels. A surface object is the address of a description in global memory,
 * which the runtime writes (src/runtime/cuda/cudart_texture.c), and an access is a load or store of global memory after
 * a load of the description. A reference is a variable with such an address. */
#ifndef SIMTLAB_CUDA_SURFACES_H
#define SIMTLAB_CUDA_SURFACES_H

template <class T, int dim = 1> struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
};
template <int dim> struct __attribute__((device_builtin_surface_type)) surface<void, dim> : public surfaceReference {
};

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &reference, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{
  return ::cudaBindSurfaceToArray((const struct surfaceReference *)&reference, array, &desc);
}

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &reference, cudaArray_const_t array)
{
  struct cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? ::cudaBindSurfaceToArray((const struct surfaceReference *)&reference, array, &desc)
                              : error;
}

#define SIMTLAB_SURF static __device__ __forceinline__

struct simtlab_surface {
  unsigned long long address;
  unsigned int row; /* bytes */
  unsigned int height, depth, reserved;
};

template <class T, int dim> SIMTLAB_SURF const simtlab_surface *simtlab_surface_of(surface<T, dim> s)
{
  return *(const simtlab_surface *const *)*(const unsigned long long *)(const void *)&s;
}

SIMTLAB_SURF const simtlab_surface *simtlab_surface_of(cudaSurfaceObject_t s)
{
  return (const simtlab_surface *)s;
}

/* Moves a coordinate into its dimension; false: it stays outside. */
SIMTLAB_SURF bool simtlab_surface_bound(int &at, int size, int step, enum cudaSurfaceBoundaryMode mode)
{
  if (at >= 0 && at <= size - step)
    return true;
  if (mode == cudaBoundaryModeTrap)
    __builtin_trap();
  at = at < 0 ? 0 : size - step;
  return mode == cudaBoundaryModeClamp;
}

/* The address of an element; NULL: outside. x counts bytes. */
SIMTLAB_SURF char *simtlab_surface_at(const simtlab_surface *s, int bytes, int x, int y, int z,
                                      enum cudaSurfaceBoundaryMode mode)
{
  bool inside = simtlab_surface_bound(x, s->row, bytes, mode);
  inside = simtlab_surface_bound(y, s->height, 1, mode) && inside;
  inside = simtlab_surface_bound(z, s->depth, 1, mode) && inside;
  return inside ? (char *)(s->address + ((unsigned long long)z * s->height + y) * s->row + x) : (char *)0;
}

/* name, parameters, and coordinates as x, y, z */
#define SIMTLAB_SURFACE(name, parameters, ...)                                                                         \
  template <class V, class S>                                                                                          \
  SIMTLAB_SURF void name##write(V value, S s, parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
  {                                                                                                                    \
    char *at = simtlab_surface_at(simtlab_surface_of(s), sizeof(V), __VA_ARGS__, mode);                                \
    if (at)                                                                                                            \
      *(V *)at = value;                                                                                                \
  }                                                                                                                    \
  template <class V, class S>                                                                                          \
  SIMTLAB_SURF void name##read(V *value, S s, parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
  {                                                                                                                    \
    const char *at = simtlab_surface_at(simtlab_surface_of(s), sizeof(V), __VA_ARGS__, mode);                          \
    *value = at ? *(const V *)at : V();                                                                                \
  }                                                                                                                    \
  template <class V, class S>                                                                                          \
  SIMTLAB_SURF V name##read(S s, parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
  {                                                                                                                    \
    const char *at = simtlab_surface_at(simtlab_surface_of(s), sizeof(V), __VA_ARGS__, mode);                          \
    return at ? *(const V *)at : V();                                                                                  \
  }
#define SIMTLAB_COMMA ,
SIMTLAB_SURFACE(surf1D, int x, x, 0, 0)
SIMTLAB_SURFACE(surf2D, int x SIMTLAB_COMMA int y, x, y, 0)
SIMTLAB_SURFACE(surf3D, int x SIMTLAB_COMMA int y SIMTLAB_COMMA int z, x, y, z)
SIMTLAB_SURFACE(surf1DLayered, int x SIMTLAB_COMMA int layer, x, 0, layer)
SIMTLAB_SURFACE(surf2DLayered, int x SIMTLAB_COMMA int y SIMTLAB_COMMA int layer, x, y, layer)
SIMTLAB_SURFACE(surfCubemap, int x SIMTLAB_COMMA int y SIMTLAB_COMMA int face, x, y, face)
SIMTLAB_SURFACE(surfCubemapLayered, int x SIMTLAB_COMMA int y SIMTLAB_COMMA int layer_and_face, x, y, layer_and_face)
#undef SIMTLAB_COMMA
#undef SIMTLAB_SURFACE
#undef SIMTLAB_SURF

#endif
