# simtlab linear: linear instructions of kernels in PTX and RISC-V, validation of their vectors, JSON, errors.
. "$(dirname "$0")/_lib.sh"
reference=$SOURCE/reference/ptx
cd "$work" || exit 1

cat >k.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 x, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra end;
  ld.param.u64 %rd1, [x];
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3+8];
  st.global.u32 [%rd3], %r6;
end:
  ret;
}
.visible .entry none()
{
  ret;
}
P
expect 0 "$SIMTLAB" linear k.ptx
prints "scale: 13 instructions, 8 linear (61.5 %); 8 go, 0 come: 61.5 % fewer"
prints "{P0, 4, 0, 0, 4*ntid.x, 0, 0}"
prints "comes from memory; address lr1+8"
prints "not a linear operation; operand 1 lr0, operand 2 cr0"
prints "none: 1 instructions, 0 linear"
silent
[ "$(env -u COLUMNS "$SIMTLAB" linear k.ptx | wc -L)" -le 80 ] || complain "is wider than 80 columns"
expect 0 "$SIMTLAB" linear --brief --kernel scale k.ptx
grep -q 'mad.lo' out && complain "lists instructions"
expect 0 "$SIMTLAB" linear --assume strict k.ptx
prints "may wrap around before it is extended"
expect 0 "$SIMTLAB" linear --json k.json k.ptx
has k.json '"schema": "simtlab-linear-1"'
has k.json '"fate": "removed"'
has k.json '"reads": "lr1+8"'
python3 -m json.tool k.json >/dev/null || complain "is not JSON"

# Each linear instruction of the recorded kernels computes the value of its vector. Those of gemm and lud grow in loops.
compared=0
for launch in "$reference"/kernels/*.s.launch; do
  expect 0 "$SIMTLAB" linear --check "$launch"
  tr '\n' ' ' <out | tr -s ' ' >line
  has line ", 0 differ"
  compared=$((compared + $(sed 's/.*launch: \([0-9,]*\) values.*/\1/; s/,//g' line)))
done
[ "$compared" -gt 1500000 ] || complain "only $compared values are compared"
expect 0 "$SIMTLAB" linear --check "$reference/kernels/lud.s.launch"
prints "15,036 of them in loops"

# The paper's rule is wrong for a number that wraps around before extension; the check reports it.
cat >wrap.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry wrap(.param .u64 x)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  add.s32 %r2, %r1, -1;
  mul.wide.u32 %rd1, %r2, 4;
  ld.param.u64 %rd2, [x];
  st.global.u64 [%rd2], %rd1;
  ret;
}
P
printf 'ptx wrap.ptx\nbuffer x 64 zero\nlaunch wrap 1 1 1 32 1 1 0 buf:x\n' >wrap.launch
expect 1 "$SIMTLAB" linear --check wrap.launch
says "wrap, line 10, block (0, 0, 0), thread 0: the result is 17179869180, but its vector {-4, 4, 0, 0, 0, 0, 0} gives -4"
expect 0 "$SIMTLAB" linear --check --assume strict wrap.launch

# linear -o appends the variant with linear registers to the unchanged module, unless the kernel already uses those
# register names.
expect 0 "$SIMTLAB" linear -b -o with.ptx k.ptx
head -n "$(wc -l <k.ptx)" with.ptx | cmp -s - k.ptx || complain "the original module has changed"
has with.ptx '.visible .entry scale$r2d2(.param .u64 x, .param .u32 n)'
has with.ptx 'ld.global.u32 %r6, [%ld2+8];'
has with.ptx 'r2.mad.u64 %br, %ctaid.x, %cs1, %br;'
sed 's/%rd\([0-9<]\)/%ld\1/g' k.ptx >taken.ptx
expect 0 "$SIMTLAB" linear -b -k scale -o with.ptx taken.ptx
prints 'scale: is kept unchanged: it has registers %cr'
cmp -s taken.ptx with.ptx || complain "the module is not as it was"

