# simtlab linear --ideal: thread instructions of ideal machines, by kernel and in sum, as text and JSON; what it goes with.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# Two instructions and ret in 2 warps; the second kernel has nothing that repeats but its ret, which nobody leaves out.
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

expect 2 "$SIMTLAB" linear --loads two.ptx
says "--loads is of --ideal"
expect 2 "$SIMTLAB" linear --ideal two.ptx
says "two.ptx: --ideal is of launch descriptions"
expect 2 "$SIMTLAB" linear --ideal --check two.launch
says "goes with --loads, --assume and --json only"

finish
