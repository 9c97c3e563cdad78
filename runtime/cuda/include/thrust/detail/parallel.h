/* The algorithms on the device. Iterators are turned into the forms that kernels read. */
#ifndef SIMTLAB_THRUST_PARALLEL_H
#define SIMTLAB_THRUST_PARALLEL_H

#include "sequential.h"

namespace thrust
{
namespace par
{
using detail::item_of;
using detail::raw;
using simtlab::scratch;
template <class It> using raw_of = typename detail::raw_iterator<It>::type;

/* Elements by index, with an operation: iterators of the algorithms below */
template <class In, class F> struct applied {
  typedef typename std::decay<decltype(std::declval<F &>()(std::declval<In &>()[0]))>::type value_type;
  In in;
  mutable F f;
  __device__ value_type operator[](ptrdiff_t i) const
  {
    return f(in[i]);
  }
};
template <class In, class In2, class F> struct applied2 {
  typedef typename std::decay<decltype(std::declval<F &>()(std::declval<In &>()[0], std::declval<In2 &>()[0]))>::type
      value_type;
  In in;
  In2 in2;
  mutable F f;
  __device__ value_type operator[](ptrdiff_t i) const
  {
    return f(in[i], in2[i]);
  }
};

template <class It, class F> It for_each(cudaStream_t s, It first, It last, F f)
{
  auto in = raw(first);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable { f(in[(ptrdiff_t)i]); });
  return last;
}
template <class It, class N, class F> It for_each_n(cudaStream_t s, It first, N n, F f)
{
  return par::for_each(s, first, first + (ptrdiff_t)n, f);
}
template <class In, class Out> Out copy(cudaStream_t s, In first, In last, Out out)
{
  simtlab::copy_items(s, (size_t)(last - first), raw(first), raw(out));
  return out + (last - first);
}
template <class In, class N, class Out> Out copy_n(cudaStream_t s, In first, N n, Out out)
{
  return par::copy(s, first, first + (ptrdiff_t)n, out);
}
template <class It, class T> void fill(cudaStream_t s, It first, It last, T value)
{
  auto out = raw(first);
  const item_of<It> v = value;
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = v; });
}
template <class It, class N, class T> It fill_n(cudaStream_t s, It first, N n, T value)
{
  par::fill(s, first, first + (ptrdiff_t)n, value);
  return first + (ptrdiff_t)n;
}
template <class It, class T, class U> void sequence(cudaStream_t s, It first, It last, T init, U step)
{
  auto out = raw(first);
  typedef item_of<It> V;
  simtlab::each(s, (size_t)(last - first),
                [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = (V)(init + (V)i * step); });
}
template <class It, class T> void sequence(cudaStream_t s, It first, It last, T init)
{
  par::sequence(s, first, last, init, T(1));
}
template <class It> void sequence(cudaStream_t s, It first, It last)
{
  par::sequence(s, first, last, item_of<It>(0), item_of<It>(1));
}
template <class It, class F> void tabulate(cudaStream_t s, It first, It last, F f)
{
  auto out = raw(first);
  typedef item_of<It> V;
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = f((V)i); });
}
template <class It, class F> void generate(cudaStream_t s, It first, It last, F f)
{
  auto out = raw(first);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = f(); });
}
template <class It, class N, class F> It generate_n(cudaStream_t s, It first, N n, F f)
{
  par::generate(s, first, first + (ptrdiff_t)n, f);
  return first + (ptrdiff_t)n;
}
template <class In, class Out, class F> Out transform(cudaStream_t s, In first, In last, Out result, F f)
{
  auto in = raw(first);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first),
                [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = f(in[(ptrdiff_t)i]); });
  return result + (last - first);
}
template <class In, class In2, class Out, class F>
Out transform(cudaStream_t s, In first, In last, In2 second, Out result, F f)
{
  auto in = raw(first);
  auto in2 = raw(second);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first),
                [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = f(in[(ptrdiff_t)i], in2[(ptrdiff_t)i]); });
  return result + (last - first);
}
template <class In, class S, class Out, class F, class P>
Out transform_if(cudaStream_t s, In first, In last, S stencil, Out result, F f, P p)
{
  auto in = raw(first);
  auto test = raw(stencil);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable {
    if (p(test[(ptrdiff_t)i]))
      out[(ptrdiff_t)i] = f(in[(ptrdiff_t)i]);
  });
  return result + (last - first);
}
template <class In, class Out, class F, class P>
Out transform_if(cudaStream_t s, In first, In last, Out result, F f, P p)
{
  return par::transform_if(s, first, last, first, result, f, p);
}
template <class Map, class In, class Out> Out gather(cudaStream_t s, Map first, Map last, In items, Out result)
{
  auto map = raw(first);
  auto in = raw(items);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first),
                [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = in[(ptrdiff_t)map[(ptrdiff_t)i]]; });
  return result + (last - first);
}
template <class In, class Map, class Out> void scatter(cudaStream_t s, In first, In last, Map places, Out result)
{
  auto in = raw(first);
  auto map = raw(places);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first),
                [=] __device__(size_t i) mutable { out[(ptrdiff_t)map[(ptrdiff_t)i]] = in[(ptrdiff_t)i]; });
}
template <class In, class Map, class S, class Out>
void scatter_if(cudaStream_t s, In first, In last, Map places, S stencil, Out result)
{
  auto in = raw(first);
  auto map = raw(places);
  auto test = raw(stencil);
  auto out = raw(result);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable {
    if (test[(ptrdiff_t)i])
      out[(ptrdiff_t)map[(ptrdiff_t)i]] = in[(ptrdiff_t)i];
  });
}
template <class It, class T, class Op> T reduce(cudaStream_t s, It first, It last, T init, Op op)
{
  return simtlab::reduce<T>(s, raw(first), (size_t)(last - first), init, op);
}
template <class It, class T> T reduce(cudaStream_t s, It first, It last, T init)
{
  return par::reduce(s, first, last, init, plus<T>());
}
template <class It> item_of<It> reduce(cudaStream_t s, It first, It last)
{
  return par::reduce(s, first, last, item_of<It>(), plus<item_of<It>>());
}
template <class It, class F, class T, class Op>
T transform_reduce(cudaStream_t s, It first, It last, F f, T init, Op op)
{
  return simtlab::reduce<T>(s, applied<raw_of<It>, F>{raw(first), f}, (size_t)(last - first), init, op);
}
template <class It, class It2, class T, class Op, class F>
T inner_product(cudaStream_t s, It first, It last, It2 second, T init, Op op, F f)
{
  return simtlab::reduce<T>(s, applied2<raw_of<It>, raw_of<It2>, F>{raw(first), raw(second), f}, (size_t)(last - first),
                            init, op);
}
template <class It, class It2, class T> T inner_product(cudaStream_t s, It first, It last, It2 second, T init)
{
  return par::inner_product(s, first, last, second, init, plus<T>(), multiplies<T>());
}

