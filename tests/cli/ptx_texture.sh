# Textures: the statement texture of launch scripts, and tex.1d and tex.2d, functional and timed.
. "$SOURCE/tests/cli/_lib.sh"
cd "$work" || exit 1

# Every thread fetches the texel one to the left of its own by f32, and one to the right by s32, of 32 x 4 texels.
cat >two.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.global .texref image;
.visible .entry k(.param .u64 left, .param .u64 right)
{
	.reg .b32 %r<20>;
	.reg .f32 %f<4>;
	.reg .b64 %l<8>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	cvt.rn.f32.u32 %f1, %r1;
	add.f32 %f1, %f1, 0fBF000000;
	cvt.rn.f32.u32 %f2, %r2;
	add.f32 %f2, %f2, 0f3F000000;
	tex.2d.v4.u32.f32 {%r3, %r4, %r5, %r6}, [image, {%f1, %f2}];
	add.u32 %r7, %r1, 1;
	ld.global.u64 %l1, [image];
	tex.2d.v4.s32.s32 {%r8, %r9, %r10, %r11}, [%l1, {%r7, %r2}];
	mad.lo.u32 %r12, %r2, 32, %r1;
	mul.wide.u32 %l2, %r12, 16;
	ld.param.u64 %l3, [left];
	add.u64 %l3, %l3, %l2;
	st.global.v4.u32 [%l3], {%r3, %r4, %r5, %r6};
	ld.param.u64 %l4, [right];
	add.u64 %l4, %l4, %l2;
	st.global.v4.u32 [%l4], {%r8, %r9, %r10, %r11};
	ret;
}
END
printf 'ptx two.ptx\nbuffer b 600 iota\nbuffer left 2048 zero\nbuffer right 2048 zero\ntexture image buf:b+8 32 4 u32\nlaunch k 4 1 1 32 1 1 0 buf:left buf:right\ndump left left.bin\ndump right right.bin\n' >two.launch
# The words of b are 0, 1, ...; the texture begins with 2. Left of the first texel is the first; right of the last is nothing.
awk 'BEGIN { for (y = 0; y < 4; y++) for (x = 0; x < 32; x++) print 2 + 32 * y + (x > 0 ? x - 1 : 0), 0, 0, 1 }' >left.want
awk 'BEGIN { for (y = 0; y < 4; y++) for (x = 0; x < 32; x++) print (x < 31 ? 2 + 32 * y + x + 1 : 0), 0, 0, (x < 31 ? 1 : 0) }' >right.want
for how in --fast "-m sm7" "-m sm7 --threads 2"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how two.launch
  for side in left right; do
    od -An -v -w16 -tu4 $side.bin | awk '{ print $1, $2, $3, $4 }' >$side.is
    cmp -s $side.is $side.want || complain "$how: wrong texels to the $side"
  done
done

# The first fetch of a line misses and goes to L2, later ones hit: 5 lines of 128 bytes, two fetches per row.
expect 0 "$SIMTLAB" run -m sm7-1 two.launch
grep -Eq '^texture.accesses +[1-9]' "$work/err" || complain "no accesses to textures are counted"
misses=$(awk '$1 == "texture.misses" { print $2 }' "$work/err")
[ "$misses" -eq 5 ] || complain "512 bytes of texture from byte 8 on are 5 lines, not $misses"

# Formats: channels, signs, normalised numbers. 0x80ff7f01 in bytes is 1, 127, 255, 128.
cat >one.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.global .texref t;
.visible .entry asfloat(.param .u64 out)
{
	.reg .f32 %f<5>;
	.reg .b64 %l<2>;
	ld.param.u64 %l1, [out];
	tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {0}];
	st.global.v4.f32 [%l1], {%f1, %f2, %f3, %f4};
	ret;
}
.visible .entry asint(.param .u64 out)
{
	.reg .b32 %r<5>;
	.reg .b64 %l<2>;
	ld.param.u64 %l1, [out];
	tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [t, {0f00000000}];
	st.global.v4.u32 [%l1], {%r1, %r2, %r3, %r4};
	ret;
}
END
texel() { # kernel, format, expected words
  printf 'ptx one.ptx\nbuffer b 16 const 0x80ff7f01\nbuffer x 16 zero\ntexture t buf:b 1 1 %s\nlaunch %s 1 1 1 1 1 1 0 buf:x\ndump x x.bin\n' "$2" "$1" >one.launch
  expect 0 "$SIMTLAB" run -q --fast one.launch
  [ "$(od -An -v -tx4 x.bin)" = " $3" ] || complain "$2 is fetched as $(od -An -v -tx4 x.bin), not $3"
}
texel asint u8x4 "00000001 0000007f 000000ff 00000080"
texel asint s8x4 "00000001 0000007f ffffffff ffffff80"
texel asint s16x2 "00007f01 ffff80ff 00000000 00000001"
texel asint u32x4 "80ff7f01 80ff7f01 80ff7f01 80ff7f01"
texel asint u8 "00000001 00000000 00000000 00000001"
texel asfloat f32x2 "80ff7f01 80ff7f01 00000000 3f800000"
texel asfloat un8x4 "3b808081 3efefeff 3f800000 3f008081" # 1/255, 127/255, 1, 128/255
texel asfloat sn8x4 "3c010204 3f800000 bc010204 bf800000" # 1/127, 1, -1/127, -1

# Faults: no bound texture, texels of another type.
printf 'ptx one.ptx\nbuffer x 16 zero\nlaunch asint 1 1 1 1 1 1 0 buf:x\n' >unbound.launch
expect 3 "$SIMTLAB" run -q --fast unbound.launch
says "one.ptx:19: asint block (0,0,0) thread (0,0,0): no texture has the handle 0"
printf 'ptx one.ptx\nbuffer x 16 zero\ntexture t buf:x 4 1 f32\nlaunch asint 1 1 1 1 1 1 0 buf:x\n' >kind.launch
expect 3 "$SIMTLAB" run -q -m sm7 kind.launch
says "the texture cannot be fetched as this type"
printf 'ptx one.ptx\nbuffer x 16 zero\ntexture u buf:x 4 1 f32\n' >name.launch
expect 2 "$SIMTLAB" run -q --fast name.launch
says "one.ptx has no .texref variable 'u'"
finish
