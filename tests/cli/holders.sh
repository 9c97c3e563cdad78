# Warps that wait for memory, and the warps that block them: compared with the pipeline's rules applied to the commit
# trace's cycles.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >one.c <<'C'
#include <simt.h>
SIMT_KERNEL(one, (volatile int *, p))
{
  for (volatile int i = 0; i < 20; i++)
    ;
  __syncthreads();
  int x = (int)threadIdx.x;
  for (int i = 0; i < 40; i++)
    __asm__ volatile("addi %0, %0, 1" : "+r"(x));
  int v = *p; /* load */
  if (v == x + 1000000)
    *p = 1;
}
int main(void)
{
  int *p = simt_alloc(4);
  return simt_launch(one, dim3(1), dim3(512), .p = p);
}
C
expect 0 "$SIMTLAB" cc -o one.elf one.c
expect 0 "$SIMTLAB" run -q --trace-commits trace one.elf
expect 0 "$SIMTLAB" profile -q --json one.json one.elf
python3 - "$(grep -n '/\* load \*/' one.c | cut -d: -f1)" >err <<'P' || complain "the load's wait does not match the coalescing unit"
import json, re, sys
profile = json.load(open('one.json'))
load = [r for r in profile['instructions'] if r['line'] == int(sys.argv[1]) and r['disassembly'].startswith('lw ')]
assert len(load) == 1 and load[0]['vector_issues'] == 16, load
pc = int(load[0]['pc'], 16)
executed = [int(l.split()[0]) for l in open('trace') if re.match(r'\d', l) and int(l.split()[3], 16) == pc]

# The coalescing unit (src/timing/memory/coalescer.h): a request is in the FIFO in the cycle after it executed, is in stages 1 to 4 a
# cycle each, and is decided on in stage 4. Its one transaction leaves stage 5 in the next cycle and stage 4 stalls in that
# one. A stall freezes stages 3 and 4, and 2 and 1 only when the next one is occupied. Whoever is in stage 4 then holds the
# unit; when one enters, it is the one that enters.
arrivals = {e + 1 for e in executed}
assert len(arrivals) == 16
stage, fifo, issue, waited, now = [None] * 5, 0, False, 0, min(arrivals)
while now <= max(arrivals) or fifo or any(stage):
    fifo += now in arrivals
    stall = stage[4] is not None and issue
    if stage[4] is not None and not stall:
        stage[4], issue = None, True
    else:
        issue = False
    full = [s is not None for s in stage]
    if full[3] and not stall:
        stage[4], stage[3] = stage[3], None
    if full[2] and not (full[3] and stall):
        stage[3], stage[2] = stage[2], None
    if full[1] and not (full[2] and stall):
        stage[2], stage[1] = stage[1], None
    if fifo and (not stall or not full[1]):
        stage[1], fifo = True, fifo - 1
    waited += fifo
    now += 1
assert waited > 16, 'nothing waits, so that nothing is shown'
assert load[0]['queued'] == load[0]['queued_held'] == waited, (load[0], waited)
P

# A busy divider refuses requests: all retries belong to it, and the warps that it divides for are the holders. On
# Vortex the memory unit sends an access of 16 lines one line at a time; this access is the holder most of the time.
cat >two.c <<'C'
#include <simt.h>
SIMT_KERNEL(divide, (volatile int *, p))
{
  int x = (int)threadIdx.x + 1000;
  for (int i = 1; i < 20; i++)
    x += threadIdx.x / 128 % 2 ? 7777 % x : 77777 / x; /* divide */
  p[threadIdx.x] = x;
}
SIMT_KERNEL(lines, (volatile int *, p))
{
  int sum = 0;
  for (int i = 0; i < 20; i++)
    if (threadIdx.x / 64)
      sum += p[threadIdx.x * 16 + i % 2]; /* strided */
    else
      sum += p[0]; /* uniform */
  p[threadIdx.x] = sum;
}
int main(int argc, char **argv)
{
  int *p = simt_alloc(16 * 2048 * 4);
  if (argc > 1)
    return simt_launch(divide, dim3(1), dim3(512), .p = p);
  return simt_launch(lines, dim3(1), dim3(128), .p = p);
}
C
expect 0 "$SIMTLAB" cc -o two.elf two.c
expect 0 "$SIMTLAB" cc --target vortex --marks=user -o lines.elf two.c
expect 0 "$SIMTLAB" profile -q --json divide.json two.elf x
for machine in vortex vortex-simx; do
  expect 0 "$SIMTLAB" profile -q --kernel lines -m $machine --json $machine.json lines.elf
done
expect 0 "$SIMTLAB" profile -q -m simty-plus --json simty.json two.elf x
python3 - >err <<'P' || complain "does not name the holder of a unit"
import json, re
text = open('two.c').read().split('\n')
def rows(name):
    return json.load(open(name))['instructions']
def of(rows, name, what):
    return sum(r[what] for r in rows if (r['file'] or '').endswith('/two.c') and '/* %s */' % name in text[r['line'] - 1])
r = rows('divide.json')
divisions = [x for x in r if re.match('(div|rem) ', x['disassembly'])]
assert len(divisions) == 2 and all(x['retries_held'] > 100 for x in divisions), divisions
assert sum(x['retries'] for x in divisions) == sum(x['retries_held'] for x in divisions)
assert sum(x['retries'] for x in r) == sum(x['retries_held'] for x in r)
for machine in 'vortex', 'vortex-simx':
    r = rows(machine + '.json')
    assert 'retries_held' not in r[0]
    strided, uniform = of(r, 'strided', 'queued_held'), of(r, 'uniform', 'queued_held')
    assert strided > 500 and strided > 2 * uniform, (machine, strided, uniform)
    assert sum(x['queued'] for x in r) == sum(x['queued_held'] for x in r)
assert 'queued' not in rows('simty.json')[0] and 'retries_held' not in rows('simty.json')[0]
P
finish
