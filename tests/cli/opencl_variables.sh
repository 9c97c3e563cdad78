# The variables of host programs on every family of machines: profiles have the lines of the source, a recorded launch
# repeats with equal counters by simtlab run, the checker finds defects, and launches are timed or not, one by one.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"
expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o reduce "$SOURCE/tests/cli/programs/opencl/reduce.c" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
for machine in opencl-sm7 opencl-simtight opencl-simty opencl-vortex-4 opencl-vortex64; do
  expect 0 env SIMTLAB_OPENCL_DEVICES=$machine SIMTLAB_OPENCL_PROFILE=profile-$machine \
    SIMTLAB_OPENCL_RECORD=record-$machine SIMTLAB_OPENCL_STATS=$machine.json ./reduce
  prints 43668.8
  silent
  has profile-$machine/module-0.txt "module-0.cl:8  a[i] = a[i] + half_of[i & 1];"
  has profile-$machine/module-0.html "out[get_group_id(0)] = t[0];"
  for number in 0 1 2; do
    expect 0 "$SIMTLAB" run -q -m $machine -S $machine-$number.json record-$machine/launch-00000$number.launch
    silent
  done
  for number in 0 1 2; do
    grep -q "^expect " record-$machine/launch-00000$number.launch || complain "launch $number expects no sum"
  done
  expect 0 "$SIMTLAB" profile -m $machine record-$machine/launch-000001.launch
  prints "launch"
  for defect in race stray; do
    expect 9 env SIMTLAB_OPENCL_DEVICES=$machine SIMTLAB_OPENCL_CHECK=1 SIMTLAB_OPENCL_CHECK_EXIT=9 ./reduce $defect
    case $defect in
    race)
      says "race: "
      says "./<kernel>:17"
      cat err >>races
      ;;
    *) says "<kernel>:20" ;;
    esac
  done
  expect 0 env SIMTLAB_OPENCL_DEVICES=$machine SIMTLAB_OPENCL_CHECK=1 SIMTLAB_OPENCL_CHECK_EXIT=9 ./reduce
  silent
  expect 1 "$SIMTLAB" check -q -m $machine ./reduce race
  says "./<kernel>:17"
  expect 0 env SIMTLAB_OPENCL_DEVICES=$machine SIMTLAB_OPENCL_TIMED=1 SIMTLAB_OPENCL_STATS=timed.json ./reduce
  [ "$(sed -n 's/.*"mode":"\([a-z]*\)".*/\1/p' timed.json | tr '\n' ' ')" = "fast timed fast " ] || complain "wrong modes"
done
# A finding of the first store to local memory has the value that the kernel scale has made of this item, as a float.
python3 - <<'END' || complain "the checker names other values than were stored"
import re, struct
scaled = [2.0 * i if i % 3 == 0 else i + (0.25 if i & 1 else 0.5) for i in range(1024)]
found = set()
for line in open("races"):
    first = re.search(r"<kernel>:13: .*?value (\d+)\) writes shared memory 0x\w*?(\w{1,3}),", line)
    other = re.search(r"shared memory 0x\w*?(\w{1,3}), which .*value (\d+)\) writes at ./<kernel>:13", line)
    if first or other:
        value, at = (first[1], first[2]) if first else (other[2], other[1])
        value, = struct.unpack("f", struct.pack("I", int(value)))
        assert value in [scaled[group * 256 + int(at, 16) // 4] for group in range(4)], line
        found.add("a thread of core" in line)
assert found == {True, False}, found
END
python3 - <<'END' || complain "profiles or replays differ from the launches"
import json
for machine in "opencl-sm7", "opencl-simtight", "opencl-simty", "opencl-vortex-4", "opencl-vortex64":
    launches = [json.loads(line) for line in open(machine + ".json")]
    profile = json.load(open(f"profile-{machine}/module-0.json"))
    assert sorted({line["line"] for line in profile["lines"] if (line["file"] or "").endswith("module-0.cl")})[-1] >= 20
    for number in range(3):
        profiled = profile["launches"][number]
        cycles = profiled["cycles"] if "cycles" in profiled else profiled["counters"]["cycles"]["value"]
        assert cycles == launches[number]["counters"]["cycles"], (machine, number)
        replay = json.load(open(f"{machine}-{number}.json"))["launches"][0]["counters"]
        for name, value in launches[number]["counters"].items():
            # SIMTight's DRAM remembers the previous launch: of the others only what is executed is equal.
            if number == 0 or machine != "opencl-simtight" or name.endswith("_instrs"):
                assert replay[name]["value"] == value, (machine, number, name)
# Host seconds of a launch are counted once.
import os, subprocess, time
own = dict(os.environ, SIMTLAB_OPENCL_DEVICES="opencl-vortex-4", SIMTLAB_OPENCL_STATS="seconds.json")
begin = time.monotonic()
subprocess.run("./reduce", env=own, check=True, stdout=subprocess.DEVNULL)
whole = time.monotonic() - begin
assert sum(json.loads(line)["host_seconds"] for line in list(open("seconds.json"))[:3]) < whole
END
finish
