# simtlab gdb: gdb-multiarch debugs host and lanes, forwards and backwards.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb.sh"

cat >crash.c <<'END'
#include <simt.h>
static int data[64];
SIMT_KERNEL(crash, (int *, a))
{
  int *p = a + threadIdx.x;
  if (threadIdx.x == 37)
    p = (int *)((char *)p + 1);
  *p = 1;
}
int main(void)
{
  return simt_launch(crash, dim3(1), dim3(64), .a = data) != SIMT_OK;
}
END

expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
expect 0 "$SIMTLAB" cc -g -O1 -o crash.elf crash.c

# Threads, breakpoints, steps, registers and locals.
session scale.elf <<'END'
info threads
break main
continue
next
printf "host data %d\n", data[0]
break twice if $warp == 3 && $lane == 8
continue
printf "value %d\n", value
bt 1
info registers simt
step
step
printf "kept %d\n", kept
stepi
printf "moved %d\n", $pc != &twice
finish
delete
monitor warps
monitor why
monitor counters
monitor units
monitor state paths[0].path[0].lanes
monitor state
monitor cycle
monitor help
monitor nonsense
continue
END
prints '"host" (host CPU)'
prints "host data 0"
prints 'Thread 2 "w3l8" hit Breakpoint 2, twice (value=104)'
prints "value 104"
prints "mask           0x55555555"
prints "[ active ]"
prints "kept 104"
prints "Value returned is"
prints "moved 1"
prints "warp 3 "
prints "cycles"
prints "paths[0].path[0].lanes "
prints "monitor state TEXT shows"
prints "monitor stop-at-launch"
prints "unknown command 'nonsense'"
prints "total "
prints "exited normally"

# A breakpoint of one thread: the stub offers the lanes in turn, and a lane that the user has seen moves on.
session scale.elf <<'END'
break twice
continue
printf "first %d %d\n", $warp, $lane
delete
thread find w1l6
python gdb.execute("tbreak twice thread %d" % [t.num for t in gdb.selected_inferior().threads() if t.name == "w1l6"][0])
continue
printf "wanted %d %d, value %d\n", $warp, $lane, value
stepi
printf "then %d %d\n", $warp, $lane
END
prints "wanted 1 6, value"
prints "then 1 6"

# Each warp stops once each time, if the user continues.
session scale.elf <<'END'
break twice
python
stops = 0
while True:
    gdb.execute("continue", to_string=True)
    if gdb.selected_thread() is None:
        break
    stops += 1
print("stops: %d" % stops)
end
END
prints "stops: 16"

# Watchpoints, backwards to the store, and back to the beginning.
session scale.elf <<'END'
watch data[200]
continue
continue
printf "lane %d of warp %d: %d\n", $lane, $warp, data[200]
reverse-continue
printf "before %d\n", data[200]
x/i $pc
stepi
printf "after %d\n", data[200]
reverse-stepi
printf "again %d\n", data[200]
delete
break main
reverse-continue
printf "main %d\n", data[200]
delete
reverse-continue
monitor cycle
rwatch total
continue
delete
continue
END
prints "lane 8 of warp 6: 400"
prints "Old value = 400"
prints "before 200"
grep -q '=>.*sw' out || complain "does not stop at the store"
prints "after 400"
prints "again 200"
prints "main 0"
prints "No more reverse-execution history"
prints "tick 0 of "
prints "Hardware read watchpoint"
[ "$(grep -c '^total' out)" -eq 1 ] || complain "prints the program's output not once"

# A watchpoint on a variable on a lane's stack.
session scale.elf <<'END'
break twice if $warp == 1 && $lane == 2
continue
delete
watch kept
continue
printf "kept %d in lane %d of warp %d\n", kept, $lane, $warp
continue
printf "kept %d in lane %d of warp %d\n", kept, $lane, $warp
reverse-continue
printf "back to %d\n", kept
END
prints "kept 34 in lane 2 of warp 1"
prints "kept 68 in lane 2 of warp 1"
prints "back to 34"

# Writes change the run from there on, also in a replay.
session scale.elf <<'END'
break twice if $warp == 0 && $lane == 2
continue
set var $a0 = 1000
delete
break scale.c:33
continue
printf "written %d\n", data[2]
reverse-stepi
reverse-stepi
continue
printf "written %d\n", data[2]
set var data[2] = 5
printf "stored %d\n", data[2]
END
[ "$(grep -c '^written 2000' out)" -eq 2 ] || complain "loses what the user has written"
prints "stored 5"

# A fault stops before its instruction, with the lane selected.
session crash.elf <<'END'
continue
printf "lane %d of warp %d\n", $lane, $warp
x/i $pc
reverse-stepi
continue
kill
END
prints "misaligned address"
prints "SIGBUS"
prints "lane 5 of warp 1"
grep -q '=>.*sw' out || complain "does not stop at the store"

# Launches as stops; detaching.
session scale.elf <<'END'
monitor stop-at-launch on
continue
continue
monitor stop-at-launch off
detach
END
prints "a kernel begins"
prints "the kernel has ended"

# Running again; functions, lines and statements backwards.
session scale.elf <<END
disconnect
target extended-remote | $SIMTLAB gdb --stdio scale.elf
break main
continue
printf "main %d\n", data[2]
tbreak scale.c:33
continue
printf "done %d\n", data[2]
run
printf "again %d\n", data[2]
delete
tbreak twice
continue
printf "in twice %d\n", value
reverse-finish
reverse-step
next
tbreak twice
continue
END
prints "main 0"
prints "done 4"
prints "again 0"
prints "in twice"
[ "$(grep -c 'Temporary breakpoint .*, twice (value' out)" -eq 2 ] || complain "does not come to twice again"

# A stop costs few packets.
session scale.elf <<'END'
break twice
continue
set debug remote 1
stepi
set debug remote 0
END
packets=$(grep -c 'Sending packet' out)
[ "$packets" -gt 0 ] && [ "$packets" -le 80 ] || complain "a step takes $packets packets"

# The interface that editors use, over a port.
command="gdb -i=mi"
"$SIMTLAB" gdb scale.elf 2>port </dev/null &
stub=$!
tries=0
until grep -q 'target remote' port || [ $tries -eq 50 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
port=$(sed -n "s/.*remote :\([0-9]*\)'.*/\1/p" port)
printf '%s\n' '-gdb-set mi-async off' '-file-exec-and-symbols scale.elf' "-target-select remote :$port" \
  '-break-insert -t twice' '-exec-continue' '-stack-list-variables --simple-values' '-exec-next --reverse' \
  '-target-detach' '-gdb-exit' | timeout 60 gdb-multiarch -nx -i=mi >out 2>&1
prints 'reason="breakpoint-hit"'
prints '{name="value",arg="1",type="int",value="'
prints 'reason="end-stepping-range"'
wait $stub || complain "the stub's exit status is $?"

# Hostile packets.
command="packets"
python3 "$SOURCE/tests/cli/gdb_packets.py" "$SIMTLAB" scale.elf 600 >out 2>err || complain "the stub fails: $(tail -1 err)"

# Misuse.
expect 2 "$SIMTLAB" gdb
says "which program?"
expect 2 "$SIMTLAB" gdb --port 70000 scale.elf
says "below 65536"
expect 2 "$SIMTLAB" gdb --symbols x.sym scale.elf
says "--symbols is for launch scripts"
expect 2 "$SIMTLAB" gdb --stdio scale.c
says "simtlab cc -g"
expect 2 "$SIMTLAB" gdb --stdio missing.elf
expect 0 "$SIMTLAB" gdb --stdio scale.elf
finish
