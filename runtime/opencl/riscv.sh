#!/bin/sh
# Builds the OpenCL device library for a family of machines with RISC-V instructions: sh riscv.sh FAMILY OUTPUT.bc.
# Needs clang-19 and libclc-19. Its types and address spaces are those of 32-bit NVPTX, which libclc is built for.
set -eu
family=$1 output=$2
source=$(cd "$(dirname "$0")" && pwd)
case $family in
vortex) define=-DSIMTLAB_VORTEX ;;
simt) define=-DSIMTLAB_MARKS ;;
*) define=-DSIMTLAB_NO_MARKS ;;
esac
clang-19 -x cl --target=nvptx-- "$define" -cl-std=CL1.2 -Xclang -finclude-default-header \
  -Xclang -fdeclare-opencl-builtins -Xclang -cl-ext=-all -Wno-asm-operand-widths -O2 -Xclang -disable-llvm-passes \
  -Xclang -mlink-builtin-bitcode -Xclang "${LIBCLC:-/usr/lib/clc/nvptx--.bc}" -emit-llvm -c "$source/riscv.cl" \
  -o "$output.part"
mv "$output.part" "$output"
