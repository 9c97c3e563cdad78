# simtlab bench on Vortex: the sixteen benchmarks of the kernel library pass, timed and with --fast. bench adds a
# feature that the machine lacks for the benchmark that needs it, and names it.
. "$(dirname "$0")/_lib.sh"
sixteen=VecAdd,Histogram,Reduce,Scan,Transpose,MatVecMul,MatMul,BitonicSortSmall,BitonicSortLarge,SparseMatVecMul
sixteen=$sixteen,BlockedStencil,StripedStencil,VecGCD,MotionEst,BitonicSortLarge_Float,MatMul_Float

set -- vortex
# These machines take two thirds of the time and run the same sixteen programs.
brief || set -- "$@" vortex-simx-cfm-dmsl "vortex -s cores=4" "vortex -s lanes=4 -s warps=4" \
  "vortex -s lanes=32 -s warps=32 -s lmem.bytes=65536"
for machine; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" bench -q --fast --only "$sixteen" -m $machine
  [ "$(grep -c ' ok ' "$work/out")" -eq 16 ] || complain "not all sixteen pass on $machine"
done
expect 0 "$SIMTLAB" bench -q -m vortex --only VecAdd,Histogram,Scan,MatMul_Float,saxpy-plain
grep -q '^Histogram *vortex-atomics *ok' "$work/out" || complain "Histogram fails with atomics"
grep -q '^Scan *vortex *ok' "$work/out" || complain "Scan fails on the unchanged machine"
grep -q '^MatMul_Float *vortex *ok' "$work/out" || complain "Vortex has an FPU"
grep -q '^saxpy-plain *vortex *ok' "$work/out" || complain "the second suite is missing"
expect 0 "$SIMTLAB" bench -q -m vortex-simx --only Scan,VecAdd
grep -q '^Scan *vortex-simx-lmem *ok' "$work/out" || complain "Scan does not get local memory"
grep -q '^VecAdd *vortex-simx *ok' "$work/out" || complain "VecAdd fails on the unchanged machine"
expect 2 "$SIMTLAB" bench -q -m vortex --rv32e --only VecAdd
says "not compiled for 16 registers of vortex"

# No shared memory.
expect 1 "$SIMTLAB" run -m vortex-simx "$BUILD/bench-on-vortex/Scan-variant.elf"
prints "4352 bytes of shared memory exceed the local memory of 4096"
finish
