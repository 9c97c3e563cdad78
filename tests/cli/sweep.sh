# simtlab sweep: every run once, whatever ends the sweep; failed runs are results; bad studies are one sentence.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
sql() { "$SIMTLAB" query "$1" --format csv --sql "$2" | tail -n +2; }
# counts DATABASE NUMBER CONDITION: so many runs satisfy it.
counts() {
  got=$(sql "$1" "SELECT count(*) FROM run WHERE $3")
  [ "$got" = "$2" ] || complain "$got runs instead of $2 where $3"
}

# Combinations of two machines, keys that advance together, and a filter; the counters are those of simtlab run.
cat >first.yaml <<YAML
study: first
machines: [simtight, simtight-fp]
keys: {lanes: [8, 16, 32], warps: [8, 16, 32], dram.latency: {from: 10, to: 30, step: 20}}
zip: [lanes, warps]
filters: [lanes < 32 || dram.latency == 30]
programs: [{elf: $BUILD/bench/VecAdd.elf, sizes: small}]
metrics: {ipc: thread_instrs / cycles}
YAML
expect 0 "$SIMTLAB" sweep --dry-run first.yaml
prints "10 runs: 0 recorded, 10 to run; the time is unknown"
[ ! -e results ] || complain "--dry-run writes"
expect 0 "$SIMTLAB" sweep first.yaml
prints "10 runs done in"
prints "0 failed; 0 were recorded before: results/first.db"
silent
[ ! -e results/first.db.spool ] || complain "the spool is left over"
expect 0 "$SIMTLAB" run -m simtight -s lanes=16 -s warps=16 -s dram.latency=30 --stats run.json "$BUILD/bench/VecAdd.elf" small
cycles=$(sql results/first.db "SELECT cycles FROM run JOIN machine_config c ON c.id = run.config WHERE c.name = 'simtight'
  AND settings = 'lanes=16 warps=16 dram.latency=30'")
python3 -c "import json; assert json.load(open('run.json'))['totals']['counters']['cycles']['value'] == $cycles" ||
  complain "a sweep counts $cycles cycles, simtlab run another number"
expect 0 "$SIMTLAB" sweep first.yaml
prints "0 runs done"
prints "10 were recorded before"

# A file that a power cut has left empty is no result: its run starts again, and the file goes.
hash=$(sql results/first.db "SELECT lower(hex(hash)) FROM run LIMIT 1")
folder=results/first.db.spool/$(echo "$hash" | cut -c1-2)
mkdir -p "$folder"
: >"$folder/$hash.json"
expect 0 "$SIMTLAB" sweep first.yaml
prints "10 were recorded before"
[ ! -e results/first.db.spool ] || complain "an empty file is left in the spool"

# Another study with some of these runs, in the same database: only the new ones run.
sed 's/first/second/; s/to: 30, step: 20/to: 40, step: 10/; /filters/d' first.yaml >second.yaml
expect 0 "$SIMTLAB" sweep -d results/first.db --dry-run second.yaml
prints "24 runs: 10 recorded, 14 to run; about"
expect 0 "$SIMTLAB" sweep -q -d results/first.db second.yaml
[ ! -s out ] || complain "-q prints"
counts results/first.db 24 "outcome = 'passed'"

case $(sql results/first.db "SELECT toolchain FROM program") in GCC:*) ;; *) complain "the toolchain is not recorded" ;; esac

# A changed program is another program.
cp "$BUILD/bench/VecAdd.elf" changed.elf
printf 'study: changed\nmachines: simtight\nprograms: [{elf: changed.elf, arguments: small}]\nmode: fast\n' >changed.yaml
expect 0 "$SIMTLAB" sweep changed.yaml
echo >>changed.elf
expect 0 "$SIMTLAB" sweep changed.yaml
prints "1 runs done"
counts results/changed.db 2 "mode = 'fast'"

