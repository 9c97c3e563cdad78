# Backpropagation, forward: the counted linear instructions equal those of the module times the warps that execute them.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -s "$BUILD/bench-r2d2/backprop_forward.ptx" ] || { echo "skipped: bench-r2d2 is not built"; exit 77; }
expect 0 "$SIMTLAB" linear -b -o backprop_forward.ptx "$BUILD/bench-r2d2/backprop_forward.ptx"
cp "$BUILD/bench-r2d2/backprop_forward.launch" .

# Counted by hand from source and module. hidden[index] is at hidden + 4 hid + 8 + 4 tx + (4 hid + 4) ty + (64 hid + 64)
# by, with
# 8 of the 1 in tx + 1 and of (hid + 1). Seven linear registers: tx; input + 4 ty + 64 by; node + 4 ty, from which
# weight[ty] is 64 bytes away; hidden[index]; weight + 4 tx + 64 ty; ty; sums + 4 ty + 4 hid by, with ty as of node.
# Coefficients, once per SM, with one lane:
#   4 parameters are loaded: input, hidden, sums, hid
#   constants that are not 0: input (1), 4 hid + hidden + 8 (3), weight, which is at 64 (1), sums (1)
#   of by: 64 (1), 64 hid + 64 (2), 4 hid (1)
#   of ty: 4 hid + 4 (2), the other factors are numbers of the instructions
#   the end (1)
coefficients=$((4 + (1 + 3 + 1 + 1) + (1 + 2 + 1) + 2 + 1))
# Threads' part, by the 8 warps of 16 x 16 threads, once per SM: tx (1), 4 ty (1), 4 tx + (4 hid + 4) ty (2),
# 4 tx + 64 ty (2), ty (1), the end (1), each by all 32 lanes.
threads=$((8 * (1 + 1 + 2 + 2 + 1 + 1)))
# Block's part, of 64 blocks: the constants (1), one dimension, by (1), the end (1), by 7 lanes.
blocks=$((64 * 3))
for clusters in 1 2; do
  sms=$((2 * clusters))
  expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=$clusters --stats stats.json backprop_forward.launch
  cat >wanted <<W
linear.coefficients $((sms * coefficients))
linear.coefficient_lanes $((sms * coefficients))
linear.threads $((sms * threads))
linear.thread_lanes $((sms * threads * 32))
linear.blocks $blocks
linear.block_lanes $((blocks * 7))
W
  python3 - >is <<'P'
import json
counters = json.load(open("stats.json"))["totals"]["counters"]
for name in "coefficients", "coefficient_lanes", "threads", "thread_lanes", "blocks", "block_lanes":
  print("linear." + name, counters["linear." + name]["value"])
P
  cmp -s wanted is || { diff wanted is; complain "wrong count of linear instructions on $sms SMs"; }
done
finish
