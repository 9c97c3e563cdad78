/* Heat on a plate: a five-point stencil, two arrays in turn, coefficients in constant memory. */
#include "check.h"

__constant__ float weights[2]; /* of the centre and of each neighbour */

__global__ void step(const float *from, float *to, int width, int height)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    to[i] = from[i];
  else
    to[i] = weights[0] * from[i] + weights[1] * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

int main()
{
  const int width = 200, height = 120, steps = 20;
  const float w[] = {0.6f, 0.1f};
  std::vector<float> plate = random_vector(width * height), other = plate;
  float *a = to_device(plate), *b = to_device(plate);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  for (int s = 0; s < steps; s++) {
    step<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(a, b, width, height);
    std::swap(a, b);
    for (int y = 1; y < height - 1; y++)
      for (int x = 1; x < width - 1; x++) {
        const int i = y * width + x;
        other[i] = w[0] * plate[i] + w[1] * (plate[i - 1] + plate[i + 1] + plate[i - width] + plate[i + width]);
      }
    std::swap(plate, other);
  }
  return report("stencil", to_host(a, plate.size()), plate, 1e-5);
}
