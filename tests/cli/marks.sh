# simtlab cc --marks=auto: programs without marks in the source are right on machines whose lanes share a program
# counter.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
mkdir tmp
export TMPDIR="$work/tmp"
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }

# On this machine a divergent branch without marks is a fault. auto is the default for Vortex.
for program in plain_control plain_kernels; do
  expect 0 "$SIMTLAB" cc --target vortex -o vortex.elf "$programs/$program.c"
  silent
  expect 0 "$SIMTLAB" cc --marks=auto -o simt.elf "$programs/$program.c"
  silent
  set -- "vortex --fast" "vortex-simx --fast" "vortex --fast --set lanes=4"
  brief || set -- "$@" vortex vortex-simx "vortex --fast --set lanes=32 --set warps=4" "vortex --fast --set cores=2"
  for run; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q --set divergent_branch.faults=true -m $run vortex.elf
    silent
  done
  for run in simtight "simtight --fast" simtight-rfc-pp; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m $run simt.elf
  done
done
prints "levels: right"
prints "convolution: 0 of 960 wrong"

# Without marks, one lane decides for all.
expect 0 "$SIMTLAB" cc --target vortex --marks=user -o user.elf "$programs/plain_control.c"
expect 3 "$SIMTLAB" run -q -m vortex --set divergent_branch.faults=true user.elf
says "or let the compiler do so (--marks=auto)"

# On SIMTight kernels get marks in pairs that the source does not have; host code gets none.
count() { "$SIMTLAB" disasm "$1" | grep -c "$2"; }
expect 0 "$SIMTLAB" cc --marks=auto -o simt.elf "$programs/plain_kernels.c"
expect 0 "$SIMTLAB" cc --clang -o none.elf "$programs/plain_kernels.c"
pushes=$(($(count simt.elf simt.push) - $(count none.elf simt.push)))
pops=$(($(count simt.elf simt.pop) - $(count none.elf simt.pop)))
[ "$pushes" -ge 5 ] && [ "$pops" -ge 5 ] || complain "$pushes pushes and $pops pops more with marks than without"

# Invalid combinations, and a missing tool.
expect 2 "$SIMTLAB" cc --target vortex --marks=hand -o x.elf "$programs/plain_control.c"
says "unknown kind of marks 'hand'"
expect 2 "$SIMTLAB" cc --target vortex --marks=auto --cfm -o x.elf "$programs/stream_loop.c"
says "leave --marks=auto out"
expect 2 "$SIMTLAB" cc --no-marks --marks auto -o x.elf "$programs/plain_control.c"
says "exclude each other"
mkdir alone
cp "$SIMTLAB" alone/simtlab
ln -s "$SOURCE/runtime" alone/runtime
expect 2 alone/simtlab cc --target vortex -o x.elf "$programs/plain_control.c"
says "alone/simtlab-marks, which inserts convergence marks, is not there"
says "add --marks=user"
expect 0 alone/simtlab cc --target vortex --marks=user -o x.elf "$programs/plain_control.c"
expect 2 "$BUILD/simtlab-marks" vortex "$programs/plain_control.c"
says "usage: simtlab-marks"
expect 1 "$BUILD/simtlab-marks" vortex "$programs/plain_control.c" x.o
says "bitcode"
[ -z "$(ls -A tmp)" ] || complain "leaves temporary files: $(ls tmp)"
finish
