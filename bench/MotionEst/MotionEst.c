// Motion estimation by full search: the sums of absolute differences between each block of a frame and the blocks of
// the previous frame around the same place.

#include "../common/suite.h"

#ifdef SIMT_VORTEX
enum { LOG_REGION = 4 };
#else
enum { LOG_REGION = 6 };
#endif

enum {
  SIDE = 4, // pixels of a block's side
  LOG_SIDE = 2,
  REACH = 4,             // displacements are from -REACH to REACH in both directions
  SPAN = 2 * REACH + 1,  // displacements per direction
  VECTORS = SPAN * SPAN, // displacements
  REGION = 1 << LOG_REGION,
  MARGIN = 32, // left and right of the window, so that its rows begin aligned
  HEIGHT = REGION + 2 * REACH,
  WIDTH = REGION + 2 * MARGIN,
};

// One region of the frame, whose sides are powers of two of at most REGION: first its pixels and those of the previous
// frame around it are brought to shared memory, where what is outside of that frame counts as 0. Then every thread
// takes pairs of a block and a displacement.
SUITE_KERNEL(motion_est, (const int *, current), (const int *, previous), (int, frame_width), (int, frame_height),
             (int, region_x), (int, region_y), (int, log_width), (int, log_height), (int *, sums))
{
  SUITE_SHARED(int[REGION], tile, REGION);
  SUITE_SHARED(int[WIDTH], window, HEIGHT);
  const int width = 1 << log_width;
  const int height = 1 << log_height;
  const int t = threadIdx.x;
  const int threads = blockDim.x;

  for (int y = 0; y < height; y++) {
    for (int x = t; x < width; x += threads)
      tile[y][x] = current[(region_y + y) * frame_width + region_x + x];
    simt_converge();
  }
  __syncthreads();

  for (int y = 0; y < height + 2 * REACH; y++) {
    for (int x = t; x < width + 2 * MARGIN; x += threads) {
      const int fx = region_x + x - MARGIN;
      const int fy = region_y + y - REACH;
      const int outside = (fy < 0) | (fy >= frame_height) | (fx < 0) | (fx >= frame_width);
      SIMT_LEVEL
      if (outside)
        window[y][x] = 0;
      else
        window[y][x] = previous[fy * frame_width + fx];
    }
    simt_converge();
  }
  __syncthreads();

  const int blocks = 1 << (log_width - LOG_SIDE) << (log_height - LOG_SIDE);
  for (int i = t; i < blocks * VECTORS; i += threads) {
    const int block = i / VECTORS;
    const int vector = i % VECTORS;
    const int block_x = block & ((width >> LOG_SIDE) - 1);
    const int block_y = block >> (log_width - LOG_SIDE);
    const int dy = vector / SPAN;
    const int dx = vector % SPAN;
    const int x = block_x * SIDE;
    const int y = block_y * SIDE;
    int sum = 0;
    for (int row = 0; row < SIDE; row++) {
      const int *p = tile[y + row], *q = window[y + dy + row];
      for (int column = 0; column < SIDE; column++) {
        int difference = p[x + column] - q[x - REACH + MARGIN + dx + column];
        SIMT_LEVEL
        difference = difference < 0 ? -difference : difference;
        sum += difference;
      }
    }
    sums[i] = sum;
  }
}

static int pixel(const int *frame, int side, int x, int y)
{
  return x < 0 || x >= side || y < 0 || y >= side ? 0 : frame[y * side + x];
}

static int expected(const int *current, const int *previous, int side, int block_x, int block_y, int vector)
{
  int sum = 0;
  for (int y = block_y; y < block_y + SIDE; y++)
    for (int x = block_x; x < block_x + SIDE; x++)
      sum += abs(current[y * side + x] - pixel(previous, side, x + vector % SPAN - REACH, y + vector / SPAN - REACH));
  return sum;
}

int main(int argc, char **argv)
{
  const int log_side = bench_is_paper(argc, argv) ? 6 : 3;
  const int side = 1 << log_side;
  const int log_region = log_side < LOG_REGION ? log_side : LOG_REGION;
  const int region = 1 << log_region;
  const int row = region / SIDE; // blocks
  const int count = row * row * VECTORS;
  int *const current = simt_alloc(side * side * sizeof *current);
  int *const previous = simt_alloc(side * side * sizeof *previous);
  int *const sums = simt_alloc(count * sizeof *sums);
  struct suite_random random = {1};
  for (int i = 0; i < side * side; i++) {
    current[i] = suite_next(&random) & 0xFF;
    previous[i] = suite_next(&random) & 0xFF;
  }

  const dim3 block = dim3(bench_block(SUITE_THREADS));
  const size_t shared = sizeof(int[REGION][REGION]) + sizeof(int[HEIGHT][WIDTH]);
  int passed = 1;
  for (int y = 0; y < side; y += region)
    for (int x = 0; x < side; x += region) {
      passed &= suite_launch(motion_est, dim3(1), block, shared, .current = current, .previous = previous,
                             .frame_width = side, .frame_height = side, .region_x = x, .region_y = y,
                             .log_width = log_region, .log_height = log_region, .sums = sums) == SIMT_OK;
      for (int i = 0; i < count; i++)
        passed &= sums[i] == expected(current, previous, side, x + i / VECTORS % row * SIDE,
                                      y + i / VECTORS / row * SIDE, i % VECTORS);
    }
  return bench_verdict("MotionEst", passed);
}
