// Sparse matrix times vector in the ELLPACK format: every row has room for the same number of elements, and the n-th
// elements of all rows are next to each other.

#include "../common/suite.h"

// One thread per row. Unused room holds the value 0 of column 0.
SUITE_KERNEL(sparse_mat_vec_mul, (int, rows), (int, row_length), (const int *, columns), (const int *, elements),
             (const int *, vector), (int *, out))
{
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    int sum = 0;
    for (int n = 0; n < row_length; n++)
      sum += elements[rows * n + row] * vector[columns[rows * n + row]];
    out[row] = sum;
  }
}

// A band of ascending columns: the first column, then random distances below 16.
static void fill_row(struct suite_random *random, int row, int rows, int width, int row_length, int *columns,
                     int *elements)
{
  int column = suite_next(random) & 15;
  for (int n = 0; n < row_length && column < width; n++) {
    elements[rows * n + row] = suite_next(random) & 0xFF;
    columns[rows * n + row] = column;
    column += suite_next(random) & 15;
  }
}

int main(int argc, char **argv)
{
  const int paper = bench_is_paper(argc, argv);
  const int rows = paper ? 2048 : 64;
  const int width = paper ? 2048 : 256;
  const int row_length = width / 8;
  const int room = rows * row_length;
  int *const columns = simt_alloc(room * sizeof *columns);
  int *const elements = simt_alloc(room * sizeof *elements);
  int *const vector = simt_alloc(width * sizeof *vector);
  int *const out = simt_alloc(rows * sizeof *out);
  struct suite_random random = {1};
  for (int i = 0; i < width; i++)
    vector[i] = suite_next(&random) & 0xFF;
  for (int row = 0; row < rows; row++)
    fill_row(&random, row, rows, width, row_length, columns, elements);

  const unsigned block = bench_block(32);
  int passed =
      suite_launch(sparse_mat_vec_mul, dim3(2048 / block), dim3(block), 0, .rows = rows, .row_length = row_length,
                   .columns = columns, .elements = elements, .vector = vector, .out = out) == SIMT_OK;
  for (int row = 0; row < rows; row++) {
    int sum = 0;
    for (int i = row; i < room; i += rows)
      sum += elements[i] * vector[columns[i]];
    passed &= out[row] == sum;
  }
  return bench_verdict("SparseMatVecMul", passed);
}
