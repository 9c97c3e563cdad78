/* CUB on whole devices beyond sums, scans, radix sorts and selections: by keys, by segments, histograms, merge sorts */
#ifndef SIMTLAB_CUB_DEVICE_H
#define SIMTLAB_CUB_DEVICE_H

namespace cub
{
/* Functions that take the arguments of a device-wide function after its temporary memory */
#define SIMTLAB_CUB_TEMPORARY void *temporary, size_t &bytes

/* ---- by keys ----------------------------------------------------------------------------------------------------- */

/* sums[i]: the sum of the values from the first one with the key of item i to that of item i */
template <class T, class K, class V, class Equal, class Op>
void simtlab_sums(cudaStream_t stream, K keys, V values, size_t n, simtlab::segment<T> *sums, Equal equal, Op op)
{
  simtlab::scan<simtlab::segment<T>>(stream, simtlab::segments<T, K, V, Equal>{keys, values, equal}, n, sums,
                                     (const simtlab::segment<T> *)nullptr, true, simtlab::segment_op<T, Op>{op});
}
template <class K, class KOut, class V, class Out, class Count, class Op>
cudaError_t DeviceReduce::ReduceByKey(SIMTLAB_CUB_TEMPORARY, K keys, KOut keys_out, V values, Out out, Count count,
                                      Op op, int n, cudaStream_t stream, bool)
{
  typedef simtlab::value_of<V> T;
  SIMTLAB_CUB_BEGIN
  simtlab::scratch<simtlab::segment<T>> sums((size_t)n);
  simtlab::segment<T> *from = sums.get();
  simtlab_sums<T>(stream, keys, values, (size_t)n, from, Equality(), op);
  const size_t found = simtlab::select(
      stream, (size_t)n, [=] __device__(size_t i) { return i + 1 == (size_t)n || !(keys[i] == keys[i + 1]); },
      [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
        if (chosen) {
          keys_out[at] = keys[i];
          out[at] = from[i].sum;
        }
      });
  simtlab::each(stream, 1, [=] __device__(size_t) mutable { *count = (int)found; });
  SIMTLAB_CUB_END
}
template <class K, class V, class Out, class Op, class T, class Equal>
cudaError_t DeviceScan::ExclusiveScanByKey(SIMTLAB_CUB_TEMPORARY, K keys, V values, Out out, Op op, T init, int n,
                                           Equal equal, cudaStream_t stream, bool)
{
  SIMTLAB_CUB_BEGIN
  simtlab::scratch<simtlab::segment<T>> sums((size_t)n);
  simtlab::segment<T> *from = sums.get();
  simtlab_sums<T>(stream, keys, values, (size_t)n, from, equal, op);
  simtlab::each(stream, (size_t)n, [=] __device__(size_t i) mutable {
    out[i] = i == 0 || !equal(keys[i - 1], keys[i]) ? init : (T)op(init, from[i - 1].sum);
  });
  SIMTLAB_CUB_END
}
template <class K, class V, class Out, class Op, class Equal>
cudaError_t DeviceScan::InclusiveScanByKey(SIMTLAB_CUB_TEMPORARY, K keys, V values, Out out, Op op, int n, Equal equal,
                                           cudaStream_t stream, bool)
{
  typedef simtlab::value_of<V> T;
  SIMTLAB_CUB_BEGIN
  simtlab::scratch<simtlab::segment<T>> sums((size_t)n);
  simtlab::segment<T> *from = sums.get();
  simtlab_sums<T>(stream, keys, values, (size_t)n, from, equal, op);
  simtlab::each(stream, (size_t)n, [=] __device__(size_t i) mutable { out[i] = from[i].sum; });
  SIMTLAB_CUB_END
}

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static cudaError_t Encode(SIMTLAB_CUB_TEMPORARY, In in, Unique unique, Lengths lengths, Count count, int n,
                            cudaStream_t stream = 0, bool = false)
  {
    return DeviceReduce::ReduceByKey(temporary, bytes, in, unique, ConstantInputIterator<int>(1), lengths, count,
                                     cub::Sum(), n, stream);
  }
  /* Runs of two items and more */
  template <class In, class Offsets, class Lengths, class Count>
  static cudaError_t NonTrivialRuns(SIMTLAB_CUB_TEMPORARY, In in, Offsets offsets, Lengths lengths, Count count, int n,
                                    cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab::scratch<simtlab::segment<int>> sums((size_t)n);
    simtlab::segment<int> *from = sums.get();
    simtlab_sums<int>(stream, in, ConstantInputIterator<int>(1), (size_t)n, from, Equality(), cub::Sum());
    const size_t found = simtlab::select(
        stream, (size_t)n,
        [=] __device__(size_t i) { return from[i].sum > 1 && (i + 1 == (size_t)n || !(in[i] == in[i + 1])); },
        [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
          if (chosen) {
            offsets[at] = (int)i + 1 - from[i].sum;
            lengths[at] = from[i].sum;
          }
        });
    simtlab::each(stream, 1, [=] __device__(size_t) mutable { *count = (int)found; });
    SIMTLAB_CUB_END
  }
};

