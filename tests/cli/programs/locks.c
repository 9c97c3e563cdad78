// Loops that wait in vain, and long loops that end.
#include "simt.h"
#include <stdlib.h>
#include <string.h>

// The first lane waits for the others behind the loop. They wait for the word that it stores there.
SIMT_KERNEL(lanes, (volatile int *, word))
{
  while (threadIdx.x != 0 && *word == 0) // SPIN
    ;
  *word = 1; // HOLDER
}

// One warp counts in memory, with the same registers in each iteration. The other waits for it and counts in a
// register.
SIMT_KERNEL(ends, (volatile int *, word), (unsigned, lanes), (int, rounds))
{
  const int last = rounds;
  if (threadIdx.x >= lanes) {
    int more;
    do {
      more = word[1] + 1;
      word[1] = more;
      more = more < last;
    } while (more);
    word[0] = 1;
  } else {
    while (word[0] == 0)
      ;
    for (int i = 0; i < last; i++)
      __asm__ volatile("" : "+r"(i));
  }
}

int main(int argc, char **argv)
{
  volatile int *const word = simt_alloc(256);
  const unsigned n = simt_shape().lanes;
  if (argc < 2)
    return simt_launch(lanes, dim3(1), dim3(n), .word = word) != SIMT_OK;
  return simt_launch(ends, dim3(1), dim3(2 * n), .word = word, .lanes = n, .rounds = atoi(argv[1])) != SIMT_OK;
}
