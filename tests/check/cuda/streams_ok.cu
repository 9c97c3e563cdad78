#include <cstdlib>
__device__ int total;
__global__ void a(int *d, int n)
{
  d[threadIdx.x] = threadIdx.x + n;
  atomicAdd(&total, 1);
}
__global__ void b(const int *d, int *e)
{
  e[threadIdx.x] = d[threadIdx.x + 1];
  atomicAdd(&total, 1);
}
static void tell(void *) {}
int main()
{
  int *d, *e, *host;
  cudaStream_t s, t, u;
  cudaEvent_t done;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaMalloc(&d, 1024);
  cudaMalloc(&e, 1024);
  cudaMallocHost(&host, 1024);
  cudaMemcpyAsync(d, host, 1024, cudaMemcpyHostToDevice, s);
  a<<<1, 64, 0, s>>>(d, 1);
  cudaEventRecord(done, s);
  cudaStreamWaitEvent(t, done, 0); /* an event orders them */
  b<<<1, 60, 0, t>>>(d, e);
  a<<<1, 64, 0, s>>>(d + 128, 2); /* other words */
  a<<<1, 64>>>(d, 3); /* the default stream waits for both */
  b<<<1, 60, 0, t>>>(d, e); /* and t for it */
  cudaEventRecord(done, t);
  cudaEventSynchronize(done);
  a<<<1, 64, 0, u>>>(d, 4); /* the host has waited */
  while (cudaStreamQuery(u) != cudaSuccess)
    ;
  b<<<1, 60, 0, s>>>(d, e);
  cudaLaunchHostFunc(s, tell, host);
  cudaMemcpyAsync(host, e, 240, cudaMemcpyDeviceToHost, u);
  cudaStreamSynchronize(u);
  for (int i = 0; i < 600; i++)
    a<<<1, 64, 0, i % 2 ? s : t>>>(d + (i % 2) * 64, i);
  cudaDeviceSynchronize();
  cudaMemcpy(host, d, 1024, cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(e);
  cudaFreeHost(host);
}
