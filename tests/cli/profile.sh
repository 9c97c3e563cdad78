# simtlab profile: attributed cycles sum to the cycles of simtlab run, in all output formats; limits, faults and
# outputs.
. "$(dirname "$0")/_lib.sh"
program=$BUILD/bench/MatMul.elf

# cycles FILE: cycles of all launches in the statistics of simtlab run.
cycles() { sed -n '/"totals"/,$p' "$1" | sed -n '/"cycles": {/,/}/s/.*"value": \([0-9]*\).*/\1/p' | head -1; }

expect 0 "$SIMTLAB" run -q --stats "$work/run.json" "$program"
total=$(cycles "$work/run.json")
grouped=$(echo "$total" | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta')

# The text counts every cycle once, and shows source and instructions.
expect 0 "$SIMTLAB" profile "$program"
silent
prints "MatMul: PASSED"
prints "where $grouped of $grouped cycles went: issued"
prints "MatMul.h:29  sum += *p * *q;"
prints "operands: uniform"
grep -Eq '^ +[0-9,]+ +[0-9.]+ .* 80[0-9a-f]{5} mul ' "$work/out" || complain "shows no instructions"
grep -q '^10 of [0-9]* source lines, with [0-9.]* % of the cycles$' "$work/out" || complain "does not show ten lines"
expect 0 "$SIMTLAB" profile -n 3 "$program"
prints "3 of "
expect 0 "$SIMTLAB" profile --all "$program"
prints "with 100.0 % of the cycles"

# The output files. Options may also follow the program; words after -- go to the program.
expect 0 "$SIMTLAB" profile "$program" -q --html "$work/p.html" --json "$work/p.json" -- small
silent
for text in '<!DOCTYPE html>' '<h2>Annotated source</h2>' 'sum += *p * *q' '</html>'; do
  has "$work/p.html" "$text"
done
for text in '"schema": 1' '"outcome": "passed"' '"disassembly": "mul ' '"dram_transactions"' '"kernel_cycles": '"$total"; do
  has "$work/p.json" "$text"
done
grep -Eq '(src|href)="?(http|/)' "$work/p.html" && complain "the HTML refers to other files"
if command -v jq >/dev/null; then
  command="profile --json, checked with jq"
  jq -e --argjson cycles "$total" '
    def sums: [.[].cycles_by_cause[]] | add;
    .totals.cycles == $cycles and (.totals.cycles_by_cause | add) == $cycles and
    (.lines | sums) == $cycles and (.instructions | sums) == $cycles and
    ([.instructions[] | .cycles == (.cycles_by_cause | add)] | all) and
    ([.instructions[].cycles_by_cause.issued] | add) <= ([.instructions[] | .vector_issues + .scalar_issues] | add)
  ' "$work/p.json" >"$work/out" 2>"$work/err" || complain "the stall reasons do not sum to $total cycles"
  jq -e '.totals | .vector_issues > 0 and (.operands | add) > 0 and .dram_transactions > 0 and
    .scratchpad_passes >= .scratchpad_requests and .scratchpad_requests > 0' "$work/p.json" \
    >"$work/out" 2>"$work/err" || complain "counts are missing"
fi

# Profiling does not perturb timing, and two profiles are equal.
expect 0 "$SIMTLAB" profile -q --json "$work/q.json" "$program" small
without_host() { sed '/"host": {/,/}/d' "$1"; }
without_host "$work/p.json" >"$work/p"
without_host "$work/q.json" >"$work/q"
cmp -s "$work/p" "$work/q" || complain "two profiles differ"

# Several launches, barriers, divergence, floats: simtlab itself checks the sum.
for name in Scan VecGCD BitonicSortSmall; do
  expect 0 "$SIMTLAB" profile -q "$BUILD/bench/$name.elf"
  silent
done
expect 0 "$SIMTLAB" profile -q -m simtight --set fpu=on "$BUILD/bench/MatMul_Float.elf"

# Instructions are the machine's: with separate floating-point registers they have the names of binutils, and their
# loads and stores count as accesses.
vortex=$BUILD/bench-vortex/saxpy-plain.elf
expect 0 "$SIMTLAB" profile -q -m vortex --json "$work/v.json" "$vortex"
riscv64-unknown-elf-objdump -d -M no-aliases "$vortex" >"$work/objdump"
python3 - "$work/v.json" "$work/objdump" <<'P' >"$work/err" || complain "floating-point instructions do not match the program"
import json, re, sys
wanted = {int(m[1], 16): m[2].split() for m in re.finditer(r'^ *([0-9a-f]{8}):\t\S+ *\t(f(?!ence).*)$', open(sys.argv[2]).read(), re.M)}
rows = [r for r in json.load(open(sys.argv[1]))['instructions'] if int(r['pc'], 16) in wanted]
for r in rows:
    name, operands = wanted[int(r['pc'], 16)][:2]
    ours = r['disassembly'].split()
    assert (ours[0], ours[1].split(',')[0]) == (name, operands.split(',')[0]), (r, name, operands)
    assert (r['memory_accesses'] == r['vector_issues']) == (name in ('flw', 'fsw')), r
assert {'flw', 'fsw'} <= {wanted[int(r['pc'], 16)][0] for r in rows}, 'no such instructions'
P

# A run that did not end has a profile up to its stop.
expect 4 "$SIMTLAB" profile --max-cycles 20000 --json "$work/l.json" "$program"
says "the limit of 20000 cycles was reached"
prints "MatMul.elf on simtight: limit"
has "$work/l.json" '"outcome": "limit"'
expect 1 "$SIMTLAB" profile "$program" enormous
says "the program's own check failed (status 1)"
prints "0 launches, 0 cycles"

# If the file goes to standard output, the text goes to standard error.
expect 0 "$SIMTLAB" profile --json - "$program"
prints '"schema": 1'
says "source lines, with"
for option in --html --json; do
  expect 2 "$SIMTLAB" profile -q $option /dev/full "$program"
  says "/dev/full: cannot be written (No space left on device); its contents are incomplete"
  expect 2 "$SIMTLAB" profile -q $option "$work/none/file" "$program"
  says "cannot be opened for writing"
done
expect 2 "$SIMTLAB" profile
says "which program?"
expect 2 "$SIMTLAB" profile --fast "$program"
says "unknown option '--fast'"
# At 80 columns the table keeps the columns that matter: transactions or lines, and bank conflicts. The text states
# resident blocks per core and the resource that limits them; the advice uses both.
cat >"$work/hog.c" <<'C'
#include <simt.h>
SIMT_KERNEL(hog, (int *, a))
{
  SIMT_SHARED(int, s, 4096);
  s[threadIdx.x * 32 % 4096] = a[threadIdx.x * 64];
  __syncthreads();
  a[threadIdx.x * 64] = s[127 - threadIdx.x];
}
int main(void)
{
  int *a = simt_alloc(128 * 64 * sizeof *a);
  return simt_launch_shared(hog, dim3(32), dim3(128), 16384, .a = a) != SIMT_OK;
}
C
for machine in simtight vortex vortex64 sm7-1; do
  COLUMNS=80
  expect 0 "$SIMTLAB" profile -m $machine -n 2 --json "$work/hog.json" --html "$work/hog.html" "$work/hog.c"
  awk 'length > 80 { exit 1 }' "$work/out" || complain "is wider than 80 columns"
  [ $machine = sm7-1 ] || grep -Eq '(trans|lines)/ +bank +otherwise' "$work/out" || complain "lacks important columns"
  has "$work/hog.html" "Occupancy: hog"
  python3 - $machine "$work/hog.json" "$work/out" <<'P' || complain "the occupancy does not match the blocks"
import json, sys
machine, profile, text = sys.argv[1], json.load(open(sys.argv[2])), open(sys.argv[3]).read()
blocks, warps, limit = {'simtight': (4, 16, 'shared memory'), 'vortex': (1, 8, 'warps'), 'vortex64': (1, 8, 'warps'),
                        'sm7-1': (6, 24, 'shared memory')}[machine]
one, = profile['occupancy']
assert (one['kernel'], one['blocks_per_core'], one['warps_per_core'], one['limited_by']) == ('hog', blocks, warps, [limit]), one
words = ' '.join(text.split())
assert 'limited by ' + limit in words
assert 'Run more warps' not in words
if machine == 'simtight':
    assert 'Shared memory limits the resident warps: use less of it per block' in words
if machine == 'vortex':
    assert 'All warps of the core are resident already' in words
P
done
COLUMNS=240
finish
