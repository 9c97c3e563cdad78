__global__ void a(int *d)
{
  d[threadIdx.x] = threadIdx.x; // race
}
__global__ void b(const int *d, int *e)
{
  e[threadIdx.x] = d[threadIdx.x + 1]; // race
}
int main()
{
  int *d, *e;
  cudaStream_t s, t;
  cudaMalloc(&d, 1024);
  cudaMalloc(&e, 1024);
  cudaMemset(d, 0, 1024);
  cudaStreamCreate(&s);
  a<<<1, 64, 0, s>>>(d);
  cudaStreamDestroy(s); /* it does not wait */
  cudaStreamCreate(&t);
  b<<<1, 60, 0, t>>>(d, e);
  cudaStreamDestroy(t);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFree(e);
}