# A launch script; runs that reach their limit are results, and start again on demand.
script=$SOURCE/reference/ptx/kernels/scan.m.launch
printf 'study: limit\nmachines: sm7\nprograms: [{launch: %s}]\nmax-cycles: 100\n' "$script" >limit.yaml
expect 1 "$SIMTLAB" sweep limit.yaml
prints "1 failed"
prints "first failure: scan.m on sm7: limit: "
expect 0 "$SIMTLAB" sweep limit.yaml
prints "0 runs done"
expect 1 "$SIMTLAB" sweep --retry failed limit.yaml
prints "1 runs done"
counts results/limit.db 1 "outcome = 'limit'"
sed '/max-cycles/d' limit.yaml >launch.yaml
expect 0 "$SIMTLAB" sweep -d launch.db launch.yaml
counts launch.db 1 "outcome = 'passed' AND cycles > 1000"

# Commands. Those below take a tenth of a second each and note that they have run.
cat >slow.yaml <<'YAML'
study: slow
machines: simtight
programs:
  - command: "sleep 0.05; echo {seed} >>log; echo '{\"cycles\": {seed}}' >{result}"
    name: slow
    seeds: {from: 1, to: 10}
YAML
# twice MOST: at most so many runs were started twice, and none more often.
once() {
  counts results/slow.db 10 "outcome = 'passed' AND cycles = CAST(seed AS INTEGER)"
  again=$(sort log | uniq -d | wc -l)
  [ "$again" -le "$1" ] || complain "$again runs started again"
  rm -rf results log
}
# Starts the sweep and waits for its first results.
start() {
  env --default-signal=INT "$SIMTLAB" sweep -j 2 slow.yaml >out 2>err </dev/null &
  sweep=$!
  for _ in $(seq 500); do
    [ ! -s log ] || return
    sleep 0.01
  done
  complain "no run ends"
}

# kill -9 of the sweep.
command="sweep after kill -9"
start
sleep 0.07
kill -9 $sweep
wait $sweep 2>/dev/null
expect 0 "$SIMTLAB" sweep -j 2 slow.yaml
! grep -q '; 0 were recorded' "$work/out" || complain "nothing of the first sweep is recorded"
once 2

# kill -9 of a worker: its run starts again. A crash of one is a result.
command="sweep with a worker that is killed"
start
for worker in $(pgrep -P $sweep); do kill -9 "$worker"; break; done
wait $sweep || complain "exit status $?"
once 1
command="sweep with a worker that crashes"
start
for worker in $(pgrep -P $sweep); do kill -ABRT "$worker"; break; done
wait $sweep
[ $? -eq 1 ] || complain "a crash is not told by the exit status"
counts results/slow.db 1 "outcome = 'crash' AND message LIKE 'signal 6%'"
counts results/slow.db 9 "outcome = 'passed'"
expect 0 "$SIMTLAB" sweep --retry failed slow.yaml
prints "1 runs done"
once 1

# An interrupted sweep goes on; two sweeps share the runs.
command="interrupted sweep"
start
kill -INT $sweep
wait $sweep
got=$?
[ $got -eq 130 ] || complain "exit status $got"
says "simtlab: SIGINT: "
says "runs are done; start again to go on"
start
expect 0 "$SIMTLAB" sweep -j 2 slow.yaml
wait $sweep || complain "exit status $?"
once 2

# Four at once: each run is recorded once.
for _ in 1 2 3 4; do "$SIMTLAB" sweep -q -d many.db second.yaml 2>>many & done
wait
[ ! -s many ] || complain "$(cat many)"
counts many.db 24 "outcome = 'passed'"

# What a command may do wrong, and a program that changes while the study runs.
cat >wrong.yaml <<'YAML'
study: wrong
machines: simtight
programs:
  - {command: "exit 3", name: a}
  - {command: "echo text; kill -9 $$", name: b}
  - {command: "true", name: c}
  - {command: "echo '{\"a b\": 1}' >{result}", name: d}
  - {command: "cat >{result}", name: e}
YAML
expect 1 "$SIMTLAB" sweep wrong.yaml
prints "5 runs done"
prints "5 failed"
counts results/wrong.db 1 "outcome = 'check failed' AND status = 3"
counts results/wrong.db 1 "outcome = 'fault' AND message LIKE 'signal 9 ended%'"
counts results/wrong.db 2 "message LIKE 'the command has ended without a JSON object%'"
counts results/wrong.db 1 "message LIKE '%counter named ''a b''%'"
touch input
cat >moving.yaml <<'YAML'
study: moving
machines: simtight
programs: [{command: "echo {seed} >>input; echo '{\"x\": 1}' >{result}", files: [input], seeds: {from: 1, to: 9}}]
YAML
expect 2 "$SIMTLAB" sweep moving.yaml
says "changed during the study; start it again"

