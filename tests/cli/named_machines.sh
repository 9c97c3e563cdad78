# Named machines of a study, programs for some of them, and the study of a paper.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

cat >named.yaml <<YAML
study: named
machines:
  - simtight
  - {name: narrow, base: simtight, keys: {lanes: 8}}
  - {name: same, base: simtight, form: other, about: the same machine}
programs:
  - {elf: $BUILD/bench/VecAdd.elf, sizes: small, where: form != "other"}
  - {elf: $BUILD/bench-rv32e/VecAdd.elf, sizes: small, where: form == "other"}
  - {elf: $BUILD/bench/MatMul_Float.elf, sizes: small, keys: {fpu: true}, where: machine == "narrow"}
filters: [program != "MatMul_Float" || fpu]
keys: {fpu: false}
report: {charts: [{chart: table, x: machine, y: cycles}]}
YAML
expect 0 "$SIMTLAB" sweep named.yaml
prints "4 runs done"
expect 0 "$SIMTLAB" query results/named.db --by machine,program,settings --metric cycles --format csv
cp out rows
# cycles MACHINE PROGRAM SETTINGS OPTION...: a run has the cycles that simtlab run counts.
cycles() {
  row="$1,$2,$3"
  shift 3
  expect 0 "$SIMTLAB" run -q --stats run.json "$@" small
  counted=$(python3 -c "import json
print(sum(l['counters']['cycles']['value'] for l in json.load(open('run.json'))['launches']))")
  grep -q "^$row,1,$counted," rows || complain "$row has not $counted cycles: $(cat rows)"
}
cycles simtight VecAdd fpu=false -m simtight "$BUILD/bench/VecAdd.elf"
cycles narrow VecAdd fpu=false -m simtight --set lanes=8 "$BUILD/bench/VecAdd.elf"
cycles same VecAdd fpu=false -m simtight "$BUILD/bench-rv32e/VecAdd.elf"
cycles narrow MatMul_Float "fpu=false fpu=true" -m simtight --set lanes=8 --set fpu=true "$BUILD/bench/MatMul_Float.elf"

# A name is part of a run: under another one it is another run; under the same one it is not run again.
sed 's/name: narrow/name: slim/; s/"narrow"/"slim"/' named.yaml >renamed.yaml
expect 0 "$SIMTLAB" sweep renamed.yaml
prints "2 runs done"
expect 0 "$SIMTLAB" sweep named.yaml
prints "0 runs done"

bad() { # SENTENCE MACHINE PROGRAM
  printf "study: bad\nmachines:\n- $2\nprograms:\n- {elf: $BUILD/bench/VecAdd.elf, arguments: small${3:-}}\n" >bad.yaml
  expect 2 "$SIMTLAB" sweep bad.yaml
  says "bad.yaml:$1"
  [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one sentence"
}
bad "3: a machine with changed keys needs 'name: NAME' and 'base: MACHINE'" '{name: a}'
bad "3: a machine with changed keys needs 'name: NAME' and 'base: MACHINE'" '{base: simtight}'
bad "3: unknown name 'bases' in a machine; did you mean 'base'?" '{name: a, bases: simtight}'
bad "3: no machine named 'simtigth'; did you mean 'simtight'?" '{name: a, base: simtigth}'
bad "4: machine a: unknown key 'lanse'; did you mean 'lanes'?" '{name: a, base: simtight,\n   keys: {lanse: 8}}'
bad "3: the key 'lanes' takes a single value here" '{name: a, base: simtight, keys: {lanes: [8, 16]}}'
bad "4: the value 'a' is given twice" '{name: a, base: simtight}\n- {name: a, base: simtight-fp}'
bad "5: machine simtight: unknown key 'fpo'; did you mean 'fpu'?" simtight ', keys: {fpo: true}'
bad "5: the filters leave no run" simtight ', where: form == "x"'
bad "5: unknown name 'from'; did you mean 'form'?" simtight ', where: from == "x"'
bad "3: the study has no program 'VecSub'" '{name: a, base: simtight, programs: [VecSub]}'
bad "3: the study has no machine 'b'" '{name: a, base: simtight, compare: b}'
bad "3: 'programs' of a machine is a list of names" '{name: a, base: simtight, programs: {from: 1, to: 2}}'
bad "5: true or false belongs here" simtight ', whole program: 1'
bad "5: column" simtight ', where: (1'
finish