/* The selected items in order, then the others in reverse order */
struct DevicePartition {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(SIMTLAB_CUB_TEMPORARY, In in, Flags flags, Out out, Count count, int n,
                             cudaStream_t stream = 0, bool = false)
  {
    return simtlab_partition(
        temporary, bytes, in, out, count, n, [=] __device__(size_t i) { return (bool)flags[i]; }, stream);
  }
  template <class In, class Out, class Count, class P>
  static cudaError_t If(SIMTLAB_CUB_TEMPORARY, In in, Out out, Count count, int n, P p, cudaStream_t stream = 0,
                        bool = false)
  {
    return simtlab_partition(
        temporary, bytes, in, out, count, n, [=] __device__(size_t i) mutable { return (bool)p(in[i]); }, stream);
  }
  template <class In, class Out, class Count, class Selected>
  static cudaError_t simtlab_partition(SIMTLAB_CUB_TEMPORARY, In in, Out out, Count count, int n, Selected selected,
                                       cudaStream_t stream)
  {
    SIMTLAB_CUB_BEGIN
    const size_t found =
        simtlab::select(stream, (size_t)n, selected, [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
          out[chosen ? at : (size_t)n - 1 - (i - at)] = in[i];
        });
    simtlab::each(stream, 1, [=] __device__(size_t) mutable { *count = (int)found; });
    SIMTLAB_CUB_END
  }
};

/* ---- by segments ------------------------------------------------------------------------------------------------- */

/* One block per segment: the sum of its items in an order of commutative operations */
template <class T, class In, class Out, class Begin, class End, class Op>
__global__ void simtlab_segment_kernel(In in, Out out, Begin begin, End end, Op op, T init)
{
  __shared__ simtlab::shared_values<T, simtlab::THREADS> part;
  const ptrdiff_t first = (ptrdiff_t)begin[blockIdx.x], last = (ptrdiff_t)end[blockIdx.x];
  const int t = (int)threadIdx.x, active = last - first < simtlab::THREADS ? (int)(last - first) : simtlab::THREADS;
  if (t < active) {
    T sum = in[first + t];
    for (ptrdiff_t i = first + t + simtlab::THREADS; i < last; i += simtlab::THREADS)
      sum = op(sum, (T)in[i]);
    new (&part[t]) T(sum);
  }
  __syncthreads();
  for (int stride = simtlab::THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < active)
      part[t] = op(part[t], part[t + stride]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = active > 0 ? (T)op(init, part[0]) : init;
}
/* An item with its index in its segment */
template <class In, class T, class Begin> struct simtlab_indexed_from {
  In in;
  Begin begin;
  __device__ KeyValuePair<int, T> operator[](ptrdiff_t i) const
  {
    return KeyValuePair<int, T>((int)(i - (ptrdiff_t)begin[blockIdx.x]), (T)in[i]);
  }
};
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t Reduce(SIMTLAB_CUB_TEMPORARY, In in, Out out, int segments, Begin begin, End end, Op op, T init,
                            cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    if (segments > 0)
      simtlab_segment_kernel<T><<<(unsigned int)segments, simtlab::THREADS, 0, stream>>>(in, out, begin, end, op, init);
    simtlab::require(cudaGetLastError());
    SIMTLAB_CUB_END
  }
#define SIMTLAB_CUB_REDUCE(name, op, input, init)                                                                      \
  template <class In, class Out, class Begin, class End>                                                               \
  static cudaError_t name(SIMTLAB_CUB_TEMPORARY, In in, Out out, int segments, Begin begin, End end,                   \
                          cudaStream_t stream = 0, bool = false)                                                       \
  {                                                                                                                    \
    typedef simtlab::value_of<In> T;                                                                                   \
    typedef KeyValuePair<int, T> pair;                                                                                 \
    (void)sizeof(pair);                                                                                                \
    return Reduce(temporary, bytes, input, out, segments, begin, end, op(), init, stream);                             \
  }
  SIMTLAB_CUB_REDUCE(Sum, cub::Sum, in, T(0))
  SIMTLAB_CUB_REDUCE(Max, cub::Max, in, std::numeric_limits<T>::lowest())
  SIMTLAB_CUB_REDUCE(Min, cub::Min, in, (std::numeric_limits<T>::max)())
#define SIMTLAB_CUB_INDEXED                                                                                            \
  simtlab_indexed_from<In SIMTLAB_CUB_COMMA T SIMTLAB_CUB_COMMA Begin>                                                 \
  {                                                                                                                    \
    in, begin                                                                                                          \
  }
#define SIMTLAB_CUB_COMMA ,
  SIMTLAB_CUB_REDUCE(ArgMax, cub::ArgMax, SIMTLAB_CUB_INDEXED, pair(1, std::numeric_limits<T>::lowest()))
  SIMTLAB_CUB_REDUCE(ArgMin, cub::ArgMin, SIMTLAB_CUB_INDEXED, pair(1, (std::numeric_limits<T>::max)()))
#undef SIMTLAB_CUB_INDEXED
#undef SIMTLAB_CUB_COMMA
#undef SIMTLAB_CUB_REDUCE
};

