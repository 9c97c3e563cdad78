// Walsh transform of 2048 elements in shared memory: steps of radix 4, and one of radix 2 as the size is no power of 4.

extern __shared__ float data[];

extern "C" __global__ void transform(float *output, const float *input, int log2size)
{
  const int size = 1 << log2size, base = blockIdx.x << log2size;
  for (int at = threadIdx.x; at < size; at += blockDim.x)
    data[at] = input[base + at];
  for (int stride = size >> 2; stride > 0; stride >>= 2) {
    for (int at = threadIdx.x; at < size / 4; at += blockDim.x) {
      const int low = at & (stride - 1), i0 = ((at - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride,
                i3 = i2 + stride;
      __syncthreads();
      const float d0 = data[i0], d1 = data[i1], d2 = data[i2], d3 = data[i3];
      const float even = d0 + d2, evens = d0 - d2, odd = d1 + d3, odds = d1 - d3;
      data[i0] = even + odd;
      data[i1] = even - odd;
      data[i2] = evens + odds;
      data[i3] = evens - odds;
    }
  }
  if (log2size & 1) {
    __syncthreads();
    for (int at = threadIdx.x; at < size / 2; at += blockDim.x) {
      const int i0 = at << 1, i1 = i0 + 1;
      const float d0 = data[i0], d1 = data[i1];
      data[i0] = d0 + d1;
      data[i1] = d0 - d1;
    }
  }
  __syncthreads();
  for (int at = threadIdx.x; at < size; at += blockDim.x)
    output[base + at] = data[at];
}
