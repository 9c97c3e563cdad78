# A fault in an inlined function of a header names the user's line and the line of the header.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >helper.h <<'C'
SIMT_INLINE void put(int *at, int value)
{
  *(volatile int *)at = value;
}
SIMT_INLINE void twice(int *at, int value)
{
  put(at, 2 * value);
}
C
cat >k.c <<'C'
#include <simt.h>
#include "helper.h"
SIMT_KERNEL(half_barrier, (int *, a))
{
  SIMT_DIVERGE if (threadIdx.x < 16)
    __syncthreads(); /* THE BARRIER */
  a[threadIdx.x] = 1;
}
SIMT_KERNEL(far_store, (int *, a))
{
  twice(a + 0x1fffffff, (int)threadIdx.x); /* THE STORE */
}
int main(int argc, char **argv)
{
  int *a = simt_alloc(4096);
  (void)argv;
  return argc > 1 ? simt_launch(far_store, dim3(1), dim3(64), .a = (int *)3) : simt_launch(half_barrier, dim3(1), dim3(64), .a = a);
}
C
line() { grep -n "$1" k.c | cut -d: -f1; }
for compiler in "" --clang; do
  expect 0 "$SIMTLAB" cc $compiler -o k.elf k.c
  for mode in "" --fast; do
    command="barrier $compiler $mode"
    "$SIMTLAB" run -q $mode k.elf >out 2>err && complain "does not fail"
    says "(k.c:$(line 'THE BARRIER'); inlined from simt_marks.h:"
    command="store $compiler $mode"
    "$SIMTLAB" run -q $mode k.elf x >out 2>err && complain "does not fail"
    says "(k.c:$(line 'THE STORE'); inlined from helper.h:3)"
  done
done
finish
