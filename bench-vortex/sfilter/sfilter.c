// 3 x 3 filter of an image with a margin. There are as many columns as threads: each computes its own, row by row.

#include "../common/vortex_bench.h"

struct arguments {
  struct vx_work work; // of all pixels
  unsigned columns;
  const float *in; // (rows + 2) x (columns + 2)
  const float *weights;
  float *out;
};

static void sfilter(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned columns = arg->columns, pitch = columns + 2;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  float *out = arg->out + i;
#ifdef SIMT_DMSL
  // A stream per row of the window, which moves down a row with every item; the weights are in registers.
  const float *const w = arg->weights;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_STREAM_IN_2D(0, arg->in + i, 1, 3, pitch, share.rounds * 3);
  SIMT_STREAM_IN_2D(1, arg->in + i + pitch, 1, 3, pitch, share.rounds * 3);
  SIMT_STREAM_IN_2D(2, arg->in + i + 2 * pitch, 1, 3, pitch, share.rounds * 3);
#if SUMS == 2
#define SECOND "fmul.s %1, ft9, %5\n\t"
#define ODD "%1"
#define TOTAL "fadd.s %0, %0, %1\n\t"
#else
#define SECOND "fmadd.s %0, ft9, %5, %0\n\t"
#define ODD "%0"
#define TOTAL ""
#endif
#define SUM(sum, stream, weight) "fmadd.s " sum ", " stream ", " weight ", " sum "\n\t"
  float sum, odd;
  SIMT_LOOP_ASM(items,
                "fmul.s %0, ft9, %4\n\t" SECOND SUM("%0", "ft9", "%6") SUM(ODD, "ft10", "%7") SUM("%0", "ft10", "%8")
                    SUM(ODD, "ft10", "%9") SUM("%0", "ft11", "%10") SUM(ODD, "ft11", "%11") SUM("%0", "ft11", "%12")
                        TOTAL "fsw %0, 0(%2)",
                "add %2, %2, %3", "=&f"(sum), "=&f"(odd), "+r"(out)
                : "r"(4 * columns), "f"(w[0]), "f"(w[1]), "f"(w[2]), "f"(w[3]), "f"(w[4]), "f"(w[5]), "f"(w[6]),
                  "f"(w[7]), "f"(w[8])
                : "memory");
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned n = arg->work.n;
  const float *in_0 = arg->in + i, *in_1 = in_0 + pitch, *in_2 = in_1 + pitch;
#define TAP(y, x) sum = __builtin_fmaf(in_##y[x], arg->weights[3 * (y) + (x)], sum);
#define ROW(y) TAP(y, 0) TAP(y, 1) TAP(y, 2) in_##y += pitch;
#if defined PREDICATED
  SIMT_IF (i < n) {
    PREDICATED_DO {
      float sum = 0;
      ROW(0) ROW(1) ROW(2)
      *out = sum;
    } PREDICATED_WHILE(i += columns, i < n, out += columns);
  } SIMT_ENDIF
#elif UNROLL > 1
#define ITEM                                                                                                           \
  {                                                                                                                    \
    float sum = 0;                                                                                                     \
    ROW(0) ROW(1) ROW(2)                                                                                               \
    *out = sum;                                                                                                        \
    out += columns;                                                                                                    \
  }
  const unsigned last = (UNROLL - 1) * columns;
  SIMT_FOR ((void)0, i + last < n, i += UNROLL * columns) {
    UNROLLED(ITEM)
  }
  SIMT_FOR ((void)0, i < n, i += columns) {
    ITEM
  }
#else
  float sum;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  out -= columns;
  SIMT_LOOP (items, i < n) {
    sum = 0;
    ROW(0) ROW(1) ROW(2)
    out += columns;
  } SIMT_LOOP_STORE(items, out, sum, i += columns, i < n);
#endif
#endif
}

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts, pitch = arg->columns + 2;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    const unsigned row = i / arg->columns, column = i % arg->columns;
    struct bench_sums sums = {{0}};
    for (unsigned y = 0; y < 3; y++)
      for (unsigned x = 0; x < 3; x++)
        bench_add(&sums, 3 * y + x, bench_value((row + y) * pitch + column + x, 1), bench_value(3 * y + x, 2));
    bench_expect(arg->out[i], bench_total(&sums));
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), columns = vx_harts(), n = size * columns;
  const struct arguments arg = {vx_divide(n), columns, bench_array((size + 2) * (columns + 2), 1), bench_array(9, 2),
                                bench_array(n, 0)};
  return bench_run("sfilter", sfilter, check, &arg, size, 9ull * n);
}
