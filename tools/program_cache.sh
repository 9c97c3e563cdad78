#!/bin/sh
# Runs a command that compiles a program for a simulated machine, or takes the program from the cache. The key is a hash of
# the command, the files named and the toolchain, so that a program is compiled once however many build folders want it.
# Usage: tools/program_cache.sh OUTPUT BUILD FILE... -- COMMAND...
#   OUTPUT  the program; COMMAND writes it
#   BUILD   the build folder, whose name in the command does not matter
#   FILE    what goes into the program beside the command: its sources, and a file that stands for the toolchain
# SIMTLAB_PROGRAM_CACHE is the folder of the cache, ~/.cache/simtlab/programs if it is not set; empty: no cache.
set -eu
output=$1 build=$2
shift 2
cache=${SIMTLAB_PROGRAM_CACHE-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/simtlab/programs}
files=0
for word; do
  [ "$word" != -- ] || break
  files=$((files + 1))
done
key=$(
  {
    i=0
    for word; do
      i=$((i + 1))
      if [ $i -le $files ]; then cat "$word"; else printf '%s\0' "$word"; fi
    done | sed "s|$output|OUTPUT|g; s|$build|BUILD|g"
    pwd -P # debugging information names it
  } | sha256sum | cut -d' ' -f1
)
shift $((files + 1))
if [ -n "$cache" ] && [ -f "$cache/$key" ]; then
  touch -c "$cache/$key" # the oldest ones go first
  cp "$cache/$key" "$output.part"
  mv "$output.part" "$output"
  exit 0
fi
"$@"
# A cache that cannot be written is no error: the program is there.
if [ -n "$cache" ] && mkdir -p "$cache" 2>/dev/null && cp "$output" "$cache/$key.$$" 2>/dev/null; then
  mv "$cache/$key.$$" "$cache/$key"
fi
