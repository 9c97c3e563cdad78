/* A host program for a kernel (int *data, int n): data has the values 0 to n - 1, and n more integers are not written.
 */
#include <cstdio>
#include <cstdlib>

#define LAUNCH_SHARED(kernel, blocks, threads, n, shared)                                                              \
  int main()                                                                                                           \
  {                                                                                                                    \
    int *data, *host = (int *)malloc((n) * sizeof(int));                                                               \
    for (int i = 0; i < (n); i++)                                                                                      \
      host[i] = i;                                                                                                     \
    cudaMalloc(&data, (n) * sizeof(int));                                                                              \
    cudaMemcpy(data, host, (n) * sizeof(int), cudaMemcpyHostToDevice);                                                 \
    kernel<<<blocks, threads, shared>>>(data, n);                                                                      \
    cudaDeviceSynchronize();                                                                                           \
    cudaMemcpy(host, data, (n) * sizeof(int), cudaMemcpyDeviceToHost);                                                 \
    cudaFree(data);                                                                                                    \
    free(host);                                                                                                        \
  }
#define LAUNCH(kernel, blocks, threads, n) LAUNCH_SHARED(kernel, blocks, threads, n, 0)
