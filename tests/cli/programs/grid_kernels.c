// Requirements on machines with a block scheduler: indices of threads in blocks of any size, calls and recursion
// of diverged lanes, early returns, barriers, shared and local memory, atomic operations on all memory.
#include "simt.h"
#include <stdio.h>

static int wrong;
static void check(const char *what, int good)
{
  if (!good)
    printf("wrong: %s\n", what);
  wrong += !good;
}

SIMT_KERNEL(places, (unsigned *, out))
{
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block << 16 | thread;
}

static __attribute__((noinline)) unsigned fibonacci(unsigned n)
{
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static __attribute__((noinline)) unsigned steps(unsigned n)
{
  unsigned count = 0;
  while (n != 1) {
    if (count > 40)
      return 99;
    n = n % 2 ? 3 * n + 1 : n / 2;
    count++;
  }
  return count;
}

SIMT_KERNEL(calls, (unsigned *, out))
{
  const unsigned i = threadIdx.x;
  out[i] = i % 3 == 0 ? fibonacci(i % 8) : steps(i);
}

static unsigned twice(unsigned n)
{
  return 2 * n;
}
static unsigned square(unsigned n)
{
  return n * n;
}
static unsigned (*const functions[])(unsigned) = {twice, square, fibonacci};

SIMT_KERNEL(pointers, (unsigned *, out))
{
  const unsigned i = threadIdx.x;
  unsigned (*volatile function)(unsigned) = functions[i % 3];
  out[i] = function(i % 7) + 1;
}

SIMT_KERNEL(reverse, (const unsigned *, in), (unsigned *, out), (int, leave))
{
  SIMT_SHARED(unsigned, words, 96);
  unsigned own[8]; // indexed by a value per lane: it is in memory
  const unsigned i = threadIdx.x;
  for (unsigned k = 0; k < 8; k++)
    own[(k + i) % 8] = in[i] + k;
  words[i] = own[i % 8];
  if (leave && i >= 64) // a whole warp: the barrier does not wait for ended warps
    return;
  __syncthreads();
  out[i] = words[(leave ? 63 : 95) - i];
}

SIMT_KERNEL(counts, (unsigned *, sum), (unsigned *, most))
{
  atomicAdd(sum, threadIdx.x);
  simt_red_max(most, blockIdx.x * blockDim.x + threadIdx.x);
}

int main(void)
{
  unsigned *const out = simt_alloc(4096 * sizeof *out), *const in = simt_alloc(96 * sizeof *in);
  check("launch of places", simt_launch(places, dim3(3, 2, 2), dim3(5, 3, 7), .out = out) == SIMT_OK);
  int good = 1;
  for (unsigned i = 0; i < 12 * 105; i++)
    good &= out[i] == ((i / 105) << 16 | i % 105);
  check("places", good);

  check("launch of calls", simt_launch(calls, dim3(1), dim3(96), .out = out) == SIMT_OK);
  good = out[0] == 0;
  for (unsigned i = 1; i < 96; i++)
    good &= out[i] == (i % 3 == 0 ? fibonacci(i % 8) : steps(i));
  check("calls", good);

  check("launch of pointers", simt_launch(pointers, dim3(1), dim3(64), .out = out) == SIMT_OK);
  good = 1;
  for (unsigned i = 0; i < 64; i++)
    good &= out[i] == functions[i % 3](i % 7) + 1;
  check("pointers", good);

  for (unsigned i = 0; i < 96; i++)
    in[i] = 1000 * i;
  for (int leave = 0; leave < 2; leave++) {
    const unsigned count = leave ? 64 : 96;
    check("launch of reverse",
          simt_launch_shared(reverse, dim3(1), dim3(96), 384, .in = in, .out = out, .leave = leave) == SIMT_OK);
    good = 1;
    for (unsigned i = 0; i < count; i++)
      good &= out[i] == in[count - 1 - i];
    check("reverse", good);
  }

  out[0] = out[1] = 0;
  check("launch of counts", simt_launch(counts, dim3(40), dim3(100), .sum = out, .most = out + 1) == SIMT_OK);
  check("counts", out[0] == 40 * 4950 && out[1] == 3999);

  check("a kernel that lacks shared memory fails",
        simt_launch_shared(reverse, dim3(1), dim3(96), 128, .in = in, .out = out) == SIMT_FAILED);
  check("a block that no SM can hold is not started",
        simt_launch(places, dim3(1), dim3(2049), .out = out) == SIMT_INVALID);
  return wrong != 0;
}
