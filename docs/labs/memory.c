/* Lab sheet memory: sums of the rows of a matrix. A thread adds one row, so neighbouring lanes read far from each
 * other. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

enum { ROW = 128 };

SIMT_KERNEL(rows, (int, n), (const int *, x), (int *, sum))
{
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n; r += gridDim.x * blockDim.x) {
    int own = 0;
    for (int c = 0; c < ROW; c++)
      own += x[r * ROW + c];
    sum[r] = own;
  }
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 512;
  int *x = simt_alloc(n * ROW * sizeof *x), *sum = simt_alloc(n * sizeof *sum);
  for (int i = 0; i < n * ROW; i++)
    x[i] = i % 1000;
  for (int r = 0; r < n; r++)
    sum[r] = 0;
  if (simt_launch(rows, dim3(16), dim3(32), .n = n, .x = x, .sum = sum) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int r = 0; r < n; r++) {
    int right = 0;
    for (int c = 0; c < ROW; c++)
      right += x[r * ROW + c];
    wrong += sum[r] != right;
  }
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
