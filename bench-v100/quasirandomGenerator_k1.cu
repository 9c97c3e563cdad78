// Quasi-random numbers in three dimensions: the exclusive or of the table's words at the bits of the index. The hardware
// reads 31 constants per warp, so its compiler has unrolled the loop and reads the table before the outer one.

enum { DIMENSIONS = 3, BITS = 31 };
__constant__ unsigned table[DIMENSIONS][BITS];

extern "C" __global__ void generate(float *output, unsigned seed, unsigned count)
{
  const unsigned *own = &table[threadIdx.y][0];
  for (unsigned at = blockDim.x * blockIdx.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x) {
    unsigned result = 0, index = seed + at;
#pragma unroll
    for (int bit = 0; bit < BITS; bit++, index >>= 1)
      if (index & 1)
        result ^= own[bit];
    output[threadIdx.y * count + at] = (float)(result + 1) * (1.0f / 2147483648.0f);
  }
}
