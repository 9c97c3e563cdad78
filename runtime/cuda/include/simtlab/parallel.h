/* Parallel algorithms on iterators that kernels can read: reduction, scan, selection, sorting. Thrust's and CUB's
 * functions are made of them. */
#ifndef SIMTLAB_CUDA_PARALLEL_H
#define SIMTLAB_CUDA_PARALLEL_H

#include "cuda_runtime.h"

#ifndef __CUDA__
#error "parallel algorithms need the CUDA language: compile this file with simtlab cuda, as a .cu file or with -x cu"
#endif
#if __cplusplus < 201103L
#error "parallel algorithms need C++11: add -std=c++11"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#define SIMTLAB_BOTH __host__ __device__ inline

namespace simtlab
{
enum { THREADS = 256, ITEMS = 4, TILE = THREADS * ITEMS, DIGITS = 256, MERGED = 8 };

inline void require(cudaError_t error)
{
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("parallel algorithm: ") + cudaGetErrorString(error));
}

/* Device memory for the time of a call */
template <class T> class scratch
{
  T *p_;

public:
  explicit scratch(size_t n) : p_(nullptr)
  {
    require(cudaMalloc(&p_, (n > 0 ? n : 1) * sizeof(T)));
  }
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;
  ~scratch()
  {
    cudaFree(p_);
  }
  T *get() const
  {
    return p_;
  }
};

/* Shared memory for values of a type that has constructors */
template <class T, int N> struct shared_values {
  alignas(T) alignas(8) unsigned char bytes[N * sizeof(T)];
  __device__ T &operator[](int i)
  {
    return reinterpret_cast<T *>(bytes)[i];
  }
};

template <class It> using value_of = typename std::iterator_traits<It>::value_type;

template <class T> T read_one(const T *device, cudaStream_t stream)
{
  alignas(T) unsigned char bytes[sizeof(T)];
  require(cudaMemcpyAsync(bytes, device, sizeof(T), cudaMemcpyDeviceToHost, stream));
  require(cudaStreamSynchronize(stream));
  return *reinterpret_cast<T *>(bytes);
}

inline unsigned int blocks_of(size_t n, size_t each, unsigned int most)
{
  const size_t blocks = (n + each - 1) / each;
  return blocks < most ? (unsigned int)blocks : most;
}

/* f(i) for each i below n */
template <class F> __global__ void each_kernel(F f, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    f(i);
}
template <class F> void each(cudaStream_t stream, size_t n, F f)
{
  if (n == 0)
    return;
  each_kernel<<<blocks_of(n, THREADS, 65535), THREADS, 0, stream>>>(f, n);
  require(cudaGetLastError());
}

template <class In, class Out> struct copy_item {
  In in;
  Out out;
  __device__ void operator()(size_t i)
  {
    out[(ptrdiff_t)i] = in[(ptrdiff_t)i];
  }
};
template <class In, class Out> void copy_items(cudaStream_t stream, size_t n, In in, Out out)
{
  each(stream, n, copy_item<In, Out>{in, out});
}

/* Block b's items, thread by thread, in the order of commutative operations */
template <class T, class In, class Op> __global__ void reduce_kernel(In in, size_t n, T *out, Op op)
{
  __shared__ shared_values<T, THREADS> part;
  const size_t first = blockIdx.x * (size_t)THREADS;
  const int t = (int)threadIdx.x, active = n - first < THREADS ? (int)(n - first) : THREADS;
  if (t < active) {
    T sum = in[(ptrdiff_t)(first + t)];
    for (size_t i = first + t + (size_t)gridDim.x * THREADS; i < n; i += (size_t)gridDim.x * THREADS)
      sum = op(sum, (T)in[(ptrdiff_t)i]);
    new (&part[t]) T(sum);
  }
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < active)
      part[t] = op(part[t], part[t + stride]);
    __syncthreads();
  }
  if (t == 0)
    new (out + blockIdx.x) T(part[0]);
}
/* The sum of n > 0 items, in *out */
template <class T, class In, class Op> void reduce_to(cudaStream_t stream, In in, size_t n, T *out, Op op)
{
  const unsigned int blocks = blocks_of(n, THREADS, 160);
  if (blocks == 1) {
    reduce_kernel<T><<<1, THREADS, 0, stream>>>(in, n, out, op);
  } else {
    scratch<T> part(blocks);
    reduce_kernel<T><<<blocks, THREADS, 0, stream>>>(in, n, part.get(), op);
    reduce_kernel<T><<<1, THREADS, 0, stream>>>((const T *)part.get(), (size_t)blocks, out, op);
  }
  require(cudaGetLastError());
}
template <class T, class In, class Op> T reduce(cudaStream_t stream, In in, size_t n, T init, Op op)
{
  if (n == 0)
    return init;
  scratch<T> out(1);
  reduce_to(stream, in, n, out.get(), op);
  return op(init, read_one(out.get(), stream));
}

