// Loops that try for a lock and do their work inside: one turn at a time, lanes of a warp get through.
#include "simt.h"

static int take(int *lock)
{
  return atomicExch(lock, 1) == 0;
}

SIMT_KERNEL(tries, (volatile int *, count))
{
  SIMT_SHARED(int, lock, 1);
  if (threadIdx.x == 0)
    *lock = 0;
  simt_barrier();
  int done = 0;
  while (!done)
    if (atomicExch(lock, 1) == 0) {
      ++*count;
      __asm__ volatile("fence" ::: "memory");
      atomicExch(lock, 0);
      done = 1;
    }
}

// The same by a function, for two turns of each thread.
SIMT_KERNEL(calls, (volatile int *, count))
{
  SIMT_SHARED(int, lock, 1);
  if (threadIdx.x == 0)
    *lock = 0;
  simt_barrier();
  for (int left = 2; left > 0;)
    if (take(lock)) {
      ++*count;
      __asm__ volatile("fence" ::: "memory");
      atomicExch(lock, 0);
      left--;
    }
}

// Each thread waits for its ticket, without atomics in the loop.
SIMT_KERNEL(tickets, (volatile int *, count))
{
  SIMT_SHARED(int, words, 2);
  volatile int *const now = words + 1;
  if (threadIdx.x == 0)
    words[0] = words[1] = 0;
  simt_barrier();
  const int mine = atomicAdd(words, 1);
  int done = 0;
  while (!done)
    if (*now == mine) {
      ++*count;
      *now = mine + 1;
      done = 1;
    }
}

int main(void)
{
  volatile int *const count = simt_alloc(sizeof *count);
  const int n = simt_shape().lanes;
  int bad = 0;
  *count = 0;
  bad += simt_launch(tries, dim3(1), dim3(n), .count = count) != SIMT_OK || *count != n;
  bad += simt_launch(calls, dim3(1), dim3(n), .count = count) != SIMT_OK || *count != 3 * n;
  bad += simt_launch(tickets, dim3(1), dim3(n), .count = count) != SIMT_OK || *count != 4 * n;
  return bad;
}