/* Whether a predicate holds, as a number */
template <class In, class P> struct held {
  In in;
  mutable P p;
  __device__ ptrdiff_t operator[](ptrdiff_t i) const
  {
    return p(in[i]) ? 1 : 0;
  }
};
/* The index of an element for which it holds, n for the others */
template <class In, class P> struct held_at {
  In in;
  mutable P p;
  ptrdiff_t n;
  __device__ ptrdiff_t operator[](ptrdiff_t i) const
  {
    return p(in[i]) ? i : n;
  }
};
template <class It, class P> ptrdiff_t count_if(cudaStream_t s, It first, It last, P p)
{
  return simtlab::reduce<ptrdiff_t>(s, held<raw_of<It>, P>{raw(first), p}, (size_t)(last - first), (ptrdiff_t)0,
                                    simtlab::add());
}
template <class It, class T> ptrdiff_t count(cudaStream_t s, It first, It last, T value)
{
  return par::count_if(s, first, last, detail::equals_value<T>{value});
}
template <class It, class P> It find_if(cudaStream_t s, It first, It last, P p)
{
  const ptrdiff_t n = last - first;
  return first +
         simtlab::reduce<ptrdiff_t>(s, held_at<raw_of<It>, P>{raw(first), p, n}, (size_t)n, n, minimum<ptrdiff_t>());
}
template <class It, class P> It find_if_not(cudaStream_t s, It first, It last, P p)
{
  return par::find_if(s, first, last, detail::negated<P>{p});
}
template <class It, class T> It find(cudaStream_t s, It first, It last, T value)
{
  return par::find_if(s, first, last, detail::equals_value<T>{value});
}
template <class It, class P> bool any_of(cudaStream_t s, It first, It last, P p)
{
  return par::find_if(s, first, last, p) != last;
}
template <class It, class P> bool all_of(cudaStream_t s, It first, It last, P p)
{
  return par::find_if_not(s, first, last, p) == last;
}
template <class It, class P> bool none_of(cudaStream_t s, It first, It last, P p)
{
  return par::find_if(s, first, last, p) == last;
}
template <class It, class It2, class P> bool equal(cudaStream_t s, It first, It last, It2 second, P p)
{
  return simtlab::reduce<bool>(s, applied2<raw_of<It>, raw_of<It2>, P>{raw(first), raw(second), p},
                               (size_t)(last - first), true, logical_and<bool>());
}
template <class It, class It2> bool equal(cudaStream_t s, It first, It last, It2 second)
{
  return par::equal(s, first, last, second, equal_to<>());
}
template <class In, class Less> struct in_order {
  In in;
  Less less;
  __device__ bool operator[](ptrdiff_t i) const
  {
    return !less(in[i + 1], in[i]);
  }
};
template <class It, class Less> bool is_sorted(cudaStream_t s, It first, It last, Less less)
{
  const ptrdiff_t n = last - first;
  return n < 2 || simtlab::reduce<bool>(s, in_order<raw_of<It>, Less>{raw(first), less}, (size_t)n - 1, true,
                                        logical_and<bool>());
}
template <class It> bool is_sorted(cudaStream_t s, It first, It last)
{
  return par::is_sorted(s, first, last, thrust::less<>());
}
/* Of two indices that of the better element; of equal ones the first */
template <class In, class Better> struct best_index {
  In in;
  Better better;
  __device__ ptrdiff_t operator()(ptrdiff_t a, ptrdiff_t b) const
  {
    return better(in[a], in[b]) ? a : better(in[b], in[a]) ? b : a < b ? a : b;
  }
};
template <class Less> struct flipped {
  Less less;
  template <class A, class B> __device__ bool operator()(const A &a, const B &b) const
  {
    return less(b, a);
  }
};
template <class It, class Better> It best(cudaStream_t s, It first, It last, Better better)
{
  if (first == last)
    return last;
  scratch<ptrdiff_t> out(1);
  simtlab::reduce_to(s, counting_iterator<ptrdiff_t>(0), (size_t)(last - first), out.get(),
                     best_index<raw_of<It>, Better>{raw(first), better});
  return first + simtlab::read_one(out.get(), s);
}
template <class It, class Less> It max_element(cudaStream_t s, It first, It last, Less less)
{
  return par::best(s, first, last, flipped<Less>{less});
}
template <class It> It max_element(cudaStream_t s, It first, It last)
{
  return par::max_element(s, first, last, thrust::less<item_of<It>>());
}
template <class It, class Less> It min_element(cudaStream_t s, It first, It last, Less less)
{
  return par::best(s, first, last, less);
}
template <class It> It min_element(cudaStream_t s, It first, It last)
{
  return par::min_element(s, first, last, thrust::less<item_of<It>>());
}
template <class It, class Less> pair<It, It> minmax_element(cudaStream_t s, It first, It last, Less less)
{
  return pair<It, It>(par::min_element(s, first, last, less), par::max_element(s, first, last, less));
}
template <class It> pair<It, It> minmax_element(cudaStream_t s, It first, It last)
{
  return par::minmax_element(s, first, last, thrust::less<item_of<It>>());
}

