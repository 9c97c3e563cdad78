# Barriers of a block in programs whose lanes may run apart (vortex_meet): they count threads, also after launches with
# blocks of another size.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
cat >barriers.c <<'C'
#include "simt.h"
SIMT_KERNEL(turn, (volatile int *, w))
{
  SIMT_SHARED(int, lock, 1);
  *lock = 0;
  simt_barrier();
  while (atomicExch(lock, 1) != 0)
    ;
  ++*w;
  atomicExch(lock, 0);
  simt_barrier();
  w[1 + threadIdx.x] = *w;
}
int main(void)
{
  volatile int *const w = simt_alloc(1024);
  int bad = 0;
  for (unsigned i = 0, n = simt_shape().lanes; i < 3; i++, n = simt_shape().lanes << (i % 2 * 2)) {
    *w = 0;
    bad |= simt_launch(turn, dim3(1), dim3(n), .w = w) != SIMT_OK;
    for (unsigned t = 0; t < n; t++)
      bad |= w[1 + t] != (int)n;
  }
  return bad;
}
C
expect 0 "$SIMTLAB" cc --target vortex -o barriers.elf barriers.c
for machine in vortex-scs vortex-its; do
  for mode in -q -qf; do
    expect 0 timeout 20 "$SIMTLAB" run $mode -c 20000000 -m $machine -s lanes=4 barriers.elf
  done
done
finish
