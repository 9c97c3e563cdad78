# divergence=scs with hardware loops and streams, whose state is the warp's: where lanes cannot change or be parked is a
# fault, timed and functional. divergence=its has neither.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# try NAME STATUS TEXT LINE: assembles standard input and runs it.
try() {
  {
    cat <<'A'
.macro LOOP start, end, tail, bound
  la t0, \start
  csrw 0x800, t0
  la t0, \end
  csrw 0x801, t0
  li t0, \tail
  csrw 0x802, t0
  li t0, 0x80000000 | \bound
  csrw 0x803, t0
.endm
.macro PRED which, all
  .insn r 0x0b, 5, 0, x0, \which, \all
.endm
.macro YIELD
  .insn r 0x0b, 0, 5, x0, x0, x0
.endm
.macro TMC which
  .insn r 0x0b, 0, 0, x0, \which, x0
.endm
_start:
  li s0, -1
  TMC s0
  csrr s1, 0xcc0
  sltiu s2, s1, 8
A
    cat
    printf '  TMC x0\n  .balign 64\ndata: .zero 64\n'
  } >"$1.s"
  riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -g -Wl,-Ttext=0x80000000 \
    -o "$1.elf" "$1.s" 2>err || complain "$1 does not compile: $(cat err)"
  for machine in vortex-cfm-dmsl vortex-simx-cfm-dmsl; do
    for fast in "" --fast; do
      expect "$2" "$SIMTLAB" run -q $fast -m $machine -s divergence=scs "$1.elf"
      [ -z "$3" ] || says "$3"
      [ -z "$3" ] || says "$1.s:$4"
    done
    expect 0 "$SIMTLAB" run -q -m $machine "$1.elf"
  done
}
own="streams and hardware loops belong to the warp"

try yield_loop 3 "$own" 28 <<'S'
  LOOP 1f, 2f, -1, 2
1:
  addi a0, a0, 1
  YIELD
2:
  addi a0, a0, 1
S
try yield_stream 3 "$own" 31 <<'S'
  la t0, data
  csrw 0x880, t0
  li t0, 4
  csrw 0x885, t0
  li t0, 28 | 1 << 10 | 1 << 11
  csrw 0x881, t0
  YIELD
S
# After the loop has been disabled, a yield is allowed.
try yield_after 0 "" <<'S'
  LOOP 1f, 2f, -1, 2
1:
  addi a0, a0, 1
2:
  addi a0, a0, 1
  csrw 0x803, x0
  YIELD
S
# Lanes 0 and 1 stay, and the others leave. In the last turn the tail mask has switched off lanes 4 to 15.
try park_tail 3 "lanes leave this loop inside of a hardware loop whose tail mask has switched off others" 28 <<'S'
  LOOP 1f, 2f, 0xf, 1
1:
  sltiu s3, s1, 2
  PRED s3, s0
2:
  addi a0, a0, 1
S
# Without a tail mask they are parked, and join the others at the end of the software loop.
try park_whole 0 "" <<'S'
  LOOP 1f, 2f, -1, 1
1:
  PRED s2, s0
  mv s4, s2
  li s2, 0
  bnez s4, 1b
2:
  addi a0, a0, 1
S
# If they are still parked at the end of the hardware loop, its mask would resume them there, too.
try park_open 3 "ends a hardware loop while lanes are parked that have left a loop in its body" 29 <<'S'
  LOOP 1f, 2f, -1, 1
1:
  PRED s2, s0
2:
  addi a0, a0, 1
S
# The lanes end inside of a loop, and the parked ones would continue in it.
try end_inside 3 "$own" 28 <<'S'
  LOOP 1f, 2f, -1, 2
1:
  PRED s2, s0
  TMC x0
2:
  addi a0, a0, 1
S

expect 2 "$SIMTLAB" run -q -m vortex-cfm-dmsl -s divergence=its yield_loop.elf
says "divergence=its has no hardware loops and streams"
finish