template <class In, class Out, class Op> Out inclusive_scan(cudaStream_t s, In first, In last, Out out, Op op)
{
  simtlab::scan<item_of<In>>(s, raw(first), (size_t)(last - first), raw(out), (const item_of<In> *)nullptr, true, op);
  return out + (last - first);
}
template <class In, class Out> Out inclusive_scan(cudaStream_t s, In first, In last, Out out)
{
  return par::inclusive_scan(s, first, last, out, plus<item_of<In>>());
}
template <class In, class Out, class T, class Op>
Out exclusive_scan(cudaStream_t s, In first, In last, Out out, T init, Op op)
{
  const simtlab::device_value<T> start(init, s);
  simtlab::scan<T>(s, raw(first), (size_t)(last - first), raw(out), (const T *)start.get(), false, op);
  return out + (last - first);
}
template <class In, class Out, class T> Out exclusive_scan(cudaStream_t s, In first, In last, Out out, T init)
{
  return par::exclusive_scan(s, first, last, out, init, plus<T>());
}
template <class In, class Out> Out exclusive_scan(cudaStream_t s, In first, In last, Out out)
{
  return par::exclusive_scan(s, first, last, out, item_of<In>(0), plus<item_of<In>>());
}
template <class In, class Out, class F, class Op>
Out transform_inclusive_scan(cudaStream_t s, In first, In last, Out out, F f, Op op)
{
  const transform_iterator<F, In> begin(first, f);
  return par::inclusive_scan(s, begin, begin + (last - first), out, op);
}
template <class In, class Out, class F, class T, class Op>
Out transform_exclusive_scan(cudaStream_t s, In first, In last, Out out, F f, T init, Op op)
{
  const transform_iterator<F, In> begin(first, f);
  return par::exclusive_scan(s, begin, begin + (last - first), out, init, op);
}

