# simtlab cc compiles a C file to a program that runs. simtlab disasm lists it with its source.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
mkdir tmp
export TMPDIR="$work/tmp"
cat >hello.c <<'C'
#include <stdio.h>
int main(void)
{
  puts(GREETING);
  return 0;
}
C
expect 0 "$SIMTLAB" cc -v '-DGREETING="it works"' -O1 -o hello.elf hello.c
says "riscv64-unknown-elf-gcc"
says "'-DGREETING=\"it works\"'"
expect 0 "$SIMTLAB" run -q hello.elf
prints "it works"
expect 0 "$SIMTLAB" disasm hello.elf
prints "<main>:"
prints "hello.c:4    puts(GREETING);"

# Float code uses fmul.s instead of a call only with --fp.
cat >scale.c <<'C'
float scale(float x, float y);
float scale(float x, float y)
{
  return x * y;
}
int main(void)
{
  volatile float x = 3;
  return scale(x, x) == 9 ? 0 : 1;
}
C
expect 0 "$SIMTLAB" cc --fp -o fp.elf scale.c
expect 0 "$SIMTLAB" disasm fp.elf
prints "fmul.s"
expect 0 "$SIMTLAB" run -q --machine simtight-fp fp.elf
expect 3 "$SIMTLAB" run -q fp.elf
expect 0 "$SIMTLAB" cc -o soft.elf scale.c
expect 0 "$SIMTLAB" run -q soft.elf

expect 2 "$SIMTLAB" cc -o x.elf
says "no file to compile"
expect 2 "$SIMTLAB" cc -o x.elf missing.c
says "missing.c: no such file"
expect 2 "$SIMTLAB" cc -o x.elf x.txt
says "x.txt: neither C"
expect 2 "$SIMTLAB" cc --pf -o x.elf hello.c
says "did you mean '--fp'?"
echo 'int main(' >wrong.c
expect 1 "$SIMTLAB" cc -o x.elf wrong.c
says "wrong.c:1"
says "failed (exit status 1)"
command="cc without a compiler"
PATH=/nonexistent "$SIMTLAB" cc -o x.elf wrong.c 2>err
[ $? -eq 2 ] || complain "exit status is not 2"
says "install the Debian package gcc-riscv64-unknown-elf"
[ -z "$(ls tmp)" ] || complain "temporary files are left"
expect 2 env TMPDIR=/nonexistent "$SIMTLAB" cc -o x.elf hello.c
says "no folder for temporary files can be made in /nonexistent"
# Compiler diagnostics for a kernel name the user's line and are short.
cat >"$work/unused.c" <<'C'
#include "simt.h"
SIMT_KERNEL(scale, (int, n), (int, factor), (int *, a))
{
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] *= 3;
}
int main(void)
{
  int *a = simt_alloc(400);
  return simt_launch(scale, dim3(1), dim3(128), .n = 100, .factor = 3, .a = a);
}
C
sed 's/a\[i\] \*= 3/a[i] *= facto/' "$work/unused.c" >"$work/typo.c"
for compiler in "" --clang; do
  expect 0 "$SIMTLAB" cc $compiler -o "$work/x.elf" "$work/unused.c"
  says "unused.c:2:"
  [ "$(wc -l <"$work/err")" -le 5 ] || complain "says $(wc -l <"$work/err") lines of an unused parameter"
  expect 1 "$SIMTLAB" cc $compiler -o "$work/x.elf" "$work/typo.c"
  says "typo.c:5:"
  [ "$(wc -l <"$work/err")" -le 12 ] || complain "says $(wc -l <"$work/err") lines of a typo"
done
finish
