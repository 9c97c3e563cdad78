/* Random numbers of Thrust, on the host and in kernels. Source: Thrust, "Random Number Generation"; P. L'Ecuyer,
 * "Maximally equidistributed combined Tausworthe generators", 1996. */
#ifndef SIMTLAB_THRUST_RANDOM_H
#define SIMTLAB_THRUST_RANDOM_H

#include "detail/config.h"

#include <cmath>
#include <limits>

namespace thrust
{
namespace random
{
template <class U, U a, U c, U m> class linear_congruential_engine
{
  U x;
  static SIMTLAB_BOTH U next(U x, unsigned long long factor, unsigned long long sum)
  {
    return (U)((factor * x + sum) % m);
  }

public:
  typedef U result_type;
  static const U multiplier = a, increment = c, modulus = m, default_seed = 1;
  static const U min = c == 0 ? 1 : 0, max = m - 1;
  SIMTLAB_BOTH explicit linear_congruential_engine(U s = default_seed)
  {
    seed(s);
  }
  SIMTLAB_BOTH void seed(U s = default_seed)
  {
    x = c % m == 0 && s % m == 0 ? 1 : s % m;
  }
  SIMTLAB_BOTH U operator()()
  {
    return x = next(x, a, c);
  }
  SIMTLAB_BOTH void discard(unsigned long long steps)
  {
    unsigned long long factor = a, sum = c;
    for (; steps > 0; steps /= 2) {
      if (steps % 2 != 0)
        x = next(x, factor, sum);
      sum = (sum + factor * sum) % m;
      factor = factor * factor % m;
    }
  }
  friend SIMTLAB_BOTH bool operator==(const linear_congruential_engine &p, const linear_congruential_engine &q)
  {
    return p.x == q.x;
  }
  friend SIMTLAB_BOTH bool operator!=(const linear_congruential_engine &p, const linear_congruential_engine &q)
  {
    return p.x != q.x;
  }
};
typedef linear_congruential_engine<uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/* Three shift registers */
class taus88
{
  uint32_t s1, s2, s3;

public:
  typedef uint32_t result_type;
  static const uint32_t min = 0, max = 0xffffffffu, default_seed = 341;
  SIMTLAB_BOTH explicit taus88(uint32_t s = default_seed)
  {
    seed(s);
  }
  SIMTLAB_BOTH void seed(uint32_t s = default_seed)
  {
    minstd_rand spread(s);
    s1 = spread() | 2;
    s2 = spread() | 8;
    s3 = spread() | 16;
  }
  SIMTLAB_BOTH uint32_t operator()()
  {
    s1 = (s1 & 0xfffffffeu) << 12 ^ (s1 << 13 ^ s1) >> 19;
    s2 = (s2 & 0xfffffff8u) << 4 ^ (s2 << 2 ^ s2) >> 25;
    s3 = (s3 & 0xfffffff0u) << 17 ^ (s3 << 3 ^ s3) >> 11;
    return s1 ^ s2 ^ s3;
  }
  SIMTLAB_BOTH void discard(unsigned long long steps)
  {
    for (; steps > 0; steps--)
      (*this)();
  }
};

/* A number in [0, 1) */
template <class T, class G> SIMTLAB_BOTH T simtlab_unit(G &g)
{
  return (T)((double)(g() - G::min) / ((double)(G::max - G::min) + 1.0));
}
template <class T = double> class uniform_real_distribution
{
  T a_, b_;

public:
  typedef T result_type;
  SIMTLAB_BOTH explicit uniform_real_distribution(T a = 0, T b = 1) : a_(a), b_(b)
  {
  }
  SIMTLAB_BOTH void reset()
  {
  }
  template <class G> SIMTLAB_BOTH T operator()(G &g)
  {
    return simtlab_unit<T>(g) * (b_ - a_) + a_;
  }
  SIMTLAB_BOTH T a() const
  {
    return a_;
  }
  SIMTLAB_BOTH T b() const
  {
    return b_;
  }
};
template <class T = int> class uniform_int_distribution
{
  T a_, b_;

public:
  typedef T result_type;
  SIMTLAB_BOTH explicit uniform_int_distribution(T a = 0, T b = (std::numeric_limits<T>::max)()) : a_(a), b_(b)
  {
  }
  SIMTLAB_BOTH void reset()
  {
  }
  template <class G> SIMTLAB_BOTH T operator()(G &g)
  {
    return (T)((double)a_ + floor(simtlab_unit<double>(g) * ((double)b_ - (double)a_ + 1.0)));
  }
  SIMTLAB_BOTH T a() const
  {
    return a_;
  }
  SIMTLAB_BOTH T b() const
  {
    return b_;
  }
};
/* By the transform of Box and Muller */
template <class T = double> class normal_distribution
{
  T mean_, stddev_;

public:
  typedef T result_type;
  SIMTLAB_BOTH explicit normal_distribution(T mean = 0, T stddev = 1) : mean_(mean), stddev_(stddev)
  {
  }
  SIMTLAB_BOTH void reset()
  {
  }
  template <class G> SIMTLAB_BOTH T operator()(G &g)
  {
    const double u = ((double)(g() - G::min) + 0.5) / ((double)(G::max - G::min) + 1.0);
    const double v = ((double)(g() - G::min) + 0.5) / ((double)(G::max - G::min) + 1.0);
    return (T)(mean_ + stddev_ * (T)(sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v)));
  }
  SIMTLAB_BOTH T mean() const
  {
    return mean_;
  }
  SIMTLAB_BOTH T stddev() const
  {
    return stddev_;
  }
};
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
} // namespace thrust

#endif
