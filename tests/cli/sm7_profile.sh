# simtlab profile on launch scripts: each issue slot has one instruction or none, and one stall reason.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# Two source lines; the addition waits for the load, and the store for the division.
cat >k.ptx <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 p)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<5>;
	.loc 1 2 1
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r2, [%rd3];
	.loc 1 3 1
	add.s32 %r3, %r2, 1;
	div.u32 %r4, %r3, %r2;
	st.global.u32 [%rd3], %r4;
	ret;
}
PTX
printf '// k.cu\nunsigned v = p[threadIdx.x];\np[threadIdx.x] = (v + 1) / v;\n' >k.cu
printf 'ptx k.ptx\nbuffer x 256 const 5\nlaunch k 2 1 1 64 1 1 0 buf:x\nlaunch k 1 1 1 32 1 1 0 buf:x\nsum x\n' >k.launch

expect 0 "$SIMTLAB" profile -m sm7-1 --json k.json k.launch
prints "k.launch on sm7-1: passed"
prints "k.cu:2  unsigned v = p[threadIdx.x];"
prints "k.cu:3  p[threadIdx.x] = (v + 1) / v;"
grep -Eq ' l2 [7-9][0-9] %  +5 add.s32 %r3, %r2, 1$' out || complain "the addition does not wait for L2"
grep -Eq ' result_(int|sfu) (9[0-9]|100) %  +7 st.global.u32 \[%rd3\], %r4$' out || complain "the store does not wait for the division"
prints "32  blocks"

# Compared with counts by hand, for 5 warps and 160 threads, and with the counters, which are counted elsewhere.
check() {
  python3 - "$1" <<'PY' || complain "the slots of $1 do not sum to the total"
import json, sys
p = json.load(open(sys.argv[1]))
counters = {n: c["value"] for n, c in p["totals"]["counters"].items()}
rows = p["instructions"] + [p["no_instruction"]]
for cause in p["total"]["slots"]:
    assert sum(r["slots"][cause] for r in rows) == counters["slots." + cause], cause
    assert sum(l["slots"][cause] for l in p["lines"] + [p["no_instruction"]]) == counters["slots." + cause], cause
assert sum(sum(r["slots"].values()) for r in rows) == 4 * counters["sm_cycles"]
assert sum(r["thread_instrs"] for r in rows) == counters["thread_instrs"]
assert sum(r["slots"]["issued"] for r in rows) == counters["warp_instrs"]
PY
}
check k.json
python3 - <<'PY' || complain "an instruction is not issued 5 times for 160 threads"
import json
p = json.load(open("k.json"))
assert len(p["instructions"]) == 9 and len(p["lines"]) == 2
for i in p["instructions"]:
    assert (i["slots"]["issued"], i["thread_instrs"]) == (5, 160), i
assert sorted((l["line"], len(l["instructions"])) for l in p["lines"]) == [(2, 5), (3, 4)]
PY

# Profiling does not perturb timing; without .loc the lines are those of the PTX.
expect 0 "$SIMTLAB" run -q -m sm7-1 --stats run.json k.launch
python3 - <<'PY' || complain "a profiled run has other counters"
import json
assert json.load(open("k.json"))["totals"] == json.load(open("run.json"))["totals"]
PY
grep -v loc k.ptx >plain.ptx
sed 's/k.ptx/plain.ptx/' k.launch >plain.launch
expect 0 "$SIMTLAB" profile -m sm7-1 --all plain.launch
prints "plain.ptx:14  add.s32 %r3, %r2, 1;"

# Barriers, atomics, many SMs, another scheduler.
for kernel in hist.s scan.s; do
  brief && [ $kernel = scan.s ] && continue
  expect 0 "$SIMTLAB" profile -q -m sm7-4 --set scheduler=gto --json "$kernel.json" \
    "$SOURCE/reference/ptx/kernels/$kernel.launch"
  check "$kernel.json"
done

# A run that reaches a limit has a partial profile; unavailable options are refused.
expect 4 "$SIMTLAB" profile -m sm7-1 --max-cycles 150 --json limit.json k.launch
prints "k.launch on sm7-1: limit"
check limit.json
expect 0 "$SIMTLAB" profile -q -m sm7-1 --html x.html k.launch
for part in "<h2>Launches</h2>" "<h2>Source lines</h2>" "<h2>Instructions</h2>" "</html>"; do
  has x.html "$part"
done
expect 2 "$SIMTLAB" profile -m sm7-1 --roofline k.launch
says "only --machine, --set, --lines, --all, --html, --json, --max-cycles and --quiet"
expect 2 "$SIMTLAB" profile k.launch
says "choose -m sm7"
finish
