# simtlab silicon and the machine v100, which has more clusters than a word has bits.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# A kernel of the comparison: the counters are the hardware's, and all output forms agree.
expect 0 "$SIMTLAB" silicon -q --only 'srad*' --json c.json
grep -q '^srad_v1_k1 .* same$' out || complain "srad is not the same kernel"
grep -q '^srad_v1_k1  *dram.reads ' out || complain "no counters"
"$PYTHON" - <<'P' || complain "the JSON is wrong"
import json
c = json.load(open('c.json'))
k = c['kernels'][0]
f = k['figures']
e = c['error_percent_of_same']
assert c['schema'] == 1 and e['cycles']['kernels'] == 1 and k['same'] and len(c['kernels']) == 1
assert f['l2.writes']['model'] == f['l2.writes']['silicon'] == 143700
assert abs(abs(f['cycles']['error_percent']) - e['cycles']['mean']) < 1e-9
assert abs(abs(f['watts']['error_percent']) - e['watts']['median']) < 1e-9 and f['watts']['model'] > 100
P
expect 0 "$SIMTLAB" silicon --list
[ "$(wc -l <out)" = 16 ] || complain "not sixteen kernels"
# With lines of 128 bytes the texture cache reads other sectors, which makes another kernel.
expect 0 "$SIMTLAB" silicon -q --brief --only 'dct*' --set texture.line=128
grep -q '^dct8x8_k1 .* not the same kernel$' out || complain "a kernel with other counters passes"
grep -q 'of the 0 kernels that are the same' out || complain "its cycles are compared"
expect 2 "$SIMTLAB" silicon --only nothing
expect 2 "$SIMTLAB" silicon -m simtight
expect 2 "$SIMTLAB" silicon backprop_k1

# v100: results are those of the fast mode; neither host threads nor a checkpoint change a timed run.
cp "$BUILD/bench-v100/dct8x8_k1.ptx" .
{ sed 's/transform 64 64/transform 24 16/' "$BUILD/bench-v100/dct8x8_k1.launch"; echo 'sum output'; } >d.launch
counters() { "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["counters"])' "$1"; }
expect 0 "$SIMTLAB" run -q --fast -m v100 d.launch
mv out fast
expect 0 "$SIMTLAB" run -q -m v100 --stats whole.json d.launch
cmp -s out fast || complain "timed and fast results differ"
expect 0 "$SIMTLAB" run -q -m v100 --threads 2 --stats threads.json d.launch
cmp -s out fast || complain "results differ with two threads"
[ "$(counters whole.json)" = "$(counters threads.json)" ] || complain "counters differ with two threads"
expect 0 "$SIMTLAB" run -q -m v100 --save-at 1000 half d.launch
expect 0 "$SIMTLAB" run -q -m v100 --restore half --stats rest.json d.launch
cmp -s out fast || complain "results differ after a checkpoint"
[ "$(counters whole.json)" = "$(counters rest.json)" ] || complain "counters differ after a checkpoint"
expect 0 "$SIMTLAB" profile -q -m v100 d.launch

# Early write-back and refresh also survive a checkpoint: a launch that writes more than half of a small L2.
small="--set l2.sets=1 --set l2.ways=4 --set dram.refi=300"
# shellcheck disable=SC2086
{
  expect 0 "$SIMTLAB" run -q -m v100 $small --stats whole.json d.launch
  expect 0 "$SIMTLAB" run -q -m v100 $small --save-at 1000 half d.launch
  expect 0 "$SIMTLAB" run -q -m v100 $small --restore half --stats rest.json d.launch
}
cmp -s out fast || complain "results differ after a checkpoint with early write-back"
[ "$(counters whole.json)" = "$(counters rest.json)" ] || complain "counters differ after a checkpoint with early write-back"
# shellcheck disable=SC2086
for share in 0=all 100=late; do
  expect 0 "$SIMTLAB" run -q -m v100 $small --set l2.dirty=${share%=*} --stats ${share#*=}.json d.launch
done
"$PYTHON" - <<'P' || complain "early write-back writes the wrong sectors"
import json
value = lambda f, n: json.load(open(f))['totals']['counters'][n]['value']
written = [value(f + ".json", "dram.writes") for f in ("all", "whole", "late")]
assert written[0] > written[1] > written[2], written
P
expect 2 "$SIMTLAB" run -q -m v100 --set dram.refi=200 d.launch

# The greatest number of clusters, and one more.
expect 0 "$SIMTLAB" run -q -m v100 --set clusters=128 --set sms_per_cluster=2 d.launch
cmp -s out fast || complain "results differ on 256 SMs"
expect 2 "$SIMTLAB" run -q -m v100 --set clusters=129 d.launch

# ramp: words that are limited at both ends.
printf 'ptx dct8x8_k1.ptx\nbuffer r 16 ramp -1 1\ndump r r.bin\n' >r.launch
expect 0 "$SIMTLAB" run -q --fast r.launch
[ "$(od -An -td4 r.bin | tr -s ' ')" = ' 0 0 1 1' ] || complain "ramp fills $(od -An -td4 r.bin)"
finish
