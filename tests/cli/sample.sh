# run --sample times parts of launches: memory, console and instruction counts equal those of the whole run. The same
# seed gives the same estimates. Launches without skipped parts are exact.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# total FILE COUNTER: of all launches.
total() { sed -n '/"totals"/,$p' "$1" | grep -A1 "\"$2\": {" | sed -n 's/.*"value": \([0-9]*\).*/\1/p' | head -1; }
# same FILE FILE WHAT: equal except for host times.
same() {
  sed '/"host": {/,$d' "$1" >left
  sed '/"host": {/,$d' "$2" >right
  cmp -s left right || complain "$3"
}

# whole MACHINE PROGRAM COUNTER...: these counters of the sampled run equal those of the whole run.
whole() {
  machine=$1 program=$2
  shift 2
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json "$program"
  cp out whole.out
  expect 0 "$SIMTLAB" run -q -m $machine --sample 200,500,2000,7 --stats some.json "$program"
  cmp -s out whole.out || complain "$machine, $program: console output differs"
  grep -q '"mode": "sampled"' some.json || complain "$machine, $program: does not say that it is sampled"
  grep -q '"estimated": true' some.json || complain "$machine, $program: nothing was estimated"
  for counter; do
    [ "$(total some.json $counter)" = "$(total whole.json $counter)" ] ||
      complain "$machine, $program: $(total some.json $counter) instead of $(total whole.json $counter) $counter"
  done
  expect 0 "$SIMTLAB" run -q -m $machine --sample 200,500,2000,7 --stats again.json "$program"
  same some.json again.json "$machine, $program: the same seed gives something else"
  # Launches that end before the first gap are timed completely.
  expect 0 "$SIMTLAB" run -q -m $machine --sample 4000000000,0,1 --stats exact.json "$program"
  grep -q '"estimated": false' exact.json || complain "$machine, $program: estimates a completely timed run"
  [ "$(total exact.json cycles)" = "$(total whole.json cycles)" ] ||
    complain "$machine, $program: not exact without a skip"
}

# On Simty warp instructions are estimates, too: functional runs do not count its extra passes.
for machine in simtight simty-plus simtight-rfc-pp-sb; do
  programs="MatMul VecGCD Reduce Scan BitonicSortLarge BitonicSortSmall" counters="warp_instrs thread_instrs"
  ! brief || programs="MatMul VecGCD"
  [ $machine != simty-plus ] || counters=thread_instrs
  for name in $programs; do
    whole $machine "$BUILD/bench/$name.elf" $counters
    [ "$(grep '"memory_hash"' some.json)" = "$(grep '"memory_hash"' whole.json)" ] ||
      complain "$machine, $name: memory differs"
  done
done

# On Vortex kernels are parts of a program whose runtime stores their times; in programs without these times memory is
# equal, too.
programs="MatMul Scan BitonicSortLarge"
! brief || programs=MatMul
for name in $programs; do
  whole vortex "$BUILD/bench-on-vortex/$name.elf" warp_instrs thread_instrs
done
for machine in vortex vortex-simx; do
  for program in tests/vortex/nested-2 tests/vortex/spawn-2 reference/vortex/transpose_32 reference/vortex/reduce_1024; do
    expect 0 "$SIMTLAB" run -q -m $machine --whole-program --stats whole.json "$BUILD/$program.elf"
    expect 0 "$SIMTLAB" run -q -m $machine --whole-program --sample 4,0,30 --stats some.json "$BUILD/$program.elf"
    grep -q '"estimated": true' some.json || complain "$machine, $program: nothing was estimated"
    for what in '"memory_hash"' '"warp_instrs": {'; do
      [ "$(grep -A1 "$what" some.json)" = "$(grep -A1 "$what" whole.json)" ] || complain "$machine, $program: $what differs"
    done
  done
done
expect 2 "$SIMTLAB" run -q -m vortex-cfm --sample 200,500,2000 "$BUILD/bench-on-vortex/MatMul.elf"
says "timing cannot begin within a program on a machine with hardware loops or streams"

