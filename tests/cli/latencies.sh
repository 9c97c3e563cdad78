# Latencies of v100 are within 2 cycles of the published microbenchmarks of a Volta GPU. Divisions and remainders share a
# key, so remainders are 5 cycles off. Those of sm7 are the reference's, so the test can fail.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
measure() { "$PYTHON" "$SOURCE/tests/cli/chain_latencies.py" "$SIMTLAB" "$@" >table; }
measure v100
[ "$(wc -l <table)" = 30 ] || complain "$(wc -l <table) latencies instead of 30"
[ "$(grep differs table | cut -d ' ' -f 1 | paste -s -d ' ')" = rem ] || complain "latencies differ: $(grep differs table)"
measure v100 --set result_delay=2 --set latency.f32_add=4
grep -q '^fadd  *9.0 .*differs' table || complain "keys have no effect: $(grep fadd table)"
finish
