#!/bin/sh
# Configures a build folder and builds targets in it; shows progress on a terminal.
# Usage: tools/build.sh NAME FOLDER JOBS "TARGET..." [CMAKE-OPTION]...   NAME is the prefix of each printed line.
set -eu
cd "$(dirname "$0")/.."
. tools/_stage.sh
name=$1 folder=$2 jobs=$3 targets=$4
shift 4
mkdir -p "$folder"
# make starts cmake for each line that it prints, which is a sixth of a build's time; ninja does not. A folder that make
# has built stays one of make.
generator=
! command -v ninja >/dev/null || [ -f "$folder/CMakeCache.txt" ] || generator=-GNinja
export NINJA_STATUS="[%p] "
cmake -S . -B "$folder" $generator "$@" >"$folder/cmake.log" 2>&1 || {
  cat "$folder/cmake.log" >&2
  echo "$name: cmake failed; its output is in $folder/cmake.log" >&2
  exit 1
}
# shellcheck disable=SC2086
stage "$name" "building $folder" "$folder/make.log" cmake --build "$folder" -j "$jobs" --target $targets || {
  grep -v '^\[' "$folder/make.log" | tail -n 40 >&2
  echo "$name: $folder does not build; the whole output is in $folder/make.log" >&2
  exit 1
}
