# simtlab linear -o writes kernels with linear registers. On every machine they leave the same memory as the originals:
# all kernels of the reference, grids of one block, a partial last warp, blocks of three dimensions, loops.
. "$(dirname "$0")/_lib.sh"
kernels=$BUILD/reference/ptx/kernels
[ -d "$kernels" ] || kernels=$SOURCE/reference/ptx/kernels
cd "$work" || exit 1

# same LAUNCH: runs the launch with and without linear registers, and compares the printed sums.
sums() { sed -n 's/.*\(sum [a-z0-9]* .*\|[a-z0-9]*: sum .*\)/\1/p' "$1"; }
same() {
  launch=$1
  shift
  expect 0 "$SIMTLAB" run -m sm7 --fast "$launch.launch"
  grep -i sum out >wanted || complain "prints no sum"
  for how in "-m sm7 --set r2d2=on --set r2d2.shadow=on --fast" "$@"; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run $how "$launch-linear.launch"
    grep -i sum out >is
    cmp -s wanted is || complain "memory differs"
  done
}

for ptx in "$kernels"/*.ptx; do
  name=$(basename "$ptx" .ptx)
  cp "$ptx" .
  expect 0 "$SIMTLAB" linear -b -o "$name-linear.ptx" "$name.ptx"
  grep -qF "is kept unchanged" out && complain "$name is not written"
  cp "$kernels/$name.s.launch" "$name.launch"
  sed "s/^ptx $name.ptx/ptx $name-linear.ptx/" "$name.launch" >"$name-linear.launch"
  case $name in
  gemm | stencil | saxpy)
    same "$name" "-m sm7-r2d2" "-m sm7-r2d2 --set clusters=1 --set registers=131072 --set r2d2.shadow=on --threads 2"
    ;;
  *) if brief; then same "$name"; else same "$name" "-m sm7-r2d2 --set registers=131072 --set r2d2.shadow=on"; fi ;;
  esac
done

# Three dimensions, a partial last warp, one block and many, a loop whose step is not a constant of the text.
cat >three.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry three(.param .u64 x, .param .u32 s)
{
  .reg .pred %p<2>;
  .reg .b32 %r<24>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  mov.u32 %r3, %ctaid.z;
  mov.u32 %r4, %tid.x;
  mov.u32 %r5, %tid.y;
  mov.u32 %r6, %tid.z;
  ld.param.u32 %r7, [s];
  mad.lo.s32 %r8, %r6, 3, %r5;
  mad.lo.s32 %r8, %r8, 5, %r4;
  mad.lo.s32 %r9, %r3, 2, %r2;
  mad.lo.s32 %r9, %r9, 3, %r1;
  mad.lo.s32 %r10, %r9, 45, %r8;
  ld.param.u64 %rd1, [x];
  mul.wide.s32 %rd2, %r10, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r11, 0;
  mov.u32 %r12, %r10;
  mov.u32 %r13, 0;
again:
  add.s32 %r12, %r12, %r7;
  xor.b32 %r14, %r12, %r13;
  add.s32 %r13, %r13, %r14;
  add.s32 %r11, %r11, 1;
  setp.lt.s32 %p1, %r11, 5;
  @%p1 bra again;
  add.s32 %r15, %r13, %r12;
  st.global.u32 [%rd3], %r15;
  ret;
}
P
expect 0 "$SIMTLAB" linear -b -o three-linear.ptx three.ptx
for grid in "1 1 1" "3 2 2"; do
  {
    echo "ptx three.ptx"
    echo "buffer x 4096 zero"
    echo "launch three $grid 5 3 3 0 buf:x u32:7"
    echo "sum x"
  } >three.launch
  sed 's/three\.ptx/three-linear.ptx/' three.launch >three-linear.launch
  same three "-m sm7-r2d2" "-m sm7-r2d2 --set scheduler=lrr --set r2d2.add=0 --set r2d2.shadow=on --threads 2" "-m sm7-r2d2 --set r2d2.pipelined=off" \
    "-m sm7-r2d2 --set r2d2.overlap=on --set clusters=1 --set sms_per_cluster=1"
done

# Blocks that do not wait for the threads' part take fewer cycles for as many instructions of each part.
for overlap in off on; do
  expect 0 "$SIMTLAB" run -m sm7-r2d2 --set clusters=1 --set sms_per_cluster=1 --set r2d2.overlap=$overlap three-linear.launch
  awk '$1 == "three" && !cycles { cycles = $2 } (/^linear/ && !/^linear.cycles/) || /^warp_instrs/ { print } END { print cycles >"cycles" }' err >$overlap.parts
  mv cycles $overlap.cycles
done
cmp -s off.parts on.parts || complain "overlap changes the executed instructions"
[ "$(cat on.cycles)" -lt "$(cat off.cycles)" ] || complain "overlap: $(cat off.cycles) cycles without, $(cat on.cycles) with"

# Waiting for sums in the collectors takes at least as long, and longer with few collectors.
for pipelined in off on; do
  expect 0 "$SIMTLAB" run -m sm7-r2d2 --set clusters=1 --set sms_per_cluster=1 --set collectors=4 --set r2d2.add=20 \
    --set r2d2.pipelined=$pipelined stencil-linear.launch
  awk '$1 == "cycles" && !cycles { cycles = $2 } END { print cycles }' err >$pipelined.cycles
done
[ "$(cat on.cycles)" -lt "$(cat off.cycles)" ] || complain "pipelined: $(cat off.cycles) cycles without, $(cat on.cycles) with"

# Linear values that grow in loops: each warp, one warp of a block, or no warp executes the update. The kernel leaves
# the same memory. three has two such values, a sum and its counter; each of the 2 warps of its 12 blocks updates them 5
# times.
same three "-m sm7-r2d2 --set r2d2.ur=block" "-m sm7-r2d2 --set r2d2.ur=free"
for ur in warp block free; do
  expect 0 "$SIMTLAB" run -m sm7-r2d2 --set r2d2.ur=$ur --stats $ur.json three-linear.launch
done
python3 - <<'P' || complain "r2d2.ur changes the eliminated instructions"
import json
warp, block, free = (json.load(open(n + ".json"))["totals"]["counters"] for n in ("warp", "block", "free"))
count = lambda c, n: c[n]["value"]
left = [count(warp, "warp_instrs") - count(c, "warp_instrs") for c in (block, free)]
assert left == [2 * 5 * 1 * 12, 2 * 5 * 2 * 12], left
assert [count(c, "oracle.dropped") for c in (warp, block, free)] == [0] + left
P

# Counts of the overhead: three instructions for each of two coefficients and r2.end, ...
expect 0 "$SIMTLAB" run -m sm7-r2d2 --set clusters=1 --set sms_per_cluster=1 --stats three.json three-linear.launch
expect 0 grep -E '"linear\.(coefficients|threads|blocks)"' three.json

# A module with both variants, r2d2 off: the original runs.
expect 0 "$SIMTLAB" run -m sm7 --fast three.launch
grep -i instr out >wanted
expect 0 "$SIMTLAB" run -m sm7 --fast three-linear.launch
grep -i instr out >is
cmp -s wanted is || complain "does not run the original"

# Names that are taken: the kernel is kept unchanged, and that is said.
sed 's/%rd\([0-9<]\)/%ld\1/g' three.ptx >taken.ptx
expect 0 "$SIMTLAB" linear -b -o taken-linear.ptx taken.ptx
prints "three: is kept unchanged: "
cmp -s taken.ptx taken-linear.ptx || complain "the module is not as it was"
# The second form is no kernel of its own.
sed 's/^launch three/launch three$r2d2/' three-linear.launch >direct.launch
expect 2 "$SIMTLAB" run -m sm7 --fast direct.launch
says "kernel 'three\$r2d2' needs linear registers: launch the original kernel"
finish
