# simtlab run X.launch: launch scripts of PTX kernels.
. "$SOURCE/tests/cli/_lib.sh"
cd "$work" || exit 1

cat >k.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.file 1 "source.cu"
.visible .entry add(.param .u64 data, .param .u32 value)
{
	.reg .b32 %r<6>;
	.reg .b64 %l<4>;
	ld.param.u64 %l1, [data];
	ld.param.u32 %r1, [value];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r2, %r2, 8, %r3;
	mul.wide.u32 %l2, %r2, 4;
	add.s64 %l3, %l1, %l2;
	.loc 1 33 7
	ld.global.u32 %r4, [%l3];
	add.u32 %r5, %r4, %r1;
	st.global.u32 [%l3], %r5;
	ret;
}
.visible .entry half()
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 32;
	@%p1 bra $wait;
	bar.sync 1;
	ret;
$wait:
	bar.sync 2;
	ret;
}
.visible .entry forever()
{
$again:
	bra $again;
}
END

# Values: 32 words 0, 1, ... plus 5, plus 5.
printf 'ptx k.ptx\nbuffer x 128 iota\nlaunch add 4 1 1 8 1 1 0 buf:x u32:5\nlaunch add 4 1 1 8 1 1 0 buf:x u32:5\ndump x x.bin\nsum x\n' >good.launch
expect 0 "$SIMTLAB" run --fast good.launch
prints "sum x "
[ "$(grep -Ec '^add +- +44 +352 +4 +32 +blocks$' "$work/err")" -eq 2 ] || complain "does not report two launches of 44 and 352 instructions"
[ "$(od -An -v -tu4 x.bin | tr -s ' \n' ' ')" = " $(seq -s ' ' 10 41) " ] || complain "the words are not 10 to 41"
sum=$(sed -n 's/^sum x //p' "$work/out")
expect 0 "$SIMTLAB" run -q --fast -m sm7 good.launch
silent

# A checksum that matches, and one that does not.
sed "s/^sum x/expect x $sum/" good.launch >same.launch
expect 0 "$SIMTLAB" run -q --fast same.launch
sed "s/^sum x/expect x 0123456789abcdef/" good.launch >other.launch
expect 1 "$SIMTLAB" run -q --fast other.launch
says "other.launch:6: the sum of x is $sum, not 0123456789abcdef as expected"

# memset takes effect before the statements after it.
printf 'ptx k.ptx\nbuffer x 128 iota\nmemset x 0\nbuffer z 128 zero\nsum x\nsum z\n' >memset.launch
expect 0 "$SIMTLAB" run -q --fast memset.launch
[ "$(sed 's/.* //' "$work/out" | sort -u | wc -l)" -eq 1 ] || complain "memset to zero and zero differ"

# Faults name kernel, block, thread, the line of the PTX and the source line.
sed 's/launch add 4/launch add 9/' good.launch >outside.launch
expect 3 "$SIMTLAB" run -q --fast outside.launch
says "k.ptx:17 (source.cu:33): add block (8,0,0) thread (0,0,0): address 0xc0000100 is outside global memory"
sed 's/buf:x u32/buf:x+2 u32/' good.launch >odd.launch
expect 3 "$SIMTLAB" run -q --fast odd.launch
says "thread (0,0,0): misaligned address 0xc0000002 in global memory is not a multiple of the access size"
printf 'ptx k.ptx\nlaunch half 1 1 1 64 1 1 0\n' >stuck.launch
expect 3 "$SIMTLAB" run -q --fast stuck.launch
says "wait at barriers, none of which can open"
printf 'ptx k.ptx\nlaunch forever 1 1 1 64 1 1 0\n' >forever.launch
expect 4 "$SIMTLAB" run -q --fast --max-cycles 100000 forever.launch
says "forever: stopped after"

