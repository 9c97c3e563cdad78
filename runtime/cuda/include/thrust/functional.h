#ifndef SIMTLAB_THRUST_FUNCTIONAL_H
#define SIMTLAB_THRUST_FUNCTIONAL_H

#include "tuple.h"

#include <functional>

namespace thrust
{
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

#define SIMTLAB_THRUST_BINARY(name, result, expression)                                                                \
  template <class T = void> struct name {                                                                              \
    typedef T first_argument_type;                                                                                     \
    typedef T second_argument_type;                                                                                    \
    typedef result result_type;                                                                                        \
    SIMTLAB_BOTH result operator()(const T &a, const T &b) const                                                       \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class A, class B> SIMTLAB_BOTH auto operator()(const A &a, const B &b) const -> decltype(expression)     \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
SIMTLAB_THRUST_BINARY(plus, T, a + b)
SIMTLAB_THRUST_BINARY(minus, T, a - b)
SIMTLAB_THRUST_BINARY(multiplies, T, a *b)
SIMTLAB_THRUST_BINARY(divides, T, a / b)
SIMTLAB_THRUST_BINARY(modulus, T, a % b)
SIMTLAB_THRUST_BINARY(bit_and, T, a &b)
SIMTLAB_THRUST_BINARY(bit_or, T, a | b)
SIMTLAB_THRUST_BINARY(bit_xor, T, a ^ b)
SIMTLAB_THRUST_BINARY(maximum, T, a < b ? b : a)
SIMTLAB_THRUST_BINARY(minimum, T, b < a ? b : a)
SIMTLAB_THRUST_BINARY(equal_to, bool, a == b)
SIMTLAB_THRUST_BINARY(not_equal_to, bool, a != b)
SIMTLAB_THRUST_BINARY(greater, bool, a > b)
SIMTLAB_THRUST_BINARY(less, bool, a < b)
SIMTLAB_THRUST_BINARY(greater_equal, bool, a >= b)
SIMTLAB_THRUST_BINARY(less_equal, bool, a <= b)
SIMTLAB_THRUST_BINARY(logical_and, bool, a &&b)
SIMTLAB_THRUST_BINARY(logical_or, bool, a || b)
#undef SIMTLAB_THRUST_BINARY

#define SIMTLAB_THRUST_UNARY(name, result, expression)                                                                 \
  template <class T = void> struct name {                                                                              \
    typedef T argument_type;                                                                                           \
    typedef result result_type;                                                                                        \
    SIMTLAB_BOTH result operator()(const T &a) const                                                                   \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class A> SIMTLAB_BOTH auto operator()(const A &a) const -> decltype(expression)                          \
    {                                                                                                                  \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
SIMTLAB_THRUST_UNARY(negate, T, -a)
SIMTLAB_THRUST_UNARY(square, T, a *a)
SIMTLAB_THRUST_UNARY(logical_not, bool, !a)
SIMTLAB_THRUST_UNARY(bit_not, T, ~a)
SIMTLAB_THRUST_UNARY(identity, T, a)
#undef SIMTLAB_THRUST_UNARY

template <class A = void, class B = void> struct project1st {
  template <class X, class Y> SIMTLAB_BOTH X operator()(const X &x, const Y &) const
  {
    return x;
  }
};
template <class A = void, class B = void> struct project2nd {
  template <class X, class Y> SIMTLAB_BOTH Y operator()(const X &, const Y &y) const
  {
    return y;
  }
};

template <class F> struct unary_negate {
  F f;
  SIMTLAB_BOTH explicit unary_negate(F f) : f(f)
  {
  }
  template <class A> SIMTLAB_BOTH bool operator()(const A &a) const
  {
    return !f(a);
  }
};
template <class F> SIMTLAB_BOTH unary_negate<F> not1(const F &f)
{
  return unary_negate<F>(f);
}
template <class F> struct binary_negate {
  F f;
  SIMTLAB_BOTH explicit binary_negate(F f) : f(f)
  {
  }
  template <class A, class B> SIMTLAB_BOTH bool operator()(const A &a, const B &b) const
  {
    return !f(a, b);
  }
};
template <class F> SIMTLAB_BOTH binary_negate<F> not2(const F &f)
{
  return binary_negate<F>(f);
}

/* Expressions of _1, _2, ... that are functions */
namespace placeholders
{
template <class Node> struct expression {
  Node node;
  template <class... A> SIMTLAB_BOTH auto operator()(const A &...a) const -> decltype(node.of(a...))
  {
    return node.of(a...);
  }
};
template <size_t I> struct argument {
  template <class A, class... B>
  SIMTLAB_BOTH auto of(const A &, const B &...b) const -> const typename detail::nth<I - 1, B...>::type &
  {
    return argument<I - 1>().of(b...);
  }
};
template <> struct argument<0> {
  template <class A, class... B> SIMTLAB_BOTH const A &of(const A &a, const B &...) const
  {
    return a;
  }
};
template <class T> struct constant {
  T value;
  template <class... A> SIMTLAB_BOTH T of(const A &...) const
  {
    return value;
  }
};
template <class T> struct node_of {
  typedef constant<T> type;
  static SIMTLAB_BOTH type make(const T &t)
  {
    return type{t};
  }
};
template <class N> struct node_of<expression<N>> {
  typedef N type;
  static SIMTLAB_BOTH type make(const expression<N> &e)
  {
    return e.node;
  }
};
template <class T> struct is_expression : std::false_type {
};
template <class N> struct is_expression<expression<N>> : std::true_type {
};
#define SIMTLAB_PLACEHOLDER(name, op)                                                                                  \
  template <class A, class B> struct name {                                                                            \
    A a;                                                                                                               \
    B b;                                                                                                               \
    template <class... X> SIMTLAB_BOTH auto of(const X &...x) const -> decltype(a.of(x...) op b.of(x...))              \
    {                                                                                                                  \
      return a.of(x...) op b.of(x...);                                                                                 \
    }                                                                                                                  \
  };                                                                                                                   \
  template <class A, class B, class = detail::if_<is_expression<A>::value || is_expression<B>::value>>                 \
  SIMTLAB_BOTH expression<name<typename node_of<A>::type, typename node_of<B>::type>> operator op(const A &a,          \
                                                                                                  const B &b)          \
  {                                                                                                                    \
    return {{node_of<A>::make(a), node_of<B>::make(b)}};                                                               \
  }
SIMTLAB_PLACEHOLDER(plus_node, +)
SIMTLAB_PLACEHOLDER(minus_node, -)
SIMTLAB_PLACEHOLDER(times_node, *)
SIMTLAB_PLACEHOLDER(over_node, /)
SIMTLAB_PLACEHOLDER(modulus_node, %)
SIMTLAB_PLACEHOLDER(equal_node, ==)
SIMTLAB_PLACEHOLDER(unequal_node, !=)
SIMTLAB_PLACEHOLDER(less_node, <)
SIMTLAB_PLACEHOLDER(greater_node, >)
SIMTLAB_PLACEHOLDER(at_most_node, <=)
SIMTLAB_PLACEHOLDER(at_least_node, >=)
SIMTLAB_PLACEHOLDER(and_node, &&)
SIMTLAB_PLACEHOLDER(or_node, ||)
SIMTLAB_PLACEHOLDER(bit_and_node, &)
SIMTLAB_PLACEHOLDER(bit_or_node, |)
SIMTLAB_PLACEHOLDER(bit_xor_node, ^)
#undef SIMTLAB_PLACEHOLDER
template <class A> struct negate_node {
  A a;
  template <class... X> SIMTLAB_BOTH auto of(const X &...x) const -> decltype(-a.of(x...))
  {
    return -a.of(x...);
  }
};
template <class A> SIMTLAB_BOTH expression<negate_node<A>> operator-(const expression<A> &a)
{
  return {{a.node}};
}
template <class A> struct not_node {
  A a;
  template <class... X> SIMTLAB_BOTH bool of(const X &...x) const
  {
    return !a.of(x...);
  }
};
template <class A> SIMTLAB_BOTH expression<not_node<A>> operator!(const expression<A> &a)
{
  return {{a.node}};
}
static const expression<argument<0>> _1{};
static const expression<argument<1>> _2{};
static const expression<argument<2>> _3{};
static const expression<argument<3>> _4{};
} // namespace placeholders
} // namespace thrust

#endif
