#!/bin/sh
# Checks all sources with clang-14 for errors and warnings. It generates no code, which would take most of the time.
# Usage: tools/clang_warnings.sh [JOBS]. Uses generated headers of the folder build.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd -P)
cmake -S . -B build-clang -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_DEVICE_PROGRAMS=OFF >/dev/null
cd build-clang
"${PYTHON:-python3}" -c 'import json
for c in json.load(open("compile_commands.json")): print(c["command"], "-fsyntax-only")' |
  sed "s|$here/build-clang/generated|$here/build/generated|g" >commands.txt
[ "$(wc -l <commands.txt)" -gt 500 ] || { echo "clang-14: build-clang/commands.txt has too few commands" >&2; exit 1; }
tr '\n' '\0' <commands.txt | xargs -0 -n 1 -P "${1:-2}" sh -c || {
  echo "clang-14 does not accept the sources" >&2
  exit 1
}
echo "clang-14 accepts $(wc -l <commands.txt) sources without a warning"
