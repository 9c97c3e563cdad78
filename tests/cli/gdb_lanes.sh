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

command="packets"
expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
for seed in 2 3 4; do
  python3 "$SOURCE/tests/cli/gdb_packets.py" "$SIMTLAB" scale.elf 4000 $seed >out 2>err ||
    complain "the stub fails with seed $seed: $(tail -1 err)"
done
finish
