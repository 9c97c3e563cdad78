# run --sample auto of a host program in machine code on sm7: whole launches are left out; the program computes the same,
# counts of instructions are those of the whole run, and the interval contains its cycles.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >many.c <<'C'
#include <simt.h>
#include <stdio.h>
SIMT_KERNEL(add, (const int *, a), (int *, b), (int, turns))
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < turns; k++)
    sum += a[(i + 32 * k) % 1024];
  b[i] = i % 7 < turns ? sum % 100 : a[i];
}
int main(int argc, char **argv)
{
  int *a = simt_alloc(1024 * sizeof *a), *b = simt_alloc(1024 * sizeof *b), launches = argc > 1 ? 4 : 60, sum = 0;
  for (int i = 0; i < 1024; i++)
    a[i] = i;
  for (int i = 0; i < launches; i++)
    if (simt_launch(add, dim3(8), dim3(128), .a = i % 2 ? b : a, .b = i % 2 ? a : b, .turns = 2 + i % 3) != SIMT_OK)
      return 1;
  for (int i = 0; i < 1024; i++)
    sum += a[i] * (i + 1);
  printf("sum %d\n", sum);
  return 0;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -o many.elf many.c
expect 0 "$SIMTLAB" run -q -m sm7-1 --stats whole.json many.elf
cp out whole.out
for seed in 1 2; do
  expect 0 "$SIMTLAB" run -q -m sm7-1 --sample "auto,$seed" --stats "$seed.json" many.elf
  cmp whole.out out || complain "the output differs with seed $seed"
done
"$PYTHON" - <<'PY' || complain "the sampled launches are wrong"
import json
whole, one, two = (json.load(open(f + ".json")) for f in ("whole", "1", "2"))
exact = whole["totals"]["counters"]
for run in one, two:
    s = run["sampled"]
    assert run["mode"] == "sampled" and s["untimed_launches"] > 15 and s["timed"] < s["executed"]
    for name in "warp_instrs", "thread_instrs":
        assert run["totals"]["counters"][name] == exact[name], name
    assert len(run["launches"]) == 60 and all(l["counters"]["cycles"]["value"] > 0 for l in run["launches"])
    assert abs(s["cycles"]["value"] - exact["cycles"]["value"]) <= 2 * s["cycles"]["bar"], (s["cycles"], exact["cycles"])
    assert s["cycles"]["percent"] < 15, s["cycles"]
assert one["sampled"]["cycles"] != two["sampled"]["cycles"]
PY
expect 0 "$SIMTLAB" run -m sm7-1 --sample auto many.elf
says "launches left out: "
expect 0 "$SIMTLAB" run -m sm7-1 --sample auto many.elf few
says "cycles are exact"
expect 2 "$SIMTLAB" run -m sm7-1 --sample 100,100,100 many.elf
says "sampled by launches and blocks; use --sample auto"
finish
