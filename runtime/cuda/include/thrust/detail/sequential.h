/* The algorithms in one thread, of the host or of the device */
#ifndef SIMTLAB_THRUST_SEQUENTIAL_H
#define SIMTLAB_THRUST_SEQUENTIAL_H

#include "../iterator/fancy.h"

namespace thrust
{
namespace detail
{
struct truth {
  template <class T> SIMTLAB_BOTH bool operator()(const T &t) const
  {
    return (bool)t;
  }
};
template <class F> struct negated {
  F f;
  template <class T> SIMTLAB_BOTH bool operator()(const T &t) const
  {
    return !f(t);
  }
};
template <class T> struct equals_value {
  T value;
  template <class U> SIMTLAB_BOTH bool operator()(const U &u) const
  {
    return u == value;
  }
};
} // namespace detail

namespace seqn
{
using detail::item_of;
#define SIMTLAB_SEQ(...) template <__VA_ARGS__> SIMTLAB_BOTH

SIMTLAB_SEQ(class It, class F) It for_each(It first, It last, F f)
{
  for (; first != last; ++first)
    f(*first);
  return last;
}
SIMTLAB_SEQ(class It, class N, class F) It for_each_n(It first, N n, F f)
{
  return seqn::for_each(first, first + n, f);
}
SIMTLAB_SEQ(class In, class Out) Out copy(In first, In last, Out out)
{
  for (; first != last; ++first, ++out)
    *out = *first;
  return out;
}
SIMTLAB_SEQ(class In, class N, class Out) Out copy_n(In first, N n, Out out)
{
  return seqn::copy(first, first + n, out);
}
SIMTLAB_SEQ(class It, class T) void fill(It first, It last, T value)
{
  for (; first != last; ++first)
    *first = value;
}
SIMTLAB_SEQ(class It, class N, class T) It fill_n(It first, N n, T value)
{
  seqn::fill(first, first + n, value);
  return first + n;
}
SIMTLAB_SEQ(class It, class T, class U) void sequence(It first, It last, T init, U step)
{
  for (item_of<It> i = 0; first != last; ++first, ++i)
    *first = init + i * step;
}
SIMTLAB_SEQ(class It, class T) void sequence(It first, It last, T init)
{
  seqn::sequence(first, last, init, T(1));
}
SIMTLAB_SEQ(class It) void sequence(It first, It last)
{
  seqn::sequence(first, last, item_of<It>(0), item_of<It>(1));
}
SIMTLAB_SEQ(class It, class F) void tabulate(It first, It last, F f)
{
  for (ptrdiff_t i = 0; first != last; ++first, ++i)
    *first = f((item_of<It>)i);
}
SIMTLAB_SEQ(class It, class F) void generate(It first, It last, F f)
{
  for (; first != last; ++first)
    *first = f();
}
SIMTLAB_SEQ(class It, class N, class F) It generate_n(It first, N n, F f)
{
  seqn::generate(first, first + n, f);
  return first + n;
}
SIMTLAB_SEQ(class In, class Out, class F) Out transform(In first, In last, Out out, F f)
{
  for (; first != last; ++first, ++out)
    *out = f(*first);
  return out;
}
SIMTLAB_SEQ(class In, class In2, class Out, class F) Out transform(In first, In last, In2 second, Out out, F f)
{
  for (; first != last; ++first, ++second, ++out)
    *out = f(*first, *second);
  return out;
}
SIMTLAB_SEQ(class In, class Out, class F, class P) Out transform_if(In first, In last, Out out, F f, P p)
{
  for (; first != last; ++first, ++out)
    if (p(*first))
      *out = f(*first);
  return out;
}
SIMTLAB_SEQ(class In, class S, class Out, class F, class P)
Out transform_if(In first, In last, S stencil, Out out, F f, P p)
{
  for (; first != last; ++first, ++stencil, ++out)
    if (p(*stencil))
      *out = f(*first);
  return out;
}
SIMTLAB_SEQ(class Map, class In, class Out) Out gather(Map first, Map last, In in, Out out)
{
  for (; first != last; ++first, ++out)
    *out = in[(ptrdiff_t)(item_of<Map>)*first];
  return out;
}
SIMTLAB_SEQ(class In, class Map, class Out) void scatter(In first, In last, Map map, Out out)
{
  for (; first != last; ++first, ++map)
    out[(ptrdiff_t)(item_of<Map>)*map] = *first;
}
SIMTLAB_SEQ(class In, class Map, class S, class Out) void scatter_if(In first, In last, Map map, S stencil, Out out)
{
  for (; first != last; ++first, ++map, ++stencil)
    if (*stencil)
      out[(ptrdiff_t)(item_of<Map>)*map] = *first;
}
SIMTLAB_SEQ(class It, class T, class Op) T reduce(It first, It last, T init, Op op)
{
  for (; first != last; ++first)
    init = op(init, (item_of<It>)*first);
  return init;
}
SIMTLAB_SEQ(class It, class T) T reduce(It first, It last, T init)
{
  return seqn::reduce(first, last, init, plus<T>());
}
SIMTLAB_SEQ(class It) item_of<It> reduce(It first, It last)
{
  return seqn::reduce(first, last, item_of<It>(), plus<item_of<It>>());
}
SIMTLAB_SEQ(class It, class F, class T, class Op) T transform_reduce(It first, It last, F f, T init, Op op)
{
  for (; first != last; ++first)
    init = op(init, f(*first));
  return init;
}
SIMTLAB_SEQ(class It, class It2, class T, class Op, class F)
T inner_product(It first, It last, It2 second, T init, Op op, F f)
{
  for (; first != last; ++first, ++second)
    init = op(init, f(*first, *second));
  return init;
}
SIMTLAB_SEQ(class It, class It2, class T) T inner_product(It first, It last, It2 second, T init)
{
  return seqn::inner_product(first, last, second, init, plus<T>(), multiplies<T>());
}
SIMTLAB_SEQ(class It, class P) ptrdiff_t count_if(It first, It last, P p)
{
  ptrdiff_t n = 0;
  for (; first != last; ++first)
    n += p(*first) ? 1 : 0;
  return n;
}
SIMTLAB_SEQ(class It, class T) ptrdiff_t count(It first, It last, T value)
{
  return seqn::count_if(first, last, detail::equals_value<T>{value});
}
SIMTLAB_SEQ(class It, class P) It find_if(It first, It last, P p)
{
  for (; first != last && !p(*first); ++first)
    ;
  return first;
}
SIMTLAB_SEQ(class It, class P) It find_if_not(It first, It last, P p)
{
  return seqn::find_if(first, last, detail::negated<P>{p});
}
SIMTLAB_SEQ(class It, class T) It find(It first, It last, T value)
{
  return seqn::find_if(first, last, detail::equals_value<T>{value});
}
SIMTLAB_SEQ(class It, class P) bool any_of(It first, It last, P p)
{
  return seqn::find_if(first, last, p) != last;
}
SIMTLAB_SEQ(class It, class P) bool all_of(It first, It last, P p)
{
  return seqn::find_if_not(first, last, p) == last;
}
SIMTLAB_SEQ(class It, class P) bool none_of(It first, It last, P p)
{
  return seqn::find_if(first, last, p) == last;
}
SIMTLAB_SEQ(class It, class It2, class P) bool equal(It first, It last, It2 second, P p)
{
  for (; first != last; ++first, ++second)
    if (!p(*first, *second))
      return false;
  return true;
}
SIMTLAB_SEQ(class It, class It2) bool equal(It first, It last, It2 second)
{
  return seqn::equal(first, last, second, equal_to<>());
}
SIMTLAB_SEQ(class It, class Less) bool is_sorted(It first, It last, Less less)
{
  for (ptrdiff_t i = 1, n = last - first; i < n; i++)
    if (less(first[i], first[i - 1]))
      return false;
  return true;
}
SIMTLAB_SEQ(class It) bool is_sorted(It first, It last)
{
  return seqn::is_sorted(first, last, thrust::less<>());
}
SIMTLAB_SEQ(class It, class Less) It max_element(It first, It last, Less less)
{
  It best = first;
  for (; first != last; ++first)
    if (less(*best, *first))
      best = first;
  return best;
}
SIMTLAB_SEQ(class It) It max_element(It first, It last)
{
  return seqn::max_element(first, last, thrust::less<item_of<It>>());
}
SIMTLAB_SEQ(class It, class Less) It min_element(It first, It last, Less less)
{
  It best = first;
  for (; first != last; ++first)
    if (less(*first, *best))
      best = first;
  return best;
}
SIMTLAB_SEQ(class It) It min_element(It first, It last)
{
  return seqn::min_element(first, last, thrust::less<item_of<It>>());
}
SIMTLAB_SEQ(class It, class Less) pair<It, It> minmax_element(It first, It last, Less less)
{
  return pair<It, It>(seqn::min_element(first, last, less), seqn::max_element(first, last, less));
}
SIMTLAB_SEQ(class It) pair<It, It> minmax_element(It first, It last)
{
  return seqn::minmax_element(first, last, thrust::less<item_of<It>>());
}

SIMTLAB_SEQ(class In, class Out, class Op) Out inclusive_scan(In first, In last, Out out, Op op)
{
  if (first == last)
    return out;
  item_of<In> sum = *first;
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out)
    *out = sum = op(sum, (item_of<In>)*first);
  return out;
}
SIMTLAB_SEQ(class In, class Out) Out inclusive_scan(In first, In last, Out out)
{
  return seqn::inclusive_scan(first, last, out, plus<item_of<In>>());
}
SIMTLAB_SEQ(class In, class Out, class T, class Op) Out exclusive_scan(In first, In last, Out out, T init, Op op)
{
  for (; first != last; ++first, ++out) {
    const item_of<In> own = *first;
    *out = init;
    init = op(init, own);
  }
  return out;
}
SIMTLAB_SEQ(class In, class Out, class T) Out exclusive_scan(In first, In last, Out out, T init)
{
  return seqn::exclusive_scan(first, last, out, init, plus<T>());
}
SIMTLAB_SEQ(class In, class Out) Out exclusive_scan(In first, In last, Out out)
{
  return seqn::exclusive_scan(first, last, out, item_of<In>(0), plus<item_of<In>>());
}
SIMTLAB_SEQ(class In, class Out, class F, class Op) Out transform_inclusive_scan(In first, In last, Out out, F f, Op op)
{
  const transform_iterator<F, In> begin(first, f);
  return seqn::inclusive_scan(begin, begin + (last - first), out, op);
}
SIMTLAB_SEQ(class In, class Out, class F, class T, class Op)
Out transform_exclusive_scan(In first, In last, Out out, F f, T init, Op op)
{
  const transform_iterator<F, In> begin(first, f);
  return seqn::exclusive_scan(begin, begin + (last - first), out, init, op);
}
SIMTLAB_SEQ(class K, class V, class Out, class Equal, class Op)
Out inclusive_scan_by_key(K first, K last, V values, Out out, Equal equal, Op op)
{
  item_of<V> sum = item_of<V>();
  for (ptrdiff_t i = 0, n = last - first; i < n; i++, ++out) {
    sum = i > 0 && equal(first[i - 1], first[i]) ? op(sum, (item_of<V>)values[i]) : (item_of<V>)values[i];
    *out = sum;
  }
  return out;
}
SIMTLAB_SEQ(class K, class V, class Out, class Equal)
Out inclusive_scan_by_key(K first, K last, V values, Out out, Equal equal)
{
  return seqn::inclusive_scan_by_key(first, last, values, out, equal, plus<item_of<V>>());
}
SIMTLAB_SEQ(class K, class V, class Out) Out inclusive_scan_by_key(K first, K last, V values, Out out)
{
  return seqn::inclusive_scan_by_key(first, last, values, out, equal_to<>(), plus<item_of<V>>());
}
SIMTLAB_SEQ(class K, class V, class Out, class T, class Equal, class Op)
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init, Equal equal, Op op)
{
  T sum = init;
  for (ptrdiff_t i = 0, n = last - first; i < n; i++, ++out) {
    if (i > 0 && !equal(first[i - 1], first[i]))
      sum = init;
    const item_of<V> own = values[i];
    *out = sum;
    sum = op(sum, own);
  }
  return out;
}
SIMTLAB_SEQ(class K, class V, class Out, class T, class Equal)
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init, Equal equal)
{
  return seqn::exclusive_scan_by_key(first, last, values, out, init, equal, plus<T>());
}
SIMTLAB_SEQ(class K, class V, class Out, class T)
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init)
{
  return seqn::exclusive_scan_by_key(first, last, values, out, init, equal_to<>(), plus<T>());
}
SIMTLAB_SEQ(class K, class V, class Out) Out exclusive_scan_by_key(K first, K last, V values, Out out)
{
  return seqn::exclusive_scan_by_key(first, last, values, out, item_of<V>(0), equal_to<>(), plus<item_of<V>>());
}
SIMTLAB_SEQ(class K, class V, class KOut, class VOut, class Equal, class Op)
pair<KOut, VOut> reduce_by_key(K first, K last, V values, KOut keys_out, VOut values_out, Equal equal, Op op)
{
  const ptrdiff_t n = last - first;
  for (ptrdiff_t i = 0; i < n;) {
    item_of<V> sum = values[i];
    const item_of<K> key = first[i];
    for (i++; i < n && equal(first[i - 1], first[i]); i++)
      sum = op(sum, (item_of<V>)values[i]);
    *keys_out = key;
    *values_out = sum;
    ++keys_out, ++values_out;
  }
  return pair<KOut, VOut>(keys_out, values_out);
}
SIMTLAB_SEQ(class K, class V, class KOut, class VOut, class Equal)
pair<KOut, VOut> reduce_by_key(K first, K last, V values, KOut keys_out, VOut values_out, Equal equal)
{
  return seqn::reduce_by_key(first, last, values, keys_out, values_out, equal, plus<item_of<V>>());
}
SIMTLAB_SEQ(class K, class V, class KOut, class VOut)
pair<KOut, VOut> reduce_by_key(K first, K last, V values, KOut keys_out, VOut values_out)
{
  return seqn::reduce_by_key(first, last, values, keys_out, values_out, equal_to<>(), plus<item_of<V>>());
}
SIMTLAB_SEQ(class In, class Out, class Op) Out adjacent_difference(In first, In last, Out out, Op op)
{
  item_of<In> before = item_of<In>();
  for (bool begun = false; first != last; ++first, ++out) {
    const item_of<In> own = *first;
    *out = begun ? op(own, before) : own;
    before = own;
    begun = true;
  }
  return out;
}
SIMTLAB_SEQ(class In, class Out) Out adjacent_difference(In first, In last, Out out)
{
  return seqn::adjacent_difference(first, last, out, minus<item_of<In>>());
}

