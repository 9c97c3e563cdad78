// Ten kernels in the shape of those by which the schemes of Vortex's thread splits were compared: seven without locks
// and, with -DLOCKS, three with. `scs KERNEL`. Ours; the published programs differ in code and size.
//
// Three threads of four diverge in `diverge`; `trig` computes a series in every fourth element; `bfs` follows a queue
// level by level. `lockht` has a spin lock per bucket of a hash table, `lclist` a list with a lock per node that is
// entered hand over hand, `rangelock` locks of ranges that are tried until one is free.
#include <simt.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 16, N = 64, SIDE = 16, BUCKETS = 4, NODES = 16 };

#ifdef LOCKS
SIMT_INLINE void enter(volatile int *lock)
{
  while (atomicExch((int *)lock, 1) != 0)
    ;
}

SIMT_INLINE void leave(volatile int *lock)
{
  __asm__ volatile("fence" ::: "memory");
  atomicExch((int *)lock, 0);
}

#endif

SIMT_KERNEL(vecadd, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + b[i];
}

SIMT_KERNEL(sgemm, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = i / SIDE, column = i % SIDE;
  int sum = 0;
  for (unsigned k = 0; k < SIDE; k++)
    sum += a[row * SIDE + k] * b[k * SIDE + column];
  out[i] = sum;
}

SIMT_KERNEL(diverge, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i];
  for (int k = 0; k < 8; k++) {
    if ((i & 3) == 0)
      x = x * 3 + b[i];
    else if ((i & 3) == 1)
      x = x / 3 + (int)i;
    else if (x > 100)
      x -= b[(i + (unsigned)k) % N];
    else
      x += 7;
  }
  out[i] = x;
}

// Distances from node 0 in a ring of N nodes with chords; a sweep per level.
SIMT_KERNEL(bfs, (int *, out), (const int *, edges), (const int *, level))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (out[i] == *level)
    for (int k = 0; k < 1 + (int)(i & 3); k++) {
      const int next = edges[(i * 4 + (unsigned)k) % N];
      if (out[next] < 0)
        out[next] = *level + 1;
    }
}

SIMT_KERNEL(jacobi, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i];
  if (i > 0 && i < N - 1)
    for (int k = 0; k < 8; k++)
      x = (a[i - 1] + a[i + 1] + 2 * x + b[i]) / 4;
  out[i] = x;
}

SIMT_KERNEL(softmax, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int most = a[0], sum = 0;
  for (unsigned k = 1; k < N; k++)
    if (a[k] > most)
      most = a[k];
  for (unsigned k = 0; k < N; k++)
    sum += 1 << (most - a[k] < 16 ? 16 - (most - a[k]) : 0);
  out[i] = (b[i] << 10) / sum;
}

SIMT_KERNEL(trig, (int *, out), (const int *, a), (const int *, b))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i] & 1023, sum = x;
  if ((i & 3) == 0) {
    int term = x;
    for (int k = 1; k < 12 && term != 0; k++) {
      term = -(term * x >> 10) * x / (2 * k * (2 * k + 1)) >> 10;
      sum += term;
    }
  }
  out[i] = sum + b[i];
}

#ifdef LOCKS
SIMT_KERNEL(lockht, (volatile int *, table), (volatile int *, locks))
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), bucket = i / 2 % BUCKETS;
  enter(&locks[bucket]);
  table[bucket * (N + 1) + 1 + table[bucket * (N + 1)]] = i;
  table[bucket * (N + 1)]++;
  leave(&locks[bucket]);
}

// Adds the thread's number to a node of the list, which it reaches node by node.
SIMT_KERNEL(lclist, (volatile int *, nodes), (volatile int *, locks))
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), goal = i % NODES;
  int node = 0;
  enter(&locks[0]);
  while (node < goal) {
    enter(&locks[node + 1]);
    leave(&locks[node]);
    node++;
  }
  nodes[goal] += i;
  leave(&locks[goal]);
}

// Two neighbouring cells at a time; a range that is not free is tried again.
SIMT_KERNEL(rangelock, (volatile int *, cells), (volatile int *, locks))
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), from = i % (NODES - 1);
  int done = 0;
  while (!done)
    if (atomicExch((int *)&locks[from], 1) == 0) {
      if (atomicExch((int *)&locks[from + 1], 1) == 0) {
        cells[from]++;
        cells[from + 1] += 2;
        leave(&locks[from + 1]);
        done = 1;
      }
      leave(&locks[from]);
    }
}

