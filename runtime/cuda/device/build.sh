#!/bin/sh
# Builds the device library: sh build.sh OUTPUT.bc. Needs clang-19, llvm-19 and libclc-19.
# Code is inlined only between functions of equal attributes: target and no-builtins are removed.
set -eu
output=$1
source=$(cd "$(dirname "$0")" && pwd)
work=$output.parts
rm -rf "$work" && mkdir -p "$work"
objects=
for part in math instructions simd special; do
  clang-19 -x c --target=nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx64 --cuda-path="$work" \
    -nogpulib -O2 -Xclang -disable-llvm-passes -fno-builtin -ffp-contract=off -Wno-unknown-cuda-version \
    -emit-llvm -c "$source/$part.c" -o "$work/$part.bc" &
  objects="$objects $work/$part.bc"
done
wait
# shellcheck disable=SC2086
llvm-link-19 $objects -o "$work/own.bc"
llvm-link-19 "$work/own.bc" --only-needed "${LIBCLC:-/usr/lib/clc/nvptx64--.bc}" -o "$work/linked.bc" 2>"$work/log" ||
  { cat "$work/log" >&2; exit 1; }
llvm-dis-19 "$work/linked.bc" -o - |
  sed -E '/^attributes #/s/"(target-cpu|target-features|no-builtins|no-trapping-math)"(="[^"]*")?//g' |
  llvm-as-19 -o "$work/whole.bc"
mv "$work/whole.bc" "$output"
rm -rf "$work"
