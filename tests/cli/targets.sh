# A note records a program's target; a machine of another kind says which target to compile for.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#include <stdio.h>
SIMT_KERNEL(fill, (int *, a))
{
  a[threadIdx.x] = (int)threadIdx.x;
}
int main(int argc, char **argv)
{
  int *a = simt_alloc(128 * sizeof *a);
  printf("argument %s\n", argc > 1 ? argv[1] : "none");
  return simt_launch(fill, dim3(1), dim3(128), .a = a) != SIMT_OK || a[127] != 127;
}
C
for target in simt vortex sm7; do
  expect 0 "$SIMTLAB" cc --target $target -o $target.elf k.c
done

# wrong PROGRAM MACHINE TARGET: the error names the program's target and the command to compile for this machine.
wrong() {
  for how in run profile "run --fast"; do
    # shellcheck disable=SC2086
    expect 2 "$SIMTLAB" $how -m "$2" "$1.elf"
    says "$1.elf: compiled for $1, not for $2; compile it with simtlab cc --target $3, or run it on "
  done
}
for machine in simtight simty-plus; do
  wrong vortex $machine simt
  wrong sm7 $machine simt
done
for machine in vortex vortex-simx; do
  wrong simt $machine vortex
  wrong sm7 $machine vortex
done
wrong simt sm7-1 sm7
wrong vortex sm7-1 sm7
for machine in simty cyclotron; do
  expect 2 "$SIMTLAB" run -m $machine simt.elf
  says "compiled for simt, not for $machine, which has no host CPU and runs programs without launches; run it on simtight"
done

# A program without the note, as other linkers make them, is judged by its instructions.
for machine in simt vortex; do
  riscv64-unknown-elf-objcopy -R .note.simtlab $machine.elf bare.elf
  expect 0 "$SIMTLAB" run -q -m $([ $machine = simt ] && echo simtight || echo vortex) bare.elf
done

# A source file is compiled for the machine.
for machine in simtight simtight-fp simty-plus vortex vortex64 sm7-1; do
  expect 0 "$SIMTLAB" run -q -m $machine k.c small
  prints "argument small"
done
expect 0 "$SIMTLAB" run -q -m vortex64 -s registers=64 k.c
expect 0 "$SIMTLAB" profile -q k.c
expect 2 "$SIMTLAB" run -m simty k.c
says "k.c: simtlab cc makes no programs for simty"
expect 0 "$SIMTLAB" compare -m simtight,vortex64:registers=64,vortex64 k.c
expect 2 "$SIMTLAB" run nothing.c
says "nothing.c: no such file"

# Options may precede or follow the program; the program's own options follow --.
expect 0 "$SIMTLAB" run simt.elf -q small --stats s.json
prints "argument small"
[ -s s.json ] || complain "the option after the program is ignored"
expect 0 "$SIMTLAB" run -q simt.elf -- --stats
prints "argument --stats"
expect 2 "$SIMTLAB" run -q simt.elf --stast s.json
says "did you mean '--stats'? Arguments of the program that begin with - come after --"
expect 2 "$SIMTLAB" run -q simt.elf -5
says "unknown option '-5'; --help lists the options. Arguments of the program that begin with - come after --"

# --machine and --machines are one option.
expect 0 "$SIMTLAB" run -q --machines simtight simt.elf
expect 0 "$SIMTLAB" compare --machine simtight,simty-plus simt.elf
expect 2 "$SIMTLAB" run --machine simtight,simty-plus simt.elf
says "'simtight,simty-plus' is a list of machines; simtlab compare takes lists"
expect 0 "$SIMTLAB" -V
cp out version 2>/dev/null || cp "$work/out" version
expect 0 "$SIMTLAB" --version
cmp -s "$work/out" version || complain "-V is not --version"

# A file on standard output is not mixed with other output.
for how in "run -q --stats -" "run --stats -" "profile --json -" "profile -q --json -" "compare -m simtight --json -"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" $how simt.elf
  python3 -c "import json; json.load(open('$work/out'))" || complain "standard output has more than the JSON"
done
expect 0 "$SIMTLAB" run -q --stats - simt.elf
says "argument none"
expect 0 "$SIMTLAB" run -q --trace-commits - simt.elf
grep -q "^argument" "$work/out" && complain "the console is mixed with the commits"
expect 0 "$SIMTLAB" profile --html - simt.elf
[ "$(head -c 15 "$work/out")" = '<!DOCTYPE html>' ] || complain "standard output has more than the page"
expect 2 "$SIMTLAB" profile --html - --json - simt.elf
says "--html - and --json - are the same file"

# A quiet run prints the requested energy and nothing else.
expect 0 "$SIMTLAB" run -q --energy 45nm simt.elf
says "energy by set 45nm"
[ "$(grep -c 'cycles' "$work/err")" -eq 0 ] || complain "prints more than the energy"
finish