/* f(segment, index) for each item of each segment */
template <class Begin, class End, class F> __global__ void simtlab_each_of_segment(Begin begin, End end, F f)
{
  for (ptrdiff_t i = (ptrdiff_t)begin[blockIdx.x] + threadIdx.x; i < (ptrdiff_t)end[blockIdx.x]; i += blockDim.x)
    f(blockIdx.x, (size_t)i);
}
/* Sorts by key, then, stably, by segment; what is outside of all segments stays. */
template <class K, class V, class Begin, class End>
cudaError_t simtlab_sort_segments(SIMTLAB_CUB_TEMPORARY, const K *keys, K *keys_out, const V *values, V *values_out,
                                  size_t n, int segments, Begin begin, End end, int from, int to, bool descending,
                                  cudaStream_t stream)
{
  SIMTLAB_CUB_BEGIN
  typedef unsigned int index;
  if (segments <= 0 || n == 0)
    return cudaSuccess;
  simtlab::scratch<K> key(n), key2(n);
  simtlab::scratch<index> place(n), place2(n), of(n), of2(n), start((size_t)segments);
  index *segment = of.get(), *starts = start.get();
  simtlab::copy_items(stream, n, keys, key.get());
  simtlab::copy_items(stream, n, CountingInputIterator<index>(0), place.get());
  simtlab::copy_items(stream, n, ConstantInputIterator<index>((index)segments), segment);
  auto mark = [=] __device__(unsigned int s, size_t i) { segment[i] = s; };
  simtlab_each_of_segment<<<(unsigned int)segments, simtlab::THREADS, 0, stream>>>(begin, end, mark);
  const bool second = simtlab::radix_sort(stream, n, key.get(), key2.get(), place.get(), place2.get(), from,
                                          to < 8 * (int)sizeof(K) ? to : 8 * (int)sizeof(K), descending);
  const index *by_key = (second ? place2 : place).get();
  simtlab::scratch<index> sorted(n), sorted2(n);
  index *in = sorted.get(), *segment_of = of2.get();
  simtlab::each(stream, n, [=] __device__(size_t i) {
    in[i] = by_key[i];
    segment_of[i] = segment[by_key[i]];
  });
  simtlab::scratch<index> segment2(n);
  int bits = 1;
  while (bits < 32 && segments >> bits != 0)
    bits++;
  const bool other = simtlab::radix_sort(stream, n, segment_of, segment2.get(), in, sorted2.get(), 0, bits, false);
  const index *s = other ? segment2.get() : segment_of, *at = (other ? sorted2 : sorted).get();
  simtlab::each(stream, n, [=] __device__(size_t i) {
    if (s[i] < (index)segments && (i == 0 || s[i - 1] != s[i]))
      starts[s[i]] = (index)i;
  });
  const K *key_of = keys;
  simtlab::scratch<K> made(n); /* the result may be the input */
  simtlab::scratch<V> made_values(values != nullptr ? n : 0);
  K *key_made = made.get();
  V *value_made = made_values.get();
  simtlab::each(stream, n, [=] __device__(size_t i) {
    key_made[i] = key_of[at[i]];
    if (values != nullptr)
      value_made[i] = values[at[i]];
  });
  simtlab::each(stream, n, [=] __device__(size_t i) mutable {
    if (s[i] >= (index)segments)
      return;
    const size_t place = (size_t)begin[s[i]] + i - starts[s[i]];
    keys_out[place] = key_made[i];
    if (values != nullptr)
      values_out[place] = value_made[i];
  });
  SIMTLAB_CUB_END
}
#define SIMTLAB_CUB_SORT(keys_name, pairs_name, descending, PARAMETERS, FROM, TO)                                      \
  template <class K, class N, class Begin, class End>                                                                  \
  static cudaError_t keys_name(SIMTLAB_CUB_TEMPORARY, const K *keys, K *keys_out, N n, int segments, Begin begin,      \
                               End end PARAMETERS, cudaStream_t stream = 0, bool = false)                              \
  {                                                                                                                    \
    return simtlab_sort_segments(temporary, bytes, keys, keys_out, (const NullType *)nullptr, (NullType *)nullptr,     \
                                 (size_t)n, segments, begin, end, FROM, TO, descending, stream);                       \
  }                                                                                                                    \
  template <class K, class N, class Begin, class End>                                                                  \
  static cudaError_t keys_name(SIMTLAB_CUB_TEMPORARY, DoubleBuffer<K> &keys, N n, int segments, Begin begin,           \
                               End end PARAMETERS, cudaStream_t stream = 0, bool = false)                              \
  {                                                                                                                    \
    const cudaError_t error = simtlab_sort_segments(temporary, bytes, (const K *)keys.Current(), keys.Alternate(),     \
                                                    (const NullType *)nullptr, (NullType *)nullptr, (size_t)n,         \
                                                    segments, begin, end, FROM, TO, descending, stream);               \
    keys.selector ^= temporary != nullptr ? 1 : 0;                                                                     \
    return error;                                                                                                      \
  }                                                                                                                    \
  template <class K, class V, class N, class Begin, class End>                                                         \
  static cudaError_t pairs_name(SIMTLAB_CUB_TEMPORARY, const K *keys, K *keys_out, const V *values, V *values_out,     \
                                N n, int segments, Begin begin, End end PARAMETERS, cudaStream_t stream = 0,           \
                                bool = false)                                                                          \
  {                                                                                                                    \
    return simtlab_sort_segments(temporary, bytes, keys, keys_out, values, values_out, (size_t)n, segments, begin,     \
                                 end, FROM, TO, descending, stream);                                                   \
  }                                                                                                                    \
  template <class K, class V, class N, class Begin, class End>                                                         \
  static cudaError_t pairs_name(SIMTLAB_CUB_TEMPORARY, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n,            \
                                int segments, Begin begin, End end PARAMETERS, cudaStream_t stream = 0, bool = false)  \
  {                                                                                                                    \
    const cudaError_t error = simtlab_sort_segments(temporary, bytes, (const K *)keys.Current(), keys.Alternate(),     \
                                                    (const V *)values.Current(), values.Alternate(), (size_t)n,        \
                                                    segments, begin, end, FROM, TO, descending, stream);               \
    keys.selector ^= temporary != nullptr ? 1 : 0;                                                                     \
    values.selector ^= temporary != nullptr ? 1 : 0;                                                                   \
    return error;                                                                                                      \
  }
