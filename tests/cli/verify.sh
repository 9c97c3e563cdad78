# All recorded counters of the RTL are equal; a difference gives status 1.
. "$(dirname "$0")/_lib.sh"

expect 0 "$SIMTLAB" verify simtight --json "$work/a.json"
prints "336 of 336 programs agree, 5040 of 5040 counters"
has "$work/a.json" '"configuration": "base"'
expect 0 "$SIMTLAB" verify simtight-fp -q
prints "46 of 46 programs agree, 690 of 690 counters"
# agree PROGRAMS COUNTERS CONFIGURATION MACHINE OPTION...
agree() {
  programs=$1 counters=$2 configuration=$3
  shift 3
  expect 0 "$SIMTLAB" verify "$@" -q
  prints "against the RTL's '$configuration': $programs of $programs programs agree, $counters of $counters counters"
  silent
}

agree 336 5040 rfc2048 simtight-rfc --set registers.slots=0
agree 336 5040 rfc512 simtight-rfc
agree 336 5040 rfc256 simtight-rfc --set registers.slots=256
agree 336 5376 rfcpp2047 simtight-rfc-pp --set registers.slots=2047
agree 336 5376 rfcpp512 simtight-rfc-pp
agree 336 5376 rfcppsb2047 simtight-rfc-pp-sb --set registers.slots=2047
agree 46 736 rfcppfp512 simtight-rfc-pp-fp
expect 0 "$SIMTLAB" verify simtight --set fpu=true -q --only 'fp_add*'
prints "against the RTL's 'basefp'"
silent
expect 0 "$SIMTLAB" verify simtight --only 'empty_1w_r1'
grep -q '^empty_1w_r1 *Cycles *722 *722 *+0' "$work/out" || complain "no row for the cycles"
expect 1 "$SIMTLAB" verify simtight --set dram.latency=31 --only 'ld_*' -q
says "dram.latency is 31, recorded with 30"
prints "Cycles"

# Simty: every recorded shape, with every counter.
expect 0 "$SIMTLAB" verify simty
prints "simty against the RTL's '8x4': 23 of 23 programs agree, 184 of 184 counters"
expect 0 "$SIMTLAB" verify simty --all -q
prints "simty against the RTL's '8x4': 23 of 23 programs agree, 184 of 184 counters"
prints "simty against the RTL's '8x8': 23 of 23 programs agree, 184 of 184 counters"
prints "simty against the RTL's '16x4': 23 of 23 programs agree, 184 of 184 counters"
prints "simty against the RTL's '16x16': 7 of 7 programs agree, 56 of 56 counters"
silent
expect 0 "$SIMTLAB" verify simty --set warps=16 -q
prints "simty against the RTL's '16x4'"
silent
expect 1 "$SIMTLAB" verify simty --set memory.latency=20 --only 'ld_*' -q
says "memory.latency is 20, recorded with 1"
expect 2 "$SIMTLAB" verify simty --all --json -
says "leave out --all"
# verify refuses a machine that runs other programs than the recorded ones, or has a mechanism without records.
for machine in vortex64 simty-plus cyclotron sm7-r2d2 sm7-dac sm7-darsie; do
  expect 2 "$SIMTLAB" verify "$machine"
  says "nothing is recorded for machine '$machine'"
  [ -s "$work/out" ] && complain "compares nevertheless"
done
finish
