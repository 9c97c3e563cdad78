// Atomic operations of all threads on few words of global memory. Every result has a closed form.
#include "simt.h"

enum { BLOCKS = 6, WORDS = 8 };

SIMT_KERNEL(count, (unsigned *, word), (unsigned *, seen))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[atomicAdd(&word[0], 1)] = i; // each thread takes another place
  atomicAdd(&word[1], i);
  atomicMax(&word[2], i * 7 % 1021);
  atomicXor(&word[3], i);
  atomicOr(&word[4], 1u << i % 32);
  if (i % 3 == 0)
    atomicAdd(&word[5 + i % 2], i);
  for (unsigned turn = 0; turn < i % 4; turn++)
    atomicSub(&word[7], 1);
}

// A counter by LR and SC. No mark is in the loop.
SIMT_KERNEL(reserve, (unsigned *, word))
{
  unsigned left = 3;
  while (left > 0) {
    unsigned old, failed;
    __asm__ volatile("lr.w %0, (%2)\n addi %0, %0, 1\n sc.w %1, %0, (%2)"
                     : "=&r"(old), "=&r"(failed)
                     : "r"(word)
                     : "memory");
    left -= failed == 0;
  }
}

// With an argument only the second kernel runs.
int main(int argc, char **argv)
{
  const unsigned lanes = (unsigned)simt_shape().lanes, block = 2 * lanes, n = BLOCKS * block;
  unsigned *const word = simt_alloc(WORDS * sizeof *word), *const seen = simt_alloc(n * sizeof *seen);
  unsigned *const turns = simt_alloc(sizeof *turns);
  unsigned expected[WORDS] = {0}, bad = 0, places = 0;
  for (unsigned w = 0; w < WORDS; w++)
    word[w] = 0;
  *turns = 0;
  for (unsigned i = 0; i < n; i++) {
    expected[0]++;
    expected[1] += i;
    expected[2] = i * 7 % 1021 > expected[2] ? i * 7 % 1021 : expected[2];
    expected[3] ^= i;
    expected[4] |= 1u << i % 32;
    expected[5 + i % 2] += i % 3 == 0 ? i : 0;
    expected[7] -= i % 4;
  }
  (void)argv;
  if (argc < 2 && simt_launch(count, dim3(BLOCKS), dim3(block), .word = word, .seen = seen) != SIMT_OK)
    return 2;
  for (unsigned w = 0; argc < 2 && w < WORDS; w++)
    bad += word[w] != expected[w];
  for (unsigned i = 0; i < n; i++)
    places += seen[i];
  bad += argc < 2 && places != expected[1];
  if (simt_launch(reserve, dim3(BLOCKS), dim3(block), .word = turns) != SIMT_OK)
    return 2;
  return bad != 0 || *turns != 3 * n;
}
