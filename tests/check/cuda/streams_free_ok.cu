#include <pthread.h>

/* A buffer that takes the place of one that another host thread has released: what that thread's stream has done to the
 * place is over. */
__global__ void a(int *d)
{
  d[threadIdx.x] = threadIdx.x;
}
static void *work(void *other)
{
  int *d, host[64];
  cudaStream_t s;
  pthread_t thread;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&d, sizeof host);
  a<<<1, 64, 0, s>>>(d);
  cudaMemcpyAsync(host, d, sizeof host, cudaMemcpyDeviceToHost, s);
  cudaStreamDestroy(s);
  cudaFree(d);
  if (other != NULL)
    return NULL;
  pthread_create(&thread, NULL, work, &d);
  pthread_join(thread, NULL);
  return NULL;
}
int main()
{
  work(NULL);
}
