// CUB beyond sums and scans: blocks sort, exchange and compare neighbours; devices work by keys, segments and bins.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static int failures;
static void check(bool ok, const char *what)
{
  if (!ok)
    printf("wrong: %s\n", what);
  failures += !ok;
}
template <class T> T *upload(const std::vector<T> &v)
{
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T) + 1);
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T> std::vector<T> download(const T *p, size_t n)
{
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class F> void with_memory(F f)
{
  void *memory = nullptr;
  size_t bytes = 0;
  f(memory, bytes);
  cudaMalloc(&memory, bytes);
  check(f(memory, bytes) == cudaSuccess, "a call");
  cudaFree(memory);
}

enum { X = 96, I = 3, N = X * I };
struct greater {
  __device__ bool operator()(int a, int b) const
  {
    return a > b;
  }
};
struct running {
  int sum;
  __device__ int operator()(int total)
  {
    const int before = sum;
    sum += total;
    return before;
  }
};
struct differs {
  __device__ bool operator()(int a, int b) const
  {
    return a != b;
  }
};
struct less_tens {
  __device__ bool operator()(int a, int b) const
  {
    return a / 10 < b / 10;
  }
};
struct is_even {
  __device__ bool operator()(int a) const
  {
    return a % 2 == 0;
  }
};
struct doubled {
  int *p;
  __device__ void operator()(int i) const
  {
    p[i] *= 2;
  }
};

__global__ void blocks(const int *in, int *out)
{
  typedef cub::BlockRadixSort<int, X, I, short> Sort;
  typedef cub::BlockMergeSort<int, X, I> Merge;
  typedef cub::BlockExchange<int, X, I> Exchange;
  typedef cub::BlockHistogram<int, X, I, 10> Histogram;
  typedef cub::BlockDiscontinuity<int, X> Flags;
  typedef cub::BlockAdjacentDifference<int, X> Difference;
  typedef cub::BlockShuffle<int, X> Shuffle;
  typedef cub::BlockScan<int, X> Scan;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Merge::TempStorage merge;
    typename Exchange::TempStorage exchange;
    typename Flags::TempStorage flags;
    typename Difference::TempStorage difference;
    typename Shuffle::TempStorage shuffle;
    typename Scan::TempStorage scan;
  } memory;
  __shared__ int bins[10];
  const int t = threadIdx.x;
  int items[I], more[I];
  short from[I];
  cub::LoadDirectBlocked(t, in, items);
  for (int i = 0; i < I; i++)
    from[i] = (short)(t * I + i);
  Sort(memory.sort).SortDescending(items, from, 1, 31);
  for (int i = 0; i < I; i++)
    out[t * I + i] = from[i];
  Sort(memory.sort).SortBlockedToStriped(items);
  cub::StoreDirectStriped<X>(t, out + N, items);
  cub::LoadDirectBlocked(t, in, items);
  Merge(memory.merge).Sort(items, greater(), N - 5, -1000000);
  cub::StoreDirectBlocked(t, out + 2 * N, items);
  cub::LoadDirectStriped<X>(t, in, items);
  Exchange(memory.exchange).StripedToBlocked(items, more);
  cub::StoreDirectBlocked(t, out + 3 * N, more);
  Exchange(memory.exchange).BlockedToWarpStriped(more);
  cub::StoreDirectWarpStriped(t, out + 4 * N, more);
  int ranks[I];
  for (int i = 0; i < I; i++)
    ranks[i] = N - 1 - (i * X + t);
  Exchange(memory.exchange).ScatterToStriped(items, ranks);
  cub::StoreDirectStriped<X>(t, out + 5 * N, items);
  cub::LoadDirectBlocked(t, in, items);
  for (int i = 0; i < I; i++)
    items[i] = (items[i] & 1023) % 10;
  Histogram().Histogram(items, bins);
  if (t < 10)
    out[6 * N + t] = bins[t];
  for (int i = 0; i < I; i++)
    items[i] = (t * I + i) / 7;
  int heads[I], tails[I];
  Flags(memory.flags).FlagHeadsAndTails(heads, tails, items, differs());
  Difference(memory.difference).SubtractLeft(items, more, cub::Difference());
  Shuffle(memory.shuffle).Up(items, items);
  for (int i = 0; i < I; i++)
    out[7 * N + t * I + i] = heads[i] + 10 * tails[i] + 100 * more[i] + 1000 * items[i];
  running sum = {0};
  for (int tile = 0; tile < 2; tile++) {
    int one = t, sum_before;
    Scan(memory.scan).ExclusiveSum(one, sum_before, sum);
    __syncthreads();
    out[8 * N + tile * X + t] = sum_before;
  }
}
__global__ void segments(int *out)
{
  typedef cub::WarpReduce<int> Reduce;
  __shared__ typename Reduce::TempStorage memory;
  const int lane = threadIdx.x;
  out[lane] = Reduce(memory).HeadSegmentedSum(lane, lane % 5 == 0);
  out[32 + lane] = Reduce(memory).TailSegmentedSum(lane, lane % 5 == 4);
}

