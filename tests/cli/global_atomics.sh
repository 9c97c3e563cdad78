# The key global_atomics of SIMTight and Simty: atomics, LR and SC on global memory give the same sums on every machine,
# in every order of paths, with marks and without, with timing and without.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
source=$SOURCE/tests/cli/programs/global_atomics.c
for marks in "" --no-marks; do
  expect 0 "$SIMTLAB" cc -g $marks -o "atomics$marks.elf" "$source"
done

# counts PROGRAM OPTION...: the sums are right, in both modes. Each of 384 threads executes 5 atomics, every third one
# more, and thread i another i % 4; then each executes 3 pairs of LR and SC that succeed.
counts() {
  program=$1
  shift
  for mode in -q -qf; do
    expect 0 timeout 60 "$SIMTLAB" run $mode --max-cycles 20000000 -s global_atomics=true "$@" --stats stats.json "$program"
    silent
    python3 -c '
import json
first, second = (l["counters"]["global_atomics"]["value"] for l in json.load(open("stats.json"))["launches"])
exit(first != 5 * 384 + 128 + 576 or second < 6 * 384)' || complain "global_atomics counts others"
  done
}

for machine in simtight simtight-rfc simtight-rfc-pp simtight-rfc-pp-sb simty-plus; do
  counts atomics.elf -m $machine
done
for order in depth-pc sorted-paths; do
  counts atomics.elf -s convergence=$order
  counts atomics--no-marks.elf -s convergence=$order
done
counts atomics.elf -m simty-plus -s memory=fixed

# A checkpoint holds reservations and what is on the way to memory.
for machine in simtight simtight-rfc-pp-sb simty-plus; do
  expect 0 "$SIMTLAB" run -q -m $machine -s global_atomics=true --stats whole.json atomics.elf
  for at in 2001 6007; do
    expect 0 "$SIMTLAB" run -q -m $machine -s global_atomics=true --save-at $at half atomics.elf
    expect 0 "$SIMTLAB" run -q -m $machine -s global_atomics=true --restore half --stats rest.json atomics.elf
    for file in whole rest; do
      sed '/"host": {/,/}/d; /"faint origin"\|"command"/d' $file.json >$file.said
    done
    cmp -s whole.said rest.said || complain "results differ: $(diff whole.said rest.said | head -3)"
  done
done

# An event names an atomic. Without the key there is none; the core without a host has no atomics at all.
expect 0 "$SIMTLAB" trace -q --cycles 0:2000 --kernel count -s global_atomics=true -o trace.json atomics.elf
has trace.json '"atomic"'
expect 3 "$SIMTLAB" run -q atomics.elf
says "(global_atomics.c:$(grep -n 'word\[0\], 1' "$source" | cut -d: -f1)), \`amoadd.w "
says "DRAM has no atomics. Use shared memory. Or set global_atomics=true"
expect 3 "$SIMTLAB" run -q atomics.elf reserve
says "LR and SC need global_atomics=true"
expect 2 "$SIMTLAB" run -q -m simty -s global_atomics=true atomics.elf
says "global_atomics needs the SoC with a host CPU; set host=true too"
finish
