#!/bin/sh
# Compiles the programs of isa64.yaml; clang-19, llc-19 and llvm-objcopy-19 must be in PATH, and SIMTLAB the command.
#   isa64.sh bare OUT SOURCE KIND SIZE WORDS COMPILER OPTION...
# makes a kernel without runtime, and its buffers KIND-SIZE-WORDS-[ABC].bin beside it;
#   isa64.sh kernel OUT SOURCE OPTION...
# makes a kernel of bench-vortex/, with its runtime.
# A function for which the allocation fell back to the stock compiler's code would falsify the measurement: it is an error.
# `bare` prints the instructions in the code, and the conflicts among those with three registers (the paper's Table 1).
set -eu
mode=$1 out=$2 source=$3 folder=${2%/*} new=$2.$$
shift 3
trap 'rm -f "$new" "$new".*' EXIT

compile() { # OPTION... FILE...
  "$SIMTLAB" cc --target vortex64 --marks=user "$@" -o "$new" 2>"$new.log" || { cat "$new.log"; exit 1; }
  if grep "has the stock compiler's code" "$new.log"; then exit 1; fi
}

# The buffers, printed by a program that is simulated: `data` prints words of assembly, which become bytes.
buffers() { # KIND SIZE WORDS
  data=$folder/$1-$2-$3
  [ ! "$data-C.bin" -nt "${source%/*}/data.c" ] || return 0
  "$SIMTLAB" cc --target vortex --marks=user --fp --clang -ffp-contract=off -O2 -o "$new.elf" "${source%/*}/data.c"
  for buffer in A B C; do
    "$SIMTLAB" run -q -f -m vortex "$new.elf" $buffer "$1" "$2" "$3" | sed 's/^#0: //' >"$new.s"
    clang-19 --target=riscv32 -c -o "$new.o" "$new.s"
    llvm-objcopy-19 -O binary -j .text "$new.o" "$new.bin"
    mv "$new.bin" "$data-$buffer.bin"
  done
}

case $mode in
bare)
  kind=$1 size=$2 words=$3 compiler=$4
  shift 4
  [ "$compiler" = stock ] || set -- --registers 128 --banks 4 "$@"
  compile --allocation "$compiler" -nostartfiles -nostdlib -ffp-contract=off "$@" "$source"
  buffers "$kind" "$size" "$words"
  "$SIMTLAB" disasm "$new" >"$new.txt"
  echo "$(grep -c '^[0-9a-f]*:' "$new.txt") instructions," \
    "$(grep '# bank' "$new.txt" | grep -c '	[a-z.]*	[a-z0-9]*,[a-z0-9]*,[a-z][a-z0-9]*  #') conflicts"
  ;;
kernel)
  graphs=
  case $source in *gcn_aggr.c) graphs=${source%/*/*}/gcn_graphs.S ;; esac
  compile "$@" "$source" $graphs
  ;;
esac
mv "$new" "$out"
