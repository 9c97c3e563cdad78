# Lowered PTX with several host threads, checkpoints, profiles and linear registers.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_lower.sh"
cd "$work" || exit 1
# Also with several host threads, after a checkpoint, and in a profile.
# shellcheck disable=SC2086
{
  sum threads "$kernels/bfs.s.launch" $all --threads 2
  sum one "$kernels/bfs.s.launch" $all
  [ "$(value cycles threads.json)" = "$(value cycles one.json)" ] || complain "cycles differ with two threads"
  expect 0 "$SIMTLAB" run -q -m sm7-4 $all --save-at 1000 half "$kernels/gemm.s.launch"
  sum rest "$kernels/gemm.s.launch" $all --restore half
  sum whole "$kernels/gemm.s.launch" $all
  [ "$(value cycles rest.json)" = "$(value cycles whole.json)" ] || complain "cycles differ after a checkpoint"
  expect 0 "$SIMTLAB" profile -q -m sm7-4 $all "$kernels/gemm.s.launch"
}
# Kernels with linear registers are lowered, too: the shadow compares each access with the original's.
for kernel in lud; do
  module=$(sed -n 's/^ptx  *//p' "$kernels/$kernel.s.launch")
  expect 0 "$SIMTLAB" linear -b -o "$kernel.ptx" "$kernels/$module"
  sed "s/^ptx .*/ptx $kernel.ptx/" "$kernels/$kernel.s.launch" >$kernel.launch
  lowering="--set lower.parameters=on --set lower.moves=on --set lower.addresses=on --set lower.adds=on --set lower.logic=on
    --set lower.vectors=on --set r2d2=on"
  sum base $kernel.launch --set r2d2=on
  for ur in warp block free; do
    # shellcheck disable=SC2086
    sum linear $kernel.launch $lowering --set r2d2.shadow=on --set r2d2.ur=$ur
    cmp -s base.out linear.out || complain "$kernel: lowering with linear registers changes results"
  done
  sum linear $kernel.launch $lowering
  [ "$(value linear.sums linear.json)" -gt 0 ] || complain "$kernel has no linear registers"
  [ "$(value warp_instrs linear.json)" -lt "$(value warp_instrs base.json)" ] ||
    complain "$kernel: lowering removes nothing from a kernel with linear registers"
done
finish
