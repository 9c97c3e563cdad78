// Ordinary control flow without marks, on which the threads of a warp diverge: each construct as a
// function of the thread's number, run by a kernel and by the host, whose results must be equal.

#include "simt.h"

#include <stdio.h>

enum { SEED = 0x9E3779B9 };

static unsigned mix(unsigned h)
{
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return h ^ h >> 16;
}

static unsigned nested_loops(unsigned i)
{
  unsigned sum = 0;
  for (unsigned a = 0; a < (i & 7); a++)
    for (unsigned b = a; b < (mix(i) & 7); b++) {
      sum = sum * 31 + mix(a ^ b);
      if ((sum & 3) == 0)
        for (unsigned c = sum & 15; c != 0; c /= 2)
          sum += c * b;
    }
  return sum;
}

static unsigned breaks(unsigned i)
{
  unsigned h = mix(i), turns = 0;
  for (;;) {
    h = mix(h + turns);
    if (h % 7 == 0)
      break;
    turns++;
    if (turns > (i & 31)) {
      h ^= SEED;
      break;
    }
  }
  return h + turns;
}

static unsigned continues(unsigned i)
{
  unsigned sum = 0;
  for (unsigned k = 0; k < 20; k++) {
    if (mix(k + i) & 1)
      continue;
    sum += k;
    if (sum % 5 == i % 5)
      continue;
    sum = mix(sum);
  }
  return sum;
}

static unsigned early_returns(unsigned i)
{
  if (i % 3 == 0)
    return mix(i);
  for (unsigned k = 0; k < i % 17; k++) {
    const unsigned h = mix(i * k);
    if (h % 11 == 0)
      return h;
    if (h % 13 == 0)
      for (unsigned m = h & 7; m < 9; m++)
        if (mix(m) % 5 == i % 5)
          return m;
  }
  return i;
}

static unsigned leaves_two_loops(unsigned i)
{
  unsigned sum = i, a, b;
  for (a = 0; a < 9; a++)
    for (b = 0; b < 9; b++) {
      sum = mix(sum + a * b);
      if (sum % 37 == i % 37)
        goto out;
    }
  sum ^= SEED;
out:
  return sum + a * 100 + b;
}

static unsigned falls_through(unsigned i)
{
  unsigned r = i;
  switch (mix(i) % 9) {
  case 0: r += 3; // fall through
  case 1: r *= 5; break;
  case 2: r = mix(r); // fall through
  case 7:
    if (r & 1)
      break;
    r++; // fall through
  case 4: r ^= SEED; break;
  case 5: return r - 7;
  default:
    while (r % 6 != 0)
      r = mix(r);
  }
  return r * 2;
}

static unsigned conditions(unsigned i)
{
  const unsigned h = mix(i);
  const unsigned least = h < i * SEED ? h : i * SEED;
  unsigned r = (h & 1) && (h % 3 != 0 || i % 5 == 2) ? least : (h & 2) ? mix(least) : ~least;
  if ((r & 1 && mix(r) & 1) || (i & 4 && !(h & 8)))
    r += mix(r | 1);
  return r;
}

static __attribute__((noinline)) unsigned called(unsigned n, unsigned i)
{
  unsigned r = 1;
  while (n != 1 && r < 40) {
    if (i % 16 == r)
      return n;
    n = n & 1 ? 3 * n + 1 : n / 2;
    r++;
  }
  return r * 1000 + n;
}

static __attribute__((noinline)) unsigned calls_on(unsigned i)
{
  unsigned sum = 0;
  for (unsigned k = 1; k < i % 6; k++)
    sum += called(i + k, k);
  return i & 1 ? sum : called(sum | 1, i);
}

static unsigned function_calls(unsigned i)
{
  return i % 4 == 0 ? calls_on(i) : called(i | 1, i) + (i % 4 == 1 ? called(mix(i) | 1, 0) : 0);
}

static unsigned jumps(unsigned i)
{
  unsigned n = 0, h = mix(i);
again:
  h = mix(h);
  if (h & 1)
    goto middle;
  n += 2;
  if (h & 2)
    goto again;
middle:
  n++;
  if (n < (i & 15))
    goto again;
  return n ^ h;
}

// A loop with two entries.
static unsigned enters_inside(unsigned i)
{
  unsigned n = i & 15, h = mix(i);
  if (h & 1)
    goto inside;
  do {
    h += n;
  inside:
    h = mix(h);
    n++;
  } while (n < 20 && h % 9 != 0);
  return h + n;
}

static unsigned own_memory(unsigned i)
{
  unsigned a[8], n = 0;
  for (unsigned k = 0; k < 8; k++)
    a[mix(k + i) & 7] = k, a[k] = i * k;
  for (unsigned k = i & 7; a[k & 7] % 5 != 3 && n < 30; k++)
    n++;
  return n * 16 + a[i & 3];
}

