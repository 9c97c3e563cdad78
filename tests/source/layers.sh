#!/bin/sh
# A file includes only from its own layer or from one below it.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"

rank() { # lowest first
  case $1 in
  base | simtlab) echo 0 ;; # simtlab: the public header
  isa) echo 1 ;;
  program | mem) echo 2 ;;
  timing/memory | convergence) echo 3 ;;
  func | ptx) echo 4 ;;
  timing/pipeline | compiler/linear) echo 5 ;;
  machine) echo 6 ;;
  config) echo 7 ;;
  compiler/isa64) echo 8 ;;
  device) echo 9 ;;
  observe | debug | compiler/cc) echo 10 ;;
  api | host) echo 11 ;;
  lab | compiler/reconverge | runtime) echo 12 ;;
  cli | compiler/opencl) echo 13 ;;
  *) echo none ;;
  esac
}

layer_of() { # The folders timing and compiler have one layer per folder.
  case $1 in
  timing/* | compiler/*) echo "$1" | cut -d/ -f1,2 ;;
  *) echo "${1%%/*}" ;;
  esac
}

status=0
for file in $(find . -name '*.c' -o -name '*.h' -o -name '*.def' | sed 's|^\./||'); do
  layer=$(layer_of "$file")
  own=$(rank "$layer")
  [ "$own" != none ] || { echo "$file: the folder $layer is in no layer" >&2; status=1; continue; }
  for included in $(sed -n 's/^#include "\([a-z_0-9/]*\)\/.*/\1/p' "$file" | sort -u); do
    included=$(layer_of "$included")
    other=$(rank "$included")
    if [ "$included" != "$layer" ] && { [ "$other" = none ] || [ "$other" -ge "$own" ]; }; then
      echo "$file: $layer may not include from $included" >&2
      status=1
    fi
  done
done

# Layers above machine ask struct sl_machine, not a single machine. Exceptions: the PTX device and the sampler of
# blocks, which drive the one machine that has both, and commands about one machine.
for file in $(grep -rlE '^#include "machine/[a-z0-9_]+/' . --include='*.[ch]' | sed 's|^\./||'); do
  case $file in
  machine/* | compiler/linear/*) ;;
  device/gpu_ptx.c | device/gpu_ptx_view.c | device/gpu_ptx_look.c | device/checkpoint_ptx.c | device/engine/block_sampling.[ch]) ;;
  cli/lower_command.c | cli/linear/* | cli/silicon/* | cli/verify/verify_sm7.c) ;;
  *)
    echo "$file: includes a header of a single machine; ask struct sl_machine (machine/machine.h)" >&2
    status=1
    ;;
  esac
done

# Everyone above the device opens a GPU (device/gpu.h), which owns it.
for file in $(grep -rlE '\bsl_device_(create|destroy)\(' . --include='*.c' | sed 's|^\./||'); do
  case $file in
  device/*) ;;
  *)
    echo "$file: creates a device; open a GPU with sl_gpu_open" >&2
    status=1
    ;;
  esac
done
[ "$status" -eq 0 ] && echo "every include points downwards"
exit "$status"
