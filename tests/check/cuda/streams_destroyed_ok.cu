__global__ void a(int *d)
{
  d[threadIdx.x] = threadIdx.x;
}
__global__ void b(const int *d, int *e)
{
  e[threadIdx.x] = d[threadIdx.x + 1];
}
int main()
{
  int *d, *e;
  cudaStream_t s, t;
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaMalloc(&d, 1024);
  cudaMalloc(&e, 1024);
  cudaMemset(d, 0, 1024);
  for (int flags = 0; flags < 2; flags++) {
    cudaStreamCreateWithFlags(&s, flags);
    a<<<1, 64, 0, s>>>(d);
    cudaStreamDestroy(s);
    if (flags == cudaStreamNonBlocking)
      cudaDeviceSynchronize();
    b<<<1, 60>>>(d, e); /* the default stream waits for the other, though it is destroyed */
    cudaStreamCreateWithFlags(&s, flags);
    cudaStreamCreateWithFlags(&t, flags);
    cudaDeviceSynchronize();
    a<<<1, 64, 0, s>>>(d);
    cudaEventRecord(done, s);
    cudaStreamDestroy(s);
    cudaStreamWaitEvent(t, done, 0);
    b<<<1, 60, 0, t>>>(d, e);
    cudaStreamDestroy(t);
    cudaDeviceSynchronize(); /* it waits for destroyed streams */
  }
  a<<<1, 64>>>(d);
  cudaFree(d);
  cudaFree(e);
  cudaEventDestroy(done);
}
