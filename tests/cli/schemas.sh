# Every JSON file that simtlab writes conforms to docs/schemas; the schemas reject other files.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# The schemas use these parts of JSON Schema: type, const, properties, required, additionalProperties, items.
cat >valid.py <<'P'
import json, sys
KINDS = {'null': type(None), 'boolean': bool, 'integer': int, 'number': (int, float), 'string': str, 'array': list, 'object': dict}

def is_kind(value, kind):
    return isinstance(value, KINDS[kind]) and not (isinstance(value, bool) and kind in ('integer', 'number'))

def check(schema, value, at):
    if 'const' in schema and value != schema['const']:
        sys.exit(f'{at}: {value} instead of {schema["const"]}')
    kinds = schema.get('type', list(KINDS))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(is_kind(value, k) for k in kinds):
        sys.exit(f'{at}: {value!r:.60} is none of {kinds}')
    if isinstance(value, list):
        for i, element in enumerate(value):
            check(schema.get('items', {}), element, f'{at}[{i}]')
    if isinstance(value, dict):
        for name in schema.get('required', []):
            if name not in value:
                sys.exit(f'{at} has no {name}')
        others = schema.get('additionalProperties', {})
        for name, member in value.items():
            own = schema.get('properties', {}).get(name, others)
            if own is False:
                sys.exit(f'{at} has {name}, which is not in the schema')
            check(own if isinstance(own, dict) else {}, member, f'{at}.{name}')

for schema, name in zip(sys.argv[1::2], sys.argv[2::2]):
    check(json.load(open(schema)), json.load(open(name)), name)
P
pairs= number=0
# valid SCHEMA STATUS COMMAND...: the command writes j.json; the end of the script validates all files.
valid() {
  number=$((number + 1))
  pairs="$pairs $SOURCE/docs/schemas/$1.json $1-$number.json"
  name=$1-$number.json wanted=$2
  shift 2
  [ "$1" = env ] || set -- "$SIMTLAB" "$@"
  expect "$wanted" "$@"
  mv j.json "$name" 2>/dev/null || complain "writes no JSON"
}

cat >k.c <<'C'
#include <simt.h>
SIMT_KERNEL(fill, (int *, a))
{
  SIMT_SHARED(int, s, 128);
  s[threadIdx.x] = (int)blockIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[127 - threadIdx.x];
}
int main(int argc, char **argv)
{
  int *a = simt_alloc(128 * sizeof *a);
  simt_launch(fill, dim3(4), dim3(128), .a = a);
  return simt_launch(fill, dim3(4), dim3(128), .a = argc > 1 ? (int *)(uintptr_t)(argv[1] != NULL) : a) != SIMT_OK;
}
C
for target in simt vortex vortex64 sm7; do
  expect 0 "$SIMTLAB" cc --target $target -o $target.elf k.c
done
cat >k.ptx <<'X'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.global.u32 %r1, [%rd1];
	st.global.u32 [%rd2], %r1;
	ret;
}
X
printf '%s\n' 'ptx k.ptx' 'buffer a 1024 iota' 'buffer b 1024 zero' 'launch k 1 1 1 32 1 1 0 buf:a buf:b' 'sum b' >k.launch

