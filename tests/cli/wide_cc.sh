# simtlab cc --target vortex64 compiles functions for more registers with each allocation; the programs check their
# results.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
command -v llc-19 >/dev/null || { echo "skipped: no llc-19"; exit 77; }

# NAME OPTION...: compiles the benchmark without diagnostics and runs it functionally.
passes() {
  name=$1
  shift
  expect 0 "$SIMTLAB" cc --target vortex64 "$@" -o p.elf "$SOURCE/bench/$name/$name.c"
  silent
  expect 0 "$SIMTLAB" run -q --fast -m vortex64 -s registers=256 p.elf
  prints "$name: PASSED"
}

# Barriers, divergence, floats; then shapes of the register file.
programs="BlockedStencil MotionEst MatMul_Float"
allocations="unaware first-fit cost"
brief && programs=BlockedStencil && allocations=cost
for name in $programs; do
  for allocation in $allocations; do
    passes "$name" --allocation $allocation
  done
done
passes VecGCD --registers 32
passes VecGCD --registers 64 --banks 8 --bank-map folded
passes VecGCD --registers=256 --banks=1
passes VecAdd --saved 32-40,200 --registers 256 --bank-map blocks
passes VecGCD -w --registers 16 --saved none

# Objects of a frame that 12 bits cannot reach are where the code looks for them, whoever calls whom.
{
  printf '#include <stdio.h>\nvoid fill(int *, int, int);\n__attribute__((noinline)) void fill(int *p, int n, int v)\n{\n'
  printf '  for (int i = 0; i < n; i++)\n    p[i] = v + i;\n}\nint main(int argc, char **argv)\n{\n  (void)argv;\n'
  for i in 1 2 3 4 5 6 7 8; do echo "  int a$i[67]; char c$i[$i]; fill(a$i, 67, $i); c$i[0] = $i; __asm__(\"\" : : \"r\"(c$i) : \"memory\"); a$i[argc] = $i;"; done
  printf '  int sum = 0, more = 0;\n'
  for i in 1 2 3 4 5 6 7 8; do echo "  sum += a$i[1] + a$i[65] + a$i[66] + c$i[0]; more += a$i[0] - a$i[2];"; done
  printf '  printf("%%d %%d\\n", sum, more);\n  return 0;\n}\n'
} >frame.c
for allocation in stock $allocations unaware; do
  expect 0 "$SIMTLAB" cc --target vortex64 --allocation $allocation -o p.elf frame.c
  expect 0 "$SIMTLAB" run -q --fast -m vortex64 -s registers=256 p.elf
  prints "1192 -16"
done

# What it is for: the register file is read with fewer conflicts than by chance, and memory holds no spilled registers.
for allocation in unaware cost; do
  expect 0 "$SIMTLAB" cc --target vortex64 --allocation $allocation -o m-$allocation.elf "$SOURCE/bench/MatMul/MatMul.c"
  expect 0 "$SIMTLAB" disasm m-$allocation.elf
  sed -n '/<mat_mul_thread>\|<mat_mul>/,/^$/p' "$work/out" | grep -c '# bank' >conflicts-$allocation
done
[ "$(cat conflicts-cost)" -lt "$(cat conflicts-unaware)" ] || complain "cost leaves as many conflicts as unaware"

# Functions that are not compiled are named, unless warnings are off; the program still works.
expect 0 "$SIMTLAB" cc --target vortex64 --registers 16 -o p.elf "$SOURCE/bench/VecGCD/VecGCD.c"
says "note: simt_run has the stock compiler's code for 32 registers: it needs register x16, but there are 16"

# Instructions have source lines.
expect 0 "$SIMTLAB" cc --target vortex64 -o v.elf "$SOURCE/bench/VecAdd/VecAdd.c"
expect 0 "$SIMTLAB" profile -m vortex64 v.elf
prints "VecAdd.c:8  c[i] = a[i] + b[i];"

# A machine with too few registers is an error; objects and archives carry the code that the link step compiles.
expect 0 "$SIMTLAB" run -q -m vortex64 p.elf
expect 0 "$SIMTLAB" cc --target vortex64 -c -o v.o "$SOURCE/bench/VecAdd/VecAdd.c"
expect 0 "$SIMTLAB" cc --target vortex64 --registers 256 -o v.elf v.o
expect 0 "$SIMTLAB" run -q --fast -m vortex64 -s registers=256 v.elf
prints "VecAdd: PASSED"
expect 2 "$SIMTLAB" run -q -m vortex64 v.elf
says "compiled for 256 registers, vortex64 has 128"

# Without LLVM's code generator cc translates stock code.
mkdir few
for tool in clang-19 riscv64-unknown-elf-gcc; do ln -s "$(command -v $tool)" few; done
expect 2 env PATH="$work/few" "$SIMTLAB" cc --target vortex64 -o x.elf "$SOURCE/bench/VecAdd/VecAdd.c"
says "llc-19 is not installed; install the Debian package llvm-19, or add --allocation stock"
expect 0 env PATH="$work/few" "$SIMTLAB" cc --target vortex64 --allocation stock -o x.elf "$SOURCE/bench/VecAdd/VecAdd.c"

# Invalid combinations.
v=$SOURCE/bench/VecAdd/VecAdd.c
expect 2 "$SIMTLAB" cc --target vortex --registers 64 -o x.elf "$v"
says "--registers is of programs in 64-bit words: add --target vortex64"
expect 2 "$SIMTLAB" cc --target vortex64 --registers 15 -o x.elf "$v"
says "--registers is 16 to 256, not '15'"
expect 2 "$SIMTLAB" cc --target vortex64 --banks 9 -o x.elf "$v"
says "--banks is 1 to 8, not '9'"
expect 2 "$SIMTLAB" cc --target vortex64 --allocation best -o x.elf "$v"
says "--allocation best is unknown: it is unaware, first-fit, cost or stock"
expect 2 "$SIMTLAB" cc --target vortex64 --bank-map odd -o x.elf "$v"
says "--bank-map odd is unknown: it is modulo, blocks or folded"
expect 2 "$SIMTLAB" cc --target vortex64 --allocation stock --banks 4 -o x.elf "$v"
says "--banks: --allocation stock is code for RISC-V's 32 registers"
for list in 8-40 40-32 40, 256 x ''; do
  expect 2 "$SIMTLAB" cc --target vortex64 --saved "$list" -o x.elf "$v"
  says "write numbers of registers from 32 to 255"
done
finish
