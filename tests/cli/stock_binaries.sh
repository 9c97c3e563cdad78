# Stock binaries on a machine that needs no marks: benchmarks without marks, from both compilers at several levels, are
# right on Simty with SIMTight's units, timed and functional.
. "$(dirname "$0")/_lib.sh"
for level in -O0 -O2 -Os; do
  for clang in "" --clang; do
    [ -z "$clang" ] || command -v clang-19 >/dev/null || continue
    for name in VecGCD Reduce SparseMatVecMul; do
      expect 0 "$SIMTLAB" cc --no-marks $clang $level -o "$work/$name.elf" "$SOURCE/bench/$name/$name.c"
      expect 0 "$SIMTLAB" run -q -m simty-plus "$work/$name.elf" small
      expect 0 "$SIMTLAB" run -qf -m simty-plus "$work/$name.elf" small
    done
  done
done
expect 0 "$SIMTLAB" compare "$work/Reduce.elf" -m simtight:convergence=depth-pc,simty-plus -- small
[ "$(grep -c passed "$work/out")" -eq 2 ] || complain "does not pass on both machines"
finish
