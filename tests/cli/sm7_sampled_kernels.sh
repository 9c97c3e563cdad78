# run --sample auto of machine code on sm7: of a launch of many blocks, samples are timed. Short launches are exact, memory
# and counts of instructions are those of the whole run, and intervals contain its cycles. Blocks that wait for others
# end before a skip; faults name the skipped block; linear registers and other plans are refused or exact.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
SIMT_KERNEL(grow, (int *, x), (int, turns))
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < turns; k++)
    x[i] += k;
}
/* Its length depends on data. Blocks have shared memory and a barrier. */
SIMT_KERNEL(turn, (int *, x))
{
  SIMT_SHARED(int, all, 64);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all[threadIdx.x] = x[i];
  __syncthreads();
  int sum = all[63 - threadIdx.x];
  for (int k = x[i] % 8; k > 0; k--)
    sum = sum * 3 + all[(threadIdx.x + k) % 64];
  x[i] = sum;
}
/* A block waits until the one before it has ended. */
SIMT_KERNEL(chain, (int *, x))
{
  if (threadIdx.x == 0) {
    while (atomicAdd(x, 0) != (int)blockIdx.x)
      ;
    atomicAdd(x, 1);
  }
}
SIMT_KERNEL(wild, (int *, x), (unsigned, where))
{
  *(blockIdx.x == where ? (int *)16 : x + threadIdx.x) = 1;
}
int main(int argc, char **argv)
{
  unsigned blocks = argc > 2 ? atoi(argv[2]) : 640, sum = 0;
  int *x = simt_alloc(blocks * 64 * sizeof *x), which = argv[1][0];
  for (unsigned i = 0; i < blocks * 64; i++)
    x[i] = which == 'c' ? 0 : i * 2654435761u >> 20;
  dim3 grid = dim3(blocks), block = dim3(64);
  if ((which == 'g'   ? simt_launch(grow, grid, block, .x = x, .turns = 20)
       : which == 't' ? simt_launch(turn, grid, block, .x = x)
       : which == 'c' ? simt_launch(chain, grid, block, .x = x)
                      : simt_launch(wild, grid, block, .x = x, .where = 333)) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < blocks * 64; i++)
    sum += x[i] * (i + 1);
  printf("sum %u\n", sum);
  return 0;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -o k.elf k.c
gpu="-m sm7-1 -s warps=8"
for kernel in grow turn; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $gpu --stats whole.json k.elf $kernel
  cp out sums
  inside=0
  for seed in 1 2 3 4; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $gpu --sample "auto,$seed" --stats sampled.json k.elf $kernel
    cmp sums out || complain "$kernel: memory differs with seed $seed"
    inside=$((inside + $("$PYTHON" - whole.json sampled.json <<'PY'
import json, sys
whole, sampled = (json.load(open(f)) for f in sys.argv[1:])
assert sampled["mode"] == "sampled"
a, b = whole["totals"]["counters"], sampled["totals"]["counters"]
for name in "warp_instrs", "thread_instrs", "blocks":
    assert a[name] == b[name], name
s = sampled["sampled"]
assert s["windows"] >= 4 and 3 * s["timed"] < s["executed"] == a["warp_instrs"]["value"]
assert s["cycles"]["percent"] < 20
print(int(abs(a["cycles"]["value"] - s["cycles"]["value"]) <= s["cycles"]["bar"]))
PY
)))
  done
  [ "$inside" -ge 3 ] || complain "$kernel: only $inside of 4 intervals contain the cycles of the whole run"
done

# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --stats whole.json k.elf grow 60
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run $gpu --sample auto --stats sampled.json k.elf grow 60
says "cycles are exact"
"$PYTHON" - <<'PY' || complain "a short launch is not exact"
import json
whole, sampled = (json.load(open(f)) for f in ("whole.json", "sampled.json"))
assert whole["totals"]["counters"] == sampled["totals"]["counters"]
PY

# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu k.elf chain 200
cp out sums
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run $gpu --sample auto k.elf chain 200
cmp sums out || complain "blocks that wait for others differ"
says " windows"

# shellcheck disable=SC2086
expect 3 "$SIMTLAB" run -q $gpu --sample auto k.elf wild
says "block (333,0,0)"

# Launch scripts of machine code: of several launches some are left out, too.
printf 'elf k.elf\nbuffer x 163840 iota\nbuffer y 2560 iota\nlaunch grow 640 1 1 64 1 1 0 buf:x s32:20\n' >k.launch
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  echo "launch grow 10 1 1 64 1 1 0 buf:y s32:$((i % 3))"
done >>k.launch
printf 'sum x\nsum y\n' >>k.launch
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --stats whole.json k.launch
cp out sums
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --sample auto --stats sampled.json k.launch
cmp sums out || complain "memory differs after a script"
"$PYTHON" - <<'PY' || complain "the launches of a script are wrong"
import json
whole, sampled = (json.load(open(f)) for f in ("whole.json", "sampled.json"))
a, b, s = whole["totals"]["counters"], sampled["totals"]["counters"], sampled["sampled"]
for name in "warp_instrs", "thread_instrs", "blocks":
    assert a[name] == b[name], name
assert s["windows"] >= 4 and s["untimed_launches"] > 0 and s["timed"] < s["executed"] == a["warp_instrs"]["value"]
assert abs(a["cycles"]["value"] - s["cycles"]["value"]) <= 2 * s["cycles"]["bar"], s["cycles"]
PY
expect 0 "$SIMTLAB" cc --target simt -o simt.elf k.c
printf 'elf simt.elf\n' >simt.launch
expect 2 "$SIMTLAB" run -m simtight --sample auto simt.launch
says "launch scripts of machine code are sampled only on sm7"
expect 2 "$SIMTLAB" run -m sm7-1 --sample auto --fast k.launch
says "leave out --fast"
expect 2 "$SIMTLAB" run -m sm7-1 --sample 100,100,100 k.elf grow
says "sampled by launches and blocks; use --sample auto"
expect 2 "$SIMTLAB" run -m sm7-1 --sample auto --fast k.elf grow
says "leave out --fast"
finish
