# Random loop nests over random streams: hardware and software execute them with the same results, timed and functional.
. "$(dirname "$0")/_lib.sh"

# compile SEED FORM
compile() {
  "$BUILD/tests/vortex/vortex_nests" "$1" "$2" >"$work/$2.s" && riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f \
    -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 -o "$work/$2.elf" "$work/$2.s" 2>"$work/err" ||
    complain "seed $1: the $2 variant does not compile"
}

# hash OPTION...: the hash that the program prints.
hash() {
  expect 0 "$SIMTLAB" run -q "$@"
  cat "$work/out"
}

seed=0 seeds=100
! brief || seeds=20
: >"$work/hashes"
while [ $seed -lt $seeds ]; do
  compile $seed software
  compile $seed hardware
  wanted=$(hash --fast -m vortex-simx-cfm-dmsl "$work/software.elf")
  for run in "-m vortex-cfm-dmsl $work/software.elf" \
    "-m vortex-simx-cfm-dmsl $work/hardware.elf" "-m vortex-simx-cfm-dmsl --fast $work/hardware.elf" \
    "-m vortex-cfm-dmsl $work/hardware.elf" "-m vortex-cfm-dmsl --fast $work/hardware.elf"; do
    got=$(hash $run)
    [ -n "$got" ] && [ "$got" = "$wanted" ] || complain "seed $seed, $run: $got instead of $wanted"
  done
  echo "$wanted" >>"$work/hashes"
  seed=$((seed + 1))
done
[ "$(sort -u "$work/hashes" | wc -l)" -eq $seeds ] || complain "different nests have the same hash"

# The hash depends on the loops: another bound gives another hash.
compile 6 hardware
sed -i 's/li t0, -214748364\([0-9]\)/li t0, -214748363\1/' "$work/hardware.s"
riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 \
  -o "$work/hardware.elf" "$work/hardware.s"
[ "$("$SIMTLAB" run -q --fast -m vortex-cfm-dmsl "$work/hardware.elf" 2>/dev/null)" != \
  "$(sed -n 7p "$work/hashes")" ] || complain "the hash does not depend on the bounds of loops"
finish
