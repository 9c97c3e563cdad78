// C = A * B (BLAS), Z products per element. As many columns as threads: each computes its own, row by row.

#include "../common/vortex_bench.h"

enum { Z = 8 };

struct arguments {
  struct vx_work work; // of all elements of the result
  unsigned columns, products;
  const float *a, *b; // n / columns rows of Z, Z rows of columns
  float *c;
};

#if defined PREDICATED

static void sgemm(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, columns = arg->columns, products = arg->products;
  unsigned i = vx_hart_id();
  const float *row = arg->a, *const column = arg->b + i;
  float *c = arg->c + i;
  SIMT_IF (i < n) {
    PREDICATED_DO {
      const float *a = row, *b = column;
      float sum = 0;
      unsigned k = 0;
      PREDICATED_DO {
        sum = __builtin_fmaf(*a, *b, sum);
      } PREDICATED_WHILE(k++, k < products, (a++, b += columns));
      *c = sum;
    } PREDICATED_WHILE(i += columns, i < n, (row += products, c += columns));
  } SIMT_ENDIF
}

#else

static void sgemm(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned columns = arg->columns;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
#ifdef SIMT_DMSL
  // Streams A in memory order, and the column of B again for each row.
  SIMT_LOOP_SET(products, 1, SUMS == 2 ? Z / 2 - 1 : Z - 2, ~0u);
  SIMT_STREAM_IN(0, arg->a, 1, share.rounds * Z);
  SIMT_STREAM_IN_2D(1, arg->b + i, columns, Z, 0, share.rounds * Z);
  SIMT_STREAM_OUT(2, arg->c + i, columns, share.rounds);
#if SUMS == 2
  float even, odd;
  SIMT_LOOP_ASM(items,
                "fmul.s %0, ft9, ft10\n\tfmul.s %1, ft9, ft10\n.Lsimt_products_start: fmadd.s %0, ft9, ft10, %0\n"
                ".Lsimt_products_end: fmadd.s %1, ft9, ft10, %1",
                "fadd.s ft11, %0, %1", "=&f"(even), "=&f"(odd) : : "memory");
#else
  float sum;
  SIMT_LOOP_ASM(items, "fmul.s %0, ft9, ft10\n.Lsimt_products_start: .Lsimt_products_end: fmadd.s %0, ft9, ft10, %0",
                "fmadd.s ft11, ft9, ft10, %0", "=&f"(sum) : : "memory");
#endif
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned n = arg->work.n;
  SIMT_LOOP_SET(products, 1, Z / UNROLL, ~0u);
  const float *a = arg->a, *const column = arg->b + i;
  float *c = arg->c + i - columns, last;
  SIMT_SUM(sum);
  SIMT_LOOP (items, i < n) {
    const float *b = column, *const end = a + Z;
    sum = 0;
    c += columns;
    SIMT_REPEAT (products) {
      REST(sum = __builtin_fmaf(*a++, *b, sum); b += columns;)
      last = *b;
      b += columns;
      a++;
    } SIMT_REPEAT_SUM(products, sum, a[-1], last, (void)0, a != end);
  } SIMT_LOOP_STORE(items, c, sum, i += columns, i < n);
#endif
}

#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    const unsigned row = i / arg->columns, column = i % arg->columns;
    struct bench_sums sums = {{0}};
    for (unsigned k = 0; k < Z; k++)
      bench_add(&sums, k, bench_value(row * Z + k, 1), bench_value(k * arg->columns + column, 2));
    bench_expect(arg->c[i], bench_total(&sums));
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), columns = vx_harts(), n = size * columns;
  const struct arguments arg = {vx_divide(n), columns, Z, bench_array(size * Z, 1), bench_array(Z * columns, 2),
                                bench_array(n, 0)};
  return bench_run("sgemm", sgemm, check, &arg, size, (uint64_t)n * Z);
}
