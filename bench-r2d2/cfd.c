// Gas flow in cells: density, momentum in three directions and energy of a cell are in separate arrays.

#include "r2d2.h"

SIMT_KERNEL(step_factor, (int, cells), (const float *, variables), (const float *, areas), (float *, factors))
{
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  const float density = variables[i], mx = variables[i + cells], my = variables[i + 2 * cells];
  const float mz = variables[i + 3 * cells], energy = variables[i + 4 * cells];
  const float squares = mx * mx + my * my + mz * mz, pressure = 0.4f * (energy - 0.5f * squares);
  factors[i] = 0.5f * areas[i] + density * pressure;
}
SIMT_KERNEL(time_step, (int, cells), (const float *, old), (float *, variables), (const float *, factors),
            (const float *, fluxes))
{
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  const float factor = factors[i];
  variables[i] = old[i] + factor * fluxes[i];
  variables[i + 4 * cells] = old[i + 4 * cells] + factor * fluxes[i + 4 * cells];
  variables[i + cells] = old[i + cells] + factor * fluxes[i + cells];
  variables[i + 2 * cells] = old[i + 2 * cells] + factor * fluxes[i + 2 * cells];
  variables[i + 3 * cells] = old[i + 3 * cells] + factor * fluxes[i + 3 * cells];
}
