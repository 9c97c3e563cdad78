# simtlab grade: what each lab sheet begins with gets no points, and a solution gets all; bad sheets are one sentence.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for lab in divergence:sorted memory:side-by-side latency:hidden scalar:uniform; do
  name=${lab%:*} task=${lab#*:}
  expect 1 "$SIMTLAB" grade "$SOURCE/docs/labs/$name.yaml" "$task=$SOURCE/docs/labs/$name.c"
  prints "$name: 0 of 5 points"
  prints "$task: 0 of 5 points (passed)"
  expect 0 "$SIMTLAB" grade --json $name.json "$SOURCE/docs/labs/$name.yaml" "$task=$SOURCE/tests/labs/$name.c"
  prints "$name: 5 of 5 points"
done
python3 - <<'PY' || complain "the JSON is wrong"
import json
whole = json.load(open("memory.json"))
assert (whole["schema"], whole["lab"], whole["points"], whole["of"]) == (1, "memory", 5, 5)
task, = whole["tasks"]
assert task["task"] == "side-by-side" and task["outcome"] == "passed"
assert [c["holds"] for c in task["checks"]] == [True, True] and task["checks"][0]["points"] == 3
PY

# JSON on standard output is alone there. A single task needs no name. A program that fails its own check gets nothing.
expect 1 "$SIMTLAB" grade --json - "$SOURCE/docs/labs/latency.yaml" "$SOURCE/docs/labs/latency.c"
python3 -c "import json; json.load(open('out'))" || complain "standard output is not JSON"
sed 's/a\[i\] + b\[i\]/a[i]/' "$SOURCE/tests/labs/latency.c" >wrong.c
expect 1 "$SIMTLAB" grade "$SOURCE/docs/labs/latency.yaml" hidden=wrong.c
prints "hidden: 0 of 5 points (check failed)"
printf 'int main(void) { return x; }\n' >bad.c
expect 2 "$SIMTLAB" grade "$SOURCE/docs/labs/latency.yaml" hidden=bad.c
says "bad.c: the answer to hidden does not compile"
expect 2 "$SIMTLAB" grade "$SOURCE/docs/labs/latency.yaml" other=wrong.c
says "its first task is hidden"
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'simtlab.??????' -user "$(id -un)" -newer bad.c 2>/dev/null)" ] ||
  complain "a folder is left over"

bad() { # SENTENCE TEXT
  printf "$2" >bad.yaml
  expect 2 "$SIMTLAB" grade bad.yaml a=wrong.c
  says "$1"
}
bad "bad.yaml:1: a lab needs lab: NAME and tasks" 'lab: x\n'
bad "bad.yaml:3: a task needs task: NAME and checks" 'lab: x\ntasks:\n  - task: a\n'
bad "bad.yaml:3:" 'lab: x\ntasks:\n  - {task: a, checks: [{check: "1 +"}]}\n'
bad "bad.yaml:3:" 'lab: x\ntasks:\n  - {task: a, tests: 1}\n'
bad "bad.yaml:3: the machine has no counter 'cycels'" 'lab: x\ntasks:\n  - {task: a, checks: [{check: cycels < 1}]}\n'
finish
