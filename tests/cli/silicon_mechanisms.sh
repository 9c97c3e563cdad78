# simtlab silicon --mechanisms: a row without each mechanism that the machine has.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
expect 0 "$SIMTLAB" silicon -q --brief -m sm7 --only 'dct*' --mechanisms --set lower.vectors=on --json m.json
for row in 'vectors ' 'all lowering '; do
  grep -q "^$row" out || complain "no row: $row"
done
! grep -q '^no moves ' out || complain "a mechanism that is off has a row"
# The run without it is that of a machine that does not have it.
expect 0 "$SIMTLAB" silicon -q --brief -m sm7 --only 'dct*' --json v.json
"$PYTHON" - <<'P' || complain "the mechanisms are wrong"
import json
m, v = json.load(open('m.json')), json.load(open('v.json'))
mean = {row['without']: row['mean'] for row in m['mechanisms']}
assert mean['vectors'] == mean['all lowering'] == v['error_percent_of_all']['cycles']['mean']
assert mean['vectors'] != m['error_percent_of_all']['cycles']['mean']
P
expect 2 "$SIMTLAB" silicon --mechanisms --only nothing
# Kernels that are not built are an error before anything runs.
mkdir -p home/reference
cp -r "$BUILD/reference/silicon" home/reference
SIMTLAB_HOME=$work/home
export SIMTLAB_HOME
expect 2 "$SIMTLAB" silicon --brief --mechanisms
grep -q 'bench-v100/.*\.launch' err || complain "does not name what is missing"
[ ! -s out ] || complain "prints a comparison: $(head -1 out)"
finish
