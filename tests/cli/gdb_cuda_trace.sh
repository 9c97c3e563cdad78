# simtlab gdb on a CUDA program: monitor trace, whose trace has the events of the trace of the whole run; and the other
# monitor commands.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"
tools=$SOURCE/tests/cli

cat >turn.cu <<'CUDA'
__global__ void turn(int *x)
{
  __shared__ int part[64];
  part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];
}
int main()
{
  int *x;
  cudaMalloc(&x, 1024);
  for (int k = 0; k < 2; k++)
    turn<<<4, 64>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
CUDA
expect 0 "$SIMTLAB" cuda -lineinfo -o turn turn.cu
expect 0 "$SIMTLAB" trace -q -m sm7-1 -o all.json ./turn

options="-m sm7-1"
debugged 0 turn <<'GDB'
monitor trace off
monitor trace
monitor trace on missing/whole.json
monitor trace on first.json
monitor trace on other.json
break turn.cu:6 if $block == 1
continue
monitor trace off
monitor cycle
monitor trace on back.kanata
reverse-stepi
reverse-stepi
monitor cycle
monitor trace off
monitor cycle
monitor warps
monitor why
monitor units
monitor counters
monitor shared 0 1
monitor help
monitor trace on rest.json
delete
continue
GDB
in_order "no trace is on" "monitor trace takes on FILE or off" "no trace: missing/whole.json" \
  "the end of the launch writes it" "a trace is on since place 1" "hit Breakpoint 1" "trace of " "place " \
  "trace from place" "place " "trace of " "place " "warp 0 " "SM 0, warp " "slots." "warp_instrs" "shared 0x0: 0x00000000 0" \
  "shared 0x4: " "monitor stop-at-launch on|off" "trace of " "exited normally"
[ "$(grep '^place' out | sed 's/ of .*//' | uniq | wc -l)" -eq 2 ] || complain "is elsewhere after a trace"
python3 "$tools/same_trace.py" first.json all.json part 2>err || complain "the first part: $(tail -1 err)"
python3 "$tools/same_trace.py" rest.json all.json part 2>err || complain "the rest: $(tail -1 err)"
expect 0 python3 "$tools/check_trace.py" konata back.kanata

# Of the second launch, up to where gdb leaves.
debugged 0 turn <<'GDB'
monitor stop-at-launch on
continue
monitor trace on second.json
break turn.cu:6 if $block == 2
continue
detach
GDB
python3 "$tools/same_trace.py" second.json all.json part 2>err || complain "the second launch: $(tail -1 err)"
options=--fast
debugged 0 turn <<'GDB'
monitor trace on fast.json
monitor units
monitor counters
monitor warps
monitor why
monitor cycle
continue
GDB
in_order "a trace needs timing" "without timing" "without timing" "warp 0 can execute" "warp 0 can execute; next: " "place 1 of" "exited normally"
finish
