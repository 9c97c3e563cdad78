/* A sparse matrix times a vector: a tile of eight threads per row (cooperative groups), lambdas for the elements. */
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void multiply(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  const auto element = [=](int e) { return values[e] * __ldg(&x[columns[e]]); };
  float sum = 0;
  if (row < n)
    for (int e = rows[row] + tile.thread_rank(); e < rows[row + 1]; e += tile.size())
      sum += element(e);
  for (int step = tile.size() / 2; step > 0; step /= 2)
    sum += tile.shfl_down(sum, step);
  if (row < n && tile.thread_rank() == 0)
    y[row] = sum;
}

int main()
{
  const int n = 2000;
  random_numbers next;
  std::vector<int> rows(1, 0), columns;
  std::vector<float> values, x = random_vector(n), y(n);
  for (int r = 0; r < n; r++) {
    for (int e = (int)(next() * 30); e > 0; e--) {
      columns.push_back((int)(next() * n));
      values.push_back(next());
    }
    rows.push_back((int)columns.size());
  }
  int *dr = to_device(rows), *dc = to_device(columns);
  float *dv = to_device(values), *dx = to_device(x), *dy = to_device(y);
  multiply<<<(n + 15) / 16, 128>>>(dr, dc, dv, dx, dy, n);
  for (int r = 0; r < n; r++) {
    double sum = 0;
    for (int e = rows[r]; e < rows[r + 1]; e++)
      sum += (double)values[e] * (double)x[columns[e]];
    y[r] = (float)sum;
  }
  return report("sparse", to_host(dy, n), y, 1e-5);
}
