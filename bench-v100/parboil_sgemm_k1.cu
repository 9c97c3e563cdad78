// C = alpha A B^T + beta C, matrices by columns. A block of 128 threads has a tile of 128 x 16: each thread computes a
// row of 16 elements, and eight columns of B at a time are in shared memory. The loops over a row are unrolled, so that
// it is in registers, as the sectors that the hardware writes show.

enum { ROWS = 128, WIDTH = 16, DEPTH = 8 };

extern "C" __global__ void sgemm_nt(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int k,
                                    float alpha, float beta)
{
  __shared__ float tile[DEPTH][WIDTH];
  float sum[WIDTH];
#pragma unroll
  for (int i = 0; i < WIDTH; i++)
    sum[i] = 0.0f;
  const int row = blockIdx.x * ROWS + threadIdx.y * WIDTH + threadIdx.x, column = blockIdx.y * WIDTH + threadIdx.x;
  for (int first = 0; first < k; first += DEPTH) {
    tile[threadIdx.y][threadIdx.x] = b[column + (first + threadIdx.y) * ldb];
    __syncthreads();
    for (int j = 0; j < DEPTH; j++) {
      const float left = a[row + (first + j) * lda];
#pragma unroll
      for (int i = 0; i < WIDTH; i++)
        sum[i] += left * tile[j][i];
    }
    __syncthreads();
  }
  const int at = ldc * blockIdx.y * WIDTH + row;
#pragma unroll
  for (int i = 0; i < WIDTH; i++)
    c[at + i * ldc] = c[at + i * ldc] * beta + alpha * sum[i];
}
