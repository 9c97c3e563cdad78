// Parts of the standard library on the device: cuda::std, and complex numbers that agree with std::complex.
#include <complex>
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <thrust/complex.h>

using number = thrust::complex<double>;

__global__ void parts(float *out)
{
  cuda::std::array<int, 3> a{1, 2, 3};
  a[1] += 5;
  const cuda::std::pair<int, float> p = cuda::std::make_pair(1, 2.5f);
  const cuda::std::optional<int> maybe = 4;
  const cuda::std::uint32_t word = 7;
  const auto [x, y] = cuda::std::make_tuple(1, 2);
  static_assert(cuda::std::is_same_v<const int, decltype(x)>);
  const cuda::std::complex<double> z(3, 4);
  out[0] = a[1] + p.second + *maybe + word + cuda::std::plus<int>()(x, y) + cuda::std::max(1, 2);
  out[1] = cuda::std::sqrt(16.f) + cuda::std::abs(z) + (cuda::std::numeric_limits<int>::max() > 0);
}

__global__ void functions(number *out)
{
  const number a(1, 2), b(3, -4);
  number c = a;
  out[0] = a * b + 2.0;
  out[1] = a / b;
  out[2] = thrust::exp(a);
  out[3] = thrust::sqrt(b);
  out[4] = thrust::pow(a, b);
  out[5] = number(thrust::abs(b), thrust::arg(b));
  out[6] = thrust::sin(a);
  out[7] = thrust::tanh(a);
  c *= b;
  c -= 1.0;
  out[8] = 2.0 * c;
}

int main()
{
  using host = std::complex<double>;
  const host a(1, 2), b(3, -4);
  const host wanted[9] = {a * b + 2.0,        a / b, exp(a), sqrt(b), pow(a, b), {5, std::arg(b)}, sin(a), tanh(a),
                          2.0 * (a * b - 1.0)};
  number *device, got[9];
  float *sums, sum[2];
  int wrong = 0;
  cudaMalloc(&device, sizeof got);
  cudaMalloc(&sums, sizeof sum);
  functions<<<1, 1>>>(device);
  parts<<<1, 1>>>(sums);
  cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 9; i++)
    wrong += std::abs(host(got[i]) - wanted[i]) > 1e-12;
  wrong += sum[0] != 7 + 2.5f + 4 + 7 + 3 + 2;
  wrong += sum[1] != 4 + 5 + 1;
  std::printf("%d wrong\n", wrong);
  return wrong;
}
