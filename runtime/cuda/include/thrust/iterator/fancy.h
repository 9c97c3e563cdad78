/* Iterators that compute their elements */
#ifndef SIMTLAB_THRUST_FANCY_H
#define SIMTLAB_THRUST_FANCY_H

#include "../device_ptr.h"

namespace thrust
{
template <class T, class System = void, class Traversal = void, class Difference = void>
class counting_iterator : public detail::facade<counting_iterator<T, System, Traversal, Difference>, T, T>
{
  T value_;

public:
  SIMTLAB_BOTH counting_iterator() : value_()
  {
  }
  SIMTLAB_BOTH explicit counting_iterator(T value) : value_(value)
  {
  }
  SIMTLAB_BOTH T at(ptrdiff_t n) const
  {
    return (T)(value_ + (T)n);
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    value_ = (T)(value_ + (T)n);
  }
  SIMTLAB_BOTH ptrdiff_t minus(const counting_iterator &other) const
  {
    return (ptrdiff_t)value_ - (ptrdiff_t)other.value_;
  }
  SIMTLAB_BOTH T base() const
  {
    return value_;
  }
};
template <class T> SIMTLAB_BOTH counting_iterator<T> make_counting_iterator(T value)
{
  return counting_iterator<T>(value);
}

template <class T, class = void, class = void>
class constant_iterator : public detail::facade<constant_iterator<T>, T, T>
{
  T value_;
  ptrdiff_t index_;

public:
  SIMTLAB_BOTH explicit constant_iterator(T value = T(), ptrdiff_t index = 0) : value_(value), index_(index)
  {
  }
  SIMTLAB_BOTH T at(ptrdiff_t) const
  {
    return value_;
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    index_ += n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const constant_iterator &other) const
  {
    return index_ - other.index_;
  }
};
template <class T> SIMTLAB_BOTH constant_iterator<T> make_constant_iterator(T value, ptrdiff_t index = 0)
{
  return constant_iterator<T>(value, index);
}

struct simtlab_discard {
  template <class T> SIMTLAB_BOTH const simtlab_discard &operator=(const T &) const
  {
    return *this;
  }
};
template <class = void>
class discard_iterator : public detail::facade<discard_iterator<>, simtlab_discard, simtlab_discard>
{
  ptrdiff_t index_;

public:
  SIMTLAB_BOTH explicit discard_iterator(ptrdiff_t index = 0) : index_(index)
  {
  }
  SIMTLAB_BOTH simtlab_discard at(ptrdiff_t) const
  {
    return simtlab_discard();
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    index_ += n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const discard_iterator &other) const
  {
    return index_ - other.index_;
  }
};
inline SIMTLAB_BOTH discard_iterator<> make_discard_iterator(ptrdiff_t index = 0)
{
  return discard_iterator<>(index);
}

namespace detail
{
/* The function's result over what the kernel's form of the iterator gives */
template <class F, class It> struct transformed {
  typedef decltype(std::declval<const F &>()(*std::declval<typename raw_iterator<It>::type>())) reference;
  typedef typename std::decay<reference>::type value;
};
} // namespace detail
template <class F, class It, class Reference = void, class Value = void>
class transform_iterator
    : public detail::facade<transform_iterator<F, It, Reference, Value>, typename detail::transformed<F, It>::value,
                            typename detail::transformed<F, It>::value>
{
  It it_;
  F f_;

public:
  SIMTLAB_BOTH transform_iterator() : it_(), f_()
  {
  }
  SIMTLAB_BOTH transform_iterator(It it, F f) : it_(it), f_(f)
  {
  }
  SIMTLAB_BOTH explicit transform_iterator(It it) : it_(it), f_()
  {
  }
  transform_iterator(const transform_iterator &) = default;
  /* Functions with captures are not assignable. */
  SIMTLAB_BOTH transform_iterator &operator=(const transform_iterator &other)
  {
    it_ = other.it_;
    return *this;
  }
  SIMTLAB_BOTH typename detail::transformed<F, It>::value at(ptrdiff_t n) const
  {
    return f_(it_[n]);
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    it_ += n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const transform_iterator &other) const
  {
    return it_ - other.it_;
  }
  SIMTLAB_BOTH const It &base() const
  {
    return it_;
  }
  SIMTLAB_BOTH F functor() const
  {
    return f_;
  }
};
template <class It, class F> SIMTLAB_BOTH transform_iterator<F, It> make_transform_iterator(It it, F f)
{
  return transform_iterator<F, It>(it, f);
}

template <class It, class F> struct simtlab_output {
  It it;
  F f;
  template <class T> SIMTLAB_BOTH const simtlab_output &operator=(const T &t) const
  {
    *it = f(t);
    return *this;
  }
};
template <class F, class It>
class transform_output_iterator
    : public detail::facade<transform_output_iterator<F, It>, detail::item_of<It>, simtlab_output<It, F>>
{
  It it_;
  F f_;

public:
  SIMTLAB_BOTH transform_output_iterator(It it, F f) : it_(it), f_(f)
  {
  }
  SIMTLAB_BOTH simtlab_output<It, F> at(ptrdiff_t n) const
  {
    return simtlab_output<It, F>{it_ + n, f_};
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    it_ += n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const transform_output_iterator &other) const
  {
    return it_ - other.it_;
  }
  SIMTLAB_BOTH const It &base() const
  {
    return it_;
  }
  SIMTLAB_BOTH F functor() const
  {
    return f_;
  }
};
template <class It, class F> SIMTLAB_BOTH transform_output_iterator<F, It> make_transform_output_iterator(It it, F f)
{
  return transform_output_iterator<F, It>(it, f);
}

template <class It, class Index>
class permutation_iterator : public detail::facade<permutation_iterator<It, Index>, detail::item_of<It>,
                                                   typename std::iterator_traits<It>::reference>
{
  It it_;
  Index index_;

public:
  SIMTLAB_BOTH permutation_iterator() : it_(), index_()
  {
  }
  SIMTLAB_BOTH permutation_iterator(It it, Index index) : it_(it), index_(index)
  {
  }
  SIMTLAB_BOTH typename std::iterator_traits<It>::reference at(ptrdiff_t n) const
  {
    return it_[(ptrdiff_t)(detail::item_of<Index>)index_[n]];
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    index_ += n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const permutation_iterator &other) const
  {
    return index_ - other.index_;
  }
  SIMTLAB_BOTH const It &items() const
  {
    return it_;
  }
  SIMTLAB_BOTH const Index &base() const
  {
    return index_;
  }
};
template <class It, class Index>
SIMTLAB_BOTH permutation_iterator<It, Index> make_permutation_iterator(It it, Index index)
{
  return permutation_iterator<It, Index>(it, index);
}

template <class It>
class reverse_iterator
    : public detail::facade<reverse_iterator<It>, detail::item_of<It>, typename std::iterator_traits<It>::reference>
{
  It it_;

public:
  SIMTLAB_BOTH reverse_iterator() : it_()
  {
  }
  SIMTLAB_BOTH explicit reverse_iterator(It it) : it_(it)
  {
  }
  SIMTLAB_BOTH typename std::iterator_traits<It>::reference at(ptrdiff_t n) const
  {
    return it_[-1 - n];
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    it_ -= n;
  }
  SIMTLAB_BOTH ptrdiff_t minus(const reverse_iterator &other) const
  {
    return other.it_ - it_;
  }
  SIMTLAB_BOTH const It &base() const
  {
    return it_;
  }
};
template <class It> SIMTLAB_BOTH reverse_iterator<It> make_reverse_iterator(It it)
{
  return reverse_iterator<It>(it);
}

template <class Tuple> class zip_iterator;
template <class... It>
class zip_iterator<tuple<It...>> : public detail::facade<zip_iterator<tuple<It...>>, tuple<detail::item_of<It>...>,
                                                         tuple<typename std::iterator_traits<It>::reference...>>
{
  typedef typename detail::make_indices<sizeof...(It)>::type all;
  typedef tuple<typename std::iterator_traits<It>::reference...> references;
  tuple<It...> its_;
  template <size_t... I> SIMTLAB_BOTH references at(ptrdiff_t n, detail::indices<I...>) const
  {
    return references(its_.template get<I>()[n]...);
  }
  template <size_t... I> SIMTLAB_BOTH void move(ptrdiff_t n, detail::indices<I...>)
  {
    const int done[] = {((void)(its_.template get<I>() += n), 0)...};
    (void)done;
  }

public:
  SIMTLAB_BOTH zip_iterator()
  {
  }
  SIMTLAB_BOTH zip_iterator(const tuple<It...> &its) : its_(its)
  {
  }
  SIMTLAB_BOTH references at(ptrdiff_t n) const
  {
    return at(n, all());
  }
  SIMTLAB_BOTH void move(ptrdiff_t n)
  {
    move(n, all());
  }
  SIMTLAB_BOTH ptrdiff_t minus(const zip_iterator &other) const
  {
    return its_.template get<0>() - other.its_.template get<0>();
  }
  SIMTLAB_BOTH const tuple<It...> &get_iterator_tuple() const
  {
    return its_;
  }
};
template <class... It> SIMTLAB_BOTH zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &its)
{
  return zip_iterator<tuple<It...>>(its);
}
template <class A, class... It, class = detail::if_<!detail::is_tuple<A>::value>>
SIMTLAB_BOTH zip_iterator<tuple<A, It...>> make_zip_iterator(A a, It... its)
{
  return zip_iterator<tuple<A, It...>>(tuple<A, It...>(a, its...));
}
/* A function of a tuple's elements as one of the tuple */
template <class F> struct simtlab_zip_function {
  F f;
  template <class Tuple, size_t... I>
  SIMTLAB_BOTH auto call(const Tuple &t, detail::indices<I...>) const -> decltype(f(t.template get<I>()...))
  {
    return f(t.template get<I>()...);
  }
  template <class... T>
  SIMTLAB_BOTH auto operator()(const tuple<T...> &t) const
      -> decltype(this->call(t, typename detail::make_indices<sizeof...(T)>::type()))
  {
    return call(t, typename detail::make_indices<sizeof...(T)>::type());
  }
};
template <class F> SIMTLAB_BOTH simtlab_zip_function<F> make_zip_function(F f)
{
  return simtlab_zip_function<F>{f};
}
template <class F> using zip_function = simtlab_zip_function<F>;

