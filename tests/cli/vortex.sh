# Programs on a Vortex GPU: file formats, console, exit status, arguments, faults.
. "$(dirname "$0")/_lib.sh"

# compile NAME: assembles standard input to an ELF file and a raw image.
compile() {
  riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles \
    -Wl,-Ttext=0x80000000,--section-start=.init=0x80000000 -o "$work/$1.elf" -x assembler - 2>"$work/err" ||
    complain "$1 does not compile"
  riscv64-unknown-elf-objcopy -O binary "$work/$1.elf" "$work/$1.bin" || complain "$1 has no image"
}
vortex() {
  status=$1
  shift
  expect "$status" "$SIMTLAB" run --fast -m vortex "$@"
}

# Each thread of the warp in turn adds its index to the exit code: 0 + 1 + ... + 15.
compile exit <<'S'
_start:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0
  csrr a0, 0xcc0
  li a1, 0x88
  la a2, sum
  amoadd.w zero, a0, (a2)
  lw a3, (a2)
  sw a3, (a1)
  fence
  .insn r 0x0b, 0, 0, x0, zero, x0
  .balign 4
sum: .word 0
S
vortex 2 "$work/missing.bin"
for file in exit.elf exit.bin; do
  vortex 1 --set atomics=true "$work/$file"
  says "the program's own check failed (status 120)"
done

# .vxbin: lowest and highest address, then the image; the rest of memory is zero.
{ printf '\0\0\0\200\0\0\0\0\0\020\0\200\0\0\0\0'; cat "$work/exit.bin"; } >"$work/exit.vxbin"
vortex 1 --set atomics=true "$work/exit.vxbin"
says "status 120"
head -c 16 "$work/exit.vxbin" >"$work/short.vxbin"
vortex 2 "$work/short.vxbin"
says "short.vxbin: the file ends after 16 bytes, before any instruction"
{ printf '\0\0\0\200\0\0\0\0\004\0\0\200\0\0\0\0'; cat "$work/exit.bin"; } >"$work/damaged.vxbin"
vortex 2 "$work/damaged.vxbin"
says "is larger than the 4 bytes that its header names"
{ printf '\0\0\0\200\001\0\0\0\0\020\0\200\0\0\0\0'; cat "$work/exit.bin"; } >"$work/wide.vxbin"
vortex 2 "$work/wide.vxbin"
says "is not a range of 32-bit addresses"
: >"$work/empty.bin"
vortex 2 "$work/empty.bin"
says "empty.bin: the file ends after 0 bytes"
cp "$work/exit.bin" "$work/image"
vortex 2 "$work/image"
says "not an ELF file"

# Lanes 0 and 1 write a line each, at the same time; the second has no newline.
compile lines <<'S'
_start:
  li t0, 3
  .insn r 0x0b, 0, 0, x0, t0, x0
  csrr a0, 0xcc0
  addi a1, a0, 0x40
  addi a2, a0, 'a'
  sb a2, (a1)
  sb a2, (a1)
  li t0, 1
  .insn r 0x0b, 0, 0, x0, t0, x0
  li a2, '\n'
  sb a2, (a1)
  .insn r 0x0b, 0, 0, x0, zero, x0
