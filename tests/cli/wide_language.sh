# Programs compiled for 64-bit words and linked with the stock C library print the same as the stock compiler's under
# qemu-riscv32. Library callbacks, longjmp and the calling convention work as the library expects.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for tool in qemu-riscv32 llc-19 "$BUILD/simtlab-marks"; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
libc=/usr/lib/picolibc/riscv64-unknown-elf
source=$SOURCE/tests/cli/programs/language.c
stock="riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32"
registers="16 32 64 128 256"
brief && registers=64

for jumps in "" -DJUMPS; do
  # shellcheck disable=SC2086
  $stock $jumps -isystem $libc/include -O1 -ffp-contract=off -nostdlib -static -Wl,--defsym=vfprintf=__i_vfprintf \
    -o expected.elf "$source" "$SOURCE/tests/backend/linux_host.c" $libc/lib/rv32im/ilp32/libc.a \
    "$($stock -print-libgcc-file-name)" || complain "the stock compiler fails"
  qemu-riscv32 expected.elf >expected || complain "the program fails in qemu"
  has expected "wide "
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc --target vortex64 -ffp-contract=off $jumps -c -o language.o "$source"
  for count in $registers; do
    allocations=cost
    [ "$count" -ne 32 ] || allocations="unaware first-fit cost"
    for allocation in $allocations; do
      expect 0 "$SIMTLAB" cc --target vortex64 --registers "$count" --allocation $allocation -o p.elf language.o
      case $count in 16) ;; *) says "note: interpreted has" ;; esac
      expect 0 "$SIMTLAB" run -q --fast -m vortex64 -s registers=256 p.elf
      sed 's/^#0: //' "$work/out" >got
      cmp -s expected got || complain "$count registers, $allocation: $(diff expected got)"
    done
  done
done
has expected "jumped "
finish