static void test_blocks(const std::vector<int> &v)
{
  int *in = upload(v), *out = upload(std::vector<int>(9 * N));
  const std::vector<int> items(v.begin(), v.begin() + N);
  blocks<<<1, X>>>(in, out);
  const std::vector<int> all = download(out, 9 * N);
  const auto part = [&](int k) { return std::vector<int>(all.begin() + k * N, all.begin() + (k + 1) * N); };
  std::vector<int> places(N), sorted = items, down(items.begin(), items.end() - 5);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) {
    return ((unsigned)items[a] ^ 0x80000000u) << 1 >> 2 > ((unsigned)items[b] ^ 0x80000000u) << 1 >> 2;
  });
  check(part(0) == places, "BlockRadixSort of some bits");
  std::sort(sorted.begin(), sorted.end());
  check(part(1) == sorted, "BlockRadixSort, striped");
  std::sort(down.begin(), down.end(), std::greater<int>());
  down.resize(N, -1000000);
  check(part(2) == down, "BlockMergeSort");
  check(part(3) == items && part(4) == items, "BlockExchange");
  std::vector<int> reversed(items.rbegin(), items.rend());
  check(part(5) == reversed, "BlockExchange by ranks");
  int bins[10] = {};
  for (int item : items)
    bins[(item & 1023) % 10]++;
  check(std::equal(bins, bins + 10, all.begin() + 6 * N), "BlockHistogram");
  bool ok = true;
  for (int i = 0; i < N; i++) {
    const int head = i % 7 == 0, tail = i % 7 == 6 || i == N - 1, before = i > 0 ? (i - 1) / 7 : 0;
    ok &= all[7 * N + i] == head + 10 * tail + 100 * (i / 7 - before) + 1000 * before;
  }
  check(ok, "neighbours");
  for (int i = 0; i < 2 * X; i++)
    check(all[8 * N + i] == i / X * (X * (X - 1) / 2) + i % X * (i % X - 1) / 2, "BlockScan after a prefix");
  segments<<<1, 32>>>(out);
  const std::vector<int> sums = download(out, 64);
  for (int i = 0; i < 32; i += 5) {
    int sum = 0;
    for (int j = i; j < std::min(i + 5, 32); j++)
      sum += j;
    check(sums[i] == sum && sums[32 + i] == sum, "segments of a warp");
  }
}

static void test_keys(const std::vector<int> &v)
{
  const int n = (int)v.size();
  std::vector<int> keys(n);
  for (int i = 0; i < n; i++)
    keys[i] = i / (1 + i % 3 + i / 100);
  int *k = upload(keys), *in = upload(v), *unique = upload(keys), *sums = upload(v),
      *count = upload(std::vector<int>(1));
  std::vector<int> k2, s2, l2, o3, l3, u2, inclusive(n), exclusive(n);
  for (int i = 0; i < n; i++) {
    const bool head = i == 0 || keys[i] != keys[i - 1];
    if (head) {
      k2.push_back(keys[i]);
      s2.push_back(0);
      l2.push_back(0);
      u2.push_back(v[i]);
    }
    exclusive[i] = head ? 0 : s2.back();
    s2.back() += v[i];
    inclusive[i] = s2.back();
    l2.back()++;
  }
  for (int i = 0, at = 0; i < (int)l2.size(); at += l2[i++])
    if (l2[i] > 1) {
      o3.push_back(at);
      l3.push_back(l2[i]);
    }
  const int runs = (int)k2.size();
  with_memory([&](void *m, size_t &b) {
    return cub::DeviceReduce::ReduceByKey(m, b, k, unique, in, sums, count, cub::Sum(), n);
  });
  check(download(count, 1)[0] == runs && download(unique, runs) == k2 && download(sums, runs) == s2, "ReduceByKey");
  with_memory([&](void *m, size_t &b) { return cub::DeviceRunLengthEncode::Encode(m, b, k, unique, sums, count, n); });
  check(download(count, 1)[0] == runs && download(unique, runs) == k2 && download(sums, runs) == l2, "Encode");
  with_memory(
      [&](void *m, size_t &b) { return cub::DeviceRunLengthEncode::NonTrivialRuns(m, b, k, unique, sums, count, n); });
  check(download(count, 1)[0] == (int)o3.size() && download(unique, o3.size()) == o3 && download(sums, o3.size()) == l3,
        "NonTrivialRuns");
  with_memory([&](void *m, size_t &b) { return cub::DeviceSelect::UniqueByKey(m, b, k, in, unique, sums, count, n); });
  check(download(unique, runs) == k2 && download(sums, runs) == u2, "UniqueByKey");
  with_memory([&](void *m, size_t &b) { return cub::DeviceScan::InclusiveSumByKey(m, b, k, in, sums, n); });
  check(download(sums, n) == inclusive, "InclusiveSumByKey");
  with_memory([&](void *m, size_t &b) { return cub::DeviceScan::ExclusiveSumByKey(m, b, k, in, sums, n); });
  check(download(sums, n) == exclusive, "ExclusiveSumByKey");
}

