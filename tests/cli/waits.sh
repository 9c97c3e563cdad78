# --marks=auto keeps loops in which lanes wait for each other as they are written: the lane that has got a lock releases
# it before it leaves the loop.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
for machine in simt:simtight simt:simtight-rfc-pp vortex:vortex-simx; do
  for level in -O1 -O2 -O3; do
    expect 0 "$SIMTLAB" cc --target ${machine%:*} --marks=auto $level -o waits.elf "$SOURCE/tests/cli/programs/waits.c"
    for mode in -q -qf; do
      expect 0 timeout 20 "$SIMTLAB" run $mode -m ${machine#*:} -c 20000000 waits.elf
    done
  done
done

# --warn-waits lists these loops and no others: the test of each loop of waits.c, none of a program without atomics.
source=$SOURCE/tests/cli/programs/waits.c
expect 0 "$SIMTLAB" cc -g --marks=auto --warn-waits -o waits.elf "$source"
for test in 'if (atomicExch' 'if (take(' 'if (\*now'; do
  says "waits.c:$(grep -n "$test" "$source" | cut -d: -f1): warning: in "
done
[ "$(grep -c "lanes may wait for each other in the loop of this test" err)" -eq 3 ] || complain "lists other loops"
expect 0 "$SIMTLAB" cc --target vortex --warn-waits -o waits.elf "$SOURCE/tests/cli/programs/divergence.c"
silent
expect 2 "$SIMTLAB" cc --warn-waits -o waits.elf "$source"
says "--warn-waits needs --marks=auto, whose tool finds the loops"
finish
