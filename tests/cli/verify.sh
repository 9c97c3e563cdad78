# The recorded counters of the RTL, all equal; a difference is status 1.
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
finish
