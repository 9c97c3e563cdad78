/* Features of functions besides arithmetic in loops, each with a value to compare with the host's. */
#include <stdarg.h>
#include <stdint.h>

struct eight {
  int32_t word[8];
};

struct pair {
  int32_t a, b;
};

int32_t fibonacci(int32_t n)
{
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int32_t ackermann(int32_t m, int32_t n)
{
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int32_t choose(int32_t what, int32_t x)
{
  switch (what) {
  case 0: return x + 3;
  case 1: return x * 7;
  case 2: return x - 9;
  case 3: return x ^ 5;
  case 4: return x << 2;
  case 5: return x / 3;
  case 6: return fibonacci(x & 7);
  case 7: return -x;
  default: return 12;
  }
}

__attribute__((noinline)) int32_t sum_of(int32_t n, ...)
{
  va_list list;
  va_start(list, n);
  int32_t sum = 0;
  for (int32_t i = 0; i < n; i++)
    sum += va_arg(list, int32_t) * (i + 1);
  va_end(list);
  return sum;
}

int32_t variadic(int32_t x)
{
  return sum_of(11, x, 2, 3, x + 4, 5, 6, 7, 8, 9, 10, x) - sum_of(2, x, 1) + sum_of(0);
}

__attribute__((noinline)) void numbers(int32_t *array, int32_t n)
{
  for (int32_t i = 0; i < n; i++)
    array[i] = i * i + n;
}

int32_t variable_length(int32_t n)
{
  int32_t array[n];
  numbers(array, n);
  int32_t sum = 0;
  for (int32_t i = 0; i < n; i++)
    sum = sum * 3 + array[i];
  int32_t more[n + 1];
  numbers(more, n + 1);
  return sum + more[n] + array[0];
}

__attribute__((noinline)) struct eight make_eight(int32_t x)
{
  struct eight e;
  for (int32_t i = 0; i < 8; i++)
    e.word[i] = x * i + 1;
  return e;
}

int32_t structures(int32_t x)
{
  const struct eight e = make_eight(x), f = make_eight(x + 1);
  return e.word[7] * f.word[3] + e.word[0];
}

__attribute__((noinline)) struct pair swapped(struct pair p)
{
  return (struct pair){p.b, p.a};
}

int32_t pairs(int32_t x)
{
  const struct pair p = swapped((struct pair){x, 2 * x + 1});
  return p.a * 100 + p.b;
}

__attribute__((noinline)) int32_t ten(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f, int32_t g,
                                      int32_t h, int32_t i, int32_t j)
{
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + fibonacci(j & 3);
}

int32_t many_arguments(int32_t x)
{
  return ten(x, x + 1, x + 2, x * 3, x + 4, x ^ 5, x + 6, x + 7, x - 8, x * 9);
}

static int32_t twice(int32_t x)
{
  return 2 * x;
}

static int32_t squared(int32_t x)
{
  return x * x;
}

typedef int32_t unary(int32_t);

__attribute__((noinline)) int32_t apply(unary *f, int32_t x)
{
  return f(x) + 1;
}

__attribute__((noinline)) int32_t apply_last(unary *f, int32_t x)
{
  return f(x + 1);
}

int32_t pointers(int32_t x)
{
  return apply(x & 1 ? twice : squared, x) + apply_last(x & 2 ? squared : twice, x);
}

int64_t multiply(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a * (uint64_t)b + (uint64_t)(a >> 3) - ((uint64_t)b << 5));
}

uint32_t bits(uint32_t x)
{
  uint32_t n = 0;
  for (; x != 0; x &= x - 1)
    n++;
  return n * 1000003u ^ 0x12345678u;
}

float floats(float a, float b)
{
  float s = 0;
  for (int i = 0; i < 5; i++)
    s = s * a + b / (a + (float)i);
  return s - 1.5f;
}

uint32_t atomics(uint32_t x)
{
  uint32_t word = x, old = __atomic_fetch_add(&word, 3, __ATOMIC_SEQ_CST);
  uint32_t wanted = x + 3;
  __atomic_compare_exchange_n(&word, &wanted, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  uint8_t bytes[4] = {1, 2, 3, 4};
  old += __atomic_fetch_add(&bytes[2], 7, __ATOMIC_RELAXED);
  old += __atomic_exchange_n(&bytes[1], 70, __ATOMIC_RELAXED);
  old += __atomic_fetch_nand(&word, 5, __ATOMIC_RELAXED);
  uint8_t byte = 4;
  old += __atomic_compare_exchange_n(&bytes[3], &byte, 77, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 100 : 0;
  return old * 31 + word + bytes[0] + bytes[1] * 2u + bytes[2] * 3u + bytes[3] * 5u;
}

__attribute__((noinline)) int32_t sum_aligned(const int32_t *word)
{
  return ((uintptr_t)word & 63) == 0 ? word[0] + word[4] : -1;
}

int32_t aligned(int32_t x)
{
  __attribute__((aligned(64))) int32_t word[5] = {x, 0, 0, 0, x * 2};
  return sum_aligned(word) + word[1];
}

/* More values live across calls than there are saved registers in small register files. */
int32_t pressure(int32_t x)
{
  uint32_t v[24];
  for (uint32_t i = 0; i < 24; i++)
    v[i] = (uint32_t)x * (i + 3) ^ i;
  uint32_t s = (uint32_t)fibonacci(x & 3);
  for (uint32_t i = 0; i < 24; i++)
    s = s * 5 + v[i];
  s += (uint32_t)fibonacci((int32_t)(s & 7));
  for (uint32_t i = 0; i < 24; i++)
    s = s * 3 + v[i];
  return (int32_t)s;
}

/* Quicksort, for loops within loops and recursion. */
void sort(int32_t *a, int32_t n)
{
  while (n > 1) {
    const int32_t pivot = a[n / 2];
    int32_t i = 0, j = n - 1;
    while (i <= j) {
      while (a[i] < pivot)
        i++;
      while (a[j] > pivot)
        j--;
      if (i <= j) {
        const int32_t swap = a[i];
        a[i++] = a[j];
        a[j--] = swap;
      }
    }
    sort(a, j + 1);
    a += i;
    n -= i;
  }
}

int32_t string_length(const char *text)
{
  int32_t n = 0;
  while (text[n] != '\0')
    n++;
  return n;
}
