/* The parts of Thrust that simtlab has: vectors, iterators and algorithms against the C++ library. */
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>
static int bad = 0;
#define CHECK(c)                                                                                                       \
  do {                                                                                                                 \
    if (!(c)) {                                                                                                        \
      printf("line %d: %s wrong\n", __LINE__, #c);                                                                     \
      bad++;                                                                                                           \
    }                                                                                                                  \
  } while (0)
struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const
  {
    return a * x + y;
  }
};
struct P3 {
  float x, y;
  int id;
};
struct ByY {
  __host__ __device__ bool operator()(const P3 &a, const P3 &b) const
  {
    return a.y < b.y;
  }
};
struct Even {
  __host__ __device__ bool operator()(int x) const
  {
    return x % 2 == 0;
  }
};
struct Sq {
  __host__ __device__ double operator()(double x) const
  {
    return x * x;
  }
};
struct Zipf {
  template <class T> __host__ __device__ void operator()(T t) const
  {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};
struct Tup {
  __host__ __device__ float operator()(const thrust::tuple<float, float> &t) const
  {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
__global__ void inkernel(int *p, int n)
{
  thrust::sort(thrust::seq, p, p + n);
  p[0] += thrust::reduce(thrust::seq, p, p + n, 0) * 0;
}
int main()
{
  const int n = 5000;
  std::vector<int> h(n);
  srand(1);
  for (auto &x : h)
    x = rand() % 1000 - 500;
  thrust::host_vector<int> hv(h.begin(), h.end());
  thrust::device_vector<int> d = hv;
  std::vector<int> r = h;
  CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
  CHECK(thrust::reduce(d.begin(), d.end(), -1000, thrust::maximum<int>()) == *std::max_element(h.begin(), h.end()));
  CHECK(*thrust::max_element(d.begin(), d.end()) == *std::max_element(h.begin(), h.end()));
  CHECK(thrust::min_element(d.begin(), d.end()) - d.begin() == std::min_element(h.begin(), h.end()) - h.begin());
  CHECK(thrust::count_if(d.begin(), d.end(), Even()) == std::count_if(h.begin(), h.end(), Even()));
  CHECK(thrust::count(d.begin(), d.end(), 7) == std::count(h.begin(), h.end(), 7));
  thrust::device_vector<int> s(n);
  thrust::inclusive_scan(d.begin(), d.end(), s.begin());
  std::partial_sum(h.begin(), h.end(), r.begin());
  thrust::host_vector<int> hs = s;
  CHECK(std::equal(r.begin(), r.end(), hs.begin()));
  thrust::exclusive_scan(thrust::device, d.begin(), d.end(), s.begin(), 5);
  hs = s;
  {
    int a = 5;
    bool ok = true;
    for (int i = 0; i < n; i++) {
      ok &= hs[i] == a;
      a += h[i];
    }
    CHECK(ok);
  }
  thrust::device_vector<int> k = d, v(n);
  thrust::sequence(v.begin(), v.end());
  thrust::sort_by_key(k.begin(), k.end(), v.begin());
  std::vector<int> idx(n);
  std::iota(idx.begin(), idx.end(), 0);
  std::stable_sort(idx.begin(), idx.end(), [&](int a, int b) { return h[a] < h[b]; });
  thrust::host_vector<int> hvv = v;
  CHECK(std::equal(idx.begin(), idx.end(), hvv.begin()));
  k = d;
  thrust::sort(k.begin(), k.end(), thrust::greater<int>());
  r = h;
  std::sort(r.begin(), r.end(), std::greater<int>());
  hs = k;
  CHECK(std::equal(r.begin(), r.end(), hs.begin()));
  thrust::device_vector<float> x(n), y(n), z(n);
  thrust::fill(x.begin(), x.end(), 2.0f);
  thrust::sequence(y.begin(), y.end(), 1.0f, 0.5f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{3});
  CHECK(y[10] == 12.0f);
  CHECK(y.back() == 6 + 1 + 0.5f * (n - 1));
  using namespace thrust::placeholders;
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), 3.0f * _1 + _2);
  CHECK(z[10] == 18.0f);
  double nrm = thrust::transform_reduce(x.begin(), x.end(), Sq(), 0.0, thrust::plus<double>());
  CHECK(nrm == 4.0 * n);
  CHECK(thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0f) == 4.0f * n);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())), Zipf());
  CHECK(z[10] == 14.0f);
  float dot = thrust::transform_reduce(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), x.begin())),
                                       thrust::make_zip_iterator(thrust::make_tuple(x.end(), x.end())), Tup(), 0.0f,
                                       thrust::plus<float>());
  CHECK(dot == 4.0f * n);
  k = d;
  thrust::sort(k.begin(), k.end());
  auto e = thrust::unique(k.begin(), k.end());
  r = h;
  std::sort(r.begin(), r.end());
  r.erase(std::unique(r.begin(), r.end()), r.end());
  CHECK(e - k.begin() == (long)r.size());
  k.erase(e, k.end());
  hs = k;
  CHECK(hs.size() == r.size() && std::equal(r.begin(), r.end(), hs.begin()));
  k = d;
  k.erase(thrust::remove_if(k.begin(), k.end(), Even()), k.end());
  r = h;
  r.erase(std::remove_if(r.begin(), r.end(), Even()), r.end());
  hs = k;
  CHECK(hs.size() == r.size() && std::equal(r.begin(), r.end(), hs.begin()));
  std::vector<P3> ps(3000);
  for (int i = 0; i < 3000; i++)
    ps[i] = P3{(float)i, (float)(rand() % 100), i};
  thrust::device_vector<P3> dp(ps.begin(), ps.end());
  thrust::stable_sort(dp.begin(), dp.end(), ByY());
  std::stable_sort(ps.begin(), ps.end(), ByY());
  thrust::host_vector<P3> hp = dp;
  {
    bool ok = true;
    for (int i = 0; i < 3000; i++)
      ok &= hp[i].id == ps[i].id;
    CHECK(ok);
  }
  thrust::device_vector<int> keys(n), ko(n), vo(n);
  for (int i = 0; i < n; i++)
    hv[i] = i / 7;
  keys = hv;
  auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), ko.begin(), vo.begin());
  CHECK(ends.first - ko.begin() == (n + 6) / 7);
  CHECK(vo[3] == 7);
  CHECK(ko[5] == 5);
  int *raw = thrust::raw_pointer_cast(d.data());
  thrust::device_ptr<int> dptr(raw);
  CHECK(thrust::reduce(dptr, dptr + n) == std::accumulate(h.begin(), h.end(), 0));
  CHECK(thrust::reduce(thrust::device, raw, raw + n, 0, thrust::plus<int>()) == std::accumulate(h.begin(), h.end(), 0));
  thrust::device_vector<int> m(n);
  thrust::sequence(m.begin(), m.end(), n - 1, -1);
  thrust::gather(m.begin(), m.end(), d.begin(), s.begin());
  CHECK(s[0] == h[n - 1]);
  thrust::scatter(d.begin(), d.end(), m.begin(), s.begin());
  CHECK(s[0] == h[n - 1]);
  thrust::sort(d.begin(), d.end());
  thrust::device_vector<int> q(10), b(10);
  thrust::sequence(q.begin(), q.end(), -5);
  thrust::lower_bound(d.begin(), d.end(), q.begin(), q.end(), b.begin());
  r = h;
  std::sort(r.begin(), r.end());
  CHECK(b[3] == std::lower_bound(r.begin(), r.end(), -2) - r.begin());
  CHECK(thrust::upper_bound(d.begin(), d.end(), 3) - d.begin() == std::upper_bound(r.begin(), r.end(), 3) - r.begin());
  inkernel<<<1, 1>>>(raw, 100);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  auto ci = thrust::make_counting_iterator(0);
  CHECK(thrust::transform_reduce(ci, ci + 100, Sq(), 0.0, thrust::plus<double>()) == 328350.0);
  thrust::for_each(thrust::device, ci, ci + n, [=] __device__(int i) { raw[i] = i; });
  CHECK(d[77] == 77);
  d.push_back(9);
  CHECK(d.size() == n + 1u && d[n] == 9);
  d.resize(n);
  cudaStream_t st;
  cudaStreamCreate(&st);
  thrust::sort(thrust::cuda::par.on(st), d.begin(), d.end(), thrust::greater<int>());
  CHECK(d[0] == n - 1);
  CHECK(thrust::partition(d.begin(), d.end(), Even()) - d.begin() == n / 2);
  std::vector<double> hd(100);
  thrust::copy(thrust::host, hd.begin(), hd.end(), hd.begin());
  thrust::sort(hd.begin(), hd.end());
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
