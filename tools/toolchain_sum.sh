#!/bin/sh
# Writes a file that identifies the toolchain of programs: a hash of each of its files and the compilers' versions. The
# file is unchanged if nothing changed. Usage: tools/toolchain_sum.sh OUTPUT FILE...
set -eu
output=$1
shift
{
  sha256sum "$@" | cut -d' ' -f1
  for tool in riscv64-unknown-elf-gcc riscv64-unknown-elf-ld clang-19 llc-19; do
    "$tool" --version 2>/dev/null | head -1 || echo "no $tool"
  done
  cat /usr/lib/picolibc/riscv64-unknown-elf/lib/release/rv32im/ilp32/libc.a 2>/dev/null | cksum
} >"$output.part"
if cmp -s "$output.part" "$output"; then rm "$output.part"; else mv "$output.part" "$output"; fi
# Cached programs unused for a month belong to an older toolchain.
cache=${SIMTLAB_PROGRAM_CACHE-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/simtlab/programs}
[ -z "$cache" ] || find "$cache" -type f -mtime +30 -delete 2>/dev/null || true