# Adjacent windows count everything.
expect 0 "$SIMTLAB" run -q --stats whole.json "$BUILD/bench/MatMul.elf"
expect 0 "$SIMTLAB" run -q --sample 500,1,1 --stats some.json "$BUILD/bench/MatMul.elf"
[ "$(($(total some.json cycles) * 2))" -gt "$(total whole.json cycles)" ] || complain "windows without a skip count nothing"
expect 0 "$SIMTLAB" run -q --sample 200,500,2000,8 --stats other.json "$BUILD/bench/MatMul.elf"
expect 0 "$SIMTLAB" run -q --sample 200,500,2000,7 --stats some.json "$BUILD/bench/MatMul.elf"
[ "$(total other.json cycles)" != "$(total some.json cycles)" ] || complain "the seed does not change the estimates"

# The summary marks estimates, and says when their error is unknown.
expect 0 "$SIMTLAB" run --sample 200,500,2000 "$BUILD/bench/MatMul.elf"
says "cycles and timing counters are estimates"
says "95 % confidence interval"
says "distance from a skip: windows of"
expect 0 "$SIMTLAB" run --sample 1000,2000,40000 "$BUILD/bench/MatMul.elf"
says "without confidence interval: a kernel has less than 4 windows"
expect 0 "$SIMTLAB" run --sample 4000000000,0,1 "$BUILD/bench/MatMul.elf"
says "nothing was skipped, so cycles are exact"

# The automatic plan needs a few windows, here at the paper's size; it skips half of the time.
expect 0 "$SIMTLAB" run -q --sample auto --stats some.json "$BUILD/bench/Scan.elf" paper
timed=$(sed -n 's/^    "timed": \([0-9]*\).*/\1/p' some.json)
all=$(sed -n 's/^    "executed": \([0-9]*\).*/\1/p' some.json)
[ "$((timed * 5))" -lt "$all" ] || complain "auto times $timed of $all instructions"
grep -q '"windows": [0-9][0-9]' some.json || complain "auto has too few windows"

# Examples of the manual page.
sed -n 's/^\$ simtlab run \(--sample [^ ]*\) build\/\(.*\)$/\1 \2/p' "$SOURCE/docs/explanation/sampling.md" >examples
[ "$(wc -l <examples)" = 2 ] || complain "docs/explanation/sampling.md has other examples"
while read -r option plan program arguments; do
  expect 0 "$SIMTLAB" run "$option" "$plan" "$BUILD/$program" $arguments
  says "sampled: cycles and timing counters are estimates"
done <examples

# A suite has a confidence interval for each program, and the same estimates.
expect 0 "$SIMTLAB" bench -q --sample 200,500,2000,7 --only MatMul,VecGCD --json suite.json
grep -qF -- "+- %" out || complain "bench shows no confidence intervals"
grep -q '"mode": "sampled"' suite.json || complain "bench does not say that it is sampled"
expect 0 "$SIMTLAB" run -q --sample 200,500,2000,7 --stats some.json "$BUILD/bench/MatMul.elf"
grep -q "\"cycles\": $(total some.json cycles)," suite.json || complain "the estimates of bench and run differ"
expect 2 "$SIMTLAB" bench -q --sample 200,500 --only MatMul
says "--sample takes U,W,K or auto"

# Several machines side by side, each with its confidence interval.
expect 0 "$SIMTLAB" compare -q --sample 200,500,2000,7 -m simtight,simtight:warps=32 --json both.json "$BUILD/bench/MatMul.elf"
[ "$(grep -c "95 % confidence interval" out)" = 2 ] && [ "$(grep -c '"sampled": {' both.json)" = 2 ] || complain "compare has no bars"
grep -q "\"cycles\": $(total some.json cycles)," both.json || complain "compare estimates something else than run"
expect 2 "$SIMTLAB" compare -q --sample auto --lines 3 -m simtight,simtight "$BUILD/bench/MatMul.elf"
says "leave out --lines"

expect 0 "$SIMTLAB" bench -q --sample 200,500,2000,7 -m vortex --only Scan,saxpy-plain --json suite.json
expect 0 "$SIMTLAB" run -q -m vortex --sample 200,500,2000,7 --stats some.json "$BUILD/bench-on-vortex/Scan.elf"
grep -q "\"cycles\": $(total some.json cycles)," suite.json || complain "the estimates of bench and run differ on vortex"

