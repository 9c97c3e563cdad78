#!/bin/sh
# Builds for a family of machines with RISC-V instructions what OpenCL kernels are compiled with: sh riscv.sh FAMILY
# PREFIX. PREFIX.bc is the device library, PREFIX.1.bc and PREFIX.2.bc its functions after the passes (simtlab-clc),
# PREFIX.o the start code with what it needs, PREFIX.ld the linker script. Needs clang-19, libclc-19, simtlab-clc, and
# `simtlab cc` with its packages. The library's types and address spaces are those of
# 32-bit NVPTX, which libclc is built for.
set -eu
family=$1 prefix=$2
source=$(cd "$(dirname "$0")" && pwd)
runtime=$source/..
work=$prefix.parts
rm -rf "$work" && mkdir -p "$work"
case $family in
vortex)
  define=-DSIMTLAB_VORTEX target=vortex start=vortex_start.S library=vortex.c script=vortex.ld
  machine='-march=rv32imf -mabi=ilp32f' libraries=rv32imf/ilp32f
  ;;
vortex64) define=-DSIMTLAB_VORTEX target=vortex64 start=vortex_start.S library=vortex.c script=vortex.ld ;;
*)
  define=-DSIMTLAB_NO_MARKS target=simt start=start.S library=simt.c script=simtight.ld
  machine='-march=rv32im -mabi=ilp32' libraries=rv32im/ilp32
  ;;
esac
[ "$family" != simt ] || define=-DSIMTLAB_MARKS
clang-19 -x cl --target=nvptx-- "$define" -cl-std=CL1.2 -Xclang -finclude-default-header \
  -Xclang -fdeclare-opencl-builtins -Xclang -cl-ext=-all -Wno-asm-operand-widths -O2 -Xclang -disable-llvm-passes \
  -Xclang -mlink-builtin-bitcode -Xclang "${LIBCLC:-/usr/lib/clc/nvptx--.bc}" -emit-llvm -c "$source/riscv.cl" \
  -o "$work/whole.bc"
# Each file of libclc names its compiler, in a line and a symbol of every kernel's object.
llvm-dis-19 "$work/whole.bc" -o - | sed '/^!llvm.ident =/d' | llvm-as-19 -o "$work/library.bc"
printf 'int main(void)\n{\n  return 0;\n}\n' >"$work/main.c"
for part in "$runtime/$start" "$runtime/$library" "$work/main.c"; do
  "${SIMTLAB:-simtlab}" cc --target "$target" -ffunction-sections -c "$part" -o "$work/$(basename "$part").o"
done
"${CLC:-simtlab-clc}" "$family" "$work/library.bc"
mv "$work/library.1.bc" "$prefix.1.bc"
mv "$work/library.2.bc" "$prefix.2.bc"
mv "$work/library.bc" "$prefix.bc"
cp "$runtime/$script" "$prefix.ld"
if [ "$family" = vortex64 ]; then # linked for 64-bit words by simtlab
  mv "$work/$library.o" "$prefix.library.o"
  mv "$work/main.c.o" "$prefix.main.o"
  mv "$work/$start.o" "$prefix.o"
  rm -rf "$work"
  exit
fi
# shellcheck disable=SC2086
riscv64-unknown-elf-gcc $machine -nostdlib -r -Wl,--defsym=vfprintf=__i_vfprintf -o "$work/start.o" "$work/"*.o \
  -L"/usr/lib/picolibc/riscv64-unknown-elf/lib/$libraries" -Wl,--start-group -lc -lgcc -Wl,--end-group
mv "$work/start.o" "$prefix.o"
rm -rf "$work"
