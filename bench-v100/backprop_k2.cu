// Backpropagation, weight update with momentum. Both statements read the operands, because the arrays may overlap.

enum { SIDE = 16 };
#define RATE 0.3f
#define MOMENTUM 0.3f

extern "C" __global__ void adjust_weights(float *delta, int hidden, float *layer, int inputs, float *weights,
                                          float *before)
{
  const int tile = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  const int at = (hidden + 1) * (SIDE * tile + y + 1) + x + 1, row = SIDE * tile + y + 1, column = x + 1;
  weights[at] += RATE * delta[column] * layer[row] + MOMENTUM * before[at];
  before[at] = RATE * delta[column] * layer[row] + MOMENTUM * before[at];
  __syncthreads();
  if (y == 0 && tile == 0) {
    weights[column] += RATE * delta[column] + MOMENTUM * before[column];
    before[column] = RATE * delta[column] + MOMENTUM * before[column];
  }
}
