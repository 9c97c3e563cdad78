# Memory of studies: runs start as far as the memory suffices that runs of the program have been measured to take. Without
# a limit they all run at the same time; one run alone always starts.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
unsanitized "$SIMTLAB" "the address sanitizer's memory is measured, too"
cat >hold.py <<'END'
# Holds memory for a while, or until TOGETHER runs have held it at the same time: programs beside it may delay some.
import os, sys, time
size, path, name = int(sys.argv[1]), sys.argv[2], sys.argv[3]
together = int(os.environ.get("TOGETHER", 0))
def most():
  now = top = 0
  for line in open(name):
    now += 1 if line[0] == "+" else -1
    top = max(top, now)
  return top
with open(name, "a", buffering=1) as log:
  held = bytearray(size << 20)
  log.write("+1 %d\n" % size)
  end = time.monotonic() + (10 if together else 0.4)
  while time.monotonic() < end and (together == 0 or most() < together):
    time.sleep(0.05)
  log.write("-1 %d\n" % size)
open(path, "w").write('{"cycles": 1}')
END
cat >hold.yaml <<END
study: hold
machines: simtight
programs:
  - {name: big, command: '$PYTHON hold.py 200 {result} log{seed}', files: [hold.py]}
END
sed -i 's/log{seed}/log/; s/files:/seeds: {from: 1, to: 6}, files:/' hold.yaml
sed -i 's/{result} log/{result} log {seed}/' hold.yaml

# most: runs at the same time, at most. The first ones, before one has been measured, do not count with `after`.
most() { awk -v skip="$1" '$1 > 0 { n++; began++ } $1 < 0 { n-- } began > skip && n > most { most = n } END { print most + 0 }' log; }

command="sweep without a limit"
TOGETHER=3 "$SIMTLAB" sweep -q --jobs 3 hold.yaml || complain "fails"
[ "$(most 0)" -eq 3 ] || complain "$(most 0) runs at a time instead of 3"

# Of 550 MB two have room once one is known to take 200, and three would not.
rm log
command="sweep with --memory 550"
"$SIMTLAB" sweep -q --jobs 3 --memory 550 --database two.db hold.yaml || complain "fails"
[ "$(most 2)" -eq 2 ] || complain "$(most 2) runs at a time instead of 2"

# Another sweep knows from the record: of 700 MB three have room, of which only two would have started as unknown.
rm log
command="sweep of a measured program"
sed 's/to: 6/to: 9/' hold.yaml >more.yaml
TOGETHER=3 "$SIMTLAB" sweep -q --jobs 4 --memory 700 --database two.db more.yaml || complain "fails"
[ "$(most 0)" -eq 3 ] || complain "$(most 0) runs at a time instead of 3"

rm log
command="sweep with --memory 100"
"$SIMTLAB" sweep -q --jobs 3 --memory 100 --database one.db hold.yaml || complain "fails"
[ "$(most 0)" -eq 1 ] || complain "$(most 0) runs at a time instead of 1"
finish
