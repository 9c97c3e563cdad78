# Lowered PTX: results do not change, each eliminated instruction is counted, and each switch works alone.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_lower.sh"
cd "$work" || exit 1
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
