/* CUB on blocks and warps beyond sums, scans, loads and stores: sorting, exchanges, histograms, neighbours */
#ifndef SIMTLAB_CUB_BLOCK_H
#define SIMTLAB_CUB_BLOCK_H

namespace cub
{
/* ---- sorting ----------------------------------------------------------------------------------------------------- */

/* A stable merge sort: keys lie in shared memory in order of runs that double, with the places they came from. */
template <class K, class V, int N, int I> struct SortSlots {
  struct Keys {
    Slots<K, N * I> key;
    unsigned short from[N * I];
  };
  alignas(Keys) alignas(V) unsigned char bytes[sizeof(Keys) > N *I * sizeof(V) ? sizeof(Keys) : N *I * sizeof(V)];
};
/* The items of a run [first, last) that come before `key`: those that are less, with `equals` also equal ones */
template <class K, int M, class Less>
SIMTLAB_CUB int simtlab_before(Slots<K, M> &keys, int first, int last, const K &key, bool equals, Less &less)
{
  const int begin = first;
  while (first < last) {
    const int half = (first + last) / 2;
    if (equals ? !less(key, keys[half]) : less(keys[half], key))
      first = half + 1;
    else
      last = half;
  }
  return first - begin;
}
template <class Sync, class K, class V, int N, int I, class Less>
SIMTLAB_CUB void simtlab_sort(SortSlots<K, V, N, I> &slots, int t, K (&keys)[I], V *values, Less less, bool striped)
{
  typedef typename SortSlots<K, V, N, I>::Keys Keys;
  Keys &s = *reinterpret_cast<Keys *>(slots.bytes);
  unsigned short from[I];
  for (int i = 0; i < I; i++) {
    new (&s.key[t * I + i]) K(keys[i]);
    s.from[t * I + i] = (unsigned short)(t * I + i);
  }
  Sync::sync();
  for (int width = 1; width < N * I; width *= 2) {
    int to[I];
    for (int i = 0; i < I; i++) {
      const int p = i * N + t, run = p / width * width, pair = run / (2 * width) * (2 * width);
      const int other = run == pair ? run + width : pair;
      const int first = other < N * I ? other : N * I, last = first + width < N * I ? first + width : N * I;
      keys[i] = s.key[p];
      from[i] = s.from[p];
      to[i] = pair + (p - run) + simtlab_before(s.key, first, last, keys[i], run != pair, less);
    }
    Sync::sync();
    for (int i = 0; i < I; i++) {
      s.key[to[i]] = keys[i];
      s.from[to[i]] = from[i];
    }
    Sync::sync();
  }
  for (int i = 0; i < I; i++) {
    const int p = striped ? i * N + t : t * I + i;
    keys[i] = s.key[p];
    from[i] = s.from[p];
  }
  Sync::sync();
  if (values == nullptr)
    return;
  V *all = reinterpret_cast<V *>(slots.bytes);
  for (int i = 0; i < I; i++)
    new (&all[t * I + i]) V(values[i]);
  Sync::sync();
  for (int i = 0; i < I; i++)
    values[i] = all[from[i]];
  Sync::sync();
}
template <class K> struct simtlab_digits {
  int from, to;
  bool descending;
  SIMTLAB_CUB typename simtlab::radix<K>::bits of(const K &key) const
  {
    typedef typename simtlab::radix<K>::bits bits;
    const int width = 8 * (int)sizeof(K);
    return (bits)((bits)(simtlab::radix<K>::of(key) >> from) << (width - (to - from)));
  }
  SIMTLAB_CUB bool operator()(const K &a, const K &b) const
  {
    return from < to && (descending ? of(b) < of(a) : of(a) < of(b));
  }
};

template <class K, int X, int I, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort
{
  enum { N = X * Y * Z, BITS = 8 * sizeof(K) };

public:
  SIMTLAB_CUB_STORAGE(SortSlots<K, V, N, I>)
  SIMTLAB_CUB BlockRadixSort() : slots(own())
  {
  }
  SIMTLAB_CUB BlockRadixSort(TempStorage &storage) : slots(storage)
  {
  }
#define SIMTLAB_CUB_SORT(name, descending, striped)                                                                    \
  SIMTLAB_CUB void name(K(&keys)[I], int from = 0, int to = BITS)                                                      \
  {                                                                                                                    \
    simtlab_sort<BlockSync>(slots, RowMajorTid(X, Y, Z), keys, (V *)nullptr, simtlab_digits<K>{from, to, descending},  \
                            striped);                                                                                  \
  }                                                                                                                    \
  SIMTLAB_CUB void name(K(&keys)[I], V(&values)[I], int from = 0, int to = BITS)                                       \
  {                                                                                                                    \
    simtlab_sort<BlockSync>(slots, RowMajorTid(X, Y, Z), keys, values, simtlab_digits<K>{from, to, descending},        \
                            striped);                                                                                  \
  }
  SIMTLAB_CUB_SORT(Sort, false, false)
  SIMTLAB_CUB_SORT(SortDescending, true, false)
  SIMTLAB_CUB_SORT(SortBlockedToStriped, false, true)
  SIMTLAB_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef SIMTLAB_CUB_SORT
};

/* Sorts by a comparison, of a block or of W lanes. Places from `valid` on hold a key that comes after all others. */
template <class Sync, class K, class V, int N, int I> class simtlab_merge_sort
{
protected:
  SortSlots<K, V, N, I> &slots;
  int t;
  SIMTLAB_CUB simtlab_merge_sort(SortSlots<K, V, N, I> &s, int thread) : slots(s), t(thread)
  {
  }
  template <class Less> SIMTLAB_CUB void sort(K (&keys)[I], V *values, Less less, int valid, K last)
  {
    for (int i = 0; i < I; i++)
      if (t * I + i >= valid)
        keys[i] = last;
    simtlab_sort<Sync>(slots, t, keys, values, less, false);
  }

public:
#define SIMTLAB_CUB_SORT(name)                                                                                         \
  template <class Less> SIMTLAB_CUB void name(K(&keys)[I], Less less)                                                  \
  {                                                                                                                    \
    sort(keys, nullptr, less, N *I, keys[0]);                                                                          \
  }                                                                                                                    \
  template <class Less> SIMTLAB_CUB void name(K(&keys)[I], Less less, int valid, K last)                               \
  {                                                                                                                    \
    sort(keys, nullptr, less, valid, last);                                                                            \
  }                                                                                                                    \
  template <class Less> SIMTLAB_CUB void name(K(&keys)[I], V(&values)[I], Less less)                                   \
  {                                                                                                                    \
    sort(keys, values, less, N *I, keys[0]);                                                                           \
  }                                                                                                                    \
  template <class Less> SIMTLAB_CUB void name(K(&keys)[I], V(&values)[I], Less less, int valid, K last)                \
  {                                                                                                                    \
    sort(keys, values, less, valid, last);                                                                             \
  }
  SIMTLAB_CUB_SORT(Sort)
  SIMTLAB_CUB_SORT(StableSort)
#undef SIMTLAB_CUB_SORT
};
template <class K, int X, int I, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public simtlab_merge_sort<BlockSync, K, V, X * Y * Z, I>
{
  typedef SortSlots<K, V, X * Y * Z, I> Storage;
  SIMTLAB_CUB static Storage &own()
  {
    __shared__ Storage storage;
    return storage;
  }

public:
  struct TempStorage : Storage {
  };
  SIMTLAB_CUB BlockMergeSort() : simtlab_merge_sort<BlockSync, K, V, X * Y * Z, I>(own(), RowMajorTid(X, Y, Z))
  {
  }
  SIMTLAB_CUB BlockMergeSort(TempStorage &storage)
      : simtlab_merge_sort<BlockSync, K, V, X * Y * Z, I>(storage, RowMajorTid(X, Y, Z))
  {
  }
};
template <class K, int I, int W = 32, class V = NullType, int = 0>
class WarpMergeSort : public simtlab_merge_sort<WarpSync, K, V, W, I>
{
public:
  struct TempStorage : SortSlots<K, V, W, I> {
  };
  SIMTLAB_CUB WarpMergeSort(TempStorage &storage) : simtlab_merge_sort<WarpSync, K, V, W, I>(storage, (int)LaneId() % W)
  {
  }
};

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

/* Item i of thread t is at place t * I + i of a blocked arrangement, i * N + t of a striped one. In a warp-striped one
 * each warp has the places of its blocked items. */
template <class Sync, class T, int N, int I> class simtlab_exchange
{
protected:
  Slots<T, N * I> &slots;
  int t;
  SIMTLAB_CUB simtlab_exchange(Slots<T, N * I> &s, int thread) : slots(s), t(thread)
  {
  }
  SIMTLAB_CUB int blocked(int i) const
  {
    return t * I + i;
  }
  SIMTLAB_CUB int striped(int i) const
  {
    return i * N + t;
  }
  SIMTLAB_CUB int warp_striped(int i) const
  {
    const int first = t / 32 * 32, width = N - first < 32 ? N - first : 32;
    return first * I + i * width + (t - first);
  }

public:
#define SIMTLAB_CUB_EXCHANGE(name, source, target)                                                                     \
  template <class U> SIMTLAB_CUB void name(const T(&in)[I], U(&out)[I])                                                \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      new (&slots[source(i)]) T(in[i]);                                                                                \
    Sync::sync();                                                                                                      \
    for (int i = 0; i < I; i++)                                                                                        \
      out[i] = slots[target(i)];                                                                                       \
    Sync::sync();                                                                                                      \
  }                                                                                                                    \
  SIMTLAB_CUB void name(T(&items)[I])                                                                                  \
  {                                                                                                                    \
    name(items, items);                                                                                                \
  }
  SIMTLAB_CUB_EXCHANGE(BlockedToStriped, blocked, striped)
  SIMTLAB_CUB_EXCHANGE(StripedToBlocked, striped, blocked)
  SIMTLAB_CUB_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
  SIMTLAB_CUB_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
#undef SIMTLAB_CUB_EXCHANGE
#define SIMTLAB_CUB_SCATTER(name, target)                                                                              \
  template <class U, class R> SIMTLAB_CUB void name(const T(&in)[I], U(&out)[I], R(&ranks)[I])                         \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      if (ranks[i] >= 0)                                                                                               \
        new (&slots[(int)ranks[i]]) T(in[i]);                                                                          \
    Sync::sync();                                                                                                      \
    for (int i = 0; i < I; i++)                                                                                        \
      out[i] = slots[target(i)];                                                                                       \
    Sync::sync();                                                                                                      \
  }                                                                                                                    \
  template <class R> SIMTLAB_CUB void name(T(&items)[I], R(&ranks)[I])                                                 \
  {                                                                                                                    \
    name(items, items, ranks);                                                                                         \
  }
  SIMTLAB_CUB_SCATTER(ScatterToBlocked, blocked)
  SIMTLAB_CUB_SCATTER(ScatterToStriped, striped)
