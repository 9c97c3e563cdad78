/* Vectors on the device and on the host */
#ifndef SIMTLAB_THRUST_DEVICE_VECTOR_H
#define SIMTLAB_THRUST_DEVICE_VECTOR_H

#include "detail/algorithms.h"
#include "host_vector.h"

#include <initializer_list>
#include <vector>

namespace thrust
{
template <class T> class device_allocator
{
};

template <class T, class Allocator = device_allocator<T>> class device_vector
{
  T *p_;
  size_t size_, capacity_;

  void grow(size_t capacity)
  {
    if (capacity <= capacity_)
      return;
    T *p = nullptr;
    simtlab::require(cudaMalloc(&p, capacity * sizeof(T)));
    if (size_ > 0)
      simtlab::require(cudaMemcpy((void *)p, (const void *)p_, size_ * sizeof(T), cudaMemcpyDeviceToDevice));
    cudaFree((void *)p_);
    p_ = p;
    capacity_ = capacity;
  }

public:
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef thrust::reverse_iterator<iterator> reverse_iterator;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;

  device_vector() : p_(nullptr), size_(0), capacity_(0)
  {
  }
  explicit device_vector(size_t n) : device_vector()
  {
    resize(n);
  }
  device_vector(size_t n, const T &value) : device_vector()
  {
    resize(n, value);
  }
  device_vector(const device_vector &other) : device_vector()
  {
    assign(other.begin(), other.end());
  }
  device_vector(device_vector &&other) : device_vector()
  {
    swap(other);
  }
  template <class A> device_vector(const host_vector<T, A> &other) : device_vector()
  {
    assign(other.begin(), other.end());
  }
  template <class U, class A> device_vector(const host_vector<U, A> &other) : device_vector()
  {
    assign(other.begin(), other.end());
  }
  template <class U, class A> device_vector(const std::vector<U, A> &other) : device_vector()
  {
    assign(other.begin(), other.end());
  }
  template <class U> device_vector(const device_vector<U> &other) : device_vector()
  {
    assign(other.begin(), other.end());
  }
  device_vector(std::initializer_list<T> list) : device_vector()
  {
    assign(list.begin(), list.end());
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  device_vector(It first, It last) : device_vector()
  {
    assign(first, last);
  }
  ~device_vector()
  {
    cudaFree((void *)p_);
  }
  device_vector &operator=(const device_vector &other)
  {
    if (this != &other)
      assign(other.begin(), other.end());
    return *this;
  }
  device_vector &operator=(device_vector &&other)
  {
    swap(other);
    return *this;
  }
  template <class U, class A> device_vector &operator=(const host_vector<U, A> &other)
  {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class U, class A> device_vector &operator=(const std::vector<U, A> &other)
  {
    assign(other.begin(), other.end());
    return *this;
  }
  device_vector &operator=(std::initializer_list<T> list)
  {
    assign(list.begin(), list.end());
    return *this;
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category> void assign(It first, It last)
  {
    size_ = 0;
    const size_t n = (size_t)std::distance(first, last);
    grow(n);
    size_ = n;
    thrust::copy(first, last, begin());
  }
  void assign(size_t n, const T &value)
  {
    size_ = 0;
    resize(n, value);
  }
  void resize(size_t n)
  {
    resize(n, T());
  }
  void resize(size_t n, const T &value)
  {
    const size_t before = size_;
    grow(n);
    size_ = n;
    if (n > before)
      thrust::fill(begin() + (ptrdiff_t)before, end(), value);
  }
  void reserve(size_t n)
  {
    grow(n);
  }
  void shrink_to_fit()
  {
  }
  void clear()
  {
    size_ = 0;
  }
  void push_back(const T &value)
  {
    if (size_ == capacity_)
      grow(2 * capacity_ + 16);
    size_++;
    back() = value;
  }
  void pop_back()
  {
    size_--;
  }
  iterator erase(iterator first, iterator last)
  {
    const size_t tail = (size_t)(end() - last);
    if (first != last && tail > 0) {
      device_vector moved(last, end());
      thrust::copy(moved.begin(), moved.end(), first);
    }
    size_ -= (size_t)(last - first);
    return first;
  }
  iterator erase(iterator position)
  {
    return erase(position, position + 1);
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void insert(iterator position, It first, It last)
  {
    const ptrdiff_t at = position - begin();
    device_vector tail(position, end());
    const ptrdiff_t n = std::distance(first, last);
    resize(size_ + (size_t)n);
    thrust::copy(first, last, begin() + at);
    thrust::copy(tail.begin(), tail.end(), begin() + at + n);
  }
  iterator insert(iterator position, const T &value)
  {
    const ptrdiff_t at = position - begin();
    insert(position, &value, &value + 1);
    return begin() + at;
  }
  void swap(device_vector &other)
  {
    std::swap(p_, other.p_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  size_t size() const
  {
    return size_;
  }
  size_t capacity() const
  {
    return capacity_;
  }
  size_t max_size() const
  {
    return (size_t)-1 / sizeof(T);
  }
  bool empty() const
  {
    return size_ == 0;
  }
  iterator begin()
  {
    return iterator(p_);
  }
  iterator end()
  {
    return iterator(p_ + size_);
  }
  const_iterator begin() const
  {
    return const_iterator(p_);
  }
  const_iterator end() const
  {
    return const_iterator(p_ + size_);
  }
  const_iterator cbegin() const
  {
    return begin();
  }
  const_iterator cend() const
  {
    return end();
  }
  reverse_iterator rbegin()
  {
    return reverse_iterator(end());
  }
  reverse_iterator rend()
  {
    return reverse_iterator(begin());
  }
  pointer data()
  {
    return pointer(p_);
  }
  const_pointer data() const
  {
    return const_pointer(p_);
  }
  reference operator[](size_t i)
  {
    return reference(p_ + i);
  }
  const_reference operator[](size_t i) const
  {
    return const_reference(p_ + i);
  }
  reference front()
  {
    return reference(p_);
  }
  reference back()
  {
    return reference(p_ + size_ - 1);
  }
  const_reference front() const
  {
    return const_reference(p_);
  }
  const_reference back() const
  {
    return const_reference(p_ + size_ - 1);
  }
};
template <class T, class A> void swap(device_vector<T, A> &a, device_vector<T, A> &b)
{
  a.swap(b);
}
template <class T> bool operator==(const device_vector<T> &a, const device_vector<T> &b)
{
  return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}
template <class T> bool operator!=(const device_vector<T> &a, const device_vector<T> &b)
{
  return !(a == b);
}
template <class T> bool operator==(const device_vector<T> &a, const host_vector<T> &b)
{
  return host_vector<T>(a) == b;
}
template <class T> bool operator==(const host_vector<T> &a, const device_vector<T> &b)
{
  return b == a;
}
template <class T> bool operator!=(const device_vector<T> &a, const host_vector<T> &b)
{
  return !(a == b);
}
template <class T> bool operator!=(const host_vector<T> &a, const device_vector<T> &b)
{
  return !(a == b);
}
} // namespace thrust

#endif
