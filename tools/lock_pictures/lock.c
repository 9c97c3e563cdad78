// Four lanes of a warp take one lock: the program of the pictures of docs/explanation/convergence.md.
#include "simt.h"

SIMT_KERNEL(add, (int *, lock), (volatile int *, sum))
{
  while (atomicExch(lock, 1) != 0) // TAKE
    ;
  *sum = *sum + 1;     // HOLD
  atomicExch(lock, 0); // RELEASE
}

int main(void)
{
  int *const word = simt_alloc(256);
  word[0] = word[1] = 0;
  if (simt_launch(add, dim3(1), dim3(4), .lock = word, .sum = word + 1) != SIMT_OK)
    return 1;
  return word[1] != 4;
}
