// Common parts of the benchmark programs: problem size, test data, shape of a launch, self-check.

#ifndef BENCH_H
#define BENCH_H

#include "simt.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The size is the program's first argument: `small` (default) or `paper`.
static inline int bench_is_paper(int argc, char **argv)
{
  if (argc < 2 || strcmp(argv[1], "small") == 0)
    return 0;
  if (strcmp(argv[1], "paper") == 0)
    return 1;
  printf("unknown size '%s': small or paper\n", argv[1]);
  exit(EXIT_FAILURE);
}

// Xorshift generator (Marsaglia 2003, shifts 13, 17, 5) with a fixed seed: the data of a benchmark
// are the same in every run.
static inline uint32_t bench_random(void)
{
  static uint32_t state = 0x9E3779B9;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Number of threads of the multiprocessor.
static inline unsigned bench_threads(void)
{
  const struct simt_shape shape = simt_shape();
  return shape.lanes * shape.warps;
}

// The block size nearest to `threads` that the multiprocessor can run.
static inline unsigned bench_block(unsigned threads)
{
  const struct simt_shape shape = simt_shape();
  if (threads < shape.lanes)
    return shape.lanes;
  return threads < bench_threads() ? threads : bench_threads();
}

// Two-dimensional block of at most `width` x `height` threads.
static inline dim3 bench_block_2d(unsigned width, unsigned height)
{
  const unsigned threads = bench_block(width * height);
  const unsigned x = threads < width ? threads : width;
  return dim3(x, threads / x);
}

// Number of resident blocks of that many threads.
static inline unsigned bench_resident(unsigned block)
{
  return bench_threads() / block;
}

static inline int bench_verdict(const char *name, int passed)
{
  printf("%s: %s\n", name, passed ? "PASSED" : "FAILED");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
