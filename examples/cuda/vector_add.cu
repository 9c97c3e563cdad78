/* Adds two vectors: one thread per element. */
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main()
{
  const int n = 100000;
  const std::vector<float> a = random_vector(n), b(n, 2.5f);
  std::vector<float> c(n);
  float *da = to_device(a), *db = to_device(b), *dc = to_device(c);
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
  return report("vector_add", to_host(dc, n), c, 0);
}
