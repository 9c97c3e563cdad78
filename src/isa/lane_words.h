/* Vectors of lanes' words, of the size that the x86-64 level of the compiled file has: sets of lanes from comparisons.
 *
 * Compilers vectorise loops over lanes that compute words, but build a set of lanes bit by bit. The functions here take
 * it from the sign bits of a vector in one instruction. A vector holds SL_WORDS lanes; 0: the host has no vectors, and
 * callers go lane by lane. */
#ifndef SL_ISA_LANE_WORDS_H
#define SL_ISA_LANE_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define SL_WORDS 16
#elif defined(__AVX2__)
#include <immintrin.h>
#define SL_WORDS 8
#elif defined(__SSE2__)
#include <emmintrin.h>
#define SL_WORDS 4
#else
#define SL_WORDS 0
#endif

#if SL_WORDS

#define SL_WORDS_BODY static inline __attribute__((always_inline))

typedef uint32_t sl_words __attribute__((vector_size(4 * SL_WORDS)));
typedef int32_t sl_flags __attribute__((vector_size(4 * SL_WORDS))); /* of a comparison: -1 where it holds, else 0 */

SL_WORDS_BODY sl_words sl_words_at(const uint32_t *p)
{
  sl_words v;
  memcpy(&v, p, sizeof v);
  return v;
}

SL_WORDS_BODY void sl_words_put(uint32_t *p, sl_words v)
{
  memcpy(p, &v, sizeof v);
}

/* 0, 1, 2 and so on. */
SL_WORDS_BODY sl_words sl_words_numbers(void)
{
  static const uint32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return sl_words_at(numbers);
}

/* The lanes whose flag is set, and whether some bit of a vector is set. */
SL_WORDS_BODY uint32_t sl_words_set(sl_flags flags)
{
#if SL_WORDS == 16
  return _mm512_movepi32_mask((__m512i)flags);
#elif SL_WORDS == 8
  return (uint32_t)_mm256_movemask_ps((__m256)flags);
#else
  return (uint32_t)_mm_movemask_ps((__m128)flags);
#endif
}

SL_WORDS_BODY bool sl_words_any(sl_words v)
{
#if SL_WORDS == 16
  return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif SL_WORDS == 8
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  return sl_words_set(v == 0) != 0xf;
#endif
}

/* The flags of a set of lanes: the inverse of sl_words_set. */
SL_WORDS_BODY sl_flags sl_words_flags(uint32_t set)
{
#if SL_WORDS == 16
  return (sl_flags)_mm512_movm_epi32((__mmask16)set);
#else
  static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  const sl_words bits = sl_words_at(bit);
  return (bits & set) == bits;
#endif
}

/* a where the flag is set, else b. */
SL_WORDS_BODY sl_words sl_words_choose(sl_flags flags, sl_words a, sl_words b)
{
  return ((sl_words)flags & a) | (~(sl_words)flags & b);
}

/* The lesser and the greater word of each lane, and of all lanes of a vector. */
SL_WORDS_BODY sl_words sl_words_lesser(sl_words a, sl_words b)
{
#if SL_WORDS == 16
  return (sl_words)_mm512_min_epu32((__m512i)a, (__m512i)b);
#elif SL_WORDS == 8
  return (sl_words)_mm256_min_epu32((__m256i)a, (__m256i)b);
#else
  return sl_words_choose(a < b, a, b);
#endif
}

SL_WORDS_BODY sl_words sl_words_greater(sl_words a, sl_words b)
{
#if SL_WORDS == 16
  return (sl_words)_mm512_max_epu32((__m512i)a, (__m512i)b);
#elif SL_WORDS == 8
  return (sl_words)_mm256_max_epu32((__m256i)a, (__m256i)b);
#else
  return sl_words_choose(a > b, a, b);
#endif
}

SL_WORDS_BODY uint32_t sl_words_least(sl_words v)
{
#if SL_WORDS == 16
  return _mm512_reduce_min_epu32((__m512i)v);
#elif SL_WORDS == 8
  const __m128i four = _mm_min_epu32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
  const __m128i two = _mm_min_epu32(four, _mm_shuffle_epi32(four, 0x4e));
  return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu32(two, _mm_shuffle_epi32(two, 0xb1)));
#else
  uint32_t least = v[0];
  for (unsigned i = 1; i < SL_WORDS; i++)
    least = v[i] < least ? v[i] : least;
  return least;
#endif
}

SL_WORDS_BODY uint32_t sl_words_greatest(sl_words v)
{
#if SL_WORDS == 16
  return _mm512_reduce_max_epu32((__m512i)v);
#elif SL_WORDS == 8
  const __m128i four = _mm_max_epu32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
  const __m128i two = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0x4e));
  return (uint32_t)_mm_cvtsi128_si32(_mm_max_epu32(two, _mm_shuffle_epi32(two, 0xb1)));
#else
  uint32_t greatest = v[0];
  for (unsigned i = 1; i < SL_WORDS; i++)
    greatest = v[i] > greatest ? v[i] : greatest;
  return greatest;
#endif
}

#endif

#endif
