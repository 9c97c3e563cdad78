# Statements of launch scripts that repeat a launch of a larger program: several modules, variables, buffers at their
# addresses, parameters by bytes, and textures with options.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
. "$SOURCE/tests/cli/_host.sh"
cat >tex.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.global .align 4 .u32 v = 1;
.visible .entry fetch(.param .u64 t, .param .u64 out, .param .f32 x)
{
  .reg .f32 %f<8>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [t];
  ld.param.u64 %d2, [out];
  ld.param.f32 %f1, [x];
  tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d1, {%f1}];
  st.global.f32 [%d2], %f2;
  ret;
}
P
word() { od -An -tu4 -N4 "$1" | tr -d ' '; }
cat >two.launch <<'L'
module tex.ptx
variable v const 100
ptx host.ptx
variable v const 9
variable c const 1
buffer a 4096 at 0xc0000000 iota
buffer b 4096 at 0xc0400000 zero
launch work 4 1 1 64 1 1 0 bytes:000000c000000000000040c0000000000004000000000000
dump b b.bin
L
for mode in "" --fast; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m sm7-4 $mode two.launch
  [ "$(od -An -tu4 -j40 -N4 b.bin | tr -d ' ')" = 91 ] || complain "b[10] is not 10 x 9 + 1"
done

# Filtering between texels 1 and 2, and a texture that repeats.
for option in "linear:2.0:1069547520" ":1.5:1065353216" "x=wrap:65.5:1065353216" "x=border:65.5:0"; do
  rest=${option#*:}
  cat >tex.launch <<L
ptx tex.ptx
buffer texels 256 file texels.bin
buffer out 4 zero
texture @2 buf:texels 64 1 f32 ${option%%:*}
launch fetch 1 1 1 1 1 1 0 u64:2 buf:out f32:${rest%:*}
dump out out.bin
L
  python3 -c "import struct; open('texels.bin', 'wb').write(struct.pack('64f', *range(64)))"
  expect 0 "$SIMTLAB" run -q -m sm7-4 tex.launch
  [ "$(word out.bin)" = "${rest#*:}" ] || complain "$option fetches $(word out.bin)"
done

# wrong STATEMENT MESSAGE
wrong() {
  printf 'ptx host.ptx\nbuffer a 4096 iota\n%s\n' "$1" >wrong.launch
  expect 2 "$SIMTLAB" run -q -m sm7-4 wrong.launch
  says "wrong.launch:3"
  says "$2"
}
wrong 'buffer b 256 at 0xc0000100 zero' 'no room for a buffer of 256 bytes at 0xc0000100'
wrong 'buffer b 256 at 0xc0001080 zero' 'choose a multiple of 256'
wrong 'buffer b 256 at 0xffffffffffffff00 zero' 'no room for a buffer'
wrong 'variable w zero' "has no variable 'w'"
wrong 'variable v many' "'many' is not zero"
wrong 'launch work 1 1 1 1 1 1 0 bytes:00' 'parameter p has 24 bytes'
wrong 'launch work 1 1 1 1 1 1 0 bytes:000' 'two for each'
wrong 'launch work 1 1 1 1 1 1 0 bytes:0g' "'0g' is not hexadecimal"
wrong 'texture @1 buf:a 64 1 f32 z=left' "'z=left' is not linear"
wrong 'texture @1 buf:a 64 1 f32 depth=65' 'the buffer ends before the texture'
wrong 'texture @x buf:a 64 1 f32' "'@x' is no handle"
printf 'variable v zero\nptx host.ptx\n' >wrong.launch
expect 2 "$SIMTLAB" run -q -m sm7-4 wrong.launch
says "name a module above"
finish
