// Features of C programs: every machine prints the same lines. Compiled by a back end, linked with a C library compiled
// by another.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

// printf is the one without floating point: numbers as their bits.
static unsigned bits(float x)
{
  unsigned word;
  memcpy(&word, &x, sizeof word);
  return word;
}

static unsigned random_state = 1;
static unsigned next(void)
{
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

// 64 bits in two registers, as floating point in software does it.
static NOINLINE uint64_t multiply_high(uint64_t a, uint64_t b)
{
  const uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu), m1 = (a >> 32) * (b & 0xffffffffu) + (low >> 32);
  const uint64_t m2 = (a & 0xffffffffu) * (b >> 32) + (m1 & 0xffffffffu);
  return (a >> 32) * (b >> 32) + (m1 >> 32) + (m2 >> 32);
}

static NOINLINE int leading_zeros(uint64_t a)
{
  int n = 0;
  for (; n < 64 && !(a >> 63); n++)
    a <<= 1;
  return n;
}

static void wide_numbers(void)
{
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < 200; i++) {
    const uint64_t a = (uint64_t)next() << 40 ^ (uint64_t)next() << 20 ^ next(), b = (uint64_t)next() << 33 | 1;
    hash = (hash ^ multiply_high(a, b) ^ a / b ^ (uint64_t)((int64_t)(a << 1) % (int64_t)b)) * 1099511628211u;
    hash ^= (uint64_t)leading_zeros(a >> (i & 63)) << (i & 31);
    hash += (int64_t)a < (int64_t)b;
  }
  printf("wide %08x%08x\n", (unsigned)(hash >> 32), (unsigned)hash);
}

static NOINLINE unsigned ackermann(unsigned m, unsigned n)
{
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static NOINLINE int dense(int c)
{
  switch (c) {
  case 0: return 11;
  case 1: return next() & 3 ? 7 : 8;
  case 2: return -5;
  case 3: return c * 9;
  case 4: return 1 << c;
  case 5:
  case 6: return 66;
  case 7: return dense(c - 5) + 1;
  case 100: return 3;
  default: return 0;
  }
}

static NOINLINE int summed(int count, ...)
{
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += i & 1 ? (int)va_arg(list, double) : va_arg(list, int);
  sum = sum * 10 + va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return sum;
}

struct large {
  int x[9];
  double y;
};

static NOINLINE struct large rotated(struct large from, int by)
{
  struct large to = from;
  for (int i = 0; i < 9; i++)
    to.x[(i + by) % 9] = from.x[i];
  to.y = from.y * by;
  return to;
}

static NOINLINE long many(int a, long b, short c, char d, int e, int f, int g, int h, int i, int64_t j, unsigned char k)
{
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * (long)j + 29 * k;
}

static NOINLINE int of_size(int n)
{
  int a[n], b[n + 3];
  for (int i = 0; i < n; i++) {
    a[i] = i * i;
    b[i + 3] = a[i] ^ n;
  }
  return n > 3 ? a[n - 1] + b[n] + of_size(n - 3) : 0;
}

static int compare(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

// A caller with many live values, while a library compiled for 32 registers calls back.
static NOINLINE void sorted(void)
{
  int list[40], keep[24];
  for (int i = 0; i < 40; i++)
    list[i] = (int)(next() & 0xffff) - 30000;
  for (int i = 0; i < 24; i++)
    keep[i] = (int)next();
  const int a = keep[0] * 3, b = keep[1] ^ a, c = keep[2] + b, d = keep[3] - c, e = keep[4] * d, f = keep[5] | 1;
  const int g = keep[6] / f, h = keep[7] ^ g, i = keep[8] + h, j = keep[9] - i, k = keep[10] * 5, l = keep[11] ^ k;
  qsort(list, 40, sizeof *list, compare);
  printf("sorted %d %d %d", list[0], list[20], list[39]);
  printf(" kept %d\n", a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l);
}

// Values that must survive a call, in registers or in memory.
#define EACH(X) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h) X(i) X(j) X(k) X(l) X(m) X(n) X(o) X(p) X(q) X(r) X(s) X(t)
#define TAKE(v) const unsigned v = next();
#define GIVE(v) all = all * 31 + v;

static jmp_buf place;
static NOINLINE void fall(int depth, int with)
{
  EACH(TAKE)
  if (depth == 0)
    longjmp(place, with);
  fall(depth - 1, with * 3 + 1);
  unsigned all = 0;
  EACH(GIVE)
  printf("never %u\n", all);
}

static NOINLINE int jumps(int with)
{
  volatile int times = 0;
  const int got = setjmp(place);
  times++;
  if (got == 0)
    fall(5, with);
  return got + times;
}

static NOINLINE void jumped(void)
{
  EACH(TAKE)
  const int got = jumps(3) + jumps(5);
  unsigned all = 0;
  EACH(GIVE)
  printf("jumped %d %u\n", got, all);
}

static NOINLINE int interpreted(const unsigned char *code)
{
  static const void *const place_of[] = {&&add, &&twice, &&negate, &&end};
  int a = 1;
  goto *place_of[*code];
add:
  a += 5;
  goto *place_of[*++code];
twice:
  a *= 2;
  goto *place_of[*++code];
negate:
  a = -a;
  goto *place_of[*++code];
end:
  return a;
}

static _Thread_local int own;
static int (*const functions[])(int) = {dense, of_size, abs};

int main(void)
{
  wide_numbers();
  printf("ackermann %u\n", ackermann(2, 9));
  for (int i = -1; i < 9; i++)
    printf("%d%s", dense(i), i < 8 ? "," : "\n");
  printf("varargs %d\n", summed(7, 1, 2.5, 3, 4.5, 5, 6.5, 7));
  struct large l = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.125};
  l = rotated(rotated(l, 4), 3);
  printf("structs %d %d %x\n", l.x[0], l.x[5], bits((float)l.y));
  printf("arguments %ld\n", many(1, -2, 3, 4, -5, 6, 7, 8, 9, 10000000000, 200));
  int through = 0;
  for (int i = 0; i < 12; i++)
    through = through * 3 + functions[i % 3](i * 2 + 4) + own++;
  printf("pointers %d\n", through);
  sorted();
  printf("interpreted %d\n", interpreted((const unsigned char *)"\0\1\1\2\0\3"));
  for (int i = 0; i < 5; i++)
    printf("%x %x %x%s", bits(sinf((float)i * 0.7f)), bits(sqrtf((float)i * 1e9f)), bits((float)pow(1.5, i)),
           i < 4 ? " " : "\n");
  char text[64];
  snprintf(text, sizeof text, "%-8s|%8.3s|%05d|%x", "left", "right", -321, 0xbeefu);
  printf("%s %u\n", text, (unsigned)strlen(text));
  errno = 0;
  const long far = strtol("99999999999", NULL, 10);
  printf("errno %d %ld\n", errno == ERANGE, far);
#ifdef JUMPS
  jumped();
#else
  (void)jumped;
#endif
  return 0;
}