#undef SIMTLAB_CUB_SCATTER
};
template <class T, int X, int I, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange : public simtlab_exchange<BlockSync, T, X * Y * Z, I>
{
  typedef Slots<T, X * Y * Z * I> Storage;
  SIMTLAB_CUB static Storage &own()
  {
    __shared__ Storage storage;
    return storage;
  }

public:
  struct TempStorage : Storage {
  };
  SIMTLAB_CUB BlockExchange() : simtlab_exchange<BlockSync, T, X * Y * Z, I>(own(), RowMajorTid(X, Y, Z))
  {
  }
  SIMTLAB_CUB BlockExchange(TempStorage &storage)
      : simtlab_exchange<BlockSync, T, X * Y * Z, I>(storage, RowMajorTid(X, Y, Z))
  {
  }
};
template <class T, int I, int W = 32, int = 0> class WarpExchange : public simtlab_exchange<WarpSync, T, W, I>
{
public:
  struct TempStorage : Slots<T, W * I> {
  };
  SIMTLAB_CUB WarpExchange(TempStorage &storage) : simtlab_exchange<WarpSync, T, W, I>(storage, (int)LaneId() % W)
  {
  }
};

/* ---- histograms -------------------------------------------------------------------------------------------------- */

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int I, int BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
class BlockHistogram
{
public:
  struct TempStorage {
  };
  SIMTLAB_CUB BlockHistogram()
  {
  }
  SIMTLAB_CUB BlockHistogram(TempStorage &)
  {
  }
  template <class C> SIMTLAB_CUB void InitHistogram(C *histogram)
  {
    for (int i = RowMajorTid(X, Y, Z); i < BINS; i += X * Y * Z)
      histogram[i] = 0;
    __syncthreads();
  }
  template <class C> SIMTLAB_CUB void Composite(T (&items)[I], C *histogram)
  {
    for (int i = 0; i < I; i++)
      atomicAdd(&histogram[items[i]], (C)1);
    __syncthreads();
  }
  template <class C> SIMTLAB_CUB void Histogram(T (&items)[I], C *histogram)
  {
    InitHistogram(histogram);
    Composite(items, histogram);
  }
};

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

