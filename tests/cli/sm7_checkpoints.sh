# On sm7 a run resumed from a checkpoint gives the results of an uninterrupted run, with any operations in flight.
. "$(dirname "$0")/_lib.sh"
cp "$SOURCE/tests/cli/programs/grid_kernels.c" "$work" && cd "$work" || exit 1

# same FILE FILE: statistics are equal except for host time.
same() {
  sed '/"host": {/,/}/d' "$1" >one
  sed '/"host": {/,/}/d' "$2" >other
  cmp -s one other || complain "results differ: $(diff one other | head -3)"
}

# RISC-V programs: while the host runs, and at cycles of the kernels.
expect 0 "$SIMTLAB" cc --target sm7 -o grid.elf grid_kernels.c
goes_on() { # PROGRAM OPTION... -- CYCLE...
  program=$1 options=
  while shift && [ "$1" != -- ]; do options="$options $1"; done
  shift
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $options --stats whole.json "$program"
  cp out whole.out
  for at; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $options --save-at "$at" half "$program"
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $options --restore half --stats rest.json "$program"
    same whole.json rest.json
  done
}
goes_on grid.elf -m sm7-4 -- 30000 41100 43000 47000 50001 52500 54321
goes_on grid.elf -m sm7 -s icache=on -s ccache=on -- 41500 48000
goes_on grid.elf -m sm7-1 -s issue.most=2 -s dram.scheduler=fifo -- 42000 53000
goes_on grid.elf -m sm7-1 -s l1.prefetch=next-line -s l1.replacement=random -s l2.replacement=random -s l2.sets=1 -s l2.ways=2 -- 42000 53000
goes_on grid.elf -m sm7-r2d2 -s crossbar=rr -s memory.perfect=on -- 44000
goes_on grid.elf -m sm7-4 -s crossbar.queues=virtual -s l2.delay=20 -- 42000 52500
goes_on grid.elf -m sm7 --fast -- 1000 41500 45000 46600

# Linear registers: checkpoints in the phases of the linear parts and in the rest.
expect 0 "$SIMTLAB" linear -b -o grid-linear.elf grid.elf
goes_on grid-linear.elf -m sm7-r2d2 -s clusters=1 -- 41010 41100 41500 43000 47000
goes_on grid-linear.elf -m sm7-r2d2 --fast -- 41005 41500 45000
goes_on grid-linear.elf -m sm7-r2d2 -s clusters=1 -s r2d2.shadow=on -- 41100 47000

# Launch scripts of PTX kernels: the checksums cover memory; several launches, and checkpoints between them.
kernels=$SOURCE/reference/ptx/kernels
goes_on "$kernels/saxpy.s.launch" -m sm7-4 -- 0 900 2500
goes_on "$kernels/bfs.s.launch" -m sm7-4 -- 800 4100

# Linear registers: checkpoints while operands are summed behind the collectors.
expect 0 "$SIMTLAB" linear -o linear.ptx "$kernels/stencil.ptx"
sed 's/^ptx .*/ptx linear.ptx/' "$kernels/stencil.s.launch" >linear.launch
goes_on linear.launch -m sm7-r2d2 -s clusters=1 -- 603 2502 4100
if ! brief; then
  for kernel in bitonic dstencil gemm hist lud nbody reduce scan spmv stencil; do
    goes_on "$kernels/$kernel.s.launch" -m sm7-4 -- 700 1900
    goes_on "$kernels/$kernel.s.launch" --fast -- 700
  done
  goes_on "$kernels/lud.s.launch" -m sm7 -s icache=on -s ccache=on -s issue.most=2 -- 5000
  goes_on "$kernels/hist.s.launch" -m sm7 --threads 2 -- 1500
fi
expect 0 "$SIMTLAB" run -q -m sm7-4 "$kernels/scan.s.launch"
sums=$(cat out)
expect 0 "$SIMTLAB" run -q -m sm7-4 --save-every 1000 --keep 2 --save-to kept "$kernels/scan.s.launch"
[ "$(find . -name 'kept-*.checkpoint' | wc -l)" -eq 2 ] || complain "keeps $(ls kept-*)"
for file in kept-*.checkpoint; do
  expect 0 "$SIMTLAB" run -q -m sm7-4 --restore "$file" "$kernels/scan.s.launch"
  [ "$(cat out)" = "$sums" ] || complain "another checksum from $file"
done

# Checkpoints of another script, machine or mode.
expect 2 "$SIMTLAB" run -q -m sm7-4 --restore "$file" "$kernels/saxpy.s.launch"
says "it was saved with another program"
expect 2 "$SIMTLAB" run -q -m sm7-1 --restore "$file" "$kernels/scan.s.launch"
says "it was saved on a machine with different keys"
expect 2 "$SIMTLAB" run -q -m sm7-4 --fast --restore "$file" "$kernels/scan.s.launch"
says "it was saved in the other mode"
expect 2 "$SIMTLAB" run -q -m sm7-4 --regs 64 --restore "$file" "$kernels/scan.s.launch"
says "it was saved with another program"
expect 2 "$SIMTLAB" run -q -m sm7-4 --restore grid.elf "$kernels/scan.s.launch"
says "it is not a checkpoint of simtlab"
expect 2 "$SIMTLAB" run -q -m sm7-4 --save-at launch=1 never "$kernels/scan.s.launch"
says "launch scripts are saved at cycles only"
expect 2 "$SIMTLAB" run -q -m sm7-4 --save-at 999999999 never "$kernels/scan.s.launch"
says "--save-at 999999999: the run ended at cycle"
expect 2 "$SIMTLAB" run -q -m sm7-4 --restore "$file" --save-at 1 again "$kernels/scan.s.launch"
says "the run resumes at cycle"
finish
