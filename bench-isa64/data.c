/* Inputs and expected results of the kernels of this folder, for simtlab run on vortex:
 *   data.elf A|B|C sum|product|ring SIZE words|floats
 * prints the buffer as words of assembly. SIZE is that of a product, whose sums have the kernels' order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, SUMS = 2048, DEPTH = 64, RING = 24, STEPS = 64 };

/* A word by its index and buffer (finaliser of MurmurHash3, Appleby 2011). */
static uint32_t word_of(uint32_t i, uint32_t buffer)
{
  uint32_t h = i * 0x9e3779b9u + buffer;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

static float float_of(uint32_t i, uint32_t buffer)
{
  return (float)((int)(word_of(i, buffer) >> 24) - 128) * 0.0078125f;
}

static void put(uint32_t word)
{
  printf(".word 0x%x\n", (unsigned)word);
}

static void put_float(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(bits);
}

static void put_inputs(uint32_t count, uint32_t buffer, int floats)
{
  for (uint32_t i = 0; i < count; i++)
    if (floats)
      put_float(float_of(i, buffer));
    else
      put(word_of(i, buffer));
}

/* A times B transposed. */
static void put_product(uint32_t size, int floats)
{
  for (uint32_t row = 0; row < size; row++)
    for (uint32_t column = 0; column < size; column++) {
      uint32_t sum = 0;
      float sum_of_floats = 0;
      for (uint32_t k = 0; k < DEPTH; k++) {
        const uint32_t a = row * DEPTH + k, b = column * DEPTH + k;
        if (floats)
          sum_of_floats = __builtin_fmaf(float_of(a, 1), float_of(b, 2), sum_of_floats);
        else
          sum += word_of(a, 1) * word_of(b, 2);
      }
      if (floats)
        put_float(sum_of_floats);
      else
        put(sum);
    }
}

static float force(float left, float here, float right, float speed)
{
  const float stretch = left - here - (here - right);
  return stretch * (1.0f + 0.125f * stretch * stretch) - 0.03125f * speed;
}

/* The positions of a ring, and its speeds, of all threads. */
static void put_rings(void)
{
  static float position[RING][THREADS], speed[RING][THREADS];
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    for (uint32_t i = 0; i < RING; i++) {
      position[i][thread] = float_of(i * THREADS + thread, 1);
      speed[i][thread] = float_of(i * THREADS + thread, 2);
    }
    for (uint32_t t = 0; t < STEPS; t++) {
      for (uint32_t i = 0; i < RING; i++)
        speed[i][thread] += 0.0625f * force(position[(i + RING - 1) % RING][thread], position[i][thread],
                                            position[(i + 1) % RING][thread], speed[i][thread]);
      for (uint32_t i = 0; i < RING; i++)
        position[i][thread] += 0.0625f * speed[i][thread];
    }
  }
  for (uint32_t i = 0; i < RING * THREADS; i++)
    put_float(position[i / THREADS][i % THREADS]);
  for (uint32_t i = 0; i < RING * THREADS; i++)
    put_float(speed[i / THREADS][i % THREADS]);
}

int main(int argc, char **argv)
{
  if (argc < 5)
    return 2;
  const int floats = strcmp(argv[4], "floats") == 0, sums = strcmp(argv[2], "sum") == 0,
            rings = strcmp(argv[2], "ring") == 0;
  const uint32_t size = (uint32_t)atoi(argv[3]);
  if (argv[1][0] != 'C') {
    put_inputs(sums ? SUMS : rings ? RING * THREADS : size * DEPTH, argv[1][0] == 'A' ? 1 : 2, floats);
  } else if (sums) {
    for (uint32_t i = 0; i < SUMS; i++)
      put(word_of(i, 1) + word_of(i, 2));
  } else if (rings) {
    put_rings();
  } else {
    put_product(size, floats);
  }
  return 0;
}
