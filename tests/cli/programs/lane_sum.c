// The sum of an array, per block: by a tree in shared memory, and by shuffles within each warp.
#include "simt.h"
#include <stdio.h>

enum { THREADS = 128, BLOCKS = 64, N = 16384 };

SIMT_KERNEL(tree, (const int *, in), (int *, out))
{
  SIMT_SHARED(int, part, THREADS);
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * THREADS + t; i < N; i += BLOCKS * THREADS)
    sum += in[i];
  part[t] = sum;
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    SIMT_IF(t < half)
    part[t] += part[t + half];
    SIMT_ENDIF
  }
  SIMT_IF(t == 0)
  out[blockIdx.x] = part[0];
  SIMT_ENDIF
}

SIMT_KERNEL(shuffles, (const int *, in), (int *, out), (unsigned, lanes))
{
  SIMT_SHARED(int, part, THREADS);
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * THREADS + t; i < N; i += BLOCKS * THREADS)
    sum += in[i];
  for (unsigned by = lanes / 2; by > 0; by /= 2)
    sum += simt_shfl_bfly(sum, by); // all lanes get the sum of their warp
  part[t] = sum;
  __syncthreads();
  int all = 0;
  for (unsigned warp = 0; warp < THREADS; warp += lanes)
    all += part[warp];
  SIMT_IF(t == 0)
  out[blockIdx.x] = all;
  SIMT_ENDIF
}

static int total(const int *out)
{
  int sum = 0;
  for (int b = 0; b < BLOCKS; b++)
    sum += out[b];
  return sum;
}

int main(void)
{
  int *const in = simt_alloc(N * sizeof *in), *const out = simt_alloc(BLOCKS * sizeof *out), sum = 0;
  unsigned cycles[2];
  for (int i = 0; i < N; i++) {
    in[i] = i * 7919 % 1000;
    sum += in[i];
  }
  if (simt_launch(tree, dim3(BLOCKS), dim3(THREADS), .in = in, .out = out) != SIMT_OK || total(out) != sum)
    return 1;
  cycles[0] = simt_counter(SIMT_CYCLES);
  if (simt_launch(shuffles, dim3(BLOCKS), dim3(THREADS), .in = in, .out = out, .lanes = simt_shape().lanes) !=
          SIMT_OK ||
      total(out) != sum)
    return 1;
  cycles[1] = simt_counter(SIMT_CYCLES);
  printf("shared memory %u cycles, shuffles %u\n", cycles[0], cycles[1]);
  return 0;
}
