// y = A * v (BLAS), A in rows of Z elements, a row per thread.

#include "../common/vortex_bench.h"

enum { Z = 8 };

struct arguments {
  struct vx_work work; // rows
  const float *a, *v;
  float *y;
};

static void sgemv(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
#ifdef SIMT_DMSL
  // Row after row of A; v again for each.
  SIMT_LOOP_SET(columns, 1, Z - 2, ~0u);
  SIMT_STREAM_IN_2D(0, arg->a + i * Z, 1, Z, harts * Z, share.rounds * Z);
  SIMT_STREAM_IN_2D(1, arg->v, 1, Z, 0, share.rounds * Z);
  SIMT_STREAM_OUT(2, arg->y + i, harts, share.rounds);
  float sum;
  SIMT_LOOP_ASM(items, "fmul.s %0, ft9, ft10\n.Lsimt_columns_start: .Lsimt_columns_end: fmadd.s %0, ft9, ft10, %0",
                "fmadd.s ft11, ft9, ft10, %0", "=&f"(sum) : : "memory");
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned rows = arg->work.n;
  SIMT_LOOP_SET(columns, 1, Z / UNROLL, ~0u);
  SIMT_SUM(sum);
  const float *row = arg->a + i * Z, *a, *v;
  float *y = arg->y + i - harts;
  SIMT_LOOP (items, i < rows) {
    const float *const end = arg->v + Z;
    a = row;
    v = arg->v;
    sum = 0;
    row += harts * Z;
    y += harts;
    SIMT_REPEAT (columns) {
      REST(sum = __builtin_fmaf(*a++, *v++, sum);)
      a++;
      v++;
    } SIMT_REPEAT_SUM(columns, sum, a[-1], v[-1], (void)0, v != end);
  } SIMT_LOOP_STORE(items, y, sum, i += harts, i < rows);
#endif
}

static void check(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned rows = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < rows, i += harts) {
    float sum = 0;
    for (unsigned k = 0; k < Z; k++)
      sum = __builtin_fmaf(bench_value(i * Z + k, 1), bench_value(k, 2), sum);
    bench_expect(arg->y[i], sum);
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), rows = size * vx_harts();
  const struct arguments arg = {vx_divide(rows), bench_array(rows * Z, 1), bench_array(Z, 2), bench_array(rows, 0)};
  return bench_run("sgemv", sgemv, check, &arg, size, (uint64_t)rows * Z);
}
