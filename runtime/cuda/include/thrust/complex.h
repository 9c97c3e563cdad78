// Complex numbers for the host and the device, after the interface of Thrust and of std::complex.
#pragma once
#include <cmath>
#include <complex>
#include <sstream>

namespace thrust
{

template <typename T> struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;
  __host__ __device__ constexpr complex(T re = T(), T im = T()) : x(re), y(im)
  {
  }
  template <typename U> __host__ __device__ constexpr complex(const complex<U> &z) : x(T(z.real())), y(T(z.imag()))
  {
  }
  template <typename U> __host__ complex(const std::complex<U> &z) : x(T(z.real())), y(T(z.imag()))
  {
  }
  __host__ operator std::complex<T>() const
  {
    return std::complex<T>(x, y);
  }
  __host__ __device__ constexpr T real() const
  {
    return x;
  }
  __host__ __device__ constexpr T imag() const
  {
    return y;
  }
  __host__ __device__ T real() const volatile
  {
    return x;
  }
  __host__ __device__ T imag() const volatile
  {
    return y;
  }
  __host__ __device__ void real(T re)
  {
    x = re;
  }
  __host__ __device__ void imag(T im)
  {
    y = im;
  }
  __host__ __device__ complex &operator=(T re)
  {
    return *this = complex(re);
  }
  __host__ __device__ complex &operator+=(const complex &z)
  {
    return *this = *this + z;
  }
  __host__ __device__ complex &operator-=(const complex &z)
  {
    return *this = *this - z;
  }
  __host__ __device__ complex &operator*=(const complex &z)
  {
    return *this = *this * z;
  }
  __host__ __device__ complex &operator/=(const complex &z)
  {
    return *this = *this / z;
  }

  __host__ __device__ friend complex operator+(const complex &a)
  {
    return a;
  }
  __host__ __device__ friend complex operator-(const complex &a)
  {
    return complex(-a.x, -a.y);
  }
  __host__ __device__ friend complex operator+(const complex &a, const complex &b)
  {
    return complex(a.x + b.x, a.y + b.y);
  }
  __host__ __device__ friend complex operator-(const complex &a, const complex &b)
  {
    return complex(a.x - b.x, a.y - b.y);
  }
  __host__ __device__ friend complex operator*(const complex &a, const complex &b)
  {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
  }
  // Scaled, so that squares do not overflow
  __host__ __device__ friend complex operator/(const complex &a, const complex &b)
  {
    const T scale = ::fabs(b.x) + ::fabs(b.y), re = b.x / scale, im = b.y / scale, size = (re * re + im * im) * scale;
    return complex((a.x * re + a.y * im) / size, (a.y * re - a.x * im) / size);
  }
  __host__ __device__ friend bool operator==(const complex &a, const complex &b)
  {
    return a.x == b.x && a.y == b.y;
  }
  __host__ __device__ friend bool operator!=(const complex &a, const complex &b)
  {
    return !(a == b);
  }
  template <typename C, typename R>
  friend std::basic_ostream<C, R> &operator<<(std::basic_ostream<C, R> &stream, const complex &z)
  {
    return stream << '(' << z.x << ',' << z.y << ')';
  }

private:
  T x, y;
};

template <typename T> __host__ __device__ T abs(const complex<T> &z)
{
  return ::hypot(z.real(), z.imag());
}
template <typename T> __host__ __device__ T arg(const complex<T> &z)
{
  return ::atan2(z.imag(), z.real());
}
template <typename T> __host__ __device__ T norm(const complex<T> &z)
{
  return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T> __host__ __device__ complex<T> conj(const complex<T> &z)
{
  return complex<T>(z.real(), -z.imag());
}
template <typename T> __host__ __device__ complex<T> polar(const T &size, const T &angle = T())
{
  return complex<T>(size * ::cos(angle), size * ::sin(angle));
}
template <typename T> __host__ __device__ complex<T> proj(const complex<T> &z)
{
  return ::isinf(z.real()) || ::isinf(z.imag()) ? complex<T>(T(INFINITY), ::copysign(T(0), z.imag())) : z;
}
template <typename T> __host__ __device__ complex<T> exp(const complex<T> &z)
{
  return polar(T(::exp(z.real())), z.imag());
}
template <typename T> __host__ __device__ complex<T> log(const complex<T> &z)
{
  return complex<T>(::log(abs(z)), arg(z));
}
template <typename T> __host__ __device__ complex<T> log10(const complex<T> &z)
{
  return log(z) / complex<T>(::log(T(10)));
}
template <typename T> __host__ __device__ complex<T> sqrt(const complex<T> &z)
{
  const T size = abs(z);
  if (size == T())
    return complex<T>();
  const T half = ::sqrt((size + ::fabs(z.real())) / 2), rest = ::fabs(z.imag()) / (2 * half);
  return z.real() >= 0 ? complex<T>(half, ::copysign(rest, z.imag())) : complex<T>(rest, ::copysign(half, z.imag()));
}
template <typename T> __host__ __device__ complex<T> pow(const complex<T> &a, const complex<T> &b)
{
  return a == complex<T>() ? complex<T>() : exp(log(a) * b);
}
template <typename T> __host__ __device__ complex<T> pow(const complex<T> &a, const T &b)
{
  return pow(a, complex<T>(b));
}
template <typename T> __host__ __device__ complex<T> pow(const T &a, const complex<T> &b)
{
  return pow(complex<T>(a), b);
}
template <typename T> __host__ __device__ complex<T> sinh(const complex<T> &z)
{
  return complex<T>(::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag()));
}
template <typename T> __host__ __device__ complex<T> cosh(const complex<T> &z)
{
  return complex<T>(::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag()));
}
template <typename T> __host__ __device__ complex<T> tanh(const complex<T> &z)
{
  return sinh(z) / cosh(z);
}
template <typename T> __host__ __device__ complex<T> sin(const complex<T> &z)
{
  return complex<T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag()));
}
template <typename T> __host__ __device__ complex<T> cos(const complex<T> &z)
{
  return complex<T>(::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag()));
}
template <typename T> __host__ __device__ complex<T> tan(const complex<T> &z)
{
  return sin(z) / cos(z);
}

} // namespace thrust
