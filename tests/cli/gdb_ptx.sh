# simtlab gdb on a launch script of PTX: kernels, lines of .loc and instructions of PTX, in stock gdb.
. "$(dirname "$0")/_lib.sh"
command -v gdb-multiarch >/dev/null || exit 77
cd "$work" || exit 1

cat >saxpy.cu <<'END'
__global__ void saxpy(float *x, float *y, float a, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
  // the end
}
END
cat >saxpy.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.file 1 "saxpy.cu"
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .f32 %f<6>;
	.reg .b64 %rd<8>;
	.loc 1 3 3
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	.loc 1 4 3
	ld.param.u32 %r5, [n];
	setp.ge.u32 %p1, %r4, %r5;
	@%p1 bra done;
	.loc 1 5 5
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	mul.wide.u32 %rd3, %r4, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.param.f32 %f1, [a];
	ld.global.f32 %f2, [%rd4];
	ld.global.f32 %f3, [%rd5];
	fma.rn.f32 %f4, %f1, %f2, %f3;
	st.global.f32 [%rd5], %f4;
done:
	.loc 1 7 1
	ret;
}
END
cat >saxpy.launch <<'END'
ptx saxpy.ptx
buffer x 512 randf 1
buffer y 512 randf 2
launch saxpy 2 1 1 64 1 1 0 buf:x buf:y f32:2 u32:100
launch saxpy 2 1 1 64 1 1 0 buf:x buf:y f32:2 u32:100
sum y
END

# session OPTION...: gdb does what the standard input says; its output is in out.
session() {
  command="gdb on saxpy.launch $*"
  {
    printf '%s\n' 'set pagination off' 'set confirm off' 'set width 0' 'set print thread-events off' 'file saxpy.sym'
    echo "target remote | $SIMTLAB gdb --stdio $* saxpy.launch"
    cat
  } >script.gdb
  timeout 60 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
  ! grep -q 'Error in sourced' out || complain "$(grep -A1 'Error in sourced' out)"
}

expect 0 "$SIMTLAB" gdb --symbols saxpy.sym saxpy.launch
expect 0 "$SIMTLAB" run -q --fast saxpy.launch
sum=$(cat out)
for options in --fast "-m sm7-1"; do
  session $options <<'END'
bt
break saxpy.cu:5 if $tid == 37
continue
printf "thread %d of block %d, lane %d, mask %x\n", $tid, $block, $lane, $mask
monitor code
stepi
stepi
stepi
monitor registers %rd3
monitor registers %r4
next
printf "line left by %d\n", $tid
info threads
monitor warps
delete
monitor stop-at-launch on
continue
monitor help
monitor nonsense
continue
END
  prints "#0  saxpy () at saxpy.cu:3"
  prints "hit Breakpoint 1, saxpy () at saxpy.cu:5"
  prints "thread 37 of block 0, lane 5, mask ffffffff"
  prints "=> saxpy.ptx:21: ld.param.u64 %rd1, [x]"
  prints "%rd3       0x0000000000000094 148"
  prints "%r4        0x00000025 37"
  prints "line left by 37"
  prints '"w1l5" (block 0,0,0 active)'
  prints "warp 1 lanes ffffffff at saxpy.ptx:3"
  prints "SIGTRAP"
  prints "monitor registers [NAME]"
  prints "unknown command 'nonsense'"
  prints "exited normally"
  prints "$sum"

  # The last line has only the lanes below n: those of the other branch go on alone.
  session $options <<'END'
break saxpy.cu:5 if $block == 1 && $warp == 1
continue
printf "lanes %x\n", $mask
next
printf "then %x at the end: %d\n", $mask, $pc == 0x1000000 + 4 * 17
monitor shared 0
python
try:
    gdb.execute("x/1xw 0")
except gdb.MemoryError as error:
    print("no memory:", error)
end
kill
END
  prints "lanes f"
  prints "then ffffffff at the end: 1"
  prints "the block has 0 bytes of shared memory"
  prints "no memory: Cannot access memory at address 0x0"
done

# A kernel that faults; misuse.
sed 's/buffer y 512/buffer y 4/' saxpy.launch >fault.launch
cp fault.launch saxpy.launch
session --fast <<'END'
continue
END
prints "SIGSEGV"
prints "saxpy.ptx:28"
printf '%s\n' 'elf program.elf' >elf.launch
expect 2 "$SIMTLAB" gdb --stdio elf.launch
expect 2 "$SIMTLAB" gdb --symbols missing/saxpy.sym saxpy.launch
says "cannot be written"
expect 2 "$SIMTLAB" gdb --symbols x.sym saxpy.ptx
says "--symbols is for launch scripts"
finish
