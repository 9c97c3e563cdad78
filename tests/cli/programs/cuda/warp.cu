/* Warp functions: shuffles, votes, matches, and functions on bits. The exit status says whether all is right. */
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(int *o, unsigned *u, long long *l, double *dd)
{
  int t = threadIdx.x;
  int v = t * 3;
  for (int s = 16; s; s >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, s);
  o[t] = v;
  unsigned b = __ballot_sync(0xffffffffu, t & 1);
  u[t] = b;
  if (t == 0)
    u[32] = __any_sync(1u, t > 100) + 2 * __all_sync(1u, t == 0);
  u[64 + t] = __match_any_sync(0xffffffffu, t / 4);
  int pred;
  u[96 + t] = __match_all_sync(0xffffffffu, 5, &pred) + pred;
  l[t] = __shfl_down_sync(0xffffffffu, (long long)t << 40, 3);
  dd[t] = __shfl_up_sync(0xffffffffu, t * 0.5, 2, 16);
  o[32 + t] = __popc(b) + __clz(t + 1) + __ffs(t) + __brev(t) % 7;
  o[64 + t] = __shfl_sync(0xffffffffu, t, t ^ 5, 8);
  unsigned m = __activemask();
  o[96 + t] = m == 0xffffffffu;
  o[128 + t] =
      __byte_perm(0x11223344, 0x55667788, 0x3210 + t % 4) + __mul24(t, t) + __umulhi(t << 20, t << 20) + __sad(t, 7, 1);
  o[160 + t] = __funnelshift_l(t, t * 77, t % 32);
  __syncwarp();
}
int main()
{
  int o[200], *device_o;
  unsigned u[200], *device_u;
  long long l[32], *device_l;
  double d[32], *device_d;
  cudaMalloc(&device_o, sizeof o);
  cudaMalloc(&device_u, sizeof u);
  cudaMalloc(&device_l, sizeof l);
  cudaMalloc(&device_d, sizeof d);
  k<<<1, 32>>>(device_o, device_u, device_l, device_d);
  cudaMemcpy(o, device_o, sizeof o, cudaMemcpyDeviceToHost);
  cudaMemcpy(u, device_u, sizeof u, cudaMemcpyDeviceToHost);
  cudaMemcpy(l, device_l, sizeof l, cudaMemcpyDeviceToHost);
  cudaMemcpy(d, device_d, sizeof d, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int t = 0; t < 32; t++) {
    bad += o[t] != 1488;
    bad += u[t] != 0xaaaaaaaau;
    bad += u[64 + t] != 0xfu << (t / 4 * 4);
    bad += u[96 + t] != 0u;
    bad += l[t] != ((long long)(t + 3 < 32 ? t + 3 : t) << 40);
    bad += d[t] != ((t % 16) >= 2 ? t - 2 : t) * 0.5;
    bad += o[64 + t] != (t & ~7) + ((t ^ 5) & 7);
    bad += !o[96 + t];
    unsigned hi = t * 77, lo = t;
    unsigned s = t % 32;
    unsigned w = s ? hi << s | lo >> (32 - s) : hi;
    bad += (unsigned)o[160 + t] != w;
  }
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
