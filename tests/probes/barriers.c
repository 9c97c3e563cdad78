/* Warps that wait for each other repeatedly. */
#include "simt.h"

enum { THREADS = 64, ROUNDS = 5 };

SIMT_KERNEL(rotate, (int *, sums))
{
  SIMT_SHARED(int, values, THREADS);
  values[threadIdx.x] = (int)threadIdx.x;
  for (int i = 0; i < ROUNDS; i++) {
    __syncthreads();
    const int next = values[(threadIdx.x + 1) % THREADS];
    __syncthreads();
    values[threadIdx.x] = next;
  }
  sums[threadIdx.x] = values[threadIdx.x];
}

int main(void)
{
  int *sums = simt_alloc(THREADS * sizeof *sums);
  if (simt_launch(rotate, dim3(1), dim3(THREADS), .sums = sums) != SIMT_OK)
    return 1;
  for (int i = 0; i < THREADS; i++)
    if (sums[i] != (i + ROUNDS) % THREADS)
      return 1;
  return 0;
}
