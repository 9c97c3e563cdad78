#!/bin/sh
# A file includes only from its own layer or from one below it.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"

rank() { # lowest first
  case $1 in
  base | simtlab) echo 0 ;; # simtlab: the public header
  isa) echo 1 ;;
  program | mem) echo 2 ;;
  warp | ptx) echo 3 ;;
  unit | linear) echo 4 ;;
  machine) echo 5 ;;
  engine | config) echo 6 ;;
  gpu | backend) echo 7 ;;
  device) echo 8 ;;
  observe | toolchain) echo 9 ;;
  api) echo 10 ;;
  cli | marks) echo 11 ;;
  *) echo none ;;
  esac
}

status=0
for file in $(find . -name '*.c' -o -name '*.h' -o -name '*.def' | sed 's|^\./||'); do
  layer=${file%%/*}
  own=$(rank "$layer")
  [ "$own" != none ] || { echo "$file: the folder $layer is in no layer" >&2; status=1; continue; }
  for included in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file" | sort -u); do
    other=$(rank "$included")
    if [ "$included" != "$layer" ] && { [ "$other" = none ] || [ "$other" -ge "$own" ]; }; then
      echo "$file: $layer may not include from $included" >&2
      status=1
    fi
  done
done
[ "$status" -eq 0 ] && echo "every include points downwards"
exit "$status"
