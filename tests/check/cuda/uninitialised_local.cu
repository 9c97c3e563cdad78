#include <cstdlib>
struct pair {
  char c; // gaps behind it
  double d;
};
__global__ void k(const int *in, int *out, pair *pairs)
{
  const int i = threadIdx.x;
  int own[8];
  for (int j = 0; j < 7; j++)
    own[(j + in[i]) & 7] = j;
  out[i] = own[(in[i] + 7) & 7]; // uninitialised read
  pair both[2];
  both[in[i] & 1].c = 1;
  both[in[i] & 1].d = 2;
  pairs[i] = both[in[i] & 1];
}
int main()
{
  int *in, *out;
  pair *pairs;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&pairs, 64 * sizeof(pair));
  cudaMemset(in, 0, 64 * sizeof(int));
  k<<<1, 64>>>(in, out, pairs);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(pairs);
}
