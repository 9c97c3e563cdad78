// The function of lanes_body.h as a C kernel; prints the results of 64 threads.
#include "simt.h"
#include <stdio.h>

#define LANES_FUNCTION SIMT_INLINE
#define ALL_LANES 0xFFFFFFFFu
#define LANES_BALLOT(mask, c) ((void)(mask), simt_ballot(c))
#define LANES_ANY(mask, c) ((void)(mask), simt_any(c))
#define LANES_ALL(mask, c) ((void)(mask), simt_all(c))
#define LANES_UP(mask, v, by) ((void)(mask), simt_shfl_up(v, by))
#define LANES_DOWN(mask, v, by) ((void)(mask), simt_shfl_down(v, by))
#define LANES_BFLY(mask, v, by) ((void)(mask), simt_shfl_bfly(v, by))
#define LANES_IDX(mask, v, from) ((void)(mask), simt_shfl_idx(v, from))
#include "lanes_body.h"

SIMT_KERNEL(body, (unsigned, seed), (unsigned *, out))
{
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  lanes_body(threadIdx.x & 31, seed + blockIdx.x, out + thread * WORDS);
}

int main(void)
{
  enum { THREADS = 64 };
  unsigned *const out = simt_alloc(THREADS * WORDS * sizeof *out);
  if (simt_shape().lanes != 32 || simt_launch(body, dim3(2), dim3(32), .seed = 12345, .out = out) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < THREADS * WORDS; i++)
    printf("%08x%c", out[i], i % WORDS == WORDS - 1 ? '\n' : ' ');
  return 0;
}