/* Inclusive scan of one value per thread; `active` threads have one. Uses 2 * THREADS values. */
template <class T, class Op> __device__ T scan_threads(shared_values<T, 2 * THREADS> &part, T value, int active, Op op)
{
  const int t = (int)threadIdx.x;
  int from = 0;
  new (&part[t]) T(value);
  __syncthreads();
  for (int stride = 1; stride < THREADS; stride *= 2) {
    if (t < active)
      new (&part[(THREADS - from) + t]) T(t >= stride ? op(part[from + t - stride], part[from + t]) : part[from + t]);
    from = THREADS - from;
    __syncthreads();
  }
  return part[from + (t < active ? t : 0)];
}

/* The sum of each tile, in order */
template <class T, class In, class Op> __global__ void tile_sums_kernel(In in, size_t n, T *sums, Op op)
{
  __shared__ shared_values<T, 2 * THREADS> part;
  const size_t begin = blockIdx.x * (size_t)TILE, first = begin + threadIdx.x * ITEMS;
  const size_t left = n - begin;
  const int active = left < TILE ? (int)((left + ITEMS - 1) / ITEMS) : THREADS;
  T sum = in[(ptrdiff_t)(first < n ? first : begin)];
  for (int k = 1; k < ITEMS && first + k < n; k++)
    sum = op(sum, (T)in[(ptrdiff_t)(first + k)]);
  const T inclusive = scan_threads(part, sum, active, op);
  if ((int)threadIdx.x == active - 1)
    new (sums + blockIdx.x) T(inclusive);
}
/* sums[i] becomes the sum of those before it, after `init` if there is one; sums[0] without it stays. */
template <class T, class Op> __global__ void scan_sums_kernel(T *sums, size_t n, bool has_init, const T *init, Op op)
{
  __shared__ shared_values<T, 2 * THREADS> part;
  __shared__ shared_values<T, 1> carry;
  bool carried = has_init;
  if (has_init && threadIdx.x == 0)
    new (&carry[0]) T(*init);
  __syncthreads();
  for (size_t begin = 0; begin < n; begin += THREADS) {
    const int active = n - begin < THREADS ? (int)(n - begin) : THREADS, t = (int)threadIdx.x;
    const T own = sums[begin + (t < active ? t : 0)];
    scan_threads(part, own, active, op);
    /* the last buffer that scan_threads wrote: after 8 steps the first */
    const bool before = carried || t > 0;
    T prefix = own;
    if (t > 0)
      prefix = carried ? op(carry[0], part[t - 1]) : part[t - 1];
    else if (carried)
      prefix = carry[0];
    const T total = carried ? op(carry[0], part[active - 1]) : part[active - 1];
    __syncthreads();
    if (t < active && before)
      sums[begin + t] = prefix;
    if (t == 0)
      new (&carry[0]) T(total);
    carried = true;
    __syncthreads();
  }
}
/* Scans each tile after its prefix. */
template <class T, class In, class Out, class Op>
__global__ void scan_tiles_kernel(In in, size_t n, Out out, const T *sums, bool has_init, bool inclusive, Op op)
{
  __shared__ shared_values<T, 2 * THREADS> part;
  const size_t begin = blockIdx.x * (size_t)TILE, first = begin + threadIdx.x * ITEMS;
  const size_t left = n - begin;
  const int active = left < TILE ? (int)((left + ITEMS - 1) / ITEMS) : THREADS, t = (int)threadIdx.x;
  const int count = first >= n ? 0 : n - first < ITEMS ? (int)(n - first) : ITEMS;
  shared_values<T, ITEMS> item;
  for (int k = 0; k < count; k++)
    new (&item[k]) T((T)in[(ptrdiff_t)(first + k)]);
  T sum = in[(ptrdiff_t)(first < n ? first : begin)];
  for (int k = 1; k < count; k++)
    sum = op(sum, item[k]);
  scan_threads(part, sum, active, op);
  const bool has_prefix = has_init || blockIdx.x > 0;
  bool has = has_prefix || t > 0;
  T running = sum;
  if (t > 0)
    running = has_prefix ? op(sums[blockIdx.x], part[t - 1]) : part[t - 1];
  else if (has_prefix)
    running = sums[blockIdx.x];
  for (int k = 0; k < count; k++) {
    const T next = has ? op(running, item[k]) : item[k];
    if (inclusive)
      out[(ptrdiff_t)(first + k)] = next;
    else if (has)
      out[(ptrdiff_t)(first + k)] = running;
    running = next;
    has = true;
  }
}
/* init: on the device, or NULL. An exclusive scan without one leaves its first output. in may be out. */
template <class T, class In, class Out, class Op>
void scan(cudaStream_t stream, In in, size_t n, Out out, const T *init, bool inclusive, Op op)
{
  if (n == 0)
    return;
  const size_t tiles = (n + TILE - 1) / TILE;
  scratch<T> sums(tiles);
  tile_sums_kernel<T><<<(unsigned int)tiles, THREADS, 0, stream>>>(in, n, sums.get(), op);
  scan_sums_kernel<T><<<1, THREADS, 0, stream>>>(sums.get(), tiles, init != nullptr, init, op);
  scan_tiles_kernel<T>
      <<<(unsigned int)tiles, THREADS, 0, stream>>>(in, n, out, (const T *)sums.get(), init != nullptr, inclusive, op);
  require(cudaGetLastError());
}
template <class T> class device_value : public scratch<T>
{
public:
  device_value(T value, cudaStream_t stream) : scratch<T>(1)
  {
    require(cudaMemcpyAsync(this->get(), &value, sizeof(T), cudaMemcpyHostToDevice, stream));
  }
};

