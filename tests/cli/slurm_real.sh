# simtlab sweep --slurm on a real cluster of two nodes: a study in array jobs, a node that is lost in the middle, and a
# controller that is killed. The counters are those of a local sweep.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cluster=$SOURCE/tests/support/slurm_cluster.sh
[ "$(id -u)" = 0 ] || { echo "skipped: name spaces need root"; exit 77; }

cat >study.yaml <<YAML
study: study
machines: simtight
keys: {lanes: [8, 16, 32]}
programs:
  - {elf: $BUILD/bench/VecAdd.elf, sizes: small}
  - {command: "sleep 1; echo '{\"cycles\": {seed}}' >{result}", name: slow, seeds: {from: 1, to: 10}}
YAML
cat >inside.sh <<'SH'
fail() { echo "FAILED: $*"; exit 1; }
sweep() { "$SIMTLAB" sweep --slurm --poll 0.5 "$@" </dev/null; }
count() { "$SIMTLAB" query "$1" --format csv --sql "SELECT count(*) FROM run WHERE $2" | tail -1; }

# A node is lost, with all that runs there: Slurm starts its tasks again on the other one.
sweep -q study.yaml 2>err &
pid=$!
for _ in $(seq 100); do
  [ "$(squeue -h -t running -o %N | grep -c n1)" = 0 ] || break
  sleep 0.1
done
sleep 1.5
kill -9 "$(cat /run/slurmd.n1.pid)"
for process in $(grep -lz '^SLURMD_NODENAME=n1$' /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3) $(pgrep slurmstepd); do
  cat "/proc/$process/environ" 2>/dev/null | tr '\0' '\n' | grep -q SLURMD_NODENAME=n2 || kill -9 "$process" 2>/dev/null
done
wait $pid || fail "the sweep with a lost node: $(cat err)"
[ "$(count results/study.db "outcome = 'passed'")" = 33 ] || fail "runs are missing after a lost node"
slurmd -N n1 >/dev/null 2>&1

# The controller is killed while tasks run. It may start them again, drain the nodes and
# hold tasks; an administrator resumes and releases them.
sed 's/study: study/study: again/; s/sleep 1/sleep 0.5/' study.yaml >again.yaml
sweep -q again.yaml 2>err &
pid=$!
sleep 3
kill -9 "$(cat /run/slurmctld.pid)"
sleep 1
slurmctld >/dev/null 2>&1
for _ in $(seq 60); do
  kill -0 $pid 2>/dev/null || break
  scontrol update nodename=n1,n2 state=resume 2>/dev/null
  for task in $(squeue -h -r -o '%i %r' | sed -n 's/ .*held.*//p'); do scontrol release "$task"; done
  sleep 1
done
wait $pid || fail "the sweep with a killed controller: $(cat err)"
[ "$(count results/again.db "outcome = 'passed'")" = 33 ] || fail "runs are missing after a killed controller"
SH

command="sweep on a cluster"
timeout -k 1 200 "$cluster" "$work" sh inside.sh >out 2>&1
got=$?
[ $got -ne 77 ] || { cat out; exit 77; }
[ $got -eq 0 ] || complain "status $got: $(cat out)"

# The same counters as here.
expect 0 "$SIMTLAB" sweep -q -d here.db study.yaml
expect 0 "$SIMTLAB" diff results/study.db here.db
finish
