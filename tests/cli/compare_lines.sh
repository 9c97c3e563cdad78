# simtlab compare by source line: cycles equal those of profiles, rows are sorted by change, and only matching lines
# share a row.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
mkdir old new
cat >old/k.c <<'C'
#include <simt.h>
#ifndef TIMES
#define TIMES 10
#endif
SIMT_KERNEL(work, (int *, a))
{
  int x = (int)threadIdx.x;
  for (int i = 0; i < TIMES; i++)
    x = x * 5 + 1; /* hot */
  a[blockIdx.x * blockDim.x + threadIdx.x] = x; /* end */
}
int main(void)
{
  int *a = simt_alloc(2048 * 4);
  return simt_launch(work, dim3(16), dim3(128), .a = a);
}
C
sed 's/x \* 5 + 1/x * 3 + 7/' old/k.c >new/k.c
hot=$(grep -n '/\* hot' old/k.c | cut -d: -f1)
end=$(grep -n '/\* end' old/k.c | cut -d: -f1)
expect 0 "$SIMTLAB" cc -o a.elf old/k.c
expect 0 "$SIMTLAB" cc -DTIMES=40 -o b.elf old/k.c
expect 0 "$SIMTLAB" cc -o c.elf new/k.c
expect 0 "$SIMTLAB" cc --target vortex -o v.elf old/k.c

# One source compiled in two ways. All rows equal those of the profiles.
expect 0 "$SIMTLAB" compare -m simtight -n 2 --json c.json --html c.html a.elf b.elf
silent
prints "cycles of source lines, from a.elf on simtight to b.elf on simtight:"
grep -Eq "^k\.c:$hot +[0-9,]+ +[0-9,]+ +\+[0-9,]+$" out || complain "does not show the line that changed"
[ "$(sed -n '/^line /,$p' out | wc -l)" -eq 5 ] || complain "does not show two lines, the rest and the total"
sed -n '/^cycles of/,$p' out | awk 'length > 80 { exit 1 }' || complain "is wider than 80 columns"
for program in a b; do
  expect 0 "$SIMTLAB" profile -q --json $program.json $program.elf
done
python3 - "$hot" >err <<'P' || complain "the lines differ from those of the profiles"
import json, sys
c = json.load(open('c.json'))
runs, lines = c['machines'], c['lines']
for r, name in enumerate(('a.json', 'b.json')):
    profile = {(l['file'], l['line'] if l['file'] else l['function']): l['cycles'] for l in json.load(open(name))['lines']}
    ours = {(l['file'], l['line'] if l['file'] else l['function']): l['cycles'][r] for l in lines}
    assert all(ours[k] == v for k, v in profile.items()), name
    assert sum(ours.values()) == runs[r]['cycles']
assert all(l['difference'] == [0, l['cycles'][1] - l['cycles'][0]] for l in lines)
changes = [abs(l['difference'][1]) for l in lines]
assert changes == sorted(changes, reverse=True)
assert lines[0]['line'] == int(sys.argv[1]) and lines[0]['difference'][1] > 0, lines[0]
P
has c.html '<h2>Cycles of source lines</h2>'
[ "$(grep -c '<tr><td>k.c:' c.html)" -ge 5 ] || complain "the page has no lines"

# Lines in another folder match if their text is equal.
expect 0 "$SIMTLAB" compare -q -m simtight --json e.json a.elf c.elf
python3 - "$hot" "$end" >err <<'P' || complain "an edited line does not have two rows, or another line has"
import json, sys
def of(number):
    return [l['cycles'] for l in json.load(open('e.json'))['lines'] if (l['file'] or '').endswith('k.c') and l['line'] == number]
hot, end = of(int(sys.argv[1])), of(int(sys.argv[2]))
assert len(hot) == 2 and sorted(bool(x[0]) for x in hot) == sorted(bool(x[1]) for x in hot) == [False, True], hot
assert len(end) == 1 and all(end[0]), end
P

# Several machines, one source: two cores give their mean; a run that did not end has no lines and is not compared.
expect 0 "$SIMTLAB" compare -q -m simtight,vortex:cores=2,simty-plus --json m.json old/k.c
python3 - "$end" >err <<'P' || complain "the lines of a run do not sum to its cycles"
import json, sys
c = json.load(open('m.json'))
for r, run in enumerate(c['machines']):
    assert abs(sum(l['cycles'][r] for l in c['lines']) - run['cycles']) < 0.01, (run['name'], run['cycles'])
end = [l for l in c['lines'] if l['line'] == int(sys.argv[1]) and (l['file'] or '').endswith('old/k.c')]
assert len(end) == 1 and all(end[0]['cycles']), end
P
expect 4 "$SIMTLAB" compare -q -m simtight,simtight:dram.latency=40000 -n 3 --max-cycles 30000 --json l.json a.elf
grep -q 'cycles of source lines' out && complain "compares lines of a run that did not end"
python3 -c "
import json
c = json.load(open('l.json'))
ended = [m['outcome'] == 'passed' for m in c['machines']]
assert ended == [True, False], ended
assert all(l['cycles'][1] is None and l['difference'][1] is None and l['cycles'][0] is not None for l in c['lines'])" ||
  complain "a run that did not end has lines"
"$SIMTLAB" compare --help >out
[ "$(wc -l <out)" -le 24 ] || complain "the help is longer than a screen"
# Lines of files with different names match by function and text, even if they moved.
{
  echo '/* a line more */'
  sed 's/x \* 5 + 1/x * 5 + 1 + i/' old/k.c
} >moved.c
expect 0 "$SIMTLAB" cc -o m.elf moved.c
expect 0 "$SIMTLAB" compare -q -m simtight,simty-plus --json m.json a.elf m.elf
python3 - "$hot" "$end" >err <<'P' || complain "moved lines do not match"
import json, sys
lines = json.load(open('m.json'))['lines']
hot, end = int(sys.argv[1]), int(sys.argv[2])
at = {(l['line'], l['file'].split('/')[-1]): l for l in lines if l['file'] and l['function'] and 'work' in l['function']}
assert (end + 1, 'moved.c') not in at and all(c > 0 for c in at[end, 'k.c']['cycles']), at.keys()
assert at[hot, 'k.c']['cycles'][2:] == [0, 0] and at[hot + 1, 'moved.c']['cycles'][:2] == [0, 0]
for l in lines: # of the same program on the first machine
    c = l['cycles']
    assert l['difference'] == [0, c[1] - c[0], 0, c[3] - c[2]], l
P

# After an edit the lines of the earlier program are unknown: compare lists functions and says so.
cp old/k.c edited.c
expect 0 "$SIMTLAB" cc -o before.elf edited.c
sleep 0.02
cp moved.c edited.c
expect 0 "$SIMTLAB" cc -o after.elf edited.c
expect 0 "$SIMTLAB" compare -m simtight -n 3 --json d.json --html d.html before.elf after.elf
prints "edited.c was modified after before.elf was compiled, so functions are compared instead of lines"
prints "cycles of functions, from before.elf on simtight to after.elf on simtight:"
grep -q "edited.c:" out && complain "names a line"
has d.html "was modified after before.elf was compiled"
python3 - >err <<'P' || complain "functions are not whole"
import json
c = json.load(open('d.json'))
assert all(l['line'] is None and l['file'] is None for l in c['lines'])
names = [l['function'] for l in c['lines']]
assert len(names) == len(set(names)) and 'work' in names, names
for r in range(2):
    assert sum(l['cycles'][r] for l in c['lines']) == c['machines'][r]['cycles']
P
finish
