# CUDA programs: compiled by simtlab cuda, they check their own results on the host; timed, without timing, and on two
# threads. Faults and refused launches have a sentence and the error of the interface.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/cuda
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"

for name in warp arguments functions; do
  expect 0 "$SIMTLAB" cuda -O1 --extended-lambda -o $name "$programs/$name.cu"
  silent
  for mode in timed fast; do
    expect 0 env SIMTLAB_CUDA_MODE=$mode ./$name
  done
done

# Statistics: a line per launch and one of totals; on two threads the same.
expect 0 env SIMTLAB_CUDA_STATS=one.json ./warp
expect 0 env SIMTLAB_CUDA_STATS=two.json SIMTLAB_CUDA_THREADS=2 ./warp
python3 - <<'END' || complain "the statistics are wrong"
import json
one, two = ([json.loads(line) for line in open(name)] for name in ("one.json", "two.json"))
assert len(one) == 2 and one[0]["grid"] == [1, 1, 1] and one[0]["block"] == [32, 1, 1], one
assert one[0]["counters"]["cycles"] > 100 and one[1]["counters"] == one[0]["counters"]
assert [line["counters"] for line in one] == [line["counters"] for line in two]
END

# The same program on another machine; a wrong value, an unknown name.
expect 0 env SIMTLAB_CUDA_MACHINE=sm7-1 SIMTLAB_CUDA_SET=core.mhz=600 ./warp
expect 1 env SIMTLAB_CUDA_MODE=slow ./arguments
says "SIMTLAB_CUDA_MODE is timed or fast, not 'slow'"
expect 0 env SIMTLAB_CUDA_MODES=fast ./warp
says "SIMTLAB_CUDA_MODES is not known and has no effect; the nearest is SIMTLAB_CUDA_MODE"

# -maxrregcount bounds the registers that limit the blocks of a multiprocessor; the default stream of a thread.
expect 0 "$SIMTLAB" cuda -maxrregcount=16 -o few "$programs/functions.cu"
for name in functions few; do
  expect 0 env SIMTLAB_CUDA_MODE=fast SIMTLAB_CUDA_STATS=$name.json ./$name
done
python3 - <<'END' || complain "-maxrregcount has no effect on occupancy"
import json
plain, few = ([json.loads(l) for l in open(n)][:-1] for n in ("functions.json", "few.json"))
assert max(l["registers"] for l in plain) > 16 and max(l["registers"] for l in few) == 16
END
cat >thread.cu <<'END'
__global__ void k(int *p) { *p = 1; }
int main()
{
  int *p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess;
}
END
for define in NOTHING CUDA_API_PER_THREAD_DEFAULT_STREAM; do
  expect 0 "$SIMTLAB" cuda -D$define -o thread thread.cu
  expect 0 env SIMTLAB_CUDA_STATS=$define.json ./thread
done
has NOTHING.json '"stream":0'
has CUDA_API_PER_THREAD_DEFAULT_STREAM.json '"stream":1'

# The driver interface, from C and as Python packages use it.
tree=$(cat root)
expect 0 gcc -Wall -Werror -I"$tree/include" -o driver "$programs/driver.c" -L"$tree/lib64" -lcuda
expect 0 env SIMTLAB_CUDA_MACHINE=sm7-1 ./driver
prints "0 failures"
says "simtlab does not support 'nonsense'"
expect 0 gcc -Wall -Werror -I"$tree/include" -o nvrtc "$programs/nvrtc.c" -L"$tree/lib64" -lcuda -lnvrtc
expect 0 env SIMTLAB_CUDA_MACHINE=sm7-1 ./nvrtc
prints "0 failures"
expect 0 gcc -Wall -Werror -I"$tree/include" -o misuse "$programs/misuse.c" -L"$tree/lib64" -lcudart -lnvrtc
expect 0 ./misuse
prints "0 failures"
cat >driver.py <<'END'
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    assert result == 0, (name, result)
device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
text = b""".version 6.4
.target sm_70
.address_size 64
.visible .entry store(.param .u64 p) { .reg .u64 %d<2>; ld.param.u64 %d1, [p]; st.global.u32 [%d1], 42; ret; }
"""
call("cuModuleLoadData", ctypes.byref(module), text)
call("cuModuleGetFunction", ctypes.byref(function), module, b"store")
address, word = ctypes.c_uint64(), ctypes.c_uint32()
call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(256))
parameters = (ctypes.c_void_p * 1)(ctypes.addressof(address))
call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, None, parameters, None)
call("cuMemcpyDtoH_v2", ctypes.byref(word), address, ctypes.c_size_t(4))
assert word.value == 42
END
expect 0 python3 driver.py

cat >wrong.cu <<'END'
#include <cstdio>
__global__ void outside(int *p) { p[threadIdx.x + (1 << 28)] = 1; }
__global__ void crooked(char *p) { *(int *)(p + 1) = 1; }
__global__ void nothing() {}
int main()
{
  int *p;
  cudaMalloc(&p, 4096);
  nothing<<<0, 32>>>();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<1, 2048>>>();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<1, 32, 60000>>>();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(p, p, 4, cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(p, &p, 1 << 20, cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaFree((void *)5)));
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, (size_t)1 << 60)));
  cudaGetLastError();
  cudaMalloc(&p, 4096);
  crooked<<<1, 32>>>((char *)p);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, 16)));
  cudaDeviceReset();
  cudaMalloc(&p, 4096);
  outside<<<2, 32>>>(p);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, 16)));
}
END
expect 0 "$SIMTLAB" cuda -o wrong wrong.cu
expect 0 ./wrong
cat >wanted <<'END'
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidValue
cudaErrorInvalidValue
cudaErrorInvalidValue
cudaErrorInvalidValue
cudaErrorMemoryAllocation
cudaErrorMisalignedAddress
cudaErrorMisalignedAddress
cudaErrorIllegalAddress
cudaSuccess
END
cmp -s wanted out || complain "has other errors: $(tr '\n' ' ' <out)"
says "kernel _Z7nothingv: a grid of 0 x 1 x 1 blocks of 32 x 1 x 1 threads is not possible"
says "misaligned"
finish
