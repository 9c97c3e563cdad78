# A kernel with tensor cores is the hardware's: its sectors, and its accesses to shared memory (shared.fragments).
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
expect 0 "$SIMTLAB" silicon -q --only cutlass_k1 --json c.json
grep -q '^cutlass_k1 .* same$' out || complain "cutlass_k1 is not the same kernel"
"$PYTHON" - <<'P' || complain "fragments do not take the accesses of machine code"
import json
f = json.load(open('c.json'))['kernels'][0]['figures']
assert abs(f['shared.instrs']['error_percent']) < 1, f['shared.instrs']
P
expect 0 "$SIMTLAB" silicon -q --only 'cudaTensor*' --list
grep -q '^cudaTensorCoreGemm_k1$' out || complain "a long kernel cannot be chosen"
finish
