# RISC-V programs whose kernels have linear registers leave the same memory with fewer instructions, timed and
# functional. Kernels that cannot be transformed are reported and stay unchanged.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# value FILE KEY: the value of a counter; hash FILE: the memory hash.
value() {
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["counters"][sys.argv[2]]["value"])' "$1" "$2"
}
hash() {
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["memory_hash"])' "$1"
}

# alike PROGRAM HOW...: the program leaves the same memory with and without linear registers.
alike() {
  name=$(basename "$1" .elf)
  expect 0 "$SIMTLAB" linear -b -o "$name-linear.elf" "$1"
  shift
  for how; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 $how -s r2d2=off --stats off.json "$program"
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 $how --stats on.json "$name-linear.elf"
    [ "$(hash on.json)" = "$(hash off.json)" ] || complain "$name $how: memory differs"
    [ "$(value on.json warp_instrs)" -le "$(value off.json warp_instrs)" ] || complain "$name $how has more instructions"
  done
}
# by_itself PROGRAM FUNCTION: a kernel that the program does not declare as one. The program stores elapsed times in
# memory, so its own check and the shadow compare results.
by_itself() {
  expect 0 "$SIMTLAB" linear --check -k "$2" "$1"
  tr '\n' ' ' <out | grep -q " 0 differ" || complain "$2: no check"
  expect 0 "$SIMTLAB" linear -b -k "$2" -o function.elf "$1"
  for how in --fast ""; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 -s r2d2.shadow=on $how --stats on.json function.elf
    prints "passed"
  done
  [ "$(value on.json linear.sums)" -gt 0 ] || complain "no sums are read"
}
for program in "$BUILD"/bench-on-sm7/*.elf; do
  case $program in
  *-plain.elf) by_itself "$program" "$(basename "$program" -plain.elf)" ;;
  *-variant.elf) brief || alike "$program" --fast ;;
  *MatMul.elf | *Scan.elf | *Transpose.elf | *VecGCD.elf) alike "$program" "" --fast ;;
  *) if brief; then alike "$program" --fast; else alike "$program" "" --fast; fi ;;
  esac
done
expect 2 "$SIMTLAB" linear "$BUILD/bench-on-sm7/saxpy-plain.elf"
says "has no kernel (SIMT_KERNEL); --kernel names a function to treat as one"
expect 2 "$SIMTLAB" linear -k nothing "$BUILD/bench-on-sm7/saxpy-plain.elf"
says "has no kernel (SIMT_KERNEL), nor function 'nothing'"

# A machine without linear registers, or with r2d2 disabled, runs the program unchanged.
expect 0 "$SIMTLAB" run -q -m sm7-4 --stats plain.json "$BUILD/bench-on-sm7/Transpose.elf"
expect 0 "$SIMTLAB" run -q -m sm7-4 --stats other.json Transpose-linear.elf
[ "$(value plain.json cycles)" = "$(value other.json cycles)" ] || complain "the cycles on sm7 differ"

# Statistics count the phases. The variant of a kernel has a symbol, and the disassembler prints its instructions.
expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 --stats on.json Transpose-linear.elf
[ "$(value on.json linear.coefficients)" -gt 0 ] || complain "no coefficients are computed"
[ "$(value on.json linear.sums)" -gt 0 ] || complain "no sums are read"
expect 0 "$SIMTLAB" disasm Transpose-linear.elf
prints 'transpose$r2d2'
prints "r2.madi.tr	tr0,tid."
prints "r2.use	"
for ur in block free; do
  expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 -s r2d2.ur=$ur --stats ur.json MatMul-linear.elf
  [ "$(value ur.json oracle.dropped)" -gt 0 ] || complain "r2d2.ur=$ur eliminates nothing"
done

expect 2 "$SIMTLAB" linear -o again.elf Transpose-linear.elf
says "it already has a section .simtlab.linear; start from the original program"
[ ! -e again.elf ] || complain "has written something"
expect 2 "$SIMTLAB" linear -o Transpose-linear.elf Transpose-linear.elf
head -c 3000 Transpose-linear.elf >cut.elf
expect 2 "$SIMTLAB" linear -o new.elf cut.elf

# A damaged variant is rejected: one flipped bit in each word. Execution never leaves the variant.
cat >damage.py <<'P'
import sys
program, out, bit = open(sys.argv[1], "rb").read(), sys.argv[2], int(sys.argv[3])
section = program.find(bytes.fromhex(sys.argv[4]))
at = section + bit // 8
open(out, "wb").write(program[:at] + bytes([program[at] ^ 1 << bit % 8]) + program[at + 1 :])
P
head=$("$SIMTLAB" disasm Transpose-linear.elf | awk '/r2.form/ { w = $2; print substr(w,7,2) substr(w,5,2) substr(w,3,2) substr(w,1,2) }')

# The shadow executes the original kernel beside the variant. It detects a wrong variant and reports the place.
# The second word of a sum is its constant: this adds 4 to that of the first ten sums.
sums="0 1 2 3 4 5 6 7 8 9"
! brief || sums="1 4 7"
for sum in $sums; do
  python3 damage.py Transpose-linear.elf other.elf $(((9 + 2 * sum + 1) * 32 + 2)) "$head"
  "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 -s r2d2.shadow=on other.elf >out 2>err && complain "a wrong sum is not detected"
  grep -q "r2d2.shadow" err || complain "does not mention the shadow: $(head -2 err)"
  cat err >>found
done
has found "accesses another address here (r2d2.shadow)"
has found "transpose\$r2d2"
expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 -s r2d2.shadow=on Transpose-linear.elf
step=97
brief && step=401
for bit in $(seq 32 $step 2400); do
  python3 damage.py Transpose-linear.elf damaged.elf "$bit" "$head"
  "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 --max-cycles 200000 damaged.elf >out 2>err
  case $? in 0 | 1 | 3 | 4 | 5) ;; *) complain "wrong exit status of a variant with bit $bit flipped: $(head -2 err)" ;; esac
done
python3 damage.py Transpose-linear.elf damaged.elf 26 "$head"
expect 3 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 damaged.elf
says "the kernel's variant with linear registers does not declare its registers; create it again with simtlab linear -o, or set r2d2=off"
expect 0 "$SIMTLAB" run -q -m sm7-r2d2 -s clusters=1 -s r2d2=off damaged.elf

# A branch over code that grows beyond 4 KiB: lanes take the same paths in the same order, so results are equal.
{
  echo '#include "simt.h"'
  echo 'int main(void) { return 0; }'
  echo 'SIMT_KERNEL(wide, (const int *, in), (int *, out), (int, least))'
  echo '{'
  echo '  const int at = blockIdx.x * blockDim.x + threadIdx.x;'
  echo '  const volatile int *const from = in + at;'
  echo '  int sum = 0;'
  echo '  if ((int)threadIdx.x > least) {'
  i=0
  while [ $i -lt 440 ]; do
    echo "    sum ^= from[$i];"
    i=$((i + 1))
  done
  echo '  }'
  echo '  out[at] = sum;'
  echo '}'
} >wide.c
expect 0 "$SIMTLAB" cc --target sm7 -o wide-plain.elf wide.c
expect 0 "$SIMTLAB" linear -b -o wide.elf wide-plain.elf
printf 'elf wide.elf\nbuffer in 4096 iota\nbuffer out 1024 zero\nlaunch wide 2 1 1 50 1 1 0 buf:in buf:out s32:20\nsum out\n' >wide.launch
for how in --fast ""; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how -m sm7-r2d2 --set r2d2.shadow=on wide.launch
  mv out shadowed
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how -m sm7 wide.launch
  cmp -s out shadowed || complain "memory differs with a far branch"
done
expect 0 "$SIMTLAB" disasm wide.elf
awk '/\t(beq|bne|blt|bge|bltu|bgeu)\t/ { branch = NR } /\tjal\t/ && branch == NR - 1 { print }' out >jumps
[ -s jumps ] || complain "there is no far branch"
finish