#define SIMTLAB_CUB_BITS , int from = 0, int to = 8 * sizeof(K)
#define SIMTLAB_CUB_NONE
struct DeviceSegmentedRadixSort {
  SIMTLAB_CUB_SORT(SortKeys, SortPairs, false, SIMTLAB_CUB_BITS, from, to)
  SIMTLAB_CUB_SORT(SortKeysDescending, SortPairsDescending, true, SIMTLAB_CUB_BITS, from, to)
};
struct DeviceSegmentedSort {
  SIMTLAB_CUB_SORT(SortKeys, SortPairs, false, SIMTLAB_CUB_NONE, 0, 8 * (int)sizeof(K))
  SIMTLAB_CUB_SORT(SortKeysDescending, SortPairsDescending, true, SIMTLAB_CUB_NONE, 0, 8 * (int)sizeof(K))
  SIMTLAB_CUB_SORT(StableSortKeys, StableSortPairs, false, SIMTLAB_CUB_NONE, 0, 8 * (int)sizeof(K))
  SIMTLAB_CUB_SORT(StableSortKeysDescending, StableSortPairsDescending, true, SIMTLAB_CUB_NONE, 0, 8 * (int)sizeof(K))
};
#undef SIMTLAB_CUB_SORT
#undef SIMTLAB_CUB_BITS
#undef SIMTLAB_CUB_NONE

