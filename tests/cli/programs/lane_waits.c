// Eight ways in which the lanes of a warp wait for each other: `locks8 [WAY [THREADS [BLOCKS]]]`.
#include "simt.h"
#include <stdio.h>
#include <stdlib.h>

enum { LOCK, TICKET, SERVING, FLAG, COUNT, TAIL, CHAIN = 16 };

static inline void enter(volatile int *lock)
{
  while (atomicExch((int *)lock, 1) != 0)
    ;
}

static inline void leave(volatile int *lock)
{
  __asm__ volatile("fence" ::: "memory");
  atomicExch((int *)lock, 0);
}

// Spin lock.
SIMT_KERNEL(spin, (volatile int *, w))
{
  enter(&w[LOCK]);
  ++w[COUNT];
  leave(&w[LOCK]);
}

SIMT_KERNEL(ticket, (volatile int *, w))
{
  const int mine = atomicAdd((int *)&w[TICKET], 1);
  while (w[SERVING] != mine)
    ;
  ++w[COUNT];
  __asm__ volatile("fence" ::: "memory");
  ++w[SERVING];
}

SIMT_KERNEL(trylock, (volatile int *, w))
{
  int done = 0;
  while (!done)
    if (atomicExch((int *)&w[LOCK], 1) == 0) {
      ++w[COUNT];
      leave(&w[LOCK]);
      done = 1;
    }
}

// The highest thread sets a flag for the others.
SIMT_KERNEL(flag, (volatile int *, w))
{
  const int last = (int)(blockDim.x * gridDim.x) - 1, me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (me == last) {
    w[FLAG] = 1;
  }
  while (w[FLAG] == 0)
    ;
  atomicAdd((int *)&w[COUNT], 1);
}

// Hand over hand along a chain of locks.
SIMT_KERNEL(hands, (volatile int *, w))
{
  enter(&w[CHAIN]);
  for (int i = 0; i < 3; i++) {
    enter(&w[CHAIN + i + 1]);
    leave(&w[CHAIN + i]);
  }
  ++w[COUNT];
  leave(&w[CHAIN + 3]);
}

// A queue: each thread waits for its predecessor's node.
SIMT_KERNEL(queue, (volatile int *, w))
{
  const int me = (int)(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  volatile int *const node = w + CHAIN;
  node[me] = 1;
  const int before = atomicExch((int *)&w[TAIL], me);
  while (before != 0 && node[before] != 0)
    ;
  ++w[COUNT];
  __asm__ volatile("fence" ::: "memory");
  node[me] = 0;
}

// All threads meet, twice.
SIMT_KERNEL(meet, (volatile int *, w))
{
  const int all = (int)(blockDim.x * gridDim.x);
  atomicAdd((int *)&w[TICKET], 1);
  while (w[TICKET] < all)
    ;
  atomicAdd((int *)&w[SERVING], 1);
  while (w[SERVING] < all)
    ;
  atomicAdd((int *)&w[COUNT], 1);
}

// A lock inside of a condition and a loop.
SIMT_KERNEL(nested, (volatile int *, w))
{
  const unsigned me = threadIdx.x;
  for (unsigned i = 0; i < 1 + me % 3; i++)
    if ((me + i) % 2 == 0) {
      enter(&w[LOCK]);
      ++w[COUNT];
      leave(&w[LOCK]);
    }
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"spin", "ticket", "trylock", "flag", "hands", "queue", "meet", "nested"};
  const int way = argc > 1 ? atoi(argv[1]) : 0, lanes = argc > 2 ? atoi(argv[2]) : (int)simt_shape().lanes,
            blocks = argc > 3 ? atoi(argv[3]) : 1;
  volatile int *const w = simt_alloc(4096 + 8 * lanes * blocks);
  for (int i = 0; i < CHAIN + lanes * blocks + 1; i++)
    w[i] = 0;
  const dim3 grid = dim3(blocks), block = dim3(lanes);
  int r = 0, wanted = lanes * blocks;
  switch (way) {
  case 0: r = simt_launch(spin, grid, block, .w = w); break;
  case 1: r = simt_launch(ticket, grid, block, .w = w); break;
  case 2: r = simt_launch(trylock, grid, block, .w = w); break;
  case 3: r = simt_launch(flag, grid, block, .w = w); break;
  case 4: r = simt_launch(hands, grid, block, .w = w); break;
  case 5: r = simt_launch(queue, grid, block, .w = w); break;
  case 6: r = simt_launch(meet, grid, block, .w = w); break;
  default:
    r = simt_launch(nested, grid, block, .w = w);
    wanted = 0;
    for (int t = 0; t < lanes; t++)
      for (int i = 0; i < 1 + t % 3; i++)
        wanted += blocks * ((t + i) % 2 == 0);
  }
  printf("%s: launch %d, %d of %d\n", names[way & 7], r, w[COUNT], wanted);
  return r != SIMT_OK || w[COUNT] != wanted;
}
