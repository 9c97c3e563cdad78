# simtlab gdb on machines with 8,192 and 163,840 lanes: a stop takes few packets. The stub survives many hostile
# packets.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb.sh"

cat >lanes.c <<'END'
#include <simt.h>
enum { N = 1 << 18 };
static int data[N];
SIMT_KERNEL(mark, (int, n), (int *, a))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] = i;
}
int main(void)
{
  return simt_launch(mark, dim3(640), dim3(256), .n = N, .a = data) != SIMT_OK;
}
END
expect 0 "$SIMTLAB" cc -g -O1 --target sm7 -o lanes.elf lanes.c

# lanes MACHINE WARP LISTED: stops at a lane; gdb lists this many threads.
lanes() {
  session lanes.elf -m "$1" <<END
break lanes.c:7 if \$warp == $2 && \$lane == 9
continue
printf "at %d %d\n", \$warp, \$lane
python print("threads: %d" % len(gdb.selected_inferior().threads()))
set debug remote 1
stepi
set debug remote 0
reverse-stepi
thread apply all -q printf "w%d\n", \$warp
kill
END
  prints "at $2 9"
  prints "threads: $3"
  prints "w$2"
  packets=$(grep -c 'Sending packet' out)
  [ "$packets" -gt 0 ] && [ "$packets" -le 200 ] || complain "a step takes $packets packets"
}
lanes sm7-4 200 288    # the host, 256 warps, and 31 more lanes of the selected one
lanes sm7 2345 5152

# gdb's reverse commands name no thread. They move the lane of the last stop, though `info threads` selects others after
# it to read them, or the lane that the user has selected: before that, gdb asks whether it lives.
expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
cat >reverse.py <<'END'
import re, subprocess, sys
stub = subprocess.Popen([sys.argv[1], "gdb", "--stdio", "--fast", "scale.elf"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def ask(data):
    stub.stdin.write(b"$" + data + b"#%02x" % (sum(data) % 256))
    stub.stdin.flush()
    text = b""
    while not text.endswith(b"#"):
        text += stub.stdout.read(1)
    stub.stdout.read(2)
    return text[text.index(b"$") + 1:-1].decode()
def thread(reply):
    return re.search("thread:([0-9a-f]+)", reply)[1]
def lane(warp, lane):
    return b"%x" % (2 + 32 * warp + lane)
ask(b"QStartNoAckMode")
ask(b"Z0,%x,4" % int(sys.argv[2], 16))
first = thread(ask(b"vCont;c")).encode()
ask(b"vCont;s:" + first)
ask(b"Hg" + lane(5, 7))
ask(b"Hg" + lane(63, 31))
print("last stop" if thread(ask(b"bs")).encode() == first else "another lane")
ask(b"T" + lane(5, 7))
ask(b"Hg" + lane(5, 7))
ask(b"p20")
print("selected" if thread(ask(b"bs")).encode() == lane(5, 7) else "not the selected lane")
stub.stdin.close()
stub.wait(timeout=20)
END
place=$(gdb-multiarch -nx -batch -ex 'info line scale.c:18' scale.elf | sed -n 's/.*starts at address \(0x[0-9a-f]*\).*/\1/p')
expect 0 python3 reverse.py "$SIMTLAB" "$place"
prints "last stop"
prints "selected"

command="packets"
for seed in 2 3 4; do
  python3 "$SOURCE/tests/cli/gdb_packets.py" "$SIMTLAB" scale.elf 4000 $seed >out 2>err ||
    complain "the stub fails with seed $seed: $(tail -1 err)"
done
finish
