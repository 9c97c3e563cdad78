/* Typed forms of runtime functions, for C++. */
#ifndef SIMTLAB_CUDA_TEMPLATES_H
#define SIMTLAB_CUDA_TEMPLATES_H

#include "cuda_runtime_api.h"
#include "driver_functions.h"

#define SIMTLAB_API static inline __host__

template <class T> SIMTLAB_API cudaError_t cudaMalloc(T **p, size_t size)
{
  return ::cudaMalloc((void **)(void *)p, size);
}
template <class T> SIMTLAB_API cudaError_t cudaMallocHost(T **p, size_t size, unsigned int flags = 0)
{
  return ::cudaHostAlloc((void **)(void *)p, size, flags);
}
template <class T> SIMTLAB_API cudaError_t cudaHostAlloc(T **p, size_t size, unsigned int flags)
{
  return ::cudaHostAlloc((void **)(void *)p, size, flags);
}
template <class T> SIMTLAB_API cudaError_t cudaHostGetDevicePointer(T **p, void *host, unsigned int flags)
{
  return ::cudaHostGetDevicePointer((void **)(void *)p, host, flags);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
  return ::cudaMallocManaged((void **)(void *)p, size, flags);
}
template <class T> SIMTLAB_API cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
  return ::cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
template <class T> SIMTLAB_API cudaError_t cudaMallocAsync(T **p, size_t size, cudaStream_t stream)
{
  return ::cudaMallocAsync((void **)(void *)p, size, stream);
}
SIMTLAB_API cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
  return ::cudaEventCreateWithFlags(event, flags);
}

/* A symbol is a variable, or a string with its name. */
SIMTLAB_API cudaError_t cudaMemcpyToSymbol(const char *symbol, const void *src, size_t count, size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
  return ::cudaMemcpyToSymbol((const void *)symbol, src, count, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                cudaStream_t stream = 0)
{
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
SIMTLAB_API cudaError_t cudaMemcpyFromSymbol(void *dst, const char *symbol, size_t count, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
  return ::cudaMemcpyFromSymbol(dst, (const void *)symbol, count, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = 0)
{
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
SIMTLAB_API cudaError_t cudaGetSymbolAddress(void **p, const char *symbol)
{
  return ::cudaGetSymbolAddress(p, (const void *)symbol);
}
template <class T> SIMTLAB_API cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
  return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}
SIMTLAB_API cudaError_t cudaGetSymbolSize(size_t *size, const char *symbol)
{
  return ::cudaGetSymbolSize(size, (const void *)symbol);
}
template <class T> SIMTLAB_API cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* Functions that take a kernel */
template <class T>
SIMTLAB_API cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                                         cudaStream_t stream = 0)
{
  return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
SIMTLAB_API cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                    size_t sharedMem = 0, cudaStream_t stream = 0)
{
  return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T> SIMTLAB_API cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config)
{
  return ::cudaFuncSetCacheConfig((const void *)func, config);
}
template <class T> SIMTLAB_API cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
  return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}
template <class T> SIMTLAB_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func)
{
  return ::cudaFuncGetAttributes(attr, (const void *)func);
}
template <class T> SIMTLAB_API cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
  return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T>
SIMTLAB_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int blockSize,
                                                                      size_t dynamicSMemSize)
{
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, blockSize, dynamicSMemSize);
}
template <class T>
SIMTLAB_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func, int blockSize,
                                                                               size_t dynamicSMemSize,
                                                                               unsigned int flags)
{
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, blockSize,
                                                                  dynamicSMemSize, flags);
}

/* The block size with the most resident threads; among equals the largest block. */
template <class Size, class T>
SIMTLAB_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                                                       Size bytes, int limit = 0)
{
  struct cudaFuncAttributes attr;
  int device, processors, warp, best = 0;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attr, (const void *)func);
  if (error != cudaSuccess)
    return error;
  int most = attr.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    const int threads = size < most ? size : most;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)func, threads, bytes(threads));
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > best) {
      best = blocks * threads;
      *blockSize = threads;
      *minGridSize = blocks * processors;
    }
  }
  return best > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
struct simtlab_same_bytes {
  size_t bytes;
  size_t operator()(int) const
  {
    return bytes;
  }
};
template <class T>
SIMTLAB_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                                           size_t dynamicSMemSize = 0, int limit = 0)
{
  simtlab_same_bytes bytes;
  bytes.bytes = dynamicSMemSize;
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func, bytes, limit);
}

/* Channel descriptors of element types */
template <class T> struct simtlab_channel;
#define SIMTLAB_CHANNEL(type, count, bits, kind)                                                                       \
  template <> struct simtlab_channel<type> {                                                                           \
    static struct cudaChannelFormatDesc desc()                                                                         \
    {                                                                                                                  \
      struct cudaChannelFormatDesc d;                                                                                  \
      d.x = bits;                                                                                                      \
      d.y = count > 1 ? bits : 0;                                                                                      \
      d.z = count > 2 ? bits : 0;                                                                                      \
      d.w = count > 3 ? bits : 0;                                                                                      \
      d.f = cudaChannelFormatKind##kind;                                                                               \
      return d;                                                                                                        \
    }                                                                                                                  \
  };
