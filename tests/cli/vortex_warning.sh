# On Vortex one lane decides a branch for the warp. If its lanes disagree, simtlab warns once, with the line, in every
# mode.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >loop.c <<'C'
#include "simt.h"
SIMT_KERNEL(triangle, (int *, a))
{
  const int i = threadIdx.x;
  int sum = 0;
  for (int j = 0; j < i; j++)
    sum += a[j] & j;
  a[i + 64] = sum;
}
int main(int argc, char **argv)
{
  (void)argv;
  int *const a = simt_alloc(128 * sizeof *a);
  return argc > 1 && simt_launch(triangle, dim3(1), dim3(64), .a = a) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc --target vortex --marks=user -o loop.elf loop.c
for machine in vortex vortex-cfm "vortex --set cores=2" "vortex-simx --set divergent_branch.faults=false"; do
  for mode in "" --fast --quiet; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run $mode -m $machine loop.elf launched
    says "(loop.c:6): lanes of a warp diverged at this branch, and one lane decided it for all"
    [ "$(grep -c "warning" "$work/err")" = 1 ] || complain "does not warn once"
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run $mode --quiet -m $machine loop.elf
    silent
  done
done
expect 0 "$SIMTLAB" run --quiet -m vortex --launch kernel=triangle,grid=1,block=64,'args=iota(128)' loop.elf
says "(loop.c:6): lanes of a warp diverged"
finish
