#!/bin/sh
# Random C programs of csmith: `simtlab cc --target vortex64` compiles them for several numbers of registers, and the
# simulator's checksums equal those of stock GCC under qemu-riscv32. Packed structures have words at any address, for
# which there is a key.
# Usage: csmith.sh [COUNT [FIRST_SEED]], by default 300 from seed 1. The environment has SIMTLAB, the command, and
# SOURCE, the sources. Without csmith or qemu: status 77. Prints the seed of a program that differs.
set -eu

include=/usr/include/csmith
self=$SOURCE/tests/backend/csmith.sh
libc=/usr/lib/picolibc/riscv64-unknown-elf
stock="riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -isystem $libc/include -w"
registers='16 32 64 128'

# batch FOLDER SEED...: GCC compiles each program alone, because some do not end. simtlab cc compiles those that end
# together, as one source with the seed as prefix of names.
batch() {
  mkdir "$1" && cd "$1"
  shift
  for seed in "$@"; do
    csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --max-block-size 4 --no-argc --concise >a.c 2>/dev/null || continue
    # shellcheck disable=SC2086
    $stock -O0 -nostdlib -static -Wl,-Ttext=0x10000 -Wl,--defsym=vfprintf=__i_vfprintf -I$include -o a.elf a.c ../host.o $libraries
    timeout 2 qemu-riscv32 a.elf >checksum 2>/dev/null || continue
    echo "$seed $(cat checksum)" >>expected
    sed "s/\\b\\(func_[0-9]*\\|g_[0-9]*\\|[SU][0-9]\\+\\|main\\)\\b/p${seed}_\\1/g" a.c >>all.c
    echo "crc32_context = 0xFFFFFFFFu; printf(\"$seed \"); p${seed}_main();" >>calls
  done
  [ -e calls ] || return 0
  { cat all.c; echo 'int main(void) {'; cat calls; echo '}'; } >main.c
  "$SIMTLAB" cc --target vortex64 -g0 -w -I$include -c -o main.o main.c
  turn=$(($1 / 10))
  for count in $registers; do # by cost every other time
    how=cost
    case $((turn % 4)) in 1) how=unaware ;; 3) how=first-fit ;; esac
    turn=$((turn + 1))
    # shellcheck disable=SC2086
    "$SIMTLAB" cc --target vortex64 -w --registers "$count" --allocation "$how" -nostdlib -o main.elf ../start.o main.o ../library.o $libraries
    "$SIMTLAB" run --fast -q -m vortex64 -s misaligned=bytes main.elf 2>err | sed 's/^#0: //' >got
    grep -Fvxf got expected | sed "s/^/DIFFERS with $count registers, $how: right is /"
  done
  sed 's/^/equal: /' expected
}

if [ "${1:-}" = batch ]; then
  shift
  batch "$@"
  exit 0
fi

for tool in csmith qemu-riscv32 llc-19; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ -e $include/csmith.h ] || { echo "skipped: no $include/csmith.h"; exit 77; }
count=${1:-300} first=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
libraries="$libc/lib/rv32im/ilp32/libc.a $(riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -print-libgcc-file-name)"
export libraries
$stock -O1 -c -o host.o "$SOURCE/tests/backend/linux_host.c"
"$SIMTLAB" cc --target vortex64 -c -o start.o "$SOURCE/runtime/vortex_start.S"
"$SIMTLAB" cc --target vortex64 -c -o library.o "$SOURCE/runtime/vortex.c"
seq "$first" $((first + count - 1)) | xargs -n 10 | sed 's/\([0-9]*\)/\1 \1/' | xargs -P 2 -L 1 sh "$self" batch >log 2>&1 || echo "FAILED" >>log
grep -v '^equal' log || true
ran=$(grep -c '^equal' log)
echo "$count programs from seed $first, of which $ran end in time: run with $registers registers"
[ "$ran" -gt $((count / 2)) ] && ! grep -q 'DIFFERS\|FAILED' log