static int wrong_locked(const char *name, const volatile int *w)
{
  int sums[NODES] = {0}, bad = 0;
  for (int i = 0; i < N; i++)
    if (strcmp(name, "lclist") == 0) {
      sums[i % NODES] += i;
    } else {
      sums[i % (NODES - 1)]++;
      sums[i % (NODES - 1) + 1] += 2;
    }
  for (int k = 0; k < NODES; k++)
    bad += w[k] != sums[k];
  return bad;
}

static int wrong_table(const volatile int *w)
{
  int bad = 0;
  for (int b = 0; b < BUCKETS; b++) {
    int sum = 0, count = w[b * (N + 1)];
    for (int i = 0; i < N; i++)
      if (i / 2 % BUCKETS == b)
        sum += i, count--;
    for (int k = 0; k < w[b * (N + 1)]; k++)
      sum -= w[b * (N + 1) + 1 + k];
    bad += sum != 0 || count != 0;
  }
  return bad;
}

static int run_locked(const char *name, int *w, int *locks, int *bad)
{
  const dim3 grid = dim3(N / THREADS), block = dim3(THREADS);
  int r;
  for (int i = 0; i < 1024; i++)
    locks[i] = 0;
  if (strcmp(name, "lockht") == 0)
    r = simt_launch(lockht, grid, block, .table = w, .locks = locks);
  else if (strcmp(name, "lclist") == 0)
    r = simt_launch(lclist, grid, block, .nodes = w, .locks = locks);
  else
    r = simt_launch(rangelock, grid, block, .cells = w, .locks = locks);
  *bad = strcmp(name, "lockht") == 0 ? wrong_table(w) : wrong_locked(name, w);
  return r;
}
#endif

int main(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "vecadd";
  const dim3 grid = dim3(N / THREADS), block = dim3(THREADS), all = dim3(SIDE * SIDE / THREADS);
  int *const w = simt_alloc(4 * 1024), *const a = simt_alloc(4 * 1024), *const b = simt_alloc(4 * 1024);
  int r = SIMT_OK, bad = 0;
  for (int i = 0; i < 1024; i++) {
    w[i] = 0;
    a[i] = i * 37 % 211;
    b[i] = i * 11 % 97;
  }
  if (strcmp(name, "vecadd") == 0) {
    r = simt_launch(vecadd, grid, block, .out = w, .a = a, .b = b);
    for (int i = 0; i < N; i++)
      bad += w[i] != a[i] + b[i];
  } else if (strcmp(name, "sgemm") == 0) {
    r = simt_launch(sgemm, all, block, .out = w, .a = a, .b = b);
    for (int i = 0; i < SIDE * SIDE; i++) {
      int sum = 0;
      for (int k = 0; k < SIDE; k++)
        sum += a[i / SIDE * SIDE + k] * b[k * SIDE + i % SIDE];
      bad += w[i] != sum;
    }
  } else if (strcmp(name, "diverge") == 0) {
    r = simt_launch(diverge, grid, block, .out = w, .a = a, .b = b);
    for (int i = 0; i < N; i++) {
      int x = a[i];
      for (int k = 0; k < 8; k++)
        x = (i & 3) == 0 ? x * 3 + b[i] : (i & 3) == 1 ? x / 3 + i : x > 100 ? x - b[(i + k) % N] : x + 7;
      bad += w[i] != x;
    }
  } else if (strcmp(name, "bfs") == 0) {
    for (int i = 0; i < N; i++) {
      w[i] = i == 0 ? 0 : -1;
      a[i] = (i / 4 + i % 4 * 7 + 1) % N;
    }
    for (int i = 0; i < 8 && r == SIMT_OK; i++) {
      b[0] = i;
      r = simt_launch(bfs, grid, block, .out = w, .edges = a, .level = b);
    }
    for (int i = 0; i < N; i++)
      bad += w[i] > 8;
  } else if (strcmp(name, "jacobi") == 0) {
    r = simt_launch(jacobi, grid, block, .out = w, .a = a, .b = b);
    bad = w[0] != a[0] || w[N - 1] != a[N - 1];
  } else if (strcmp(name, "softmax") == 0) {
    r = simt_launch(softmax, grid, block, .out = w, .a = a, .b = b);
    bad = w[1] < 0;
  } else if (strcmp(name, "trig") == 0) {
    r = simt_launch(trig, grid, block, .out = w, .a = a, .b = b);
    for (int i = 0; i < N; i++)
      bad += (i & 3) != 0 && w[i] != (a[i] & 1023) + b[i];
#ifdef LOCKS
  } else {
    r = run_locked(name, w, a, &bad);
#endif
  }
  if (r != SIMT_OK || bad)
    printf("%s: launch %d, %d wrong\n", name, r, bad);
  return r != SIMT_OK || bad;
}