namespace detail
{
template <class... It> struct system_of<zip_iterator<tuple<It...>>> {
  typedef typename std::conditional<any<on_device<It>...>::value, device_tag, host_tag>::type type;
};
template <class F, class It, class R, class V> struct system_of<transform_iterator<F, It, R, V>> : system_of<It> {
};
template <class F, class It> struct system_of<transform_output_iterator<F, It>> : system_of<It> {
};
template <class It, class Index> struct system_of<permutation_iterator<It, Index>> : system_of<It> {
};
template <class It> struct system_of<reverse_iterator<It>> : system_of<It> {
};

template <class F, class It, class R, class V> struct raw_iterator<transform_iterator<F, It, R, V>> {
  typedef transform_iterator<F, typename raw_iterator<It>::type> type;
  static type of(const transform_iterator<F, It, R, V> &it)
  {
    return type(raw(it.base()), it.functor());
  }
};
template <class F, class It> struct raw_iterator<transform_output_iterator<F, It>> {
  typedef transform_output_iterator<F, typename raw_iterator<It>::type> type;
  static type of(const transform_output_iterator<F, It> &it)
  {
    return type(raw(it.base()), it.functor());
  }
};
template <class It, class Index> struct raw_iterator<permutation_iterator<It, Index>> {
  typedef permutation_iterator<typename raw_iterator<It>::type, typename raw_iterator<Index>::type> type;
  static type of(const permutation_iterator<It, Index> &it)
  {
    return type(raw(it.items()), raw(it.base()));
  }
};
template <class It> struct raw_iterator<reverse_iterator<It>> {
  typedef reverse_iterator<typename raw_iterator<It>::type> type;
  static type of(const reverse_iterator<It> &it)
  {
    return type(raw(it.base()));
  }
};
template <class... It> struct raw_iterator<zip_iterator<tuple<It...>>> {
  typedef zip_iterator<tuple<typename raw_iterator<It>::type...>> type;
  template <size_t... I> static type make(const tuple<It...> &its, indices<I...>)
  {
    return type(tuple<typename raw_iterator<It>::type...>(raw(its.template get<I>())...));
  }
  static type of(const zip_iterator<tuple<It...>> &it)
  {
    return make(it.get_iterator_tuple(), typename make_indices<sizeof...(It)>::type());
  }
};
} // namespace detail
} // namespace thrust

#endif
