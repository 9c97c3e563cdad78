# run --sample auto of launch scripts: short grids are exact, long ones are estimated with an interval, and memory and
# counts of instructions are those of the whole run. Blocks that wait for others end; faults name the skipped block.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.ptx <<'PTX'
.version 6.0
.target sm_70
.address_size 64
.visible .entry grow(.param .u64 x)
{
  .reg .u64 %a<4>;
  .reg .u32 %r<8>;
  .reg .pred %p;
  ld.param.u64 %a1, [x];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %a2, %r4, 4;
  add.u64 %a3, %a1, %a2;
  mov.u32 %r5, 0;
LOOP:
  ld.global.u32 %r6, [%a3];
  add.u32 %r6, %r6, %r5;
  st.global.u32 [%a3], %r6;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, 20;
  @%p bra LOOP;
  ret;
}
// A block waits until the one before it has ended.
.visible .entry chain(.param .u64 x)
{
  .reg .u64 %a;
  .reg .u32 %r<8>;
  .reg .pred %p;
  ld.param.u64 %a, [x];
  mov.u32 %r1, %ctaid.x;
WAIT:
  ld.volatile.global.u32 %r2, [%a];
  setp.ne.u32 %p, %r2, %r1;
  @%p bra WAIT;
  bar.sync 0;
  mov.u32 %r3, %tid.x;
  setp.ne.u32 %p, %r3, 0;
  @%p bra END;
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%a], %r2;
END:
  ret;
}
PTX
script() { # NAME KERNEL BLOCKS BYTES
  printf 'ptx k.ptx\nbuffer x %d zero\nlaunch %s %d 1 1 64 1 1 0 buf:x\nsum x\n' "$4" "$2" "$3" >"$1.launch"
}
gpu="-m sm7-1 -s warps=8"
value() { # FILE PATH
  "$PYTHON" -c 'import json,sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2].split("."): v = v[k]
print(v)' "$1" "$2"
}

script long grow 640 163840
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --stats whole.json long.launch
cp "$work/out" sums
inside=0
for seed in 1 2 3 4 5 6 7 8; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $gpu --sample "auto,$seed" --stats sampled.json long.launch
  cmp sums "$work/out" || complain "memory differs with seed $seed"
  inside=$((inside + $("$PYTHON" - whole.json sampled.json <<'PY'
import json, sys
whole, sampled = (json.load(open(f)) for f in sys.argv[1:])
assert sampled["mode"] == "sampled"
a, b = whole["totals"]["counters"], sampled["totals"]["counters"]
for name in "warp_instrs", "thread_instrs", "blocks":
    assert a[name] == b[name], name
s = sampled["sampled"]
assert s["windows"] >= 4 and s["timed"] < s["executed"] == a["warp_instrs"]["value"]
print(int(abs(a["cycles"]["value"] - s["cycles"]["value"]) <= s["cycles"]["bar"]))
PY
)))
done
[ "$inside" -ge 7 ] || complain "only $inside of 8 intervals contain the cycles of the whole run"
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run $gpu --sample auto long.launch
says "95 % confidence interval"

script short grow 60 15360
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --stats whole.json short.launch
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run $gpu --sample auto --stats sampled.json short.launch
says "cycles are exact"
[ "$(value whole.json totals.counters)" = "$(value sampled.json totals.counters)" ] || complain "a short grid is not exact"

script chain chain 300 4
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu chain.launch
cp "$work/out" sums
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" run -q $gpu --sample auto chain.launch
cmp sums "$work/out" || complain "blocks that wait for others differ"

script fault grow 640 4096
# shellcheck disable=SC2086
expect 3 "$SIMTLAB" run -q $gpu --sample auto fault.launch
says "block "

expect 2 "$SIMTLAB" run -m sm7 --sample 100,100,100 long.launch
says "use --sample auto or auto,SEED"
expect 2 "$SIMTLAB" run -m sm7 --sample auto --fast long.launch
says "leave out --fast"
expect 2 "$SIMTLAB" run -m sm7 --sample auto --check long.launch
says "leave out"
expect 2 "$SIMTLAB" run -m sm7 --sample auto --save-at 100:x.ckpt long.launch
says "leave out"
finish
