#!/bin/sh
# simtlab_add_program, from the build folder and from an installation: it compiles programs that run, and rebuilds them
# exactly when one of their inputs changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$BUILD" --prefix "$work/prefix" >/dev/null
installed=$(dirname "$(find "$work/prefix" -name simtlabConfig.cmake)")

# Headers hold the printed text: one beside the program, one in another folder.
mkdir -p "$work/project/include"
cd "$work/project"
cat >program.c <<'END'
#include "near.h"
#include "far.h"
#include <stdio.h>
int more(void);
int main(void)
{
  printf("%d %d %d %d\n", NEAR, FAR, GIVEN, more());
  return 0;
}
END
echo 'int more(void) { return 7; }' >more.c
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(example C)
if(HERE)
  include(${HERE})
else()
  find_package(simtlab 0.2 REQUIRED)
endif()
foreach(name plain vortex float)
  set(options)
  if(name STREQUAL vortex)
    set(options TARGET vortex)
  endif()
  set(float)
  if(name STREQUAL float)
    set(float --fp)
  endif()
  simtlab_add_program(${name} SOURCES program.c more.c ${options} OPTIONS ${float} -DGIVEN=3 -Iinclude)
endforeach()
get_target_property(program plain SIMTLAB_PROGRAM)
add_custom_target(show COMMAND ${SIMTLAB_COMMAND} run -q ${program})
END

# shows BUILD WANTED: builds all three programs where needed; they print WANTED.
shows() {
  make -s -C "$1" >/dev/null
  for name in plain vortex float; do
    case $name in vortex) machine=vortex ;; float) machine=simtight-fp ;; *) machine=simtight ;; esac
    output=$("$BUILD/simtlab" run -q -m $machine "$1/$name.elf" | sed 's/^#0: //')
    [ "$output" = "$2" ] || { echo "$name prints $output instead of $2" >&2; exit 1; }
  done
}

for way in "-DHERE=$BUILD/simtlabPrograms.cmake" "-Dsimtlab_DIR=$installed"; do
  echo '#define NEAR 1' >near.h
  echo '#define FAR 2' >include/far.h
  rm -rf build
  cmake -S . -B build "$way" >/dev/null
  shows build "1 2 3 7"
  make -s -C build show >"$work/shown"
  grep -q '^1 2 3 7' "$work/shown"
  before=$(stat -c %y build/*.elf)
  shows build "1 2 3 7"
  [ "$(stat -c %y build/*.elf)" = "$before" ] || { echo "made again without a reason" >&2; exit 1; }
  echo '#define FAR 5' >include/far.h
  shows build "1 5 3 7"
  echo '#define NEAR 4' >near.h
  shows build "4 5 3 7"
done
grep -q "^SIMTLAB_COMMAND:FILEPATH=$work/prefix/" build/CMakeCache.txt

echo 'simtlab_add_program(wrong program.c)' >>CMakeLists.txt
cmake -S . -B build >"$work/refused" 2>&1 && exit 1
grep -q 'simtlab_add_program(NAME SOURCES FILE' "$work/refused"
echo "simtlab_add_program works"
