// Distance of every record to one place: the kernel of Rodinia's nearest neighbours.

#include "../common/vortex_bench.h"

struct arguments {
  struct vx_work work;
  float latitude, longitude;
  const float *latitudes, *longitudes;
  float *distances;
};

// The latitude's square is rounded, then the longitude's square is added: one multiplication, one multiply-add.
static inline float distance(float latitude, float longitude, float y, float x)
{
  const float dy = latitude - y, dx = longitude - x, square = dy * dy;
  return __builtin_sqrtf(__builtin_fmaf(dx, dx, square));
}

#if defined PREDICATED

static void knn(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const float y = arg->latitude, x = arg->longitude;
  unsigned i = vx_hart_id();
  const float *latitudes = arg->latitudes + i, *longitudes = arg->longitudes + i;
  float *d = arg->distances + i;
  SIMT_IF (i < n) {
    PREDICATED_DO {
      *d = distance(*latitudes, *longitudes, y, x);
    } PREDICATED_WHILE(i += harts, i < n, (latitudes += harts, longitudes += harts, d += harts));
  } SIMT_ENDIF
}

#elif UNROLL > 1

static void knn(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const float y = arg->latitude, x = arg->longitude;
  unsigned i = vx_hart_id();
  const float *latitudes = arg->latitudes + i, *longitudes = arg->longitudes + i;
  float *d = arg->distances + i;
#define ITEM                                                                                                           \
  *d = distance(*latitudes, *longitudes, y, x);                                                                        \
  latitudes += harts;                                                                                                  \
  longitudes += harts;                                                                                                 \
  d += harts;
  const unsigned last = (UNROLL - 1) * harts;
  SIMT_FOR ((void)0, i + last < n, i += UNROLL * harts) {
    UNROLLED(ITEM)
  }
  SIMT_FOR ((void)0, i < n, i += harts) {
    ITEM
  }
}

#else

static void knn(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned harts = arg->work.harts;
  const float y = arg->latitude, x = arg->longitude;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
#ifdef SIMT_DMSL
  SIMT_STREAM_IN(0, arg->latitudes + i, harts, share.rounds);
  SIMT_STREAM_IN(1, arg->longitudes + i, harts, share.rounds);
  SIMT_STREAM_OUT(2, arg->distances + i, harts, share.rounds);
  float dy, dx;
  SIMT_LOOP_ASM(items, "fsub.s %0, ft9, %2\n\tfsub.s %1, ft10, %3\n\tfmul.s %0, %0, %0\n\tfmadd.s %0, %1, %1, %0",
                "fsqrt.s ft11, %0", "=&f"(dy), "=&f"(dx) : "f"(y), "f"(x) : "memory");
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
#else
  const unsigned n = arg->work.n;
  const float *latitudes = arg->latitudes + i - harts, *longitudes = arg->longitudes + i - harts;
  float *d = arg->distances + i - harts;
  SIMT_LOOP (items, i < n) {
    latitudes += harts;
    longitudes += harts;
    d += harts;
  } SIMT_LOOP_STORE(items, d, distance(*latitudes, *longitudes, y, x), i += harts, i < n);
#endif
}

#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    bench_expect(arg->distances[i], distance(bench_value(i, 1), bench_value(i, 2), arg->latitude, arg->longitude));
  }
}

int main(int argc, char **argv)
{
  const unsigned size = bench_size(argc, argv, 24), n = size * vx_harts();
  const struct arguments arg = {vx_divide(n), 3.25f, -1.5f, bench_array(n, 1), bench_array(n, 2), bench_array(n, 0)};
  return bench_run("knn", knn, check, &arg, size, 5ull * n);
}
