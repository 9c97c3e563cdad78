# Keys accept their greatest values: no queue or ring buffer behind a key wraps or overflows.
. "$(dirname "$0")/_lib.sh"

assemble() {
  riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 \
    -o "$work/$1.elf" -x assembler - 2>"$work/err" || complain "$1 does not compile"
}

# cycles MACHINE-AND-OPTIONS FILE: the cycles of a successful run.
cycles() {
  expect 0 "$SIMTLAB" run -q --stats "$work/stats.json" -m "$@"
  sed -n '/"cycles": {/{n;s/[^0-9]*\([0-9]*\).*/\1/p;q}' "$work/stats.json"
}

# The first instruction issues as late as the key says.
printf '_start:\n .insn r 0x0b, 0, 0, x0, x0, x0\n' | assemble end
for machine in vortex vortex-simx; do
  early=$(cycles $machine --set icache.start=0 --set start=5 "$work/end.elf")
  late=$(cycles $machine --set icache.start=0 --set start=100 "$work/end.elf")
  [ "$((late - early))" -eq 95 ] || complain "$machine starts after $early and $late cycles"
done

# All delays and latencies at their greatest values together.
delays=$("$SIMTLAB" show vortex | awk '$1 !~ /^scs\./ && $1 ~ /(delay|^latency\.[a-z]*|\.latency|miss_latency)$/ && $2 == "=" {print "--set " $1 "=60"}')
[ "$(echo "$delays" | wc -l)" -ge 40 ] || complain "finds only $(echo "$delays" | wc -l) delays"
machines="vortex vortex-simx vortex-cfm-dmsl"
! brief || machines=vortex-cfm-dmsl
for machine in $machines; do
  expect 0 "$SIMTLAB" run -q -m $machine $delays "$BUILD/bench-vortex/conv2d-plain.elf" 1
done
expect 0 "$SIMTLAB" run -q -m vortex-cfm-dmsl $delays --set cores=4 "$BUILD/bench-vortex/conv2d-cfm-dmsl.elf" 1

expect 0 "$SIMTLAB" run -q -m vortex-scs $delays --set scs.pop_delay=60 "$BUILD/bench-vortex/conv2d-plain.elf" 1

# As many loads in flight as possible, each with 64 answers: separate lines, and one bank of local memory each in turn.
# All banks answer; one answer is taken per cycle.
assemble loads <<'S'
.macro MANY address
  .irp register, a2,a3,a4,a5,a6,a7,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11
  lw \register, 0(\address)
  addi \address, \address, 4
  .endr
.endm
_start:
  li t0, 64
  la t1, 1f
  .insn r 0x0b, 1, 0, x0, t0, t1
1:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0
  csrr t2, 0xcc0
  slli t3, t2, 8
  li t4, 0x90000000
  add t4, t4, t3
  li t5, 0xffff0000
  add t5, t5, t3
  csrr t6, 0xcc1
  andi t6, t6, 15
  slli t6, t6, 2
  add t5, t5, t6
  MANY t5
  MANY t4
  MANY t5
  MANY t4
  MANY t5
  .insn r 0x0b, 0, 0, x0, x0, x0
S
most="--set lanes=64 --set warps=64 --set lsu.loads=64 --set lsu.queue=64 --set coalescer.interval=1 --set dispatch.queue=64
 --set lmem.bytes=65536 --set coalescer.tags=1024 --set dcache.mshr=64 --set dcache.banks=32 --set dcache.bytes=65536"
expect 0 "$SIMTLAB" run -q -m vortex $most --set issue.slices=1 --set lsu.response_delay=60 "$work/loads.elf"
expect 0 "$SIMTLAB" run -q -m vortex-simx $most "$work/loads.elf"
expect 0 "$SIMTLAB" run -q -m vortex $most --set coalescer.line=4 "$work/loads.elf"

# Invalid values.
refused() { # refused TEXT KEY=VALUE...
  text=$1
  shift
  set -- $(printf -- '--set %s ' "$@")
  expect 2 "$SIMTLAB" show vortex "$@"
  says "$text"
}
refused "takes 0 to 100" start=101
refused "it must be at least a word, 4 bytes, or 0" coalescer.line=2
refused "'icache.banks' cannot be '0'" icache.banks=0
refused "32 banks of 1 ways need 2048 bytes; set dcache.bytes" dcache.bytes=1024 dcache.banks=32
refused "4 banks of 16 ways need 4096 bytes" dcache.bytes=1024 dcache.ways=16
refused "32 banks of 2 ways need 4096 bytes; set l2.bytes" l2=true l2.bytes=1024 l2.banks=32
finish
