/* The names of the algorithms: with a policy, or by where their iterators point; in device code in the calling thread.
 */
#ifndef SIMTLAB_THRUST_ALGORITHMS_H
#define SIMTLAB_THRUST_ALGORITHMS_H

#include "../execution_policy.h"
#include "parallel.h"
#include "sets.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace thrust
{
namespace detail
{
template <class... A>
using common_system = typename std::conditional<any<on_device<A>...>::value, device_tag, host_tag>::type;

#define SIMTLAB_THRUST_RUN(name)                                                                                       \
  template <class... A> auto run_##name(host_tag, cudaStream_t, A... a)->decltype(thrust::seqn::name(a...))            \
  {                                                                                                                    \
    return thrust::seqn::name(a...);                                                                                   \
  }                                                                                                                    \
  template <class... A> auto run_##name(device_tag, cudaStream_t s, A... a)->decltype(thrust::seqn::name(a...))        \
  {                                                                                                                    \
    return thrust::par::name(s, a...);                                                                                 \
  }

/* Names that the device has as the host has them */
#define SIMTLAB_THRUST_NAME(name)                                                                                      \
  template <class P, class... A, class = detail::if_<detail::is_policy<P>::value>>                                     \
  __host__ auto name(const P &p, A... a)->decltype(thrust::seqn::name(a...))                                           \
  {                                                                                                                    \
    return detail::run_##name(typename detail::policy_system<P>::type(), p.stream, a...);                              \
  }                                                                                                                    \
  template <class A0, class... A, class = detail::if_<!detail::is_policy<A0>::value>, class = void>                    \
  __host__ auto name(A0 a0, A... a)->decltype(thrust::seqn::name(a0, a...))                                            \
  {                                                                                                                    \
    return detail::run_##name(detail::common_system<A0, A...>(), (cudaStream_t)0, a0, a...);                           \
  }                                                                                                                    \
  template <class P, class... A, class = detail::if_<detail::is_policy<P>::value>>                                     \
  __device__ auto name(const P &, A... a)->decltype(thrust::seqn::name(a...))                                          \
  {                                                                                                                    \
    return thrust::seqn::name(a...);                                                                                   \
  }                                                                                                                    \
  template <class A0, class... A, class = detail::if_<!detail::is_policy<A0>::value>, class = void>                    \
  __device__ auto name(A0 a0, A... a)->decltype(thrust::seqn::name(a0, a...))                                          \
  {                                                                                                                    \
    return thrust::seqn::name(a0, a...);                                                                               \
  }

#define SIMTLAB_THRUST_ALL(one)                                                                                        \
  one(for_each) one(for_each_n) one(fill) one(fill_n) one(sequence) one(tabulate) one(generate) one(generate_n)        \
      one(transform) one(transform_if) one(gather) one(scatter) one(scatter_if) one(reduce) one(transform_reduce)      \
          one(inner_product) one(count_if) one(count) one(find_if) one(find_if_not) one(find) one(any_of) one(all_of)  \
              one(none_of) one(equal) one(is_sorted) one(max_element) one(min_element) one(minmax_element)             \
                  one(inclusive_scan) one(exclusive_scan) one(transform_inclusive_scan) one(transform_exclusive_scan)  \
                      one(inclusive_scan_by_key) one(exclusive_scan_by_key) one(reduce_by_key)                         \
                          one(adjacent_difference) one(copy_if) one(remove_if) one(remove) one(remove_copy_if)         \
                              one(unique_copy) one(unique) one(unique_by_key) one(stable_partition) one(partition)     \
                                  one(replace_if) one(replace) one(reverse) one(reverse_copy) one(swap_ranges)         \
                                      one(merge) one(merge_by_key) one(set_intersection) one(set_difference)           \
                                          one(set_union) one(set_symmetric_difference) one(mismatch)                   \
                                              one(stable_partition_copy) one(partition_copy) one(remove_copy)          \
                                                  one(replace_copy_if) one(replace_copy) one(gather_if)                \
                                                      one(unique_by_key_copy) one(is_sorted_until)                     \
                                                          one(partition_point) one(is_partitioned) one(shuffle)
SIMTLAB_THRUST_ALL(SIMTLAB_THRUST_RUN)

/* Copies between host and device go by the runtime where both sides are plain memory, else by a buffer. */
template <class It> struct memory {
  enum { plain = 0 };
};
template <class T> struct memory<T *> {
  enum { plain = 1 };
  static const void *at(T *p)
  {
    return p;
  }
};
template <class T> struct memory<device_ptr<T>> {
  enum { plain = 1 };
  static const void *at(device_ptr<T> p)
  {
    return p.get();
  }
};
template <class T, class C> struct memory<__gnu_cxx::__normal_iterator<T, C>> {
  enum { plain = 1 };
  static const void *at(__gnu_cxx::__normal_iterator<T, C> p)
  {
    return p.base();
  }
};
template <class In, class Out> struct copied {
  typedef item_of<In> V;
  typedef item_of<Out> W;
  static Out run(std::integral_constant<int, 0>, cudaStream_t, In first, In last, Out out) /* host to host */
  {
    return thrust::seqn::copy(first, last, out);
  }
  static Out run(std::integral_constant<int, 3>, cudaStream_t s, In first, In last, Out out)
  {
    return thrust::par::copy(s, first, last, out);
  }
  static Out run(std::integral_constant<int, 4>, cudaStream_t s, In first, In last, Out out) /* memory */
  {
    const size_t bytes = (size_t)(last - first) * sizeof(V);
    if (bytes > 0)
      simtlab::require(
          cudaMemcpyAsync((void *)memory<Out>::at(out), memory<In>::at(first), bytes, cudaMemcpyDefault, s));
    simtlab::require(cudaStreamSynchronize(s));
    return out + (last - first);
  }
  static Out run(std::integral_constant<int, 1>, cudaStream_t s, In first, In last, Out out) /* to the device */
  {
    const size_t n = (size_t)std::distance(first, last);
    const std::unique_ptr<W[]> items(new W[n > 0 ? n : 1]);
    std::copy(first, last, items.get());
    simtlab::scratch<W> buffer(n);
    simtlab::require(
        cudaMemcpy((void *)buffer.get(), (const void *)items.get(), n * sizeof(W), cudaMemcpyHostToDevice));
    return thrust::par::copy(s, buffer.get(), buffer.get() + n, out), out + (ptrdiff_t)n;
  }
  static Out run(std::integral_constant<int, 2>, cudaStream_t s, In first, In last, Out out) /* to the host */
  {
    const size_t n = (size_t)(last - first);
    const std::unique_ptr<V[]> items(new V[n > 0 ? n : 1]);
    simtlab::scratch<V> buffer(n);
    thrust::par::copy(s, first, last, buffer.get());
    simtlab::require(
        cudaMemcpy((void *)items.get(), (const void *)buffer.get(), n * sizeof(V), cudaMemcpyDeviceToHost));
    return std::copy(items.get(), items.get() + n, out);
  }
};
template <class In, class Out> struct copy_way {
  enum {
    way = (on_device<In>::value ? 2 : 0) + (on_device<Out>::value ? 1 : 0),
    plain = memory<In>::plain && memory<Out>::plain && std::is_same<item_of<In>, item_of<Out>>::value && way != 0,
  };
  typedef std::integral_constant<int, plain ? 4 : way> type;
};
} // namespace detail

SIMTLAB_THRUST_ALL(SIMTLAB_THRUST_NAME)
#undef SIMTLAB_THRUST_ALL
#undef SIMTLAB_THRUST_RUN

template <class In, class Out> __host__ Out copy(In first, In last, Out out)
{
  return detail::copied<In, Out>::run(typename detail::copy_way<In, Out>::type(), 0, first, last, out);
}
/* With a policy raw pointers may be of either side: pairs of pointers go by the runtime. */
template <class P, class In, class Out, class = detail::if_<detail::is_policy<P>::value>>
__host__ Out copy(const P &p, In first, In last, Out out)
{
  typedef detail::copy_way<In, Out> by;
  const bool on = std::is_same<typename detail::policy_system<P>::type, detail::device_tag>::value;
  typedef detail::memory<In> from;
  typedef detail::memory<Out> to;
  enum {
    plain = from::plain && to::plain && std::is_same<detail::item_of<In>, detail::item_of<Out>>::value,
    either = (int)by::way == 0 && on
  };
  return detail::copied<In, Out>::run(std::integral_constant < int,
                                      plain &&on ? 4
                                      : either   ? 3
                                                 : (int)by::type::value > (),
                                      p.stream, first, last, out);
}
template <class In, class Out> __device__ Out copy(In first, In last, Out out)
{
  return seqn::copy(first, last, out);
}
template <class P, class In, class Out, class = detail::if_<detail::is_policy<P>::value>>
__device__ Out copy(const P &, In first, In last, Out out)
{
  return seqn::copy(first, last, out);
}
template <class In, class N, class Out> Out copy_n(In first, N n, Out out)
{
  return thrust::copy(first, first + (ptrdiff_t)n, out);
}
template <class P, class In, class N, class Out, class = detail::if_<detail::is_policy<P>::value>>
Out copy_n(const P &p, In first, N n, Out out)
{
  return thrust::copy(p, first, first + (ptrdiff_t)n, out);
}
template <class In, class Out> Out uninitialized_copy(In first, In last, Out out)
{
  return thrust::copy(first, last, out);
}
template <class It, class T> void uninitialized_fill(It first, It last, const T &value)
{
  thrust::fill(first, last, value);
}

/* Sorts on the host are the C++ library's. */
namespace detail
{
template <class It, class Less> void run_stable_sort(host_tag, cudaStream_t, It first, It last, Less less)
{
  std::stable_sort(first, last, less);
}
template <class It> void run_stable_sort(host_tag, cudaStream_t, It first, It last)
{
  std::stable_sort(first, last);
}
template <class... A> void run_stable_sort(device_tag, cudaStream_t s, A... a)
{
  thrust::par::stable_sort(s, a...);
}
template <class... A> void run_sort(host_tag tag, cudaStream_t s, A... a)
{
  run_stable_sort(tag, s, a...);
}
template <class... A> void run_sort(device_tag, cudaStream_t s, A... a)
{
  thrust::par::stable_sort(s, a...);
}
template <class K, class V, class Less>
void run_stable_sort_by_key(host_tag, cudaStream_t, K first, K last, V values, Less less)
{
  const size_t n = (size_t)(last - first);
  std::vector<std::pair<item_of<K>, item_of<V>>> all;
  for (size_t i = 0; i < n; i++)
    all.emplace_back(first[(ptrdiff_t)i], values[(ptrdiff_t)i]);
  typedef std::pair<item_of<K>, item_of<V>> item;
  std::stable_sort(all.begin(), all.end(), [&](const item &a, const item &b) { return less(a.first, b.first); });
  for (size_t i = 0; i < n; i++) {
    first[(ptrdiff_t)i] = all[i].first;
    values[(ptrdiff_t)i] = all[i].second;
  }
}
template <class K, class V> void run_stable_sort_by_key(host_tag tag, cudaStream_t s, K first, K last, V values)
{
  run_stable_sort_by_key(tag, s, first, last, values, thrust::less<item_of<K>>());
}
template <class... A> void run_stable_sort_by_key(device_tag, cudaStream_t s, A... a)
{
  thrust::par::stable_sort_by_key(s, a...);
}
template <class Tag, class... A> void run_sort_by_key(Tag tag, cudaStream_t s, A... a)
{
  run_stable_sort_by_key(tag, s, a...);
}
} // namespace detail
SIMTLAB_THRUST_NAME(sort)
SIMTLAB_THRUST_NAME(stable_sort)
SIMTLAB_THRUST_NAME(sort_by_key)
SIMTLAB_THRUST_NAME(stable_sort_by_key)
#undef SIMTLAB_THRUST_NAME

/* Searches of one value, or of each of a range: lower_bound(first, last, values, values_end, out) */
namespace detail
{
template <class In, class Less> struct lower_of {
  In in;
  ptrdiff_t n;
  Less less;
  template <class T> SIMTLAB_BOTH ptrdiff_t operator()(const T &value) const
  {
    return seqn::lower_bound(in, in + n, value, less) - in;
  }
};
template <class In, class Less> struct upper_of {
  In in;
  ptrdiff_t n;
  Less less;
  template <class T> SIMTLAB_BOTH ptrdiff_t operator()(const T &value) const
  {
    return seqn::upper_bound(in, in + n, value, less) - in;
  }
};
template <class In, class Less> struct found_in {
  In in;
  ptrdiff_t n;
  Less less;
  template <class T> SIMTLAB_BOTH bool operator()(const T &value) const
  {
    const In at = seqn::lower_bound(in, in + n, value, less);
    return at != in + n && !less(value, *at);
  }
};
template <template <class, class> class Search, class It, class T, class Less>
ptrdiff_t search_one(device_tag, cudaStream_t s, It first, It last, const T &value, Less less)
{
  const simtlab::device_value<T> searched(value, s);
  simtlab::scratch<ptrdiff_t> found(1);
  const T *p = searched.get();
  thrust::par::transform(s, p, p + 1, found.get(),
                         Search<typename raw_iterator<It>::type, Less>{raw(first), last - first, less});
  return simtlab::read_one(found.get(), s);
}
template <template <class, class> class Search, class It, class T, class Less>
SIMTLAB_BOTH ptrdiff_t search_one(host_tag, cudaStream_t, It first, It last, const T &value, Less less)
{
  return (ptrdiff_t)Search<It, Less>{first, last - first, less}(value);
}
template <template <class, class> class Search, class It, class V, class Out, class Less>
Out search_all(device_tag, cudaStream_t s, It first, It last, V values, V values_end, Out out, Less less)
{
  return thrust::par::transform(s, values, values_end, out,
                                Search<typename raw_iterator<It>::type, Less>{raw(first), last - first, less});
}
template <template <class, class> class Search, class It, class V, class Out, class Less>
Out search_all(host_tag, cudaStream_t, It first, It last, V values, V values_end, Out out, Less less)
{
  return seqn::transform(values, values_end, out, Search<It, Less>{first, last - first, less});
}
} // namespace detail
#define SIMTLAB_THRUST_SEARCH(name, functor, result, of)                                                               \
  template <class It, class T> result name(It first, It last, const T &value)                                          \
  {                                                                                                                    \
    const ptrdiff_t at =                                                                                               \
        detail::search_one<detail::functor>(detail::common_system<It>(), 0, first, last, value, thrust::less<>());     \
    return of;                                                                                                         \
  }                                                                                                                    \
  template <class It, class T, class Less, class = detail::if_<!detail::is_policy<It>::value>>                         \
  result name(It first, It last, const T &value, Less less)                                                            \
  {                                                                                                                    \
    const ptrdiff_t at =                                                                                               \
        detail::search_one<detail::functor>(detail::common_system<It>(), 0, first, last, value, less);                 \
    return of;                                                                                                         \
  }                                                                                                                    \
  template <class P, class It, class T, class = detail::if_<detail::is_policy<P>::value>>                              \
  __host__ result name(const P &p, It first, It last, const T &value)                                                  \
  {                                                                                                                    \
    const ptrdiff_t at = detail::search_one<detail::functor>(typename detail::policy_system<P>::type(), p.stream,      \
                                                             first, last, value, thrust::less<>());                    \
    return of;                                                                                                         \
  }                                                                                                                    \
  template <class P, class It, class T, class = detail::if_<detail::is_policy<P>::value>>                              \
  __device__ result name(const P &, It first, It last, const T &value)                                                 \
  {                                                                                                                    \
    const ptrdiff_t at =                                                                                               \
        detail::search_one<detail::functor>(detail::host_tag(), 0, first, last, value, thrust::less<>());              \
    return of;                                                                                                         \
  }                                                                                                                    \
  template <class It, class V, class Out>                                                                              \
  detail::if_<!detail::is_policy<It>::value, Out> name(It first, It last, V values, V values_end, Out out)             \
  {                                                                                                                    \
    return detail::search_all<detail::functor>(detail::common_system<It, V, Out>(), 0, first, last, values,            \
                                               values_end, out, thrust::less<>());                                     \
  }                                                                                                                    \
  template <class It, class V, class Out, class Less>                                                                  \
  detail::if_<!detail::is_policy<It>::value, Out> name(It first, It last, V values, V values_end, Out out, Less less)  \
  {                                                                                                                    \
    return detail::search_all<detail::functor>(detail::common_system<It, V, Out>(), 0, first, last, values,            \
                                               values_end, out, less);                                                 \
  }                                                                                                                    \
  template <class P, class It, class V, class Out>                                                                     \
  detail::if_<detail::is_policy<P>::value, Out> name(const P &p, It first, It last, V values, V values_end, Out out)   \
  {                                                                                                                    \
    return detail::search_all<detail::functor>(typename detail::policy_system<P>::type(), p.stream, first, last,       \
                                               values, values_end, out, thrust::less<>());                             \
  }
SIMTLAB_THRUST_SEARCH(lower_bound, lower_of, It, first + at)
SIMTLAB_THRUST_SEARCH(upper_bound, upper_of, It, first + at)
SIMTLAB_THRUST_SEARCH(binary_search, found_in, bool, at != 0)
#undef SIMTLAB_THRUST_SEARCH

template <class T> SIMTLAB_BOTH void swap(T &a, T &b)
{
  const T t = a;
  a = b;
  b = t;
}
template <class T> SIMTLAB_BOTH const T &(max)(const T &a, const T &b)
{
  return a < b ? b : a;
}
template <class T> SIMTLAB_BOTH const T &(min)(const T &a, const T &b)
{
  return b < a ? b : a;
}
} // namespace thrust

#endif
