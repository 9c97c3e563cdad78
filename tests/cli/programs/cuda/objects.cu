/* Virtual functions, new and delete, tables of functions, recursion, and lambdas. The exit status says whether all is
 * right. */
#include <cstdio>
#include <new>
struct Shape {
  __host__ __device__ virtual float area() const = 0;
  __host__ __device__ virtual ~Shape()
  {
  }
};
struct Sq : Shape {
  float a;
  __host__ __device__ Sq(float x) : a(x)
  {
  }
  __host__ __device__ float area() const
  {
    return a * a;
  }
};
struct Ci : Shape {
  float r;
  __host__ __device__ Ci(float x) : r(x)
  {
  }
  __host__ __device__ float area() const
  {
    return 3.0f * r * r;
  }
};
typedef float (*op)(float, float);
__device__ float add(float a, float b)
{
  return a + b;
}
__device__ float mul(float a, float b)
{
  return a * b;
}
__device__ op table[2] = {add, mul};
__device__ int fib(int n)
{
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
template <class F> __global__ void apply(F f, float *o, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = f(i);
}
__global__ void k(float *o)
{
  int t = threadIdx.x;
  Shape *s = t & 1 ? (Shape *)new Sq(t) : (Shape *)new Ci(t);
  o[t] = s->area() + table[t & 1](t, 2) + fib(t % 8);
  delete s;
}
struct Fun {
  float k;
  __device__ float operator()(int i) const
  {
    return i * k;
  }
};
int main()
{
  float *d, h[64];
  cudaMalloc(&d, 256);
  k<<<1, 64>>>(d);
  cudaError_t e = cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  int bad = e != cudaSuccess, f[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (int t = 0; t < 64; t++)
    bad += h[t] != (t & 1 ? t * t + t * 2 : 3.0f * t * t + t + 2) + f[t % 8];
  Fun fn = {2.5f};
  apply<<<2, 32>>>(fn, d, 64);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; t++)
    bad += h[t] != t * 2.5f;
  float kk = 3;
  apply<<<2, 32>>>([=] __device__(int i) { return i + kk; }, d, 64);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; t++)
    bad += h[t] != t + 3;
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
