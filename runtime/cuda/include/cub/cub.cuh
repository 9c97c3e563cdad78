/* The common parts of CUB over simtlab's parallel algorithms: blocks, warps, whole devices. Temporary memory is the
 * call's own; what a program allocates for it is one byte. */
#ifndef SIMTLAB_CUB_H
#define SIMTLAB_CUB_H

#include "../simtlab/parallel.h"

#include <limits>

#define CUB_VERSION 101500
#define CUB_PTX_WARP_THREADS 32
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, #message)

namespace cub
{
#define SIMTLAB_CUB __device__ __forceinline__

template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  SIMTLAB_BOTH KeyValuePair() : key(), value()
  {
  }
  SIMTLAB_BOTH KeyValuePair(const K &k, const V &v) : key(k), value(v)
  {
  }
};
#define SIMTLAB_CUB_OP(name, expression)                                                                               \
  struct name {                                                                                                        \
    template <class T> SIMTLAB_BOTH T operator()(const T &a, const T &b) const                                         \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
SIMTLAB_CUB_OP(Sum, a + b)
SIMTLAB_CUB_OP(Difference, a - b)
SIMTLAB_CUB_OP(Division, a / b)
SIMTLAB_CUB_OP(Max, a < b ? b : a)
SIMTLAB_CUB_OP(Min, b < a ? b : a)
SIMTLAB_CUB_OP(ArgMax, a.value > b.value || (a.value == b.value && a.key < b.key) ? a : b)
SIMTLAB_CUB_OP(ArgMin, a.value < b.value || (a.value == b.value && a.key < b.key) ? a : b)
#undef SIMTLAB_CUB_OP
struct Equality {
  template <class T> SIMTLAB_BOTH bool operator()(const T &a, const T &b) const
  {
    return a == b;
  }
};
struct Inequality {
  template <class T> SIMTLAB_BOTH bool operator()(const T &a, const T &b) const
  {
    return !(a == b);
  }
};
template <class T> struct CastOp {
  template <class A> SIMTLAB_BOTH T operator()(const A &a) const
  {
    return (T)a;
  }
};
struct NullType {
};

SIMTLAB_CUB unsigned int LaneId()
{
  return __nvvm_read_ptx_sreg_laneid();
}
SIMTLAB_CUB int RowMajorTid(int x, int y, int)
{
  return ((int)threadIdx.z * y + (int)threadIdx.y) * x + (int)threadIdx.x;
}

/* Values of a group of threads in shared memory, each in its place; everything else is made of this. */
template <class T, int N> struct Slots {
  alignas(T) alignas(8) unsigned char bytes[N * sizeof(T)];
  SIMTLAB_CUB T &operator[](int i)
  {
    return reinterpret_cast<T *>(bytes)[i];
  }
};
struct BlockSync {
  SIMTLAB_CUB static void sync()
  {
    __syncthreads();
  }
};
struct WarpSync {
  SIMTLAB_CUB static void sync()
  {
    __syncwarp(__activemask());
  }
};
/* The sum of the first `active` values, in order, in thread 0 */
template <class Sync, class T, int N, class Op>
SIMTLAB_CUB T simtlab_sum(Slots<T, N> &slots, int t, T value, int active, Op op)
{
  new (&slots[t]) T(value);
  Sync::sync();
  for (int stride = 1; stride < N; stride *= 2) {
    if (t % (2 * stride) == 0 && t + stride < active)
      slots[t] = op(slots[t], slots[t + stride]);
    Sync::sync();
  }
  const T sum = slots[0];
  Sync::sync();
  return sum;
}
/* The inclusive scan; *total becomes the sum of all */
template <class Sync, class T, int N, class Op>
SIMTLAB_CUB T simtlab_scan(Slots<T, N> &slots, int t, T value, Op op, T *before, T *total)
{
  new (&slots[t]) T(value);
  Sync::sync();
  for (int stride = 1; stride < N; stride *= 2) {
    const T other = slots[t >= stride ? t - stride : t];
    Sync::sync();
    if (t >= stride)
      slots[t] = value = op(other, value);
    Sync::sync();
  }
  *before = slots[t > 0 ? t - 1 : 0];
  *total = slots[N - 1];
  Sync::sync();
  return value;
}

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

#define SIMTLAB_CUB_STORAGE(...)                                                                                       \
  typedef __VA_ARGS__ Storage;                                                                                         \
  struct TempStorage : Storage {                                                                                       \
  };                                                                                                                   \
                                                                                                                       \
private:                                                                                                               \
  Storage &slots;                                                                                                      \
  SIMTLAB_CUB static Storage &own()                                                                                    \
  {                                                                                                                    \
    __shared__ Storage storage;                                                                                        \
    return storage;                                                                                                    \
  }                                                                                                                    \
                                                                                                                       \
public:

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce
{
  enum { N = X * Y * Z };

public:
  SIMTLAB_CUB_STORAGE(Slots<T, N>)
  SIMTLAB_CUB BlockReduce() : slots(own())
  {
  }
  SIMTLAB_CUB BlockReduce(TempStorage &storage) : slots(storage)
  {
  }
  template <class Op> SIMTLAB_CUB T Reduce(T value, Op op, int active = N)
  {
    return simtlab_sum<BlockSync>(slots, RowMajorTid(X, Y, Z), value, active, op);
  }
  template <int I, class Op> SIMTLAB_CUB T Reduce(T (&items)[I], Op op)
  {
    T sum = items[0];
    for (int i = 1; i < I; i++)
      sum = op(sum, items[i]);
    return Reduce(sum, op);
  }
  SIMTLAB_CUB T Sum(T value, int active = N)
  {
    return Reduce(value, cub::Sum(), active);
  }
  template <int I> SIMTLAB_CUB T Sum(T (&items)[I])
  {
    return Reduce(items, cub::Sum());
  }
};

/* void, if a class is a prefix function of values; if it is an operation of two of them */
template <class T> SIMTLAB_CUB T &simtlab_some();
template <class P, class T>
using simtlab_prefix =
    typename std::enable_if<std::is_class<P>::value, decltype((void)simtlab_some<P>()(simtlab_some<T>()))>::type;
template <class Op, class T>
using simtlab_binary = decltype((void)simtlab_some<Op>()(simtlab_some<T>(), simtlab_some<T>()));
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan
{
  enum { N = X * Y * Z };
  struct no_prefix {
    SIMTLAB_CUB T operator()(T total)
    {
      return total;
    }
  };
  /* With a prefix function, the first warp calls it with the sum of the block: what it returns precedes all items. */
  template <int I, class Op, class Prefix = no_prefix>
  SIMTLAB_CUB T scan(T (&in)[I], T (&out)[I], Op op, bool inclusive, bool has_init, T init, Prefix *prefix = nullptr)
  {
    const int t = RowMajorTid(X, Y, Z);
    T sum = in[0], before, total;
    for (int i = 1; i < I; i++)
      sum = op(sum, in[i]);
    simtlab_scan<BlockSync>(slots, t, sum, op, &before, &total);
    if (prefix != nullptr) {
      if (t < 32) {
        const T first = (*prefix)(total);
        if (t == 0)
          slots[0] = first;
      }
      __syncthreads();
      init = slots[0];
      has_init = true;
      __syncthreads();
    }
    T running = t == 0 ? init : has_init ? op(init, before) : before;
    bool has = has_init || t > 0;
    for (int i = 0; i < I; i++) {
      const T next = has ? op(running, in[i]) : in[i];
      out[i] = inclusive ? next : running;
      running = next;
      has = true;
    }
    return total;
  }

public:
  SIMTLAB_CUB_STORAGE(Slots<T, N>)
  SIMTLAB_CUB BlockScan() : slots(own())
  {
  }
  SIMTLAB_CUB BlockScan(TempStorage &storage) : slots(storage)
  {
  }
  template <int I, class Op> SIMTLAB_CUB void InclusiveScan(T (&in)[I], T (&out)[I], Op op)
  {
    scan(in, out, op, true, false, in[0]);
  }
  template <int I, class Op> SIMTLAB_CUB void InclusiveScan(T (&in)[I], T (&out)[I], Op op, T &total)
  {
    total = scan(in, out, op, true, false, in[0]);
  }
  template <int I, class Op> SIMTLAB_CUB void ExclusiveScan(T (&in)[I], T (&out)[I], T init, Op op)
  {
    scan(in, out, op, false, true, init);
  }
  template <int I, class Op> SIMTLAB_CUB void ExclusiveScan(T (&in)[I], T (&out)[I], T init, Op op, T &total)
  {
    total = scan(in, out, op, false, true, init);
  }
  template <class Op> SIMTLAB_CUB void InclusiveScan(T in, T &out, Op op)
  {
    T total;
    InclusiveScan(in, out, op, total);
  }
  template <class Op> SIMTLAB_CUB void InclusiveScan(T in, T &out, Op op, T &total)
  {
    T a[1] = {in}, b[1] = {in};
    total = scan(a, b, op, true, false, in);
    out = b[0];
  }
  template <class Op> SIMTLAB_CUB void ExclusiveScan(T in, T &out, T init, Op op)
  {
    T total;
    ExclusiveScan(in, out, init, op, total);
  }
  template <class Op> SIMTLAB_CUB void ExclusiveScan(T in, T &out, T init, Op op, T &total)
  {
    T a[1] = {in}, b[1] = {in};
    total = scan(a, b, op, false, true, init);
    out = b[0];
  }
  SIMTLAB_CUB void InclusiveSum(T in, T &out)
  {
    InclusiveScan(in, out, cub::Sum());
  }
  SIMTLAB_CUB void InclusiveSum(T in, T &out, T &total)
  {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  SIMTLAB_CUB void ExclusiveSum(T in, T &out)
  {
    ExclusiveScan(in, out, T(0), cub::Sum());
  }
  SIMTLAB_CUB void ExclusiveSum(T in, T &out, T &total)
  {
    ExclusiveScan(in, out, T(0), cub::Sum(), total);
  }
  template <int I> SIMTLAB_CUB void InclusiveSum(T (&in)[I], T (&out)[I])
  {
    InclusiveScan(in, out, cub::Sum());
  }
  template <int I> SIMTLAB_CUB void InclusiveSum(T (&in)[I], T (&out)[I], T &total)
  {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  template <int I> SIMTLAB_CUB void ExclusiveSum(T (&in)[I], T (&out)[I])
  {
    ExclusiveScan(in, out, T(0), cub::Sum());
  }
  template <int I> SIMTLAB_CUB void ExclusiveSum(T (&in)[I], T (&out)[I], T &total)
  {
    ExclusiveScan(in, out, T(0), cub::Sum(), total);
  }
  template <int I, class P> SIMTLAB_CUB auto InclusiveSum(T (&in)[I], T (&out)[I], P &prefix) -> simtlab_prefix<P, T>
  {
    scan(in, out, cub::Sum(), true, true, T(0), &prefix);
  }
  template <int I, class P> SIMTLAB_CUB auto ExclusiveSum(T (&in)[I], T (&out)[I], P &prefix) -> simtlab_prefix<P, T>
  {
    scan(in, out, cub::Sum(), false, true, T(0), &prefix);
  }
  template <class P> SIMTLAB_CUB auto InclusiveSum(T in, T &out, P &prefix) -> simtlab_prefix<P, T>
  {
    InclusiveScan(in, out, cub::Sum(), prefix);
  }
  template <class P> SIMTLAB_CUB auto ExclusiveSum(T in, T &out, P &prefix) -> simtlab_prefix<P, T>
  {
    ExclusiveScan(in, out, cub::Sum(), prefix);
  }
  template <int I, class Op, class P>
  SIMTLAB_CUB auto InclusiveScan(T (&in)[I], T (&out)[I], Op op, P &prefix) -> simtlab_prefix<P, T>
  {
    scan(in, out, op, true, true, in[0], &prefix);
  }
  template <int I, class Op, class P>
  SIMTLAB_CUB auto ExclusiveScan(T (&in)[I], T (&out)[I], Op op, P &prefix) -> simtlab_prefix<P, T>
  {
    scan(in, out, op, false, true, in[0], &prefix);
  }
  template <class Op, class P> SIMTLAB_CUB auto InclusiveScan(T in, T &out, Op op, P &prefix) -> simtlab_prefix<P, T>
  {
    T a[1] = {in}, b[1] = {in};
    scan(a, b, op, true, true, in, &prefix);
    out = b[0];
  }
  template <class Op, class P> SIMTLAB_CUB auto ExclusiveScan(T in, T &out, Op op, P &prefix) -> simtlab_prefix<P, T>
  {
    T a[1] = {in}, b[1] = {in};
    scan(a, b, op, false, true, in, &prefix);
    out = b[0];
  }
  /* Without an initial value: the first item is not defined. */
  template <class Op> SIMTLAB_CUB auto ExclusiveScan(T in, T &out, Op op) -> simtlab_binary<Op, T>
  {
    T a[1] = {in}, b[1] = {in};
    scan(a, b, op, false, false, in);
    out = b[0];
  }
  template <class Op> SIMTLAB_CUB auto ExclusiveScan(T in, T &out, Op op, T &total) -> simtlab_binary<Op, T>
  {
    T a[1] = {in}, b[1] = {in};
    total = scan(a, b, op, false, false, in);
    out = b[0];
  }
  template <int I, class Op> SIMTLAB_CUB auto ExclusiveScan(T (&in)[I], T (&out)[I], Op op) -> simtlab_binary<Op, T>
  {
    scan(in, out, op, false, false, in[0]);
  }
};

/* Logical warps of W threads: by shuffles of words */
template <class T> SIMTLAB_CUB T simtlab_from(T value, int lane)
{
  enum { WORDS = (sizeof(T) + 3) / 4 };
  const unsigned int mask = __activemask();
  int words[WORDS] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    words[i] = __shfl_sync(mask, words[i], lane);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <class T, int W = 32, int = 0> class WarpReduce
{
public:
  struct TempStorage {
  };
  SIMTLAB_CUB WarpReduce(TempStorage &)
  {
  }
  template <class Op> SIMTLAB_CUB T Reduce(T value, Op op, int active = W)
  {
    const int lane = (int)LaneId(), t = lane % W;
#pragma unroll
    for (int stride = 1; stride < W; stride *= 2) {
      const T other = simtlab_from(value, t + stride < active ? lane + stride : lane);
      if (t % (2 * stride) == 0 && t + stride < active)
        value = op(value, other);
    }
    return value;
  }
  SIMTLAB_CUB T Sum(T value, int active = W)
  {
    return Reduce(value, cub::Sum(), active);
  }
  /* Segments begin at lanes with a head flag, or end at those with a tail flag. */
  template <class F, class Op> SIMTLAB_CUB T HeadSegmentedReduce(T value, F head, Op op)
  {
    const int lane = (int)LaneId();
    return segmented(value, (__ballot_sync(__activemask(), (bool)head) & ~1u) >> 1 | 1u << 31, lane, op);
  }
  template <class F, class Op> SIMTLAB_CUB T TailSegmentedReduce(T value, F tail, Op op)
  {
    return segmented(value, __ballot_sync(__activemask(), (bool)tail) | 1u << 31, (int)LaneId(), op);
  }
  template <class F> SIMTLAB_CUB T HeadSegmentedSum(T value, F head)
  {
    return HeadSegmentedReduce(value, head, cub::Sum());
  }
  template <class F> SIMTLAB_CUB T TailSegmentedSum(T value, F tail)
  {
    return TailSegmentedReduce(value, tail, cub::Sum());
  }

private:
  template <class Op> SIMTLAB_CUB T segmented(T value, unsigned int tails, int lane, Op op)
  {
    const int ends = __ffs((int)(tails >> lane)) - 1 + lane, last = ends / W == lane / W ? ends : lane / W * W + W - 1;
#pragma unroll
    for (int stride = 1; stride < W; stride *= 2) {
      const T other = simtlab_from(value, lane + stride <= last ? lane + stride : lane);
      if (lane + stride <= last)
        value = op(value, other);
    }
    return value;
  }
};
template <class T, int W = 32, int = 0> class WarpScan
{
  template <class Op> SIMTLAB_CUB T scan(T value, Op op, T *before, T *total)
  {
    const int lane = (int)LaneId(), t = lane % W;
#pragma unroll
    for (int stride = 1; stride < W; stride *= 2) {
      const T other = simtlab_from(value, t >= stride ? lane - stride : lane);
      if (t >= stride)
        value = op(other, value);
    }
    *before = simtlab_from(value, t > 0 ? lane - 1 : lane);
    *total = simtlab_from(value, lane - t + W - 1);
    return value;
  }

public:
  struct TempStorage {
  };
  SIMTLAB_CUB WarpScan(TempStorage &)
  {
  }
  template <class Op> SIMTLAB_CUB void InclusiveScan(T in, T &out, Op op, T &total)
  {
    T before;
    out = scan(in, op, &before, &total);
  }
  template <class Op> SIMTLAB_CUB void InclusiveScan(T in, T &out, Op op)
  {
    T total;
    InclusiveScan(in, out, op, total);
  }
  template <class Op> SIMTLAB_CUB void ExclusiveScan(T in, T &out, T init, Op op, T &total)
  {
    T before;
    scan(in, op, &before, &total);
    out = LaneId() % W == 0 ? init : op(init, before);
  }
  template <class Op> SIMTLAB_CUB void ExclusiveScan(T in, T &out, T init, Op op)
  {
    T total;
    ExclusiveScan(in, out, init, op, total);
  }
  SIMTLAB_CUB void InclusiveSum(T in, T &out)
  {
    InclusiveScan(in, out, cub::Sum());
  }
  SIMTLAB_CUB void InclusiveSum(T in, T &out, T &total)
  {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  SIMTLAB_CUB void ExclusiveSum(T in, T &out)
  {
    ExclusiveScan(in, out, T(0), cub::Sum());
  }
  SIMTLAB_CUB void ExclusiveSum(T in, T &out, T &total)
  {
    ExclusiveScan(in, out, T(0), cub::Sum(), total);
  }
  template <class Op> SIMTLAB_CUB auto ExclusiveScan(T in, T &out, Op op) -> simtlab_binary<Op, T>
  {
    T total;
    scan(in, op, &out, &total);
  }
  template <class Op> SIMTLAB_CUB auto ExclusiveScan(T in, T &out, Op op, T &total) -> simtlab_binary<Op, T>
  {
    scan(in, op, &out, &total);
  }
  template <class Op> SIMTLAB_CUB void Scan(T in, T &inclusive, T &exclusive, Op op)
  {
    T total;
    inclusive = scan(in, op, &exclusive, &total);
  }
  template <class Op> SIMTLAB_CUB void Scan(T in, T &inclusive, T &exclusive, T init, Op op)
  {
    T total, before;
    inclusive = op(init, scan(in, op, &before, &total));
    exclusive = LaneId() % W == 0 ? init : op(init, before);
  }
  SIMTLAB_CUB void Sum(T in, T &inclusive, T &exclusive)
  {
    Scan(in, inclusive, exclusive, T(0), cub::Sum());
  }
  SIMTLAB_CUB T Broadcast(T value, unsigned int source)
  {
    return simtlab_from(value, (int)(LaneId() / W * W + source));
  }
};

template <class T, int X, int I, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad
{
  enum { N = X * Y * Z };
  SIMTLAB_CUB static int place(int i)
  {
    const int t = RowMajorTid(X, Y, Z);
    return A == BLOCK_LOAD_STRIPED ? i * N + t : t * I + i;
  }

public:
  struct TempStorage {
  };
  SIMTLAB_CUB BlockLoad()
  {
  }
  SIMTLAB_CUB BlockLoad(TempStorage &)
  {
  }
  template <class It> SIMTLAB_CUB void Load(It from, T (&items)[I])
  {
    for (int i = 0; i < I; i++)
      items[i] = from[place(i)];
  }
  template <class It> SIMTLAB_CUB void Load(It from, T (&items)[I], int valid)
  {
    for (int i = 0; i < I; i++)
      if (place(i) < valid)
        items[i] = from[place(i)];
  }
  template <class It, class D> SIMTLAB_CUB void Load(It from, T (&items)[I], int valid, D otherwise)
  {
    for (int i = 0; i < I; i++)
      items[i] = place(i) < valid ? (T)from[place(i)] : (T)otherwise;
  }
};
template <class T, int X, int I, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore
{
  enum { N = X * Y * Z };
  SIMTLAB_CUB static int place(int i)
  {
    const int t = RowMajorTid(X, Y, Z);
    return A == BLOCK_STORE_STRIPED ? i * N + t : t * I + i;
  }

public:
  struct TempStorage {
  };
  SIMTLAB_CUB BlockStore()
  {
  }
  SIMTLAB_CUB BlockStore(TempStorage &)
  {
  }
  template <class It> SIMTLAB_CUB void Store(It to, T (&items)[I])
  {
    for (int i = 0; i < I; i++)
      to[place(i)] = items[i];
  }
  template <class It> SIMTLAB_CUB void Store(It to, T (&items)[I], int valid)
  {
    for (int i = 0; i < I; i++)
      if (place(i) < valid)
        to[place(i)] = items[i];
  }
};

/* Iterators that compute their elements */
#define SIMTLAB_CUB_ITERATOR(name, T)                                                                                  \
  typedef T value_type;                                                                                                \
  typedef T reference;                                                                                                 \
  typedef T *pointer;                                                                                                  \
  typedef ptrdiff_t difference_type;                                                                                   \
  typedef std::random_access_iterator_tag iterator_category;                                                           \
  SIMTLAB_BOTH T operator*() const                                                                                     \
  {                                                                                                                    \
    return (*this)[0];                                                                                                 \
  }                                                                                                                    \
  SIMTLAB_BOTH name &operator++()                                                                                      \
  {                                                                                                                    \
    return *this = *this + 1;                                                                                          \
  }
template <class T, class Offset = ptrdiff_t> struct CountingInputIterator {
  SIMTLAB_CUB_ITERATOR(CountingInputIterator, T)
  T first;
  SIMTLAB_BOTH CountingInputIterator(T first) : first(first)
  {
  }
  SIMTLAB_BOTH T operator[](ptrdiff_t i) const
  {
    return first + (T)i;
  }
  SIMTLAB_BOTH CountingInputIterator operator+(ptrdiff_t i) const
  {
    return CountingInputIterator((*this)[i]);
  }
};
template <class T, class Offset = ptrdiff_t> struct ConstantInputIterator {
  SIMTLAB_CUB_ITERATOR(ConstantInputIterator, T)
  T value;
  SIMTLAB_BOTH ConstantInputIterator(T value, Offset = 0) : value(value)
  {
  }
  SIMTLAB_BOTH T operator[](ptrdiff_t) const
  {
    return value;
  }
  SIMTLAB_BOTH ConstantInputIterator operator+(ptrdiff_t) const
  {
    return *this;
  }
};
template <class T, class F, class In, class Offset = ptrdiff_t> struct TransformInputIterator {
  SIMTLAB_CUB_ITERATOR(TransformInputIterator, T)
  In in;
  F f;
  SIMTLAB_BOTH TransformInputIterator(In in, F f) : in(in), f(f)
  {
  }
  SIMTLAB_BOTH T operator[](ptrdiff_t i) const
  {
    return f(in[i]);
  }
  SIMTLAB_BOTH TransformInputIterator operator+(ptrdiff_t i) const
  {
    return TransformInputIterator(in + i, f);
  }
};

/* Device-wide functions. The first call, without memory, asks for its size. */
#define SIMTLAB_CUB_BEGIN                                                                                              \
  if (temporary == nullptr) {                                                                                          \
    bytes = 1;                                                                                                         \
    return cudaSuccess;                                                                                                \
  }                                                                                                                    \
  try {
#define SIMTLAB_CUB_END                                                                                                \
  }                                                                                                                    \
  catch (const std::runtime_error &)                                                                                   \
  {                                                                                                                    \
    const cudaError_t error = cudaGetLastError();                                                                      \
    return error != cudaSuccess ? error : cudaErrorMemoryAllocation;                                                   \
  }                                                                                                                    \
  return cudaSuccess;

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  SIMTLAB_BOTH DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0)
  {
  }
  SIMTLAB_BOTH DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0)
  {
  }
  SIMTLAB_BOTH T *Current()
  {
    return d_buffers[selector];
  }
  SIMTLAB_BOTH T *Alternate()
  {
    return d_buffers[selector ^ 1];
  }
};

template <class In, class T> struct simtlab_indexed {
  In in;
  __device__ KeyValuePair<int, T> operator[](ptrdiff_t i) const
  {
    return KeyValuePair<int, T>((int)i, (T)in[i]);
  }
};
struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  static cudaError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int n, Op op, T init,
                            cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab::scratch<T> sum(1);
    T *p = sum.get();
    if (n > 0)
      simtlab::reduce_to(stream, in, (size_t)n, p, op);
    simtlab::each(stream, 1, [=] __device__(size_t) mutable { *out = n > 0 ? op(init, *p) : init; });
    SIMTLAB_CUB_END
  }
  template <class In, class Out, class Op, class F, class T>
  static cudaError_t TransformReduce(void *temporary, size_t &bytes, In in, Out out, int n, Op op, F f, T init,
                                     cudaStream_t stream = 0, bool = false)
  {
    return Reduce(temporary, bytes, TransformInputIterator<T, F, In>(in, f), out, n, op, init, stream);
  }
  template <class K, class KOut, class V, class Out, class Count, class Op>
  static cudaError_t ReduceByKey(void *temporary, size_t &bytes, K keys, KOut keys_out, V values, Out out, Count count,
                                 Op op, int n, cudaStream_t stream = 0, bool = false);
  template <class In, class Out>
  static cudaError_t Sum(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0, bool = false)
  {
    return Reduce(temporary, bytes, in, out, n, cub::Sum(), simtlab::value_of<In>(0), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0, bool = false)
  {
    return Reduce(temporary, bytes, in, out, n, cub::Max(), std::numeric_limits<simtlab::value_of<In>>::lowest(),
                  stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0, bool = false)
  {
    return Reduce(temporary, bytes, in, out, n, cub::Min(), (std::numeric_limits<simtlab::value_of<In>>::max)(),
                  stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0,
                            bool = false)
  {
    typedef KeyValuePair<int, simtlab::value_of<In>> T;
    return Reduce(temporary, bytes, simtlab_indexed<In, simtlab::value_of<In>>{in}, out, n, cub::ArgMax(),
                  T(1, std::numeric_limits<simtlab::value_of<In>>::lowest()), stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0,
                            bool = false)
  {
    typedef KeyValuePair<int, simtlab::value_of<In>> T;
    return Reduce(temporary, bytes, simtlab_indexed<In, simtlab::value_of<In>>{in}, out, n, cub::ArgMin(),
                  T(1, (std::numeric_limits<simtlab::value_of<In>>::max)()), stream);
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T>
  static cudaError_t ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, T init, int n,
                                   cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    const simtlab::device_value<T> start(init, stream);
    simtlab::scan<T>(stream, in, (size_t)n, out, (const T *)start.get(), false, op);
    SIMTLAB_CUB_END
  }
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, int n,
                                   cudaStream_t stream = 0, bool = false)
  {
    typedef simtlab::value_of<In> T;
    SIMTLAB_CUB_BEGIN
    simtlab::scan<T>(stream, in, (size_t)n, out, (const T *)nullptr, true, op);
    SIMTLAB_CUB_END
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0,
                                  bool = false)
  {
    return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), simtlab::value_of<In>(0), n, stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void *temporary, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0,
                                  bool = false)
  {
    return InclusiveScan(temporary, bytes, in, out, cub::Sum(), n, stream);
  }
  /* In place */
  template <class It>
  static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, It items, int n, cudaStream_t stream = 0)
  {
    return ExclusiveSum(temporary, bytes, items, items, n, stream);
  }
  template <class It>
  static cudaError_t InclusiveSum(void *temporary, size_t &bytes, It items, int n, cudaStream_t stream = 0)
  {
    return InclusiveSum(temporary, bytes, items, items, n, stream);
  }
  template <class In, class Out, class Op, class T>
  static cudaError_t InclusiveScanInit(void *temporary, size_t &bytes, In in, Out out, Op op, T init, int n,
                                       cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    const simtlab::device_value<T> start(init, stream);
    simtlab::scan<T>(stream, in, (size_t)n, out, (const T *)start.get(), true, op);
    SIMTLAB_CUB_END
  }
  template <class K, class V, class Out, class Op, class T, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void *temporary, size_t &bytes, K keys, V values, Out out, Op op, T init, int n,
                                        Equal equal = Equal(), cudaStream_t stream = 0, bool = false);
  template <class K, class V, class Out, class Op, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void *temporary, size_t &bytes, K keys, V values, Out out, Op op, int n,
                                        Equal equal = Equal(), cudaStream_t stream = 0, bool = false);
  template <class K, class V, class Out, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void *temporary, size_t &bytes, K keys, V values, Out out, int n,
                                       Equal equal = Equal(), cudaStream_t stream = 0, bool = false)
  {
    return ExclusiveScanByKey(temporary, bytes, keys, values, out, cub::Sum(), simtlab::value_of<V>(0), n, equal,
                              stream);
  }
  template <class K, class V, class Out, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void *temporary, size_t &bytes, K keys, V values, Out out, int n,
                                       Equal equal = Equal(), cudaStream_t stream = 0, bool = false)
  {
    return InclusiveScanByKey(temporary, bytes, keys, values, out, cub::Sum(), n, equal, stream);
  }
};

