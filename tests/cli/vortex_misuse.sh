# Misuse of hardware loops and streams: each fault names the source line, timed and functional.
. "$(dirname "$0")/_lib.sh"

# try NAME TEXT LINE: assembles standard input; the program ends in a fault with this text and line.
try() {
  cat >"$work/$1.s"
  riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -g -Wl,-Ttext=0x80000000 \
    -o "$work/$1.elf" "$work/$1.s" 2>"$work/err" || complain "$1 does not compile"
  for machine in vortex-cfm-dmsl vortex-simx-cfm-dmsl; do
    for fast in "" --fast; do
      expect 3 "$SIMTLAB" run -q $fast -m $machine "$work/$1.elf"
      says "$2"
      says "$1.s:$3"
    done
  done
}

# LOOP START, END, BOUND of unit 0
loop='.macro LOOP start, end, bound
  la t0, \start
  csrw 0x800, t0
  la t0, \end
  csrw 0x801, t0
  li t0, -1
  csrw 0x802, t0
  li t0, 0x80000000 | \bound
  csrw 0x803, t0
.endm
.macro STREAM config
  la t0, data
  csrw 0x880, t0
  li t0, 4
  csrw 0x885, t0
  li t0, \config
  csrw 0x881, t0
.endm
_start:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0'
end='  .insn r 0x0b, 0, 0, x0, x0, x0
  .balign 64
data: .zero 64'

try branch "transfers control at the end of a hardware loop" 26 <<S
$loop
  LOOP 1f, 2f, 3
1:
  addi a0, a0, 1
2:
  beqz zero, 1b
$end
S
try jump "transfers control at the end of a hardware loop" 26 <<S
$loop
  LOOP 1f, 2f, 3
1:
  addi a0, a0, 1
2:
  j 1b
$end
S
try bound "enables a hardware loop with bound 0" 22 <<S
$loop
  LOOP 1f, 1f, 0
1:
  addi a0, a0, 1
$end
S
# Unit 0 streams to t3 (prefetch and redirect); a second stream names another register meanwhile.
try mapping "changes the mapping of a stream while it redirects a register" 24 <<S
$loop
  STREAM 28 | 1 << 10 | 1 << 11
  add a0, t3, t3
  STREAM 29 | 1 << 10 | 1 << 11
$end
S
# Lanes 0 to 7 leave the body before the other lanes reconverge with them.
try divergence "ends a hardware loop in divergent code" 29 <<S
$loop
  csrr a1, 0xcc0
  sltiu a1, a1, 8
  LOOP 1f, 2f, 2
1:
  .insn r 0x0b, 2, 0, t1, a1, x0
  beqz a1, 3f
2:
  addi a0, a0, 1
3:
  .insn r 0x0b, 3, 0, x0, t1, x0
$end
S
try twice "maps two read streams to one register" 27 <<S
$loop
  STREAM 28 | 1 << 10 | 1 << 11
  csrw 0x888, t0
  li t0, 4
  csrw 0x88d, t0
  li t0, 28 | 1 << 10 | 1 << 11
  csrw 0x889, t0
$end
S
finish
