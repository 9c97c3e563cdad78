/* Half precision: vectors of two, operators, comparisons and conversions. The exit status says whether all is right. */
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
__global__ void k(const half2 *a, const half2 *b, half2 *c, float *f, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    half2 x = __hfma2(a[i], b[i], __float2half2_rn(1.0f));
    c[i] = __hadd2(x, a[i]);
    half s = __low2half(a[i]);
    s = s * __high2half(b[i]) + __float2half(2.f);
    f[i] = __half2float(s) + (float)__hgt(s, __float2half(3.f)) + __half2float(hexp(__float2half(0.f)));
  }
}
int main()
{
  const int n = 512;
  half2 *ha = new half2[n], *hb = new half2[n], *hc = new half2[n];
  float *hf = new float[n];
  for (int i = 0; i < n; i++) {
    ha[i] = __floats2half2_rn(i * 0.01f, i * 0.02f);
    hb[i] = __floats2half2_rn(1.5f, -0.5f);
  }
  half2 *a, *b, *c;
  float *f;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMalloc(&c, n * 4);
  cudaMalloc(&f, n * 4);
  cudaMemcpy(a, ha, n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, n * 4, cudaMemcpyHostToDevice);
  k<<<2, 256>>>(a, b, c, f, n);
  cudaMemcpy(hc, c, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(hf, f, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) {
    float2 r = __half22float2(hc[i]);
    float x = i * 0.01f, y = i * 0.02f;
    bad += fabs(r.x - (x * 1.5f + 1 + x)) > 0.02f + fabs(r.x) * 2e-3f;
    bad += fabs(r.y - (y * -0.5f + 1 + y)) > 0.02f + fabs(r.y) * 2e-3f;
    float s = x * -0.5f + 2;
    bad += fabs(hf[i] - (s + (s > 3) + 1)) > 0.01;
  }
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
