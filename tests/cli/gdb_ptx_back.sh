# simtlab gdb on a launch script of PTX: backwards, by single steps and to breakpoints and watchpoints; faults; restarts.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"

for options in --fast "-m sm7-1"; do
  # Word 0 of block 0's shared memory is number 0, and then the sums of 2, 4, 8, ... numbers.
  session $options <<'END'
watch *(int *)0x90000000 if $block == 0
continue
continue
continue
reverse-continue
reverse-continue
printf "lane %d of block %d\n", $tid, $block
reverse-continue
reverse-continue
kill
END
  in_order "Old value = 0" "New value = 32" "New value = 96" "New value = 224" "Old value = 224" "New value = 96" \
    "Old value = 96" "New value = 32" "lane 0 of block 0" "New value = 0" "No more reverse-execution history"

  # Steps back pass the places of the steps forwards, with the same registers, in the opposite order.
  session $options <<'END'
break sum.cu:13 if $block == 2
continue
delete
python
# not $cycle: with timing, other warps execute between two instructions of a warp
def here():
    names = ("pc", "block", "tid", "mask", "rd4", "rd5", "rd6", "r15")
    return [str(gdb.parse_and_eval("$" + name)) for name in names]
def walk(command, count):
    places = [here()]
    for i in range(count):
        gdb.execute(command)
        places.append(here())
    return places
there = walk("stepi", 5)
back = walk("reverse-stepi", 5)
print("same places" if there == back[::-1] else "other places: %s %s" % (there, back))
print("places differ" if len(set(map(str, there))) == 6 else "no steps")
gdb.execute("info threads")
gdb.execute("reverse-stepi")
print("same lane" if here()[1:3] == there[0][1:3] else "another lane")
end
reverse-step
printf "line of block %d\n", $block
kill
END
  prints "same places"
  prints "places differ"
  prints "same lane"
  in_order "same lane" "if (threadIdx.x == 0)" "line of block 2"

  # From the second launch back to the first, and beyond its beginning.
  session $options <<'END'
monitor stop-at-launch on
break sum.cu:13 if $block == 3
continue
continue
printf "in the second launch at %d\n", $pc == 0x1000000
monitor stop-at-launch off
reverse-continue
printf "block %d of the first launch\n", $block
reverse-continue
reverse-stepi
delete
continue
END
  in_order "in the second launch at 1" "hit Breakpoint 1" "block 3 of the first launch" \
    "No more reverse-execution history" "No more reverse-execution history" "exited normally"
done

# Over many checkpoints, with a change: 60000 rounds of r4 = (5 * r4 + 7) ^ tid, with another r4 in round 30000.
cat >long.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry long(.param .u64 x, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [x];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	mov.u32 %r3, 0;
	mov.u32 %r4, 1;
loop:
	mad.lo.u32 %r4, %r4, 5, 7;
	xor.b32 %r4, %r4, %r2;
	add.u32 %r3, %r3, 1;
	setp.ne.u32 %p1, %r3, %r1;
	@%p1 bra loop;
	st.global.u32 [%rd3], %r4;
	ret;
}
END
printf '%s\n' 'ptx long.ptx' 'buffer x 256 zero' 'launch long 1 1 1 64 1 1 0 buf:x u32:60000' >long.launch
expect 0 "$SIMTLAB" gdb --symbols long.sym long.launch
script=long.launch
for options in --fast "-m sm7-1"; do
  session $options <<'END'
file long.sym
python
def rounds(value, count):
    for i in range(count):
        value = (value * 5 + 7) % 2 ** 32 ^ 40
    return value
def check(what, value):
    r4 = int(gdb.parse_and_eval("(unsigned)$r4"))
    print(what, "is right" if r4 == value else "is %d, not %d" % (r4, value))