# Spilled registers: the sampled run may spill other registers than the whole run, but values are right.
for policy in lru round-robin; do
  set -- -m simtight-rfc-pp -s registers.slots=256 -s registers.spill_policy=$policy
  expect 0 "$SIMTLAB" run -q "$@" --stats whole.json "$BUILD/bench/BitonicSortSmall.elf"
  expect 0 "$SIMTLAB" run -q "$@" --sample 20,50,200,7 --stats some.json "$BUILD/bench/BitonicSortSmall.elf"
  [ "$(total whole.json spills)" -gt 0 ] || complain "$policy: nothing is spilled"
  [ "$(total some.json spills)" -gt 0 ] || complain "$policy: nothing is spilled while sampled"
  [ "$(grep '"memory_hash"' some.json)" = "$(grep '"memory_hash"' whole.json)" ] || complain "$policy: memory differs"
done

# A fault and an endless loop are reported as in the whole run, even if no nearby instruction was timed.
cat >fault.c <<'E'
#include <simt.h>
SIMT_KERNEL(loop, (int *, out), (int, n))
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * threadIdx.x ^ out[threadIdx.x];
  if (threadIdx.x == 77)
    *(volatile int *)0 = sum;
  while (n == 0 && ((volatile int *)out)[1] == 0)
    ;
}
int main(int argc, char **argv)
{
  int *out = simt_alloc(4096);
  (void)argv;
  simt_launch(loop, dim3(1), dim3(argc > 1 ? 64 : 512), .out = out, .n = argc > 1 ? 0 : 3000);
  return 0;
}
E
expect 0 "$SIMTLAB" cc -o fault.elf fault.c
for machine in simtight simtight-rfc-pp-sb simty-plus; do
  for argument in "" endless; do
    expect 3 "$SIMTLAB" run -q -m $machine fault.elf $argument
    sed 's/ warps .*//' err >whole.err # where the others are by then depends on time
    expect 3 "$SIMTLAB" run -q -m $machine --sample 100,200,4000 fault.elf $argument
    sed 's/ warps .*//' err | cmp -s - whole.err || complain "$machine $argument: the fault message differs: $(cat err)"
  done
done

expect 0 "$SIMTLAB" cc --target vortex -o fault.elf fault.c
for cores in 1 4; do
  expect 3 "$SIMTLAB" run -q -m vortex -s cores=$cores fault.elf
  sed 's/ warps .*//; s/ in cycle [0-9]*//' err >whole.err
  expect 3 "$SIMTLAB" run -q -m vortex -s cores=$cores --sample 100,200,4000 fault.elf
  sed 's/ warps .*//; s/ in cycle [0-9]*//' err | cmp -s - whole.err || complain "vortex: the fault message differs: $(cat err)"
done

# A core without a host, whose threads spin in a loop after they are done.
program=$BUILD/reference/simty/16x16/vecadd.elf
expect 0 "$SIMTLAB" run -q -m simty-16x32 -s lanes=16 -s warps=16 --stats whole.json "$program"
expect 0 "$SIMTLAB" run -q -m simty-16x32 -s lanes=16 -s warps=16 --sample 100,100,200 --stats some.json "$program"
grep -q '"estimated": true' some.json || complain "simty: nothing was estimated"
[ "$(grep '"memory_hash"' some.json)" = "$(grep '"memory_hash"' whole.json)" ] || complain "simty: memory differs"

# Invalid options and combinations.
for bad in 1,2 1,0,5 10,0,0 a,b,c 10,10,10,1,2 10,10,10, 5000000000,0,1 auto, auto1 auto,x aut; do
  expect 2 "$SIMTLAB" run -q --sample $bad "$BUILD/bench/MatMul.elf"
  says "--sample takes U,W,K or auto"
done
expect 2 "$SIMTLAB" run -q --sample 100,100,1000 --fast "$BUILD/bench/MatMul.elf"
says "leave out --fast"
expect 2 "$SIMTLAB" run -q --sample 100,100,1000 --fast-forward launch=0 "$BUILD/bench/MatMul.elf"
says "leave out --fast-forward"
expect 2 "$SIMTLAB" run -q --sample 100,100,1000 --trace-commits t "$BUILD/bench/MatMul.elf"
says "leave out traces and profiles"
expect 2 "$SIMTLAB" run -q --sample 100,100,1000 --save-at 100 half "$BUILD/bench/MatMul.elf"
says "leave out checkpoints"
expect 2 "$SIMTLAB" run -q --sample 100,100,1000 --energy 45nm "$BUILD/bench/MatMul.elf"
says "leave out --energy"
expect 2 "$SIMTLAB" run -q -m sm7 --sample 100,100,1000 "$BUILD/bench-on-sm7/MatMul.elf"
says "programs are sampled by launches and blocks; use --sample auto"
finish
