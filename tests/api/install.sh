#!/bin/sh
# An installed simtlab: the examples of docs/library.md compile against it, the first in three ways, and the command finds its programs.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$BUILD" --prefix "$prefix" >/dev/null
library=$(dirname "$(find "$prefix" -name libsimtlab.a)")

awk -v name="$work/example" '/^```c$/ { file = name (n++ ? n : "") ".c"; next } /^```/ { file = "" } file { print > file }' \
  "$SOURCE/docs/library.md"
lines=$(wc -l <"$work/example.c")
[ "$lines" -ge 30 ] && [ "$lines" -le 50 ]

export PKG_CONFIG_PATH=$library/pkgconfig
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs simtlab)
# shellcheck disable=SC2086
gcc -std=c17 -Wall -Wextra -Werror "$work/example.c" $flags -o "$work/shared"
# shellcheck disable=SC2086
gcc -std=c17 -Wall -Wextra -Werror "$work/example2.c" $flags -o "$work/launch"
static=$(pkg-config --define-variable=prefix="$prefix" --static --libs simtlab | sed 's/-lsimtlab/-l:libsimtlab.a/')
# shellcheck disable=SC2086
gcc -std=c17 "$work/example.c" -I"$prefix/include" $static -o "$work/static"

mkdir "$work/cmake"
cat >"$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(example C)
find_package(simtlab 0.1 REQUIRED)
add_executable(example ../example.c)
target_link_libraries(example simtlab::static)
EOF
cmake -S "$work/cmake" -B "$work/cmake/build" -Dsimtlab_DIR="$library/cmake/simtlab" >/dev/null
make -s -C "$work/cmake/build" >/dev/null

elf=$prefix/share/simtlab/bench/VecAdd.elf
expected=$("$prefix/bin/simtlab" run -q "$elf" small)
for example in "$work/shared" "$work/static" "$work/cmake/build/example"; do
  output=$(LD_LIBRARY_PATH=$library "$example" "$elf" small)
  [ "$(echo "$output" | head -n 1)" = "$expected" ]
  echo "$output" | grep -Eq '^[0-9]+ cycles$'
done
LD_LIBRARY_PATH=$library "$work/launch" "$elf" | grep -Eq '^4095 \+ 4095 = 8190, [0-9]+ cycles$'
LD_LIBRARY_PATH=$library "$work/shared" /nonexistent 2>"$work/error" && exit 1
grep -q nonexistent "$work/error"

"$prefix/bin/simtlab" bench --only VecAdd >/dev/null
"$prefix/bin/simtlab" verify simtight --only 'empty_*' >/dev/null
"$prefix/bin/simtlab" cc -o "$work/k.elf" "$SOURCE/bench/VecAdd/VecAdd.c" -I"$SOURCE/bench/common"
"$prefix/bin/simtlab" run -q "$work/k.elf" >/dev/null
if [ -x "$BUILD/simtlab-marks" ]; then
  "$prefix/bin/simtlab" cc --target vortex -o "$work/v.elf" "$SOURCE/tests/cli/programs/plain_kernels.c"
  "$prefix/bin/simtlab" run -q -m vortex "$work/v.elf" >/dev/null
fi
echo "installed simtlab works"
