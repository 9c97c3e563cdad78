# Helpers of the tests of simtlab gdb on PTX: a launch script sum.launch, and sessions of gdb-multiarch. Each block adds
# up 64 numbers in shared memory, by halves. Number i is i, so block b sums to 64 * (64 * b) + 2016.
command -v gdb-multiarch >/dev/null || exit 77
cd "$work" || exit 1

cat >sum.cu <<'END'
__global__ void sum(int *x, int *y)
{
  __shared__ int part[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = x[i];
  __syncthreads();
  for (int n = 32; n > 0; n /= 2) {
    if (threadIdx.x < n)
      part[threadIdx.x] += part[threadIdx.x + n];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0];
}
END
cat >sum.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.file 1 "sum.cu"
.visible .entry sum(.param .u64 x, .param .u64 y)
{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<8>;
	.shared .align 4 .b8 part[256];
	.loc 1 4 3
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	shl.b32 %r3, %r1, 6;
	add.s32 %r4, %r3, %r2;
	.loc 1 5 3
	ld.param.u64 %rd1, [x];
	mul.wide.u32 %rd2, %r4, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r5, [%rd3];
	mov.u32 %r6, part;
	shl.b32 %r7, %r2, 2;
	add.s32 %r8, %r6, %r7;
	st.shared.u32 [%r8], %r5;
	.loc 1 6 3
	bar.sync 0;
	.loc 1 7 3
	mov.u32 %r9, 32;
loop:
	.loc 1 8 5
	setp.ge.u32 %p1, %r2, %r9;
	@%p1 bra skip;
	.loc 1 9 7
	shl.b32 %r10, %r9, 2;
	add.s32 %r11, %r8, %r10;
	ld.shared.u32 %r12, [%r11];
	ld.shared.u32 %r13, [%r8];
	add.s32 %r14, %r12, %r13;
	st.shared.u32 [%r8], %r14;
skip:
	.loc 1 10 5
	bar.sync 0;
	.loc 1 7 3
	shr.u32 %r9, %r9, 1;
	setp.ne.u32 %p2, %r9, 0;
	@%p2 bra loop;
	.loc 1 12 3
	setp.ne.u32 %p3, %r2, 0;
	@%p3 bra done;
	.loc 1 13 5
	ld.param.u64 %rd4, [y];
	mul.wide.u32 %rd5, %r1, 4;
	add.s64 %rd6, %rd4, %rd5;
	ld.shared.u32 %r15, [part];
	st.global.u32 [%rd6], %r15;
done:
	.loc 1 14 1
	ret;
}
END
cat >sum.launch <<'END'
ptx sum.ptx
buffer x 1024 iota
buffer y 16 zero
launch sum 4 1 1 64 1 1 0 buf:x buf:y
sum y
launch sum 4 1 1 64 1 1 0 buf:x buf:y
sum y
END

# session OPTION...: gdb does what the standard input says; its output is in out. If `console` is set, simtlab's standard
# error goes to this file: gdb shows it, too, but drops what arrives when it ends.
session() {
  command="gdb on ${script:-sum.launch} $*"
  {
    printf '%s\n' 'set pagination off' 'set confirm off' 'set width 0' 'set print thread-events off' 'file sum.sym'
    echo "target extended-remote | $SIMTLAB gdb --stdio $* ${script:-sum.launch} ${console:+2>>$console}"
    cat
  } >script.gdb
  timeout 60 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
  ! grep -q 'Error in sourced' out || complain "$(grep -A1 'Error in sourced' out)"
}

# in_order TEXT...: the last session prints them in this order, each after the one before.
in_order() {
  printf '%s\n' "$@" >wanted
  awk 'NR == FNR { want[++n] = $0; next } at < n && index($0, want[at + 1]) { at++ } END { if (at < n) print want[at + 1]; exit at < n }' \
    wanted out >missing || complain "does not print in this order: $(cat missing)"
}

expect 0 "$SIMTLAB" gdb --symbols sum.sym sum.launch
