/* The x86-64 levels with lane functions. The build compiles each source of lane functions once per level. simtlab
 * chooses the highest level that the build has and the processor supports.
 *
 * Source: x86-64 psABI, section 3.1.1 (microarchitecture levels v3 and v4), and AVX-512CD for the conflict
 * instructions. */
#ifndef SL_ISA_HOST_LEVEL_H
#define SL_ISA_HOST_LEVEL_H

#include <stdbool.h>

enum sl_host_level { SL_HOST_BASELINE, SL_HOST_AVX2, SL_HOST_AVX512 };

enum sl_host_level sl_host_level(void);

/* Returns NULL, or the name of the level that all code of this build needs and the processor does not have. */
const char *sl_host_lacks(void);

/* Functions with SL_HOST_VECTORS use AVX2, in every build for x86-64. They run where sl_host_has_vectors is true. */
#ifdef SL_X86_LEVELS
#define SL_HOST_VECTORS __attribute__((target("avx2,bmi,bmi2,popcnt")))
#else
#define SL_HOST_VECTORS
#endif
bool sl_host_has_vectors(void);

/* SL_EACH_LEVEL(declare) is declare(level) for each level that the build has; SL_OF_LEVEL(level, table, lanes) is
 * table(level, lanes) of one of them. */
#ifdef SL_LEVEL_AVX2
#define SL_WITH_AVX2(...) __VA_ARGS__
#else
#define SL_WITH_AVX2(...)
#endif
#ifdef SL_LEVEL_AVX512
#define SL_WITH_AVX512(...) __VA_ARGS__
#else
#define SL_WITH_AVX512(...)
#endif
#define SL_EACH_LEVEL(declare) declare(baseline) SL_WITH_AVX2(declare(avx2)) SL_WITH_AVX512(declare(avx512))
#define SL_OF_LEVEL(level, table, lanes)                                                                               \
  (SL_WITH_AVX512((level) == SL_HOST_AVX512 ? table(avx512, lanes) :)                                                  \
       SL_WITH_AVX2((level) == SL_HOST_AVX2 ? table(avx2, lanes) :) table(baseline, lanes))

#endif
