# The variables of a host runtime: each has its effect on a program's launches.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
. "$SOURCE/tests/cli/_host.sh"
lines() { wc -l <"$1" | tr -d ' '; }
# member FILE LINE EXPRESSION: a value of a line of statistics.
member() { python3 -c "import json; j = [json.loads(l) for l in open('$1')][$2]; print($3)"; }
equals() { [ "$1" = "$2" ] || complain "$1 instead of $2"; }

# Statistics: whole lines, also of a program that is killed; totals after a fault; %p.
SIMTLAB_HOST_STATS=s.json expect 0 "$host" host.ptx work:8:64 work:4:64
cp out plain
equals "$(lines s.json)" 3
equals "$(member s.json 0 'j["schema"], j["launch"], j["stream"], j["kernel"], j["mode"], j["grid"]')" \
  "1 0 0 work timed [8, 1, 1]"
equals "$(member s.json -1 'j["launches"], j["timed"]')" "2 2"
SIMTLAB_HOST_STATS=k.json expect 137 "$host" host.ptx work:8:64 work:4:64 kill work:1:64
equals "$(lines k.json) $(member k.json -1 'j["launch"]')" "2 1"
SIMTLAB_HOST_STATS=p%p.json expect 3 "$host" host.ptx wild:1:1 work:8:64
says "is outside global memory; the nearest buffer has 16384 bytes at 0xc0004100"
mv p[0-9]*.json f.json || complain "no file with the process"
equals "$(member f.json 0 'j["outcome"], "outside global memory" in j["message"]')" "fault True"
equals "$(member f.json 1 'j["outcome"]') $(member f.json 2 'j["totals"]')" "ok True"

# Which launches are timed, how long, and on how many threads.
SIMTLAB_HOST_TIMED=1 SIMTLAB_HOST_STATS=t.json expect 0 "$host" host.ptx work:8:64 work:4:64
same out plain || complain "another result without timing"
equals "$(member t.json 0 'j["mode"], j["counters"]["cycles"]')" "fast 0"
equals "$(member t.json 1 'j["mode"], j["counters"]["cycles"] > 0')" "timed True"
SIMTLAB_HOST_MAX_CYCLES=1000 expect 4 "$host" host.ptx spin:1:32
says "has not ended after 1000 cycles"
SIMTLAB_HOST_THREADS=2 SIMTLAB_HOST_STATS=two.json expect 0 "$host" host.ptx work:8:64 work:4:64
equals "$(member two.json 0 'j["counters"]')" "$(member s.json 0 'j["counters"]')"

# Checked memory: an access beyond the end of a buffer, before the next one, and across an end.
expect 0 "$host" host.ptx beyond:1:1
sed 's/+16388\]/+16386]/; s/st.global.u32 \[%d1+16386\], 1/st.global.u16 [%d1+16386], 1/' host.ptx >last.ptx
sed 's/st.global.u32 \[%d1+16388\], 1/st.global.v2.u32 [%d1+16384], {1, 1}/' host.ptx >across.ptx
for mode in timed fast; do
  export SIMTLAB_HOST_CHECK=1 SIMTLAB_HOST_MODE=$mode
  expect 3 "$host" host.ptx beyond:1:1 work:8:64
  says "4 bytes at address 0xc0004004 are not in one live buffer or variable; the nearest buffer has 16388 bytes at 0xc0000000"
  expect 3 "$host" across.ptx beyond:1:1
  says "8 bytes at address 0xc0004000 are not in one live buffer or variable"
  expect 0 "$host" last.ptx beyond:1:1 work:8:64
  unset SIMTLAB_HOST_CHECK SIMTLAB_HOST_MODE
done

# Registers, energy, linear registers.
printf '%s\n' '# registers' 'work 128 # of a thread' >regs.txt
SIMTLAB_HOST_REGS=regs.txt SIMTLAB_HOST_STATS=r.json expect 0 "$host" host.ptx work:8:64
equals "$(member r.json 0 'j["registers"], j["blocks_per_sm"] < 32')" "128 True"
echo 'work many' >regs.txt
SIMTLAB_HOST_REGS=regs.txt expect 2 "$host" host.ptx work:8:64
says "regs.txt:1: a line has a kernel and its registers per thread"
SIMTLAB_HOST_ENERGY=45nm SIMTLAB_HOST_STATS=e.json expect 0 "$host" host.ptx work:8:64
equals "$(member e.json 0 'j["energy"]["set"], j["energy"]["joules"] > 0, j["energy"]["watts"] > 0')" "45nm True True"
SIMTLAB_HOST_R2D2=1 SIMTLAB_HOST_STATS=l.json SIMTLAB_HOST_RECORD=linear expect 0 "$host" host.ptx work:8:64 work:4:64
same out plain || complain "another result with linear registers"
has linear/module-0.ptx '$r2d2'
fewer=$(member l.json 0 'j["counters"]["warp_instrs"]')
[ "$fewer" != "$(member s.json 0 'j["counters"]["warp_instrs"]')" ] || complain "linear registers have no effect"

