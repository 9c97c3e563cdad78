# simtlab sweep --slurm with stand-ins for Slurm's commands: chunks, lost tasks, time limits, runs that end twice, a queue
# that stands still. slurm_real.sh has the real Slurm.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
mkdir bin queue
export QUEUE=$work/queue
sql() { "$SIMTLAB" query "$1" --format csv --sql "$2" | tail -n +2; }
counts() {
  got=$(sql "$1" "SELECT count(*) FROM run WHERE $3")
  [ "$got" = "$2" ] || complain "$got runs instead of $2 where $3"
}

# A job is a folder queue/NUMBER with a file for each task that is queued or runs.
cat >bin/sbatch <<'SH'
#!/bin/sh
for word; do
  case $word in --array=0-*) last=${word#--array=0-} ;; --job-name=*) name=${word#*=} ;; esac
  script=$word
done
# A limit of so many tasks in the queue.
queued=$(find "$QUEUE" -path '*/[0-9]*/[0-9]*' -name '[0-9]*' | wc -l)
if [ -e "$QUEUE/limit" ] && [ $((queued + last + 1)) -gt "$(cat "$QUEUE/limit")" ]; then
  echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2
  echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit)" >&2
  exit 1
fi
n=$(ls "$QUEUE" | grep -c '^[0-9]*$'); n=$((n + 1))
mkdir "$QUEUE/$n"
echo "$*" >>"$QUEUE/orders"
echo "$name" >"$QUEUE/$n/.name"
for task in $(seq 0 "$last"); do
  : >"$QUEUE/$n/$task"
  [ -e "$QUEUE/stands" ] || (
    if [ -e "$QUEUE/loses" ]; then rm "$QUEUE/loses"; else SLURM_ARRAY_TASK_ID=$task sh "$script"; fi
    rm "$QUEUE/$n/$task"
  ) >/dev/null 2>&1 &
done
[ ! -e "$QUEUE/kills" ] || { rm "$QUEUE/kills"; kill -9 $PPID; }
echo "$n;cluster"
SH
cat >bin/squeue <<'SH'
#!/bin/sh
while [ "$1" != -j ] && [ "$1" != -n ]; do shift; done
if [ "$1" = -n ]; then
  [ ! -e "$QUEUE/dead" ] || { echo "Unable to contact slurm controller"; exit 1; }
  for job in $(grep -lx "$2" "$QUEUE"/*/.name); do
    job=${job%/.name}
    [ -z "$(ls "$job")" ] || echo "${job##*/}"
  done
  exit
fi
for task in $(ls "$QUEUE/$2" 2>/dev/null); do echo "$2_$task RUNNING None"; done
SH
printf '#!/bin/sh\necho "MaxArraySize            = 2"\n' >bin/scontrol
printf '#!/bin/sh\necho "n1 Duplicate jobid"\n' >bin/sinfo
cat >bin/scancel <<'SH'
#!/bin/sh
case $1 in
--name=*) for job in $(grep -lx "${1#*=}" "$QUEUE"/*/.name); do rm -f "${job%/.name}"/*; done ;;
*) rm -f "$QUEUE/$1"/* ;;
esac
echo "$1" >>"$QUEUE/cancelled"
SH
chmod +x bin/*
PATH=$work/bin:$PATH

# Runs of unknown length go six to a chunk, and no more than two chunks to a job.
cat >study.yaml <<'YAML'
study: study
machines: simtight
programs: [{command: "echo {seed} >>log; echo '{\"cycles\": {seed}}' >{result}", name: a, seeds: {from: 1, to: 14}}]
YAML
expect 0 "$SIMTLAB" sweep --slurm --partition short --poll 0.05 study.yaml
prints "14 runs done"
counts results/study.db 14 "outcome = 'passed' AND cycles = CAST(seed AS INTEGER)"
[ "$(wc -l <queue/orders)" = 2 ] || complain "$(cat queue/orders)"
grep -q -e "--array=0-1 --time=6 --partition=short" queue/orders || complain "$(cat queue/orders)"
[ "$(sort log | uniq -d)" = "" ] || complain "runs have been started twice"
[ ! -e results/study.db.spool ] || complain "the spool is left over: $(find results)"
expect 0 "$SIMTLAB" sweep --slurm --poll 0.05 study.yaml
prints "14 were recorded before"

# A task that is lost starts again.
rm -rf results log
: >queue/loses
expect 0 "$SIMTLAB" sweep --slurm --poll 0.05 study.yaml
counts results/study.db 14 "outcome = 'passed'"
[ ! -e queue/loses ] || complain "no task was lost"

# A cluster that takes two tasks at a time: the sweep submits smaller jobs as others end.
rm -rf results log
echo 1 >queue/limit
expect 0 "$SIMTLAB" sweep --slurm --poll 0.02 study.yaml
counts results/study.db 14 "outcome = 'passed'"
[ "$(sort log | uniq -d)" = "" ] || complain "runs have been started twice"
grep -q -e --array=0-0 queue/orders || complain "no job is smaller: $(cat queue/orders)"
rm queue/limit

# Killed between sbatch and the note of its number: the next sweep finds the job by its name, or submits it again if it
# is gone. A Slurm that does not answer leaves it as it is.
rm -rf results log
touch queue/kills queue/stands
"$SIMTLAB" sweep --slurm --poll 0.02 study.yaml >out 2>err
[ -e results/study.db.spool/slurm.1/name ] && [ ! -e results/study.db.spool/slurm.1/job ] || complain "was not killed"
orders=$(wc -l <queue/orders)
touch queue/dead
expect 2 "$SIMTLAB" sweep --slurm --poll 0.02 study.yaml
says "squeue does not answer"
rm queue/dead
env --default-signal=INT "$SIMTLAB" sweep --slurm --poll 0.02 study.yaml >out 2>err </dev/null &
for _ in $(seq 500); do
  [ "$(ls results/study.db.spool/*/job 2>/dev/null | wc -l)" -lt 1 ] || break
  sleep 0.02
