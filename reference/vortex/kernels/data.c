/* Inputs of a kernel as assembly, or the checksum of what it computes: data KERNEL N [checksum].
 *
 * Inputs are initialised data of the image: arrays from a linear congruential generator, integers or floats. The
 * checksum of out[], h = h * 31 + word, is what the build with -DCHECK prints. All float results but sqrtdiv's are
 * integers below 2^24, so they are computed as integers. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 128, LINK_STEPS = 16, MOST_WORDS = 16 * 1024 };

/* One run's arrays; b_count 0: there is no b. */
struct data {
  uint32_t n;
  uint32_t a[MOST_WORDS], b[MOST_WORDS], out[MOST_WORDS];
  uint32_t a_count, b_count, out_count;
  bool floats; /* a and b are floats in the image, and out */
};

static uint32_t float_bits(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* `count` numbers below `limit`, plus `offset`. */
static uint32_t numbers(uint32_t *words, uint32_t count, uint32_t seed, uint32_t limit, uint32_t offset)
{
  for (uint32_t i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    words[i] = (seed >> 10) % limit + offset;
  }
  return count;
}

static void vecadd(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, 1 << 20, 0);
  d->b_count = numbers(d->b, d->n, 2, 1 << 20, 0);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++)
    d->out[i] = d->a[i] + d->b[i];
}

static void saxpy(struct data *d)
{
  d->floats = true;
  d->a_count = numbers(d->a, d->n, 1, 256, 0);
  d->b_count = numbers(d->b, d->n, 2, 256, 0);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++)
    d->out[i] = float_bits((float)(3 * d->a[i] + d->b[i]));
}

static void sgemm(struct data *d)
{
  const uint32_t n = d->n;
  d->floats = true;
  d->a_count = numbers(d->a, n * n, 1, 16, 0);
  d->b_count = numbers(d->b, n * n, 2, 16, 0);
  d->out_count = n * n;
  for (uint32_t i = 0; i < n * n; i++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
      sum += d->a[i / n * n + k] * d->b[k * n + i % n];
    d->out[i] = float_bits((float)sum);
  }
}

static void reduce(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, 1 << 20, 0);
  d->out_count = 1;
  for (uint32_t i = 0; i < d->n; i++)
    d->out[0] += d->a[i];
}

static void stride(struct data *d)
{
  d->a_count = numbers(d->a, 16 * d->n, 1, 1 << 20, 0);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++)
    d->out[i] = d->a[16 * i];
}

static void chase(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, d->n, 0);
  d->out_count = THREADS;
  for (uint32_t t = 0; t < THREADS; t++) {
    d->out[t] = t * 7 % d->n;
    for (unsigned step = 0; step < LINK_STEPS; step++)
      d->out[t] = d->a[d->out[t]];
  }
}

static void divhash(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, 1 << 20, 0);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++) {
    uint32_t hash = 5381, v = d->a[i];
    for (unsigned step = 0; step < 4; step++) {
      const uint32_t divisor = (hash & 63) + 3;
      hash = hash * 33 + v / divisor + v % divisor * 7;
      v ^= hash;
    }
    d->out[i] = hash;
  }
}

static void sqrtdiv(struct data *d)
{
  d->floats = true;
  d->a_count = numbers(d->a, d->n, 1, 10000, 0);
  d->b_count = numbers(d->b, d->n, 2, 100, 1);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++) {
    const float y = (float)d->b[i];
    float x = (float)d->a[i];
    for (unsigned step = 0; step < 2; step++) {
      x = sqrtf(x) / y;
      x = x + y;
    }
    d->out[i] = float_bits(x);
  }
}

static void transpose(struct data *d)
{
  d->a_count = numbers(d->a, d->n * d->n, 1, 1 << 20, 0);
  d->out_count = d->n * d->n;
  for (uint32_t i = 0; i < d->out_count; i++)
    d->out[i] = d->a[i % d->n * d->n + i / d->n];
}

static void collatz(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, 5000, 1);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++) {
    uint32_t v = d->a[i];
    for (unsigned step = 0; step < 16; step++)
      v = v & 1 ? 3 * v + 1 : v >> 1;
    d->out[i] = v;
  }
}

static void predloop(struct data *d)
{
  d->a_count = numbers(d->a, d->n, 1, 1 << 20, 0);
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++) {
    uint32_t v = d->a[i];
    for (uint32_t trips = (v & 31) + 1; trips > 0; trips--)
      v = v * 5 + trips;
    d->out[i] = v;
  }
}

static void fill(struct data *d)
{
  d->out_count = d->n;
  for (uint32_t i = 0; i < d->n; i++)
    d->out[i] = i - i / THREADS % 4 * THREADS + i / THREADS % 4;
}

static const struct {
  const char *name;
  void (*compute)(struct data *d);
} kernels[] = {
    {"vecadd", vecadd},   {"saxpy", saxpy},       {"sgemm", sgemm},         {"reduce", reduce},
    {"stride", stride},   {"chase", chase},       {"divhash", divhash},     {"sqrtdiv", sqrtdiv},
    {"collatz", collatz}, {"predloop", predloop}, {"transpose", transpose}, {"fill", fill},
};

static void print_array(const char *name, const uint32_t *words, uint32_t count, bool floats)
{
  if (count == 0)
    return;
  printf(".balign 64\n.globl %s\n%s:\n", name, name);
  for (uint32_t i = 0; i < count; i++)
    printf(".word %u\n", floats ? float_bits((float)words[i]) : words[i]);
}

int main(int argc, char **argv)
{
  static struct data d;
  size_t k = 0;
  while (argc > 2 && k < sizeof kernels / sizeof kernels[0] && strcmp(argv[1], kernels[k].name) != 0)
    k++;
  d.n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
  if (argc < 3 || k == sizeof kernels / sizeof kernels[0] || d.n == 0 || d.n > 8192) {
    fprintf(stderr, "usage: data KERNEL N [checksum], with a kernel and a size of README.md\n");
    return 2;
  }
  kernels[k].compute(&d);
  if (argc > 3) {
    uint32_t hash = 0;
    for (uint32_t i = 0; i < d.out_count; i++)
      hash = hash * 31 + d.out[i];
    printf("%08x\n", hash);
    return 0;
  }
  printf(".data\n");
  print_array("a", d.a, d.a_count, d.floats);
  print_array("b", d.b, d.b_count, d.floats);
  printf(".balign 64\n.globl out\nout: .space %u\n", 4 * d.out_count);
  return 0;
}
