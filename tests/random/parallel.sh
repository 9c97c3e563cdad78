#!/bin/sh
# Runs a script of random programs on all processors: parallel.sh SCRIPT COUNT SEED [ARGUMENT]...
# Each processor runs `SCRIPT COUNT/N SEED ARGUMENT...` with seeds of its own. COUNT may also be a number of seconds that
# the processors share. Prints the outputs one after the other. Exit status 1: one of them failed.
set -u
script=$1 count=$2 seed=$3
shift 3
processors=$(nproc)
share=$(((count + processors - 1) / processors))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
children=
for i in $(seq 0 $((processors - 1))); do
  sh "$script" $share $((seed + i * share)) "$@" >"$work/$i" 2>&1 </dev/null &
  children="$children $!"
done
status=0
for child in $children; do
  wait "$child" || status=1
done
cat "$work"/*
exit $status