SIMTLAB_SEQ(class In, class S, class Out, class P) Out copy_if(In first, In last, S stencil, Out out, P p)
{
  for (; first != last; ++first, ++stencil)
    if (p(*stencil)) {
      *out = *first;
      ++out;
    }
  return out;
}
SIMTLAB_SEQ(class In, class Out, class P) Out copy_if(In first, In last, Out out, P p)
{
  return seqn::copy_if(first, last, first, out, p);
}
SIMTLAB_SEQ(class It, class P) It remove_if(It first, It last, P p)
{
  return seqn::copy_if(first, last, first, first, detail::negated<P>{p});
}
SIMTLAB_SEQ(class It, class S, class P) It remove_if(It first, It last, S stencil, P p)
{
  return seqn::copy_if(first, last, stencil, first, detail::negated<P>{p});
}
SIMTLAB_SEQ(class It, class T) It remove(It first, It last, T value)
{
  return seqn::remove_if(first, last, detail::equals_value<T>{value});
}
SIMTLAB_SEQ(class In, class Out, class P) Out remove_copy_if(In first, In last, Out out, P p)
{
  return seqn::copy_if(first, last, first, out, detail::negated<P>{p});
}
SIMTLAB_SEQ(class In, class Out, class Equal) Out unique_copy(In first, In last, Out out, Equal equal)
{
  if (first == last)
    return out;
  item_of<In> before = *first;
  *out = before;
  for (++first, ++out; first != last; ++first) {
    const item_of<In> own = *first;
    if (!equal(before, own)) {
      *out = own;
      ++out;
    }
    before = own;
  }
  return out;
}
SIMTLAB_SEQ(class In, class Out) Out unique_copy(In first, In last, Out out)
{
  return seqn::unique_copy(first, last, out, equal_to<>());
}
SIMTLAB_SEQ(class It, class Equal) It unique(It first, It last, Equal equal)
{
  return seqn::unique_copy(first, last, first, equal);
}
SIMTLAB_SEQ(class It) It unique(It first, It last)
{
  return seqn::unique_copy(first, last, first, equal_to<>());
}
SIMTLAB_SEQ(class K, class V, class Equal) pair<K, V> unique_by_key(K first, K last, V values, Equal equal)
{
  K keys_out = first;
  V values_out = values;
  item_of<K> before = item_of<K>();
  for (bool begun = false; first != last; ++first, ++values) {
    const item_of<K> own = *first;
    if (!begun || !equal(before, own)) {
      *keys_out = own;
      *values_out = *values;
      ++keys_out, ++values_out;
    }
    before = own;
    begun = true;
  }
  return pair<K, V>(keys_out, values_out);
}
SIMTLAB_SEQ(class K, class V) pair<K, V> unique_by_key(K first, K last, V values)
{
  return seqn::unique_by_key(first, last, values, equal_to<>());
}
SIMTLAB_SEQ(class It, class P) It stable_partition(It first, It last, P p)
{
  ptrdiff_t n = last - first, end = 0; /* by rotations, which needs no memory */
  for (ptrdiff_t i = 0; i < n; i++)
    if (p(first[i])) {
      const item_of<It> own = first[i];
      for (ptrdiff_t j = i; j > end; j--)
        first[j] = (item_of<It>)first[j - 1];
      first[end++] = own;
    }
  return first + end;
}
SIMTLAB_SEQ(class It, class P) It partition(It first, It last, P p)
{
  return seqn::stable_partition(first, last, p);
}
SIMTLAB_SEQ(class It, class P, class T) void replace_if(It first, It last, P p, T value)
{
  for (; first != last; ++first)
    if (p(*first))
      *first = value;
}
SIMTLAB_SEQ(class It, class S, class P, class T) void replace_if(It first, It last, S stencil, P p, T value)
{
  for (; first != last; ++first, ++stencil)
    if (p(*stencil))
      *first = value;
}
SIMTLAB_SEQ(class It, class T) void replace(It first, It last, T old, T value)
{
  seqn::replace_if(first, last, detail::equals_value<T>{old}, value);
}
SIMTLAB_SEQ(class It) void reverse(It first, It last)
{
  for (ptrdiff_t i = 0, j = (last - first) - 1; i < j; i++, j--) {
    const item_of<It> t = first[i];
    first[i] = (item_of<It>)first[j];
    first[j] = t;
  }
}
SIMTLAB_SEQ(class In, class Out) Out reverse_copy(In first, In last, Out out)
{
  for (ptrdiff_t i = last - first; i-- > 0; ++out)
    *out = first[i];
  return out;
}
SIMTLAB_SEQ(class It, class It2) It2 swap_ranges(It first, It last, It2 second)
{
  for (; first != last; ++first, ++second) {
    const item_of<It> t = *first;
    *first = (item_of<It2>)*second;
    *second = t;
  }
  return second;
}