/* Items of a blocked arrangement beside those before and after them */
template <class T, int X, int Y, int Z> class simtlab_neighbours
{
protected:
  enum { N = X * Y * Z };
  typedef Slots<T, 2 * N> Storage;
  Storage &slots;
  SIMTLAB_CUB simtlab_neighbours(Storage &s) : slots(s)
  {
  }
  SIMTLAB_CUB static int thread()
  {
    return RowMajorTid(X, Y, Z);
  }
  template <int I> SIMTLAB_CUB void share(T (&items)[I])
  {
    new (&slots[thread()]) T(items[0]);
    new (&slots[N + thread()]) T(items[I - 1]);
    __syncthreads();
  }
  template <int I> SIMTLAB_CUB T before(T (&items)[I], int i)
  {
    return i > 0 ? items[i - 1] : slots[N + thread() - 1];
  }
  template <int I> SIMTLAB_CUB T after(T (&items)[I], int i)
  {
    return i + 1 < I ? items[i + 1] : slots[thread() + 1];
  }
  SIMTLAB_CUB static Storage &own()
  {
    __shared__ Storage storage;
    return storage;
  }

public:
  struct TempStorage : Storage {
  };
};
/* An operation of two items that may also take the second one's index */
template <class Op, class T>
SIMTLAB_CUB auto simtlab_differ(Op &op, const T &a, const T &b, int i, int) -> decltype((bool)op(a, b, i))
{
  return op(a, b, i);
}
template <class Op, class T>
SIMTLAB_CUB auto simtlab_differ(Op &op, const T &a, const T &b, int, long) -> decltype((bool)op(a, b))
{
  return op(a, b);
}
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockDiscontinuity : simtlab_neighbours<T, X, Y, Z>
{
  typedef simtlab_neighbours<T, X, Y, Z> base;
  template <int I, class F, class Op>
  SIMTLAB_CUB void flag(F *heads, F *tails, T (&items)[I], Op op, const T *first, const T *last)
  {
    const int t = base::thread();
    base::share(items);
    for (int i = 0; i < I; i++) {
      const int place = t * I + i;
      if (heads != nullptr)
        heads[i] = place > 0 ? simtlab_differ(op, base::before(items, i), items[i], place, 0)
                             : first == nullptr || simtlab_differ(op, *first, items[i], place, 0);
      if (tails != nullptr)
        tails[i] = place + 1 < base::N * I ? simtlab_differ(op, items[i], base::after(items, i), place + 1, 0)
                                           : last == nullptr || simtlab_differ(op, items[i], *last, place + 1, 0);
    }
    __syncthreads();
  }

public:
  typedef typename base::TempStorage TempStorage;
  SIMTLAB_CUB BlockDiscontinuity() : base(base::own())
  {
  }
  SIMTLAB_CUB BlockDiscontinuity(TempStorage &storage) : base(storage)
  {
  }
  template <int I, class F, class Op> SIMTLAB_CUB void FlagHeads(F (&heads)[I], T (&items)[I], Op op)
  {
    flag(heads, (F *)nullptr, items, op, nullptr, nullptr);
  }
  template <int I, class F, class Op> SIMTLAB_CUB void FlagHeads(F (&heads)[I], T (&items)[I], Op op, T first)
  {
    flag(heads, (F *)nullptr, items, op, &first, nullptr);
  }
  template <int I, class F, class Op> SIMTLAB_CUB void FlagTails(F (&tails)[I], T (&items)[I], Op op)
  {
    flag((F *)nullptr, tails, items, op, nullptr, nullptr);
  }
  template <int I, class F, class Op> SIMTLAB_CUB void FlagTails(F (&tails)[I], T (&items)[I], Op op, T last)
  {
    flag((F *)nullptr, tails, items, op, nullptr, &last);
  }
  template <int I, class F, class Op>
  SIMTLAB_CUB void FlagHeadsAndTails(F (&heads)[I], F (&tails)[I], T (&items)[I], Op op)
  {
    flag(heads, tails, items, op, nullptr, nullptr);
  }
};
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockAdjacentDifference : simtlab_neighbours<T, X, Y, Z>
{
  typedef simtlab_neighbours<T, X, Y, Z> base;

public:
  typedef typename base::TempStorage TempStorage;
  SIMTLAB_CUB BlockAdjacentDifference() : base(base::own())
  {
  }
  SIMTLAB_CUB BlockAdjacentDifference(TempStorage &storage) : base(storage)
  {
  }
  template <int I, class O, class Op> SIMTLAB_CUB void SubtractLeft(T (&in)[I], O (&out)[I], Op op)
  {
    base::share(in);
    O made[I];
    for (int i = 0; i < I; i++)
      made[i] = base::thread() + i > 0 ? (O)op(in[i], base::before(in, i)) : (O)in[i];
    for (int i = 0; i < I; i++)
      out[i] = made[i];
    __syncthreads();
  }
  template <int I, class O, class Op> SIMTLAB_CUB void SubtractRight(T (&in)[I], O (&out)[I], Op op)
  {
    base::share(in);
    O made[I];
    for (int i = 0; i < I; i++)
      made[i] = base::thread() * I + i + 1 < base::N * I ? (O)op(in[i], base::after(in, i)) : (O)in[i];
    for (int i = 0; i < I; i++)
      out[i] = made[i];
    __syncthreads();
  }
};
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockShuffle : simtlab_neighbours<T, X, Y, Z>
{
  typedef simtlab_neighbours<T, X, Y, Z> base;

public:
  typedef typename base::TempStorage TempStorage;
  SIMTLAB_CUB BlockShuffle() : base(base::own())
  {
  }
  SIMTLAB_CUB BlockShuffle(TempStorage &storage) : base(storage)
  {
  }
  SIMTLAB_CUB void Offset(T in, T &out, int distance = 1)
  {
    T one[1] = {in};
    const int from = base::thread() + distance;
    base::share(one);
    if (from >= 0 && from < base::N)
      out = base::slots[from];
    __syncthreads();
  }
  SIMTLAB_CUB void Rotate(T in, T &out, unsigned int distance = 1)
  {
    T one[1] = {in};
    base::share(one);
    out = base::slots[(base::thread() + (int)distance) % base::N];
    __syncthreads();
  }
  template <int I> SIMTLAB_CUB void Up(T (&in)[I], T (&out)[I])
  {
    base::share(in);
    for (int i = I; i-- > 0;)
      if (base::thread() + i > 0)
        out[i] = base::before(in, i);
    __syncthreads();
  }
  template <int I> SIMTLAB_CUB void Down(T (&in)[I], T (&out)[I])
  {
    base::share(in);
    for (int i = 0; i < I; i++)
      if (base::thread() * I + i + 1 < base::N * I)
        out[i] = base::after(in, i);
    __syncthreads();
  }
};

