# lower.schedule with matrices: products do not wait until the loads for later products are under way. Two sets of
# fragments take turns; in program order the six loads of a step precede its eight products, and a barrier follows.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
"$PYTHON" - >k.ptx <<'P'
def group(letter, first):
    return '{' + ', '.join(f'%{letter}{first + i}' for i in range(8)) + '}'
def loads(s):
    return [f'  wmma.load.{"ab"[n // 4]}.sync.aligned.{("row", "col")[n // 4]}.m16n16k16.shared.f16 '
            f'{group("r", 48 * s + 8 * n)}, [%rd2+{512 * n}], 16;' for n in range(6)]
def products(s):
    return [f'  wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {group("f", 8 * d)}, {group("r", 48 * s + 8 * (d % 4))}, '
            f'{group("r", 48 * s + 32 + 8 * (d // 4))}, {group("f", 8 * d)};' for d in range(8)]
print('''.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x)
{
  .shared .align 32 .b8 s[4096];
  .reg .b64 %rd<5>;
  .reg .f32 %f<64>;
  .reg .b32 %r<96>;
  .reg .b32 %t<2>;
  ld.param.u64 %rd1, [x];
  mov.u64 %rd2, s;
  mov.u32 %t0, 1006648320;   // two ones
  mov.u32 %t1, %tid.x;
  mul.wide.u32 %rd3, %t1, 16;
  add.u64 %rd4, %rd2, %rd3;
  st.shared.v4.u32 [%rd4], {%t0, %t0, %t0, %t0};''')
for i in range(64):
    print(f'  mov.f32 %f{i}, 0f00000000;')
print('  bar.sync 0;')
print('\n'.join(loads(0)))
print('  bar.sync 0;')
for step in range(8):
    print('\n'.join(loads((step + 1) % 2) + products(step % 2)) + '\n  bar.sync 0;')
for d in range(8):
    print(f'  wmma.store.d.sync.aligned.row.m16n16k16.f32 [%rd1+{1024 * d}], {group("f", 8 * d)}, 16;')
print('  ret;\n}')
P
# Eight warps write the same. Each element is the sum of 8 x 16 products of ones.
printf 'ptx k.ptx\nbuffer x 8192 zero\nlaunch k 1 1 1 256 1 1 0 buf:x\nsum x\nbuffer y 8192 const 0x43000000\nsum y\n' >k.launch
# Round robin keeps the warps side by side; a greedy scheduler lets one load while the other multiplies.
cycles() {
  expect 0 "$SIMTLAB" run -q -m v100 --set scheduler=lrr --set lower.schedule=$1 --stats k.json k.launch
  [ "$(sed -n 's/^sum x //p' out)" = "$(sed -n 's/^sum y //p' out)" ] || complain "lower.schedule=$1: the products are wrong"
  "$PYTHON" -c 'import json; print(json.load(open("k.json"))["totals"]["counters"]["cycles"]["value"])'
}
cycles off >off
cycles on >on
# In a step the loads of eight warps take 8 x (4 x 16 + 2 x 8) cycles of shared memory and the products of a scheduler's
# two warps 2 x 8 x 32. A tenth of the products of eight steps is gained at least.
[ $(($(cat off) - $(cat on))) -gt 409 ] || complain "products wait: $(cat off) cycles, scheduled $(cat on)"
finish
