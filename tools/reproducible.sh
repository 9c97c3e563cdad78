#!/bin/sh
# Builds the command and the shared library twice, in two folders of the same sources, and compares them bit for bit.
# Usage: tools/reproducible.sh [JOBS]. Takes the time of two builds; exit status 1: they differ.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
jobs=${1:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git -C "$source" rev-parse HEAD)
for name in one "another/with a longer name"; do
  mkdir -p "$work/$name"
  git -C "$source" archive --format=tar "$commit" | tar -x -C "$work/$name"
  cmake -S "$work/$name" -B "$work/$name/build" -DSIMTLAB_TESTS=OFF -DSIMTLAB_DEVICE_PROGRAMS=OFF >/dev/null
  make --no-print-directory -s -C "$work/$name/build" "-j$jobs" simtlab simtlab_shared >/dev/null
done
status=0
for file in simtlab libsimtlab.so; do
  if cmp "$work/one/build/$file" "$work/another/with a longer name/build/$file"; then
    sha256sum "$work/one/build/$file" | sed "s|$work/one/build/||"
  else
    status=1
  fi
done
exit $status
