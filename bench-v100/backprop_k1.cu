// Backpropagation, forward pass: each block multiplies a tile of 16 x 16 weights by 16 inputs and adds its columns.

enum { SIDE = 16 };

extern "C" __global__ void layer_forward(const float *input, float *weights, float *sums, int hidden)
{
  __shared__ float node[SIDE];
  __shared__ float product[SIDE][SIDE];
  const int tile = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  const int at = (hidden + 1) * (SIDE * tile + y + 1) + x + 1;
  if (x == 0)
    node[y] = input[SIDE * tile + y + 1];
  __syncthreads();
  product[y][x] = weights[at];
  __syncthreads();
  product[y][x] = product[y][x] * node[y];
  __syncthreads();
  for (int level = 1; level <= 4; level++) {
    const int width = __powf(2, level); /* at run time, and so is the remainder */
    if (y % width == 0)
      product[y][x] += product[y + width / 2][x];
    __syncthreads();
  }
  weights[at] = product[y][x];
  __syncthreads();
  if (x == 0)
    sums[tile * hidden + y] = product[x][y];
}