# RISC-V: the address of backpropagation in Fig. 7, in RV32.
cat >bp.c <<'C'
#include <simt.h>
#include <stdlib.h>
SIMT_KERNEL(adjust, (const int *, delta), (int, hid), (int *, w), (int *, oldw))
{
  const int index = (hid + 1) * 16 * blockIdx.y + (hid + 1) * threadIdx.y + threadIdx.x + 1 + (hid + 1);
  w[index] = delta[threadIdx.x] * 3;
  for (int i = 0; i < hid; i++)
    oldw[index] += w[index] + delta[i];
}
int main(void)
{
  enum { HID = 15, BLOCKS = 3, WORDS = (HID + 1) * (16 * BLOCKS + 2) };
  int *const delta = simt_alloc(64), *const w = simt_alloc(4 * WORDS), *const oldw = simt_alloc(4 * WORDS);
  simt_launch(adjust, ((dim3){1, BLOCKS, 1}), ((dim3){16, 16, 1}), delta, HID, w, oldw);
  return EXIT_SUCCESS;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -o bp.elf bp.c
expect 0 "$SIMTLAB" linear bp.elf
prints "{4*P1+P3+8, 4, 4*P1+4, 0, 0, 64*P1+64, 0}"
prints "each iteration of the loop at 0"
[ "$(env -u COLUMNS "$SIMTLAB" linear bp.elf | wc -L)" -le 80 ] || complain "is wider than 80 columns"
expect 0 "$SIMTLAB" linear --check bp.elf
tr '\n' ' ' <out | tr -s ' ' >line
has line ", 0 differ"
grep -q ' 0 of them in loops' line && complain "compares no values in loops"
expect 0 "$SIMTLAB" linear --json bp.json bp.elf
has bp.json '"address": "0'
has bp.json '"line": 5'
expect 0 "$SIMTLAB" linear --html bp.html bp.elf
has bp.html "Linear combinations in bp.elf"
has bp.html ":5</span>   const int index"
has bp.html "{4*P1+P3+8, 4, 4*P1+4, 0, 0, 64*P1+64, 0}"
expect 0 "$SIMTLAB" linear --html page.html k.ptx
has page.html "comes from memory; address lr1+8"
python3 -m json.tool bp.json >/dev/null || complain "is not JSON"
expect 0 "$SIMTLAB" linear --check "$BUILD/bench-on-sm7/StripedStencil.elf"
tr '\n' ' ' <out | tr -s ' ' >line
has line "values compared with their vectors"
expect 2 "$SIMTLAB" linear "$BUILD/bench/VecAdd.elf"
says "its kernels distribute their blocks in software and have no indices; compile it with simtlab cc --target sm7"

expect 2 "$SIMTLAB" linear
says "one file is needed"
expect 2 "$SIMTLAB" linear k.elf
says "k.elf"
expect 2 "$SIMTLAB" linear --kernel other k.ptx
says "k.ptx: has no kernel 'other'"
# If each register is written once, registers equal definitions: the paper's rule gives the same result.
expect 0 "$SIMTLAB" linear k.ptx
mv out ssa
expect 0 "$SIMTLAB" linear --multiwrite regid k.ptx
cmp -s ssa out || complain "a register that is written once does not equal its definition"
# A register that is written twice is not linear under the rule for registers, though each reader knows its definition.
# A register that a loop increments is linear.
cat >twice.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry twice(.param .u64 x)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [x];
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mul.wide.s32 %rd2, %r1, 8;
  add.s64 %rd4, %rd1, %rd2;
  mov.u64 %rd5, %rd1;
again:
  st.global.u32 [%rd3], %r1;
  st.global.u32 [%rd4+1024], %r1;
  st.global.u32 [%rd5+2048], %r1;
  add.s64 %rd5, %rd5, 4;
  setp.lt.s64 %p1, %rd5, %rd3;
  @%p1 bra again;
  ret;
}
P
expect 0 "$SIMTLAB" linear -b --json ssa.json twice.ptx
expect 0 "$SIMTLAB" linear -b --json regid.json -o twice-linear.ptx --multiwrite regid twice.ptx
python3 - <<'P' || complain "--multiwrite: the linear instructions differ"
import json
said = {}
for name in "ssa", "regid":
  code = json.load(open(name + ".json"))["kernels"][0]["instructions"]
  said[name] = [i.get("reason", "linear") for i in code]
twice, of_it = "its register is written more than once", "an operand is not linear"
assert said["ssa"][:7] == ["linear"] * 7, said["ssa"]
assert said["regid"][:7] == ["linear", "linear", twice, of_it, twice, of_it, "linear"], said["regid"]
assert said["ssa"][10] == said["regid"][10] == "linear", said  # what is added to in the loop
P
printf 'ptx twice.ptx\nbuffer x 4096 zero\nlaunch twice 1 1 1 50 1 1 0 buf:x\nsum x\n' >twice.launch
sed 's/twice.ptx/twice-linear.ptx/' twice.launch >twice-linear.launch
expect 0 "$SIMTLAB" run -q --fast -m sm7 twice.launch
mv out wanted
expect 0 "$SIMTLAB" run -q --fast -m sm7-r2d2 --set r2d2.shadow=on twice-linear.launch
cmp -s wanted out || complain "--multiwrite regid: memory differs"
for kernel in gemm lud; do
  expect 0 "$SIMTLAB" linear --check --multiwrite regid "$reference/kernels/$kernel.s.launch"
  tr '\n' ' ' <out | tr -s ' ' >line
  has line ", 0 differ"
done
expect 2 "$SIMTLAB" linear --multiwrite both k.ptx
says "--multiwrite is ssa or regid, not 'both'"
expect 2 "$SIMTLAB" linear --assume maybe k.ptx
says "--assume is paper or strict"
expect 2 "$SIMTLAB" linear --json k.ptx k.ptx
says "k.ptx"
finish
