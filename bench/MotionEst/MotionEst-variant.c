// Motion estimation by full search: for every block of a frame, the displacement into the previous
// frame with the least sum of absolute differences.

#include "../common/bench.h"

enum {
  SIDE = 8,             // pixels of a block's side
  REACH = 4,            // displacements are from -REACH to REACH - 1
  SPAN = 2 * REACH,     // displacements per direction
  WINDOW = SIDE + SPAN, // side of the part of the previous frame that a block is compared with
  PITCH = WINDOW + 8,   // of the window in shared memory: neighbouring rows are half the banks apart
  CANDIDATES = SPAN * SPAN,
};

// Frames have a border of REACH pixels, `pitch` is the distance of two rows. A thread computes the
// differences of one candidate; the block's threads then find the best one, of several with equal
// sums the first.
SIMT_KERNEL(motion_est, (int, pitch), (const uint8_t *, frame), (const uint8_t *, previous), (unsigned *, best))
{
  SIMT_SHARED(int[SIDE], block, SIDE);
  SIMT_SHARED(int[PITCH], window, WINDOW);
  SIMT_SHARED(unsigned, least, blockDim.x);
  const int origin = blockIdx.y * SIDE * pitch + blockIdx.x * SIDE;
  const int corner = origin - REACH * pitch - REACH;
  for (unsigned i = threadIdx.x; i < SIDE * SIDE; i += blockDim.x)
    block[i / SIDE][i % SIDE] = frame[origin + i / SIDE * pitch + i % SIDE];
  for (unsigned i = threadIdx.x; i < WINDOW * WINDOW; i += blockDim.x)
    window[i / WINDOW][i % WINDOW] = previous[corner + i / WINDOW * pitch + i % WINDOW];
  __syncthreads();

  unsigned found = UINT32_MAX;
  for (unsigned candidate = threadIdx.x; candidate < CANDIDATES; candidate += blockDim.x) {
    const int *const place = &window[candidate / SPAN][candidate % SPAN];
    unsigned sum = 0;
    for (int y = 0; y < SIDE; y++)
#pragma GCC unroll 8
      for (int x = 0; x < SIDE; x++) {
        // The sign mask makes the absolute value without a branch.
        const int difference = block[y][x] - place[y * PITCH + x];
        const int sign = difference >> 31;
        sum += (difference ^ sign) - sign;
      }
    const unsigned score = sum << 16 | candidate;
    found = score < found ? score : found;
  }
  least[threadIdx.x] = found;

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    SIMT_LEVEL
    if (threadIdx.x < half && least[threadIdx.x + half] < least[threadIdx.x])
      least[threadIdx.x] = least[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    best[blockIdx.y * gridDim.x + blockIdx.x] = least[0];
}

static unsigned score(int pitch, const uint8_t *block, const uint8_t *previous, unsigned candidate)
{
  const int dy = (int)(candidate / SPAN) - REACH;
  const int dx = (int)(candidate % SPAN) - REACH;
  unsigned sum = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      sum += abs(block[y * pitch + x] - previous[(y + dy) * pitch + x + dx]);
  return sum << 16 | candidate;
}

// The block is a displaced part of the previous frame with some noise of the lowest bit, which no
// other place of a random frame comes near to.
static unsigned make_block(int pitch, uint8_t *block, const uint8_t *previous)
{
  const unsigned candidate = bench_random() % CANDIDATES;
  const int dy = (int)(candidate / SPAN) - REACH;
  const int dx = (int)(candidate % SPAN) - REACH;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      block[y * pitch + x] = previous[(y + dy) * pitch + x + dx] ^ (bench_random() & 1);
  return candidate;
}

int main(int argc, char **argv)
{
  const int blocks = bench_is_paper(argc, argv) ? 64 : 8;
  const int pitch = blocks * SIDE + 2 * REACH;
  const int border = REACH * pitch + REACH;
  uint8_t *const frame = (uint8_t *)simt_alloc(pitch * pitch) + border;
  uint8_t *const previous = (uint8_t *)simt_alloc(pitch * pitch) + border;
  unsigned *const best = simt_alloc(blocks * blocks * sizeof *best);
  unsigned *const expected = simt_alloc(blocks * blocks * sizeof *expected);
  for (int i = 0; i < pitch * pitch; i++)
    previous[i - border] = (uint8_t)bench_random();
  for (int i = 0; i < blocks * blocks; i++) {
    const int origin = i / blocks * SIDE * pitch + i % blocks * SIDE;
    const unsigned candidate = make_block(pitch, frame + origin, previous + origin);
    expected[i] = score(pitch, frame + origin, previous + origin, candidate);
  }

  const unsigned block = bench_block(CANDIDATES);
  const size_t shared = sizeof(int[SIDE][SIDE]) + sizeof(int[WINDOW][PITCH]) + block * sizeof *best;
  int passed = simt_launch_shared(motion_est, dim3(blocks, blocks), dim3(block), shared, .pitch = pitch, .frame = frame,
                                  .previous = previous, .best = best) == SIMT_OK;
  for (int i = 0; i < blocks * blocks; i++)
    passed &= best[i] == expected[i];
  return bench_verdict("MotionEst", passed);
}
