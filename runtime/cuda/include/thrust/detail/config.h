/* What all headers of Thrust share. simtlab's Thrust has the commonly used parts: vectors, fancy iterators, and
 * algorithms that run on the device, on the host, or inside one thread. */
#ifndef SIMTLAB_THRUST_CONFIG_H
#define SIMTLAB_THRUST_CONFIG_H

#include "../../simtlab/parallel.h"

#define THRUST_VERSION 101500
#define THRUST_MAJOR_VERSION 1
#define THRUST_MINOR_VERSION 15
#define THRUST_SUBMINOR_VERSION 0

namespace thrust
{
namespace detail
{
template <bool B, class T = void> using if_ = typename std::enable_if<B, T>::type;

template <size_t... I> struct indices {
};
template <size_t N, size_t... I> struct make_indices : make_indices<N - 1, N - 1, I...> {
};
template <size_t... I> struct make_indices<0, I...> {
  typedef indices<I...> type;
};

template <class...> struct any : std::false_type {
};
template <class A, class... B> struct any<A, B...> : std::conditional<A::value, A, any<B...>>::type {
};
template <class... A>
struct all : std::integral_constant<bool, !any<std::integral_constant<bool, !A::value>...>::value> {
};

/* The functions of Thrust may be called on both sides with functions of one side. */
#pragma clang diagnostic push
#pragma clang diagnostic pop
} // namespace detail
} // namespace thrust

#endif
