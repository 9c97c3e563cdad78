# Blocks larger than a core run in rounds on Vortex; a barrier in such a block ends the kernel with an error. On other
# machines an error comes before the kernel starts.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
line=$(grep -n 'line of this barrier' "$programs/rounds.c" | cut -d: -f1)
marks=user
[ ! -x "$BUILD/simtlab-marks" ] || marks="user auto"

set -- "cores=1" "warps=6" "cores=4 --set lanes=4 --set warps=2" "cores=2 --set lanes=32"
! brief || set -- "cores=4 --set lanes=4 --set warps=2"

strict="-q -m vortex --set divergent_branch.faults=true"
for mark in $marks; do
  expect 0 "$SIMTLAB" cc --target vortex --marks=$mark -o rounds-$mark.elf "$programs/rounds.c"
  silent
  for shape; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run --fast $strict --set $shape rounds-$mark.elf
    [ "$(grep -c ': 0 wrong' "$work/out")" -eq 4 ] || complain "a thread did not run exactly once: $(cat "$work/out")"
    prints "barrier: status 1, then right"
  done
done
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run $strict rounds-user.elf
prints "simt: kernel meets, rounds.c:$line: a barrier in a block of 1024 threads, of which the core runs 128 at a time"
prints "launch more blocks of 128 threads or less"
expect 0 "$SIMTLAB" run --fast -q -m vortex --set warps=6 rounds-user.elf
prints "of which the core runs 96 at a time: launch more blocks of 64 threads or less"

# Launches in rounds are counted under the kernel's name.
expect 0 "$SIMTLAB" run --fast -m vortex rounds-user.elf
[ "$(grep -cE '^ +[0-9]+  (count|meets|add_one) ' "$work/err")" -eq 6 ] || complain "does not name the kernels"

# Launched without main.
expect 0 "$SIMTLAB" run --fast -q -m vortex --launch "kernel=count,grid=3x2,block=1024,args=zero(24576):2" --dump counts=counts \
  rounds-user.elf
od -An -v -w4 -tu4 counts | awk '$1 != (NR - 1) % 1024 % 5 + 2 { wrong++ } END { exit NR != 6144 || wrong }' ||
  complain "a thread of the launch did not run exactly once"
expect 1 "$SIMTLAB" run --fast -q -m vortex --launch "kernel=meets,grid=3,block=1024,args=zero(4096)" rounds-user.elf
prints "rounds.c:$line: a barrier in a block of 1024 threads"

# Other machines have no rounds.
sed 's/dim3(256)/dim3(4096)/' "$programs/rounds.c" >large.c
expect 0 "$SIMTLAB" cc -o large.elf large.c
expect 1 "$SIMTLAB" run -q large.elf
prints "a block of 4096 x 1 x 1 threads exceeds the multiprocessor's 2048"
expect 0 "$SIMTLAB" cc --no-marks -o large.elf large.c
expect 1 "$SIMTLAB" run -q -m simty-plus large.elf
prints "threads exceeds the multiprocessor's 512"
finish
