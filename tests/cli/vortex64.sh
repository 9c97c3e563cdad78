# simtlab cc --target vortex64 --allocation stock translates stock code to 64-bit words and links it with the C library;
# programs
# run on vortex64.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }

for name in VecAdd Scan Histogram MatMul_Float; do
  expect 0 "$SIMTLAB" cc --target vortex64 --allocation stock -o $name.elf "$SOURCE/bench/$name/$name.c"
  silent
  expect 0 "$SIMTLAB" run -q --fast -m vortex64 $name.elf
  prints "$name: PASSED"
done
expect 0 "$SIMTLAB" run -q -m vortex64 -s registers=32 -s registers.total=2048 VecAdd.elf
prints "VecAdd: PASSED"
expect 0 "$SIMTLAB" run -q -m vortex64 -s cores=2 -s warps=4 MatMul_Float.elf
prints "MatMul_Float: PASSED"
expect 0 "$SIMTLAB" profile -m vortex64 VecAdd.elf
prints "VecAdd.c"

# Invalid combinations.
expect 2 "$SIMTLAB" run -m vortex VecAdd.elf
says "the program's instructions are 64-bit words, but vortex executes RV32; choose a machine such as vortex64"
expect 2 "$SIMTLAB" run -m vortex64 -s registers=16 VecAdd.elf
says "compiled for 32 registers, vortex64 has 16"
expect 2 "$SIMTLAB" cc --target vortex64 --cfm -o x.elf "$SOURCE/bench/VecAdd/VecAdd.c"
says "--cfm is an extension of --target vortex: vortex64 has none"
echo 'int main(void) { return missing(); } ' >m.c
command="a function that is nowhere"
"$SIMTLAB" cc --target vortex64 -Wno-implicit-function-declaration -o m.elf m.c 2>"$work/err"
[ $? -eq 2 ] || complain "exit status is not 2"
says "missing"
[ ! -e m.elf ] || complain "leaves a program"

# Separate objects: they contain RV32 code until they are linked.
expect 0 "$SIMTLAB" cc --target vortex64 --allocation stock -c -o v.o "$SOURCE/bench/VecAdd/VecAdd.c"
expect 0 "$SIMTLAB" cc --target vortex64 --allocation stock -o v.elf v.o
expect 0 "$SIMTLAB" run -q --fast -m vortex64 v.elf
prints "VecAdd: PASSED"
finish
