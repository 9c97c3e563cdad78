// A kernel of templates and lambdas over shared memory, with a table that a constructor fills before main; every result
// is compared with what plain loops give.
#include "simt.h"
#include <stdio.h>

namespace
{
enum { ROWS = 300, WIDTH = 9, BLOCK = 32 };

template <class T, class F> SIMT_INLINE T fold(const T *a, int n, T first, F f)
{
  T sum = first;
  for (int i = 0; i < n; i++)
    sum = f(sum, a[i]);
  return sum;
}

template <class T> struct Plus {
  T operator()(T a, T b) const
  {
    return a + b;
  }
};

struct Table {
  int entry[16];
  Table()
  {
    for (int i = 0; i < 16; i++)
      entry[i] = i * i;
  }
};
Table squares;

int value(int x, int n)
{
  return x % 3 == 0 ? (x & 15) * (x & 15) : x + n;
}

int sum_of(const int *a, int row)
{
  int sum = 0;
  for (int i = 0; i < row % WIDTH; i++)
    sum += value(a[row * WIDTH + i], ROWS);
  return sum;
}
} // namespace

SIMT_KERNEL(rows, (const int *, a), (int, n), (int, width), (int *, out))
{
  SIMT_SHARED(int, parts, blockDim.x);
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const auto at = [n](int x) { return x % 3 == 0 ? squares.entry[x & 15] : x + n; };
  int sum = 0;
  SIMT_DIVERGE
  if (row < n)
    sum = fold(a + row * width, row % width, 0, [&](int s, int x) { return Plus<int>()(s, at(x)); });
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (row < n)
    out[row] = sum + parts[blockDim.x - 1 - threadIdx.x];
}

int main()
{
  int *a = simt_alloc<int>(ROWS * WIDTH), *out = simt_alloc<int>(ROWS);
  for (int i = 0; i < ROWS * WIDTH; i++)
    a[i] = i * 7 % 31;
  dim3 grid((ROWS + BLOCK - 1) / BLOCK);
  if (simt_launch(rows, grid, BLOCK, .a = a, .n = ROWS, .width = WIDTH, .out = out) != SIMT_OK)
    return 1;
  int wrong = 0;
  unsigned sum = 0;
  for (int row = 0; row < ROWS; row++) {
    const int other = row / BLOCK * BLOCK + BLOCK - 1 - row % BLOCK;
    wrong += out[row] != sum_of(a, row) + (other < ROWS ? sum_of(a, other) : 0);
    sum = sum * 33 + out[row];
  }
  printf("%d rows wrong, sum %u\n", wrong, sum);
  return wrong != 0;
}