# Results that cannot be written.
expect 2 "$SIMTLAB" sweep -d /proc/a.db slow.yaml
says "/proc/a.db: unable to open database file"
command="sweep on a full disk"
(ulimit -f 40; "$SIMTLAB" sweep -d full.db second.yaml >out 2>err)
[ $? -eq 2 ] || complain "a full disk is not told"
rm -f out err
expect 0 "$SIMTLAB" sweep -d full.db second.yaml
counts full.db 24 "outcome = 'passed'"
expect 0 "$SIMTLAB" query --check full.db

# The examples are studies, and those of VecAdd run.
mkdir -p build/bench examples/studies
cp "$BUILD/bench/VecAdd.elf" build/bench
ln -s "$SOURCE/reference" reference
for example in "$SOURCE"/examples/studies/*.yaml; do
  sed '/Reduce\|Transpose/d; /^ *lanes: {/s/32/16/' "$example" >"examples/studies/${example##*/}"
  expect 0 "$SIMTLAB" sweep --dry-run "examples/studies/${example##*/}"
done
PATH=${SIMTLAB%/*}:$PATH expect 0 "$SIMTLAB" sweep examples/studies/command.yaml
prints "2 runs done"
expect 0 "$SIMTLAB" sweep examples/studies/lanes.yaml
expect 0 "$SIMTLAB" query results/lanes.db --by lanes --metric utilisation

# The overhead of short runs: processor time beside the simulation, and small studies end at once.
cat >short.yaml <<YAML
study: short
machines: simtight
keys: {dram.latency: {from: 1, to: 200}}
programs: [{elf: $BUILD/bench/VecAdd.elf, arguments: small}]
YAML
command="sweep of 200 short runs"
brief || python3 - "$SIMTLAB" <<'PYTHON' || complain "a run takes more than 2 ms beside its simulation"
import resource, sqlite3, subprocess, sys
subprocess.run([sys.argv[1], "sweep", "-q", "short.yaml"], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
count, busy = sqlite3.connect("results/short.db").execute("SELECT count(*), sum(seconds) FROM run").fetchone()
assert count == 200 and used.ru_utime + used.ru_stime - busy < 0.002 * count, (count, used.ru_utime + used.ru_stime, busy)
PYTHON

# Bad studies: one sentence with the line.
bad() { # SENTENCE TEXT
  printf "study: bad\nmachines: simtight\nprograms: [{elf: $BUILD/bench/VecAdd.elf, arguments: small}]\n$2\n" >bad.yaml
  expect 2 "$SIMTLAB" sweep bad.yaml
  says "bad.yaml:$1"
  [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one sentence"
}
bad "4: machine simtight: unknown key 'lanse'; did you mean 'lanes'?" 'keys: {lanse: 8}'
bad "6: machine simtight: key 'lanes' cannot be '9'; it takes 1 to 64" 'keys:\n  lanes:\n  - 9'
bad "4: the filters leave no run" 'filters: [lanes > 64]'
bad "4: unknown name 'lames'; did you mean 'lanes'?" 'filters: [lames > 64]'
bad "4: unknown name 'cycels'; did you mean 'cycles'?" 'metrics: {ipc: 1 / cycels}'
bad "4: metric 'a' uses itself: a -> b -> a" 'metrics: {a: b, b: a}'
bad "1: the study has 1000000000 runs, more than its limit of 100000" 'keys: {dram.latency: {from: 1, to: 1000000000}}'
printf 'study: bad\nmachines: [simtight, simtigth]\nprograms: [{elf: none.elf}]\n' >bad.yaml
expect 2 "$SIMTLAB" sweep bad.yaml
says "bad.yaml:2: no machine named 'simtigth'; did you mean 'simtight'?"
sed -i 's/, simtigth//' bad.yaml
expect 2 "$SIMTLAB" sweep bad.yaml
says "bad.yaml:3: "
says "none.elf: cannot be opened"
expect 2 "$SIMTLAB" sweep none.yaml
says "none.yaml: cannot be opened"
finish
