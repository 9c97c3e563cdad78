/* Arguments of all sizes and structs by value, variables and constants by name, three dimensions, and copies of boxes.
 * The exit status says whether all is right. */
#include <cstdio>
#include <cuda_runtime.h>
__device__ int counter = 5;
__device__ float lut[16];
__constant__ int cst[4] = {1, 2, 3, 4};
extern __shared__ float dyn[];
struct P {
  int a;
  double b;
  char c;
  float m[3];
};
__global__ void k(P p, int *o, dim3 d, float4 v, char ch, short sh, long long ll, bool bo)
{
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y,
      z = threadIdx.z + blockIdx.z * blockDim.z;
  int id = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
  dyn[threadIdx.x] = 1;
  __syncthreads();
  o[id] = p.a + (int)p.b + p.c + (int)p.m[2] + cst[id % 4] + (int)lut[id % 16] + d.z + (int)v.w + ch + sh + (int)ll +
          bo + counter + (int)dyn[0];
}
int main()
{
  float h[16];
  for (int i = 0; i < 16; i++)
    h[i] = i;
  cudaMemcpyToSymbol(lut, h, sizeof h);
  int c;
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  c += 2;
  cudaMemcpyToSymbol(counter, &c, 4);
  void *sp;
  cudaGetSymbolAddress(&sp, counter);
  size_t ss;
  cudaGetSymbolSize(&ss, lut);
  int two[2] = {20, 30};
  cudaMemcpyToSymbol(cst, two, 8, 8, cudaMemcpyHostToDevice);
  P p = {1, 2.5, 3, {4, 5, 6}};
  int *o, *ho = new int[4096];
  cudaMalloc(&o, 4096 * 4);
  k<<<dim3(2, 2, 4), dim3(8, 8, 4), 4096>>>(p, o, dim3(1, 2, 3), make_float4(1, 2, 3, 4), 5, 6, 7LL, true);
  cudaError_t e = cudaMemcpy(ho, o, 4096 * 4, cudaMemcpyDeviceToHost);
  int cc[4] = {1, 2, 20, 30}, bad = e != 0 || ss != 64 || sp == 0;
  for (int i = 0; i < 4096; i++)
    bad += ho[i] != 1 + 2 + 3 + 6 + cc[i % 4] + i % 16 + 3 + 4 + 5 + 6 + 7 + 1 + 7 + 1;
  cudaExtent ex = make_cudaExtent(32 * sizeof(float), 8, 4);
  cudaPitchedPtr pp;
  cudaMalloc3D(&pp, ex);
  float src[32 * 8 * 4], dst[32 * 8 * 4];
  for (int i = 0; i < 1024; i++)
    src[i] = i;
  cudaMemcpy3DParms m = {0};
  m.srcPtr = make_cudaPitchedPtr(src, 128, 32, 8);
  m.dstPtr = pp;
  m.extent = ex;
  m.kind = cudaMemcpyHostToDevice;
  bad += cudaMemcpy3D(&m) != 0;
  cudaMemcpy3DParms q = {0};
  q.dstPtr = make_cudaPitchedPtr(dst, 128, 32, 8);
  q.srcPtr = pp;
  q.extent = ex;
  q.kind = cudaMemcpyDeviceToHost;
  bad += cudaMemcpy3D(&q) != 0;
  for (int i = 0; i < 1024; i++)
    bad += dst[i] != src[i];
  size_t fr, to;
  cudaMemGetInfo(&fr, &to);
  bad += fr > to;
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
