// Temperatures of a chip: a tile of 16 x 16 points takes several time steps, and its valid part shrinks by a frame in
// each. The factor 2.0 is of double precision, as in the published program.

enum { SIDE = 16 };

extern "C" __global__ void calculate_temperatures(int steps, float *power, float *from, float *to, int columns,
                                                  int rows, int frame_columns, int frame_rows, float capacity,
                                                  float rx, float ry, float rz, float step, float elapsed)
{
  __shared__ float now[SIDE][SIDE];
  __shared__ float heat[SIDE][SIDE];
  __shared__ float next[SIDE][SIDE];
  const float ambient = 80.0f, share = step / capacity, rx1 = 1 / rx, ry1 = 1 / ry, rz1 = 1 / rz;
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int useful_rows = SIDE - steps * 2, useful_columns = SIDE - steps * 2;
  const int top = useful_rows * by - frame_rows, left = useful_columns * bx - frame_columns;
  const int y = top + ty, x = left + tx, at = columns * y + x;
  if (y >= 0 && y <= rows - 1 && x >= 0 && x <= columns - 1) {
    now[ty][tx] = from[at];
    heat[ty][tx] = power[at];
  }
  __syncthreads();
  const int first_row = top < 0 ? -top : 0, first_column = left < 0 ? -left : 0;
  const int last_row = top + SIDE - 1 > rows - 1 ? SIDE - 1 - (top + SIDE - rows) : SIDE - 1;
  const int last_column = left + SIDE - 1 > columns - 1 ? SIDE - 1 - (left + SIDE - columns) : SIDE - 1;
  const int north = ty - 1 < first_row ? first_row : ty - 1, south = ty + 1 > last_row ? last_row : ty + 1;
  const int west = tx - 1 < first_column ? first_column : tx - 1, east = tx + 1 > last_column ? last_column : tx + 1;
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= SIDE - i - 2 && ty >= i + 1 && ty <= SIDE - i - 2 && tx >= first_column &&
        tx <= last_column && ty >= first_row && ty <= last_row) {
      computed = true;
      next[ty][tx] = now[ty][tx] + share * (heat[ty][tx] +
                                            (now[south][tx] + now[north][tx] - 2.0 * now[ty][tx]) * ry1 +
                                            (now[ty][east] + now[ty][west] - 2.0 * now[ty][tx]) * rx1 +
                                            (ambient - now[ty][tx]) * rz1);
    }
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    to[at] = next[ty][tx];
}
