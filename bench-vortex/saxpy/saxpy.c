// y = a * x + y (BLAS).

#include "../common/vortex_bench.h"

struct arguments {
  struct vx_work work;
  float a;
  const float *x;
  float *y;
};

#if defined PREDICATED

static void saxpy(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const float a = arg->a;
  unsigned i = vx_hart_id();
  const float *x = arg->x + i;
  float *y = arg->y + i;
  SIMT_IF (i < n) {
    PREDICATED_DO {
      *y = a * *x + *y;
    } PREDICATED_WHILE(i += harts, i < n, (x += harts, y += harts));
  } SIMT_ENDIF
}

#elif UNROLL > 1

static void saxpy(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const float a = arg->a;
  unsigned i = vx_hart_id();
  const float *x = arg->x + i;
  float *y = arg->y + i;
#define ITEM                                                                                                           \
  *y = a * *x + *y;                                                                                                    \
  x += harts;                                                                                                          \
  y += harts;
  const unsigned last = (UNROLL - 1) * harts;
  SIMT_FOR ((void)0, i + last < n, i += UNROLL * harts) {
    UNROLLED(ITEM)
  }
  SIMT_FOR ((void)0, i < n, i += harts) {
    ITEM
  }
}

#else

static void saxpy(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned harts = arg->work.harts;
  const float a = arg->a;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
#ifdef SIMT_DMSL
  SIMT_STREAM_IN(0, arg->x + i, harts, share.rounds);
  SIMT_STREAM_IN(1, arg->y + i, harts, share.rounds);
  SIMT_STREAM_OUT(2, arg->y + i, harts, share.rounds);
  SIMT_LOOP_ASM(items, "", "fmadd.s ft11, %0, ft9, ft10", : "f"(a) : "memory");
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned n = arg->work.n;
  const float *x = arg->x + i - harts;
  float *y = arg->y + i - harts;
  SIMT_LOOP (items, i < n) {
    x += harts;
    y += harts;
  } SIMT_LOOP_STORE(items, y, a * *x + *y, i += harts, i < n);
#endif
}

#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    bench_expect(arg->y[i], __builtin_fmaf(arg->a, bench_value(i, 1), bench_value(i, 2)));
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), n = size * vx_harts();
  const struct arguments arg = {vx_divide(n), 2.5f, bench_array(n, 1), bench_array(n, 2)};
  return bench_run("saxpy", saxpy, check, &arg, size, n);
}
