// Votes and shuffles of Vortex: each lane checks its results against those computed from the lanes' numbers.
#include "simt.h"
#include <stdio.h>

SIMT_KERNEL(votes, (volatile int *, bad))
{
  const unsigned t = threadIdx.x, lanes = vx_num_threads(), last = lanes - 1, value = 65 + t * t;
  unsigned odd = 0, wrong = 0;
  for (unsigned i = 0; i < lanes; i++)
    odd |= (i & 1) << i;
  wrong |= vx_vote_all(1) != 1 || vx_vote_all(t & 1) != 0;
  wrong |= vx_vote_any(0) != 0 || vx_vote_any(t == 1) != 1;
  wrong |= vx_vote_uni(t & 1) != 0 || vx_vote_uni(0) != 1 || vx_vote_uni(1) != 1;
  wrong |= vx_vote_ballot(t) != odd;
  const unsigned up = t >= 2 ? t - 2 : t, down = t + 1 <= last ? t + 1 : t;
  wrong |= vx_shfl_up(value, 2, last, 0) != 65 + up * up;
  wrong |= vx_shfl_down(value, 1, last, 0) != 65 + down * down;
  wrong |= vx_shfl_bfly(value, 3, last, 0) != 65 + (t ^ 3) * (t ^ 3);
  wrong |= vx_shfl_idx(value, 3, last, 0) != 65 + 3 * 3;
  // Groups of two.
  wrong |= vx_shfl_up(value, 1, last, 62) != 65 + (t & ~1u) * (t & ~1u);
  wrong |= vx_shfl_idx(value, 1, last, 62) != 65 + (t | 1) * (t | 1);
  bad[t] = (int)wrong;
}

int main(void)
{
  volatile int *const bad = simt_alloc(256);
  const int lanes = simt_shape().lanes, r = simt_launch(votes, dim3(1), dim3(lanes), .bad = bad);
  int sum = 0;
  for (int i = 0; i < lanes; i++)
    sum += bad[i];
  return r != SIMT_OK || sum != 0;
}