/* ---- sorting by a comparison ------------------------------------------------------------------------------------- */

struct DeviceMergeSort {
  template <class In, class VIn, class Out, class VOut, class N, class Less>
  static cudaError_t simtlab_sort(SIMTLAB_CUB_TEMPORARY, In in, VIn values, Out out, VOut values_out, N count,
                                  Less less, bool pairs, cudaStream_t stream)
  {
    typedef simtlab::value_of<In> K;
    typedef simtlab::value_of<VIn> V;
    SIMTLAB_CUB_BEGIN
    const size_t n = (size_t)count;
    simtlab::scratch<K> keys(n), keys2(n);
    simtlab::scratch<V> own(pairs ? n : 0), own2(pairs ? n : 0);
    simtlab::copy_items(stream, n, in, keys.get());
    if (pairs)
      simtlab::copy_items(stream, n, values, own.get());
    const bool second = simtlab::merge_sort(stream, n, keys.get(), keys2.get(), pairs ? own.get() : nullptr,
                                            pairs ? own2.get() : nullptr, less);
    simtlab::copy_items(stream, n, (const K *)(second ? keys2 : keys).get(), out);
    if (pairs)
      simtlab::copy_items(stream, n, (const V *)(second ? own2 : own).get(), values_out);
    SIMTLAB_CUB_END
  }
#define SIMTLAB_CUB_SORT(keys_name, pairs_name)                                                                        \
  template <class K, class N, class Less>                                                                              \
  static cudaError_t keys_name(SIMTLAB_CUB_TEMPORARY, K keys, N n, Less less, cudaStream_t stream = 0, bool = false)   \
  {                                                                                                                    \
    return simtlab_sort(temporary, bytes, keys, keys, keys, keys, n, less, false, stream);                             \
  }                                                                                                                    \
  template <class K, class V, class N, class Less>                                                                     \
  static cudaError_t pairs_name(SIMTLAB_CUB_TEMPORARY, K keys, V values, N n, Less less, cudaStream_t stream = 0,      \
                                bool = false)                                                                          \
  {                                                                                                                    \
    return simtlab_sort(temporary, bytes, keys, values, keys, values, n, less, true, stream);                          \
  }
  SIMTLAB_CUB_SORT(SortKeys, SortPairs)
  SIMTLAB_CUB_SORT(StableSortKeys, StableSortPairs)
#undef SIMTLAB_CUB_SORT
  template <class In, class Out, class N, class Less>
  static cudaError_t SortKeysCopy(SIMTLAB_CUB_TEMPORARY, In in, Out out, N n, Less less, cudaStream_t stream = 0,
                                  bool = false)
  {
    return simtlab_sort(temporary, bytes, in, in, out, out, n, less, false, stream);
  }
  template <class In, class VIn, class Out, class VOut, class N, class Less>
  static cudaError_t SortPairsCopy(SIMTLAB_CUB_TEMPORARY, In in, VIn values, Out out, VOut values_out, N n, Less less,
                                   cudaStream_t stream = 0, bool = false)
  {
    return simtlab_sort(temporary, bytes, in, values, out, values_out, n, less, true, stream);
  }
};

