# The checker: findings of wrong programs at the right lines, and none of right ones; its files and exit statuses. The
# whole corpus is in checker_programs.sh.
. "$(dirname "$0")/_checker.sh"

for name in shared_no_barrier shared_barrier_ok; do
  checks simtight simt $name
  checks sm7 sm7 $name
done
checks simty-plus simt global_counter
checks sm7 sm7 barrier_in_branches

# JSON, suppressions, lanes, timing.
expect 0 "$SIMTLAB" cc -g -o race.elf "$programs/c/shared_no_barrier.c"
expect 1 "$SIMTLAB" check -q --json race.json race.elf
python3 - <<'END' || complain "the JSON is wrong"
import json
findings = json.load(open("race.json"))
assert findings["findings"] == len(findings["list"]) == 1, findings
finding = findings["list"][0]
assert finding["kind"] == "race" and finding["space"] == "shared" and finding["count"] > 1, finding
assert {access["line"] for access in finding["accesses"]} == {7, 8}, finding
END
expect 1 "$SIMTLAB" check -q --json - race.elf
prints '"kind": "race"'
echo '# known
race: *shared_no_barrier.c:8*' >known
expect 0 "$SIMTLAB" check -q --suppress known race.elf
silent
expect 2 "$SIMTLAB" check --suppress nothing race.elf
says "nothing: cannot be opened"
expect 1 "$SIMTLAB" check -q --timed race.elf
found "$programs/c/shared_no_barrier.c"
expect 0 "$SIMTLAB" cc -g -o step.elf "$programs/c/warp_lock_step_ok.c"
expect 0 "$SIMTLAB" check step.elf
says "no findings"
expect 1 "$SIMTLAB" check -q --strict-lanes step.elf
says "no synchronisation of the warp is between them"
expect 2 "$SIMTLAB" check --strict-lanes --lock-step step.elf
expect 2 "$SIMTLAB" check

# Kernels without a host program, and sources.
expect 1 "$SIMTLAB" check -q -m sm7 --launch "kernel=kernel,grid=1,block=256,args=iota(256)" "$programs/c/shared_no_barrier.c"
found "$programs/c/shared_no_barrier.c"
expect 2 "$SIMTLAB" check --launch "kernel=kernel,grid=1,block=256,args=iota(256)" race.elf more
says "takes no arguments"

expect 1 "$SIMTLAB" run -q --check race.elf
found "$programs/c/shared_no_barrier.c"
expect 0 "$SIMTLAB" run --fast --check --stats stats.json step.elf
says "no findings"
has stats.json '"launches"'
expect 2 "$SIMTLAB" run --check --trace-commits commits race.elf

# Other orders of warps and blocks: a race on a path that the usual order does not take. A seed gives one order.
cat >order.c <<'C'
#include "simt.h"
SIMT_KERNEL(kernel, (int *, data))
{
  SIMT_SHARED(int, flag, 1);
  if (threadIdx.x == 0)
    *flag = 0;
  simt_barrier();
  if (threadIdx.x == 0) {
    atomicExch(flag, 1);
    data[0] = 2;
  }
  if (threadIdx.x == blockDim.x - 1 && atomicAdd(flag, 0) == 0)
    data[0] = 1;
}
int main(void)
{
  int *data = simt_alloc(sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(128), .data = data) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc -g -o order.elf order.c
expect 0 "$SIMTLAB" check -q order.elf
expect 1 "$SIMTLAB" check -q --schedules 4 --json order.json order.elf
grep -q "order.c:1[03]: .*order.c:1[03]: .*; schedule [1-4]; 1 time)" err || complain "no race of another order"
has order.json '"schedule"'
cp err first
expect 1 "$SIMTLAB" check -q --schedules 4 order.elf
cmp -s err first || complain "the same seeds have other findings"
expect 2 "$SIMTLAB" check --timed --schedules 4 order.elf
says "leave --timed out"

# PTX: lanes are in lock step up to sm_62; accesses behind a buffer.
cat >lanes.ptx <<'X'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 tile[128];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, tile;
	add.s32 %r4, %r3, %r2;
	st.shared.u32 [%r4], %r1;
	xor.b32 %r4, %r4, 4;
	ld.shared.u32 %r5, [%r4];
	ld.param.u64 %rd1, [out];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r5;
	ret;
}
X
printf '%s\n' 'ptx lanes.ptx' 'buffer out 128 zero' 'launch k 1 1 1 32 1 1 0 buf:out' >lanes.launch
expect 1 "$SIMTLAB" check -q -m sm7 lanes.launch
says "lanes.ptx:15: thread (0,0,0) of block (0,0,0) (warp 0, lane 0) reads shared memory 0x4 (tile + 4), which"
expect 1 "$SIMTLAB" run -q -m sm7 --fast --check lanes.launch
says "lanes.ptx:15: "
expect 0 "$SIMTLAB" check -q -m sm7 --lock-step lanes.launch
sed 's/sm_70/sm_62/' lanes.ptx >older.ptx
sed 's/lanes.ptx/older.ptx/' lanes.launch >older.launch
expect 0 "$SIMTLAB" check -q -m sm7 older.launch
silent
# A register that is never written is a defect if it is stored, and not if a lane may have written it.
cat >registers.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<6>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d2, %r1, 4;
add.u64 %d3, %d1, %d2;
setp.lt.u32 %p1, %r1, 4;
@%p1 mov.u32 %r2, 7;
st.global.u32 [%d3], %r2;
st.global.u32 [%d3], %r3;
@%p2 st.global.u32 [%d3], %r1;
ret;
}
END
sed 's/lanes.ptx/registers.ptx/' lanes.launch >registers.launch
expect 1 "$SIMTLAB" check -q -m sm7 registers.launch
says "uninitialised register: registers.ptx:16: "
says "uninitialised register: registers.ptx:17: "
says "2 findings"
sed 's/128 zero/124 zero/' older.launch >short.launch
expect 1 "$SIMTLAB" check -q -m sm7 short.launch
says "simtlab: out of bounds: older.ptx:19: k block (0,0,0) thread (31,0,0)"
finish