/* ---- loads and stores without an object -------------------------------------------------------------------------- */

#define SIMTLAB_CUB_PLACES(name, place, ...)                                                                           \
  template <__VA_ARGS__ class T, int I, class It> SIMTLAB_CUB void Load##name(int t, It from, T(&items)[I])            \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      items[i] = from[place];                                                                                          \
  }                                                                                                                    \
  template <__VA_ARGS__ class T, int I, class It> SIMTLAB_CUB void Load##name(int t, It from, T(&items)[I], int valid) \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      if (place < valid)                                                                                               \
        items[i] = from[place];                                                                                        \
  }                                                                                                                    \
  template <__VA_ARGS__ class T, int I, class It, class D>                                                             \
  SIMTLAB_CUB void Load##name(int t, It from, T(&items)[I], int valid, D otherwise)                                    \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      items[i] = place < valid ? (T)from[place] : (T)otherwise;                                                        \
  }                                                                                                                    \
  template <__VA_ARGS__ class T, int I, class It> SIMTLAB_CUB void Store##name(int t, It to, T(&items)[I])             \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      to[place] = items[i];                                                                                            \
  }                                                                                                                    \
  template <__VA_ARGS__ class T, int I, class It> SIMTLAB_CUB void Store##name(int t, It to, T(&items)[I], int valid)  \
  {                                                                                                                    \
    for (int i = 0; i < I; i++)                                                                                        \
      if (place < valid)                                                                                               \
        to[place] = items[i];                                                                                          \
  }
