# lower.schedule in a kernel that needs more registers than lower.registers: pieces with few registers use those that
# others need. Eight copies of 16 bytes then wait for their loads together, not one after another.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
"$PYTHON" - >k.ptx <<'P'
SUMS, MORE, COPIES = 60, 40, 8
print('''.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x)
{
  .shared .align 16 .b8 s[%d];
  .reg .b64 %%rd<3>;
  .reg .f32 %%f<%d>;
  .reg .b32 %%r<%d>;
  ld.param.u64 %%rd1, [x];
  mov.u64 %%rd2, s;''' % (16 * COPIES, SUMS + MORE, 4 * COPIES))
for i in range(SUMS):                         # live to the end
    print(f'  ld.global.f32 %f{i}, [%rd1+{4 * i}];')
print('  bar.sync 0;')
for i in range(COPIES):
    words = ', '.join(f'%r{4 * i + k}' for k in range(4))
    print(f'  ld.global.v4.u32 {{{words}}}, [%rd1+{4096 * (i + 1)}];\n  st.shared.v4.u32 [%rd2+{16 * i}], {{{words}}};')
print('  bar.sync 0;')
for i in range(SUMS, SUMS + MORE):            # many registers
    print(f'  ld.shared.f32 %f{i}, [%rd2+{4 * i % (16 * COPIES)}];')
print('  bar.sync 0;')
for i in range(MORE):
    print(f'  add.f32 %f{i}, %f{i}, %f{SUMS + i};')
for i in range(SUMS):
    print(f'  st.global.f32 [%rd1+{4 * i}], %f{i};')
print('  ret;\n}')
P
printf 'ptx k.ptx\nbuffer x 65536 randf 1\nlaunch k 1 1 1 32 1 1 0 buf:x\nsum x\n' >k.launch
cycles() {
  expect 0 "$SIMTLAB" run -q -m v100 --set lower.schedule=$1 --stats k.json k.launch
  "$PYTHON" -c 'import json; print(json.load(open("k.json"))["totals"]["counters"]["cycles"]["value"])'
}
cycles off >off
mv out sum
cycles on >on
cmp -s out sum || complain "the order of instructions changes a result"
# A load that is not in L2 takes more than 400 cycles, so seven that no longer wait are worth 2800; half of it counts.
[ $(($(cat off) - $(cat on))) -gt 1400 ] || complain "loads wait for each other: $(cat off) cycles, scheduled $(cat on)"
finish
