# Lowered PTX: results do not change, each eliminated instruction is counted, and each switch works alone.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
kernels=$SOURCE/reference/ptx/kernels
value() { "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[2]))["totals"]["counters"][sys.argv[1]]["value"])' "$1" "$2"; }

# What becomes free: a parameter, a conversion of its address, a copy that ends, a product in an address, an addition
# in another, an operation on bits in another. The value that is used twice stays.
cat >k.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [n];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  mov.u32 %r4, %r3;
  mov.u32 %r9, 0;
again:
  add.u32 %r5, %r4, %r1;
  add.u32 %r6, %r5, %r2;
  and.b32 %r7, %r6, 255;
  xor.b32 %r8, %r7, %r2;
  add.u32 %r11, %r8, %r9;
  setp.lt.u32 %p1, %r9, 100;
  setp.lt.u32 %p2, %r8, 300;
  and.pred %p3, %p1, %p2;
  add.u32 %r12, %r9, 1;
  mov.u32 %r4, %r11;
  mov.u32 %r9, %r12;
  @%p3 bra again;
  st.global.u32 [%rd4], %r4;
  ret;
}
P
expect 0 "$SIMTLAB" lower k.ptx
# parameters: 3; moves: both at the end of the loop and the one before it; one address; one addition; logic: the and, a comparison
prints 'k                                   23'
prints '        lower.parameters            -3'
prints '        lower.moves                 -3'
prints '        lower.addresses             -1'
prints '        lower.adds                  -1'
prints '        lower.logic                 -2'
prints '        left                        13'
expect 0 "$SIMTLAB" lower k.ptx --set lower.moves=off --set lower.logic=off
prints '        lower.moves                off'
prints '        left                        18'
printf 'ptx k.ptx\nbuffer x 1024 iota\nlaunch k 2 1 1 128 1 1 0 buf:x u32:7\nsum x\n' >k.launch
sum() { # NAME SCRIPT OPTION...
  name=$1 script=$2
  shift 2
  expect 0 "$SIMTLAB" run -q -m sm7-4 "$@" --stats "$name.json" "$script"
  mv out "$name.out"
}
all="--set lower.parameters=on --set lower.moves=on --set lower.addresses=on --set lower.adds=on --set lower.logic=on --set lower.vectors=on
  --set lower.schedule=on --set lower.unroll=on --set lower.predicate=on"
for script in k.launch "$kernels/gemm.s.launch" "$kernels/bitonic.s.launch" "$kernels/lud.s.launch"; do
  sum off "$script"
  for key in parameters moves addresses adds logic vectors schedule; do
    sum "$key" "$script" --set lower.$key=on
    cmp -s off.out $key.out || complain "$script: lower.$key changes results"
    [ $(($(value warp_instrs $key.json) + $(value oracle.dropped $key.json))) = "$(value warp_instrs off.json)" ] ||
      complain "$script: lower.$key loses instructions"
  done
  # These two change what is executed.
  for key in unroll predicate; do
    sum "$key" "$script" --set lower.$key=on
    cmp -s off.out $key.out || complain "$script: lower.$key changes results"
  done
  # shellcheck disable=SC2086
  sum all "$script" $all
  cmp -s off.out all.out || complain "$script: lowering changes results"
  [ "$(value cycles all.json)" -lt "$(value cycles off.json)" ] || complain "$script: lowering saves no time"
