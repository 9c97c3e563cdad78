# The checker: findings of wrong programs at the right lines, and none of right ones; its files and exit statuses. The
# whole corpus is in checker_programs.sh.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/check
cd "$work" || exit 1

# found SOURCE: the last command's findings are the marked lines of the source.
found() { python3 "$programs/compare.py" "$1" err >said || complain "$(python3 "$programs/compare.py" "$1" err 2>&1)"; }

# checks MACHINE TARGET NAME: a program in C has the findings of its marks.
checks() {
  expect 0 "$SIMTLAB" cc --target "$2" -g -o "$3.elf" "$programs/c/$3.c"
  status=1
  grep -q '// race' "$programs/c/$3.c" || status=0
  expect $status "$SIMTLAB" check -q -m "$1" "$3.elf"
  found "$programs/c/$3.c"
}

for name in shared_no_barrier shared_barrier_ok global_counter warp_lock_step_ok; do
  checks simtight simt $name
  checks simty-plus simt $name
  checks sm7 sm7 $name
done

# JSON, suppressions, lanes, timing.
expect 0 "$SIMTLAB" cc -g -o race.elf "$programs/c/shared_no_barrier.c"
expect 1 "$SIMTLAB" check -q --json race.json race.elf
python3 - <<'END' || complain "the JSON is wrong"
import json
findings = json.load(open("race.json"))
assert findings["findings"] == len(findings["list"]) == 1, findings
finding = findings["list"][0]
assert finding["kind"] == "race" and finding["space"] == "shared" and finding["count"] > 1, finding
assert {access["line"] for access in finding["accesses"]} == {7, 8}, finding
END
expect 1 "$SIMTLAB" check -q --json - race.elf
prints '"kind": "race"'
echo '# known
race: *shared_no_barrier.c:8*' >known
expect 0 "$SIMTLAB" check -q --suppress known race.elf
silent
expect 2 "$SIMTLAB" check --suppress nothing race.elf
says "nothing: cannot be opened"
expect 1 "$SIMTLAB" check -q --timed race.elf
found "$programs/c/shared_no_barrier.c"
expect 0 "$SIMTLAB" cc -g -o step.elf "$programs/c/warp_lock_step_ok.c"
expect 0 "$SIMTLAB" check step.elf
says "no findings"
expect 1 "$SIMTLAB" check -q --strict-lanes step.elf
says "no synchronisation of the warp is between them"
expect 2 "$SIMTLAB" check --strict-lanes --lock-step step.elf
expect 2 "$SIMTLAB" check

if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  finish
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
for name in shared_no_barrier warp_reduce_ok last_block_no_fence last_block_ok bounds_write barrier_divergent; do
  expect 0 "$SIMTLAB" cuda -lineinfo -o $name "$programs/cuda/$name.cu"
  status=9
  grep -q '// [a-z]' "$programs/cuda/$name.cu" || status=0
  expect $status env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_EXIT=9 ./$name
  found "$programs/cuda/$name.cu"
done
expect 0 ./shared_no_barrier
silent
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_JSON=cuda.json ./shared_no_barrier
has cuda.json '"kind": "race"'
echo 'race: *' >known
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_SUPPRESS=known SIMTLAB_CUDA_CHECK_EXIT=9 ./shared_no_barrier
silent
finish