# Inconsistent scripts.
printf 'ptx k.ptx\nlaunch nothing 1 1 1 1 1 1 0\n' >missing.launch
expect 2 "$SIMTLAB" run --fast missing.launch
says "missing.launch:2: k.ptx has no kernel 'nothing'"
printf 'ptx k.ptx\nlaunch add 1 1 1 1 1 1 0 u64:5\n' >few.launch
expect 2 "$SIMTLAB" run --fast few.launch
says "kernel 'add' has 2 parameters, but the launch has 1 arguments"
printf 'ptx k.ptx\nlaunch add 1 1 1 1 1 1 0 u64:5 u64:5\n' >wide.launch
expect 2 "$SIMTLAB" run --fast wide.launch
says "parameter value has 4 bytes, but the argument in column 32 has 8"
expect 2 "$SIMTLAB" run good.launch
says "add --fast"
expect 2 "$SIMTLAB" run --fast --set lanes=8 good.launch
says "unknown key 'lanes'"
expect 0 "$SIMTLAB" run --fast --set scheduler=gto good.launch
expect 2 "$SIMTLAB" run --fast --region x good.launch
says "only --machine, --set, --fast, --max-cycles, --threads, --regs, --sample, --stats, --energy, --quiet and those of checkpoints"

# The listing shows a divergent branch with its targets and its reconvergence point, counted by hand in the text above.
expect 0 "$SIMTLAB" disasm k.ptx
prints "kernel add: 2 parameters, 8 registers"
prints "     0  mem   ld.param.u64 %l1, [data]"
prints '    13  int   @%p1 bra $wait  // to 16'
prints '    18  int   bra $again  // to 18'
expect 2 "$SIMTLAB" disasm --banks 4 k.ptx
cat >broken.ptx <<'END'
.entry k() { add.s32 %r1, 1, 2; }
END
expect 2 "$SIMTLAB" disasm broken.ptx
says "broken.ptx:1:22: "

# Only threads whose guard holds make a guarded call: 100 more in odd threads.
cat >call.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.func (.param .b32 r) hundred(.param .b32 a)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [a];
	add.u32 %r2, %r1, 100;
	st.param.b32 [r], %r2;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .b64 %l<4>;
	ld.param.u64 %l1, [out];
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 1;
	setp.eq.u32 %p1, %r2, 0;
	mov.u32 %r3, %r1;
	{
	.param .b32 in;
	.param .b32 result;
	st.param.b32 [in], %r1;
	@!%p1 call (result), hundred, (in);
	@!%p1 ld.param.b32 %r3, [result];
	}
	mul.wide.u32 %l2, %r1, 4;
	add.u64 %l3, %l1, %l2;
	st.global.u32 [%l3], %r3;
	ret;
}
END
printf 'ptx call.ptx\nbuffer x 32 zero\nlaunch k 1 1 1 8 1 1 0 buf:x\ndump x x.bin\n' >call.launch
for how in --fast "-m sm7-1"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how call.launch
  [ "$(od -An -v -w32 -tu4 x.bin | tr -s ' ')" = " 0 101 2 103 4 105 6 107" ] || complain "$how: guarded calls give $(od -An -tu4 x.bin)"
done

# fma with one rounding and with two.
cat >fma.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .f32 %f<5>;
	.reg .b64 %l<2>;
	ld.param.u64 %l1, [out];
	mov.f32 %f1, 0f3F800001;
	mov.f32 %f2, 0fBF800002;
	fma.rn.f32 %f3, %f1, %f1, %f2;
	st.global.f32 [%l1], %f3;
	ret;
}
END
printf 'ptx fma.ptx\nbuffer x 4 zero\nlaunch k 1 1 1 1 1 1 0 buf:x\ndump x x.bin\n' >fma.launch
# (1 + u)^2 - (1 + 2u) is u^2 = 2^-46 exactly, and 0 if the product is rounded first.
expect 0 "$SIMTLAB" run -q --fast fma.launch
[ "$(od -An -tx4 x.bin)" = " 28800000" ] || complain "fma does not round once"
expect 0 "$SIMTLAB" run -q --fast --set fma=unfused fma.launch
[ "$(od -An -tx4 x.bin)" = " 00000000" ] || complain "fma=unfused does not round twice"

finish
