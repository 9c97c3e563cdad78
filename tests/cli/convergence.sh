# Reconvergence schemes from the command line: programs without marks, from both compilers at several levels, compute on
# 4 to 64 warps what one sequential thread computes. Also: marks on machines that ignore them, and the benchmarks.
. "$(dirname "$0")/_lib.sh"
source=$SOURCE/tests/cli/programs/control_flow.c

warps_list="4 8 16 32 64"
levels="-O0 -O2 -Os"
! brief || { warps_list="4 64"; levels=-O2; }
for level in $levels; do
  for clang in "" --clang; do
    [ -z "$clang" ] || command -v clang-19 >/dev/null || continue
    expect 0 "$SIMTLAB" cc --no-marks $clang $level -o "$work/bare.elf" "$source"
    expect 0 "$SIMTLAB" cc $clang $level -o "$work/marked.elf" "$source"
    for warps in $warps_list; do
      for scheme in depth-pc sorted-paths; do
        expect 0 "$SIMTLAB" run -q -f -s warps=$warps -s convergence=$scheme "$work/bare.elf"
      done
    done
    expect 0 "$SIMTLAB" run -q -f "$work/marked.elf"
    expect 0 "$SIMTLAB" run -q -s warps=4 -s convergence=depth-pc "$work/bare.elf"
    expect 0 "$SIMTLAB" run -q -s warps=4 -s convergence=sorted-paths -s lanes=8 "$work/bare.elf"
    expect 0 "$SIMTLAB" run -q -s warps=8 -m simtight-rfc-pp -s registers.slots=0 -s convergence=depth-pc "$work/bare.elf"
  done
done

# The configuration lists the scheme and rejects unknown ones.
expect 0 "$SIMTLAB" show simtight
prints "convergence"
expect 2 "$SIMTLAB" run -s convergence=stack "$work/bare.elf"
says "convergence"
says "depth-pc"

# A machine that ignores a program's marks computes the same results, but threads may reach a barrier diverged.
expect 3 "$SIMTLAB" run -q -s convergence=depth-pc "$BUILD/bench/VecGCD-variant.elf"
says "a warp command (barrier or end) needs all lanes of the warp, but some have diverged. Let them reconverge before it"

# Benchmarks without marks pass, with about as many active lanes as with marks.
for name in VecGCD MotionEst BitonicSortSmall SparseMatVecMul Reduce; do
  expect 0 "$SIMTLAB" cc --no-marks -o "$work/$name.elf" "$SOURCE/bench/$name/$name.c"
  expect 0 "$SIMTLAB" compare "$work/$name.elf" -m simtight:convergence=depth-pc,simtight:convergence=sorted-paths
  expect 0 "$SIMTLAB" run -q -m simtight-rfc-pp-sb -s convergence=depth-pc "$work/$name.elf"
done
finish