#define SIMTLAB_CUB_COMMA ,
SIMTLAB_CUB_PLACES(DirectBlocked, t *I + i, )
SIMTLAB_CUB_PLACES(DirectBlockedVectorized, t *I + i, )
SIMTLAB_CUB_PLACES(DirectStriped, i *N + t, int N SIMTLAB_CUB_COMMA)
SIMTLAB_CUB_PLACES(DirectWarpStriped, t / 32 * 32 * I + i * 32 + t % 32, )
#undef SIMTLAB_CUB_COMMA
#undef SIMTLAB_CUB_PLACES

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M = LOAD_DEFAULT, class It> SIMTLAB_CUB simtlab::value_of<It> ThreadLoad(It at)
{
  return *at;
}
template <CacheStoreModifier M = STORE_DEFAULT, class It, class T> SIMTLAB_CUB void ThreadStore(It at, T value)
{
  *at = value;
}
template <int I, class T, class Op> SIMTLAB_CUB T ThreadReduce(T (&items)[I], Op op)
{
  T sum = items[0];
  for (int i = 1; i < I; i++)
    sum = op(sum, items[i]);
  return sum;
}

/* ---- shuffles of any type ---------------------------------------------------------------------------------------- */

template <int W, class T> SIMTLAB_CUB T ShuffleUp(T value, int distance, int first, unsigned int)
{
  const int lane = (int)LaneId(), t = lane % W;
  return simtlab_from(value, t - distance >= first ? lane - distance : lane);
}
template <int W, class T> SIMTLAB_CUB T ShuffleDown(T value, int distance, int last, unsigned int)
{
  const int lane = (int)LaneId(), t = lane % W;
  return simtlab_from(value, t + distance <= last ? lane + distance : lane);
}
template <int W, class T> SIMTLAB_CUB T ShuffleIndex(T value, int source, unsigned int)
{
  return simtlab_from(value, (int)LaneId() / W * W + source % W);
}
} // namespace cub

#endif