using simtlab::segment;
using simtlab::segment_op;
using simtlab::segments;
template <class K, class V, class Out, class Equal, class Op>
Out inclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out, Equal equal, Op op)
{
  typedef item_of<V> T;
  const size_t n = (size_t)(last - first);
  scratch<segment<T>> sums(n);
  simtlab::scan<segment<T>>(s, segments<T, raw_of<K>, raw_of<V>, Equal>{raw(first), raw(values), equal}, n, sums.get(),
                            (const segment<T> *)nullptr, true, segment_op<T, Op>{op});
  auto to = raw(out);
  const segment<T> *from = sums.get();
  simtlab::each(s, n, [=] __device__(size_t i) mutable { to[(ptrdiff_t)i] = from[i].sum; });
  return out + (ptrdiff_t)n;
}
template <class K, class V, class Out, class Equal>
Out inclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out, Equal equal)
{
  return par::inclusive_scan_by_key(s, first, last, values, out, equal, plus<item_of<V>>());
}
template <class K, class V, class Out> Out inclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out)
{
  return par::inclusive_scan_by_key(s, first, last, values, out, equal_to<>(), plus<item_of<V>>());
}
template <class K, class V, class Out, class T, class Equal, class Op>
Out exclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out, T init, Equal equal, Op op)
{
  const size_t n = (size_t)(last - first);
  scratch<segment<T>> sums(n);
  simtlab::scan<segment<T>>(s, segments<T, raw_of<K>, raw_of<V>, Equal>{raw(first), raw(values), equal}, n, sums.get(),
                            (const segment<T> *)nullptr, true, segment_op<T, Op>{op});
  auto to = raw(out);
  auto keys = raw(first);
  const segment<T> *from = sums.get();
  simtlab::each(s, n, [=] __device__(size_t i) mutable {
    to[(ptrdiff_t)i] =
        i == 0 || !equal(keys[(ptrdiff_t)i - 1], keys[(ptrdiff_t)i]) ? init : (T)op(init, from[i - 1].sum);
  });
  return out + (ptrdiff_t)n;
}
template <class K, class V, class Out, class T, class Equal>
Out exclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out, T init, Equal equal)
{
  return par::exclusive_scan_by_key(s, first, last, values, out, init, equal, plus<T>());
}
template <class K, class V, class Out, class T>
Out exclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out, T init)
{
  return par::exclusive_scan_by_key(s, first, last, values, out, init, equal_to<>(), plus<T>());
}
template <class K, class V, class Out> Out exclusive_scan_by_key(cudaStream_t s, K first, K last, V values, Out out)
{
  return par::exclusive_scan_by_key(s, first, last, values, out, item_of<V>(0), equal_to<>(), plus<item_of<V>>());
}
template <class K, class V, class KOut, class VOut, class Equal, class Op>
pair<KOut, VOut> reduce_by_key(cudaStream_t s, K first, K last, V values, KOut keys_out, VOut values_out, Equal equal,
                               Op op)
{
  typedef item_of<V> T;
  const size_t n = (size_t)(last - first);
  scratch<segment<T>> sums(n);
  simtlab::scan<segment<T>>(s, segments<T, raw_of<K>, raw_of<V>, Equal>{raw(first), raw(values), equal}, n, sums.get(),
                            (const segment<T> *)nullptr, true, segment_op<T, Op>{op});
  auto keys = raw(first);
  auto to = raw(keys_out);
  auto to2 = raw(values_out);
  const segment<T> *from = sums.get();
  const size_t count = simtlab::select(
      s, n, [=] __device__(size_t i) { return i + 1 == n || !equal(keys[(ptrdiff_t)i], keys[(ptrdiff_t)i + 1]); },
      [=] __device__(size_t i, unsigned int at, bool selected) mutable {
        if (selected) {
          to[(ptrdiff_t)at] = keys[(ptrdiff_t)i];
          to2[(ptrdiff_t)at] = from[i].sum;
        }
      });
  return pair<KOut, VOut>(keys_out + (ptrdiff_t)count, values_out + (ptrdiff_t)count);
}
template <class K, class V, class KOut, class VOut, class Equal>
pair<KOut, VOut> reduce_by_key(cudaStream_t s, K first, K last, V values, KOut keys_out, VOut values_out, Equal equal)
{
  return par::reduce_by_key(s, first, last, values, keys_out, values_out, equal, plus<item_of<V>>());
}
template <class K, class V, class KOut, class VOut>
pair<KOut, VOut> reduce_by_key(cudaStream_t s, K first, K last, V values, KOut keys_out, VOut values_out)
{
  return par::reduce_by_key(s, first, last, values, keys_out, values_out, equal_to<>(), plus<item_of<V>>());
}
template <class In, class Out, class Op> Out adjacent_difference(cudaStream_t s, In first, In last, Out result, Op op)
{
  typedef item_of<In> T;
  const size_t n = (size_t)(last - first);
  scratch<T> made(n); /* the result may be the input */
  T *differences = made.get();
  auto in = raw(first);
  simtlab::each(s, n, [=] __device__(size_t i) mutable {
    new (differences + i) T(i > 0 ? (T)op((T)in[(ptrdiff_t)i], (T)in[(ptrdiff_t)i - 1]) : (T)in[0]);
  });
  simtlab::copy_items(s, n, (const T *)differences, raw(result));
  return result + (ptrdiff_t)n;
}
template <class In, class Out> Out adjacent_difference(cudaStream_t s, In first, In last, Out out)
{
  return par::adjacent_difference(s, first, last, out, minus<item_of<In>>());
}

