/* The parts of CUB that simtlab has, against the C++ library. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

static int bad;
#define CHECK(c)                                                                                                       \
  do {                                                                                                                 \
    if (!(c)) {                                                                                                        \
      printf("line %d: %s wrong\n", __LINE__, #c);                                                                     \
      bad++;                                                                                                           \
    }                                                                                                                  \
  } while (0)
template <int N> __global__ void blocks(const int *in, int *out)
{
  typedef cub::BlockReduce<int, N> Reduce;
  typedef cub::BlockScan<int, N> Scan;
  typedef cub::BlockLoad<int, N, 2> Load;
  typedef cub::BlockStore<int, N, 2> Store;
  typedef cub::WarpReduce<double> Warp;
  typedef cub::WarpScan<int> Warps;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } shared;
  __shared__ typename Warp::TempStorage warp;
  __shared__ typename Warps::TempStorage warps;
  int items[2], sums[2], total;
  Load().Load(in, items);
  const int sum = Reduce(shared.reduce).Sum(items);
  __syncthreads();
  const int most = Reduce(shared.reduce).Reduce(items[0], cub::Max(), N - 5);
  __syncthreads();
  Scan(shared.scan).ExclusiveSum(items, sums, total);
  Store().Store(out, sums);
  if (threadIdx.x == 0) {
    out[2 * N] = sum;
    out[2 * N + 1] = most;
    out[2 * N + 2] = total;
  }
  const double w = Warp(warp).Sum((double)in[threadIdx.x]);
  int inclusive;
  Warps(warps).InclusiveSum(in[threadIdx.x], inclusive);
  if (threadIdx.x == 32)
    out[2 * N + 3] = (int)w;
  if (threadIdx.x == 63)
    out[2 * N + 4] = inclusive;
}
template <class F> static void twice(F f)
{
  void *memory = nullptr;
  size_t bytes = 0;
  CHECK(f(memory, bytes) == cudaSuccess && bytes > 0);
  cudaMalloc(&memory, bytes);
  CHECK(f(memory, bytes) == cudaSuccess);
  cudaFree(memory);
}
struct Odd {
  __host__ __device__ bool operator()(int x) const
  {
    return x & 1;
  }
};
int main()
{
  const int n = 3000;
  std::vector<int> h(n), g(n), r(n);
  for (int &x : h)
    x = rand() % 1000 - 500;
  int *in, *out, *more, *ids, *ids2;
  cudaMalloc(&in, 4 * n);
  cudaMalloc(&out, 4 * n);
  cudaMalloc(&more, 4 * n);
  cudaMalloc(&ids, 4 * n);
  cudaMalloc(&ids2, 4 * n);
  cudaMemcpy(in, h.data(), 4 * n, cudaMemcpyHostToDevice);
  blocks<128><<<1, 128>>>(in, out);
  cudaMemcpy(g.data(), out, 4 * n, cudaMemcpyDeviceToHost);
  const int all = std::accumulate(h.begin(), h.begin() + 256, 0);
  CHECK(g[256] == all && g[258] == all && g[100] == std::accumulate(h.begin(), h.begin() + 100, 0));
  int most = h[0];
  for (int i = 0; i < 123; i++)
    most = std::max(most, h[2 * i]);
  CHECK(g[257] == most);
  CHECK(g[259] == std::accumulate(h.begin() + 32, h.begin() + 64, 0) && g[260] == g[259]);

  auto value = [&] {
    int v;
    cudaMemcpy(&v, out, 4, cudaMemcpyDeviceToHost);
    return v;
  };
  auto values = [&] {
    cudaMemcpy(g.data(), out, 4 * n, cudaMemcpyDeviceToHost);
    return g == r;
  };
  twice([&](void *m, size_t &b) { return cub::DeviceReduce::Sum(m, b, in, out, n); });
  CHECK(value() == std::accumulate(h.begin(), h.end(), 0));
  twice([&](void *m, size_t &b) { return cub::DeviceReduce::Max(m, b, in, out, n); });
  CHECK(value() == *std::max_element(h.begin(), h.end()));
  twice([&](void *m, size_t &b) { return cub::DeviceReduce::ArgMin(m, b, in, (cub::KeyValuePair<int, int> *)out, n); });
  CHECK(value() == std::min_element(h.begin(), h.end()) - h.begin());
  twice([&](void *m, size_t &b) { return cub::DeviceScan::InclusiveSum(m, b, in, out, n); });
  std::partial_sum(h.begin(), h.end(), r.begin());
  CHECK(values());
  twice([&](void *m, size_t &b) { return cub::DeviceScan::ExclusiveSum(m, b, in, out, n); });
  std::rotate(r.begin(), r.end() - 1, r.end());
  r[0] = 0;
  CHECK(values());
  twice([&](void *m, size_t &b) { return cub::DeviceRadixSort::SortKeysDescending(m, b, in, out, n); });
  r = h;
  std::sort(r.begin(), r.end(), [](int a, int b) { return a > b; });
  CHECK(values());
  std::iota(g.begin(), g.end(), 0);
  cudaMemcpy(ids, g.data(), 4 * n, cudaMemcpyHostToDevice);
  std::iota(r.begin(), r.end(), 0);
  std::stable_sort(r.begin(), r.end(), [&](int a, int b) { return h[a] < h[b]; });
  twice([&](void *m, size_t &b) { return cub::DeviceRadixSort::SortPairs(m, b, in, more, ids, out, n); });
  CHECK(values());
  cub::DoubleBuffer<int> keys(more, ids2);
  twice([&](void *m, size_t &b) { return cub::DeviceRadixSort::SortKeys(m, b, keys, n, 0, 32); });
  cudaMemcpy(out, keys.Current(), 4 * n, cudaMemcpyDeviceToDevice);
  std::sort(r.begin(), r.end(), [&](int a, int b) { return h[a] < h[b]; });
  for (int &x : r)
    x = h[x];
  CHECK(values());
  twice([&](void *m, size_t &b) { return cub::DeviceSelect::If(m, b, in, more, out, n, Odd()); });
  CHECK(value() == std::count_if(h.begin(), h.end(), Odd()));
  cub::CountingInputIterator<int> from(1);
  cub::TransformInputIterator<int, Odd, cub::CountingInputIterator<int>> odd(from, Odd());
  twice([&](void *m, size_t &b) { return cub::DeviceReduce::Sum(m, b, odd, out, n); });
  CHECK(value() == n / 2);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
