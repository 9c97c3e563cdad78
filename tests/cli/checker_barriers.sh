# The checker: barriers of C kernels to which not all threads of a block come, on machines that count the warps of a
# block, whatever barrier these wait at.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/check
cd "$work" || exit 1

# checks MACHINE TARGET NAME [OPTION]: a program in C has the findings of its marks.
checks() {
  [ -f "$3.$2" ] || expect 0 "$SIMTLAB" cc --target "$2" -g -o "$3.$2" "$programs/c/$3.c"
  status=1
  grep -q '// [a-z]' "$programs/c/$3.c" || status=0
  expect $status "$SIMTLAB" check -q -m "$1" ${4:-} "$3.$2"
  python3 "$programs/compare.py" "$programs/c/$3.c" err >said 2>&1 || complain "$(cat said)"
}

for name in barrier_in_branches barrier_in_loop barrier_skipped barrier_copies_ok; do
  checks simtight simt $name
  checks simty-plus simt $name --timed
  checks vortex vortex $name
done
checks sm7 sm7 barrier_copies_ok
checks vortex vortex barrier_skipped
says "barrier_skipped.c:6: warp 0 of core 0 passes this barrier together with warp"
says "barrier_skipped.c:2 (the end of the block)"
for name in barrier_in_lanes barrier_one_sided; do
  checks simtight simt $name
  checks simty-plus simt $name
  checks vortex vortex $name
done
finish
