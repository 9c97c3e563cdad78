#!/bin/sh
# Regenerates the golden files NAME.mir from NAME.c, with the compiler whose machine IR src/compiler/isa64/mir reads: clang-19
# and llc-19. Run it in this folder; the tests need neither.
set -eu
for source in *.c; do
  name=${source%.c}
  case $name in test_*) continue ;; esac
  debug=
  [ "$name" != mixed ] || debug="-gline-tables-only -fdebug-prefix-map=$PWD=/source"
  clang-19 -O2 $debug --target=riscv32 -march=rv32ima_zfinx -mabi=ilp32 -fno-math-errno -ffp-contract=off -ffreestanding -S -emit-llvm "$source" -o - |
    llc-19 -O2 -stop-before=greedy -o "$name.mir"
done
