# sm7 counts of register accesses and lanes, compared with counts by hand: PTX, and PTX with linear registers.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

cat >k.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x)
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  fma.rn.f32 %f2, %f1, %f1, %f1;
  setp.gt.u32 %p1, %r1, 15;
  @%p1 bra out;
  st.global.f32 [%rd3], %f2;
out:
  ret;
}
P
printf 'ptx k.ptx\nbuffer x 64 randf 1\nlaunch k 1 1 1 64 1 1 0 buf:x\nsum x\n' >k.launch

# counts NAME VALUE: a count in the summary, which omits zeros.
counts() {
  is=$(awk -v name="$1" '$1 == name { print $2 }' err)
  [ "${is:-0}" = "$2" ] || complain "$1 is ${is:-0}, not $2"
}

# Two warps; 16 lanes of the first store. A warp reads r1, rd1 and rd2 (four words), rd3 (two), f1, r1; the store reads
# rd3 and f2. It writes rd1, r1, rd2, rd3, f1, f2. The branch counts the lanes that take it.
expect 0 "$SIMTLAB" run -m sm7-1 k.launch
counts warp_instrs 19
counts thread_instrs $((8 * 64 + 48 + 16))
counts registers.read $((2 * 9 + 3))
counts registers.written $((2 * 9))
counts registers.narrow 0
counts linear.sums 0
counts lanes.integer 64
counts lanes.multiply 64
counts lanes.float 0
counts lanes.fused 64
counts lanes.memory $((2 * 64 + 16))
counts lanes.other $((64 + 64 + 48 + 64))

# With linear registers the coefficients take five instructions of one lane, which read one word of an argument and
# write four values. The threads' part writes two values and ends, in both warps. The block's part, of two lanes, reads
# three values, writes one twice, and ends. The remaining load, comparison and store read lr0 or lr1: two words of the
# thread's part each, and the block's part.
sed 's/%tid.x;/%tid.x;\n  mov.u32 %r2, %ctaid.x;\n  mad.lo.u32 %r1, %r2, 64, %r1;/' k.ptx >both.ptx
expect 0 "$SIMTLAB" linear -b -o linear.ptx both.ptx
sed 's/^ptx .*/ptx linear.ptx/' k.launch >linear.launch
expect 0 "$SIMTLAB" run -m sm7-r2d2 linear.launch
counts linear.coefficients 5
counts linear.threads $((2 * 3))
counts linear.blocks 3
counts linear.coefficient_lanes 5
counts linear.thread_lanes $((3 * 64))
counts linear.block_lanes $((3 * 2))
counts warp_instrs $((5 + 6 + 3 + 2 * 5 + 1))
counts linear.sums $((2 * 2 + 1))
counts registers.narrow $((2 * 2 + 1))
counts registers.read $((2 + 2 * 3 + 2 * (2 + 1 + 2) + 2 + 1))
counts registers.written $((2 * 4 + 2 * 2 * 2 + 2 * 2 + 2 * 2))

# Functional runs count instructions only.
expect 0 "$SIMTLAB" run -m sm7-r2d2 --fast linear.launch
counts registers.read 0

# RISC-V too; the lanes by class sum to all lanes.
expect 0 "$SIMTLAB" run -q -m sm7-4 --stats stats "$BUILD/bench-on-sm7/VecAdd.elf" small
! command -v jq >/dev/null || jq -e '.totals.counters | ([to_entries[] | select(.key | startswith("lanes.")) | .value.value] | add) as $lanes
  | $lanes == .thread_instrs.value and .["registers.read"].value > 0' stats >out || complain "lanes do not sum to the total"
finish