done
# Adjacent words of shared memory: a vector of four and one of two. A word is alone behind a store that may write it; so
# are words behind a label, words whose base is not aligned, and words that are not in one piece.
cat >v.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry v(.param .u64 x, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<60>; .reg .b64 %rd<9>;
  .shared .align 4 .b8 s[1024];
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  mov.u64 %rd5, s;
  add.s64 %rd6, %rd5, %rd3;
  st.shared.u32 [%rd6], %r2;
  bar.sync 0;
  mov.u32 %r40, 0;
  mov.u64 %rd7, 0;
again:
  add.s64 %rd8, %rd5, %rd7;
  ld.shared.u32 %r3, [%rd8+4];
  add.u32 %r20, %r40, %r3;
  ld.shared.u32 %r4, [%rd8];
  ld.shared.u32 %r5, [%rd8+12];
  ld.shared.u32 %r6, [%rd8+8];
  ld.shared.u32 %r7, [%rd8+16];
  ld.shared.u32 %r8, [%rd8+20];
  add.u32 %r21, %r4, %r5;
  add.u32 %r22, %r6, %r7;
  add.u32 %r23, %r21, %r22;
  add.u32 %r24, %r23, %r8;
  ld.shared.u32 %r9, [%rd8+32];
  st.shared.u32 [%rd6+512], %r24;
  ld.shared.u32 %r10, [%rd8+36];
  ld.shared.u32 %r11, [%rd6+64];
  ld.shared.u32 %r12, [%rd6+68];
  add.u32 %r25, %r9, %r10;
  add.u32 %r26, %r11, %r12;
  add.u32 %r27, %r25, %r26;
  add.u32 %r40, %r27, %r20;
  add.u64 %rd7, %rd7, 48;
  setp.lt.u64 %p1, %rd7, 384;
  @%p1 bra again;
  st.global.u32 [%rd4], %r40;
  ret;
}
P
expect 0 "$SIMTLAB" lower v.ptx -m sm7-4 --set lower.vectors=on
prints '        lower.vectors               -4'
prints '        left                        33'
printf 'ptx v.ptx\nbuffer x 512 iota\nlaunch v 1 1 1 128 1 1 0 buf:x u32:7\nsum x\n' >v.launch
sum off v.launch
sum vectors v.launch --set lower.vectors=on
sum schedule v.launch --set lower.schedule=on
cmp -s off.out vectors.out && cmp -s off.out schedule.out || complain "vectors or the order change results"
# 8 rounds of 4 warps: a vector of four saves three accesses, one of two saves one.
[ $(($(value shared.instrs off.json) - $(value shared.instrs vectors.json))) = $((8 * 4 * 4)) ] ||
  complain "the joined loads are not counted as one each"
[ "$(value cycles schedule.json)" -lt "$(value cycles off.json)" ] || complain "scheduling saves no time"
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
# Rounds are unrolled with their counter folded, and their line in a profile counts all of them.
cat >u.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry u(.param .u64 x, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r3, 0;
  mov.u64 %rd5, 0;
again:
  add.s64 %rd6, %rd4, %rd5;
  ld.global.u32 %r4, [%rd6];
  add.u32 %r3, %r3, %r4;
  add.s64 %rd5, %rd5, 128;
  setp.ne.s64 %p1, %rd5, 1024;
  @%p1 bra again;
  setp.gt.u32 %p2, %r2, 5;
  @%p2 bra out;
  st.global.u32 [%rd4], %r3;
out:
  ret;
}
P
printf 'ptx u.ptx\nbuffer x 2048 iota\nlaunch u 1 1 1 32 1 1 0 buf:x u32:7\nsum x\n' >u.launch
expect 0 "$SIMTLAB" lower u.ptx -m sm7-4 --set lower.unroll=on --set lower.predicate=on
# Of 8 rounds of 6 instructions, 8 loads and 7 sums are left: the first sum is with 0.
prints '        lower.predicate             -1'
prints '        lower.unroll                +9'
sum off u.launch
sum unroll u.launch --set lower.unroll=on --set lower.predicate=on
cmp -s off.out unroll.out || complain "unrolling changes results"
[ $(($(value warp_instrs off.json) - $(value warp_instrs unroll.json))) = $((8 * 6 - 15 + 1)) ] ||
  complain "unrolling leaves the counter"
expect 0 "$SIMTLAB" profile -m sm7-4 --set lower.unroll=on --set lower.predicate=on u.launch
prints 'u.ptx:15  ld.global.u32 %r4, [%rd6];'
prints 'all 8 instructions'
for key in unroll predicate schedule; do
  expect 2 "$SIMTLAB" run -q -m sm7-4 --set lower.$key=on --set r2d2=on u.launch