struct add {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const
  {
    return a + b;
  }
};

/* A sum that begins anew where `head` is set */
template <class T> struct segment {
  T sum;
  bool head;
};
template <class T, class Op> struct segment_op {
  Op op;
  __device__ segment<T> operator()(const segment<T> &a, const segment<T> &b) const
  {
    return b.head ? b : segment<T>{(T)op(a.sum, b.sum), a.head};
  }
};
template <class T, class K, class V, class Equal> struct segments {
  K keys;
  V values;
  Equal equal;
  __device__ segment<T> operator[](ptrdiff_t i) const
  {
    return segment<T>{(T)values[i], i == 0 || !equal(keys[i - 1], keys[i])};
  }
};
/* Positions of the items that a predicate of the index selects: write(i, position). Returns their number. */
template <class Predicate> struct flag_item {
  Predicate selected;
  unsigned int *flags;
  __device__ void operator()(size_t i)
  {
    flags[i] = selected(i) ? 1 : 0;
  }
};
template <class Write> struct write_item {
  Write write;
  const unsigned int *ends;
  __device__ void operator()(size_t i)
  {
    const unsigned int before = i > 0 ? ends[i - 1] : 0;
    write(i, before, ends[i] != before);
  }
};
/* write(i, position among the selected, whether i is one) */
template <class Predicate, class Write> size_t select(cudaStream_t stream, size_t n, Predicate selected, Write write)
{
  if (n == 0)
    return 0;
  scratch<unsigned int> ends(n);
  each(stream, n, flag_item<Predicate>{selected, ends.get()});
  scan<unsigned int>(stream, (const unsigned int *)ends.get(), n, ends.get(), (const unsigned int *)nullptr, true,
                     add());
  each(stream, n, write_item<Write>{write, ends.get()});
  return read_one(ends.get() + n - 1, stream);
}