done
kill -INT $!
wait $!
[ "$(wc -l <queue/orders)" = $((orders + 1)) ] || complain "the job that the queue has is submitted again"
expect 0 "$SIMTLAB" sweep --cancel study.yaml
prints "2 jobs ended"
grep -q -e --name=simtlab- queue/cancelled || complain "the job is not ended by its name"
touch queue/kills
"$SIMTLAB" sweep --slurm --poll 0.02 study.yaml >out 2>err
for job in queue/*/; do rm -f "$job"/*; done
rm queue/stands
expect 0 "$SIMTLAB" sweep --slurm --poll 0.02 study.yaml
counts results/study.db 14 "outcome = 'passed'"

# A run that meets its limit: its chunk is halved until the run is alone. timeout takes a tenth of the limit here.
cat >bin/timeout <<'SH'
#!/bin/sh
shift 2
shift
exec /usr/bin/timeout -k 5 0.5 "$@"
SH
chmod +x bin/timeout
cat >slow.yaml <<'YAML'
study: slow
machines: simtight
programs: [{command: "[ {seed} != 3 ] || sleep 9; echo '{\"cycles\": 1}' >{result}", name: a, seeds: {from: 1, to: 4}}]
YAML
expect 1 "$SIMTLAB" sweep --slurm --poll 0.05 slow.yaml
counts results/slow.db 3 "outcome = 'passed'"
counts results/slow.db 1 "outcome = 'time-out' AND status = 124 AND seed = '3' AND message LIKE '%its limit of%'"
rm bin/timeout

# A crash is a result, and the other runs of the chunk go on.
cat >crash.yaml <<'YAML'
study: crash
machines: simtight
programs: [{command: "[ {seed} != 2 ] || kill -ABRT $PPID; echo '{\"cycles\": 1}' >{result}", name: a, seeds: {from: 1, to: 4}}]
YAML
expect 1 "$SIMTLAB" sweep --slurm --poll 0.05 crash.yaml
counts results/crash.db 3 "outcome = 'passed'"
counts results/crash.db 1 "outcome = 'crash' AND message LIKE 'signal 6%'"

# A queue that stands still: the sweep says why. Interrupted, it leaves its jobs; the next one finds them, or ends them.
: >queue/stands
# leave DATABASE STUDY: a sweep that submits its jobs and is interrupted.
leave() {
  command="sweep of a queue that stands still"
  env --default-signal=INT "$SIMTLAB" sweep --slurm --poll 0.02 -d "$1" "$2" >out 2>err </dev/null &
  for _ in $(seq 500); do
    ! grep -q "no run has ended" err || break
    sleep 0.02
  done
  kill -INT $!
  wait $!
  [ $? -eq 130 ] || complain "an interrupt is not told"
}
leave still.db study.yaml
says "node n1 does not run jobs (Duplicate jobid); an administrator resumes it with scontrol update nodename=n1"
says "the jobs go on: start again"
[ -e still.db.spool/slurm.1/job ] || complain "the job's folder is gone"
orders=$(wc -l <queue/orders)
expect 0 "$SIMTLAB" sweep --cancel -d still.db study.yaml
prints "2 jobs ended"

# A run that ends twice, here by hand, must have equal counters.
printf 'study: twice\nmachines: simtight\nprograms: [{command: "echo {}", name: a}]\n' |
  sed "s/echo {}/echo '{\\\\\"cycles\\\\\": 7}' >{result}/" >twice.yaml
leave twice.db twice.yaml
"$SIMTLAB" sweep --worker "$PWD/twice.db.spool" <twice.db.spool/slurm.1/0 >out || complain "the worker fails"
file=$(find twice.db.spool -name '*.json')
cp "$file" first.json
rm queue/stands queue/3/0 2>/dev/null
rm -f queue/*/0
expect 0 "$SIMTLAB" sweep --slurm --poll 0.02 -d twice.db twice.yaml
prints "1 were recorded before"
mkdir -p "${file%/*}"
cp first.json "$file"
expect 0 "$SIMTLAB" sweep --slurm --poll 0.02 -d twice.db twice.yaml
mkdir -p "${file%/*}"
sed 's/\[7\]/[8]/g; s/"host":"[^"]*"/"host":"n2"/' first.json >"$file"
expect 1 "$SIMTLAB" sweep --slurm --poll 0.02 -d twice.db twice.yaml
says "n2"
rm -r twice.db.spool

expect 0 "$SIMTLAB" sweep --slurm --poll 0.05 -d still.db study.yaml
counts still.db 14 "outcome = 'passed'"
[ "$(wc -l <queue/orders)" -gt "$orders" ] || complain "nothing was submitted again"

# Bad values, and a computer without Slurm.
expect 2 "$SIMTLAB" sweep --slurm --poll x study.yaml
says "--poll takes seconds"
expect 2 "$SIMTLAB" sweep --partition short study.yaml
says "--partition needs --slurm"
expect 2 env PATH=/nonexistent "$SIMTLAB" sweep --slurm -d none.db study.yaml
says "--slurm needs Slurm's commands"
finish
