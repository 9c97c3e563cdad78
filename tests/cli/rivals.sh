# Baselines of R2D2: instructions that the oracle eliminates are missing from no result; eliminated and issued
# instructions add up; functional runs, other schedulers and host threads give the same; invalid combinations.
. "$(dirname "$0")/_lib.sh"
kernels=$BUILD/reference/ptx/kernels
[ -d "$kernels" ] || kernels=$SOURCE/reference/ptx/kernels
cd "$work" || exit 1

# count NAME FILE: a counter of the run's statistics.
count() { python3 -c '
import json, sys
counters = json.load(open(sys.argv[2]))["totals"]["counters"]
print(counters.get(sys.argv[1], {"value": 0})["value"])' "$1" "$2"; }

# run FILE.json OPTIONS...: writes counters to FILE.json and checksums to FILE.sums.
run() {
  to=$1
  shift
  expect 0 "$SIMTLAB" run -q --stats "$to.json" "$@"
  mv out "$to.sums"
}

# is VALUE VALUE WHAT
is() { [ "$1" -eq "$2" ] || complain "$3: $1, not $2"; }

# adds_up FILE...: each file has the same eliminated instructions; issued plus eliminated equals the issued ones of
# base.json.
adds_up() { python3 -c '
import json, sys
files = [json.load(open(f))["totals"]["counters"] for f in ["base.json"] + sys.argv[1:]]
base, *others = [{k: v["value"] for k, v in f.items()} for f in files]
for o in others:
  for issued, left in ("warp_instrs", "oracle.dropped"), ("thread_instrs", "oracle.dropped_lanes"):
    assert o[left] == others[0][left] > 0 and o[issued] + o[left] == base[issued], (issued, o, base)
  assert o.get("oracle.lost", 0) == 0
' "$@" || complain "issued and eliminated instructions do not add up"; }

cp "$kernels"/*.ptx "$kernels"/*.launch .
for name in gemm stencil scan; do
  launch=$name.s.launch
  run base -m sm7-r2d2 --set r2d2=off --set clusters=1 "$launch"
  for oracle in dac darsie darsie-scalar; do
    run timed -m sm7-$oracle --set clusters=1 "$launch"
    run fast -m sm7-$oracle --fast "$launch"
    cmp -s base.sums timed.sums && cmp -s base.sums fast.sums || complain "$oracle: memory differs"
    adds_up timed.json fast.json
  done
done
run again -m sm7-darsie-scalar --set clusters=2 --set scheduler=lrr --threads 2 "$launch"
adds_up timed.json again.json

# A barrier between a warp's stores to shared memory and the loads of others, which are eliminated where redundant: no
# eliminated load may come before the barrier. Each thread of 4 warps sums the values of the others.
cat >share.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry share(.param .u64 x)
{
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 s[512];
  mov.u32 %r1, %tid.x;
  mov.u32 %r9, %tid.y;
  mad.lo.u32 %r2, %r9, 32, %r1;
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, s;
  add.u32 %r5, %r4, %r3;
  mov.u32 %r7, 0;
  mov.u32 %r8, 0;
loop:
  mad.lo.u32 %r6, %r2, %r2, %r8;
  st.shared.u32 [%r5], %r6;
  bar.sync 0;
  ld.shared.u32 %r6, [s+4];
  ld.shared.u32 %r10, [s+508];
  add.u32 %r7, %r7, %r6;
  add.u32 %r7, %r7, %r10;
  bar.sync 0;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p1, %r8, 5;
  @%p1 bra loop;
  ld.param.u64 %rd1, [x];
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
  ret;
}
P
printf 'ptx share.ptx\nbuffer x 512 zero\nlaunch share 4 1 1 32 4 1 0 buf:x\nsum x\n' >share.launch
run base -m sm7-r2d2 --set r2d2=off share.launch
run timed -m sm7-darsie share.launch
cmp -s base.sums timed.sums || complain "a load precedes its barrier"
is $(($(count warp_instrs timed.json) + $(count oracle.dropped timed.json))) "$(count warp_instrs base.json)" "in all"

# The scalar pipeline: the same cycles and instructions, some of which need one lane.
run off -m sm7 --set clusters=1 gemm.s.launch
run on -m sm7 --set clusters=1 --set scalar=on gemm.s.launch
for counter in cycles warp_instrs thread_instrs registers.written; do
  is "$(count $counter on.json)" "$(count $counter off.json)" "scalar: $counter"
done
is "$(count scalar.instrs off.json)" 0 "scalar: off"
[ "$(count scalar.instrs on.json)" -gt 0 ] || complain "no instruction is scalar"
[ "$(count registers.read on.json)" -lt "$(count registers.read off.json)" ] || complain "scalars read whole registers"

# A kernel whose path depends on the order of its warps does not follow the oracle's path: its warps eliminate nothing.
cat >first.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry first(.param .u64 x)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [x];
  atom.global.add.u32 %r1, [%rd1], 1;
  rem.u32 %r2, %r1, 160;
  mov.u32 %r3, 0;
loop:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra loop;
  ret;
}
P
printf 'ptx first.ptx\nbuffer x 4 zero\nlaunch first 8 1 1 128 1 1 0 buf:x\nsum x\n' >first.launch
run base -m sm7 first.launch
run timed -m sm7-dac first.launch
cmp -s base.sums timed.sums || complain "first: memory differs"
[ "$(count oracle.lost timed.json)" -gt 0 ] || complain "warps on another path are not detected"

expect 2 "$SIMTLAB" run -m sm7-dac --set r2d2=on gemm.s.launch
says "r2d2=on and an oracle exclude each other; set r2d2=off or oracle=none"
expect 2 "$SIMTLAB" run -m sm7-dac --save-at 100 half gemm.s.launch
says "launches with an oracle have no checkpoints; set oracle=none"
expect 2 "$SIMTLAB" run -m sm7-dac --fast --save-at 100 half gemm.s.launch
says "launches with an oracle have no checkpoints"
program=$BUILD/bench-on-sm7/VecAdd.elf
if [ -f "$program" ]; then
  expect 3 "$SIMTLAB" run -m sm7-darsie "$program"
  says "oracles support only PTX kernels; set oracle=none"
fi
finish