SIMTLAB_SEQ(class It, class T, class Less) It lower_bound(It first, It last, const T &value, Less less)
{
  ptrdiff_t low = 0, high = last - first;
  while (low < high) {
    const ptrdiff_t half = (low + high) / 2;
    if (less(first[half], value))
      low = half + 1;
    else
      high = half;
  }
  return first + low;
}
SIMTLAB_SEQ(class It, class T, class Less) It upper_bound(It first, It last, const T &value, Less less)
{
  ptrdiff_t low = 0, high = last - first;
  while (low < high) {
    const ptrdiff_t half = (low + high) / 2;
    if (less(value, first[half]))
      high = half;
    else
      low = half + 1;
  }
  return first + low;
}

/* Heap sort for keys; insertion sort, which is stable, where order among equals counts */
SIMTLAB_SEQ(class It, class Less) void sift(It first, ptrdiff_t i, ptrdiff_t n, Less less)
{
  const item_of<It> own = first[i];
  for (ptrdiff_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && less(first[child], first[child + 1]))
      child++;
    if (!less(own, (item_of<It>)first[child]))
      break;
    first[i] = (item_of<It>)first[child];
  }
  first[i] = own;
}
SIMTLAB_SEQ(class K, class V, class Less) void stable_sort_by_key(K first, K last, V values, Less less)
{
  for (ptrdiff_t i = 1, n = last - first; i < n; i++) {
    const item_of<K> key = first[i];
    const item_of<V> value = values[i];
    ptrdiff_t j = i;
    for (; j > 0 && less(key, (item_of<K>)first[j - 1]); j--) {
      first[j] = (item_of<K>)first[j - 1];
      values[j] = (item_of<V>)values[j - 1];
    }
    first[j] = key;
    values[j] = value;
  }
}
SIMTLAB_SEQ(class K, class V) void stable_sort_by_key(K first, K last, V values)
{
  seqn::stable_sort_by_key(first, last, values, thrust::less<item_of<K>>());
}
SIMTLAB_SEQ(class K, class V, class Less) void sort_by_key(K first, K last, V values, Less less)
{
  seqn::stable_sort_by_key(first, last, values, less);
}
SIMTLAB_SEQ(class K, class V) void sort_by_key(K first, K last, V values)
{
  seqn::stable_sort_by_key(first, last, values, thrust::less<item_of<K>>());
}
SIMTLAB_SEQ(class It, class Less) void sort(It first, It last, Less less)
{
  const ptrdiff_t n = last - first;
  for (ptrdiff_t i = n / 2; i-- > 0;)
    seqn::sift(first, i, n, less);
  for (ptrdiff_t end = n; end-- > 1;) {
    const item_of<It> top = first[0];
    first[0] = (item_of<It>)first[end];
    first[end] = top;
    seqn::sift(first, 0, end, less);
  }
}
SIMTLAB_SEQ(class It) void sort(It first, It last)
{
  seqn::sort(first, last, thrust::less<item_of<It>>());
}
SIMTLAB_SEQ(class It, class Less) void stable_sort(It first, It last, Less less)
{
  for (ptrdiff_t i = 1, n = last - first; i < n; i++) {
    const item_of<It> key = first[i];
    ptrdiff_t j = i;
    for (; j > 0 && less(key, (item_of<It>)first[j - 1]); j--)
      first[j] = (item_of<It>)first[j - 1];
    first[j] = key;
  }
}
SIMTLAB_SEQ(class It) void stable_sort(It first, It last)
{
  seqn::stable_sort(first, last, thrust::less<item_of<It>>());
}
#undef SIMTLAB_SEQ
} // namespace seqn
} // namespace thrust

#endif