done
expect 2 "$SIMTLAB" run -q -m sm7-4 --set lower.predicate=on --set scalar=on u.launch
# A multiplication precedes a sine, and sines of the same argument share it: the sums at the end wait for its unit.
sines() { # NAME ARGUMENTS: eight sines of so many different arguments
  {
    printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry s(.param .u64 x)\n{\n'
    printf '  .reg .f32 %%f<30>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>;\n  ld.param.u64 %%rd1, [x];\n  mov.u32 %%r2, %%tid.x;\n'
    printf '  mul.wide.u32 %%rd3, %%r2, 4;\n  add.s64 %%rd4, %%rd1, %%rd3;\n  cvt.rn.f32.u32 %%f0, %%r2;\n  mov.f32 %%f20, 0f00000000;\n'
    for i in 1 2 3 4 5 6 7 8; do printf '  add.f32 %%f%s, %%f0, 0f3F80000%s;\n' $i $i; done
    for i in 1 2 3 4 5 6 7 8; do printf '  sin.approx.f32 %%f1%s, %%f%s;\n' $i $((i % $2 + 1)); done
    for i in 1 2 3 4 5 6 7 8; do printf '  add.f32 %%f20, %%f20, %%f1%s;\n' $i; done
    printf '  st.global.f32 [%%rd4], %%f20;\n  ret;\n}\n'
  } >"$1.ptx"
  printf 'ptx %s.ptx\nbuffer x 512 zero\nlaunch s 1 1 1 128 1 1 0 buf:x\nsum x\n' "$1" >"$1.launch"
  for on in off on; do
    sum "$1-$on" "$1.launch" --set registers.model=volta --set banks=8 --set latency.f32_mul=32 --set interval.f32_mul=32 --set lower.sines=$on
  done
  cmp -s "$1-off.out" "$1-on.out" || complain "multiplied arguments change results"
  delay=$(($(value cycles "$1-on.json") - $(value cycles "$1-off.json")))
}
sines one 1
one=$delay
sines eight 8
[ "$delay" -gt "$one" ] || complain "eight arguments take no more multiplications than one"
expect 2 "$SIMTLAB" run -q -m sm7-4 --set lower.sines=on one.launch
# A shift precedes the extraction of bits from the middle of a word, but not of the lowest or the uppermost bits.
fields() { # POSITION: sixteen extractions of eight bits
  {
    printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry f(.param .u64 x)\n{\n  .reg .b32 %%r<40>; .reg .b64 %%rd<9>;\n'
    printf '  ld.param.u64 %%rd1, [x];\n  mov.u32 %%r2, %%tid.x;\n  mul.wide.u32 %%rd3, %%r2, 4;\n  add.s64 %%rd4, %%rd1, %%rd3;\n'
    for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do printf '  bfe.u32 %%r%s, %%r2, %s, 8;\n' $i "$1"; done
    for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do printf '  add.u32 %%r2, %%r2, %%r%s;\n' $i; done
    printf '  st.global.u32 [%%rd4], %%r2;\n  ret;\n}\n'
  } >f.ptx
  printf 'ptx f.ptx\nbuffer x 512 zero\nlaunch f 1 1 1 128 1 1 0 buf:x\nsum x\n' >f.launch
  for on in off on; do
    sum "f-$on" f.launch --set registers.model=volta --set banks=8 --set interval.other=2 --set lower.fields=$on
  done
  cmp -s f-off.out f-on.out || complain "shifts before fields change results"
  delay=$(($(value cycles f-on.json) - $(value cycles f-off.json)))
}
fields 3
[ "$delay" -ge 30 ] && [ "$delay" -le 34 ] || complain "16 extractions wait $delay cycles for the shifts, not 2 each"
for at in 0 24; do
  fields $at
  [ "$delay" = 0 ] || complain "an extraction from bit $at takes a shift"
done
# Two adjacent words of constant memory are one request, if they are in one piece of eight bytes.
cat >c.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.const .align 16 .b8 table[64];
.visible .entry c(.param .u64 x)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [x];
  ld.const.u32 %r1, [table];
  ld.const.u32 %r2, [table+4];
  ld.const.u32 %r3, [table+8];
  ld.const.u32 %r4, [table+12];
  ld.const.u32 %r5, [table+20];
  ld.const.u32 %r6, [table+24];
  add.u32 %r7, %r1, %r2;
  add.u32 %r7, %r7, %r3;
  add.u32 %r7, %r7, %r4;
  add.u32 %r7, %r7, %r5;
  add.u32 %r7, %r7, %r6;
  st.global.u32 [%rd1], %r7;
  ret;
}
P
printf 'ptx c.ptx\nvariable table iota\nbuffer x 512 zero\nlaunch c 1 1 1 32 1 1 0 buf:x\nsum x\n' >c.launch
sum c-off c.launch --set constant.passes=on
sum c-on c.launch --set constant.passes=on --set lower.vectors=on
cmp -s c-off.out c-on.out || complain "pairs of constants change results"
[ $(($(value constant.passes c-off.json) - $(value constant.passes c-on.json))) = 2 ] ||
  complain "constants are not joined in pairs of eight bytes"
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
# A loop without an end is found.
sed 's/add.u32 %r12, %r9, 1;/mov.u32 %r12, %r9;/; s/and.pred %p3, %p1, %p2;/mov.pred %p3, %p1;/; s/add.u32 %r11, .*/mov.u32 %r11, %r4;/' k.ptx >e.ptx
sed 's/k.ptx/e.ptx/' k.launch >e.launch
# shellcheck disable=SC2086
expect 3 "$SIMTLAB" run -q -m sm7-4 $all --max-cycles 100000000 e.launch
# shellcheck disable=SC2086
expect 2 "$SIMTLAB" run -q -m sm7-4 $all --set oracle=dac k.launch
expect 2 "$SIMTLAB" lower k.launch
expect 2 "$SIMTLAB" lower -m simtight k.ptx
finish
