/* Forces among bodies: a block's bodies meet a tile of all bodies in shared memory; float4 loads, rsqrtf. */
#include "check.h"

__device__ float4 pull(float4 sum, float4 me, float4 other)
{
  const float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), f = other.w * inverse * inverse * inverse;
  return make_float4(sum.x + f * x, sum.y + f * y, sum.z + f * z, 0);
}

__global__ void forces(const float4 *bodies, float4 *force, int n)
{
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int from = 0; from < n; from += blockDim.x) {
    tile[threadIdx.x] = bodies[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++)
      sum = pull(sum, me, tile[k]);
    __syncthreads();
  }
  force[i] = sum;
}

int main()
{
  const int n = 512, block = 64;
  random_numbers next;
  std::vector<float4> bodies(n);
  for (float4 &b : bodies)
    b = make_float4(next(), next(), next(), next());
  float4 *db = to_device(bodies), *df = to_device(bodies);
  forces<<<n / block, block, block * sizeof(float4)>>>(db, df, n);
  const std::vector<float4> result = to_host(df, n);
  std::vector<float> gpu, cpu;
  for (int i = 0; i < n; i++) {
    double sum[3] = {};
    for (const float4 &b : bodies) {
      const double d[] = {b.x - bodies[i].x, b.y - bodies[i].y, b.z - bodies[i].z};
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01);
      for (int c = 0; c < 3; c++)
        sum[c] += b.w * d[c] / (r * r * r);
    }
    gpu.insert(gpu.end(), {result[i].x, result[i].y, result[i].z});
    cpu.insert(cpu.end(), {(float)sum[0], (float)sum[1], (float)sum[2]});
  }
  return report("nbody", gpu, cpu, 1e-3);
}