for what in simtight:simt simtight-rfc-pp-sb:simt simty-plus:simt vortex:vortex vortex-simx:vortex vortex64:vortex64 sm7-1:sm7; do
  machine=${what%:*} program=${what#*:}.elf
  valid run 0 run -q -m $machine --stats j.json $program
  valid run 0 run -q --fast -m $machine --stats j.json $program
  valid profile 0 profile -q -m $machine --json j.json $program
done
valid run 0 run -q --energy 45nm --stats j.json simt.elf
valid run 0 run -q --sample auto --stats j.json "$BUILD/bench/Scan.elf"
valid run 0 run -q --fast-forward launch=1 --stats j.json simt.elf
valid run 0 run -q -m simty --stats j.json "$BUILD/reference/simty/8x4/fib.elf"
valid run 3 run -q --stats j.json simt.elf 1
valid run 4 run -q -c 2000 --stats j.json simt.elf
valid profile 3 profile -q --json j.json simt.elf 1
valid profile 0 profile -q --roofline --json j.json simt.elf
for how in "" "--fast" "--energy titanv"; do
  # shellcheck disable=SC2086
  valid run-launches 0 run -q -m sm7-1 $how --stats j.json k.launch
done
valid run-launches 4 run -q -m sm7-1 -c 10 --stats j.json k.launch
valid run-launches 0 run -q -m sm7-1 --sample auto --stats j.json k.launch
valid profile-launches 0 profile -q -m sm7-1 --json j.json k.launch
valid compare 0 compare -q -m simtight,vortex,sm7-1 --json j.json k.c
valid compare 3 compare -q -m simtight,simty-plus --json j.json simt.elf -- 1
valid compare 4 compare -q -m simtight,simty-plus -c 2000 --json j.json simt.elf
valid compare 0 compare -q -m sm7-1 --json j.json k.launch
valid compare 0 compare -q -m simtight --sample auto --json j.json "$BUILD/bench/Scan.elf"
for how in "" "--fast" "-m vortex" "-m simty-plus"; do
  # shellcheck disable=SC2086
  valid bench 0 bench -q --only VecAdd,Scan $how --json j.json
done
valid bench 4 bench -q --only VecAdd -c 100 --json j.json
valid verify 0 verify simtight -q --only 'sram_ld_unit*' --json j.json
valid verify 1 verify simtight -q -s lanes=16 --only 'sram_ld_unit_1w_r8' --json j.json
valid verify-bounds 0 verify vortex -q --only 'saxpy*' --json j.json
valid silicon 0 silicon -q --only 'srad*' --json j.json
valid verify-sm7 0 verify sm7-1 -q --only 'gemm*' --json j.json
# Statistics of a host program have a line for each launch and one for the totals.
. "$SOURCE/tests/cli/_host.sh"
# shellcheck disable=SC2016
lines='SIMTLAB_HOST_ENERGY=45nm SIMTLAB_HOST_STATS=s.json "$0" "$@"; status=$?; sed -n $line >j.json <s.json; exit $status'
valid host-launch 0 env line=1p sh -c "$lines" "$host" host.ptx work:8:64
valid host-launch 3 env line=1p sh -c "$lines" "$host" host.ptx wild:1:1
valid host-totals 0 env 'line=$p' SIMTLAB_HOST_SAMPLE=1 sh -c "$lines" "$host" host.ptx work:8:64 work:8:64 work:8:64
valid host-launch 0 env line=4p SIMTLAB_HOST_SAMPLE=1 sh -c "$lines" "$host" host.ptx work:8:64 work:8:64 work:8:64 \
  work:8:64
valid host-totals 3 env 'line=$p' sh -c "$lines" "$host" host.ptx wild:1:1
valid check 0 check -q --json j.json "$BUILD/bench/VecAdd.elf"
expect 0 "$SIMTLAB" cc -o race.elf "$SOURCE/tests/check/c/shared_no_barrier.c"
valid check 1 check -q --json j.json race.elf
valid linear 0 linear --json j.json k.ptx
valid linear-ideal 0 linear --ideal --json j.json k.launch

command="what the commands wrote"
# shellcheck disable=SC2086
python3 valid.py $pairs >problem 2>&1 || complain "violates the schema: $(tail -1 problem)"

# The schemas reject nonconforming files.
expect 0 "$SIMTLAB" run -q --stats j.json simt.elf
for change in "del j['launches']" "j['more'] = 1" "j['status'] = 'a'" "j['schema'] = 2" "j['launches'][0]['counters']['cycles'] = 1"; do
  python3 -c "
import json
j = json.load(open('j.json'))
$change
json.dump(j, open('bad.json', 'w'))"
  python3 valid.py "$SOURCE/docs/schemas/run.json" bad.json >/dev/null 2>&1 && complain "accepts $change"
done
for file in "$SOURCE"/docs/schemas/*.json; do
  name=$(basename "$file" .json)
  case "$pairs speed.json" in *"/$name.json"* | *" $name.json"*) ;; *) complain "$name is not tested" ;; esac # speed.sh takes long
done
finish
