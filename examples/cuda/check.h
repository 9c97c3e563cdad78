/* Error checks and the comparison with the CPU that all examples use. */
#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const cudaError_t error_ = (call);                                                                                 \
    if (error_ != cudaSuccess) {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));                  \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

/* An array on the device with the values of a vector */
template <class T> T *to_device(const std::vector<T> &values)
{
  T *p;
  CHECK(cudaMalloc(&p, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <class T> std::vector<T> to_host(const T *p, size_t count)
{
  std::vector<T> values(count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/* Numbers that are the same on every run, from 0 to below 1 */
struct random_numbers {
  unsigned state = 12345;
  float operator()()
  {
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
  }
};
inline std::vector<float> random_vector(size_t count)
{
  random_numbers next;
  std::vector<float> v(count);
  for (float &x : v)
    x = next();
  return v;
}

/* Prints the verdict; the result is the program's exit status. */
template <class T> int report(const char *name, const std::vector<T> &gpu, const std::vector<T> &cpu, double tolerance)
{
  size_t wrong = gpu.size() == cpu.size() ? 0 : 1;
  for (size_t i = 0; i < gpu.size() && i < cpu.size(); i++)
    wrong += !(std::fabs((double)gpu[i] - (double)cpu[i]) <= tolerance * (1 + std::fabs((double)cpu[i])));
  std::printf("%s: %s (%zu of %zu values differ)\n", name, wrong == 0 ? "PASSED" : "FAILED", wrong, cpu.size());
  return wrong == 0 ? 0 : 1;
}

#endif
