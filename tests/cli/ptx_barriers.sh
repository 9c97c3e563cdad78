# Barriers of PTX kernels, timed and functional: which threads count, when a barrier opens, and the fault for a block
# whose warps wait for each other forever.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# kernel NAME BODY: %p1 holds in the first of four warps, %p2 in the first two.
kernel() {
  cat <<P
.visible .entry $1(.param .u64 o)
{
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [o];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 7;
  mov.u32 %r3, 64;
  setp.lt.u32 %p1, %r1, 32;
  setp.lt.u32 %p2, %r1, 64;
  $2
}
P
}
{
  printf '.version 7.0\n.target sm_70\n.address_size 64\n'
  # Threads arrive at a barrier and end: it opens. A barrier whose guard holds in no lane has no effect.
  kernel opens_1 '@!%p1 bar.arrive 1, 128; @!%p1 ret; bar.sync 1, 128; st.global.u32 [%rd1], %r2; ret;'
  kernel opens_2 '@!%p2 ret; @!%p1 bar.arrive 3, %r3; @!%p1 ret; bar.sync 3, %r3; st.global.u32 [%rd1], %r2; ret;'
  # A barrier does not wait for ended threads, whether they ended before or after the others arrived.
  kernel opens_3 '@!%p1 ret; bar.sync 0; st.global.u32 [%rd1], %r2; ret;'
  kernel opens_4 '@%p1 bra w; mov.u32 %r4, 0; l: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 99; @%p3 bra l; ret; w: bar.sync 0; st.global.u32 [%rd1], %r2; ret;'
  # Two barriers at the same time, and one after the other.
  kernel opens_5 '@%p2 bar.sync 1, 64; @!%p2 bar.sync 2, 64; bar.sync 1, 128; st.global.u32 [%rd1], %r2; ret;'
  # No remaining warp can open the barrier.
  kernel stuck_1 '@!%p1 ret; bar.sync 1, 128; st.global.u32 [%rd1], %r2; ret;'
  kernel stuck_2 '@!%p1 bra e; bar.sync 1, 128; st.global.u32 [%rd1], %r2; e: ret;'
  kernel stuck_3 '@%p1 bar.sync 1; @!%p1 bar.sync 2; ret;'
  kernel stuck_4 'bar.sync 1, 8192; ret;'
  kernel stuck_5 '@%p2 bar.arrive 1, 128; @%p2 ret; bar.sync 1, 160; ret;'
} >barriers.ptx
for number in 1 2 3 4 5; do
  printf 'ptx barriers.ptx\nbuffer o 256 zero\nlaunch opens_%s 2 1 1 128 1 1 0 buf:o\ndump o o.bin\n' $number >opens.launch
  for how in --fast "-m sm7-1" "-m sm7-4 --threads 2"; do
    rm -f o.bin
    # shellcheck disable=SC2086
    expect 0 timeout 20 "$SIMTLAB" run -q $how opens.launch
    [ "$(od -An -td4 -N4 o.bin | tr -d ' ')" = 7 ] || complain "opens_$number: the code after the barrier does not run"
  done
done
for number in 1 2 3 4 5; do
  printf 'ptx barriers.ptx\nbuffer o 256 zero\nlaunch stuck_%s 1 1 1 128 1 1 0 buf:o\n' $number >stuck.launch
  for how in --fast "-m sm7-1" "-m sm7-4 --threads 2"; do
    # shellcheck disable=SC2086
    expect 3 timeout 20 "$SIMTLAB" run -q $how stuck.launch
    says "wait at barriers, none of which can open"
    sort -u err >"$(printf %s "$how" | tr -dc 'a-z0-9').said"
  done
  cmp -s fast.said msm71.said || complain "stuck_$number: the messages of timed and fast mode differ"
done
finish
