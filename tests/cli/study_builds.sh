# Programs that a study builds: once, again when an input changes, after a build that was killed or has failed, and by two
# sweeps at the same time.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
sql() { "$SIMTLAB" query "$1" --format csv --sql "$2" | tail -n +2; }
cat >build.sh <<'SH'
# build.sh OUT: slowly, and never whole before its end.
echo began >>log
printf '\177EL' >"$1"
sleep 0.5
[ ! -e fails ] || { echo "no such register"; exit 3; }
cp "$(cat input)" "$1"
echo ended >>log
echo "built 7 words"
SH
cat >build.yaml <<'YAML'
study: build
machines: [simtight, simtight-fp]
programs:
  - name: vec
    elf: "{built}/vec.elf"
    build: sh build.sh {built}/vec.elf
    build prints: "built {words} words"
    files: [build.sh, input]
    sizes: small
YAML
echo "$BUILD/bench/VecAdd.elf" >input
lines() { grep -c "$1" log; }

# kill -9 during the build: half of a program is there, and the next sweep builds it.
"$SIMTLAB" sweep -q build.yaml &
sweep=$!
for i in $(seq 100); do [ -s log ] && break; sleep 0.02; done
kill -9 $sweep
wait $sweep 2>/dev/null
command="sweep after kill -9 in a build"
"$SIMTLAB" sweep -q build.yaml || complain "fails"
[ "$(sql results/build.db "select group_concat(outcome, '/') from run")" = passed/passed ] || complain "runs have failed"
[ "$(sql results/build.db "select distinct words from totals_simtight")" = 7 ] || complain "what the build prints does not count"

# Two sweeps at the same time build once, and both have the whole program.
rm -r results log
"$SIMTLAB" sweep -q build.yaml &
first=$!
"$SIMTLAB" sweep -q --database other.db build.yaml & # the folder of its programs is another
second=$!
for i in $(seq 100); do [ -s log ] && break; sleep 0.02; done
command="two sweeps that build"
"$SIMTLAB" sweep -q build.yaml || complain "the third fails"
wait $first || complain "the first fails"
wait $second || complain "the second fails"
[ "$(lines began)" -eq 2 ] || complain "$(lines began) builds instead of one in each folder"
[ "$(sql results/build.db "select count(*) from run where outcome = 'passed'")" = 2 ] || complain "not two runs"

# Nothing is built again for nothing; a changed input builds, and its runs are new; a failure is a sentence with the line.
rm log
expect 0 "$SIMTLAB" sweep build.yaml
prints "2 were recorded before"
[ ! -e log ] || complain "builds again"
echo "$BUILD/bench/Reduce.elf" >input
expect 0 "$SIMTLAB" sweep build.yaml
prints "2 runs done"
[ "$(lines ended)" -eq 1 ] || complain "$(lines ended) builds"
touch fails input
expect 2 "$SIMTLAB" sweep build.yaml
says "build.yaml:4: vec cannot be built (exit status 3): no such register"
rm fails
expect 0 "$SIMTLAB" sweep build.yaml
prints "2 were recorded before"
[ "$(lines ended)" -eq 2 ] || complain "is not built after a failure"
printf 'study: none\nmachines: simtight\nprograms: [{elf: "{built}/a", build: "true"}]\n' >none.yaml
expect 2 "$SIMTLAB" sweep none.yaml
says "none.yaml:3: the build command has ended without"
finish
