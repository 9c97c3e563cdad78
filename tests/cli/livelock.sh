# Livelock: lanes spin until other lanes of their own warp act. simtlab names both, in both modes and in every
# reconvergence scheme. Warps that wait for each other's stores are not reported.
. "$(dirname "$0")/_lib.sh"
source=$SOURCE/tests/cli/programs/livelock.c

# line NAME: the source line that is marked NAME.
line() { grep -n "// $1\\b" "$source" | cut -d: -f1; }

for marks in "" --no-marks; do
  expect 0 "$SIMTLAB" cc $marks -o "$work/livelock$marks.elf" "$source"
done

# machine PROGRAM OPTION...: all checks of one machine.
machine() {
  program=$work/$1
  shift
  for mode in "-q" "-qf"; do
    expect 3 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 --stats "$work/stats.json" "$program" lanes
    says "simtlab: $name SM, block slot 0, warp 0, lanes 1-31, pc 0x0"
    says "(livelock.c:$(line SPIN)), \`"
    says "livelock: these lanes loop forever"
    says "; lane 0 of this warp waits at pc 0x0"
    says "(livelock.c:$(line HOLDER)), never selected while the others run. warp"
    says "waiting at the barrier at pc 0x0"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "says more than a sentence"
    has "$work/stats.json" '"outcome": "fault"'
    expect 3 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 "$program" forgotten
    says "lanes 0-31, pc 0x0"
    says "(livelock.c:$(line FORGOTTEN))"
    grep -q "never selected" "$work/err" && complain "reports waiting lanes"
    expect 3 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 "$program" spilled
    says "lanes 0-31, pc 0x0"
    says "livelock: these lanes loop forever"
    # The livelock check runs more than twice before the flag is written.
    if ! brief || [ $# -eq 0 ]; then
      expect 0 "$SIMTLAB" run $mode "$@" "$program" poll 600000
      silent
    fi
    expect 0 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 "$program" warps
    silent
  done
}

name=simtight
machine livelock.elf
machine livelock--no-marks.elf -s convergence=depth-pc
machine livelock--no-marks.elf -s convergence=sorted-paths
name=simtight-rfc-pp
machine livelock.elf -m simtight-rfc-pp
machine livelock--no-marks.elf -m simtight-rfc-pp -s convergence=depth-pc
name=simty-plus
machine livelock--no-marks.elf -m simty-plus

# Without a host CPU: all lanes but the first of each warp wait for a value that the first lane stores after their loop.
cat >"$work/bare.S" <<'END'
	.globl _start
_start:	csrr a0, mhartid
	slli a1, a0, 2
	li a2, 0x8000
	li a4, 0xf800
	add a4, a4, a1
	li a5, 1
	andi a6, a0, 3
	beqz a6, first
spin:	lw a3, 0(a2)
	beqz a3, spin
	j done
first:	sw a5, 0(a2)
done:	sw a5, 0(a4)
1:	j 1b
END
riscv64-unknown-elf-gcc -march=rv32i_zicsr -mabi=ilp32 -nostdlib -Wl,-Ttext=0x200 -o "$work/bare.elf" "$work/bare.S"
for mode in "-q" "-qf"; do
  expect 3 "$SIMTLAB" run $mode -m simty --max-cycles 20000000 "$work/bare.elf"
  says "warp 0, lanes 1-3"
  says "in spin"
  says "livelock: these lanes loop forever"
  says "lane 0 of this warp waits at pc"
done

# Other commands report the same. A profile shows the line of the loop.
expect 3 "$SIMTLAB" profile "$work/livelock.elf" lanes
says "livelock: these lanes loop forever"
prints "livelock.c:$(line SPIN)"
expect 3 "$SIMTLAB" compare "$work/livelock.elf" -m simtight,simtight:lanes=16 -- lanes
prints "fault"

# A host program that gives up and does not end is a failure. One that has reported its verdict has ended.
cat >"$work/host.c" <<'C'
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  if (argc > 1)
    puts(argv[1]);
  for (;;)
    ;
}
C
expect 0 "$SIMTLAB" cc -o "$work/host.elf" "$work/host.c"
for fast in "" --fast; do
  expect 4 "$SIMTLAB" run -q $fast "$work/host.elf"
  says "(host.c:9): the host program loops forever"
  expect 4 "$SIMTLAB" run -q $fast "$work/host.elf" "Self test: perhaps"
  expect 0 "$SIMTLAB" run -q $fast "$work/host.elf" "Self test: PASSED"
  expect 1 "$SIMTLAB" run -q $fast "$work/host.elf" "Self test: FAILED"
done
finish
