// Quasi-random numbers in three dimensions: the exclusive or of the table's words at the bits of the index. The hardware
// reads 31 constants per warp (47,616 requests), so its compiler unrolls the loop and reads the table before the outer one.

enum { DIMENSIONS = 3, BITS = 31 };
__constant__ unsigned table[DIMENSIONS][BITS];

extern "C" __global__ void generate(float *output, unsigned seed, unsigned count)
{
  unsigned own[BITS];
#pragma unroll
  for (int bit = 0; bit < BITS; bit++) {
    own[bit] = table[threadIdx.y][bit];
    asm volatile("" : "+r"(own[bit])); // stays in a register
  }
  for (unsigned at = blockDim.x * blockIdx.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x) {
    unsigned result = 0, index = seed + at;
#pragma unroll
    for (int bit = 0; bit < BITS; bit++, index >>= 1)
      if (index & 1)
        result ^= own[bit];
    output[threadIdx.y * count + at] = (float)(result + 1) * (1.0f / 2147483648.0f);
  }
}