/* ---- histograms -------------------------------------------------------------------------------------------------- */

/* The bin of a sample: of equal width, or between levels; -1: none */
template <class L> struct simtlab_even {
  int bins;
  L lower, upper;
  template <class S> __device__ int operator()(S sample) const
  {
    if (!((L)sample >= lower && (L)sample < upper))
      return -1;
    return bin((L)sample, std::is_integral<L>());
  }
  __device__ int bin(L sample, std::true_type) const
  {
    return (int)((unsigned long long)(sample - lower) * (unsigned long long)bins / (unsigned long long)(upper - lower));
  }
  __device__ int bin(L sample, std::false_type) const
  {
    const int i = (int)((sample - lower) * ((L)bins / (upper - lower)));
    return i < bins ? i : bins - 1;
  }
};
template <class L> struct simtlab_range {
  int bins;
  const L *levels;
  template <class S> __device__ int operator()(S sample) const
  {
    int first = 0, last = bins + 1;
    while (first < last) {
      const int half = (first + last) / 2;
      if ((L)sample < levels[half])
        last = half;
      else
        first = half + 1;
    }
    return first > bins ? -1 : first - 1;
  }
};
struct DeviceHistogram {
  /* Channel `channel` of pixels of `channels` samples */
  template <class In, class C, class Bin>
  static void simtlab_count(cudaStream_t stream, In in, C *histogram, Bin bin, size_t columns, size_t rows,
                            size_t row_bytes, int channels, int channel)
  {
    simtlab::each(stream, (size_t)bin.bins, [=] __device__(size_t i) { histogram[i] = 0; });
    const size_t row = row_bytes / sizeof(simtlab::value_of<In>);
    simtlab::each(stream, columns * rows, [=] __device__(size_t i) {
      const int b = bin(in[i / columns * row + i % columns * (size_t)channels + (size_t)channel]);
      if (b >= 0)
        atomicAdd(&histogram[b], (C)1);
    });
  }
  template <class In, class C, class L>
  static cudaError_t HistogramEven(SIMTLAB_CUB_TEMPORARY, In in, C *histogram, int levels, L lower, L upper, int n,
                                   cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab_count(stream, in, histogram, simtlab_even<L>{levels - 1, lower, upper}, (size_t)n, 1, 0, 1, 0);
    SIMTLAB_CUB_END
  }
  template <class In, class C, class L>
  static cudaError_t HistogramEven(SIMTLAB_CUB_TEMPORARY, In in, C *histogram, int levels, L lower, L upper,
                                   int columns, int rows, size_t row_bytes, cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab_count(stream, in, histogram, simtlab_even<L>{levels - 1, lower, upper}, (size_t)columns, (size_t)rows,
                  row_bytes, 1, 0);
    SIMTLAB_CUB_END
  }
  template <class In, class C, class L>
  static cudaError_t HistogramRange(SIMTLAB_CUB_TEMPORARY, In in, C *histogram, int levels, const L *borders, int n,
                                    cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab_count(stream, in, histogram, simtlab_range<L>{levels - 1, borders}, (size_t)n, 1, 0, 1, 0);
    SIMTLAB_CUB_END
  }
  template <int CHANNELS, int ACTIVE, class In, class C, class L>
  static cudaError_t MultiHistogramEven(SIMTLAB_CUB_TEMPORARY, In in, C *histogram[ACTIVE], const int levels[ACTIVE],
                                        const L lower[ACTIVE], const L upper[ACTIVE], int pixels,
                                        cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    for (int c = 0; c < ACTIVE; c++)
      simtlab_count(stream, in, histogram[c], simtlab_even<L>{levels[c] - 1, lower[c], upper[c]}, (size_t)pixels, 1, 0,
                    CHANNELS, c);
    SIMTLAB_CUB_END
  }
  template <int CHANNELS, int ACTIVE, class In, class C, class L>
  static cudaError_t MultiHistogramRange(SIMTLAB_CUB_TEMPORARY, In in, C *histogram[ACTIVE], const int levels[ACTIVE],
                                         const L *const borders[ACTIVE], int pixels, cudaStream_t stream = 0,
                                         bool = false)
  {
    SIMTLAB_CUB_BEGIN
    for (int c = 0; c < ACTIVE; c++)
      simtlab_count(stream, in, histogram[c], simtlab_range<L>{levels[c] - 1, borders[c]}, (size_t)pixels, 1, 0,
                    CHANNELS, c);
    SIMTLAB_CUB_END
  }
};