struct DeviceRadixSort {
  template <class K, class V>
  static cudaError_t simtlab_sort(void *temporary, size_t &bytes, const K *keys, K *keys_out, const V *values,
                                  V *values_out, size_t n, int from, int to, bool descending, cudaStream_t stream)
  {
    SIMTLAB_CUB_BEGIN
    simtlab::scratch<K> first(n);
    simtlab::scratch<V> first_values(values != nullptr ? n : 0);
    simtlab::copy_items(stream, n, keys, first.get());
    if (values != nullptr)
      simtlab::copy_items(stream, n, values, first_values.get());
    if (!simtlab::radix_sort(stream, n, first.get(), keys_out, values != nullptr ? first_values.get() : nullptr,
                             values_out, from, to < 8 * (int)sizeof(K) ? to : 8 * (int)sizeof(K), descending)) {
      simtlab::copy_items(stream, n, (const K *)first.get(), keys_out);
      if (values != nullptr)
        simtlab::copy_items(stream, n, (const V *)first_values.get(), values_out);
    }
    SIMTLAB_CUB_END
  }
#define SIMTLAB_CUB_SORT(keys_name, pairs_name, descending)                                                            \
  template <class K, class N>                                                                                          \
  static cudaError_t keys_name(void *temporary, size_t &bytes, const K *keys, K *keys_out, N n, int from = 0,          \
                               int to = 8 * sizeof(K), cudaStream_t stream = 0, bool = false)                          \
  {                                                                                                                    \
    return simtlab_sort(temporary, bytes, keys, keys_out, (const NullType *)nullptr, (NullType *)nullptr, (size_t)n,   \
                        from, to, descending, stream);                                                                 \
  }                                                                                                                    \
  template <class K, class N>                                                                                          \
  static cudaError_t keys_name(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, N n, int from = 0,               \
                               int to = 8 * sizeof(K), cudaStream_t stream = 0, bool = false)                          \
  {                                                                                                                    \
    const cudaError_t error =                                                                                          \
        keys_name(temporary, bytes, (const K *)keys.Current(), keys.Alternate(), n, from, to, stream);                 \
    keys.selector ^= temporary != nullptr ? 1 : 0;                                                                     \
    return error;                                                                                                      \
  }                                                                                                                    \
  template <class K, class V, class N>                                                                                 \
  static cudaError_t pairs_name(void *temporary, size_t &bytes, const K *keys, K *keys_out, const V *values,           \
                                V *values_out, N n, int from = 0, int to = 8 * sizeof(K), cudaStream_t stream = 0,     \
                                bool = false)                                                                          \
  {                                                                                                                    \
    return simtlab_sort(temporary, bytes, keys, keys_out, values, values_out, (size_t)n, from, to, descending,         \
                        stream);                                                                                       \
  }                                                                                                                    \
  template <class K, class V, class N>                                                                                 \
  static cudaError_t pairs_name(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n,   \
                                int from = 0, int to = 8 * sizeof(K), cudaStream_t stream = 0, bool = false)           \
  {                                                                                                                    \
    const cudaError_t error = pairs_name(temporary, bytes, (const K *)keys.Current(), keys.Alternate(),                \
                                         (const V *)values.Current(), values.Alternate(), n, from, to, stream);        \
    keys.selector ^= temporary != nullptr ? 1 : 0;                                                                     \
    values.selector ^= temporary != nullptr ? 1 : 0;                                                                   \
    return error;                                                                                                      \
  }
  SIMTLAB_CUB_SORT(SortKeys, SortPairs, false)
  SIMTLAB_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef SIMTLAB_CUB_SORT
};

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out, Count count, int n,
                             cudaStream_t stream = 0, bool = false)
  {
    return simtlab_select(
        temporary, bytes, in, out, count, n, [=] __device__(size_t i) { return (bool)flags[i]; }, stream);
  }
  template <class In, class Out, class Count, class P>
  static cudaError_t If(void *temporary, size_t &bytes, In in, Out out, Count count, int n, P p,
                        cudaStream_t stream = 0, bool = false)
  {
    return simtlab_select(
        temporary, bytes, in, out, count, n, [=] __device__(size_t i) mutable { return (bool)p(in[i]); }, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Unique(void *temporary, size_t &bytes, In in, Out out, Count count, int n, cudaStream_t stream = 0,
                            bool = false)
  {
    return simtlab_select(
        temporary, bytes, in, out, count, n, [=] __device__(size_t i) { return i == 0 || !(in[i - 1] == in[i]); },
        stream);
  }
  template <class K, class V, class KOut, class VOut, class Count>
  static cudaError_t UniqueByKey(void *temporary, size_t &bytes, K keys, V values, KOut keys_out, VOut values_out,
                                 Count count, int n, cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    const size_t found = simtlab::select(
        stream, (size_t)n, [=] __device__(size_t i) { return i == 0 || !(keys[i - 1] == keys[i]); },
        [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
          if (chosen) {
            keys_out[at] = keys[i];
            values_out[at] = values[i];
          }
        });
    simtlab::each(stream, 1, [=] __device__(size_t) mutable { *count = (int)found; });
    SIMTLAB_CUB_END
  }
  template <class In, class Out, class Count, class Selected>
  static cudaError_t simtlab_select(void *temporary, size_t &bytes, In in, Out out, Count count, int n,
                                    Selected selected, cudaStream_t stream)
  {
    SIMTLAB_CUB_BEGIN
    const size_t found =
        simtlab::select(stream, (size_t)n, selected, [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
          if (chosen)
            out[at] = in[i];
        });
    simtlab::each(stream, 1, [=] __device__(size_t) mutable { *count = (int)found; });
    SIMTLAB_CUB_END
  }
};
} // namespace cub

#include "detail/block.h"
#include "detail/device.h"
#include "detail/util.h"

#undef SIMTLAB_CUB_BEGIN
#undef SIMTLAB_CUB_END
#undef SIMTLAB_CUB_STORAGE

#endif
