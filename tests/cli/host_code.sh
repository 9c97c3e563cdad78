# Host programs: code shared with kernels, and the end of the program.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# A function that is inlined into host and kernel code has convergence marks in both.
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

# A jump to the base of the code, where the boot loader is, ends a program. An ELF header that the linker placed there
# is not code.
cat >base.S <<'S'
        .globl  main
main:   lui     t0, 0x8000
        jr      t0
S
for extra in "" "-DTALKS"; do
  cat >talks.c <<'C'
#include <stdio.h>
int back(void);
int main(void)
{
#ifdef TALKS
  puts("Self test: FAILED");
#endif
  return back();
}
C
  sed 's/main/back/' base.S >back.S
  expect 0 "$SIMTLAB" cc $extra -o base.elf talks.c back.S
  expect $([ -z "$extra" ] && echo 0 || echo 1) "$SIMTLAB" run -q base.elf
done
riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -nostdlib -static -Wl,-Ttext=0x08000400,-z,separate-code,-e,main \
  -o header.elf base.S 2>err || complain "does not link"
expect 0 "$SIMTLAB" run -q header.elf

finish
