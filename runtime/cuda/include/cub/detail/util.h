/* CUB: what is neither of a thread, a warp, a block nor a device: iterators, an allocator, macros */
#ifndef SIMTLAB_CUB_UTIL_H
#define SIMTLAB_CUB_UTIL_H

#include <cstdio>

#define CUB_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CUB_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(a, b) ((a) / (b))
#define CUB_QUOTIENT_CEILING(a, b) (((a) + (b)-1) / (b))
#define CUB_ROUND_UP_NEAREST(a, b) ((((a) + (b)-1) / (b)) * (b))
#define CUB_ROUND_DOWN_NEAREST(a, b) (((a) / (b)) * (b))
#define CUB_RUNTIME_FUNCTION __host__
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                                \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__))                                                                \
  exit(1)

namespace cub
{
SIMTLAB_BOTH cudaError_t Debug(cudaError_t error, const char *file, int line)
{
  if (error != cudaSuccess)
    printf("CUDA error %d [%s, %d]\n", (int)error, file, line);
  return error;
}
template <int N, int COUNT = 0, int M = N> struct Log2 {
  enum { VALUE = Log2<N, COUNT + 1, (M >> 1)>::VALUE };
};
template <int N, int COUNT> struct Log2<N, COUNT, 0> {
  enum { VALUE = (1 << (COUNT - 1)) < N ? COUNT : COUNT - 1 };
};
template <int N> struct PowerOfTwo {
  enum { VALUE = (N & (N - 1)) == 0 };
};
template <int A> struct Int2Type {
  enum { VALUE = A };
};
template <class A, class B> struct Equals {
  enum { VALUE = std::is_same<A, B>::value };
};
template <class T> struct RemoveQualifiers {
  typedef typename std::remove_cv<T>::type Type;
};
template <bool B, class T, class F> struct If {
  typedef typename std::conditional<B, T, F>::type Type;
};
template <class T> struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  SIMTLAB_BOTH T &Alias()
  {
    return reinterpret_cast<T &>(*this);
  }
};
template <class N, class D> SIMTLAB_BOTH constexpr N DivideAndRoundUp(N n, D d)
{
  return (N)((n + (N)d - 1) / (N)d);
}
SIMTLAB_CUB unsigned int WarpId()
{
  return (unsigned int)RowMajorTid((int)blockDim.x, (int)blockDim.y, (int)blockDim.z) / 32;
}
SIMTLAB_CUB unsigned int LaneMaskLt()
{
  return (1u << LaneId()) - 1;
}
SIMTLAB_CUB unsigned int LaneMaskLe()
{
  return 2 * LaneMaskLt() + 1;
}
SIMTLAB_CUB unsigned int LaneMaskGe()
{
  return ~LaneMaskLt();
}
SIMTLAB_CUB unsigned int LaneMaskGt()
{
  return ~LaneMaskLe();
}
inline cudaError_t PtxVersion(int &version)
{
  version = 700;
  return cudaSuccess;
}
inline cudaError_t SmVersion(int &version, int = 0)
{
  version = 700;
  return cudaSuccess;
}
template <class Kernel> cudaError_t MaxSmOccupancy(int &blocks, Kernel kernel, int threads, int shared = 0)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, threads, (size_t)shared);
}

/* Iterators */
template <CacheLoadModifier M, class T, class Offset = ptrdiff_t> struct CacheModifiedInputIterator {
  SIMTLAB_CUB_ITERATOR(CacheModifiedInputIterator, T)
  const T *in;
  template <class U> SIMTLAB_BOTH CacheModifiedInputIterator(U *p) : in(p)
  {
  }
  SIMTLAB_BOTH T operator[](ptrdiff_t i) const
  {
    return in[i];
  }
  SIMTLAB_BOTH CacheModifiedInputIterator operator+(ptrdiff_t i) const
  {
    return CacheModifiedInputIterator(in + i);
  }
};
template <class In, class Offset = ptrdiff_t, class Value = simtlab::value_of<In>> struct ArgIndexInputIterator {
  typedef KeyValuePair<int, Value> item;
  SIMTLAB_CUB_ITERATOR(ArgIndexInputIterator, item)
  In in;
  ptrdiff_t first;
  SIMTLAB_BOTH ArgIndexInputIterator(In in, ptrdiff_t first = 0) : in(in), first(first)
  {
  }
  SIMTLAB_BOTH item operator[](ptrdiff_t i) const
  {
    return item((int)(first + i), (Value)in[first + i]);
  }
  SIMTLAB_BOTH ArgIndexInputIterator operator+(ptrdiff_t i) const
  {
    return ArgIndexInputIterator(in, first + i);
  }
};
template <class T, class Offset = ptrdiff_t> struct TexObjInputIterator {
  SIMTLAB_CUB_ITERATOR(TexObjInputIterator, T)
  const T *in;
  SIMTLAB_BOTH TexObjInputIterator(const T *p = nullptr) : in(p)
  {
  }
  template <class U> cudaError_t BindTexture(U *p, size_t = 0, size_t = 0)
  {
    in = p;
    return cudaSuccess;
  }
  cudaError_t UnbindTexture()
  {
    return cudaSuccess;
  }
  SIMTLAB_BOTH T operator[](ptrdiff_t i) const
  {
    return in[i];
  }
  SIMTLAB_BOTH TexObjInputIterator operator+(ptrdiff_t i) const
  {
    return TexObjInputIterator(in + i);
  }
};
template <class Offset = ptrdiff_t> struct DiscardOutputIterator {
  struct ignored {
    template <class T> SIMTLAB_BOTH const ignored &operator=(const T &) const
    {
      return *this;
    }
  };
  typedef void value_type;
  typedef void pointer;
  typedef ignored reference;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  SIMTLAB_BOTH DiscardOutputIterator(Offset = 0)
  {
  }
  SIMTLAB_BOTH ignored operator*() const
  {
    return ignored();
  }
  SIMTLAB_BOTH ignored operator[](ptrdiff_t) const
  {
    return ignored();
  }
  SIMTLAB_BOTH DiscardOutputIterator operator+(ptrdiff_t) const
  {
    return *this;
  }
};

/* Every allocation is the runtime's own. */
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false, bool = false)
  {
  }
  CachingDeviceAllocator(unsigned int, unsigned int, unsigned int, size_t = 0, bool = false, bool = false)
  {
  }
  cudaError_t DeviceAllocate(void **p, size_t bytes, cudaStream_t = 0)
  {
    return cudaMalloc(p, bytes);
  }
  cudaError_t DeviceAllocate(int, void **p, size_t bytes, cudaStream_t = 0)
  {
    return cudaMalloc(p, bytes);
  }
  cudaError_t DeviceFree(void *p)
  {
    return cudaFree(p);
  }
  cudaError_t DeviceFree(int, void *p)
  {
    return cudaFree(p);
  }
  cudaError_t FreeAllCached()
  {
    return cudaSuccess;
  }
};
} // namespace cub
#undef SIMTLAB_CUB_ITERATOR

#endif
