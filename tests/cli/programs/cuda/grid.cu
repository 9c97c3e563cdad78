/* A cooperative launch whose blocks wait for each other. The exit status says whether all is right. */
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int *a, int n)
{
  cg::grid_group g = cg::this_grid();
  int t = g.thread_rank();
  for (int s = 0; s < 4; s++) {
    int v = a[(t + 1) % n];
    g.sync();
    a[t] = v + 1;
    g.sync();
  }
}
int main()
{
  int n = 1024, *d, h[1024];
  for (int i = 0; i < n; i++)
    h[i] = i;
  cudaMalloc(&d, n * 4);
  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
  void *args[] = {&d, &n};
  int co;
  cudaDeviceGetAttribute(&co, cudaDevAttrCooperativeLaunch, 0);
  cudaError_t e = cudaLaunchCooperativeKernel((void *)k, dim3(8), dim3(128), args, 0, 0);
  if (e != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++)
    bad += h[i] != (i + 4) % n + 4;
  int nb;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, k, 128, 0);
  printf("%d %d %s\n", co, nb, bad ? "FAIL" : "PASS");
  return bad != 0;
}
