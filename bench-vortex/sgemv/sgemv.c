// y = A * v (BLAS), Z columns, a row per thread. A is stored by columns, as BLAS has it, or by rows (ROWS).

#include "../common/vortex_bench.h"

enum { Z = 8 };

#ifdef ROWS
#define NAME "sgemv_rows"
#define ROW_STEP(rows) Z    // from a row to the next
#define COLUMN_STEP(rows) 1 // from a column to the next
#else
#define NAME "sgemv"
#define ROW_STEP(rows) 1
#define COLUMN_STEP(rows) (rows)
#endif

struct arguments {
  struct vx_work work; // rows
  unsigned columns;
  const float *a, *v;
  float *y;
};

#if defined PREDICATED

static void sgemv(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned rows = arg->work.n, harts = arg->work.harts, columns = arg->columns;
  unsigned i = vx_hart_id();
  const float *row = arg->a + i * ROW_STEP(rows);
  float *y = arg->y + i;
  SIMT_IF (i < rows) {
    PREDICATED_DO {
      const float *a = row, *v = arg->v;
      float sum = 0;
      unsigned k = 0;
      PREDICATED_DO {
        sum = __builtin_fmaf(*a, *v, sum);
      } PREDICATED_WHILE(k++, k < columns, (a += COLUMN_STEP(rows), v++));
      *y = sum;
    } PREDICATED_WHILE(i += harts, i < rows, (row += harts * ROW_STEP(rows), y += harts));
  } SIMT_ENDIF
}

#else

static void sgemv(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
#ifdef SIMT_DMSL
  // Streams A row by row, and v again for each row.
  const float *const a = arg->a + i * ROW_STEP(arg->work.n);
  SIMT_LOOP_SET(columns, 1, SUMS == 2 ? Z / 2 - 1 : Z - 2, ~0u);
  SIMT_STREAM_IN_2D(0, a, COLUMN_STEP(arg->work.n), Z, harts * ROW_STEP(arg->work.n), share.rounds * Z);
  SIMT_STREAM_IN_2D(1, arg->v, 1, Z, 0, share.rounds * Z);
  SIMT_STREAM_OUT(2, arg->y + i, harts, share.rounds);
#if SUMS == 2
  float even, odd;
  SIMT_LOOP_ASM(items,
                "fmul.s %0, ft9, ft10\n\tfmul.s %1, ft9, ft10\n.Lsimt_columns_start: fmadd.s %0, ft9, ft10, %0\n"
                ".Lsimt_columns_end: fmadd.s %1, ft9, ft10, %1",
                "fadd.s ft11, %0, %1", "=&f"(even), "=&f"(odd) : : "memory");
#else
  float sum;
  SIMT_LOOP_ASM(items, "fmul.s %0, ft9, ft10\n.Lsimt_columns_start: .Lsimt_columns_end: fmadd.s %0, ft9, ft10, %0",
                "fmadd.s ft11, ft9, ft10, %0", "=&f"(sum) : : "memory");
#endif
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned rows = arg->work.n;
  SIMT_LOOP_SET(columns, 1, Z / UNROLL, ~0u);
  SIMT_SUM(sum);
  const float *row = arg->a + i * ROW_STEP(rows), *a;
  float *y = arg->y + i - harts, element;
  SIMT_LOOP (items, i < rows) {
    const float *v = arg->v, *const end = v + Z;
    a = row;
    sum = 0;
    row += harts * ROW_STEP(rows);
    y += harts;
    SIMT_REPEAT (columns) {
      REST(sum = __builtin_fmaf(*a, *v++, sum); a += COLUMN_STEP(rows);)
      element = *a;
      a += COLUMN_STEP(rows);
      v++;
    } SIMT_REPEAT_SUM(columns, sum, element, v[-1], (void)0, v != end);
  } SIMT_LOOP_STORE(items, y, sum, i += harts, i < rows);
#endif
}

#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned rows = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < rows, i += harts) {
    struct bench_sums sums = {{0}};
    for (unsigned k = 0; k < Z; k++)
      bench_add(&sums, k, bench_value(i * ROW_STEP(rows) + k * COLUMN_STEP(rows), 1), bench_value(k, 2));
    bench_expect(arg->y[i], bench_total(&sums));
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), rows = size * vx_harts();
  const struct arguments arg = {vx_divide(rows), Z, bench_array(rows * Z, 1), bench_array(Z, 2), bench_array(rows, 0)};
  return bench_run(NAME, sgemv, check, &arg, size, (uint64_t)rows * Z);
}
