# simtlab linear --ideal: thread instructions of ideal machines, per kernel and in total, as text and JSON; invalid
# combinations.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# Two instructions and ret in 2 warps. In the second kernel only ret repeats, which no machine eliminates.
cat >two.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry same()
{
  .reg .b32 %r<4>;
  mov.u32 %r1, 5;
  add.u32 %r2, %r1, 7;
  ret;
}
.visible .entry own()
{
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r1;
  ret;
}
END
cat >two.launch <<'END'
ptx two.ptx
launch same 1 1 1 64 1 1 0
launch own 1 1 1 64 1 1 0
launch same 1 1 1 64 1 1 0
END

expect 0 "$SIMTLAB" linear --ideal two.launch
prints "same                                384       64.6       33.3       66.7"
prints "own                                 192        0.0        0.0"
prints "all                                 576"
expect 0 "$SIMTLAB" linear --ideal --json two.json two.launch
has two.json '"schema": "simtlab-linear-ideal-1"'
has two.json '"loads": false'
has two.json '"launches": 2'
for count in '"base": 384' '"wp": 136' '"tb": 256' '"ln": 128' '"base": 576' '"tb": 448'; do has two.json "$count"; done
expect 0 "$SIMTLAB" linear --ideal --json - two.launch

# Figure 1 of the paper: 4 blocks of 4 threads compute arr + 4 * (threadIdx.x + blockDim.x * blockIdx.x). Only these 64
# computations count. WP executes 52 of them: only the product is uniform in a warp. (test_linear_figure counts those of
# the expanded expression.) LN reads arr and blockDim.x (2), has two coefficients, arr and 4 * blockDim.x (2),
# multiplies the index of each thread once (4), and for each block its index and the constant (8). These are the
# figure's rows 1 to 4, with arr in the blocks' part. Row 5 belongs to the load.
head_of() { printf '.visible .entry %s(.param .u64 arr)\n{\n.reg .b32 %%r<8>;\n.reg .b64 %%d<4>;\n' "$1"; }
{
  sed '/^.visible/,$d' two.ptx
  head_of address
  cat <<'END'
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  ld.param.u64 %d1, [arr];
  mul.lo.u32 %r4, %r3, %r2;
  add.u32 %r5, %r1, %r4;
  mul.wide.u32 %d2, %r5, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r6, [%d3];
  ret;
}
END
  head_of frame
  cat <<'END'
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  ld.param.u64 %d1, [arr];
  ld.global.u32 %r6, [%d1];
  ret;
}
END
} >figure.ptx
cat >figure.launch <<'END'
ptx figure.ptx
buffer arr 64 iota
launch address 4 1 1 4 1 1 0 buf:arr
launch frame 4 1 1 4 1 1 0 buf:arr
END
expect 0 "$SIMTLAB" linear --ideal --json figure.json figure.launch
python3 - <<'P' || complain "the counts of Figure 1 differ"
import json
of = {k["kernel"]: k for k in json.load(open("figure.json"))["kernels"]}
count = {key: of["address"][key] - of["frame"][key] for key in ("base", "wp")}
assert count == {"base": 64, "wp": 52}, count
left = of["address"]["ln"] - 2 * 16  # the load and ret
assert left == 2 + 2 + 4 + 8, left
P

expect 2 "$SIMTLAB" linear --loads two.ptx
says "--loads applies to --ideal"
expect 2 "$SIMTLAB" linear --ideal two.ptx
says "two.ptx: --ideal is for launch scripts"
expect 2 "$SIMTLAB" linear --ideal --check two.launch
says "goes only with --loads, --assume, --multiwrite and --json"

finish
