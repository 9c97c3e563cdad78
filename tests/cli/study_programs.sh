# Programs of studies, one of each kind: ELF, launch script, command, CUDA and OpenCL executables. Each launch of a host
# program has its counters, the same as without a study; a fault, a failed check and a missing kernel are results.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cuda=yes opencl=yes
"$SIMTLAB" cuda --root >root 2>/dev/null || cuda=
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  opencl=
fi
[ -z "$cuda" ] || sanitized "$(cat root)/lib64/libsimtlab-cudart.so"
[ -z "$opencl" ] || sanitized "$BUILD/libsimtlab-opencl.so"
export SIMTLAB_OPENCL_CACHE="$work/cache"

# sql STATEMENT: the answer of the study's database, without the titles.
sql() { "$SIMTLAB" query "results/$study.db" --format csv --sql "$1" | tail -n +2; }

# gives STATEMENT VALUE
gives() {
  [ -n "$2" ] && [ "$(sql "$1")" = "$2" ] || complain "$1 gives $(sql "$1"), not $2"
}

study=kinds
cat >kinds.yaml <<END
study: kinds
machines: [simtight]
programs:
  - {elf: $BUILD/bench/VecAdd.elf, sizes: small}
  - {name: counted, command: 'echo "{\"cycles\": 7}" >{result}'}
END
expect 0 "$SIMTLAB" sweep kinds.yaml
prints "2 runs done"
gives "select cycles from run join program on program.id = run.program where name = 'counted'" 7

study=scripts
cat >scripts.yaml <<END
study: scripts
machines: [{name: small, base: sm7-r2d2, keys: {clusters: 1}}]
programs:
  - {launch: $BUILD/bench-r2d2/transpose.launch}
END
if [ -f "$BUILD/bench-r2d2/transpose.launch" ]; then
  expect 0 "$SIMTLAB" sweep scripts.yaml
  "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 --stats run.json "$BUILD/bench-r2d2/transpose.launch" >/dev/null
  gives "select cycles from run" \
    "$(python3 -c "import json; print(json.load(open('run.json'))['totals']['counters']['cycles']['value'])")"
fi

if [ -n "$cuda" ]; then
  study=cuda
  cat >host.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void add(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] += n; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
