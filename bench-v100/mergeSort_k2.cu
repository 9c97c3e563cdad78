// Sorts 1024 keys with values per block by merging in shared memory: a key's place is its rank in both halves.

enum { SIZE = 1024 };

template <bool INCLUSIVE>
__device__ static unsigned rank(unsigned value, const unsigned *keys, unsigned count, unsigned step)
{
  unsigned at = 0;
  for (; step > 0; step >>= 1) {
    const unsigned next = min(at + step, count);
    if (INCLUSIVE ? keys[next - 1] <= value : keys[next - 1] < value)
      at = next;
  }
  return at;
}

extern "C" __global__ void __launch_bounds__(SIZE / 2)
    sort_blocks(unsigned *to_key, unsigned *to_value, unsigned *from_key, unsigned *from_value, unsigned length)
{
  __shared__ unsigned key[SIZE];
  __shared__ unsigned value[SIZE];
  const unsigned t = threadIdx.x, base = blockIdx.x * SIZE + t;
  key[t] = from_key[base];
  value[t] = from_value[base];
  key[t + SIZE / 2] = from_key[base + SIZE / 2];
  value[t + SIZE / 2] = from_value[base + SIZE / 2];
  for (unsigned stride = 1; stride < length; stride <<= 1) {
    const unsigned own = t & (stride - 1);
    unsigned *keys = key + 2 * (t - own), *values = value + 2 * (t - own);
    __syncthreads();
    const unsigned key_a = keys[own], value_a = values[own], key_b = keys[own + stride], value_b = values[own + stride];
    const unsigned at_a = rank<false>(key_a, keys + stride, stride, stride) + own;
    const unsigned at_b = rank<true>(key_b, keys, stride, stride) + own;
    __syncthreads();
    keys[at_a] = key_a;
    values[at_a] = value_a;
    keys[at_b] = key_b;
    values[at_b] = value_b;
  }
  __syncthreads();
  to_key[base] = key[t];
  to_value[base] = value[t];
  to_key[base + SIZE / 2] = key[t + SIZE / 2];
  to_value[base + SIZE / 2] = value[t + SIZE / 2];
}
