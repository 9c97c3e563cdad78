// nvcuda::wmma in its shapes, types and layouts, against sums on the host. All numbers are small integers, so that sums are
// exact in every type.
#include <mma.h>
#include <cstdio>

using namespace nvcuda;

template <typename T> __host__ __device__ T number(int i, int seed)
{
  return (T)(float)((i * 7 + seed) % 5);
}

template <int m, int n, int k, typename T, typename E, typename C, typename A, typename B>
__global__ void multiply(const E *a, const E *b, C *d, bool rows)
{
  wmma::fragment<wmma::matrix_a, m, n, k, T, A> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, B> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> fc;
  wmma::load_matrix_sync(fa, a, m > k ? m : k);
  wmma::load_matrix_sync(fb, b, n > k ? n : k);
  wmma::fill_fragment(fc, (C)(float)3);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(d, fc, rows ? n : m, rows ? wmma::mem_row_major : wmma::mem_col_major);
}

template <typename L> struct is_row {
  enum { value = 0 };
};
template <> struct is_row<wmma::row_major> {
  enum { value = 1 };
};

template <int m, int n, int k, typename T, typename E, typename C, typename A, typename B> int test(const char *name)
{
  enum { SIDE = 32 };
  E ha[SIDE * SIDE], hb[SIDE * SIDE], *a, *b;
  C hd[SIDE * SIDE], *d;
  const int stride_a = m > k ? m : k, stride_b = n > k ? n : k;
  int bad = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    ha[i] = number<E>(i, 1);
    hb[i] = number<E>(i, 3);
  }
  cudaMalloc(&a, sizeof ha);
  cudaMalloc(&b, sizeof hb);
  cudaMalloc(&d, sizeof hd);
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  for (int rows = 0; rows < 2; rows++) {
    multiply<m, n, k, T, E, C, A, B><<<1, 32>>>(a, b, d, rows != 0);
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float sum = 3;
        for (int l = 0; l < k; l++)
          sum += (float)ha[is_row<A>::value ? i * stride_a + l : l * stride_a + i] *
                 (float)hb[is_row<B>::value ? l * stride_b + j : j * stride_b + l];
        bad += (float)hd[rows ? i * n + j : j * m + i] != 2 * sum;
      }
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(d);
  if (bad != 0)
    printf("%s: %d wrong\n", name, bad);
  return bad;
}

#define SHAPE(m, n, k, T, E, C)                                                                                        \
  bad += test<m, n, k, T, E, C, wmma::row_major, wmma::col_major>(#T " " #m " row col");                               \
  bad += test<m, n, k, T, E, C, wmma::col_major, wmma::row_major>(#T " " #m " col row");
#define SHAPES(T, C) SHAPE(16, 16, 16, T, T, C) SHAPE(32, 8, 16, T, T, C) SHAPE(8, 32, 16, T, T, C)

int main()
{
  int bad = 0;
  SHAPES(__half, float)
  SHAPES(__half, __half)
  SHAPES(__nv_bfloat16, float)
  SHAPES(signed char, int)
  SHAPES(unsigned char, int)
  SHAPE(16, 16, 8, wmma::precision::tf32, float, float)
  SHAPE(8, 8, 4, double, double, double)
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0 || cudaGetLastError() != cudaSuccess;
}
