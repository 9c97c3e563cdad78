#ifndef SIMTLAB_THRUST_TUPLE_H
#define SIMTLAB_THRUST_TUPLE_H

#include "pair.h"

namespace thrust
{
struct null_type {
};
template <class... T> class tuple;

namespace detail
{
template <size_t I, class T> struct tuple_leaf {
  T value;
  SIMTLAB_BOTH tuple_leaf() : value()
  {
  }
  template <class U> SIMTLAB_BOTH explicit tuple_leaf(U &&u) : value(static_cast<U &&>(u))
  {
  }
};
template <class I, class... T> struct tuple_leaves;
template <size_t... I, class... T> struct tuple_leaves<indices<I...>, T...> : tuple_leaf<I, T>... {
  SIMTLAB_BOTH tuple_leaves()
  {
  }
  template <class... U> SIMTLAB_BOTH explicit tuple_leaves(int, U &&...u) : tuple_leaf<I, T>(static_cast<U &&>(u))...
  {
  }
};
template <size_t I, class... T> struct nth;
template <class A, class... B> struct nth<0, A, B...> {
  typedef A type;
};
template <size_t I, class A, class... B> struct nth<I, A, B...> : nth<I - 1, B...> {
};
template <class T> struct is_tuple : std::false_type {
};
template <class... T> struct is_tuple<tuple<T...>> : std::true_type {
};
template <class T, class... U> struct one_tuple : std::false_type {
};
template <class T> struct one_tuple<T> : is_tuple<typename std::decay<T>::type> {
};
} // namespace detail

template <size_t I, class T> struct tuple_element;
template <size_t I, class... T> struct tuple_element<I, tuple<T...>> : detail::nth<I, T...> {
};
template <size_t I, class... T> struct tuple_element<I, const tuple<T...>> : detail::nth<I, T...> {
};
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {
};
template <class... T> struct tuple_size<const tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {
};

template <class... T> class tuple : public detail::tuple_leaves<typename detail::make_indices<sizeof...(T)>::type, T...>
{
  typedef typename detail::make_indices<sizeof...(T)>::type all;
  typedef detail::tuple_leaves<all, T...> base;
  template <class Other, size_t... I> SIMTLAB_BOTH tuple(const Other &other, detail::indices<I...>);
  template <class Other, size_t... I> SIMTLAB_BOTH void assign(const Other &other, detail::indices<I...>);

public:
  SIMTLAB_BOTH tuple()
  {
  }
  SIMTLAB_BOTH tuple(const tuple &other);
  template <class... U,
            class = detail::if_<sizeof...(U) == sizeof...(T) && (sizeof...(U) > 0) && !detail::one_tuple<U...>::value>>
  SIMTLAB_BOTH tuple(U &&...u) : base(0, static_cast<U &&>(u)...)
  {
  }
  template <class... U, class = detail::if_<sizeof...(U) == sizeof...(T)>> SIMTLAB_BOTH tuple(const tuple<U...> &other);
  template <class A, class B> SIMTLAB_BOTH tuple(const pair<A, B> &p) : base(0, p.first, p.second)
  {
  }
  SIMTLAB_BOTH tuple &operator=(const tuple &other)
  {
    assign(other, all());
    return *this;
  }
  template <class... U> SIMTLAB_BOTH tuple &operator=(const tuple<U...> &other)
  {
    assign(other, all());
    return *this;
  }
  template <class A, class B> SIMTLAB_BOTH tuple &operator=(const pair<A, B> &p)
  {
    return *this = tuple<const A &, const B &>(p.first, p.second);
  }
  template <size_t I> SIMTLAB_BOTH typename detail::nth<I, T...>::type &get()
  {
    return static_cast<detail::tuple_leaf<I, typename detail::nth<I, T...>::type> &>(*this).value;
  }
  template <size_t I>
  SIMTLAB_BOTH typename std::add_lvalue_reference<const typename detail::nth<I, T...>::type>::type get() const
  {
    return static_cast<const detail::tuple_leaf<I, typename detail::nth<I, T...>::type> &>(*this).value;
  }
};

template <size_t I, class... T> SIMTLAB_BOTH typename detail::nth<I, T...>::type &get(tuple<T...> &t)
{
  return t.template get<I>();
}
template <size_t I, class... T>
SIMTLAB_BOTH typename std::add_lvalue_reference<const typename detail::nth<I, T...>::type>::type
get(const tuple<T...> &t)
{
  return t.template get<I>();
}
template <size_t I, class... T> SIMTLAB_BOTH typename detail::nth<I, T...>::type get(tuple<T...> &&t)
{
  return static_cast<typename detail::nth<I, T...>::type>(t.template get<I>());
}
template <size_t I, class A, class B>
SIMTLAB_BOTH const typename std::conditional<I == 0, A, B>::type &get(const pair<A, B> &p)
{
  return *(const typename std::conditional<I == 0, A, B>::type *)(I == 0 ? (const void *)&p.first
                                                                         : (const void *)&p.second);
}

template <class... T>
template <class Other, size_t... I>
SIMTLAB_BOTH tuple<T...>::tuple(const Other &other, detail::indices<I...>) : base(0, other.template get<I>()...)
{
}
template <class... T> SIMTLAB_BOTH tuple<T...>::tuple(const tuple &other) : tuple(other, all())
{
}
template <class... T>
template <class... U, class>
SIMTLAB_BOTH tuple<T...>::tuple(const tuple<U...> &other) : tuple(other, all())
{
}
template <class... T>
template <class Other, size_t... I>
SIMTLAB_BOTH void tuple<T...>::assign(const Other &other, detail::indices<I...>)
{
  const int done[] = {0, ((void)(this->template get<I>() = other.template get<I>()), 0)...};
  (void)done;
}

namespace detail
{
/* Compares from element I on: below 0, 0, above 0 */
template <size_t I, size_t N> struct tuple_order {
  template <class A, class B> static SIMTLAB_BOTH bool equal(const A &a, const B &b)
  {
    return a.template get<I>() == b.template get<I>() && tuple_order<I + 1, N>::equal(a, b);
  }
  template <class A, class B> static SIMTLAB_BOTH bool less(const A &a, const B &b)
  {
    return a.template get<I>() < b.template get<I>() ||
           (!(b.template get<I>() < a.template get<I>()) && tuple_order<I + 1, N>::less(a, b));
  }
};
template <size_t N> struct tuple_order<N, N> {
  template <class A, class B> static SIMTLAB_BOTH bool equal(const A &, const B &)
  {
    return true;
  }
  template <class A, class B> static SIMTLAB_BOTH bool less(const A &, const B &)
  {
    return false;
  }
};
} // namespace detail
template <class... T, class... U> SIMTLAB_BOTH bool operator==(const tuple<T...> &a, const tuple<U...> &b)
{
  return detail::tuple_order<0, sizeof...(T)>::equal(a, b);
}
template <class... T, class... U> SIMTLAB_BOTH bool operator!=(const tuple<T...> &a, const tuple<U...> &b)
{
  return !(a == b);
}
template <class... T, class... U> SIMTLAB_BOTH bool operator<(const tuple<T...> &a, const tuple<U...> &b)
{
  return detail::tuple_order<0, sizeof...(T)>::less(a, b);
}
template <class... T, class... U> SIMTLAB_BOTH bool operator>(const tuple<T...> &a, const tuple<U...> &b)
{
  return b < a;
}
template <class... T, class... U> SIMTLAB_BOTH bool operator<=(const tuple<T...> &a, const tuple<U...> &b)
{
  return !(b < a);
}
template <class... T, class... U> SIMTLAB_BOTH bool operator>=(const tuple<T...> &a, const tuple<U...> &b)
{
  return !(a < b);
}

template <class... T> SIMTLAB_BOTH tuple<typename std::decay<T>::type...> make_tuple(T &&...t)
{
  return tuple<typename std::decay<T>::type...>(static_cast<T &&>(t)...);
}
template <class... T> SIMTLAB_BOTH tuple<T &...> tie(T &...t)
{
  return tuple<T &...>(t...);
}
} // namespace thrust

#endif