/* Copies the items that a function of the index selects, by a buffer since the result may be the input. */
template <class In, class Out, class Selected>
ptrdiff_t copy_selected(cudaStream_t s, In first, size_t n, Out result, Selected selected)
{
  typedef item_of<In> T;
  scratch<T> made(n);
  T *buffer = made.get();
  auto in = raw(first);
  const size_t count = simtlab::select(s, n, selected, [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
    if (chosen)
      new (buffer + at) T((T)in[(ptrdiff_t)i]);
  });
  simtlab::copy_items(s, count, (const T *)buffer, raw(result));
  return (ptrdiff_t)count;
}
template <class In, class S, class Out, class P> Out copy_if(cudaStream_t s, In first, In last, S stencil, Out out, P p)
{
  auto test = raw(stencil);
  return out + par::copy_selected(s, first, (size_t)(last - first), out,
                                  [=] __device__(size_t i) mutable { return (bool)p(test[(ptrdiff_t)i]); });
}
template <class In, class Out, class P> Out copy_if(cudaStream_t s, In first, In last, Out out, P p)
{
  return par::copy_if(s, first, last, first, out, p);
}
template <class It, class P> It remove_if(cudaStream_t s, It first, It last, P p)
{
  return par::copy_if(s, first, last, first, first, detail::negated<P>{p});
}
template <class It, class S, class P> It remove_if(cudaStream_t s, It first, It last, S stencil, P p)
{
  return par::copy_if(s, first, last, stencil, first, detail::negated<P>{p});
}
template <class It, class T> It remove(cudaStream_t s, It first, It last, T value)
{
  return par::remove_if(s, first, last, detail::equals_value<T>{value});
}
template <class In, class Out, class P> Out remove_copy_if(cudaStream_t s, In first, In last, Out out, P p)
{
  return par::copy_if(s, first, last, first, out, detail::negated<P>{p});
}
template <class In, class Out, class Equal> Out unique_copy(cudaStream_t s, In first, In last, Out out, Equal equal)
{
  auto in = raw(first);
  return out + par::copy_selected(s, first, (size_t)(last - first), out, [=] __device__(size_t i) mutable {
           return i == 0 || !equal(in[(ptrdiff_t)i - 1], in[(ptrdiff_t)i]);
         });
}
template <class In, class Out> Out unique_copy(cudaStream_t s, In first, In last, Out out)
{
  return par::unique_copy(s, first, last, out, equal_to<>());
}
template <class It, class Equal> It unique(cudaStream_t s, It first, It last, Equal equal)
{
  return par::unique_copy(s, first, last, first, equal);
}
template <class It> It unique(cudaStream_t s, It first, It last)
{
  return par::unique_copy(s, first, last, first, equal_to<>());
}
template <class K, class V, class Equal>
pair<K, V> unique_by_key(cudaStream_t s, K first, K last, V values, Equal equal)
{
  const auto zipped = make_zip_iterator(first, values);
  auto keys = raw(first);
  const ptrdiff_t n = par::copy_selected(s, zipped, (size_t)(last - first), zipped, [=] __device__(size_t i) mutable {
    return i == 0 || !equal(keys[(ptrdiff_t)i - 1], keys[(ptrdiff_t)i]);
  });
  return pair<K, V>(first + n, values + n);
}
template <class K, class V> pair<K, V> unique_by_key(cudaStream_t s, K first, K last, V values)
{
  return par::unique_by_key(s, first, last, values, equal_to<>());
}
template <class It, class P> It stable_partition(cudaStream_t s, It first, It last, P p)
{
  typedef item_of<It> T;
  const size_t n = (size_t)(last - first);
  scratch<T> made(n), rest(n);
  T *buffer = made.get(), *others = rest.get();
  auto in = raw(first);
  const size_t count = simtlab::select(
      s, n, [=] __device__(size_t i) mutable { return (bool)p(in[(ptrdiff_t)i]); },
      [=] __device__(size_t i, unsigned int at, bool chosen) mutable {
        new (chosen ? buffer + at : others + (i - at)) T((T)in[(ptrdiff_t)i]);
      });
  simtlab::copy_items(s, count, (const T *)buffer, raw(first));
  simtlab::copy_items(s, n - count, (const T *)others, raw(first + (ptrdiff_t)count));
  return first + (ptrdiff_t)count;
}
template <class It, class P> It partition(cudaStream_t s, It first, It last, P p)
{
  return par::stable_partition(s, first, last, p);
}
template <class It, class S, class P, class T>
void replace_if(cudaStream_t s, It first, It last, S stencil, P p, T value)
{
  auto out = raw(first);
  auto test = raw(stencil);
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable {
    if (p(test[(ptrdiff_t)i]))
      out[(ptrdiff_t)i] = value;
  });
}
template <class It, class P, class T> void replace_if(cudaStream_t s, It first, It last, P p, T value)
{
  par::replace_if(s, first, last, first, p, value);
}
template <class It, class T> void replace(cudaStream_t s, It first, It last, T old, T value)
{
  par::replace_if(s, first, last, detail::equals_value<T>{old}, value);
}
template <class It> void reverse(cudaStream_t s, It first, It last)
{
  typedef item_of<It> T;
  const size_t n = (size_t)(last - first);
  auto in = raw(first);
  simtlab::each(s, n / 2, [=] __device__(size_t i) mutable {
    const T t = in[(ptrdiff_t)i];
    in[(ptrdiff_t)i] = (T)in[(ptrdiff_t)(n - 1 - i)];
    in[(ptrdiff_t)(n - 1 - i)] = t;
  });
}
template <class In, class Out> Out reverse_copy(cudaStream_t s, In first, In last, Out result)
{
  const size_t n = (size_t)(last - first);
  auto in = raw(first);
  auto out = raw(result);
  simtlab::each(s, n, [=] __device__(size_t i) mutable { out[(ptrdiff_t)i] = in[(ptrdiff_t)(n - 1 - i)]; });
  return result + (ptrdiff_t)n;
}
template <class It, class It2> It2 swap_ranges(cudaStream_t s, It first, It last, It2 second)
{
  auto a = raw(first);
  auto b = raw(second);
  typedef item_of<It> T;
  simtlab::each(s, (size_t)(last - first), [=] __device__(size_t i) mutable {
    const T t = a[(ptrdiff_t)i];
    a[(ptrdiff_t)i] = b[(ptrdiff_t)i];
    b[(ptrdiff_t)i] = t;
  });
  return second + (last - first);
}

