// Exclusive prefix sum by the work-efficient algorithm: up-sweep and down-sweep over a balanced tree
// in shared memory for tiles of 1024 elements, a scan of the tiles' sums, and their addition.

#include "../common/bench.h"

enum { TILE = 1024, LOG_BANKS = 4 };

// One word of padding per row of banks: threads a power of two apart then meet different banks.
#define PADDED(i) ((i) + ((i) >> LOG_BANKS))

SIMT_KERNEL(scan_tile, (const int *, in), (int *, out), (int *, sums))
{
  SIMT_SHARED(int, tree, PADDED(TILE));
  const unsigned base = blockIdx.x * TILE;
  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
    tree[PADDED(i)] = in[base + i];

  // Up-sweep: the right child of every pair becomes the sum of the pair.
  unsigned distance = 1;
  for (unsigned pairs = TILE / 2; pairs > 0; pairs /= 2) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < pairs; i += blockDim.x) {
      const unsigned left = distance * (2 * i + 1) - 1;
      const unsigned right = left + distance;
      tree[PADDED(right)] += tree[PADDED(left)];
    }
    distance *= 2;
  }
  __syncthreads();

  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[PADDED(TILE - 1)];
    tree[PADDED(TILE - 1)] = 0;
  }

  // Down-sweep: the left child gets the parent's prefix, the right one that plus the left sum.
  for (unsigned pairs = 1; pairs < TILE; pairs *= 2) {
    distance /= 2;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < pairs; i += blockDim.x) {
      const unsigned left = distance * (2 * i + 1) - 1;
      const unsigned right = left + distance;
      const int sum = tree[PADDED(left)];
      const int prefix = tree[PADDED(right)];
      tree[PADDED(left)] = prefix;
      tree[PADDED(right)] = prefix + sum;
    }
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
    out[base + i] = tree[PADDED(i)];
}

SIMT_KERNEL(add_sums, (const int *, sums), (int *, out))
{
  const int sum = sums[blockIdx.x];
  int *const tile = out + blockIdx.x * TILE;
  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
    tile[i] += sum;
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1024000 : 4096;
  const unsigned tiles = n / TILE;
  int *const in = simt_alloc(n * sizeof *in);
  int *const out = simt_alloc(n * sizeof *out);
  int *const sums = simt_alloc(TILE * sizeof *sums); // a whole tile, whose rest is 0
  int *const prefixes = simt_alloc(TILE * sizeof *prefixes);
  int *const total = simt_alloc(sizeof *total);
  for (int i = 0; i < n; i++)
    in[i] = bench_random() % 1024;

  const dim3 block = dim3(bench_block(TILE / 2));
  const size_t shared = PADDED(TILE) * sizeof *in;
  int passed =
      simt_launch_shared(scan_tile, dim3(tiles), block, shared, .in = in, .out = out, .sums = sums) == SIMT_OK &&
      simt_launch_shared(scan_tile, dim3(1), block, shared, .in = sums, .out = prefixes, .sums = total) == SIMT_OK &&
      simt_launch(add_sums, dim3(tiles), block, .sums = prefixes, .out = out) == SIMT_OK;
  int prefix = 0;
  for (int i = 0; i < n; i++) {
    passed &= out[i] == prefix;
    prefix += in[i];
  }
  passed &= *total == prefix;
  return bench_verdict("Scan", passed);
}
