#!/bin/sh
# An installed simtlab: the examples of docs/how-to/library.md compile with it, the first with every build method, and
# the command finds its programs.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$BUILD" --prefix "$prefix" >/dev/null
library=$(dirname "$(find "$prefix" -name libsimtlab.a)")

awk -v name="$work/example" '/^```c$/ { file = name (n++ ? n : "") ".c"; next } /^```/ { file = "" } file { print > file }' \
  "$SOURCE/docs/how-to/library.md"
lines=$(wc -l <"$work/example.c")
[ "$lines" -ge 30 ] && [ "$lines" -le 50 ]

export PKG_CONFIG_PATH=$library/pkgconfig
flags=$(pkg-config --cflags --libs simtlab)
# shellcheck disable=SC2086
gcc -std=c17 -Wall -Wextra -Werror "$work/example.c" $flags -o "$work/shared"
# shellcheck disable=SC2086
gcc -std=c17 -Wall -Wextra -Werror "$work/example2.c" $flags -o "$work/launch"
# shellcheck disable=SC2046
gcc -std=c17 -fno-lto -static "$work/example.c" $(pkg-config --static --cflags --libs simtlab) -o "$work/static"

mkdir "$work/cmake"
cat >"$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(example C)
find_package(simtlab 0.2 REQUIRED)
add_executable(example ../example.c)
target_link_libraries(example simtlab::shared)
if(TARGET simtlab::static)
  add_executable(example_static ../example.c)
  target_link_libraries(example_static simtlab::static)
endif()
EOF
cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_EXE_LINKER_FLAGS=-fno-lto -Dsimtlab_DIR="$library/cmake/simtlab" >/dev/null
make -s -C "$work/cmake/build" >/dev/null
# If libraries of the static library are missing, the shared library is still found.
without="-DCMAKE_FIND_ROOT_PATH=$work/nothing -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -Dsimtlab_DIR=$library/cmake/simtlab"
# shellcheck disable=SC2086
cmake -S "$work/cmake" -B "$work/cmake/without" $without >/dev/null
make -s -C "$work/cmake/without" >/dev/null
[ -x "$work/cmake/without/example" ] && [ ! -e "$work/cmake/without/example_static" ]
sed -i 's/0.2 REQUIRED/0.2 REQUIRED COMPONENTS static/' "$work/cmake/CMakeLists.txt"
# shellcheck disable=SC2086
cmake -S "$work/cmake" -B "$work/cmake/refused" $without >"$work/refused" 2>&1 && exit 1
tr -s ' \n' ' ' <"$work/refused" | grep -q 'libdw is missing, which simtlab::static is linked with'

# Manual pages and completions of every command.
for command in $("$prefix/bin/simtlab" help --list commands); do
  man -l "$prefix/share/man/man1/simtlab-$command.1" 2>/dev/null | grep -q "simtlab.$command"
done
for file in man/man1/simtlab.1 bash-completion/completions/simtlab zsh/site-functions/_simtlab \
  fish/vendor_completions.d/simtlab.fish; do
  [ -s "$prefix/share/$file" ]
done

elf=$prefix/share/simtlab/bench/VecAdd.elf
expected=$("$prefix/bin/simtlab" run -q "$elf" small)
for example in "$work/shared" "$work/static" "$work/cmake/build/example" "$work/cmake/build/example_static" \
  "$work/cmake/without/example"; do
  output=$(LD_LIBRARY_PATH=$library "$example" "$elf" small)
  [ "$(echo "$output" | head -n 1)" = "$expected" ]
  echo "$output" | grep -Eq '^[0-9]+ cycles$'
done
LD_LIBRARY_PATH=$library "$work/launch" "$elf" | grep -Eq '^4095 \+ 4095 = 8190, [0-9]+ cycles$'
LD_LIBRARY_PATH=$library "$work/shared" /nonexistent 2>"$work/error" && exit 1
grep -q nonexistent "$work/error"

"$prefix/bin/simtlab" bench --only VecAdd >/dev/null
"$prefix/bin/simtlab" bench -m vortex-cfm --only saxpy-cfm >/dev/null
"$prefix/bin/simtlab" verify simtight --only 'empty_*' >/dev/null
"$prefix/bin/simtlab" cc -o "$work/k.elf" "$SOURCE/bench/VecAdd/VecAdd.c" -I"$SOURCE/bench/common"
"$prefix/bin/simtlab" run -q "$work/k.elf" >/dev/null
if [ -x "$BUILD/simtlab-marks" ]; then
  "$prefix/bin/simtlab" cc --target vortex -o "$work/v.elf" "$SOURCE/tests/cli/programs/plain_kernels.c"
  "$prefix/bin/simtlab" run -q -m vortex "$work/v.elf" >/dev/null
fi
echo "installed simtlab works"
