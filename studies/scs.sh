#!/bin/sh
# Compiles a program of scs.yaml: scs.sh OUT KERNEL OPTION... SIMTLAB is the command. With -DLOCKS it also runs the program
# on every scheme, without timing, and prints the exit statuses: 0; 3 where lanes loop forever; 4 at the limit of cycles.
set -eu
out=$1 kernel=$2
shift 2
trap 'rm -f "$out.new" "$out.simt" "$out.sm7"' EXIT
"$SIMTLAB" cc --target vortex -O2 "$@" -o "$out.new" ../bench-scs/scs.c

status() { # PROGRAM OPTION...
  program=$1 code=0
  shift
  "$SIMTLAB" run -qf -c 4000000 "$@" "$program" "$kernel" >/dev/null 2>&1 || code=$?
  printf ' %s' "$code"
}

if [ "$*" = -DLOCKS ]; then
  "$SIMTLAB" cc -O2 "$@" -o "$out.simt" ../bench-scs/scs.c
  "$SIMTLAB" cc --target sm7 -O2 "$@" -o "$out.sm7" ../bench-scs/scs.c
  printf ends
  for scheme in "-m vortex -s atomics=true" "-m vortex-scs" "-m vortex-its -s its.yield=false" "-m vortex-its"; do
    # shellcheck disable=SC2086
    status "$out.new" $scheme -s split.first=smaller -s warps=4 -s lanes=4
  done
  for machine in simtight simtight-fair simty-plus simty-fair; do
    status "$out.simt" -m $machine -s lanes=16 -s global_atomics=true
  done
  status "$out.sm7" -m sm7-1
  echo
fi
mv "$out.new" "$out"
