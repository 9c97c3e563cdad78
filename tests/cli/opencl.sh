# OpenCL programs through the loader of installable clients: they check their own results; timed, without timing, and on
# two threads. Statistics, records and the compile cache.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/opencl
cd "$work" || exit 1
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"

for name in language objects programs images errors; do
  expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o $name "$programs/$name.c" -lOpenCL
  silent
done
sanitized "$BUILD/libsimtlab-opencl.so"
for name in language objects images; do
  for mode in timed fast; do
    expect 0 env SIMTLAB_OPENCL_MODE=$mode ./$name
    prints "0 failures"
    silent
  done
done
expect 0 env SIMTLAB_OPENCL_MODE=fast ./language
prints "1,-2,3,4|0.500000,-1.000000|-1,2,3|1099511627776,5|1,2,ff,ffff"
prints "-7  1.50 text x %"
expect 0 env SIMTLAB_OPENCL_MACHINE=sm7-1 ./programs
prints "0 failures"
says "is outside global memory"
says "livelock"

expect 0 env SIMTLAB_OPENCL_DEVICES=sm7-1 ./errors
prints "0 failures"

# Statistics: a line per launch and one of totals; on two threads the same.
expect 0 env SIMTLAB_OPENCL_MACHINE=sm7-1 SIMTLAB_OPENCL_STATS=one.json ./objects
expect 0 env SIMTLAB_OPENCL_MACHINE=sm7-1 SIMTLAB_OPENCL_STATS=two.json SIMTLAB_OPENCL_THREADS=2 ./objects
python3 - <<'END' || complain "the statistics are wrong"
import json
one, two = ([json.loads(line) for line in open(name)] for name in ("one.json", "two.json"))
assert one[0]["kernel"] == "twice" and one[0]["counters"]["cycles"] > 100 and one[-1]["totals"], one
assert [line["counters"] for line in one] == [line["counters"] for line in two]
END

# The cache: an entry per program; a damaged one is compiled again.
count=$(ls cache | wc -l)
[ "$count" -ge 5 ] || complain "the cache has $count entries"
for entry in cache/*; do
  echo damage >"$entry"
done
expect 0 env SIMTLAB_OPENCL_MODE=fast ./objects
prints "0 failures"
expect 0 env SIMTLAB_OPENCL_MODE=fast SIMTLAB_OPENCL_CACHE=0 ./objects
prints "0 failures"
expect 0 env PATH=/nonexistent SIMTLAB_OPENCL_MODE=fast ./objects
prints "0 failures"
expect 1 env PATH=/nonexistent SIMTLAB_OPENCL_CACHE=0 ./objects
prints "install the Debian package clang-19"

# Options: a limit of cycles, a wrong value, an unknown name, a machine without PTX.
expect 1 env SIMTLAB_OPENCL_MAX_CYCLES=100 ./objects
says "has not ended after 100 cycles"
expect 1 env SIMTLAB_OPENCL_MODE=slow ./objects
says "SIMTLAB_OPENCL_MODE is timed or fast, not 'slow'"
expect 0 env SIMTLAB_OPENCL_MODES=fast ./objects
says "SIMTLAB_OPENCL_MODES is not known and has no effect; the nearest is SIMTLAB_OPENCL_MODE"
expect 1 env SIMTLAB_OPENCL_MACHINE=cyclotron ./objects
says "cyclotron"

# A recorded launch repeats by simtlab run.
expect 0 env SIMTLAB_OPENCL_MACHINE=sm7-1 SIMTLAB_OPENCL_RECORD=record ./objects
for launch in record/*.launch; do
  expect 0 "$SIMTLAB" run --machine sm7-1 "$launch"
  break
done
if command -v clinfo >/dev/null; then
  expect 0 clinfo
  prints "simtlab opencl-sm7"
fi
if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
  cat >arrays.py <<'END'
import numpy, pyopencl, pyopencl.array
context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
a = pyopencl.array.to_device(queue, numpy.arange(1000, dtype=numpy.float32))
assert (a * 2 + a).get()[999] == 2997 and pyopencl.array.sum(a).get() == 499500
END
  expect 0 env XDG_CACHE_HOME="$work" SIMTLAB_OPENCL_MODE=fast /usr/bin/python3 arrays.py
fi
finish
