# What may go wrong around a study: full and read-only disks, a clock that jumps, other builds, empty lists. Nothing
# recorded is lost, and the same command goes on.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
sql() { "$SIMTLAB" query "$1" --format csv --sql "$2" | tail -n +2; }
counts() { # DATABASE NUMBER CONDITION
  got=$(sql "$1" "SELECT count(*) FROM run WHERE $3")
  [ "$got" = "$2" ] || complain "$got runs instead of $2 where $3"
}
cat >study.yaml <<YAML
study: study
machines: simtight
keys: {lanes: [8, 16, 32], warps: [8, 16, 32, 64]}
programs: [{elf: $BUILD/bench/VecAdd.elf, arguments: small}]
mode: fast
YAML

# Results of runs that take longer than an instant go through the spool.
cat >slow.yaml <<'YAML'
study: slow
machines: simtight
programs: [{command: "sleep 0.03; echo '{\"cycles\": {seed}}' >{result}", name: slow, seeds: {from: 1, to: 4}}]
YAML

# Disks of their own, where the kernel lets a user mount some. A full one ends the sweep with a sentence; when there is
# room again, all runs are recorded.
if unshare -rm true 2>/dev/null; then
  mkdir disk locked
  cat >mounts.sh <<'SH'
say() { echo "$*" >>faults; }
try() { # SENTENCE OPTION... STUDY: the sweep fails with that sentence while the disk is full, and not afterwards
  sentence=$1
  shift
  "$SIMTLAB" sweep -q "$@" >out 2>err </dev/null
  [ $? -eq 2 ] && grep -q "$sentence" err && [ "$(wc -l <err)" -eq 1 ] || say "$* says: $(cat err)"
  rm -f disk/filler
  "$SIMTLAB" sweep -q "$@" >out 2>err </dev/null || say "$* with room again: $(cat err)"
}
mount -t tmpfs -o size=4M tmpfs disk
dd if=/dev/zero of=disk/filler bs=1k count=4072 2>/dev/null
try 'disk/a.db: the disk is full; make room and start again: what is recorded stays' -d disk/a.db --spool spool study.yaml
cp disk/a.db full.db
rm -r disk/*
dd if=/dev/zero of=disk/filler bs=1k 2>/dev/null
try 'disk/spool/.*No space left on device' -d spool.db --spool disk/spool slow.yaml
mount --bind locked locked && mount -o remount,bind,ro locked
"$SIMTLAB" sweep -d locked/a.db study.yaml >out 2>err && say "writes to a read-only folder"
grep -q "locked/a.db: unable to open database file; choose a folder that can be written with --database FILE" err ||
  say "read-only folder: $(cat err)"
umount locked
cp spool.db locked/a.db
mount --bind locked locked && mount -o remount,bind,ro locked
"$SIMTLAB" query locked/a.db >out 2>err || say "a read-only database cannot be read: $(cat err)"
"$SIMTLAB" sweep -d locked/a.db study.yaml >out 2>err && say "writes to a read-only database"
grep -q "locked/a.db: .*choose a folder that can be written" err || say "read-only database: $(cat err)"
SH
  command="sweep on a full disk"
  unshare -rm sh mounts.sh
  [ ! -s faults ] || complain "$(cat faults)"
  counts full.db 12 "outcome = 'passed'"
  expect 0 "$SIMTLAB" query --check full.db
  counts spool.db 4 "outcome = 'passed'"
else
  echo "study_faults: disks are not tested, because unshare is not permitted"
fi

# A clock that jumps an hour back at each look, and starts a day ahead.
cat >clock.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static time_t jump = 86400;
int clock_gettime(clockid_t clock, struct timespec *now)
{
  const int code = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME)
    now->tv_sec += jump -= 3600;
  return code;
}
time_t time(time_t *where)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where != NULL)
    *where = now.tv_sec;
  return now.tv_sec;
}
C
if ldd "$SIMTLAB" >/dev/null 2>&1 && [ -z "${SIMTLAB_BRIEF:-}" ] && gcc -shared -fPIC -o clock.so clock.c; then
  expect 0 env LD_PRELOAD="$work/clock.so" "$SIMTLAB" sweep -d clock.db study.yaml
  prints "12 runs done in 0."
  counts clock.db 12 "outcome = 'passed' AND seconds BETWEEN 0 AND 60"
  [ "$(sql clock.db "SELECT max(at) - min(at) > 3600 FROM run")" = 1 ] || complain "the clock does not jump"
  sed 's/32\]/32, 64]/' study.yaml >more.yaml
  expect 0 env LD_PRELOAD="$work/clock.so" "$SIMTLAB" sweep --dry-run -d clock.db more.yaml
  prints "to run; about 0."
fi

# Another build: its runs are others, unless --any-build takes those of the same timing models.
objcopy --remove-section .note.gnu.build-id "$SIMTLAB" other 2>/dev/null && chmod +x other
expect 0 "$SIMTLAB" sweep -d build.db study.yaml
if [ -x other ]; then
  expect 0 ./other sweep --dry-run -d build.db study.yaml
  prints "12 runs: 0 recorded, 12 to run"
  expect 0 ./other sweep --dry-run --any-build -d build.db study.yaml
  prints "12 runs: 12 recorded, 0 to run"
  sed 's/32\]/32, 1]/' study.yaml >more.yaml
  expect 0 ./other sweep --any-build -d build.db more.yaml
  prints "4 runs done"
  prints "12 were recorded before"
  counts build.db 16 "outcome = 'passed'"
  expect 0 "$SIMTLAB" query build.db --format csv --by program
  silent
  # Runs of both builds: each counts, and query says so; with --any-build once, the latest.
  expect 0 ./other sweep -q -d build.db study.yaml
  counts build.db 28 "outcome = 'passed'"
  expect 0 "$SIMTLAB" query build.db --format csv --by program
  prints "VecAdd,28,"
  says "12 runs were made again on another build of simtlab and count each time; with --any-build only the latest counts"
  expect 0 "$SIMTLAB" query build.db --any-build --format csv --by program
  prints "VecAdd,16,"
  silent
  first=$("$SIMTLAB" query build.db --format csv --sql "SELECT build FROM run ORDER BY id LIMIT 1" | tail -n 1)
  counts build.db 12 "build = $first"
  "$SIMTLAB" query build.db --any-build --format csv --by version --where 'lanes == 1' | grep -q ',4,' ||
    complain "a run of one build only is left out"
fi

# Empty lists, and keys that are none: a sentence with the line.
bad() { # SENTENCE TEXT
  printf "study: bad\n$2\n" >bad.yaml
  expect 2 "$SIMTLAB" sweep bad.yaml
  says "bad.yaml:$1"
  [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one sentence"
}
elf="programs: [{elf: $BUILD/bench/VecAdd.elf}]"
bad "3: the list has no values" "machines: simtight\nkeys: {lanes: []}\n$elf"
bad "2: " "machines: []\n$elf"
bad "1: the study has no 'programs:" "machines: simtight\nprograms: []"
bad "4: unknown name 'kees' in a study; did you mean 'keys'?" "machines: simtight\n$elf\nkees: {lanes: 8}"
bad "3: " "machines: simtight\nprograms: [{elf: $BUILD/bench/VecAdd.elf, sizes: []}]"
bad "3: the range from 8 to 4 has no values" "machines: simtight\nkeys: {lanes: {from: 8, to: 4}}\n$elf"
finish