static unsigned long_division(unsigned i)
{
  const uint64_t n = ((uint64_t)mix(i) << 32 | SEED) >> (i & 31), d = ((uint64_t)mix(i + 1) >> (i & 15)) * 77 + 1;
  const int64_t s = (int64_t)(n * 3) >> (i & 7);
  return (unsigned)(n / d) ^ (unsigned)(n % d) ^ (unsigned)((s - 5) / ((int64_t)d - 1000000)) ^
         (unsigned)(s > 0 ? 3 : 5);
}

static unsigned floats(unsigned i)
{
  const float x = (float)(int)(mix(i) & 0xFFFF) * 0.25f - 6000.0f;
  const float a = __builtin_fabsf(x) < 100.0f ? x * 0.5f : x > 0 ? x - 3.0f : 1.0f - x;
  return (unsigned)(int)(a * 4.0f) + (unsigned)(x > a ? 1 : x < a ? 2 : 3);
}

static unsigned no_end(unsigned i)
{
  unsigned n = 0;
  while (1) {
    if (n == (i & 3) + 2)
      return n;
    for (unsigned k = 0;; k++) {
      if (k > n + (i & 1))
        break;
      if (mix(k * n + i) % 29 == 0)
        return 1000 + k;
    }
    n++;
  }
}

// One path leads into an endless loop, which no thread takes; the others cross.
static unsigned never_stuck(unsigned i)
{
  const unsigned h = mix(i);
  unsigned r = i;
  if (h & 1) {
    if (h & 2)
      goto both;
    r = mix(r + 1);
    if (h & 4) {
      if (r == i)
        for (;;)
          __asm__ volatile("" : : : "memory");
      goto out;
    }
  } else {
    r = mix(r + 3);
    if (r & 8)
      goto out;
  }
both:
  for (unsigned k = 0; k < (h & 7); k++)
    r = mix(r ^ h);
out:
  return r;
}

#define CASES                                                                                                          \
  CASE(nested_loops)                                                                                                   \
  CASE(breaks)                                                                                                         \
  CASE(continues)                                                                                                      \
  CASE(early_returns)                                                                                                  \
  CASE(leaves_two_loops)                                                                                               \
  CASE(falls_through)                                                                                                  \
  CASE(conditions)                                                                                                     \
  CASE(function_calls)                                                                                                 \
  CASE(jumps)                                                                                                          \
  CASE(enters_inside)                                                                                                  \
  CASE(own_memory)                                                                                                     \
  CASE(long_division)                                                                                                  \
  CASE(floats)                                                                                                         \
  CASE(no_end)                                                                                                         \
  CASE(never_stuck)

#define CASE(name)                                                                                                     \
  SIMT_KERNEL(name##_all, (unsigned, n), (unsigned *, out))                                                            \
  {                                                                                                                    \
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)                       \
      out[i] = name(i);                                                                                                \
  }
CASES
#undef CASE

// Several in one kernel, in an order that depends on the thread.
static unsigned any(unsigned which, unsigned i)
{
  switch (which % 10) {
  case 0: return nested_loops(i);
  case 1: return breaks(i);
  case 2: return continues(i);
  case 3: return early_returns(i);
  case 5: return falls_through(i);
  case 6: return conditions(i);
  case 8: return function_calls(i);
  case 9: return jumps(i);
  }
  return which;
}

static unsigned any_sum(unsigned i)
{
  unsigned sum = 0;
  for (unsigned k = 0; k < (mix(i) & 3) + 1; k++)
    sum = sum * 5 + any(i + k, sum ^ i);
  return sum;
}

SIMT_KERNEL(any_all, (unsigned, n), (unsigned *, out))
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = any_sum(i);
}

static int compare(const char *name, unsigned (*function)(unsigned), const unsigned *found, unsigned n)
{
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++)
    wrong += found[i] != function(i);
  printf("%s: %u of %u wrong\n", name, wrong, n);
  return wrong != 0;
}

int main(void)
{
  enum { N = 200 };
  unsigned *const out = simt_alloc(N * sizeof *out);
  const struct simt_shape shape = simt_shape();
  const dim3 grid = dim3(3), block = dim3(shape.lanes * 2);
  int wrong = 0;
#define CASE(name)                                                                                                     \
  wrong |= simt_launch(name##_all, grid, block, .n = N, .out = out) != SIMT_OK;                                        \
  wrong |= compare(#name, name, out, N);
  CASES
  wrong |= simt_launch(any_all, grid, block, .n = N, .out = out) != SIMT_OK;
  wrong |= compare("any", any_sum, out, N);
  return wrong;
}