/* ---- items one by one -------------------------------------------------------------------------------------------- */

struct DeviceFor {
  template <class N, class F> static cudaError_t Bulk(N n, F f, cudaStream_t stream = 0)
  {
    return simtlab_run((size_t)n, [=] __device__(size_t i) mutable { f((N)i); }, stream);
  }
  template <class It, class N, class F> static cudaError_t ForEachN(It first, N n, F f, cudaStream_t stream = 0)
  {
    return simtlab_run((size_t)n, [=] __device__(size_t i) mutable { f(first[(ptrdiff_t)i]); }, stream);
  }
  template <class It, class F> static cudaError_t ForEach(It first, It last, F f, cudaStream_t stream = 0)
  {
    return ForEachN(first, last - first, f, stream);
  }
  template <class F> static cudaError_t simtlab_run(size_t n, F f, cudaStream_t stream)
  {
    char memory;
    void *temporary = &memory;
    size_t bytes = 1;
    SIMTLAB_CUB_BEGIN
    simtlab::each(stream, n, f);
    SIMTLAB_CUB_END
  }
};
struct DeviceAdjacentDifference {
  template <class In, class Out, class N, class Op>
  static cudaError_t simtlab_differ(SIMTLAB_CUB_TEMPORARY, In in, Out out, N count, Op op, bool left,
                                    cudaStream_t stream)
  {
    typedef simtlab::value_of<In> T;
    SIMTLAB_CUB_BEGIN
    const size_t n = (size_t)count;
    simtlab::scratch<T> made(n); /* the result may be the input */
    T *to = made.get();
    simtlab::each(stream, n, [=] __device__(size_t i) mutable {
      const size_t other = left ? i - 1 : i + 1;
      new (to + i) T((left ? i == 0 : i + 1 == n) ? (T)in[i] : (T)op(in[i], in[other]));
    });
    simtlab::copy_items(stream, n, (const T *)to, out);
    SIMTLAB_CUB_END
  }
#define SIMTLAB_CUB_DIFFERENCE(name, copy_name, left)                                                                  \
  template <class In, class Out, class N, class Op = Difference>                                                       \
  static cudaError_t copy_name(SIMTLAB_CUB_TEMPORARY, In in, Out out, N n, Op op = Op(), cudaStream_t stream = 0,      \
                               bool = false)                                                                           \
  {                                                                                                                    \
    return simtlab_differ(temporary, bytes, in, out, n, op, left, stream);                                             \
  }                                                                                                                    \
  template <class It, class N, class Op = Difference>                                                                  \
  static cudaError_t name(SIMTLAB_CUB_TEMPORARY, It in, N n, Op op = Op(), cudaStream_t stream = 0, bool = false)      \
  {                                                                                                                    \
    return simtlab_differ(temporary, bytes, in, in, n, op, left, stream);                                              \
  }
  SIMTLAB_CUB_DIFFERENCE(SubtractLeft, SubtractLeftCopy, true)
  SIMTLAB_CUB_DIFFERENCE(SubtractRight, SubtractRightCopy, false)
#undef SIMTLAB_CUB_DIFFERENCE
};
/* y = A x, a row per thread */
struct DeviceSpmv {
  template <class T>
  static cudaError_t CsrMV(SIMTLAB_CUB_TEMPORARY, const T *values, const int *rows, const int *columns, const T *x,
                           T *y, int row_count, int, int, cudaStream_t stream = 0, bool = false)
  {
    SIMTLAB_CUB_BEGIN
    simtlab::each(stream, (size_t)row_count, [=] __device__(size_t row) {
      T sum = T(0);
      for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += values[i] * x[columns[i]];
      y[row] = sum;
    });
    SIMTLAB_CUB_END
  }
};
#undef SIMTLAB_CUB_TEMPORARY
} // namespace cub

#endif
