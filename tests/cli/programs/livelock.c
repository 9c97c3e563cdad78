// Warps and lanes that wait for each other: in vain, or not.
#include "simt.h"
#include <stdlib.h>
#include <string.h>

#ifndef DEFAULT
#define DEFAULT forgotten
#endif

enum { LANES = 32 };

// Every lane takes the lock in turn; but the lane that holds it does not run as long as the others try.
SIMT_KERNEL(lanes, (int *, out))
{
  SIMT_SHARED(int, lock, 1);
  if (threadIdx.x == 0)
    *lock = 0;
  simt_barrier();
  if (threadIdx.x < LANES) {
    while (atomicExch(lock, 1) != 0) // SPIN
      ;
    ++*out; // HOLDER
    __asm__ volatile("fence" : : : "memory");
    *lock = 0;
  }
}

// The same lock for one lane of each warp: the others continue, and all get it.
SIMT_KERNEL(warps, (int *, out))
{
  SIMT_SHARED(int, lock, 1);
  if (threadIdx.x == 0)
    *lock = 0;
  simt_barrier();
  if (threadIdx.x % LANES == 0) {
    while (atomicExch(lock, 1) != 0)
      ;
    ++*(volatile int *)out;
    __asm__ volatile("fence" : : : "memory");
    *(volatile int *)lock = 0;
  }
}

// A warp waits for a word that another one writes after a long time, and that one at a barrier in software.
SIMT_KERNEL(poll, (volatile int *, flag), (int, rounds))
{
  if (threadIdx.x < LANES) {
    while (*flag == 0)
      ;
  } else if (threadIdx.x < 2 * LANES) {
    unsigned x = 1;
    for (int i = 0; i < rounds; i++)
      __asm__ volatile("addi %0, %0, 3" : "+r"(x));
    *flag = (int)x | 1;
  }
}

// No thread writes it.
SIMT_KERNEL(forgotten, (volatile int *, flag))
{
  if (threadIdx.x < LANES)
    while (*flag == 0) // FORGOTTEN
      ;
}

// No thread writes the flag, and each changes a word of its own.
SIMT_KERNEL(spilled, (volatile int *, flag))
{
  if (threadIdx.x < LANES)
    while (*flag == 0)
      flag[1 + threadIdx.x] ^= 1;
}

int main(int argc, char **argv)
{
  int *const word = simt_alloc(256);
  const char *const name = argc > 1 ? argv[1] : "";
  const unsigned threads = simt_shape().lanes * simt_shape().warps;
  if (strcmp(name, "lanes") == 0)
    return simt_launch(lanes, dim3(1), dim3(threads), .out = word) != SIMT_OK;
  if (strcmp(name, "warps") == 0)
    return simt_launch(warps, dim3(1), dim3(threads), .out = word) != SIMT_OK || *word != (int)simt_shape().warps;
  if (strcmp(name, "poll") == 0)
    return simt_launch(poll, dim3(1), dim3(threads), .flag = word, .rounds = atoi(argv[2])) != SIMT_OK;
  if (strcmp(name, "spilled") == 0)
    return simt_launch(spilled, dim3(1), dim3(threads), .flag = word) != SIMT_OK;
  return simt_launch(DEFAULT, dim3(1), dim3(threads), .flag = word) != SIMT_OK;
}
