#!/bin/sh
# Builds the OpenCL device library, with libclc in it: sh build.sh OUTPUT.bc. Needs clang-19, llvm-19 and libclc-19.
# Code is inlined only between functions of equal attributes, so those of the target are removed.
set -eu
output=$1
source=$(cd "$(dirname "$0")" && pwd)
work=$output.parts
rm -rf "$work" && mkdir -p "$work"
objects=
for part in work_items native atomics images special; do
  clang-19 -x cl --target=nvptx64-- -march=sm_70 -Xclang -target-feature -Xclang +ptx64 -cl-std=CL1.2 \
    -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
    -Xclang -cl-ext=-all,+cl_khr_fp64,+cl_khr_3d_image_writes,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics \
    -O2 -Xclang -disable-llvm-passes -emit-llvm -c "$source/$part.cl" -o "$work/$part.bc" &
  objects="$objects $work/$part.bc"
done
wait
# What the language has no words for: an image or a sampler is a pointer, and the host writes the range of a launch.
{
  echo 'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"'
  echo 'target triple = "nvptx64-unknown-unknown"'
  echo '@simtlab_range = addrspace(4) externally_initialized global [10 x i64] zeroinitializer, align 8'
  for kind in 11ocl_image1d 18ocl_image1d_buffer 17ocl_image1d_array 11ocl_image2d 17ocl_image2d_array 11ocl_image3d; do
    for access in ro wo; do
      length=$((${kind%%ocl*} + 3))
      echo "define ptr addrspace(1) @_Z16simtlab_image_of${length}ocl${kind#*ocl}_$access(ptr addrspace(1) %i) alwaysinline {"
      echo '  ret ptr addrspace(1) %i'
      echo '}'
    done
  done
  echo 'define i32 @_Z12simtlab_bits11ocl_sampler(ptr addrspace(4) %s) alwaysinline {'
  echo '  %wide = ptrtoint ptr addrspace(4) %s to i64'
  echo '  %bits = trunc i64 %wide to i32'
  echo '  ret i32 %bits'
  echo '}'
  echo 'define ptr addrspace(4) @__translate_sampler_initializer(i32 %bits) alwaysinline {'
  echo '  %wide = zext i32 %bits to i64'
  echo '  %s = inttoptr i64 %wide to ptr addrspace(4)'
  echo '  ret ptr addrspace(4) %s'
  echo '}'
} >"$work/glue.ll"
llvm-as-19 "$work/glue.ll" -o "$work/glue.bc"
# shellcheck disable=SC2086
llvm-link-19 $objects "$work/glue.bc" -o "$work/own.bc"
# A link drops functions with linkage linkonce that nothing calls yet.
llvm-dis-19 "${LIBCLC:-/usr/lib/clc/nvptx64--.bc}" -o - | sed -E '/^define /s/ linkonce_odr / /' |
  llvm-as-19 -o "$work/libclc.bc"
llvm-link-19 "$work/libclc.bc" --override "$work/own.bc" -o "$work/linked.bc" 2>"$work/log" ||
  { cat "$work/log" >&2; exit 1; }
llvm-dis-19 "$work/linked.bc" -o - |
  sed -E '/^attributes #/s/"(target-cpu|target-features|no-builtins|no-trapping-math)"(="[^"]*")?//g; /^!(llvm.ident|opencl.ocl.version) =/d' |
  llvm-as-19 -o "$work/whole.bc"
mv "$work/whole.bc" "$output"
rm -rf "$work"
