#!/bin/sh
# Runs a command that compiles a program for a simulated machine, or copies the program from a cache. The key is a hash
# of the command, the named files and the toolchain. Each program is therefore compiled once for all build folders.
# Usage: tools/program_cache.sh OUTPUT BUILD FILE... -- COMMAND...
#   OUTPUT  the program; COMMAND writes it
#   BUILD   the build folder, whose name in the command does not affect the key
#   FILE    further inputs: the program's sources, and a file that identifies the toolchain
# SIMTLAB_PROGRAM_CACHE is the cache folder, ~/.cache/simtlab/programs if unset; empty: no cache.
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
    pwd -P # debugging information contains it
  } | sha256sum | cut -d' ' -f1
)
shift $((files + 1))
if [ -n "$cache" ] && [ -f "$cache/$key" ]; then
  touch -c "$cache/$key" # the oldest ones are removed first
  cp "$cache/$key" "$output.part"
  mv "$output.part" "$output"
  exit 0
fi
"$@"
# A read-only cache is not an error: the program exists.
if [ -n "$cache" ] && mkdir -p "$cache" 2>/dev/null && cp "$output" "$cache/$key.$$" 2>/dev/null; then
  mv "$cache/$key.$$" "$cache/$key"
fi
