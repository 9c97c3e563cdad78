# simtlab run on launch scripts: statistics, limits, signals, atomic files.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

cat >k.ptx <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.visible .entry add(.param .u64 p)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<4>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r2, [%rd3];
	add.s32 %r3, %r2, 1;
	st.global.u32 [%rd3], %r3;
	ret;
}
.visible .entry forever()
{
	.reg .b32 %r<2>;
LOOP:
	add.s32 %r1, %r1, 1;
	bra LOOP;
}
PTX
printf 'ptx k.ptx\nbuffer x 256 iota\nlaunch add 1 1 1 64 1 1 0 buf:x\nlaunch add 1 1 1 32 1 1 0 buf:x\nsum x\n' >two.launch
printf 'ptx k.ptx\nlaunch forever 4 1 1 64 1 1 0\n' >forever.launch

# number FILE PATH: a value of the JSON, such as totals.counters.cycles.value.
number() { python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
for n in sys.argv[2].split("."): v = v[int(n) if n.isdigit() else n]
print(v)' "$1" "$2"; }
is() { [ "$(number "$1" "$2")" = "$3" ] || complain "$2 is $(number "$1" "$2"), not $3"; }

# Two launches of 8 instructions, with 2 warps and with 1: 24 warp instructions, 768 thread instructions.
expect 0 "$SIMTLAB" run -q -m sm7-1 --stats timed.json two.launch
is timed.json outcome passed
is timed.json mode cycle
is timed.json launches.0.function add
is timed.json launches.0.block "[64, 1, 1]"
is timed.json launches.0.warps_per_block 2
is timed.json launches.1.counters.warp_instrs.value 8
is timed.json totals.counters.warp_instrs.value 24
is timed.json totals.counters.thread_instrs.value 768
is timed.json machine.keys.clusters 1
is timed.json sums.x "['$(sed -n 's/^sum x //p' out)']"
python3 - <<'PY' || complain "counters of launches do not sum to the totals"
import json
run = json.load(open("timed.json"))
for name, total in run["totals"]["counters"].items():
    assert total["value"] == sum(l["counters"][name]["value"] for l in run["launches"]), name
for launch in run["launches"]:  # four schedulers, each with a slot in each cycle of the SM
    slots = sum(c["value"] for n, c in launch["counters"].items() if n.startswith("slots."))
    assert slots == 4 * launch["counters"]["sm_cycles"]["value"]
PY
expect 0 "$SIMTLAB" run -q --fast --stats fast.json two.launch
is fast.json mode fast
is fast.json totals.counters.thread_instrs.value 768
is fast.json machine.name sm7
is fast.json sums "$(number timed.json sums)"

# 1024 threads of 64 registers fill an SM; with 32 registers two blocks fit.
printf 'ptx k.ptx\nregs add 32\nbuffer x 4096 iota\nlaunch add 1 1 1 1024 1 1 0 buf:x\n' >large.launch
expect 0 "$SIMTLAB" run -q -m sm7-1 --stats regs.json large.launch
is regs.json launches.0.blocks_per_sm 2
expect 0 "$SIMTLAB" run -q -m sm7-1 --regs 64 --stats regs.json large.launch
is regs.json launches.0.blocks_per_sm 1
is regs.json launches.0.limited_by "['registers']"
is regs.json launches.0.registers 64
expect 2 "$SIMTLAB" run -m sm7-1 --regs 256 large.launch
says "255 registers at most"
expect 2 "$SIMTLAB" run --regs 32 "$BUILD/bench/VecAdd.elf"
says "--regs is for launch scripts"

# Blocks that race for the same words: one host thread and two give the same counters and memory.
printf 'ptx k.ptx\nbuffer x 256 iota\nlaunch add 256 1 1 64 1 1 0 buf:x\nsum x\n' >race.launch
for threads in 1 2; do
  expect 0 "$SIMTLAB" run -q -m sm7 --threads $threads --stats threads$threads.json race.launch
done
for path in launches.0.counters totals.counters sums; do
  is threads2.json $path "$(number threads1.json $path)"
done

# A limit stops the run; simtlab writes the results so far.
expect 4 "$SIMTLAB" run -q -m sm7-1 --max-cycles 5000 --stats limit.json forever.launch
is limit.json outcome limit
is limit.json launches.0.counters.cycles.value 5000
is limit.json launches.0.succeeded False
expect 4 "$SIMTLAB" run -q --fast --max-cycles 5000 --stats limit.json forever.launch
is limit.json outcome limit

# A signal shuts the run down cleanly and leaves the earlier file.
for mode in "-m sm7-1" --fast; do
  echo old >stats
  command="run $mode ended by SIGTERM"
  "$SIMTLAB" run $mode --stats stats forever.launch >out 2>err </dev/null &
  process=$!
  sleep 1
  kill -TERM $process
  wait $process
  [ $? -eq 143 ] || complain "exit status"
  says "SIGTERM: forever.launch was interrupted; its figures cover the part that ran"
  grep -q '^forever ' err || complain "the launch that was interrupted is not told"
  [ "$(cat stats)" = old ] || complain "the statistics of before are lost"
done

# Output errors.
expect 2 "$SIMTLAB" run -q --fast --stats /dev/full two.launch
says "/dev/full: cannot be written (No space left on device)"
expect 2 "$SIMTLAB" run -q --fast --stats "$work" two.launch
says "cannot be opened for writing (Is a directory)"
"$SIMTLAB" run -q --fast two.launch >/dev/full 2>err
[ $? -eq 2 ] || complain "a full standard output is not an error"
printf 'ptx k.ptx\nbuffer x 256 iota\ndump x /dev/full\n' >full.launch
expect 2 "$SIMTLAB" run -q --fast full.launch
says "full.launch:3: "
finish