gdb.execute("break long.ptx:17 if $r3 == 30000 && $tid == 40")
gdb.execute("continue")
check("half", rounds(1, 30000))
gdb.execute("set var $r4 = 12345")
gdb.execute("delete")
gdb.execute("break long.ptx:22 if $tid == 40")
gdb.execute("continue")
check("end", rounds(12345, 30000))
for i in range(3):
    gdb.execute("reverse-stepi")
gdb.execute("info threads", to_string=True)
gdb.execute("reverse-stepi")
check("round", (rounds(12345, 29999) * 5 + 7) % 2 ** 32)
gdb.execute("delete")
gdb.execute("break long.ptx:17 if $r3 == 29999 && $tid == 40")
gdb.execute("reverse-continue")
check("before the change", rounds(1, 29999))
gdb.execute("break long.ptx:22 if $tid == 40")
gdb.execute("continue")
check("again", rounds(12345, 30000))
end
kill
END
  for what in half end round "before the change" again; do
    prints "$what is right"
  done
done
script=

# Each checksum is printed once, whatever is replayed; also after detach from an earlier place.
expect 0 "$SIMTLAB" run -q --fast sum.launch
cp out sums
for end in "delete
continue" detach; do
  console=printed
  : >printed
  session --fast <<END
break sum.cu:13 if \$block == 3
continue
continue
reverse-continue
$end
END
  for try in $(seq 100); do # the script may still run after gdb has left it
    [ "$(grep -c '^sum y' printed)" -lt 2 ] || break
    sleep 0.1
  done
  grep '^sum y' printed >got
  console=
  cmp -s sums got || complain "prints other checksums: $(cat got)"
done

# A fault stops before its instruction, in its lane: x has only 128 numbers, and what follows is no buffer.
sed 's/buffer x 1024/buffer x 512/; s/buffer y.*/buffer y 16 zero/; s/launch sum 4/launch sum 8/' sum.launch >fault.launch
script=fault.launch
for options in --fast "-m sm7-1"; do
  session $options <<'END'
continue
printf "fault at %d in warp %d\n", $pc == 0x100001c, $warp
info threads
reverse-stepi
printf "before it %d\n", $pc == 0x1000018
continue
starti
printf "again at %d\n", $pc == 0x1000000
continue
kill
END
  in_order "simtlab: fault.launch:4: sum.ptx:" "received signal SIGSEGV" "fault at 1" "before it 1" \
    "received signal SIGSEGV" "again at 1" "received signal SIGSEGV" "killed"
done
script=

# Ctrl-C stops a kernel that does not end, and a search for something that is not in the past.
sed 's/shr.u32 %r9, %r9, 1;/mov.u32 %r9, %r9;/' sum.ptx >endless.ptx
sed 's/ptx sum.ptx/ptx endless.ptx/' sum.launch >endless.launch
cat >interrupt.py <<'END'
import subprocess, sys, time
stub = subprocess.Popen([sys.argv[1], "gdb", "--stdio", "--fast", "endless.launch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def ask(data, wait=0):
    stub.stdin.write(b"$" + data + b"#%02x" % (sum(data) % 256))
    stub.stdin.flush()
    if wait:
        time.sleep(wait)
        stub.stdin.write(b"\x03")
        stub.stdin.flush()
    text = b""
    while not text.endswith(b"#"):
        text += stub.stdout.read(1)
    stub.stdout.read(2)
    return text[text.index(b"$") + 1:-1]
ask(b"QStartNoAckMode")
ask(b"?")
print(ask(b"vCont;c", 0.3)[:3].decode())
ask(b"Z0,1000084,4")
print(ask(b"bc", 0.001)[:3].decode())
print(ask(b"vCont;s")[:3].decode())
stub.stdin.close()
stub.wait(timeout=20)
END
expect 0 python3 interrupt.py "$SIMTLAB"
in_order "T02" "T0" "T05"

# Hostile packets.
expect 0 python3 "$SOURCE/tests/cli/gdb_packets.py" "$SIMTLAB" sum.launch 800 7
finish
