/* A ring of 24 oscillators per thread over 64 time steps, positions and speeds in registers. Each step calls the force
 * function 24 times; it needs few registers, and its caller keeps 48 values across each call. */
#include "isa64.h"

enum { RING = 24, STEPS = 64 };

#define A ((const float *)A_ADDRESS)
#define B ((const float *)B_ADDRESS)
#define C ((float *)C_ADDRESS)

static const float step = 0.0625f;

static __attribute__((noinline)) float force(float left, float here, float right, float speed)
{
  const float stretch = left - here - (here - right);
  return stretch * (1.0f + 0.125f * stretch * stretch) - 0.03125f * speed;
}

static void kernel(void)
{
  const uint32_t thread = thread_number();
  float position[RING], speed[RING];
#pragma clang loop unroll(full)
  for (uint32_t i = 0; i < RING; i++) {
    position[i] = A[i * THREADS + thread];
    speed[i] = B[i * THREADS + thread];
  }
#pragma clang loop unroll(disable)
  for (uint32_t t = 0; t < STEPS; t++) {
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < RING; i++)
      speed[i] += step * force(position[(i + RING - 1) % RING], position[i], position[(i + 1) % RING], speed[i]);
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < RING; i++)
      position[i] += step * speed[i];
  }
#pragma clang loop unroll(full)
  for (uint32_t i = 0; i < RING; i++) {
    C[i * THREADS + thread] = position[i];
    C[(RING + i) * THREADS + thread] = speed[i];
  }
}
