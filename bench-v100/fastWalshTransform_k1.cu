// Walsh transform, a step of radix 4 in global memory: each thread combines four elements that are a stride apart.

extern "C" __global__ void butterflies(float *output, const float *input, int stride)
{
  const int at = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x * 4;
  const float *from = input + blockIdx.y * size;
  float *to = output + blockIdx.y * size;
  const int low = at & (stride - 1), i0 = ((at - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
  const float d0 = from[i0], d1 = from[i1], d2 = from[i2], d3 = from[i3];
  const float even = d0 + d2, evens = d0 - d2, odd = d1 + d3, odds = d1 - d3;
  to[i0] = even + odd;
  to[i1] = even - odd;
  to[i2] = evens + odds;
  to[i3] = evens - odds;
}
