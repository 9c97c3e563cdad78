# Rooflines of profiles: peaks follow from the machine's keys, bytes and operations from the program. No kernel exceeds
# a roof.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
SIMT_KERNEL(copy, (const int *, a), (int *, b))
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  b[i] = a[i] + 1;
}
SIMT_KERNEL(shared, (int *, b))
{
  SIMT_SHARED(int, s, 1024);
  volatile int *v = s;
  for (int k = 0; k < 10; k++)
    v[threadIdx.x] = k; /* 10 words of each thread */
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 20; k++)
    sum += v[k]; /* 20 words of each warp, or of each thread where there is no broadcast */
  b[threadIdx.x] = sum;
}
int main(void)
{
  enum { N = 1 << 15 };
  int *a = simt_alloc(N * 4), *b = simt_alloc(N * 4);
  for (int i = 0; i < 3; i++)
    if (simt_launch(copy, dim3(N / 64), dim3(64), .a = a, .b = b) != SIMT_OK)
      return 1;
  return simt_launch(shared, dim3(1), dim3(64), .b = b);
}
C
expect 0 "$SIMTLAB" cc -o k.elf k.c
expect 0 "$SIMTLAB" cc --target vortex -o v.elf k.c

# roofs OPERATIONS DRAM SCRATCHPAD OPTION... PROGRAM: the peaks per cycle; 0 means none.
roofs() {
  roofs="$1 $2 $3"
  shift 3
  expect 0 "$SIMTLAB" profile -q --json r.json "$@"
  found=$(python3 -c "
import json
p = json.load(open('r.json'))['roofline']['peaks']
print(*['%g' % (p[k]['per_cycle'] if p[k] else 0) for k in ('operations', 'dram_bytes', 'scratchpad_bytes')])")
  [ "$found" = "$roofs" ] || complain "roofs of $found instead of $roofs"
}
# 32 lanes; a beat of 64 bytes; 16 banks of a word.
roofs 32 64 64 k.elf
roofs 16 32 32 -s lanes=16 -s dram.beat_bytes=32 -s scratchpad.banks=8 k.elf
# Two pipelines.
roofs 64 64 64 -m simtight-rfc-pp k.elf
roofs 32 64 64 -m simty-plus k.elf
# Memory of fixed latency takes one request per cycle, as wide as the warp of 4 lanes.
roofs 4 16 0 -m simty "$BUILD/reference/simty/8x4/fib.elf"
# 16 lanes, a bank each; DDR4 moves 64 bytes in 4 cycles, HBM2 in each of 4 pseudo-channels.
roofs 16 64 64 -m vortex v.elf
roofs 32 16 128 -m vortex -s cores=4 -s lanes=8 -s dram=ddr4 v.elf
roofs 32 64 16 -m vortex-simx -s cores=2 -s lmem.banks=2 -s lmem.storage=0 v.elf

# Kernels: bytes moved by the program. It reads and writes the arrays completely; arguments and stacks add some.
for machine in simtight simtight-rfc-pp simty-plus vortex; do
  program=k.elf
  [ $machine = vortex ] && program=v.elf
  expect 0 "$SIMTLAB" profile -q -m $machine --json p.json $program
  expect 0 "$SIMTLAB" run -q -m $machine --stats s.json $program
  python3 - $machine >err <<'P' || complain "the kernels on $machine are at wrong places"
import json, sys
r, stats = json.load(open('p.json'))['roofline'], json.load(open('s.json'))['launches']
copy, shared = r['kernels']
assert (copy['kernel'], copy['launches'], shared['kernel'], shared['launches']) == ('copy', 3, 'shared', 1), r
vortex = sys.argv[1] == 'vortex'
lanes, unit = (16, 64) if vortex else (32, 64)
words = 4 * (10 * 64 + 20 * (64 if vortex else 64 // lanes))
assert shared['scratchpad_bytes'] == words and copy['scratchpad_bytes'] == 0, (shared, words)
assert copy['operations_per_scratchpad_byte'] is None
for point, launch in zip(r['launches'], stats):
    c = {k: v['value'] for k, v in launch['counters'].items()}
    beats = c['dram.reads'] + c['dram.writes'] if vortex else c['dram_beats']
    assert (point['cycles'], point['operations'], point['dram_bytes']) == (c['cycles'], c['thread_instrs'], beats * unit)
assert copy['dram_bytes'] >= (1 if vortex else 3) * 2 * 4 * (1 << 15) * 0.99, copy  # on Vortex caches keep some
for p in r['kernels'] + r['launches']:
    ops, peaks = p['operations'], r['peaks']
    limits = [peaks['operations']['per_cycle']]
    for name in 'dram', 'scratchpad':
        if p[name + '_bytes']:
            limits.append(ops / p[name + '_bytes'] * peaks[name + '_bytes']['per_cycle'])
            assert p[name + '_bytes'] / p['cycles'] <= peaks[name + '_bytes']['per_cycle']
    assert abs(p['roof'] - min(limits)) < 1e-6 * p['roof'] and ops / p['cycles'] <= p['roof'] * 1.000001, p
    assert p['bound'] == ['lanes', 'dram', 'scratchpad'][limits.index(min(limits))] or p['dram_bytes'] == 0, p
    assert abs(p['share_of_roof'] - ops / p['cycles'] / p['roof']) < 1e-6
P
done

# The text shows it only on request, in 80 columns; the page always does.
expect 0 "$SIMTLAB" profile -n 1 k.elf
grep -q '^roof:' out && complain "shows roofs without request"
expect 0 "$SIMTLAB" profile --roofline -n 1 --html p.html k.elf
prints "roof: 64 bytes of scratchpad per cycle (4 x scratchpad.banks)"
grep -Eq '^ all 3  copy ' out || complain "has no row for the kernel"
sed -n '/^roof:/,/^$/p' out | awk 'length > 80 { exit 1 }' || complain "is wider than 80 columns"
has p.html '<h2>Roofline</h2>'
[ "$(grep -c '<polyline class="roof ' p.html)" -eq 2 ] || complain "the page does not draw two roofs"
[ "$(grep -c '<circle class="dram"' p.html)" -eq 6 ] || complain "the page does not have a point per kernel and launch"
"$SIMTLAB" profile --help >out
[ "$(wc -l <out)" -le 24 ] || complain "the help is longer than a screen"
finish
