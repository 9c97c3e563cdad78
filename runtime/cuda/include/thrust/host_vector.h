#ifndef SIMTLAB_THRUST_HOST_VECTOR_H
#define SIMTLAB_THRUST_HOST_VECTOR_H

#include "detail/algorithms.h"

#include <vector>

namespace thrust
{
template <class T, class Allocator> class device_vector;

template <class T, class Allocator = std::allocator<T>> class host_vector : public std::vector<T, std::allocator<T>>
{
  typedef std::vector<T, std::allocator<T>> base;

public:
  using base::base;
  using base::operator=;
  host_vector() = default;
  host_vector(const host_vector &) = default;
  host_vector(host_vector &&) = default;
  host_vector &operator=(const host_vector &) = default;
  host_vector &operator=(host_vector &&) = default;
  host_vector(const base &other) : base(other)
  {
  }
  template <class U, class A> host_vector(const device_vector<U, A> &other) : base(other.size())
  {
    thrust::copy(other.begin(), other.end(), this->begin());
  }
  template <class U> host_vector(device_ptr<U> first, device_ptr<U> last) : base((size_t)(last - first))
  {
    thrust::copy(first, last, this->begin());
  }
  template <class U, class A> host_vector &operator=(const device_vector<U, A> &other)
  {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};
} // namespace thrust

#endif
