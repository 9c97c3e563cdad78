# simtlab cc checks the final code of Vortex kernels. It warns of each branch without annotation at which lanes may
# diverge, and not of uniform branches.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
cat >k.c <<'C'
#include "vortex.h"
#include "simt.h"
#include <math.h>
struct work { unsigned n; unsigned *a; };
static void run(const void *argument)
{
  const struct work *w = argument;
  if (vx_thread_id() < w->n) // RUN
    w->a[vx_hart_id()] = 1;
}
SIMT_KERNEL(loop, (int *, a))
{
  int sum = 0;
  for (int j = 0; j < (int)threadIdx.x; j++) // LOOP
    sum += a[j] & j;
  if (blockIdx.x == 3) // uniform
    sum++;
  const int first = (int)threadIdx.x;
  for (int k = first; k < first + 7; k++) // the same number of iterations in all lanes
    sum += a[k & 31];
  a[threadIdx.x] = sum;
}
SIMT_KERNEL(library, (float *, a)) { a[threadIdx.x] = expf(a[threadIdx.x]); } // CALL
SIMT_KERNEL(hidden, (int *, a))
{
  int v = a[threadIdx.x];
  __asm__("bltz %0, 1f\n\tli %0, 3\n1:" : "+r"(v)); // HIDDEN
  a[threadIdx.x] = v;
}
SIMT_KERNEL(marked, (int *, a))
{
  SIMT_IF (threadIdx.x < 9) {
    SIMT_FOR (int i = threadIdx.x, i < 40, i += 3) {
      for (int k = 0; k < 5; k++)
        a[k] += a[i];
    }
  } SIMT_ENDIF
}
int main(void)
{
  struct work w = {3, simt_alloc(1024)};
  vx_run(run, &w);
  return 0;
}
C
line() { grep -n "// $1" k.c | cut -d: -f1; }
# warns OPTION... -- NAME...: cc warns of the lines with these comments and of no other.
warns() {
  options=
  while [ "$1" != -- ]; do options="$options $1"; shift; done
  shift
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options -o k.elf k.c
  for name; do line "$name"; done | sort >expected
  sed -n 's/^warning: .*(k\.c:\([0-9]*\).*lanes may .*one lane decides.*/\1/p' "$work/err" | sort >got
  cmp -s expected got || complain "$options: lines $(tr '\n' ' ' <got)instead of $(tr '\n' ' ' <expected): $(cat "$work/err")"
}
warns --target vortex --marks=user -- RUN LOOP CALL HIDDEN
says "loop+0x"
says "SIMT_IF"
says "expf, a library function"
warns --target vortex -- CALL HIDDEN
says "after it placed the annotations"
warns --target vortex64 --allocation stock -- CALL HIDDEN
expect 0 "$SIMTLAB" cc --target vortex --marks=user -w -o k.elf k.c
silent

# numbers OPTIONS MACHINE: computations without a branch in the source have none in the code. Each lane gets its value.
numbers() {
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $1 -o n.elf "$SOURCE/tests/cli/programs/numbers.c"
  silent
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q --fast -m $2 n.elf
  prints "0 wrong"
}
numbers "--target vortex" "vortex --set divergent_branch.faults=true"
numbers "--target vortex64" "vortex64 --set divergent_branch.faults=true"
if ! brief; then
  for allocation in stock unaware first-fit; do
    numbers "--target vortex64 --allocation $allocation" vortex64
  done
  numbers "--target sm7" sm7-1
fi
finish