#define SIMTLAB_CHANNELS(name, bits, kind)                                                                             \
  SIMTLAB_CHANNEL(name##1, 1, bits, kind)                                                                              \
  SIMTLAB_CHANNEL(name##2, 2, bits, kind) SIMTLAB_CHANNEL(name##4, 4, bits, kind)
SIMTLAB_CHANNEL(char, 1, 8, Signed)
SIMTLAB_CHANNEL(signed char, 1, 8, Signed)
SIMTLAB_CHANNEL(unsigned char, 1, 8, Unsigned)
SIMTLAB_CHANNEL(short, 1, 16, Signed)
SIMTLAB_CHANNEL(unsigned short, 1, 16, Unsigned)
SIMTLAB_CHANNEL(int, 1, 32, Signed)
SIMTLAB_CHANNEL(unsigned int, 1, 32, Unsigned)
SIMTLAB_CHANNEL(float, 1, 32, Float)
SIMTLAB_CHANNELS(char, 8, Signed)
SIMTLAB_CHANNELS(uchar, 8, Unsigned)
SIMTLAB_CHANNELS(short, 16, Signed)
SIMTLAB_CHANNELS(ushort, 16, Unsigned)
SIMTLAB_CHANNELS(int, 32, Signed)
SIMTLAB_CHANNELS(uint, 32, Unsigned)
SIMTLAB_CHANNELS(float, 32, Float)
#undef SIMTLAB_CHANNEL
#undef SIMTLAB_CHANNELS
template <class T> SIMTLAB_API struct cudaChannelFormatDesc cudaCreateChannelDesc()
{
  return simtlab_channel<T>::desc();
}

/* Texture references; plain C++ files see their base only. */
template <class T, int dim = 1, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct
#ifdef __CUDA__
    __attribute__((device_builtin_texture_type))
#endif
    texture : public textureReference {
  __host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
  {
    set(norm, filter, address, simtlab_channel<T>::desc());
  }
  __host__ texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc desc)
  {
    set(norm, filter, address, desc);
  }

private:
  __host__ void set(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                    struct cudaChannelFormatDesc desc)
  {
    normalized = norm;
    filterMode = mipmapFilterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
    sRGB = 0;
    maxAnisotropy = 0;
    mipmapLevelBias = minMipmapLevelClamp = maxMipmapLevelClamp = 0;
    for (int i = 0; i < 15; i++)
      cudaReserved[i] = 0;
    cudaReserved[0] = mode;
  }
};

#define SIMTLAB_TEXTURE template <class T, int dim, enum cudaTextureReadMode mode> SIMTLAB_API cudaError_t
SIMTLAB_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *p,
                                const struct cudaChannelFormatDesc &desc, size_t size = UINT_MAX)
{
  return ::cudaBindTexture(offset, (const struct textureReference *)&tex, p, &desc, size);
}
SIMTLAB_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *p, size_t size = UINT_MAX)
{
  return ::cudaBindTexture(offset, (const struct textureReference *)&tex, p, &tex.channelDesc, size);
}
SIMTLAB_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> *tex, const void *p,
                                const struct cudaChannelFormatDesc *desc, size_t size = UINT_MAX)
{
  return ::cudaBindTexture(offset, (const struct textureReference *)tex, p, desc, size);
}
SIMTLAB_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *p,
                                  const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
  return ::cudaBindTexture2D(offset, (const struct textureReference *)&tex, p, &desc, width, height, pitch);
}
SIMTLAB_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *p, size_t width,
                                  size_t height, size_t pitch)
{
  return ::cudaBindTexture2D(offset, (const struct textureReference *)&tex, p, &tex.channelDesc, width, height, pitch);
}
SIMTLAB_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
                                       const struct cudaChannelFormatDesc &desc)
{
  return ::cudaBindTextureToArray((const struct textureReference *)&tex, array, &desc);
}
SIMTLAB_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array)
{
  struct cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? ::cudaBindTextureToArray((const struct textureReference *)&tex, array, &desc) : error;
}
SIMTLAB_TEXTURE cudaUnbindTexture(const texture<T, dim, mode> &tex)
{
  return ::cudaUnbindTexture((const struct textureReference *)&tex);
}
SIMTLAB_TEXTURE cudaUnbindTexture(const texture<T, dim, mode> *tex)
{
  return ::cudaUnbindTexture((const struct textureReference *)tex);
}
SIMTLAB_TEXTURE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &tex)
{
  return ::cudaGetTextureAlignmentOffset(offset, (const struct textureReference *)&tex);
}
#undef SIMTLAB_TEXTURE

#undef SIMTLAB_API

#endif
