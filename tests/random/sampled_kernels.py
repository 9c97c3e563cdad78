"""Intervals of one long launch of RISC-V code contain the cycles of the whole run: sampled_kernels.py SIMTLAB [RUNS
[MACHINES [KERNELS]]].

About RUNS runs with --sample auto, of different kernels on different machines with different seeds. A machine may have
keys: "sm7-1 -s warps=16". Memory and counts of executed instructions must be equal to those of the whole run. Of all
intervals 95 % should contain its cycles. The test fails below 95 % less three standard deviations of such a count.
"""
import os
import subprocess
import sys
import tempfile

from sampled_launches import count, judge

SOURCE = r"""
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { THREADS = 64, WORDS = 1 << 14 };
#define I (blockIdx.x * blockDim.x + threadIdx.x)
SIMT_KERNEL(stream, (const int *, x), (int *, y))
{
  y[I] = 3 * x[I] + y[I];
}
/* Neighbours in other blocks. */
SIMT_KERNEL(stencil, (const int *, x), (int *, y))
{
  unsigned i = I, last = gridDim.x * blockDim.x - 1;
  y[i] = x[i] + x[i > 0 ? i - 1 : 0] + x[i < last ? i + 1 : last] + x[i >= 512 ? i - 512 : i];
}
/* Shared memory, a barrier, and a loop whose length depends on data. */
SIMT_KERNEL(turn, (const int *, x), (int *, y))
{
  SIMT_SHARED(int, all, THREADS);
  all[threadIdx.x] = x[I];
  __syncthreads();
  int sum = all[THREADS - 1 - threadIdx.x];
  for (int k = x[I] & 7; k > 0; k--)
    sum = sum * 3 + all[(threadIdx.x + k) % THREADS];
  y[I] = sum;
}
/* Addresses depend on data. */
SIMT_KERNEL(chase, (const int *, x), (int *, y))
{
  unsigned at = I;
  for (int k = 0; k < 12; k++)
    at = x[at] % WORDS;
  y[I] = at;
}
SIMT_KERNEL(histogram, (const int *, x), (int *, y))
{
  atomicAdd(&y[x[I] & 255], 1);
}
/* Of a product of matrices of 16 columns. */
SIMT_KERNEL(product, (const int *, x), (int *, y))
{
  SIMT_SHARED(int, a, THREADS);
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    a[threadIdx.x] = x[(I + k * THREADS) % WORDS];
    __syncthreads();
    for (int n = 0; n < 16; n++)
      sum += a[threadIdx.x / 16 * 16 + n] * a[(n * 4 + threadIdx.x) % THREADS];
    __syncthreads();
  }
  y[I] = sum;
}
/* The blocks of the second half do more. */
SIMT_KERNEL(phases, (const int *, x), (int *, y))
{
  int sum = 0;
  for (unsigned k = 0; k < (2 * blockIdx.x < gridDim.x ? 4u : 16u); k++)
    sum = sum * 5 + x[(I + k * 997) % WORDS];
  y[I] = sum;
}
/* Later blocks do more. */
SIMT_KERNEL(ramp, (const int *, x), (int *, y))
{
  int sum = 0;
  for (unsigned k = 0; k < 4 + 24 * blockIdx.x / gridDim.x; k++)
    sum = sum * 5 + x[(I + k) % WORDS];
  y[I] = sum;
}
/* A block and its neighbours write to few slices of L2. */
SIMT_KERNEL(transpose, (const int *, x), (int *, y))
{
  y[threadIdx.x * gridDim.x + blockIdx.x] = x[I];
}
/* Some blocks do more. */
SIMT_KERNEL(uneven, (const int *, x), (int *, y))
{
  int sum = 0;
  for (unsigned k = 0; k < (blockIdx.x * 2654435761u >> 29 == 0 ? 32u : 4u); k++)
    sum = sum * 5 + x[(I + k) % WORDS];
  y[I] = sum;
}
#define RUN(kernel)                                                                                                    \
  if (strcmp(argv[1], #kernel) == 0)                                                                                   \
  status = simt_launch(kernel, dim3(blocks), dim3(THREADS), .x = x, .y = y)
int main(int argc, char **argv)
{
  int blocks = atoi(argv[argc - 1]), words = blocks * THREADS > WORDS ? blocks * THREADS : WORDS, status = 1;
  int *x = simt_alloc(words * sizeof *x), *y = simt_alloc(words * sizeof *y);
  unsigned sum = 0;
  for (int i = 0; i < words; i++) {
    x[i] = (i + 1) * 2654435761u >> 8;
    y[i] = i;
  }
  RUN(stream);
  RUN(stencil);
  RUN(turn);
  RUN(chase);
  RUN(histogram);
  RUN(product);
  RUN(phases);
  RUN(ramp);
  RUN(uneven);
  RUN(transpose);
  for (int i = 0; i < words; i++)
    sum += y[i] * (i + 1);
  printf("sum %u\n", sum);
  return status;
}
"""
KERNELS = ("stream", "stencil", "turn", "chase", "histogram", "product", "phases", "ramp", "uneven", "transpose")
MACHINES = ("sm7-1 -s warps=16", "sm7-4 -s warps=16")
BLOCKS = 1024


def main():
    simtlab, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500
    machines = sys.argv[3].split(",") if len(sys.argv) > 3 else MACHINES
    kernels = sys.argv[4].split(",") if len(sys.argv) > 4 else KERNELS
    seeds = -(-runs // (len(machines) * len(kernels)))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("k.c", "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run([simtlab, "cc", "--target", "sm7", "-o", "k.elf", "k.c"], check=True)
        inside = sum(count(simtlab, m, k, ["k.elf", k, str(BLOCKS)], seeds) for m in machines for k in kernels)
        os.chdir("/")
    return judge(inside, len(machines) * len(kernels) * seeds)


if __name__ == "__main__":
    sys.exit(main())