# Recorded launches run again, with equal counters; a script fails if a sum differs.
SIMTLAB_HOST_RECORD=rec SIMTLAB_HOST_STATS=s.json expect 0 "$host" host.ptx set:9 work:8:64 work:4:64
for n in 0 1; do
  expect 0 "$SIMTLAB" run -q -m sm7-4 --stats again.json rec/launch-00000$n.launch
  for counter in warp_instrs thread_instrs blocks sectors; do
    equals "$(python3 -c "import json; print(json.load(open('again.json'))['launches'][0]['counters']['$counter']['value'])")" \
      "$(member s.json $n "j['counters']['$counter']")"
  done
done
has rec/launch-000001.launch "variable v file data/"
has rec/launch-000001.launch "launch work 4 1 1 64 1 1 0 bytes:"
sed 's/^expect b1 .*/expect b1 0000000000000000/' rec/launch-000001.launch >rec/wrong.launch
expect 1 "$SIMTLAB" run -q -m sm7-4 rec/wrong.launch
SIMTLAB_HOST_RECORD=host.ptx expect 2 "$host" host.ptx work:1:64
says "the folder of recorded launches cannot be made"

# Profiles.
SIMTLAB_HOST_PROFILE=prof expect 0 "$host" host.ptx work:8:64 work:4:64
silent
has prof/module-0.txt "ld.global.u32"
has prof/module-0.html "ld.global.u32"
equals "$(python3 -c "import json; j = json.load(open('prof/module-0.json')); print(len(j['launches']), j['totals']['launches'])")" "2 2"

# Sampled launches: equal results, the estimate near the cycles of all, short runs are exact.
many=$(for i in $(seq 60); do echo "work:$((i % 3 + 2)):64"; done)
# shellcheck disable=SC2086
SIMTLAB_HOST_STATS=all.json expect 0 "$host" host.ptx $many
cp out plain
for seed in 1 2; do
  # shellcheck disable=SC2086
  SIMTLAB_HOST_SAMPLE=4,$seed SIMTLAB_HOST_STATS=sample$seed.json expect 0 "$host" host.ptx $many
  same out plain || complain "another result with sampled launches"
done
python3 - <<'P' || complain "the estimates of sampled launches are wrong"
import json
full, one, two = ([json.loads(l) for l in open(f)] for f in ("all.json", "sample1.json", "sample2.json"))
assert one[-1]["timed"] < 45 and [l["mode"] for l in one[:-1]] != [l["mode"] for l in two[:-1]]
assert one[-1]["counters"]["warp_instrs"] == full[-1]["counters"]["warp_instrs"]
for lines in (one, two):
    sample = lines[-1]["sample"]
    assert abs(sample["cycles"] / full[-1]["counters"]["cycles"] - 1) < 0.02, sample
    assert [(c["blocks"], c["launches"]) for c in sample["clusters"]] == [([2, 3], 40), ([4, 4], 20)]
    untimed = [l for l in lines[:-1] if l["mode"] == "fast"]
    assert all(l["estimated_cycles"] > 100 and l["counters"]["cycles"] == 0 for l in untimed)
    assert all(abs(l["picoseconds"] / l["estimated_cycles"] / (1e6 / 1200) - 1) < 0.3 for l in untimed), untimed
P
SIMTLAB_HOST_SAMPLE=9 SIMTLAB_HOST_STATS=exact.json expect 0 "$host" host.ptx work:8:64 work:4:64
equals "$(member exact.json -1 'j["sample"]["cycles"] == j["counters"]["cycles"], j["sample"]["interval"]')" "True 0.0"
for sample in 8 auto; do
  SIMTLAB_HOST_MACHINE=sm7-1 SIMTLAB_HOST_SET=warps=4 SIMTLAB_HOST_SAMPLE=$sample SIMTLAB_HOST_STATS=$sample.json \
    expect 0 "$host" host.ptx work:500:8
done
equals "$(member auto.json -1 'j["sample"]["windows"] > 3, j["sample"]["interval"] > 0')" "True True"
python3 - <<'P' || complain "samples of a long launch give a wrong estimate"
import json
whole, auto = ([json.loads(l) for l in open(f)][-1] for f in ("8.json", "auto.json"))
assert whole["counters"]["warp_instrs"] == auto["counters"]["warp_instrs"]
assert abs(whole["counters"]["cycles"] - auto["sample"]["cycles"]) < 2 * auto["sample"]["interval"], auto["sample"]
P
SIMTLAB_HOST_SAMPLE=0 expect 2 "$host" host.ptx work:1:64
says "SAMPLE takes the number of launches that are timed at first"
SIMTLAB_HOST_SAMPLE=4 SIMTLAB_HOST_MODE=fast expect 2 "$host" host.ptx work:1:64
says "omit MODE and TIMED"

# Names that are not known, and values that are wrong.
SIMTLAB_HOST_STAT=1 expect 0 "$host" host.ptx work:1:32
says "SIMTLAB_HOST_STAT is not known and has no effect; the nearest is SIMTLAB_HOST_STATS"
SIMTLAB_HOST_THREADS=many expect 2 "$host" host.ptx work:1:32
says "SIMTLAB_HOST_THREADS takes a number"
finish
