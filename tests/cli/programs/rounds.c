// Blocks larger than a core: each thread of each block runs once, with its indices; a barrier in such a block ends
// the kernel, and the next launch works.
#include "simt.h"
#include <stdio.h>
#include <string.h>

enum { BLOCKS_X = 3, BLOCKS_Y = 2, MOST = 1024 * BLOCKS_X * BLOCKS_Y };

// Counts at the index from threadIdx and blockIdx; in a divergent loop, and through the warp's own shared memory.
SIMT_KERNEL(count, (unsigned *, counts), (int, turns))
{
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  SIMT_SHARED(unsigned, slots, 1024);
  slots[thread % 1024] = block;
  SIMT_FOR(int i = 0, i < (int)(thread % 5) + turns, i++)
  {
    counts[slots[thread % 1024] * threads + thread] += 1;
  }
}

SIMT_KERNEL(add_one, (unsigned *, counts))
{
  counts[threadIdx.x]++;
}

SIMT_INLINE void meet(void)
{
  __syncthreads(); // the test checks the line of this barrier
}

SIMT_KERNEL(meets, (unsigned *, counts))
{
  counts[threadIdx.x] = 1;
  meet();
  counts[threadIdx.x] += counts[blockDim.x - 1 - threadIdx.x];
}

static int check(unsigned *counts, dim3 block)
{
  const unsigned threads = block.x * block.y * block.z;
  memset(counts, 0, MOST * sizeof *counts);
  if (simt_launch(count, dim3(BLOCKS_X, BLOCKS_Y), block, .counts = counts, .turns = 2) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (unsigned i = 0; i < MOST; i++)
    wrong += counts[i] != (i < threads * BLOCKS_X * BLOCKS_Y ? i % threads % 5 + 2 : 0);
  printf("%u x %u x %u: %d wrong\n", block.x, block.y, block.z, wrong);
  return wrong != 0;
}

int main(void)
{
  unsigned *counts = simt_alloc(MOST * sizeof *counts);
  int bad =
      check(counts, dim3(256)) + check(counts, dim3(64)) + check(counts, dim3(16, 8, 8)) + check(counts, dim3(2, 512));
  const int status = simt_launch(meets, dim3(3), dim3(1024), .counts = counts);
  memset(counts, 0, MOST * sizeof *counts);
  bad += simt_launch(add_one, dim3(1), dim3(1024), .counts = counts) != SIMT_OK;
  for (int i = 0; i < 1024; i++)
    bad += counts[i] != 1;
  printf("barrier: status %d, then %s\n", status, bad ? "wrong" : "right");
  return bad;
}
