#!/bin/sh
# A file includes only from its own layer or from one below it.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"
find . -name '*.c' -o -name '*.h' -o -name '*.def' | sed 's|^\./||' | sort | xargs awk '
  function ranked(number, names,   n, i, name) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) rank[name[i]] = number
  }
  function layer_of(path,   part) { # The folders timing and compiler have one layer per folder.
    split(path, part, "/")
    return part[1] ~ /^(timing|compiler)$/ ? part[1] "/" part[2] : part[1]
  }
  function wrong(text) {
    print FILENAME ": " text >"/dev/stderr"
    bad = 1
  }
  BEGIN { # lowest first
    ranked(0, "base simtlab") # simtlab: the public header
    ranked(1, "isa")
    ranked(2, "program mem")
    ranked(3, "timing/memory convergence")
    ranked(4, "func ptx")
    ranked(5, "timing/pipeline compiler/linear")
    ranked(6, "machine")
    ranked(7, "config")
    ranked(8, "compiler/isa64")
    ranked(9, "device")
    ranked(10, "observe debug compiler/cc")
    ranked(11, "api host")
    ranked(12, "lab compiler/reconverge runtime")
    ranked(13, "cli compiler/opencl")
  }
  FNR == 1 {
    layer = layer_of(FILENAME)
    one_machine = creates = 0
    if (!(layer in rank)) wrong("the folder " layer " is in no layer")
  }
  /^#include "[a-z_0-9\/]*\// && layer in rank {
    path = $2
    gsub(/"/, "", path)
    included = layer_of(path)
    if (included != layer && !(included in rank && rank[included] < rank[layer]))
      wrong(layer " may not include from " included)
  }
  # Layers above machine ask struct sl_machine, not a single machine. Exceptions: the PTX device and the sampler of
  # blocks, which drive the one machine that has both, and commands about one machine.
  /^#include "machine\/[a-z0-9_]+\// && FILENAME ~ /\.[ch]$/ && !one_machine++ &&
    FILENAME !~ /^(machine|compiler\/linear|cli\/linear|cli\/silicon)\// &&
    FILENAME !~ /^device\/(gpu_ptx|gpu_ptx_view|gpu_ptx_look|checkpoint_ptx)\.c$/ &&
    FILENAME !~ /^device\/engine\/block_sampling\.[ch]$/ &&
    FILENAME !~ /^cli\/(lower_command|verify\/verify_sm7)\.c$/ {
    wrong("includes a header of a single machine; ask struct sl_machine (machine/machine.h)")
  }
  # Everyone above the device opens a GPU (device/gpu.h), which owns it.
  /(^|[^A-Za-z0-9_])sl_device_(create|destroy)\(/ && FILENAME ~ /\.c$/ && FILENAME !~ /^device\// && !creates++ {
    wrong("creates a device; open a GPU with sl_gpu_open")
  }
  END { exit bad }'
echo "every include points downwards"
