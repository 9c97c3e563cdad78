# Host programs: what they share with kernels, and how they end.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# A function inlined into both host and kernel code has a kernel's convergence marks in the host's code too.
cat >shared.c <<'C'
#include <simt.h>
#include <stdio.h>
#define N 64
SIMT_INLINE int gcd(int a, int b)
{
  SIMT_WHILE (a != b) {
    SIMT_IF (a > b)
      a -= b;
    SIMT_ELSE
      b -= a;
    SIMT_ENDIF
  }
  return a;
}
SIMT_KERNEL(gcds, (int *, c))
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  c[i] = gcd(i + 1, 60);
}
int main(void)
{
  int *const c = simt_alloc(N * sizeof *c), bad = 0;
  if (simt_launch(gcds, dim3(N / 32), dim3(32), .c = c) != SIMT_OK)
    return 1;
  for (int i = 0; i < N; i++)
    bad += c[i] != gcd(i + 1, 60);
  puts(bad ? "different" : "equal");
  return bad != 0;
}
C
expect 0 "$SIMTLAB" cc -o shared.elf shared.c
"$SIMTLAB" disasm shared.elf | sed -n '/^<main>:\|<main>/,/^$/p' | grep -q 'simt.push' || complain "main has no marks"
for machine in simtight simtight-rfc-pp simty-plus; do
  for mode in "-q" "-qf"; do
    expect 0 "$SIMTLAB" run $mode -m $machine shared.elf
    prints equal
  done
done

finish
