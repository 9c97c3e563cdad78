/* Pointers to device memory, and references to it that the host can read and write. */
#ifndef SIMTLAB_THRUST_DEVICE_PTR_H
#define SIMTLAB_THRUST_DEVICE_PTR_H

#include "iterator/iterator_traits.h"

#include <ostream>

namespace thrust
{
template <class T> class device_ptr;

template <class T> class device_reference
{
  T *p_;

public:
  typedef typename std::remove_cv<T>::type value_type;
  typedef device_ptr<T> pointer;
  SIMTLAB_BOTH explicit device_reference(T *p) : p_(p)
  {
  }
  device_reference(const device_reference &) = default;
  template <class U> SIMTLAB_BOTH device_reference(const device_reference<U> &other) : p_(other.simtlab_address())
  {
  }
  SIMTLAB_BOTH T *simtlab_address() const
  {
    return p_;
  }
  SIMTLAB_BOTH device_ptr<T> operator&() const;
  SIMTLAB_BOTH operator value_type() const
  {
#ifdef __CUDA_ARCH__
    return *p_;
#else
    return simtlab::read_one((const value_type *)p_, 0);
#endif
  }
  SIMTLAB_BOTH const device_reference &operator=(const value_type &value) const
  {
#ifdef __CUDA_ARCH__
    *const_cast<value_type *>(p_) = value;
#else
    simtlab::require(
        cudaMemcpy((void *)const_cast<value_type *>(p_), (const void *)&value, sizeof(T), cudaMemcpyHostToDevice));
#endif
    return *this;
  }
  SIMTLAB_BOTH const device_reference &operator=(const device_reference &other) const
  {
    return *this = (value_type)other;
  }
  template <class U> SIMTLAB_BOTH const device_reference &operator=(const device_reference<U> &other) const
  {
    return *this = (value_type)(typename device_reference<U>::value_type)other;
  }
#define SIMTLAB_THRUST_ASSIGN(op)                                                                                      \
  SIMTLAB_BOTH const device_reference &operator op##=(const value_type &value) const                                   \
  {                                                                                                                    \
    return *this = (value_type)((value_type) * this op value);                                                         \
  }
  SIMTLAB_THRUST_ASSIGN(+)
  SIMTLAB_THRUST_ASSIGN(-)
  SIMTLAB_THRUST_ASSIGN(*)
  SIMTLAB_THRUST_ASSIGN(/)
#undef SIMTLAB_THRUST_ASSIGN
  SIMTLAB_BOTH const device_reference &operator++() const
  {
    value_type v = *this;
    return *this = ++v;
  }
  SIMTLAB_BOTH const device_reference &operator--() const
  {
    value_type v = *this;
    return *this = --v;
  }
};
template <class T> std::ostream &operator<<(std::ostream &out, const device_reference<T> &r)
{
  return out << (typename device_reference<T>::value_type)r;
}
template <class T> void swap(device_reference<T> a, device_reference<T> b)
{
  const T t = a;
  a = b;
  b = t;
}

template <class T> class device_ptr
{
  T *p_;

public:
  typedef typename std::remove_cv<T>::type value_type;
  typedef device_ptr<T> pointer;
  typedef T element_type;
  typedef device_reference<T> reference;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;

  SIMTLAB_BOTH device_ptr() : p_(nullptr)
  {
  }
  SIMTLAB_BOTH device_ptr(std::nullptr_t) : p_(nullptr)
  {
  }
  template <class U, class = detail::if_<std::is_convertible<U *, T *>::value || std::is_void<U>::value>>
  SIMTLAB_BOTH explicit device_ptr(U *p) : p_((T *)p)
  {
  }
  template <class U, class = detail::if_<std::is_convertible<U *, T *>::value>>
  SIMTLAB_BOTH device_ptr(const device_ptr<U> &other) : p_(other.get())
  {
  }
  SIMTLAB_BOTH T *get() const
  {
    return p_;
  }
  SIMTLAB_BOTH T *base() const
  {
    return p_;
  }
  SIMTLAB_BOTH explicit operator bool() const
  {
    return p_ != nullptr;
  }
  SIMTLAB_BOTH reference operator*() const
  {
    return reference(p_);
  }
  SIMTLAB_BOTH reference operator[](ptrdiff_t i) const
  {
    return reference(p_ + i);
  }
  SIMTLAB_BOTH device_ptr &operator+=(ptrdiff_t n)
  {
    p_ += n;
    return *this;
  }
  SIMTLAB_BOTH device_ptr &operator-=(ptrdiff_t n)
  {
    p_ -= n;
    return *this;
  }
  SIMTLAB_BOTH device_ptr &operator++()
  {
    return *this += 1;
  }
  SIMTLAB_BOTH device_ptr operator++(int)
  {
    const device_ptr before = *this;
    ++p_;
    return before;
  }
  SIMTLAB_BOTH device_ptr &operator--()
  {
    return *this -= 1;
  }
  SIMTLAB_BOTH device_ptr operator--(int)
  {
    const device_ptr before = *this;
    --p_;
    return before;
  }
  SIMTLAB_BOTH device_ptr operator+(ptrdiff_t n) const
  {
    return device_ptr(p_ + n);
  }
  SIMTLAB_BOTH device_ptr operator-(ptrdiff_t n) const
  {
    return device_ptr(p_ - n);
  }
  template <class U> SIMTLAB_BOTH ptrdiff_t operator-(const device_ptr<U> &other) const
  {
    return p_ - other.get();
  }
};
#define SIMTLAB_THRUST_COMPARE(op)                                                                                     \
  template <class T, class U> SIMTLAB_BOTH bool operator op(const device_ptr<T> &a, const device_ptr<U> &b)            \
  {                                                                                                                    \
    return a.get() op b.get();                                                                                         \
  }
SIMTLAB_THRUST_COMPARE(==)
SIMTLAB_THRUST_COMPARE(!=)
SIMTLAB_THRUST_COMPARE(<)
SIMTLAB_THRUST_COMPARE(>)
SIMTLAB_THRUST_COMPARE(<=)
SIMTLAB_THRUST_COMPARE(>=)
#undef SIMTLAB_THRUST_COMPARE
template <class T> SIMTLAB_BOTH device_ptr<T> operator+(ptrdiff_t n, const device_ptr<T> &p)
{
  return p + n;
}
template <class T> SIMTLAB_BOTH device_ptr<T> device_reference<T>::operator&() const
{
  return device_ptr<T>(p_);
}

template <class T> SIMTLAB_BOTH device_ptr<T> device_pointer_cast(T *p)
{
  return device_ptr<T>(p);
}
template <class T> SIMTLAB_BOTH device_ptr<T> device_pointer_cast(const device_ptr<T> &p)
{
  return p;
}
template <class T> SIMTLAB_BOTH T *raw_pointer_cast(T *p)
{
  return p;
}
template <class T> SIMTLAB_BOTH T *raw_pointer_cast(const device_ptr<T> &p)
{
  return p.get();
}
template <class T> SIMTLAB_BOTH T &raw_reference_cast(T &r)
{
  return r;
}
template <class T> SIMTLAB_BOTH T &raw_reference_cast(const device_reference<T> &r)
{
  return *r.simtlab_address();
}

namespace detail
{
template <class T> struct system_of<device_ptr<T>> {
  typedef device_tag type;
};
template <class T> struct raw_iterator<device_ptr<T>> {
  typedef T *type;
  static type of(const device_ptr<T> &p)
  {
    return p.get();
  }
};
} // namespace detail

template <class T> device_ptr<T> device_malloc(size_t n)
{
  T *p = nullptr;
  simtlab::require(cudaMalloc(&p, n * sizeof(T)));
  return device_ptr<T>(p);
}
template <class T> void device_free(const device_ptr<T> &p)
{
  simtlab::require(cudaFree((void *)p.get()));
}
template <class T> device_ptr<T> device_new(size_t n = 1)
{
  return device_malloc<T>(n);
}
template <class T> void device_delete(const device_ptr<T> &p, size_t = 1)
{
  device_free(p);
}
} // namespace thrust

#endif
