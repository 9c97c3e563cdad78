# r2d2.shadow executes the original kernel beside the one with linear registers, and reports the first access, value or
# branch that differs. The wrong kernels here are right ones with one number or line changed.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# Blocks of 50 threads, so that the last warp is partial. A lane takes a ticket and stores to the place that it selects.
cat >work.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry work(.param .u64 in, .param .u64 out, .param .u64 cell)
{
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 tile[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.s32 %r3, %r2, 50, %r1;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u64 %rd3, [cell];
  mul.wide.s32 %rd4, %r3, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r4, [%rd5];
  mov.u32 %r5, tile;
  shl.b32 %r6, %r1, 2;
  add.s32 %r7, %r5, %r6;
  st.shared.u32 [%r7], %r4;
  bar.sync 0;
  ld.shared.u32 %r8, [%r7];
  setp.ge.s32 %p1, %r1, 40;
  @%p1 bra skip;
  mad.lo.s32 %r9, %r3, 3, 1;
  add.s64 %rd6, %rd2, %rd4;
  st.global.u32 [%rd6], %r9;
skip:
  atom.global.add.u32 %r10, [%rd3], 1;
  mul.wide.u32 %rd7, %r10, 4;
  add.s64 %rd8, %rd3, %rd7;
  st.global.u32 [%rd8+4], %r8;
  ret;
}
P
expect 0 "$SIMTLAB" linear -b -o right.ptx work.ptx
cat >work.launch <<'L'
ptx linear.ptx
buffer in 2048 iota
buffer out 2048 zero
buffer cell 2048 zero
launch work 8 1 1 50 1 1 0 buf:in buf:out buf:cell
sum out
L
run() {
  # shellcheck disable=SC2086
  expect "$1" "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 --set r2d2.shadow=on ${2:-} work.launch
}

# Correct kernels: no difference is reported in any ticket order, and cycles are the same.
cp right.ptx linear.ptx
expect 0 "$SIMTLAB" run -q --fast -m sm7 work.launch
mv out wanted
for how in --fast "" "--threads 2"; do
  run 0 "$how"
  cmp -s wanted out || complain "memory differs"
done
for shadow in off on; do
  expect 0 "$SIMTLAB" run -m sm7-r2d2 --set r2d2.shadow=$shadow --stats $shadow.json work.launch
  grep -v '^host' err >$shadow.counters
done
grep -q linear.sums on.counters || complain "the variant with linear registers does not run"
cmp -s off.counters on.counters || complain "the shadow changes counters"

# wrong PROGRAM: sed changes the kernel with linear registers. at TEXT: the line of the variant's instruction; was TEXT:
# that of the original's.
wrong() {
  sed "/r2d2/,\$ $1" right.ptx >linear.ptx
  cmp -s right.ptx linear.ptx && complain "$1 changes nothing"
}
at() { grep -nF "$1" linear.ptx | tail -1 | cut -d: -f1; }
was() { grep -nF "$1" linear.ptx | head -1 | cut -d: -f1; }
# differs LINE THREAD TEXT LINE: functional runs report that thread of the first block. Timed runs report the first
# thread to arrive, which does not depend on the host.
differs() {
  run 3 --fast
  says "linear.ptx:$1: work\$r2d2 block $2: $3"
  says "(linear.ptx:$4)"
  run 3
  grep -q "linear.ptx:$1: work\$r2d2 block ([0-7],0,0) thread ([0-9]*,0,0): ${3%% *} .*(linear.ptx:$4)" err ||
    complain "the message differs in timed mode"
  mv err one
  run 3 "--threads 2"
  cmp -s one err || complain "the message differs on two threads"
}

# A wrong coefficient of the thread's index: the first thread is unaffected, the second one is 4 bytes off. The first
# buffer is at the start of the heap.
wrong 's/tr0, %tid.x, 4, 0/tr0, %tid.x, 8, 0/'
differs "$(at '[%ld0]')" "(0,0,0) thread (1,0,0)" "address 0xc0000008 in global memory differs from that of work, 0xc0000004 " \
  "$(was 'ld.global')"
# A wrong coefficient of the block's index: the first block is unaffected.
wrong 's/%cr16, 200/%cr16, 204/'
differs "$(at '[%ld0]')" "(1,0,0) thread (0,0,0)" "address 0xc00000cc in global memory differs from that of work, 0xc00000c8 " \
  "$(was 'ld.global')"
# An address outside memory in this variant only is a difference as well.
wrong 's/%cr16, 200/%cr16, 1000000/'
differs "$(at '[%ld0]')" "(1,0,0) thread (0,0,0)" "address 0xc00f4240 in global memory differs from that of work, 0xc00000c8 " \
  "$(was 'ld.global')"
# A wrong constant, in shared memory only.
wrong 's/r2.sum.b32 %lw1, 1, 0, -1, 0, 0/r2.sum.b32 %lw1, 1, 0, -1, 0, 4/'
differs "$(at 'st.shared')" "(0,0,0) thread (0,0,0)" "address 0x4 in shared memory differs from that of work, 0x0 " \
  "$(was 'st.shared')"
# A stored value: 3 * (50 * block + thread) + 1 plus 1.
wrong 's/r2.sum.b32 %lw4, 3, 2, -1, 0, 0/r2.sum.b32 %lw4, 3, 2, -1, 0, 1/'
differs "$(at 'st.global.u32 [%ld3]')" "(0,0,0) thread (0,0,0)" "value 0x2 differs from that of work, 0x1 " "$(was 'st.global.u32 [%rd6]')"
# An operand of an atomic.
wrong 's/\(atom.*\), 1;/\1, 2;/'
differs "$(at atom)" "(0,0,0) thread (0,0,0)" "value 0x2 differs from that of work, 0x1 " "$(was atom)"
# A wrong branch: of the 18 lanes of the second warp those from 8 (thread 40) on, or from 9 on.
wrong 's/%lw2, 40/%lw2, 41/'
differs "$(at 'bra skip')" "(0,0,0) thread (40,0,0)" "lanes 0x3fe00 of the warp execute or take this, but those of work (" "$(was 'bra skip')"
says ") are 0x3ff00"
# An instruction that is not there.
wrong 's/bar.sync 0;//'
differs "$(at 'ld.shared')" "(0,0,0) thread (0,0,0)" "work is at another instruction " "$(was 'bar.sync')"
# Without the shadow the run ends with wrong results.
wrong 's/r2.sum.b32 %lw4, 3, 2, -1, 0, 0/r2.sum.b32 %lw4, 3, 2, -1, 0, 1/'
expect 0 "$SIMTLAB" run -q -m sm7-r2d2 work.launch
cmp -s wanted out && complain "the wrong kernel has right results"

# Checkpoints are refused.
cp right.ptx linear.ptx
expect 2 "$SIMTLAB" run -q -m sm7-r2d2 --set r2d2.shadow=on --save-at 100 c.checkpoint work.launch
says "launches with a shadow have no checkpoints; set r2d2.shadow=off"
# A fault that both forms have is told as it is without a shadow.
sed 's/^launch work 8/launch work 80/' work.launch >far.launch
for shadow in off on; do
  expect 3 "$SIMTLAB" run -q --fast -m sm7-r2d2 --set r2d2.shadow=$shadow far.launch
  mv err $shadow.err
done
cmp -s off.err on.err || complain "the shadow changes a fault"
has on.err "is outside global memory"
finish
