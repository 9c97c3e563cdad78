# Helpers of the tests of lowered PTX, after _lib.sh: runs a launch script and reads its counters.
kernels=$SOURCE/reference/ptx/kernels
value() { "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[2]))["totals"]["counters"][sys.argv[1]]["value"])' "$1" "$2"; }
sum() { # NAME SCRIPT OPTION...
  name=$1 script=$2
  shift 2
  expect 0 "$SIMTLAB" run -q -m sm7-4 "$@" --stats "$name.json" "$script"
  mv out "$name.out"
}
all="--set lower.parameters=on --set lower.moves=on --set lower.addresses=on --set lower.adds=on --set lower.logic=on --set lower.vectors=on
  --set lower.schedule=on --set lower.unroll=on --set lower.predicate=on"
