# simtlab gdb on a CUDA program: how a session ends. Ctrl-C, kill, detach, a connection that breaks, the exit of the
# program, ports, a second client, and hostile packets.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

cat >turns.cu <<'CUDA'
#include <cstdio>
#include <cstdlib>
__global__ void turns(int *x, int n)
{
  __shared__ int part[64];
  for (int i = 0; i != n; i++) {
    part[63 - threadIdx.x] = x[threadIdx.x] + i;
    __syncthreads();
    x[threadIdx.x] = part[threadIdx.x];
  }
}
int main(int argc, char **argv)
{
  int *x;
  cudaMalloc(&x, 1024);
  for (int k = 0; k < 2; k++) {
    turns<<<4, 64>>>(x, argc > 1 ? atoi(argv[1]) : 5);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  printf("the end\n");
  return argc > 1 ? 7 : 0;
}
CUDA
expect 0 "$SIMTLAB" cuda -lineinfo -o turns turns.cu

# Speaks to the program's gdb over a socket, and tells how the program has ended.
cat >ends.py <<'PY'
import os, re, signal, socket, subprocess, sys, time
simtlab, what = sys.argv[1:3]
number = "2000000000" if what in ("interrupt", "lost") else "6"
process = subprocess.Popen([simtlab, "gdb", "--fast", "./turns", number], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           start_new_session=True)
port = int(re.search(rb"remote :(\d+)", process.stderr.readline()).group(1))
gdb = socket.create_connection(("127.0.0.1", port))
def send(data):
    gdb.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))
def answer():
    text = b""
    while not text.endswith(b"#"):
        byte = gdb.recv(1)
        if not byte:
            return "nothing"
        text += byte
    gdb.recv(2)
    return text[text.index(b"$") + 1:-1].decode()
def ask(data):
    send(data)
    return answer()
def interrupted(data, wait):
    send(data)
    time.sleep(wait)
    gdb.sendall(b"\x03")
    return answer()[:3]
ask(b"QStartNoAckMode")
ask(b"?")
if what == "interrupt":
    print(interrupted(b"vCont;c", 0.5))
    ask(b"Z0,1fffff0,4") # no instruction is there
    begun = time.time()
    print(interrupted(b"bc", 0.001), "soon" if time.time() - begun < 5 else "late")
    print(ask(b"vCont;s")[:3])
    print(ask(b"bs")[:3])
    send(b"k")
elif what == "lost": # gdb ends while a kernel runs that does not end, so only a kernel's end can show it
    send(b"vCont;c")
    time.sleep(0.2)
    gdb.close()
    time.sleep(0.2)
    print("runs on" if process.poll() is None else "has ended")
    os.killpg(process.pid, signal.SIGKILL)
elif what == "gone": # at a stop
    gdb.close()
elif what == "second":
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5)
        print("connects")
    except ConnectionRefusedError:
        print("is refused")
    print(ask(b"D"))
elif what == "exit":
    print(ask(b"vCont;c"))
out, err = process.communicate(timeout=50)
print("status", process.returncode, out.decode().strip(), err.decode().strip())
PY
expect 0 python3 ends.py "$SIMTLAB" interrupt
in_order "T02" "T02 soon" "T05" "T05" "status 1"
prints "exit status 137"
expect 0 python3 ends.py "$SIMTLAB" lost
prints "runs on"
expect 0 python3 ends.py "$SIMTLAB" gone
prints "status 1 the end simtlab: ./turns: exit status 7"
expect 0 python3 ends.py "$SIMTLAB" second
in_order "is refused" "OK" "status 1 the end"
expect 0 python3 ends.py "$SIMTLAB" exit
in_order "W07" "status 1 the end"

# gdb's own words.
options=--fast
debugged 1 turns <<'GDB'
kill
GDB
grep -q 137 told || complain "is not killed: $(cat told)"
[ ! -s program ] || complain "the program prints: $(cat program)"
debugged 1 turns 6 <<'GDB'
break turns.cu:9
continue
detach
GDB
[ "$(cat program)" = "the end" ] || complain "the program prints: $(cat program)"
debugged 1 turns 6 <<'GDB'
continue
GDB
in_order "exited with code 07"

# A port that is in use.
: >held
python3 -c 'import os, socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(s.getsockname()[1], flush=True)
while os.path.exists("held"): time.sleep(0.1)' >used &
for try in $(seq 100); do
  [ -s used ] && break
  sleep 0.1
done
expect 1 "$SIMTLAB" gdb --port "$(cat used)" ./turns
says "cannot listen on port $(cat used)"
rm held
wait

expect 0 python3 "$SOURCE/tests/cli/gdb_packets.py" "$SIMTLAB" ./turns 600 3
finish
