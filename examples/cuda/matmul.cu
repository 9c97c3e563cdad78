/* Multiplies matrices by tiles in shared memory. The tile's size and the element's type are template parameters. */
#include "check.h"

template <class T, int TILE> __global__ void multiply(const T *a, const T *b, T *c, int n)
{
  __shared__ T as[TILE][TILE], bs[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  T sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    as[y][x] = a[row * n + tile + x];
    bs[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <class T, int TILE> int test(const char *name, double tolerance)
{
  const int n = 96;
  random_numbers next;
  std::vector<T> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = (T)next() - (T)0.5;
    b[i] = (T)next() - (T)0.5;
  }
  T *da = to_device(a), *db = to_device(b), *dc = to_device(c);
  multiply<T, TILE><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += (double)a[y * n + k] * (double)b[k * n + x];
      c[y * n + x] = (T)sum;
    }
  return report(name, to_host(dc, n * n), c, tolerance);
}

int main()
{
  return test<float, 16>("matmul<float, 16>", 1e-5) | test<double, 8>("matmul<double, 8>", 1e-13);
}
