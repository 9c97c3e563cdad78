# Timed PTX: simtlab run -m sm7 on launch scripts, and simtlab verify sm7.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/reference/ptx

# The reference's cycles for an empty kernel, and its checksum.
expect 0 "$SIMTLAB" run -m sm7 "$programs/micro/blocks_1_t32_a.launch"
prints "sum out 306c537b2ff38983"
grep -Eq '^k +46 +13 +416 +1 +32 +blocks$' "$work/err" || complain "does not report 46 cycles, 13 instructions, 32 blocks per SM"
says "slots.issued"

# Keys change timing: 10 more cycles per addition make a chain of 16 at least 160 cycles longer.
chain=$programs/micro/lat_add_s32_a.launch
cycles() { awk '$1 == "cycles" { print $2 }' "$work/err"; }
expect 0 "$SIMTLAB" run -m sm7 "$chain"
short=$(cycles)
expect 0 "$SIMTLAB" run -m sm7 --set latency.int_add=14 "$chain"
[ "$(cycles)" -ge $((short + 160)) ] || complain "the key latency.int_add has no effect"
expect 2 "$SIMTLAB" run -m sm7 --set interval.int_add=5 "$chain"
says "interval 5 is greater than latency 4"

# Fewer SMs give the same results.
expect 0 "$SIMTLAB" run -q -m sm7 "$programs/kernels/saxpy.s.launch"
cp "$work/out" "$work/all"
expect 0 "$SIMTLAB" run -q -m sm7-1 "$programs/kernels/saxpy.s.launch"
cmp -s "$work/out" "$work/all" || complain "results of one SM and 80 differ"

expect 4 "$SIMTLAB" run -q -m sm7 --max-cycles 100 "$chain"
says "has not ended after 100 cycles"
expect 2 "$SIMTLAB" run "$chain"
says "choose -m sm7"
expect 2 "$SIMTLAB" run -m sm7 "$BUILD/bench/VecAdd.elf"
says "compile it with simtlab cc --target sm7"

# Faults of PTX name their place.
cat >"$work/wild.ptx" <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	st.global.u32 [%rd1], 1;
	ret;
}
PTX
printf 'ptx wild.ptx\nbuffer b 256 zero\nlaunch k 2 1 1 32 1 1 0 u64:64\n' >"$work/wild.launch"
expect 3 "$SIMTLAB" run -q -m sm7 "$work/wild.launch"
says "wild.ptx"
printf 'ptx wild.ptx\nregs k 255\nbuffer b 256 zero\nlaunch k 2 1 1 1024 1 1 0 buf:b\n' >"$work/large.launch"
expect 3 "$SIMTLAB" run -q -m sm7 "$work/large.launch"
says "does not fit on an SM"

# A few programs take the reference's cycles; another machine is reported to differ.
expect 0 "$SIMTLAB" verify sm7 --only 'lat_a*'
prints "8 of 8 programs take the same cycles, 8 agree in all figures"
brief || {
  expect 0 "$SIMTLAB" verify sm7 --all --quiet --only '*.s*'
  prints "agree in all figures"
}
expect 1 "$SIMTLAB" verify sm7 --only lat_add_s32_a --set l2.delay=161
grep -Eq 'lat_add_s32_a +cycles +400 +399' "$work/out" || complain "one more cycle before L2 is not reported"
expect 0 "$SIMTLAB" verify sm7 --only lat_add_s32_a --json "$work/records.json"
has "$work/records.json" '"cycles_equal": 1'
expect 2 "$SIMTLAB" verify sm7 --only nothing
says "no recorded program's name matches 'nothing'"
finish
