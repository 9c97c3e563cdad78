# simtlab linear -o: every kind of operand reads the linear register that replaces its register: elements of vectors,
# addresses of vectors, atomics, texture fetches and prefetches, with guards and offsets. Both kernels leave the same
# memory.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# %r6 is the thread's index in the grid, %rd3 and %rd4 address 16 bytes of x and y per thread, %r7 16 bytes of shared
# memory per thread of the block. All of them are linear.
kernel() {
  cat <<P
.visible .entry $1(.param .u64 x, .param .u64 y)
{
  .reg .pred %p<2>;
  .reg .b32 %r<16>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<10>;
  .shared .align 16 .b8 tile[1024];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r4, 40, %r5;
  mul.wide.s32 %rd5, %r6, 16;
  add.s64 %rd3, %rd1, %rd5;
  add.s64 %rd4, %rd2, %rd5;
  add.s64 %rd6, %rd4, 16;
  mov.u32 %r8, tile;
  mad.lo.s32 %r7, %r5, 16, %r8;
  mov.u32 %r9, %laneid;
  setp.lt.u32 %p1, %r9, 9;
  mov.u32 %r1, 3;
  $2
  ret;
}
P
}

forms=0
{
  printf '.version 6.4\n.target sm_70\n.address_size 64\n.global .texref image;\n'
  while IFS= read -r body; do
    forms=$((forms + 1))
    kernel "k$forms" "$body"
  done
} >forms.ptx <<'P'
ld.global.v2.u32 {%r1,%r2}, [%rd3]; add.s32 %r1, %r1, %r2; st.global.u32 [%rd4], %r1;
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3]; st.global.v4.f32 [%rd4], {%f4, %f3, %f2, %f1};
ld.global.v2.u64 {%rd7, %rd8}, [%rd3]; add.s64 %rd7, %rd7, %rd8; st.global.u64 [%rd4+8], %rd7;
ld.global.v4.u8 {%r1, %r2, %r3, %r9}, [%rd3+4]; st.global.v4.u8 [%rd6+-8], {%r9, %r1, %r3, %r2};
st.global.v4.u32 [%rd4], {%r6, %r1, %r5, %r6};
st.global.v2.u64 [%rd4], {%rd5, %rd3};
@%p1 ld.global.v2.u32 {%r1, %r2}, [%rd3]; @!%p1 mov.u32 %r2, %r6; @%p1 st.global.v2.u32 [%rd6+-16], {%r2, %r6};
atom.global.add.u32 %r1, [%rd4], %r6; st.global.u32 [%rd4+4], %r1;
red.global.max.u32 [%rd4], %r6; @%p1 red.global.add.u64 [%rd6+-8], %rd5;
atom.global.cas.b32 %r1, [%rd4], 0, %r6; @!%p1 atom.global.exch.b32 %r1, [%rd4], %r5;
tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r9}, [image, {%r6, %r4}]; st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r9};
prefetch.global.L1 [%rd3]; prefetch.global.L2 [%rd3+16]; st.global.u32 [%rd4], %r6;
st.shared.v2.u32 [%r7], {%r6, %r5}; bar.sync 0; ld.shared.v2.u32 {%r1, %r2}, [%r7]; st.global.v2.u32 [%rd4], {%r1, %r2};
atom.shared.exch.b32 %r1, [%r7], %r6; ld.shared.u32 %r2, [%r7]; st.global.u32 [%rd4], %r2;
mov.b64 %rd7, {%r6, %r5}; mov.b64 {%r1, %r2}, %rd5; st.global.u64 [%rd4], %rd7; st.global.v2.u32 [%rd4+8], {%r2, %r1};
bfi.b32 %r2, %r6, %r5, 4, 9; shfl.sync.idx.b32 %r3|%p1, %r6, %r5, 31, -1; add.s32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2;
P
[ "$forms" -eq 16 ] || complain "$forms operand forms are tested instead of 16"
{
  printf 'ptx forms.ptx\nbuffer x 2000 iota\nbuffer y 2000 zero\ntexture image buf:x 100 4 u32\n'
  form=0
  while [ $((form += 1)) -le "$forms" ]; do
    printf 'launch k%d 3 1 1 40 1 1 0 buf:x buf:y\nsum y\n' "$form"
  done
} >forms.launch
expect 0 "$SIMTLAB" run -q --fast forms.launch
grep -i sum out >wanted || complain "prints no checksums"
[ "$(sort -u wanted | wc -l)" -ge 14 ] || complain "forms do not change memory"
expect 0 "$SIMTLAB" linear -b -o linear.ptx forms.ptx
grep -F 'is kept unchanged' out && complain "a kernel is not written"
sed 's/forms.ptx/linear.ptx/' forms.launch >linear.launch
for how in "-m sm7-r2d2 --set r2d2.shadow=on" "-m sm7-r2d2 --set r2d2.shadow=on --fast"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how linear.launch
  grep -i sum out >is
  cmp -s wanted is || complain "$how: memory differs: $(diff wanted is | head -4 | tr '\n' ' ')"
done
finish
