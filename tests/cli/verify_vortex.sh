# Cycles are within bounds of those recorded from Vortex's RTL and its authors' simulator; instruction counts are equal.
. "$(dirname "$0")/_lib.sh"

# within CONFIGURATION BOUNDS MACHINE
within() {
  expect 0 "$SIMTLAB" verify "$3" --json "$work/$3.json"
  prints "$3 against the recorded '$1': within bounds; 119 of 119 programs ran, 0 with another number of instructions"
  prints "bounds: $2"
  prints "26 kernels: mean absolute difference"
  prints "46 slopes: mean absolute difference"
  silent
  has "$work/$3.json" "\"configuration\": \"$1\""
  has "$work/$3.json" '"holds": true'
  has "$work/$3.json" '"compared": 26'
}
within rtl "kernels 0.45 % on average and 1.3 % each, slopes 5 % each" vortex
brief || within simx "kernels 0.14 % on average and 1.4 % each, slopes 0 % each" vortex-simx

expect 0 "$SIMTLAB" verify vortex --only 'vecadd_*'
prints "2 of 2 programs ran"
grep -q '^vecadd_1024 *cycles ' "$work/out" || complain "no row for the cycles"
# Some kernels exceed the bound on the mean of all.
expect 0 "$SIMTLAB" verify vortex --only 'predloop_*'
prints "2 kernels: mean absolute difference 1."
expect 0 "$SIMTLAB" verify vortex --only 'ub_jal_?'
grep -q '^ub_jal_b *slope ' "$work/out" || complain "no row for the slope"
expect 0 "$SIMTLAB" verify vortex --only 'ub_jal_?' --json - -q
prints '"slope"'
says "within bounds"
# The runs above cover all programs; slow builds repeat these checks for fewer of them.
some= saxpy=
! brief || some="--only ub_m*" saxpy="--only saxpy_*"
expect 0 "$SIMTLAB" verify vortex --all -q $some
prints "vortex against the recorded 'rtl'"
prints "vortex-simx against the recorded 'simx'"
silent
expect 2 "$SIMTLAB" verify vortex --only 'nothing_*'
says "no recorded program of configuration 'rtl' matches 'nothing_*'"
# One more cycle in the multiplier or in memory exceeds the bounds.
expect 1 "$SIMTLAB" verify vortex -q $some --set latency.mul=7
prints "out of bounds"
expect 1 "$SIMTLAB" verify vortex -q $saxpy --set memory.delay=2
expect 1 "$SIMTLAB" verify vortex-simx -q $some --set commit.delay=2
finish