int main(int argc, char **argv)
{
  int *p, first, n = atoi(argv[1]);
  cudaMalloc(&p, 128);
  cudaMemset(p, 0, 128);
  add<<<1, 32>>>(n == 3 ? (int *)64 : p, n);
  twice<<<1, 32>>>(p);
  if (cudaMemcpy(&first, p, 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  printf("first is %d, end\n", first);
  return n == 2;
}
END
  cat >cuda.yaml <<END
study: cuda
machines:
  - {name: wide, base: sm7-1, keys: {core.mhz: 600}}
keys: {scheduler: [gto, lrr]}
programs:
  - name: host
    cuda: "{built}/host"
    build: '"\$SIMTLAB" cuda -O1 -o {built}/host host.cu'
    files: [host.cu]
    sizes: [1, 2, 3]
prints: "first is {first}, end"
energy: titanv
metrics: {ipc: thread_instrs / cycles}
report: {charts: [{chart: bars, x: size, y: ipc}]}
END
  expect 1 env SIMTLAB_CUDA_MODE=fast SIMTLAB_CUDA_SET=core.mhz=700 "$SIMTLAB" sweep cuda.yaml
  prints "6 runs done"
  prints "4 failed"
  gives "select group_concat(outcome, '/') from (select outcome from run where seed = '' order by size, id) limit 1" \
    "passed/passed/check failed/check failed/fault/fault"
  gives "select distinct message like '%is outside global memory%' from run where outcome = 'fault'" 1
  # Counters of each launch are those of the program without a study.
  for scheduler in gto lrr; do
    SIMTLAB_CUDA_MACHINE=sm7-1 SIMTLAB_CUDA_SET=core.mhz=600,scheduler=$scheduler SIMTLAB_CUDA_STATS=$scheduler.json \
      LD_LIBRARY_PATH="$(cat root)/lib64" results/cuda.db.programs/host 1 >/dev/null
  done
  python3 - <<'P' || complain "the counters of the launches differ"
import json, sqlite3
db = sqlite3.connect("results/cuda.db")
runs = db.execute("""select run.id, run.counters, settings from run join machine_config on machine_config.id = config
  where size = '1' order by run.id""").fetchall()
assert len(runs) == 2
for run, counters, settings in runs:
  lines = [json.loads(line) for line in open(settings.split("=")[1] + ".json")][:-1]
  cursor = db.execute('select * from "counters_%s" where run = ? order by launch' % counters, (run,))
  names = [column[0] for column in cursor.description]
  launches = [dict(zip(names, row)) for row in cursor]
  assert len(launches) == len(lines) == 2
  for launch, line in zip(launches, lines):
    assert all(launch[name] == value for name, value in line["counters"].items()), launch
  assert launches[1]["first"] == 2 and launches[0]["first"] == 0
  assert launches[1]["energy"] > launches[1]["energy.power.active"] > 0
P
  [ ! -f "$BUILD/charts/charts.js" ] || "$SIMTLAB" report cuda.yaml >/dev/null
  [ ! -f "$BUILD/charts/charts.js" ] || has results/cuda.html "SIMTLAB_CUDA_MACHINE=sm7-1 SIMTLAB_CUDA_SET=core.mhz=600,scheduler=gto SIMTLAB_CUDA_STATS="

  # Only one kernel counts; a program without it has failed.
  sed 's/^study: cuda/study: twice/; s/    sizes: .*/    sizes: 1\n    kernel: _Z5twicePi/; s/^energy/mode: fast\nenergy/' cuda.yaml >twice.yaml
  study=twice
  expect 0 "$SIMTLAB" sweep twice.yaml
  gives "select group_concat(distinct launches) from totals_sm7" 1
  sed 's/^study: twice/study: none/; s/_Z5twicePi/_Z5threePi/' twice.yaml >none.yaml
  study=none
  expect 1 "$SIMTLAB" sweep none.yaml
  gives "select distinct message from run" "the program has launched no kernel _Z5threePi on the simulated machine"
fi

if [ -n "$opencl" ]; then
  study=opencl machines=opencl-sm7
  [ ! -f "$BUILD/opencl/vortex.bc" ] || machines="opencl-sm7 opencl-simtight"
  cat >opencl.yaml <<END
study: opencl
machines: [$(echo $machines | tr ' ' ,)]
programs:
  - name: gemm
    opencl: "{built}/gemm"
    build: gcc -O1 -o {built}/gemm $SOURCE/examples/opencl/gemm.c -lOpenCL
    files: [$SOURCE/examples/opencl/gemm.c]
    sizes: 16
END
  expect 0 "$SIMTLAB" sweep opencl.yaml
  for machine in $machines; do
    OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_MACHINE=$machine SIMTLAB_OPENCL_STATS=$machine.json \
      results/opencl.db.programs/gemm 16 >/dev/null
    gives "select run.cycles from run join machine_config on machine_config.id = config where name = '$machine'" \
      "$(python3 -c "import json; print(sum(line['counters']['cycles'] for line in
        map(json.loads, open('$machine.json')) if 'kernel' in line))")"
  done
fi

# A program has one kind; what does not belong to its kind is an error with its line.
bad() { # SENTENCE PROGRAM
  printf 'study: bad\nmachines: [sm7]\nprograms:\n  - {%s}\n' "$2" >bad.yaml
  expect 2 "$SIMTLAB" sweep bad.yaml
  says "bad.yaml:4: $1"
}
bad "a program is one of" "cuda: a, opencl: b"
bad "'memory' and 'expect' are for an ELF program only" "cuda: a, memory: {0x80000000: b}"
bad "the sizes change nothing" "opencl: a, sizes: [1, 2], arguments: x"
bad "'whole program' is for an ELF program only" "cuda: a, whole program: true"
finish
