// Ways in which the lanes of a warp wait for each other: `lane_turns WAY [THREADS [BLOCKS]]`. From 7 on, what needs no
// lock: barriers and warp functions that lanes reach at different times. 10 and 11 never end.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { LOCK, TICKET, SERVING, FLAG, COUNT, TAIL, ROUNDS, CHAIN = 16 };

static __device__ void enter(volatile int *lock)
{
  while (atomicExch((int *)lock, 1) != 0)
    ;
}

static __device__ void leave(volatile int *lock)
{
  __threadfence();
  atomicExch((int *)lock, 0);
}

__global__ void spin(volatile int *w)
{
  enter(&w[LOCK]);
  w[COUNT] = w[COUNT] + 1;
  leave(&w[LOCK]);
}

__global__ void ticket(volatile int *w)
{
  const int mine = atomicAdd((int *)&w[TICKET], 1);
  while (w[SERVING] != mine)
    ;
  w[COUNT] = w[COUNT] + 1;
  __threadfence();
  w[SERVING] = w[SERVING] + 1;
}

__global__ void trylock(volatile int *w)
{
  bool done = false;
  while (!done)
    if (atomicCAS((int *)&w[LOCK], 0, 1) == 0) {
      w[COUNT] = w[COUNT] + 1;
      leave(&w[LOCK]);
      done = true;
    }
}

__global__ void flag(volatile int *w)
{
  const int last = (int)(blockDim.x * gridDim.x) - 1, me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (me == last)
    w[FLAG] = 1;
  while (w[FLAG] == 0)
    ;
  atomicAdd((int *)&w[COUNT], 1);
}

__global__ void hands(volatile int *w)
{
  enter(&w[CHAIN]);
  for (int i = 0; i < 3; i++) {
    enter(&w[CHAIN + i + 1]);
    leave(&w[CHAIN + i]);
  }
  w[COUNT] = w[COUNT] + 1;
  leave(&w[CHAIN + 3]);
}

__global__ void queue(volatile int *w)
{
  const int me = (int)(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  volatile int *const node = w + CHAIN;
  node[me] = 1;
  __threadfence();
  const int before = atomicExch((int *)&w[TAIL], me);
  while (before != 0 && node[before] != 0)
    ;
  w[COUNT] = w[COUNT] + 1;
  __threadfence();
  node[me] = 0;
}

__global__ void meet(volatile int *w)
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

/* A barrier of the block in each side of a condition: the first warp diverges, the others do not. */
__global__ void sides(volatile int *w)
{
  __shared__ int sum[2];
  if (threadIdx.x < 2)
    sum[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    if (threadIdx.x < 20) {
      atomicAdd(&sum[0], 1);
      __syncthreads();
    } else {
      atomicAdd(&sum[1], 1);
      __syncthreads();
    }
    if (sum[0] != 20 * (i + 1) || sum[1] != ((int)blockDim.x - 20) * (i + 1))
      atomicAdd((int *)&w[FLAG], 1);
    __syncthreads();
  }
  atomicAdd((int *)&w[COUNT], w[FLAG] == 0);
}

/* Lanes that come late to a shuffle: after loops of different lengths, and after a lock. */
__global__ void late(volatile int *w)
{
  const int lane = threadIdx.x % 32;
  unsigned x = lane + 1;
  for (int i = 0; i < lane * 40; i++)
    x = x * 1664525u + 1013904223u;
  unsigned sum = lane;
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, by);
  enter(&w[LOCK]);
  w[ROUNDS] = w[ROUNDS] + 1;
  leave(&w[LOCK]);
  const unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
  unsigned half = 0;
  if (lane < 16)
    half = __shfl_sync(0xffffu, lane, 15 - lane);
  __syncwarp();
  atomicAdd((int *)&w[COUNT], sum == 496 && odd == 0xaaaaaaaau && (lane >= 16 || half == 15u - lane) && x != 0);
}

/* A reduction at a barrier, with an instruction in each side of a condition. */
__global__ void counts(volatile int *w)
{
  int n;
  if (threadIdx.x % 2 == 0)
    n = __syncthreads_count(threadIdx.x % 4 == 0);
  else
    n = __syncthreads_count(threadIdx.x % 8 == 1) + 1;
  const int wanted = (int)(blockDim.x / 4 + blockDim.x / 8);
  atomicAdd((int *)&w[COUNT], n == wanted + (int)(threadIdx.x % 2));
}

/* Two lanes take two locks in different orders. */
__global__ void crossed(volatile int *w)
{
  const int first = threadIdx.x & 1;
  if (threadIdx.x < 2) {
    enter(&w[CHAIN + first]);
    w[CHAIN + 2 + first] = 1;
    while (w[CHAIN + 3 - first] == 0)
      ;
    enter(&w[CHAIN + 1 - first]); // CROSSED
  }
}

/* The other lanes wait at a barrier for lanes that wait for them. */
__global__ void behind(volatile int *w)
{
  if (threadIdx.x % 4 == 0)
    while (w[FLAG] == 0) // BEHIND
      ;
  __syncthreads();
  w[FLAG] = 1;
}

typedef void kernel(volatile int *);

int main(int argc, char **argv)
{
  static kernel *const ways[] = {spin, ticket, trylock, flag, hands, queue, meet, sides, late, counts, crossed, behind};
  const int way = argc > 1 ? atoi(argv[1]) : 0, threads = argc > 2 ? atoi(argv[2]) : 64,
            blocks = argc > 3 ? atoi(argv[3]) : 2;
  const int words = 4096 + 8 * threads * blocks;
  int *w, count = 0;
  cudaMalloc(&w, words * sizeof *w);
  cudaMemset(w, 0, words * sizeof *w);
  ways[way]<<<blocks, threads>>>(w);
  const cudaError_t error = cudaMemcpy(&count, w + COUNT, sizeof count, cudaMemcpyDeviceToHost);
  printf("%d: %s, %d of %d\n", way, cudaGetErrorString(error), count, threads * blocks);
  return error != cudaSuccess || count != threads * blocks;
}
