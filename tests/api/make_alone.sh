#!/bin/sh
# `make` builds everything that the commands of the README and of docs/ need: the command, and the programs of the
# target shipped, in a separate folder.
set -eu
. "$(dirname "$0")/_doc_commands.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$BUILD/simtlab" "$work/"
[ ! -x "$BUILD/simtlab-marks" ] || cp "$BUILD/simtlab-marks" "$work/"
ln -s "$SOURCE/runtime" "$work/runtime"
ln -s "$SOURCE/bench-isa64" "$work/bench-isa64"
ln -s "$BUILD/cmake" "$work/cmake"
ln -s "$BUILD/studies" "$work/studies"
mkdir "$work/reference"
ln -s "$BUILD/reference/ptx" "$work/reference/ptx"
ln -s "$BUILD/reference/silicon" "$work/reference/silicon"
(cat "$BUILD/programs.txt" && cd "$BUILD" && ls reference/*/cycles.json) | while read -r file; do
  mkdir -p "$work/$(dirname "$file")"
  [ -e "$work/$file" ] || ln -s "$BUILD/$file" "$work/$file"
done
doc_commands "$work/simtlab" "$work"