static void test_segments(const std::vector<int> &v)
{
  const int n = (int)v.size(), begins[] = {5, 600, 10, 10, 700}, ends[] = {10, 700, 600, 10, 990};
  int *in = upload(v), *out = upload(v), *places = upload(v), *sums = upload(std::vector<int>(5));
  int *begin = upload(std::vector<int>(begins, begins + 5)), *end = upload(std::vector<int>(ends, ends + 5));
  cub::KeyValuePair<int, int> *best;
  cudaMalloc(&best, 5 * sizeof *best);
  with_memory([&](void *m, size_t &b) { return cub::DeviceSegmentedReduce::Sum(m, b, in, sums, 5, begin, end); });
  for (int s = 0; s < 5; s++)
    check(download(sums, 5)[s] == std::accumulate(v.begin() + begins[s], v.begin() + ends[s], 0), "segmented Sum");
  with_memory([&](void *m, size_t &b) { return cub::DeviceSegmentedReduce::ArgMin(m, b, in, best, 5, begin, end); });
  check(download(best, 5)[1].key == std::min_element(v.begin() + 600, v.begin() + 700) - v.begin() - 600, "ArgMin");
  std::vector<int> sorted = v;
  for (int s = 0; s < 5; s++)
    std::sort(sorted.begin() + begins[s], sorted.begin() + ends[s], std::greater<int>());
  with_memory([&](void *m, size_t &b) {
    return cub::DeviceSegmentedRadixSort::SortPairsDescending(m, b, in, out, in, places, n, 5, begin, end);
  });
  check(download(out, n) == sorted && download(places, n) == sorted, "segmented sort");
}

static void test_rest(const std::vector<int> &v)
{
  const int n = (int)v.size();
  int *in = upload(v), *out = upload(v), *count = upload(std::vector<int>(100));
  std::vector<int> even, odd, tens = v;
  for (int item : v)
    (item % 2 == 0 ? even : odd).push_back(item);
  std::vector<int> parts = even;
  parts.insert(parts.end(), odd.rbegin(), odd.rend());
  with_memory([&](void *m, size_t &b) { return cub::DevicePartition::If(m, b, in, out, count, n, is_even()); });
  check(download(out, n) == parts && download(count, 1)[0] == (int)even.size(), "DevicePartition");
  std::stable_sort(tens.begin(), tens.end(), [](int a, int b) { return a / 10 < b / 10; });
  with_memory([&](void *m, size_t &b) { return cub::DeviceMergeSort::StableSortKeys(m, b, out, n, less_tens()); });
  with_memory([&](void *m, size_t &b) { return cub::DeviceMergeSort::SortKeysCopy(m, b, in, out, n, less_tens()); });
  check(download(out, n) == tens && download(in, n) == v, "DeviceMergeSort");
  std::vector<int> bins(9), ranges(3), green(4);
  const int levels[] = {-500, -20, 30, 900};
  for (int i = 0; i < n; i++) {
    if (v[i] >= -400 && v[i] < 500)
      bins[(v[i] + 400) / 100]++;
    for (int k = 0; k < 3; k++)
      ranges[k] += v[i] >= levels[k] && v[i] < levels[k + 1];
    if (i % 2 == 1 && v[i] >= 0 && v[i] < 400)
      green[v[i] / 100]++;
  }
  with_memory(
      [&](void *m, size_t &b) { return cub::DeviceHistogram::HistogramEven(m, b, in, count, 10, -400, 500, n); });
  check(download(count, 9) == bins, "HistogramEven");
  int *borders = upload(std::vector<int>(levels, levels + 4));
  with_memory([&](void *m, size_t &b) { return cub::DeviceHistogram::HistogramRange(m, b, in, count, 4, borders, n); });
  check(download(count, 3) == ranges, "HistogramRange");
  int *both[] = {count + 50, count}, all_levels[] = {3, 5}, lower[] = {0, 0}, upper[] = {2, 400};
  with_memory([&](void *m, size_t &b) {
    return cub::DeviceHistogram::MultiHistogramEven<2, 2>(m, b, in, both, all_levels, lower, upper, n / 2);
  });
  check(download(count, 4) == green, "MultiHistogramEven");
  cub::DeviceFor::Bulk(n, doubled{in});
  check(download(in, n)[7] == 2 * v[7], "DeviceFor");
  with_memory([&](void *m, size_t &b) { return cub::DeviceAdjacentDifference::SubtractLeft(m, b, in, n); });
  check(download(in, n)[7] == 2 * (v[7] - v[6]) && download(in, 1)[0] == 2 * v[0], "SubtractLeft");
}

int main()
{
  std::vector<int> v(1000);
  unsigned x = 1;
  for (int &item : v) {
    x = x * 1664525u + 1013904223u;
    item = (int)(x >> 8) % 1201 - 600;
  }
  test_blocks(v);
  test_keys(v);
  test_segments(v);
  test_rest(v);
  puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
