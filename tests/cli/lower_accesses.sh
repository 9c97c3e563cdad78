# Lowered PTX: adjacent accesses become vectors, and loops are unrolled.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_lower.sh"
cd "$work" || exit 1
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
finish