S
vortex 0 -q "$work/lines.elf"
[ "$(cat "$work/out")" = "#1: bb
#0: aa" ] || [ "$(cat "$work/out")" = "#0: aa
#1: bb" ] || complain "prints $(cat "$work/out")"

# Arguments: mscratch points to their number and their pointers.
compile arguments <<'S'
_start:
  csrr a0, 0x340
  li a1, 0x40
  lw a2, (a0)
  addi a2, a2, '0'
  sb a2, (a1)
  lw a2, 8(a0)
1:
  lbu a3, (a2)
  beqz a3, 2f
  sb a3, (a1)
  addi a2, a2, 1
  j 1b
2:
  .insn r 0x0b, 0, 0, x0, zero, x0
S
vortex 0 -q "$work/arguments.elf" one two
prints "#0: 3one"

# A global barrier of two cores, with two and with one.
compile barrier <<'S'
_start:
  li t0, 0x80000000
  li t1, 2
  .insn r 0x0b, 4, 0, x0, t0, t1
  csrr a0, 0xcc2
  addi a1, a0, 0x40
  addi a2, a0, '0'
  sb a2, (a1)
  .insn r 0x0b, 0, 0, x0, zero, x0
S
vortex 0 -q --set cores=2 "$work/barrier.elf"
prints "#0: 0"
prints "#1: 1"
vortex 3 "$work/barrier.elf"
says "vortex core 0, warp 0, lane 0, pc 0x80000008"
says "no warp can continue"
says "warp 0 waiting at the barrier at pc 0x80000008"

# Cores at global barriers of two numbers do not meet.
compile barriers <<'S'
_start:
  csrr a0, 0xcc2
  li t0, 0x80000000
  or t0, t0, a0
  li t1, 2
  .insn r 0x0b, 4, 0, x0, t0, t1
  .insn r 0x0b, 0, 0, x0, zero, x0
S
vortex 3 --set cores=2 "$work/barriers.elf"
says "no warp can continue"
expect 3 "$SIMTLAB" run -m vortex --set cores=2 "$work/barriers.elf"
says "no warp can continue"
expect 0 "$SIMTLAB" run -m vortex --set cores=2 "$work/barrier.elf"

# Two warps at barriers with two ids: the warps meet if the low bits of the ids are equal, as many bits as number a
# core's barriers. Timed and functional.
meet() { # meet STATUS ID ID ARGUMENTS
  status=$1 first=$2 second=$3
  shift 3
  compile meet <<S
_start:
  li t0, 2
  la t1, 1f
  .insn r 0x0b, 1, 0, x0, t0, t1
  li t0, $first
  j 2f
1:
  li t0, $second
2:
  li t1, 2
  .insn r 0x0b, 4, 0, x0, t0, t1
  .insn r 0x0b, 0, 0, x0, zero, x0
S
  for machine in vortex vortex-simx; do
    for fast in "" --fast; do
      expect "$status" "$SIMTLAB" run -q $fast -m $machine "$@" "$work/meet.elf"
    done
  done
}
meet 0 0 0
meet 0 0 4
meet 0 0 8
meet 0 3 7
meet 3 0 3
meet 3 0 4 --set warps=16
meet 0 0 8 --set warps=16
meet 0 0 1 --set warps=2
meet 3 0 4 --set barriers=8
meet 0 3 67 --set barriers=64

# A program that cannot continue: the error says where, why and what to do.
compile branch <<'S'
_start:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0
  csrr a0, 0xcc0
  bnez a0, 1f
1:
  .insn r 0x0b, 0, 0, x0, zero, x0
S
vortex 0 "$work/branch.elf"
expect 3 "$SIMTLAB" run --fast -m vortex-simx "$work/branch.elf"
says "lanes 0-15, pc 0x8000000c in _start+0xc, \`bne a0,zero,80000010\`: lanes of the warp diverge"
printf '_start: li t0, 1\n .insn r 0x0b, 3, 0, x0, t0, x0\n' | compile join
vortex 3 "$work/join.elf"
says "\`vx_join t0\`: 1 is not the token of an open split"
printf '_start: csrr t0, 0x7c0\n' | compile csr
vortex 3 "$work/csr.elf"
says "0x7c0 is not a CSR of this processor"
printf '_start: lw t0, 0(zero)\n' | compile null
vortex 3 "$work/null.elf"
says "address 0x00000000 is outside data memory"
printf '_start: nop\n' | compile end
vortex 3 "$work/end.elf"
says "there is no program at this address"
vortex 3 "$work/exit.elf"
says "is not an instruction of this machine, which has no amoadd.w: Vortex executes rv32imf_zicsr and its warp control, with atomics=true"
vortex 2 "$BUILD/bench/VecAdd.elf"
says "compiled for simt, not for vortex"
vortex 4 --max-cycles 3 "$work/exit.elf"
says "the limit of 3 cycles was reached"

# Counters that the machine lacks are absent, not 0.
expect 0 "$SIMTLAB" run -m vortex "$BUILD/bench-vortex/saxpy-plain.elf" 4
says "DRAM lines"
grep -q -e "DRAM beats" -e "retries" "$work/err" && complain "shows what Vortex does not count"
expect 0 "$SIMTLAB" bench -m vortex --only saxpy-plain --json "$work/bench.json"
has "$work/bench.json" '"dram_beats": null'
has "$work/bench.json" '"retries": null'
grep -q -e 'DRAM beats' -e retries "$work/out" && complain "bench shows what Vortex does not count"

expect 2 "$SIMTLAB" show vortex --set cores=3 --set clusters=2
says "3 cores cannot be divided into 2 equal clusters"

# The folder of a program does not change its cycles: the program sees its file name, not the path.
mkdir -p "$work/a/folder/whose/name/is/rather/long"
cp "$BUILD/bench-vortex/saxpy-plain.elf" "$work/a/folder/whose/name/is/rather/long/saxpy-plain.elf"
"$SIMTLAB" run -q -m vortex-simx "$work/a/folder/whose/name/is/rather/long/saxpy-plain.elf" 24 >"$work/far"
"$SIMTLAB" run -q -m vortex-simx "$BUILD/bench-vortex/saxpy-plain.elf" 24 >"$work/near"
cmp -s "$work/far" "$work/near" || complain "the folder of a program changes its cycles"
finish
