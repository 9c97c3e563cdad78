/* Buffers of the bare programs: inputs and expected results. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paper/isa64/paper_isa64.h"

/* As in bench-isa64/. */
enum { THREADS = 16, SUMS = 2048, RING = 24, STEPS = 64 };
static const uint32_t a_address = 0xa0000000, b_address = 0xa1000000, c_address = 0xc0000000;

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

static bool is_ring(const struct sl_isa64_program *program)
{
  return program->part == SL_ISA64_CALLS && program->floats;
}

static uint32_t elements(const struct sl_isa64_program *program)
{
  if (program->part == SL_ISA64_VECADD)
    return SUMS;
  return is_ring(program) ? RING * THREADS : program->size * SL_ISA64_DEPTH;
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

void sl_isa64_fill(struct sl_device *device, const struct sl_isa64_program *program)
{
  for (uint32_t i = 0; i < elements(program); i++)
    for (uint32_t buffer = 1; buffer <= 2; buffer++) {
      const uint32_t word = program->floats ? bits_of(float_of(i, buffer)) : word_of(i, buffer);
      sl_device_write(device, (buffer == 1 ? a_address : b_address) + 4 * i, &word, sizeof word);
    }
}

/* An element of A times B transposed, summed in the kernels' order. */
static uint32_t product(const struct sl_isa64_program *program, uint32_t row, uint32_t column)
{
  uint32_t sum = 0;
  float sum_of_floats = 0;
  for (uint32_t k = 0; k < SL_ISA64_DEPTH; k++) {
    const uint32_t a = row * SL_ISA64_DEPTH + k, b = column * SL_ISA64_DEPTH + k;
    sum += word_of(a, 1) * word_of(b, 2);
    sum_of_floats = fmaf(float_of(a, 1), float_of(b, 2), sum_of_floats);
  }
  return program->floats ? bits_of(sum_of_floats) : sum;
}

static float force(float left, float here, float right, float speed)
{
  const float stretch = left - here - (here - right);
  return stretch * (1.0f + 0.125f * stretch * stretch) - 0.03125f * speed;
}

static void move_ring(uint32_t thread, float position[RING], float speed[RING])
{
  for (uint32_t i = 0; i < RING; i++) {
    position[i] = float_of(i * THREADS + thread, 1);
    speed[i] = float_of(i * THREADS + thread, 2);
  }
  for (uint32_t t = 0; t < STEPS; t++) {
    for (uint32_t i = 0; i < RING; i++)
      speed[i] += 0.0625f * force(position[(i + RING - 1) % RING], position[i], position[(i + 1) % RING], speed[i]);
    for (uint32_t i = 0; i < RING; i++)
      position[i] += 0.0625f * speed[i];
  }
}

/* Expected C; returns its number of words. */
static uint32_t expect(const struct sl_isa64_program *program, uint32_t *words)
{
  if (program->part == SL_ISA64_VECADD) {
    for (uint32_t i = 0; i < SUMS; i++)
      words[i] = word_of(i, 1) + word_of(i, 2);
    return SUMS;
  }
  if (!is_ring(program)) {
    for (uint32_t row = 0; row < program->size; row++)
      for (uint32_t column = 0; column < program->size; column++)
        words[row * program->size + column] = product(program, row, column);
    return program->size * program->size;
  }
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    float position[RING], speed[RING];
    move_ring(thread, position, speed);
    for (uint32_t i = 0; i < RING; i++) {
      words[i * THREADS + thread] = bits_of(position[i]);
      words[(RING + i) * THREADS + thread] = bits_of(speed[i]);
    }
  }
  return 2 * RING * THREADS;
}

enum sl_status sl_isa64_check(const struct sl_device *device, const struct sl_isa64_program *program,
                              struct sl_error *err)
{
  const size_t most = SUMS + 2 * RING * THREADS + (size_t)program->size * program->size;
  uint32_t *words = calloc(most, sizeof *words), wrong = 0, first = 0;
  if (words == NULL)
    return sl_no_memory(err, most * sizeof *words);
  const uint32_t count = expect(program, words);
  for (uint32_t i = count; i-- > 0;) {
    uint32_t word;
    sl_device_read(device, c_address + 4 * i, &word, sizeof word);
    if (word != words[i]) {
      wrong++;
      first = i;
    }
  }
  const uint32_t should = words[first];
  free(words);
  return wrong == 0 ? SL_OK
                    : sl_fail(err, SL_CHECK_FAILED,
                              "%" PRIu32 " of %" PRIu32 " results are wrong; the first at 0x%08" PRIx32
                              ", which should be 0x%08" PRIx32,
                              wrong, count, c_address + 4 * first, should);
}
