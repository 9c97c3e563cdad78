// Common parts of the Vortex benchmarks: variants, sizes, data, measured region, self-check.

#ifndef VORTEX_BENCH_H
#define VORTEX_BENCH_H

#include "simt.h"
#include "simt_work.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Variants, one program each: loops predicated at every level (PREDICATED), the plain loop, its innermost level
// unrolled 4 or 8 times, hardware loops (SIMT_CFM), also with streams (SIMT_DMSL), the latter with a separate sum for
// every other product (SUMS).
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef SUMS
#define SUMS 1
#endif
#if SUMS == 2
#define FORM "cfm-dmsl-sums2"
#elif defined SIMT_DMSL
#define FORM "cfm-dmsl"
#elif defined SIMT_CFM
#define FORM "cfm"
#elif defined PREDICATED
#define FORM "predicated"
#elif UNROLL == 4
#define FORM "unroll4"
#elif UNROLL == 8
#define FORM "unroll8"
#else
#define FORM "plain"
#endif

// Copies of a statement, as many as the variant unrolls, and one less.
#define TIMES_1(x) x
#define TIMES_2(x) x x
#define TIMES_4(x) x x x x
#define TIMES_8(x) TIMES_4(x) TIMES_4(x)
#define TIMES_(n) TIMES_##n
#define TIMES(n) TIMES_(n)
#define UNROLLED TIMES(UNROLL)
#define TIMES_0(x)
#define TIMES_3(x) x x x
#define TIMES_7(x) TIMES_3(x) TIMES_4(x)
#if UNROLL == 8
#define REST TIMES(7)
#elif UNROLL == 4
#define REST TIMES(3)
#else
#define REST TIMES(0)
#endif

// The loop of section III of the paper, figure 2, at any level of a nest: saves the mask once (line 0). Each iteration
// steps its index (5), evaluates the condition (6, 7), masks the other lanes (8), waits for that (9), moves the
// pointers (10 to 12) and branches back (13). The end restores the mask (14). Every active lane has an iteration.
#define PREDICATED_DO                                                                                                  \
  {                                                                                                                    \
    const unsigned predicated_lanes_ = vx_active_threads();                                                            \
    do
#define PREDICATED_WHILE(step, condition, pointers)                                                                    \
  while (__extension__({                                                                                               \
    (void)(step);                                                                                                      \
    int go_ = (condition);                                                                                             \
    __asm__("snez %0, %0" : "+r"(go_));                                                                                \
    go_ = vx_pred(go_, predicated_lanes_);                                                                             \
    __asm__ volatile("nop");                                                                                           \
    (void)(pointers);                                                                                                  \
    go_;                                                                                                               \
  }))                                                                                                                  \
    ;                                                                                                                  \
  vx_tmc(predicated_lanes_);                                                                                           \
  }                                                                                                                    \
  do {                                                                                                                 \
  } while (0)

// The size, in items per hardware thread: the program's first argument, or the default.
static inline unsigned bench_size(int argc, char **argv, unsigned otherwise)
{
  if (argc < 2)
    return otherwise;
  const long size = strtol(argv[1], NULL, 10);
  if (size < 1 || size > 10000) {
    printf("size '%s': a number of items per thread from 1 to 10000\n", argv[1]);
    exit(EXIT_FAILURE);
  }
  return (unsigned)size;
}

// Test data: a small multiple of 1/16 from an index and a seed (finaliser of MurmurHash3, Appleby 2011).
static inline float bench_value(unsigned i, unsigned seed)
{
  uint32_t h = i * 0x9E3779B9u + seed;
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return (float)((int)(h >> 24) - 128) * 0.0625f;
}

// Fills an array, on all threads.
struct bench_filling {
  float *at;
  unsigned n, seed;
};

static void bench_fill_threads(const void *argument)
{
  const struct bench_filling *f = vx_argument(argument);
  const unsigned harts = vx_harts();
  SIMT_FOR (unsigned i = vx_hart_id(), i < f->n, i += harts) {
    f->at[i] = bench_value(i, f->seed);
  }
}

static inline float *bench_array(unsigned n, unsigned seed)
{
  struct bench_filling f = {simt_alloc(n * sizeof(float)), n, seed};
  if (seed != 0)
    vx_run(bench_fill_threads, &f);
  return f.at;
}

// Errors found by the checking threads.
static unsigned bench_errors;

// Sums the products in the order of the variant's kernel.
struct bench_sums {
  float sum[SUMS];
};

static inline void bench_add(struct bench_sums *sums, unsigned k, float a, float b)
{
  sums->sum[k % SUMS] = __builtin_fmaf(a, b, sums->sum[k % SUMS]);
}

static inline float bench_total(const struct bench_sums *sums)
{
  return SUMS == 1 ? sums->sum[0] : sums->sum[0] + sums->sum[SUMS - 1];
}

static inline void bench_expect(float found, float expected)
{
  SIMT_IF (!(found == expected)) {
    __atomic_fetch_add(&bench_errors, 1, __ATOMIC_RELAXED);
  } SIMT_ENDIF
}

// Runs the kernel, then the check, and prints the launch's cost and the result; flops are those of the whole kernel,
// with a multiply-add counted as one.
static inline int bench_run(const char *name, void (*kernel)(const void *), void (*check)(const void *),
                            const void *arguments, unsigned size, uint64_t flops)
{
  vx_run(kernel, arguments);
  const unsigned cycles = simt_counter(SIMT_CYCLES), instructions = simt_counter(SIMT_INSTRUCTIONS);
  vx_run(check, arguments);
  printf("%s %s: size %u, kernel cycles %u, thread instructions %u, flops %lu: %s\n", name, FORM, size, cycles,
         instructions, (unsigned long)flops, bench_errors == 0 ? "passed" : "FAILED");
  if (bench_errors != 0)
    printf("%u results differ\n", bench_errors);
  return bench_errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
