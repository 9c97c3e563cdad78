__device__ void maximum(unsigned char *at, unsigned char v)
{
  unsigned *word = (unsigned *)((size_t)at & ~(size_t)3), old = *word, seen;
  const unsigned shift = ((size_t)at & 3) * 8;
  do {
    seen = old;
    if ((unsigned char)(seen >> shift) >= v)
      break;
    old = atomicCAS(word, seen, (seen & ~(0xffu << shift)) | (unsigned)v << shift);
  } while (seen != old);
}
__global__ void k(unsigned char *data)
{
  maximum(&data[threadIdx.x % 7], threadIdx.x);
}
int main()
{
  unsigned char *data;
  cudaMalloc(&data, 7); /* the word of its last byte is one of the buffer */
  cudaMemset(data, 0, 7);
  k<<<2, 64>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
