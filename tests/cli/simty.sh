# Programs on a machine without a host CPU.
. "$(dirname "$0")/_lib.sh"
reference=$BUILD/reference/simty

expect 0 "$SIMTLAB" run -m simty "$reference/8x4/fib.elf"
says "fib.elf on simty: passed"
says "2,800"
expect 0 "$SIMTLAB" run -m simty --fast "$reference/8x4/fib.elf"
says "without timing: passed"
expect 0 "$SIMTLAB" profile -m simty "$reference/8x4/ld_stride8.elf"
prints "where 784 of 784 cycles went"

# One commit per line, with its lanes.
expect 0 "$SIMTLAB" run -m simty -q --trace-commits "$work/commits" "$reference/8x4/switch4.elf"
[ "$(grep -c jalr "$work/commits")" -eq 32 ] || complain "not four passes of every warp's indirect jump"

# Unsupported operations give an error message.
expect 2 "$SIMTLAB" run -m simty "$reference/8x4/base.elf" argument
says "simty has no host CPU that could give the program arguments"
expect 2 "$SIMTLAB" run -m simty "$BUILD/bench/VecAdd.elf"
says "compiled for simt, not for simty, which has no host CPU"
expect 2 "$SIMTLAB" run -m simty --set memory.bytes=4096 --set done.base=0 "$reference/8x4/ld_stride8.elf"
says "set memory.bytes higher"
expect 2 "$SIMTLAB" show simty --set warps=64 --set lanes=64
says "the done words of 4096 threads end at 0x13800"
expect 2 "$SIMTLAB" show simty --set lanes=2
says "lanes"
expect 4 "$SIMTLAB" run -m simty --set lanes=8 --max-cycles 500 "$reference/8x4/fib.elf"
says "the limit of 500 cycles was reached"

compile() {
  riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -nostartfiles -T "$SOURCE/reference/simty/src/link.ld" \
    -o "$work/$1.elf" -x assembler - 2>"$work/err" || complain "$1 does not compile"
}
printf '_start: li a0, 0x10000\n lw a1, 0(a0)\n' | compile outside
expect 3 "$SIMTLAB" run -m simty "$work/outside.elf"
says "address 0x00010000 is outside the machine's memory"
says "warp 0, lanes 0-3"
printf '_start: lh a1, 1(x0)\n' | compile misaligned
expect 3 "$SIMTLAB" run -m simty "$work/misaligned.elf"
says "address 0x00000001 is not a multiple of the access's 2 bytes"
printf '_start: mul a1, a1, a1\n' | compile multiply
expect 3 "$SIMTLAB" run -m simty "$work/multiply.elf"
says "is not an instruction of this machine, which has no mul: without a host CPU the core executes rv32i_zicsr"
printf '_start: li a0, 0x20000\n jr a0\n' | compile jump
expect 3 "$SIMTLAB" run -m simty "$work/jump.elf"
says "jumps to 0x00020000, where there is no program"

# Simulated memory uses host memory only for touched pages.
memory() {
  expect 0 python3 - "$SIMTLAB" "$@" <<'P'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).check_returncode()
sys.exit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 100 * 1024)
P
}
for mode in --max-cycles=1000000 --fast; do
  memory run -q $mode -m simty -s memory.bytes=268435456 "$reference/8x4/fib.elf"
  for machine in simtight simty-plus; do
    memory run -q $mode -m $machine -s code.words=16777216 "$BUILD/bench/VecAdd.elf"
  done
  memory run -q $mode -m vortex -s code.bytes=268435456 "$BUILD/bench-on-vortex/VecAdd.elf"
done

# Programs of the kernel library, on the core in SIMTight's SoC.
expect 0 "$SIMTLAB" bench -m simty-plus
[ "$(grep -c ' ok ' "$work/out")" -eq 16 ] || complain "not all benchmarks pass"
expect 0 "$SIMTLAB" bench -m simty-plus --fast
[ "$(grep -c ' ok ' "$work/out")" -eq 16 ] || complain "not all benchmarks pass in fast mode"
for shape in "4 4" "64 64" "8 64"; do
  expect 0 "$SIMTLAB" bench -m simty-plus --set "warps=${shape% *}" --set "lanes=${shape#* }" --only Reduce,Transpose,MatMul_Float
done
expect 0 "$SIMTLAB" profile -m simty-plus "$BUILD/bench/Histogram-variant.elf" small
prints "where 11,949 of 11,949 cycles went"
finish
