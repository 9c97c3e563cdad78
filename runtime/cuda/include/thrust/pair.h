#ifndef SIMTLAB_THRUST_PAIR_H
#define SIMTLAB_THRUST_PAIR_H

#include "detail/config.h"

namespace thrust
{
template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  SIMTLAB_BOTH pair() : first(), second()
  {
  }
  SIMTLAB_BOTH pair(const A &a, const B &b) : first(a), second(b)
  {
  }
  template <class C, class D> SIMTLAB_BOTH pair(const pair<C, D> &p) : first(p.first), second(p.second)
  {
  }
  template <class C, class D> SIMTLAB_BOTH pair(const std::pair<C, D> &p) : first(p.first), second(p.second)
  {
  }
  operator std::pair<A, B>() const
  {
    return std::pair<A, B>(first, second);
  }
};
template <class A, class B>
SIMTLAB_BOTH pair<typename std::decay<A>::type, typename std::decay<B>::type> make_pair(A &&a, B &&b)
{
  return pair<typename std::decay<A>::type, typename std::decay<B>::type>(a, b);
}
template <class A, class B> SIMTLAB_BOTH bool operator==(const pair<A, B> &p, const pair<A, B> &q)
{
  return p.first == q.first && p.second == q.second;
}
template <class A, class B> SIMTLAB_BOTH bool operator!=(const pair<A, B> &p, const pair<A, B> &q)
{
  return !(p == q);
}
template <class A, class B> SIMTLAB_BOTH bool operator<(const pair<A, B> &p, const pair<A, B> &q)
{
  return p.first < q.first || (!(q.first < p.first) && p.second < q.second);
}
template <class A, class B> SIMTLAB_BOTH bool operator>(const pair<A, B> &p, const pair<A, B> &q)
{
  return q < p;
}
} // namespace thrust

#endif
