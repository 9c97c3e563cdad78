# On sm7 a run that goes on from a checkpoint comes to what an uninterrupted one comes to, whatever was under way.
. "$(dirname "$0")/_lib.sh"
cp "$SOURCE/tests/cli/programs/grid_kernels.c" "$work" && cd "$work" || exit 1

# same FILE FILE: statistics but for the host's time.
same() {
  sed '/"host": {/,/}/d' "$1" >one
  sed '/"host": {/,/}/d' "$2" >other
  cmp -s one other || complain "comes to something else: $(diff one other | head -3)"
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
goes_on grid.elf -m sm7-r2d2 -s crossbar=rr -s memory.perfect=on -- 44000
goes_on grid.elf -m sm7 --fast -- 1000 41500 45000 46600
finish