/* Keys as unsigned integers of the same order */
template <class K, class = void> struct radix {
  enum { possible = 0 };
};
template <class K> struct radix<K, typename std::enable_if<std::is_integral<K>::value>::type> {
  enum { possible = 1 };
  typedef typename std::conditional<std::is_same<K, bool>::value, std::enable_if<true, unsigned char>,
                                    std::make_unsigned<K>>::type::type bits;
  static __device__ bits of(K key)
  {
    return (bits)((bits)key ^ (std::is_signed<K>::value ? (bits)1 << (8 * sizeof(K) - 1) : (bits)0));
  }
};
template <> struct radix<float> {
  enum { possible = 1 };
  typedef unsigned int bits;
  static __device__ bits of(float key)
  {
    const bits word = __float_as_uint(key == 0.0f ? 0.0f : key);
    return word ^ ((bits)((int)word >> 31) | 0x80000000u);
  }
};
template <> struct radix<double> {
  enum { possible = 1 };
  typedef unsigned long long bits;
  static __device__ bits of(double key)
  {
    const bits word = (bits)__double_as_longlong(key == 0.0 ? 0.0 : key);
    return word ^ ((bits)((long long)word >> 63) | 0x8000000000000000ull);
  }
};

enum { ROUNDS = 8, SORTED = THREADS * ROUNDS, WARPS = THREADS / 32 };
template <class K> __device__ unsigned int digit_of(K key, int shift, unsigned int mask, bool descending)
{
  typename radix<K>::bits bits = radix<K>::of(key);
  if (descending)
    bits = (typename radix<K>::bits) ~bits;
  return (unsigned int)(bits >> shift) & mask;
}
template <class K>
__global__ void digits_kernel(const K *keys, size_t n, unsigned int *counts, int shift, unsigned int mask,
                              bool descending)
{
  __shared__ unsigned int count[DIGITS];
  count[threadIdx.x] = 0;
  __syncthreads();
  const size_t begin = blockIdx.x * (size_t)SORTED;
  for (int r = 0; r < ROUNDS; r++) {
    const size_t i = begin + (size_t)r * THREADS + threadIdx.x;
    if (i < n)
      atomicAdd(&count[digit_of(keys[i], shift, mask, descending)], 1u);
  }
  __syncthreads();
  counts[threadIdx.x * (size_t)gridDim.x + blockIdx.x] = count[threadIdx.x];
}
template <class K, class V>
__global__ void spread_kernel(const K *keys, const V *values, size_t n, K *keys_out, V *values_out,
                              const unsigned int *starts, int shift, unsigned int mask, bool descending)
{
  __shared__ unsigned int next[DIGITS], counts[WARPS][DIGITS];
  const int t = (int)threadIdx.x, warp = t / 32, lane = t % 32;
  const size_t begin = blockIdx.x * (size_t)SORTED;
  next[t] = starts[t * (size_t)gridDim.x + blockIdx.x];
  for (int r = 0; r < ROUNDS && begin + (size_t)r * THREADS < n; r++) {
    const size_t i = begin + (size_t)r * THREADS + t;
    for (int w = 0; w < WARPS; w++)
      counts[w][t] = 0;
    __syncthreads();
    const unsigned int digit = i < n ? digit_of(keys[i], shift, mask, descending) : DIGITS;
    const unsigned int peers = __match_any_sync(0xffffffffu, digit);
    const unsigned int rank = (unsigned int)__popc(peers & ((1u << lane) - 1));
    if (i < n && rank == 0)
      counts[warp][digit] = (unsigned int)__popc(peers);
    __syncthreads();
    unsigned int sum = next[t];
    for (int w = 0; w < WARPS; w++) {
      const unsigned int count = counts[w][t];
      counts[w][t] = sum;
      sum += count;
    }
    next[t] = sum;
    __syncthreads();
    if (i < n) {
      const size_t to = counts[warp][digit] + rank;
      keys_out[to] = keys[i];
      if (values != nullptr)
        values_out[to] = values[i];
    }
    __syncthreads();
  }
}
struct nothing {
};
/* Sorts bits [from, to) of n keys with their values, stably. Returns whether the result is in the second buffers. */
template <class K, class V>
bool radix_sort(cudaStream_t stream, size_t n, K *keys, K *keys2, V *values, V *values2, int from, int to,
                bool descending)
{
  const unsigned int blocks = (unsigned int)((n + SORTED - 1) / SORTED);
  bool second = false;
  if (n == 0)
    return false;
  scratch<unsigned int> counts((size_t)DIGITS * blocks + 1);
  const device_value<unsigned int> zero(0, stream);
  for (int shift = from; shift < to; shift += 8) {
    const unsigned int mask = to - shift < 8 ? (1u << (to - shift)) - 1 : DIGITS - 1;
    digits_kernel<<<blocks, THREADS, 0, stream>>>((const K *)(second ? keys2 : keys), n, counts.get(), shift, mask,
                                                  descending);
    scan<unsigned int>(stream, (const unsigned int *)counts.get(), (size_t)DIGITS * blocks, counts.get(), zero.get(),
                       false, add());
    spread_kernel<<<blocks, THREADS, 0, stream>>>((const K *)(second ? keys2 : keys),
                                                  (const V *)(second ? values2 : values), n, second ? keys : keys2,
                                                  second ? values : values2, counts.get(), shift, mask, descending);
    second = !second;
  }
  require(cudaGetLastError());
  return second;
}

