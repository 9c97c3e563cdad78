// Thrust on sorted ranges and on partitions against the C++ library, on the device and on the host; shuffles; normal
// numbers.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static int failures;
static void check(bool ok, const char *what)
{
  if (!ok)
    printf("wrong: %s\n", what);
  failures += !ok;
}
struct even {
  __host__ __device__ bool operator()(int x) const
  {
    return x % 2 == 0;
  }
};

/* Calls one set operation of thrust on `Vector` and its namesake of the C++ library. */
#define SAME(function)                                                                                                 \
  do {                                                                                                                 \
    Vector got(a.size() + b.size());                                                                                   \
    std::vector<int> want(a.size() + b.size());                                                                        \
    const size_t n = (size_t)(thrust::function(x.begin(), x.end(), y.begin(), y.end(), got.begin()) - got.begin());    \
    const size_t m = (size_t)(std::function(a.begin(), a.end(), b.begin(), b.end(), want.begin()) - want.begin());     \
    check(n == m && std::equal(want.begin(), want.begin() + (long)m, thrust::host_vector<int>(got).begin()),           \
          #function);                                                                                                  \
  } while (0)
template <class Vector> static void sorted_ranges(const std::vector<int> &a, const std::vector<int> &b)
{
  const Vector x(a.begin(), a.end()), y(b.begin(), b.end());
  SAME(merge);
  SAME(set_union);
  SAME(set_intersection);
  SAME(set_difference);
  SAME(set_symmetric_difference);
  const auto at = thrust::mismatch(x.begin(), x.end(), x.begin());
  check(at.first == x.end(), "mismatch");
  Vector yes(a.size()), no(a.size());
  const auto ends = thrust::partition_copy(x.begin(), x.end(), yes.begin(), no.begin(), even());
  check(ends.first - yes.begin() == std::count_if(a.begin(), a.end(), even()), "partition_copy");
  check((size_t)(ends.first - yes.begin() + (ends.second - no.begin())) == a.size(), "both parts");
}

int main()
{
  unsigned int state = 1;
  std::vector<int> a(300), b(171);
  for (std::vector<int> *v : {&a, &b}) {
    for (int &value : *v)
      value = (int)((state = state * 1664525u + 1013904223u) >> 24);
    std::sort(v->begin(), v->end());
  }
  sorted_ranges<thrust::device_vector<int>>(a, b);
  sorted_ranges<thrust::host_vector<int>>(a, b);
  sorted_ranges<thrust::device_vector<int>>(a, std::vector<int>());

  thrust::default_random_engine engine(7);
  thrust::device_vector<int> mixed(a.begin(), a.end());
  thrust::shuffle(mixed.begin(), mixed.end(), engine);
  thrust::host_vector<int> host = mixed;
  check(!std::is_sorted(host.begin(), host.end()), "shuffle moves");
  std::sort(host.begin(), host.end());
  check(std::equal(a.begin(), a.end(), host.begin()), "shuffle keeps all");

  thrust::normal_distribution<double> normal(3, 2);
  double sum = 0, squares = 0;
  const double N = 20000;
  for (int i = 0; i < N; i++) {
    const double value = normal(engine);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / N, deviation = std::sqrt(squares / N - mean * mean);
  // Five standard errors: 2 / sqrt(N) for the mean, 2 / sqrt(2 N) for the deviation.
  check(std::fabs(mean - 3) < 10 / std::sqrt(N), "mean");
  check(std::fabs(deviation - 2) < 10 / std::sqrt(2 * N), "deviation");
  printf(failures ? "FAILED\n" : "PASSED\n");
  return failures != 0;
}
