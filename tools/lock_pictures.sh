#!/bin/sh
# Renews docs/images/convergence: lock_pictures.sh [BUILD]. Four lanes take a lock under each convergence scheme; the
# pictures show traces of these runs. Needs simtlab-marks.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
source=tools/lock_pictures/lock.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images/convergence
export SIMTLAB_HOME="$build"
"$build/simtlab" cc -g --marks=auto -o "$work/nesting.elf" "$source"
"$build/simtlab" cc -g --target vortex -o "$work/vortex.elf" "$source"
"$build/simtlab" cc -g --target vortex --marks=its -o "$work/its.elf" "$source"
"$build/simtlab" cc -g --target sm7 -o "$work/sm7.elf" "$source"
# NAME PROGRAM TITLE|OPTIONS. Livelocks are told after 2^19 cycles, which is a long trace; the first cycles show them.
while IFS='|' read -r name program title options; do
  # shellcheck disable=SC2086 # the options are words
  "$build/simtlab" trace -q -c 50000 -o "$work/$name.json" $options "$work/$program.elf" 2>"$work/message" ||
    grep -q "limit of 50000 cycles" "$work/message" || { cat "$work/message" >&2; exit 1; }
  python3 tools/lock_pictures/draw.py "$work/$name.json" "$source" 4 "$title" >"docs/images/convergence/$name.svg"
done <<'TABLE'
nesting|nesting|nesting: lane 0 has the lock and waits for ever|-m simtight -s lanes=4 -s warps=1 -s global_atomics=true
fairness|nesting|nesting with fairness=16: each lane has its turn|-m simtight-fair -s lanes=4 -s warps=1 -s global_atomics=true -s fairness=16
ipdom|vortex|ipdom: lane 0 is switched off until the loop ends|-m vortex -s lanes=4 -s warps=1 -s atomics=true
scs|vortex|scs: the lane with the lock is pending, and the others yield to it|-m vortex-scs -s lanes=4 -s warps=1
its|its|its: the lanes that have yielded go last|-m vortex-its -s lanes=4 -s warps=1
unyielding|its|its with its.yield=false: the lowest pc goes first|-m vortex-its -s lanes=4 -s warps=1 -s its.yield=false
stack|sm7|stack (sm7): lane 0 waits where the lanes meet again|-m sm7-1
TABLE
ls -l docs/images/convergence
