# Lowered PTX: instructions that machine code adds for its units take their time, and constants are read in pairs.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_lower.sh"
cd "$work" || exit 1
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
finish
