// Histograms of 64 bins: each thread counts in bytes of its own in shared memory, and the block adds them up.

enum { THREADS = 64, BINS = 64 };

__device__ static void count_word(unsigned char *own, unsigned word)
{
  own[(word >> 2 & 0x3f) * THREADS]++;
  own[(word >> 10 & 0x3f) * THREADS]++;
  own[(word >> 18 & 0x3f) * THREADS]++;
  own[(word >> 26 & 0x3f) * THREADS]++;
}

extern "C" __global__ void histograms(unsigned *partial, const uint4 *words, unsigned count)
{
  __shared__ unsigned char bins[THREADS * BINS];
  const unsigned t = threadIdx.x, place = (t & ~63u) | (t & 0x0f) << 2 | (t & 0x30) >> 4;
  for (unsigned i = 0; i < BINS / 4; i++)
    ((unsigned *)bins)[t + i * THREADS] = 0;
  unsigned char *own = bins + place;
  __syncthreads();
  for (unsigned at = blockIdx.x * blockDim.x + t; at < count; at += blockDim.x * gridDim.x) {
    const uint4 four = words[at];
    count_word(own, four.x);
    count_word(own, four.y);
    count_word(own, four.z);
    count_word(own, four.w);
  }
  __syncthreads();
  if (t < BINS) {
    const unsigned char *bin = bins + t * THREADS;
    unsigned sum = 0, at = 4 * (t & 15);
    for (unsigned i = 0; i < THREADS / 4; i++) {
      sum += bin[at + 0] + bin[at + 1] + bin[at + 2] + bin[at + 3];
      at = (at + 4) & (THREADS - 1);
    }
    partial[blockIdx.x * BINS + t] = sum;
  }
}
