# simtlab gdb on a launch script of PTX: gdb's monitor tells what warps wait for, and what the machine counts and holds.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"

# Without timing, warp 1 runs after warp 0, which then waits at the barrier of the round.
session --fast <<'END'
break sum.cu:10 if $warp == 1 && $block == 2 && $r9 == 16
continue
monitor warps
monitor counters
monitor units
monitor cycle
kill
END
in_order "warp 0 waits at a barrier" "warp 1 has just executed an instruction" "warp 1 lanes ffffffff at sum.ptx:42" \
  "without timing, there are none" "without timing, there are none" "launch 1, instruction"

# With timing: warp 1 has no lane that adds in the round of 16. It waits while warp 0 adds.
session -m sm7-1 <<'END'
break *0x1000054 if $block == 2 && $r9 == 16
continue
monitor why
monitor warps
monitor cycle
monitor counters
monitor units
monitor code
thread find w0l20
python
for thread in gdb.selected_inferior().threads():
    if thread.name == "w0l20":
        thread.switch()
end
monitor why
kill
END
in_order "warp 0 has just executed an instruction; next: st.shared.u32 [%r8], %r14" "warp 0 lanes 0000ffff at sum.ptx:39" \
  "are outstanding" "warp 1 waits at a barrier" "operations in arithmetic units" "slots.issued" \
  "=> sum.ptx:39: st.shared.u32 [%r8], %r14" "lane 20 is masked"

# A place counts the 4 blocks and the instructions. The machine has not yet counted the latest one.
awk '/^place/ { place = $2 } /^warp_instrs/ { count = $2 } END { exit place != count + 5 }' out ||
  complain "the counted instructions are not those of the place: $(grep -e '^place' -e '^warp_instrs' out)"

# The store needs what the warp has loaded from global memory. While the other warp executes its next instruction, it waits.
session -m sm7-1 <<'END'
break *0x100002c if $block == 0 && $warp == 0
continue
delete
python
for thread in gdb.selected_inferior().threads():
    if thread.name == "w1l0":
        thread.switch()
end
stepi
printf "warp %d\n", $warp
monitor warps
kill
END
in_order "warp 1" "warp 0 waits for a load" "warp 0 lanes ffffffff at sum.ptx:24"

# Misuse.
session --fast <<'END'
monitor stop-at-launch maybe
monitor shared 100000
monitor why 3
monitor
kill
END
prints "takes on or off"
prints "the block has 256 bytes of shared memory"
# A machine that lowers the text, and so changes the order of instructions: the same places for gdb and the machine.
expect 0 "$SIMTLAB" gdb -m v100 --symbols sum.sym sum.launch
session -m v100 --fast <<'END'
break sum.cu:13 if $block == 2
continue
monitor code
kill
END
in_order "hit Breakpoint 1" "=> sum.ptx:"
python3 - out <<'END' || complain "stops at another line"
import re, sys
line = int(re.search(r"=> sum.ptx:(\d+)", open(sys.argv[1]).read()).group(1))
text = open("sum.ptx").read().split("\n")
loc = [l for l in text[:line - 1] if l.strip().startswith(".loc")][-1]
assert loc.split() == [".loc", "1", "13", "5"], loc
END
finish
