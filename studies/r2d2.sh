#!/bin/sh
# Makes the programs of r2d2.yaml; SIMTLAB is the command.
#   r2d2.sh linear OUT.launch SCRIPT [blocks|threads N]
# makes OUT.launch and, beside it, the script's module with linear registers. `blocks` changes the grid of backprop,
# `threads` the size of one-dimensional blocks, with as many threads in all.
#   r2d2.sh ideal SCRIPT RESULT
# writes the thread instructions that ideal machines execute.
set -eu
case $1 in
linear)
  out=$2 script=$3 varied=${4:-} n=${5:-0} folder=${2%/*} new=$2.$$
  trap 'rm -f "$new" "$new".*' EXIT
  module=$(sed -n 's/^ptx  *//p; s/^elf  *//p' "$script" | head -n 1)
  "$SIMTLAB" linear -o "$new.${module##*.}" "${script%/*}/$module" >/dev/null
  mv "$new.${module##*.}" "$folder/$module"
  awk -v varied="$varied" -v n="$n" '
    varied == "blocks" && / 1 64 1 16 16 1 / { sub(/ 1 64 1 16 16 1 /, " 1 " n " 1 16 16 1 ") }
    varied == "threads" && $1 == "launch" && $4 == 1 && $5 == 1 && $7 == 1 && $8 == 1 { $3 = $3 * $6 / n; $6 = n }
    { print }' "$script" >"$new"
  mv "$new" "$out"
  ;;
ideal)
  "$SIMTLAB" linear --ideal --json "$3.json" "$2" >/dev/null
  { echo '{'; sed -n '/"sum"/,/}/s/.*"\([a-z]*\)": \([0-9][0-9]*\).*/"ideal.\1": \2,/p' "$3.json"; echo '"scripts": 1}'; } >"$3"
  rm "$3.json"
  ;;
esac