/* Keys in a known order are sorted by digits, others by merging. */
template <class Less, class K> struct digit_order {
  enum { known = 0, descending = 0 };
};
#define SIMTLAB_DIGIT_ORDER(functor, down)                                                                             \
  template <class K> struct digit_order<functor<K>, K> {                                                               \
    enum { known = simtlab::radix<K>::possible, descending = down };                                                   \
  };                                                                                                                   \
  template <class K> struct digit_order<functor<void>, K> {                                                            \
    enum { known = simtlab::radix<K>::possible, descending = down };                                                   \
  };
SIMTLAB_DIGIT_ORDER(thrust::less, 0)
SIMTLAB_DIGIT_ORDER(thrust::greater, 1)
SIMTLAB_DIGIT_ORDER(std::less, 0)
SIMTLAB_DIGIT_ORDER(std::greater, 1)
#undef SIMTLAB_DIGIT_ORDER
template <class K, class V, class Less>
bool sort_buffers(std::true_type, cudaStream_t s, size_t n, K *keys, K *keys2, V *values, V *values2, Less)
{
  return simtlab::radix_sort(s, n, keys, keys2, values, values2, 0, 8 * (int)sizeof(K),
                             digit_order<Less, K>::descending);
}
template <class K, class V, class Less>
bool sort_buffers(std::false_type, cudaStream_t s, size_t n, K *keys, K *keys2, V *values, V *values2, Less less)
{
  return simtlab::merge_sort(s, n, keys, keys2, values, values2, less);
}
template <class It, class Less> void stable_sort(cudaStream_t s, It first, It last, Less less)
{
  typedef item_of<It> K;
  const size_t n = (size_t)(last - first);
  if (n < 2)
    return;
  scratch<K> keys(n), keys2(n);
  simtlab::nothing *none = nullptr;
  simtlab::copy_items(s, n, raw(first), keys.get());
  const bool second = par::sort_buffers(std::integral_constant<bool, digit_order<Less, K>::known>(), s, n, keys.get(),
                                        keys2.get(), none, none, less);
  simtlab::copy_items(s, n, (const K *)(second ? keys2 : keys).get(), raw(first));
}
template <class It> void stable_sort(cudaStream_t s, It first, It last)
{
  par::stable_sort(s, first, last, thrust::less<item_of<It>>());
}
template <class It, class Less> void sort(cudaStream_t s, It first, It last, Less less)
{
  par::stable_sort(s, first, last, less);
}
template <class It> void sort(cudaStream_t s, It first, It last)
{
  par::stable_sort(s, first, last, thrust::less<item_of<It>>());
}
template <class KeyIt, class ValueIt, class Less>
void stable_sort_by_key(cudaStream_t s, KeyIt first, KeyIt last, ValueIt items, Less less)
{
  typedef item_of<KeyIt> K;
  typedef item_of<ValueIt> V;
  const size_t n = (size_t)(last - first);
  if (n < 2)
    return;
  scratch<K> keys(n), keys2(n);
  scratch<V> values(n), values2(n);
  simtlab::copy_items(s, n, raw(first), keys.get());
  simtlab::copy_items(s, n, raw(items), values.get());
  const bool second = par::sort_buffers(std::integral_constant<bool, digit_order<Less, K>::known>(), s, n, keys.get(),
                                        keys2.get(), values.get(), values2.get(), less);
  simtlab::copy_items(s, n, (const K *)(second ? keys2 : keys).get(), raw(first));
  simtlab::copy_items(s, n, (const V *)(second ? values2 : values).get(), raw(items));
}
template <class K, class V> void stable_sort_by_key(cudaStream_t s, K first, K last, V values)
{
  par::stable_sort_by_key(s, first, last, values, thrust::less<item_of<K>>());
}
template <class K, class V, class Less> void sort_by_key(cudaStream_t s, K first, K last, V values, Less less)
{
  par::stable_sort_by_key(s, first, last, values, less);
}
template <class K, class V> void sort_by_key(cudaStream_t s, K first, K last, V values)
{
  par::stable_sort_by_key(s, first, last, values, thrust::less<item_of<K>>());
}
} // namespace par
} // namespace thrust

#endif
