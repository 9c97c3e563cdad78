// Sparse matrix times vector in the ELLPACK format: every row has room for the same number of
// elements, and the n-th elements of all rows are next to each other.

#include "../common/bench.h"

// One thread per row. Unused room holds the value 0.
SIMT_KERNEL(sparse_mat_vec_mul, (int, rows), (int, row_length), (const int *, columns), (const int *, elements),
            (const int *, vector), (int *, out))
{
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int n = 0; n < row_length; n++) {
      const int element = elements[n * rows + row];
      SIMT_LEVEL
      if (element != 0)
        sum += element * vector[columns[n * rows + row]];
    }
    out[row] = sum;
  }
}

int main(int argc, char **argv)
{
  const int paper = bench_is_paper(argc, argv);
  const int rows = paper ? 2048 : 256;
  const int width = paper ? 2048 : 64;
  const int row_length = width / 16; // at most; on average half of it is used
  const int room = rows * row_length;
  int *const columns = simt_alloc(room * sizeof *columns);
  int *const elements = simt_alloc(room * sizeof *elements);
  int *const vector = simt_alloc(width * sizeof *vector);
  int *const out = simt_alloc(rows * sizeof *out);
  for (int i = 0; i < width; i++)
    vector[i] = bench_random() % 1024;
  for (int row = 0; row < rows; row++) {
    const int used = 1 + bench_random() % row_length;
    for (int n = 0; n < used; n++) {
      columns[n * rows + row] = bench_random() % width;
      elements[n * rows + row] = 1 + bench_random() % 1023;
    }
  }

  const unsigned block = bench_block(64);
  int passed =
      simt_launch(sparse_mat_vec_mul, dim3(bench_resident(block)), dim3(block), .rows = rows, .row_length = row_length,
                  .columns = columns, .elements = elements, .vector = vector, .out = out) == SIMT_OK;
  for (int row = 0; row < rows; row++) {
    int sum = 0;
    for (int i = row; i < room; i += rows)
      sum += elements[i] * vector[columns[i]];
    passed &= out[row] == sum;
  }
  return bench_verdict("SparseMatVecMul", passed);
}
