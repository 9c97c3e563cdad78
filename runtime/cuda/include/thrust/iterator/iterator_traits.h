/* Where an iterator's elements are, and the form of it that kernels read. */
#ifndef SIMTLAB_THRUST_ITERATOR_TRAITS_H
#define SIMTLAB_THRUST_ITERATOR_TRAITS_H

#include "../functional.h"

#include <iterator>

namespace thrust
{
template <class It> struct iterator_traits : std::iterator_traits<It> {
};
template <class It> struct iterator_value {
  typedef typename std::iterator_traits<It>::value_type type;
};
template <class It> struct iterator_difference {
  typedef typename std::iterator_traits<It>::difference_type type;
};
template <class It> struct iterator_reference {
  typedef typename std::iterator_traits<It>::reference type;
};
typedef std::random_access_iterator_tag random_access_traversal_tag;
struct host_system_tag {
};
struct device_system_tag {
};

template <class It> SIMTLAB_BOTH typename std::iterator_traits<It>::difference_type distance(It first, It last)
{
  return last - first;
}
template <class It, class N> SIMTLAB_BOTH void advance(It &it, N n)
{
  it += n;
}
template <class It> SIMTLAB_BOTH It next(It it, ptrdiff_t n = 1)
{
  return it + n;
}
template <class It> SIMTLAB_BOTH It prev(It it, ptrdiff_t n = 1)
{
  return it - n;
}

namespace detail
{
struct host_tag {
};
struct device_tag {
};
/* host_tag unless specialised: raw pointers and iterators of the C++ library */
template <class It> struct system_of {
  typedef host_tag type;
};
template <class It> struct on_device : std::is_same<typename system_of<It>::type, device_tag> {
};
template <class It> struct raw_iterator {
  typedef It type;
  static type of(const It &it)
  {
    return it;
  }
};
template <class It> typename raw_iterator<It>::type raw(const It &it)
{
  return raw_iterator<It>::of(it);
}
template <class It> using item_of = typename std::iterator_traits<It>::value_type;

/* Operators of a random-access iterator over D's at(n), move(n) and minus(other) */
template <class D, class V, class R> class facade
{
  SIMTLAB_BOTH D &self()
  {
    return static_cast<D &>(*this);
  }
  SIMTLAB_BOTH const D &self() const
  {
    return static_cast<const D &>(*this);
  }

public:
  typedef V value_type;
  typedef R reference;
  typedef V *pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  SIMTLAB_BOTH R operator*() const
  {
    return self().at(0);
  }
  SIMTLAB_BOTH R operator[](ptrdiff_t n) const
  {
    return self().at(n);
  }
  SIMTLAB_BOTH D &operator+=(ptrdiff_t n)
  {
    self().move(n);
    return self();
  }
  SIMTLAB_BOTH D &operator-=(ptrdiff_t n)
  {
    self().move(-n);
    return self();
  }
  SIMTLAB_BOTH D &operator++()
  {
    return *this += 1;
  }
  SIMTLAB_BOTH D &operator--()
  {
    return *this += -1;
  }
  SIMTLAB_BOTH D operator++(int)
  {
    const D before = self();
    *this += 1;
    return before;
  }
  SIMTLAB_BOTH D operator--(int)
  {
    const D before = self();
    *this += -1;
    return before;
  }
  SIMTLAB_BOTH D operator+(ptrdiff_t n) const
  {
    D moved = self();
    moved += n;
    return moved;
  }
  friend SIMTLAB_BOTH D operator+(ptrdiff_t n, const D &d)
  {
    return d + n;
  }
  SIMTLAB_BOTH D operator-(ptrdiff_t n) const
  {
    return *this + -n;
  }
  SIMTLAB_BOTH ptrdiff_t operator-(const D &other) const
  {
    return self().minus(other);
  }
  SIMTLAB_BOTH bool operator==(const D &other) const
  {
    return self().minus(other) == 0;
  }
  SIMTLAB_BOTH bool operator!=(const D &other) const
  {
    return self().minus(other) != 0;
  }
  SIMTLAB_BOTH bool operator<(const D &other) const
  {
    return self().minus(other) < 0;
  }
  SIMTLAB_BOTH bool operator>(const D &other) const
  {
    return self().minus(other) > 0;
  }
  SIMTLAB_BOTH bool operator<=(const D &other) const
  {
    return self().minus(other) <= 0;
  }
  SIMTLAB_BOTH bool operator>=(const D &other) const
  {
    return self().minus(other) >= 0;
  }
};
} // namespace detail
} // namespace thrust

#endif
