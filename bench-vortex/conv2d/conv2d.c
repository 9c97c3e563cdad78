// Convolution of an image of C channels to one of K, 3 x 3. There are as many columns as threads: each thread computes
// all channels of a pixel of its own column, row by row. A row of the image holds the channels one after the other, so
// that the rows a pixel depends on, (row, channel) to (row + 2, channel), are 3 * C rows in sequence.

#include "../common/vortex_bench.h"

enum { C = 8, K = 8, F = 3, LINES = F * C, TAPS = LINES * F };

struct arguments {
  struct vx_work work; // of all pixels
  unsigned columns;
  unsigned channels, results, width; // C, K, F
  const float *in;      // rows + 2, of C channels of columns + 2
  const float *weights; // K of LINES x F
  float *out;           // rows of K channels of columns
};

#if defined PREDICATED

static void conv2d(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, columns = arg->columns, pitch = columns + 2;
  const unsigned channels = arg->channels, results = arg->results, width = arg->width;
  unsigned i = vx_hart_id();
  const float *window = arg->in + i;
  float *out = arg->out + i;
  SIMT_IF (i < n) {
    PREDICATED_DO {
      const float *w = arg->weights;
      unsigned k = 0;
      PREDICATED_DO {
        const float *line = window;
        float sum = 0;
        unsigned y = 0;
        PREDICATED_DO {
          unsigned c = 0;
          PREDICATED_DO {
            const float *tap = line;
            unsigned x = 0;
            PREDICATED_DO {
              sum = __builtin_fmaf(*tap, *w, sum);
            } PREDICATED_WHILE(x++, x < width, (tap++, w++));
          } PREDICATED_WHILE(c++, c < channels, line += pitch);
        } PREDICATED_WHILE(y++, y < width, (void)0);
        *out = sum;
      } PREDICATED_WHILE(k++, k < results, out += columns);
    } PREDICATED_WHILE(i += columns, i < n, window += channels * pitch);
  } SIMT_ENDIF
}

#else

static void conv2d(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned columns = arg->columns, pitch = columns + 2;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_LOOP_SET(channels, 1, K, ~0u);
  const float *in = arg->in + i;
  float *out = arg->out + i;
#ifdef SIMT_DMSL
  // Streams the window again for each channel, since moving the stream restarts it. The weights are streamed in memory
  // order, K times TAPS, again for each pixel.
  SIMT_LOOP_SET(taps, 2, TAPS - 2, ~0u);
  SIMT_STREAM_IN_2D(0, in, 1, F, pitch, TAPS);
  SIMT_STREAM_IN_2D(1, arg->weights, 1, K * TAPS, 0, share.rounds * K * TAPS);
  SIMT_STREAM_OUT(2, out, columns, share.rounds * K);
  float sum;
  SIMT_LOOP_ASM(items,
                ".Lsimt_channels_start: csrw %2, %1\n\tfmul.s %0, ft9, ft10\n"
                ".Lsimt_taps_start: .Lsimt_taps_end: fmadd.s %0, ft9, ft10, %0\n"
                ".Lsimt_channels_end: fmadd.s ft11, ft9, ft10, %0",
                "add %1, %1, %3", "=&f"(sum), "+r"(in)
                : "i"(VX_UNIT_CSR(1, 0, 0)), "r"(4 * C * pitch)
                : "memory");
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned n = arg->work.n;
  SIMT_LOOP_SET(lines, 2, LINES, ~0u);
  SIMT_LOOP_SET(taps, 3, F, ~0u);
  SIMT_SUM(sum);
  const float *w, *end;
  out -= columns;
  SIMT_LOOP (items, i < n) {
    const float *const window = in, *const last = arg->weights + K * TAPS;
    w = arg->weights;
    in += C * pitch;
    SIMT_REPEAT (channels) {
      const float *line = window;
      end = w + TAPS;
      sum = 0;
      out += columns;
      SIMT_REPEAT (lines) {
        const float *tap = line;
        line += pitch;
#if UNROLL > 1
        sum = __builtin_fmaf(tap[0], w[0], sum);
        sum = __builtin_fmaf(tap[1], w[1], sum);
        sum = __builtin_fmaf(tap[2], w[2], sum);
        w += F;
      } SIMT_REPEAT_WHILE(lines, (void)0, w != end);
#else
        const float *const line_end = w + F;
        SIMT_REPEAT (taps) {
          tap++;
          w++;
        } SIMT_REPEAT_SUM(taps, sum, tap[-1], w[-1], (void)0, w != line_end);
      } SIMT_REPEAT_WITH(lines, taps, (void)0, w != end);
#endif
    } SIMT_REPEAT_STORE(channels, out, sum, (void)0, w != last);
  } SIMT_LOOP_WITH(items, channels, i += columns, i < n);
#endif
}

#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts, pitch = arg->columns + 2;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    const unsigned row = i / arg->columns, column = i % arg->columns;
    for (unsigned k = 0; k < K; k++) {
      float sum = 0;
      for (unsigned line = 0; line < LINES; line++)
        for (unsigned x = 0; x < F; x++)
          sum = __builtin_fmaf(arg->in[(row * C + line) * pitch + column + x], arg->weights[k * TAPS + line * F + x],
                               sum);
      bench_expect(arg->out[(row * K + k) * arg->columns + column], sum);
    }
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 8), columns = vx_harts(), n = size * columns;
  const struct arguments arg = {vx_divide(n), columns, C, K, F, bench_array((size + 2) * C * (columns + 2), 1),
                                bench_array(K * TAPS, 2), bench_array(n * K, 0)};
  return bench_run("conv2d", conv2d, check, &arg, size, (uint64_t)n * K * TAPS);
}
