# simtlab gdb on a CUDA program: its runtime waits for gdb at the first kernel, which stops in kernels and changes them.
. "$(dirname "$0")/_lib.sh"
command -v gdb-multiarch >/dev/null || exit 77
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
cd "$work" || exit 1
sanitized "$BUILD/libsimtlab-cudart.so"

cat >add.cu <<'END'
#include <cstdio>
__global__ void add(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 5;
}
int main(int argc, char **)
{
  int *x, y[100];
  for (int i = 0; i < 100; i++)
    y[i] = i;
  cudaMalloc(&x, sizeof y);
  cudaMemcpy(x, y, sizeof y, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; k++) {
    add<<<2, 64>>>(argc > 1 ? nullptr : x, 100);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 3;
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    printf("y[99] = %d\n", y[99]);
  }
  return 0;
}
END
expect 0 "$SIMTLAB" cuda -lineinfo -o add add.cu

# debugged STATUS OPTION... [-- ARGUMENT...]: runs the program, and gdb, which does what the standard input says.
debugged() {
  wanted=$1
  shift
  command="gdb on add $*"
  rm -f told
  (
    timeout 60 "$SIMTLAB" gdb $options ./add "$@" >program 2>told
    echo $? >status
  ) &
  for try in $(seq 200); do
    grep -q 'waiting for gdb' told 2>/dev/null && break
    sleep 0.1
  done
  port=$(sed -n "s/.*remote :\([0-9]*\)'.*/\1/p" told)
  {
    printf '%s\n' 'set pagination off' 'set confirm off' 'set width 0' 'set print thread-events off'
    echo "file add.gdb/kernels.sym"
    echo "target remote :$port"
    cat
  } >script.gdb
  timeout 60 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
  ! grep -q 'Error in sourced' out || complain "$(grep -A1 'Error in sourced' out)"
  wait
  [ "$(cat status)" -eq "$wanted" ] || complain "the program ends with $(cat status): $(cat told)"
}

for options in --fast "-m sm7-1"; do
  # The sum of thread 35 of block 1, number 99, is 99 + 5; in the second launch 5 more, unless gdb changes it.
  debugged 0 <<'END'
break add.cu:6 if $block == 1 && $tid == 35
continue
monitor code
watch *(int *)(0xc0000000 + 4 * 99)
continue
printf "thread %d of block %d has stored %d\n", $tid, $block, *(int *)(0xc0000000 + 4 * 99)
set var *(int *)(0xc0000000 + 4 * 99) = 1000
delete
python
try:
    gdb.execute("reverse-stepi")
except gdb.error as error:
    print("refuses:", error)
end
monitor trace on x.json
continue
END
  prints "add.gdb/module-0.ptx:"
  prints "New value = 104"
  prints "thread 35 of block 1 has stored 104"
  prints "refuses: Target remote does not support this command"
  prints "the run cannot go back"
  prints "exited normally"
  [ "$(cat program)" = "y[99] = 1000
y[99] = 1005" ] || complain "the program prints: $(cat program)"
done

# A fault of a kernel, gdb that leaves, and gdb that ends the kernel.
options=--fast
debugged 1 fault <<'END'
continue
END
prints "simtlab: "
debugged 0 <<'END'
detach
END
[ "$(wc -l <program)" -eq 2 ] || complain "the program prints: $(cat program)"
debugged 1 <<'END'
kill
END

# Misuse.
expect 2 "$SIMTLAB" gdb --stdio ./add
says "leave --stdio out"
expect 3 env SIMTLAB_CUDA_GDB=x SIMTLAB_CUDA_CHECK=1 LD_LIBRARY_PATH="$BUILD/cuda/lib64" ./add
says "leave GDB or CHECK out"
finish
