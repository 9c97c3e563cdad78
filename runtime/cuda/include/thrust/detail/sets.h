/* Algorithms on two ranges, copies with a condition, and shuffles: in one thread and on the device */
#ifndef SIMTLAB_THRUST_SETS_H
#define SIMTLAB_THRUST_SETS_H

#include "parallel.h"

namespace thrust
{
namespace detail
{
/* The order of a shuffle: numbers that a seed and an index give */
struct shuffle_key {
  unsigned long long seed;
  SIMTLAB_BOTH unsigned long long operator()(ptrdiff_t i) const
  {
    unsigned long long x = seed + 0x9e3779b97f4a7c15ull * (unsigned long long)(i + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }
};
template <class G> SIMTLAB_BOTH unsigned long long shuffle_seed(G &&g)
{
  const unsigned long long high = (unsigned long long)g();
  return high << 32 ^ (unsigned long long)g();
}
/* A default order, which follows the other arguments, is spelt out by these. */
#define SIMTLAB_THRUST_LESS(name)                                                                                      \
  SIMTLAB_SETS(class A, class B, class Out) Out name(SIMTLAB_STREAM A first, A last, B second, B end, Out out)         \
  {                                                                                                                    \
    return SIMTLAB_IN::name(SIMTLAB_ON first, last, second, end, out, thrust::less<>());                               \
  }
} // namespace detail

namespace seqn
{
#define SIMTLAB_SETS(...) template <__VA_ARGS__> SIMTLAB_BOTH
#define SIMTLAB_STREAM
#define SIMTLAB_ON
#define SIMTLAB_IN seqn /* a name alone would also find that of the C++ library */
SIMTLAB_SETS(class A, class B, class Out, class Less) Out merge(A first, A last, B second, B end, Out out, Less less)
{
  for (; first != last || second != end; ++out)
    if (second == end || (first != last && !less(*second, *first))) {
      *out = *first;
      ++first;
    } else {
      *out = *second;
      ++second;
    }
  return out;
}
SIMTLAB_SETS(class A, class B, class V, class W, class Out, class VOut, class Less)
pair<Out, VOut> merge_by_key(A first, A last, B second, B end, V values, W values2, Out out, VOut values_out, Less less)
{
  for (; first != last || second != end; ++out, ++values_out)
    if (second == end || (first != last && !less(*second, *first))) {
      *out = *first;
      *values_out = *values;
      ++first, ++values;
    } else {
      *out = *second;
      *values_out = *values2;
      ++second, ++values2;
    }
  return pair<Out, VOut>(out, values_out);
}
SIMTLAB_SETS(class A, class B, class V, class W, class Out, class VOut)
pair<Out, VOut> merge_by_key(A first, A last, B second, B end, V values, W values2, Out out, VOut values_out)
{
  return seqn::merge_by_key(first, last, second, end, values, values2, out, values_out, thrust::less<>());
}
/* Which of the items in one range only, and of those in both, are in the result */
SIMTLAB_SETS(class A, class B, class Out, class Less)
Out set_of(A first, A last, B second, B end, Out out, Less less, bool left, bool right, bool both)
{
  while (first != last || second != end) {
    const bool from_first = second == end || (first != last && less(*first, *second));
    const bool from_second = !from_first && (first == last || less(*second, *first));
    const bool kept = from_first ? left : from_second ? right : both;
    if (kept && from_second)
      *out = *second;
    else if (kept)
      *out = *first;
    if (kept)
      ++out;
    if (!from_second)
      ++first;
    if (!from_first)
      ++second;
  }
  return out;
}
#define SIMTLAB_THRUST_SET(name, left, right, both)                                                                    \
  SIMTLAB_SETS(class A, class B, class Out, class Less) Out name(A first, A last, B second, B end, Out out, Less less) \
  {                                                                                                                    \
    return seqn::set_of(first, last, second, end, out, less, left, right, both);                                       \
  }                                                                                                                    \
  SIMTLAB_THRUST_LESS(name)
SIMTLAB_THRUST_LESS(merge)
SIMTLAB_THRUST_SET(set_intersection, false, false, true)
SIMTLAB_THRUST_SET(set_difference, true, false, false)
SIMTLAB_THRUST_SET(set_union, true, true, true)
SIMTLAB_THRUST_SET(set_symmetric_difference, true, true, false)
#undef SIMTLAB_THRUST_SET
SIMTLAB_SETS(class A, class B, class P) pair<A, B> mismatch(A first, A last, B second, P p)
{
  for (; first != last && p(*first, *second); ++first, ++second)
    ;
  return pair<A, B>(first, second);
}
SIMTLAB_SETS(class A, class B) pair<A, B> mismatch(A first, A last, B second)
{
  return seqn::mismatch(first, last, second, equal_to<>());
}
SIMTLAB_SETS(class In, class S, class Out, class Out2, class P)
pair<Out, Out2> stable_partition_copy(In first, In last, S stencil, Out out, Out2 others, P p)
{
  for (; first != last; ++first, ++stencil)
    if (p(*stencil)) {
      *out = *first;
      ++out;
    } else {
      *others = *first;
      ++others;
    }
  return pair<Out, Out2>(out, others);
}
SIMTLAB_SETS(class In, class S, class Map, class Out)
Out gather_if(Map first, Map last, S stencil, In in, Out out)
{
  for (; first != last; ++first, ++stencil, ++out)
    if (*stencil)
      *out = in[(ptrdiff_t)(item_of<Map>)*first];
  return out;
}
SIMTLAB_SETS(class K, class V, class KOut, class VOut, class Equal)
pair<KOut, VOut> unique_by_key_copy(K first, K last, V values, KOut out, VOut values_out, Equal equal)
{
  for (ptrdiff_t i = 0, n = last - first; i < n; i++)
    if (i == 0 || !equal(first[i - 1], first[i])) {
      *out = first[i];
      *values_out = values[i];
      ++out, ++values_out;
    }
  return pair<KOut, VOut>(out, values_out);
}
SIMTLAB_SETS(class It, class Less) It is_sorted_until(It first, It last, Less less)
{
  ptrdiff_t i = 1;
  const ptrdiff_t n = last - first;
  for (; i < n && !less(first[i], first[i - 1]); i++)
    ;
  return i < n ? first + i : last;
}
SIMTLAB_SETS(class It, class P) bool is_partitioned(It first, It last, P p)
{
  return seqn::find_if(seqn::find_if_not(first, last, p), last, p) == last;
}
SIMTLAB_SETS(class It, class G) void shuffle(It first, It last, G &&g)
{
  const detail::shuffle_key key{detail::shuffle_seed(g)};
  for (ptrdiff_t i = last - first - 1; i > 0; i--) {
    const ptrdiff_t j = (ptrdiff_t)(key(i) % (unsigned long long)(i + 1));
    const item_of<It> t = first[i];
    first[i] = (item_of<It>)first[j];
    first[j] = t;
  }
}
#undef SIMTLAB_SETS
#undef SIMTLAB_STREAM
#undef SIMTLAB_ON
#undef SIMTLAB_IN
} // namespace seqn

namespace par
{
#define SIMTLAB_SETS(...) template <__VA_ARGS__>
#define SIMTLAB_STREAM cudaStream_t s,
#define SIMTLAB_ON s,
#define SIMTLAB_IN par /* a name alone would also find that of the C++ library */
/* The place of item i in the result of a merge: i of its own range and those of the other that precede it */
template <class In, class Other, class Less> struct merged_place {
  In in;
  Other other;
  ptrdiff_t others;
  Less less;
  bool equals;
  __device__ ptrdiff_t operator()(ptrdiff_t i) const
  {
    const Other end = other + others;
    return i +
           (equals ? seqn::upper_bound(other, end, (item_of<In>)in[i], less)
                   : seqn::lower_bound(other, end, (item_of<In>)in[i], less)) -
           other;
  }
};
/* Puts items and their values where a merge wants them. */
template <class In, class Other, class V, class Out, class VOut, class Less>
void merge_half(cudaStream_t s, In in, size_t n, Other other, size_t others, V values, Out out, VOut values_out,
                bool pairs, Less less, bool equals)
{
  const merged_place<In, Other, Less> place{in, other, (ptrdiff_t)others, less, equals};
  simtlab::each(s, n, [=] __device__(size_t i) mutable {
    const ptrdiff_t to = place((ptrdiff_t)i);
    out[to] = in[(ptrdiff_t)i];
    if (pairs)
      values_out[to] = values[(ptrdiff_t)i];
  });
}
template <class A, class B, class V, class W, class Out, class VOut, class Less>
pair<Out, VOut> merge_by_key(cudaStream_t s, A first, A last, B second, B end, V values, W values2, Out out,
                             VOut values_out, Less less, bool pairs = true)
{
  const size_t n = (size_t)(last - first), m = (size_t)(end - second);
  par::merge_half(s, raw(first), n, raw(second), m, raw(values), raw(out), raw(values_out), pairs, less, false);
  par::merge_half(s, raw(second), m, raw(first), n, raw(values2), raw(out), raw(values_out), pairs, less, true);
  return pair<Out, VOut>(out + (ptrdiff_t)(n + m), values_out + (ptrdiff_t)(n + m));
}
template <class A, class B, class V, class W, class Out, class VOut>
pair<Out, VOut> merge_by_key(cudaStream_t s, A first, A last, B second, B end, V values, W values2, Out out,
                             VOut values_out)
{
  return par::merge_by_key(s, first, last, second, end, values, values2, out, values_out, thrust::less<>());
}
template <class A, class B, class Out, class Less>
Out merge(cudaStream_t s, A first, A last, B second, B end, Out out, Less less)
{
  return par::merge_by_key(s, first, last, second, end, first, second, out, out, less, false).first;
}
/* Whether the k-th of equal items of one range has a k-th one in the other range */
template <class In, class Other, class Less> struct paired {
  In in;
  Other other;
  ptrdiff_t n, others;
  Less less;
  __device__ bool operator()(size_t i) const
  {
    const item_of<In> item = in[(ptrdiff_t)i];
    const ptrdiff_t rank = (ptrdiff_t)i - (seqn::lower_bound(in, in + n, item, less) - in);
    const Other end = other + others, from = seqn::lower_bound(other, end, item, less);
    return rank < seqn::upper_bound(from, end, item, less) - from;
  }
};
template <class A, class B, class Out, class Less>
Out set_intersection(cudaStream_t s, A first, A last, B second, B end, Out out, Less less)
{
  const paired<raw_of<A>, raw_of<B>, Less> both{raw(first), raw(second), last - first, end - second, less};
  return out + par::copy_selected(s, first, (size_t)(last - first), out, both);
}
template <class A, class B, class Out, class Less>
Out set_difference(cudaStream_t s, A first, A last, B second, B end, Out out, Less less)
{
  const paired<raw_of<A>, raw_of<B>, Less> both{raw(first), raw(second), last - first, end - second, less};
  return out + par::copy_selected(s, first, (size_t)(last - first), out, [=] __device__(size_t i) { return !both(i); });
}
template <class A, class B, class Out, class Less>
Out set_union(cudaStream_t s, A first, A last, B second, B end, Out out, Less less)
{
  scratch<item_of<B>> rest((size_t)(end - second));
  item_of<B> *const p = rest.get();
  return par::merge(s, first, last, p, par::set_difference(s, second, end, first, last, p, less), out, less);
}
template <class A, class B, class Out, class Less>
Out set_symmetric_difference(cudaStream_t s, A first, A last, B second, B end, Out out, Less less)
{
  scratch<item_of<A>> left((size_t)(last - first));
  item_of<A> *const p = left.get();
  scratch<item_of<B>> right((size_t)(end - second));
  item_of<B> *const q = right.get();
  return par::merge(s, p, par::set_difference(s, first, last, second, end, p, less), q,
                    par::set_difference(s, second, end, first, last, q, less), out, less);
}
SIMTLAB_THRUST_LESS(merge)
SIMTLAB_THRUST_LESS(set_intersection)
SIMTLAB_THRUST_LESS(set_difference)
SIMTLAB_THRUST_LESS(set_union)
SIMTLAB_THRUST_LESS(set_symmetric_difference)
template <class A, class B, class P> pair<A, B> mismatch(cudaStream_t s, A first, A last, B second, P p)
{
  const ptrdiff_t n = last - first;
  const applied2<raw_of<A>, raw_of<B>, P> same{raw(first), raw(second), p};
  const ptrdiff_t at = simtlab::reduce<ptrdiff_t>(
      s, held_at<decltype(same), detail::negated<detail::truth>>{same, {}, n}, (size_t)n, n, minimum<ptrdiff_t>());
  return pair<A, B>(first + at, second + at);
}
template <class A, class B> pair<A, B> mismatch(cudaStream_t s, A first, A last, B second)
{
  return par::mismatch(s, first, last, second, equal_to<>());
}
template <class In, class S, class Out, class Out2, class P>
pair<Out, Out2> stable_partition_copy(cudaStream_t s, In first, In last, S stencil, Out out, Out2 others, P p)
{
  const size_t n = (size_t)(last - first);
  auto in = raw(first);
  auto test = raw(stencil);
  auto to = raw(out);
  auto to2 = raw(others);
  const size_t count = simtlab::select(
      s, n, [=] __device__(size_t i) mutable { return (bool)p(test[(ptrdiff_t)i]); },
      [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
        if (chosen)
          to[(ptrdiff_t)at] = in[(ptrdiff_t)i];
        else
          to2[(ptrdiff_t)(i - at)] = in[(ptrdiff_t)i];
      });
  return pair<Out, Out2>(out + (ptrdiff_t)count, others + (ptrdiff_t)(n - count));
}
template <class In, class S, class Map, class Out>
Out gather_if(cudaStream_t s, Map first, Map last, S stencil, In items, Out out)
{
  auto map = raw(first);
  auto test = raw(stencil);
  auto in = raw(items);
  auto to = raw(out);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable {
    if (test[(ptrdiff_t)i])
      to[(ptrdiff_t)i] = in[(ptrdiff_t)map[(ptrdiff_t)i]];
  });
  return out + (last - first);
}
template <class K, class V, class KOut, class VOut, class Equal>
pair<KOut, VOut> unique_by_key_copy(cudaStream_t s, K first, K last, V values, KOut out, VOut values_out, Equal equal)
{
  auto keys = raw(first);
  const ptrdiff_t n = par::copy_selected(
      s, make_zip_iterator(first, values), (size_t)(last - first), make_zip_iterator(out, values_out),
      [=] __device__(size_t i) mutable { return i == 0 || !equal(keys[(ptrdiff_t)i - 1], keys[(ptrdiff_t)i]); });
  return pair<KOut, VOut>(out + n, values_out + n);
}
/* The index of an item that is less than the one before, n for the others */
template <class In, class Less> struct falls_at {
  In in;
  mutable Less less;
  ptrdiff_t n;
  __device__ ptrdiff_t operator[](ptrdiff_t i) const
  {
    return i > 0 && less(in[i], in[i - 1]) ? i : n;
  }
};
template <class It, class Less> It is_sorted_until(cudaStream_t s, It first, It last, Less less)
{
  const ptrdiff_t n = last - first;
  return first + simtlab::reduce<ptrdiff_t>(s, falls_at<raw_of<It>, Less>{raw(first), less, n}, (size_t)n, n,
                                            minimum<ptrdiff_t>());
}
template <class It, class P> bool is_partitioned(cudaStream_t s, It first, It last, P p)
{
  return par::find_if(s, par::find_if_not(s, first, last, p), last, p) == last;
}
template <class It, class G> void shuffle(cudaStream_t s, It first, It last, G &&g)
{
  const size_t n = (size_t)(last - first);
  scratch<unsigned long long> keys(n);
  par::tabulate(s, keys.get(), keys.get() + n, detail::shuffle_key{detail::shuffle_seed(g)});
  par::stable_sort_by_key(s, keys.get(), keys.get() + n, first);
}
#undef SIMTLAB_SETS
#undef SIMTLAB_STREAM
#undef SIMTLAB_ON
#undef SIMTLAB_IN
} // namespace par
#undef SIMTLAB_THRUST_LESS

/* What follows from others, on both sides */
#define SIMTLAB_THRUST_DERIVED(SIDE, STREAM, ON, NAMESPACE)                                                            \
  namespace NAMESPACE                                                                                                  \
  {                                                                                                                    \
  template <class In, class Out, class Out2, class P>                                                                  \
  SIDE pair<Out, Out2> stable_partition_copy(STREAM In first, In last, Out out, Out2 others, P p)                      \
  {                                                                                                                    \
    return NAMESPACE::stable_partition_copy(ON first, last, first, out, others, p);                                    \
  }                                                                                                                    \
  template <class In, class Out, class Out2, class P>                                                                  \
  SIDE pair<Out, Out2> partition_copy(STREAM In first, In last, Out out, Out2 others, P p)                             \
  {                                                                                                                    \
    return NAMESPACE::stable_partition_copy(ON first, last, first, out, others, p);                                    \
  }                                                                                                                    \
  template <class In, class S, class Out, class Out2, class P>                                                         \
  SIDE pair<Out, Out2> partition_copy(STREAM In first, In last, S stencil, Out out, Out2 others, P p)                  \
  {                                                                                                                    \
    return NAMESPACE::stable_partition_copy(ON first, last, stencil, out, others, p);                                  \
  }                                                                                                                    \
  template <class In, class Out, class T> SIDE Out remove_copy(STREAM In first, In last, Out out, T value)             \
  {                                                                                                                    \
    return NAMESPACE::remove_copy_if(ON first, last, out, detail::equals_value<T>{value});                             \
  }                                                                                                                    \
  template <class In, class Out, class P, class T>                                                                     \
  SIDE Out replace_copy_if(STREAM In first, In last, Out out, P p, T value)                                            \
  {                                                                                                                    \
    return NAMESPACE::transform(ON first, last, out, detail::replaced<P, T>{p, value});                                \
  }                                                                                                                    \
  template <class In, class Out, class T> SIDE Out replace_copy(STREAM In first, In last, Out out, T old, T value)     \
  {                                                                                                                    \
    return NAMESPACE::replace_copy_if(ON first, last, out, detail::equals_value<T>{old}, value);                       \
  }                                                                                                                    \
  template <class K, class V, class KOut, class VOut>                                                                  \
  SIDE pair<KOut, VOut> unique_by_key_copy(STREAM K first, K last, V values, KOut out, VOut values_out)                \
  {                                                                                                                    \
    return NAMESPACE::unique_by_key_copy(ON first, last, values, out, values_out, equal_to<>());                       \
  }                                                                                                                    \
  template <class It> SIDE It is_sorted_until(STREAM It first, It last)                                                \
  {                                                                                                                    \
    return NAMESPACE::is_sorted_until(ON first, last, thrust::less<>());                                               \
  }                                                                                                                    \
  template <class It, class P> SIDE It partition_point(STREAM It first, It last, P p)                                  \
  {                                                                                                                    \
    return NAMESPACE::find_if_not(ON first, last, p);                                                                  \
  }                                                                                                                    \
  }
namespace detail
{
template <class P, class T> struct replaced {
  mutable P p;
  T value;
  template <class U> SIMTLAB_BOTH U operator()(const U &u) const
  {
    return p(u) ? (U)value : u;
  }
};
} // namespace detail
#define SIMTLAB_STREAM cudaStream_t s,
#define SIMTLAB_ON s,
SIMTLAB_THRUST_DERIVED(SIMTLAB_BOTH, , , seqn)
SIMTLAB_THRUST_DERIVED(inline, SIMTLAB_STREAM, SIMTLAB_ON, par)
#undef SIMTLAB_STREAM
#undef SIMTLAB_ON
#undef SIMTLAB_THRUST_DERIVED
} // namespace thrust

#endif
