#!/bin/sh
# simtlab cc as the compiler of make, CMake and Meson, and the stock compiler without it: each builds and runs one
# project, from the build folder and from an installation.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$BUILD" --prefix "$work/prefix" --component command >/dev/null
mkdir "$work/project"
cd "$work/project"

# A kernel in C++, a function in assembly, a library in C with a header. The kernel's branch diverges.
cat >main.cc <<'END'
#include "part.h"
#include "simt.h"
#include <stdio.h>
extern "C" int assembled();
SIMT_KERNEL(fill, (int *, a))
{
  SIMT_IF (threadIdx.x % 3 != 0) {
    a[threadIdx.x] += 5;
  } SIMT_ELSE {
    a[threadIdx.x] = PART;
  } SIMT_ENDIF
}
int main()
{
  int *a = simt_alloc<int>(128);
  if (simt_launch(fill, 1, 128, .a = a) != SIMT_OK)
    return 1;
  printf("%d %d %d %d\n", a[3], a[4], assembled(), part());
  return 0;
}
END
cat >part.h <<'END'
#pragma once
#ifdef __cplusplus
extern "C"
#endif
int part(void);
#define PART 7
END
printf '#include "part.h"\nint part(void) { return PART; }\n' >part.c
printf '#define NUMBER 9\n        .globl  assembled\nassembled:\n        li      a0, NUMBER\n        ret\n' >assembled.S

cat >Makefile <<'END'
CC = simtlab cc $(TARGET)
CXX = $(CC)
AR = riscv64-unknown-elf-ar
CPPFLAGS = -MMD -MP
main.elf: main.o assembled.o libpart.a
	$(CXX) -o $@ $^
libpart.a: part.o
	$(AR) rcs $@ $^
-include *.d
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(example C CXX ASM)
enable_testing()
add_library(part STATIC part.c)
add_executable(main main.cc assembled.S)
target_link_libraries(main part)
add_test(NAME main COMMAND main)
set_tests_properties(main PROPERTIES PASS_REGULAR_EXPRESSION "7 5 9 7")
END
cat >meson.build <<'END'
project('example', 'c', 'cpp', default_options: ['warning_level=2', 'buildtype=debugoptimized'])
part = static_library('part', 'part.c')
test('main', executable('main', 'main.cc', 'assembled.S', link_with: part, name_suffix: 'elf'))
END

fail() {
  echo "$*" >&2
  [ ! -e log ] || tail -n 20 log >&2
  exit 1
}
machine() { case $1 in vortex) echo vortex ;; *) echo simtight ;; esac; }
# shows TARGET PROGRAM WANTED
shows() {
  output=$(simtlab run -q -m "$(machine "$1")" "$2" | sed 's/^#0: //')
  [ "$output" = "$3" ] || fail "$way, $1: $2 prints $output instead of $3"
}

# Each builds, and rebuilds exactly the files that depend on a changed header.
by_make() {
  rm -f ./*.o ./*.a ./*.d ./*.elf
  make TARGET="--target $1" >log 2>&1 || fail "make fails"
  shows "$1" main.elf "7 5 9 7"
  make -q TARGET="--target $1" || fail "make has something to do again"
  sed -i 's/PART 7/PART 8/' part.h
  make TARGET="--target $1" >log 2>&1 || fail "make fails"
  shows "$1" main.elf "8 5 9 8"
  sed -i 's/PART 8/PART 7/' part.h
}
by_cmake() {
  rm -rf build
  cmake -S . -B build --toolchain "$(simtlab cc --toolchain)" -DSIMTLAB_TARGET="$1" >log 2>&1 || fail "cmake fails"
  cmake --build build >log 2>&1 || fail "cmake --build fails"
  (cd build && ctest >../log 2>&1) || fail "ctest fails"
  before=$(stat -c %y build/main.elf)
  cmake --build build >log 2>&1
  [ "$(stat -c %y build/main.elf)" = "$before" ] || fail "cmake --build links again"
  sed -i 's/PART 7/PART 8/' part.h
  cmake --build build >log 2>&1 || fail "cmake --build fails"
  shows "$1" build/main.elf "8 5 9 8"
  sed -i 's/PART 8/PART 7/' part.h
}
by_meson() {
  command -v meson >/dev/null || return 0
  rm -rf build
  meson setup build --cross-file "$2simtlab-$1.ini" >log 2>&1 || fail "meson setup fails"
  meson test -C build >log 2>&1 || fail "meson test fails"
  shows "$1" build/main.elf "7 5 9 7"
}
# The stock compiler and linker with the options that they need.
directly() {
  command -v ld.lld-19 >/dev/null || return 0
  rm -f ./*.o
  for file in main.cc part.c assembled.S $(simtlab cc --target "$1" --runtime); do
    # shellcheck disable=SC2046
    clang-19 $(simtlab cc --target "$1" --cflags) -O2 -c "$file" -o "$(basename "$file").o"
  done
  # shellcheck disable=SC2046
  clang-19 -o main.elf ./*.o $(simtlab cc --target "$1" --ldflags)
  shows "$1" main.elf "7 5 9 7"
}

# All from the build folder; from the installation only what differs.
path=$PATH
for way in "$BUILD" "$work/prefix/bin"; do
  PATH=$way:$path
  export PATH XDG_DATA_DIRS="$work/prefix/share"
  crossfiles=$SOURCE/cmake/
  [ "$way" = "$BUILD" ] || crossfiles= # by name
  for target in simt vortex; do
    directly $target
    [ $target = simt ] || [ -x "$BUILD/simtlab-marks" ] || continue
    [ "$way$target" != "$work/prefix/binsimt" ] || continue
    by_make $target
    by_cmake $target
    by_meson $target "$crossfiles"
  done
done
echo "make, CMake, Meson and clang compile kernels"