/* Sorts by insertion `MERGED` items per thread. */
template <class K, class V, class Less> __global__ void insertion_kernel(K *keys, V *values, size_t n, Less less)
{
  const size_t begin = (blockIdx.x * (size_t)THREADS + threadIdx.x) * MERGED;
  const size_t end = begin + MERGED < n ? begin + MERGED : n;
  for (size_t i = begin + 1; i < end; i++) {
    const K key = keys[i];
    size_t j = i;
    if (values != nullptr) {
      const V value = values[i];
      for (; j > begin && less(key, keys[j - 1]); j--) {
        keys[j] = keys[j - 1];
        values[j] = values[j - 1];
      }
      values[j] = value;
    } else
      for (; j > begin && less(key, keys[j - 1]); j--)
        keys[j] = keys[j - 1];
    keys[j] = key;
  }
}
/* Merges runs of `width` in pairs; a thread makes MERGED items of the result. */
template <class K, class V, class Less>
__global__ void merge_kernel(const K *keys, const V *values, size_t n, K *keys_out, V *values_out, size_t width,
                             Less less)
{
  const size_t to = (blockIdx.x * (size_t)THREADS + threadIdx.x) * MERGED;
  if (to >= n)
    return;
  const size_t begin = to / (2 * width) * (2 * width);
  const size_t middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
  const size_t diagonal = to - begin, left = middle - begin, right = end - middle;
  size_t low = diagonal > right ? diagonal - right : 0, high = diagonal < left ? diagonal : left;
  while (low < high) {
    const size_t half = (low + high) / 2;
    if (less(keys[middle + (diagonal - half - 1)], keys[begin + half]))
      high = half;
    else
      low = half + 1;
  }
  size_t a = begin + low, b = middle + (diagonal - low);
  for (size_t i = to; i < to + MERGED && i < end; i++) {
    const bool second = a >= middle || (b < end && less(keys[b], keys[a]));
    const size_t from = second ? b++ : a++;
    keys_out[i] = keys[from];
    if (values != nullptr)
      values_out[i] = values[from];
  }
}
template <class K, class V, class Less>
bool merge_sort(cudaStream_t stream, size_t n, K *keys, K *keys2, V *values, V *values2, Less less)
{
  const unsigned int blocks = (unsigned int)((n + THREADS * MERGED - 1) / (THREADS * MERGED));
  bool second = false;
  if (n < 2)
    return false;
  insertion_kernel<<<blocks, THREADS, 0, stream>>>(keys, values, n, less);
  for (size_t width = MERGED; width < n; width *= 2) {
    merge_kernel<<<blocks, THREADS, 0, stream>>>((const K *)(second ? keys2 : keys),
                                                 (const V *)(second ? values2 : values), n, second ? keys : keys2,
                                                 second ? values : values2, width, less);
    second = !second;
  }
  require(cudaGetLastError());
  return second;
}
} // namespace simtlab

#endif
