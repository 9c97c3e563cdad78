# simtlab cc --rv32e compiles programs for 16 registers: none of their instructions names another register, and the
# benchmarks pass, timed and functional.
. "$(dirname "$0")/_lib.sh"

# high_registers PROGRAM: prints objdump's instructions with a register above x15.
high_registers() {
  riscv64-unknown-elf-objdump -d -M no-aliases,numeric "$1" | grep -cE '[ ,(]x(1[6-9]|2[0-9]|3[01])\b'
}

for elf in "$BUILD"/bench-rv32e/*.elf; do
  command="$elf"
  [ "$(high_registers "$elf")" -eq 0 ] || complain "uses registers above x15"
done
command="the same for 32 registers"
[ "$(high_registers "$BUILD/bench/MotionEst.elf")" -gt 0 ] || complain "the search for high registers finds none in an ordinary program"

expect 0 "$SIMTLAB" bench --rv32e --json "$work/cycle.json"
prints "benchmark (RV32E)"
silent
[ "$(grep -c '"ok": true' "$work/cycle.json")" -eq 16 ] || complain "not all benchmarks pass"
has "$work/cycle.json" '"isa": "rv32e"'
expect 0 "$SIMTLAB" bench --rv32e --fast --json "$work/fast.json"
grep '"memory_hash"' "$work/cycle.json" >"$work/cycle"
grep '"memory_hash"' "$work/fast.json" >"$work/fast"
cmp -s "$work/cycle" "$work/fast" || complain "memory differs between cycle mode and --fast"
expect 0 "$SIMTLAB" bench --only VecAdd --json "$work/all.json"
has "$work/all.json" '"isa": "rv32i"'

cd "$work" || exit 1
cat >sum.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
  unsigned long long product = 0x123456789ull * (unsigned)argc;
  double half = argc / 2.0;
  printf("%s %llx %d\n", argc > 1 ? argv[1] : "none", product / 3, (int)(half * 10));
  return 0;
}
C
expect 0 "$SIMTLAB" cc --rv32e -v -o sum.elf sum.c
says "-march=rv32ema_zicsr -mabi=ilp32e"
[ "$(high_registers sum.elf)" -eq 0 ] || complain "uses registers above x15"
expect 0 "$SIMTLAB" run -q sum.elf word
prints "word c22e4506 10"
expect 0 "$SIMTLAB" cc --rv32e --fp -v -o fp.elf sum.c
says "-march=rv32ema_zicsr_zfinx -mabi=ilp32e"
expect 0 "$SIMTLAB" run -q -m simtight-fp fp.elf
prints "none 61172283 5"

echo 'int main(void) { return 0; }' >wide.c
riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -c -o wide.o wide.c
expect 1 "$SIMTLAB" cc --rv32e -o mixed.elf wide.o
says "failed (exit status 1)"
command="bench --rv32e without its programs"
SIMTLAB_HOME=$work "$SIMTLAB" bench --rv32e --only VecAdd >out 2>err
[ $? -eq 2 ] || complain "exit status is not 2"
says "bench-rv32e/VecAdd.elf"
finish
