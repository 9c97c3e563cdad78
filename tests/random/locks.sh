#!/bin/sh
# Random programs whose lanes take locks (tests/random/locks/): locks.sh COUNT SEED BUILD [EVERY [MACHINES]].
#
# On a fair scheme each ends with the memory of an interpreter with one thread per lane. On any other it does so, or ends
# with status 3: a livelock, or a use that the scheme does not support. It never reaches the limit of cycles. Each batch
# of 25 programs is for another number of lanes. With EVERY, only each EVERY-th pair of batch and machine runs with
# timing; with MACHINES, a pattern of the shell, only machines and keys that match it run. What differs stays in the
# folder that is named. Needs simtlab-marks. The same programs run as PTX.
set -u
count=$1 seed=$2 build=$(cd "$3" && pwd) every=${4:-1} machines=${5:-*}
size=25 limit=200000000
[ "$count" -ge $size ] || size=$count
work=$(mktemp -d)
simtlab=$build/simtlab
bad=0 runs=0 livelocks=0 batch=0 turn=0
cd "$work" || exit 1

complain() {
  echo "$work: batch of seed $first, $lanes lanes: $*"
  sed 's/^/  /' err | cut -c1-400
  bad=$((bad + 1))
}

# compile PROGRAM: programs.c in one of the ways, unless it exists.
compile() {
  case $1 in
  programs.ptx) how="--target ptx" ;;
  user.elf) how="-DUSER_MARKS $code" ;;
  none.elf) how="--no-marks $code" ;;
  auto.elf) how="--marks=auto $code" ;;
  its.elf) how="--target vortex --marks=its" ;;
  *) how="--target ${1%.elf}" ;;
  esac
  # shellcheck disable=SC2086
  [ -f "$1" ] || "$simtlab" cc "$level" $places $how -o "$1" programs.c 2>err || { complain "cc $how failed"; return 1; }
}

# chosen MACHINE-AND-KEYS: it matches MACHINES.
chosen() {
  # shellcheck disable=SC2254
  case $1 in $machines) ;; *) return 1 ;; esac
}

# run MODE MACHINE-AND-KEYS PROGRAM FIRST: sets `status`, and `last` to the program that ended it.
run() {
  [ "$3" != programs.ptx ] || { run_script "$1" "$2" "$4"; return; }
  # shellcheck disable=SC2086
  timeout 600 "$simtlab" run "-q$1" -c $limit -m $2 "$3" "$4" >out 2>err </dev/null
  status=$? last=$(sed -n 's/^\(#0: \)*\([0-9]*\)$/\2/p' out | tail -1) runs=$((runs + 1))
}

# run_script MODE MACHINE-AND-KEYS FIRST: the same for PTX. The script prints a sum after each program.
run_script() {
  { head -3 programs.launch; tail -n +$((4 + 5 * $3)) programs.launch; } >first.launch
  # shellcheck disable=SC2086
  timeout 600 "$simtlab" run "-q$1" -c $limit -m $2 first.launch >out 2>err </dev/null
  status=$? last=$(($3 + $(grep -c '^sum' out))) runs=$((runs + 1))
  [ "$status" -ne 1 ] || last=$((last - 1))
}

# modes: sets `modes`: without timing, and on each EVERY-th call with timing, too.
modes() {
  turn=$((turn + 1))
  modes=f
  [ $((turn % every)) -ne 0 ] || modes="f t"
}

# goes_on: programs after the first one took the run to the limit of cycles. The limit is for one program, so the run
# goes on from the one that was interrupted.
goes_on() {
  [ "$status" -eq 4 ] && [ "${last:-$next}" -gt "$next" ]
}

# fair MACHINE-AND-KEYS PROGRAM: all programs end with the right memory.
fair() {
  chosen "$1" || return
  modes
  compile "$2" || return
  for mode in $modes; do
    next=0
    while run "${mode#t}" "$1" "$2" "$next"; goes_on; do
      next=$last
    done
    [ "$status" -eq 0 ] || complain "simtlab run -q${mode#t} -m $1 $2 ${last:-0}: status $status: $(tail -1 out)"
  done
}

# unfair MACHINE-AND-KEYS PROGRAM: the same, or status 3; then the next program goes on.
unfair() {
  chosen "$1" || return
  modes
  compile "$2" || return
  for mode in $modes; do
    next=0
    while [ "$next" -lt "$number" ]; do
      run "${mode#t}" "$1" "$2" "$next"
      if goes_on; then next=$last && continue; fi
      next=$((${last:-$next} + 1))
      [ "$status" -ne 0 ] || break
      if [ "$status" -eq 3 ] && ! grep -q differs out && grep -q "livelock: these lanes\|does not support this\|needs all lanes of the warp\|a barrier counts warps" err; then
        livelocks=$((livelocks + 1))
      else
        complain "simtlab run -q${mode#t} -m $1 $2 ${last:-0}: status $status: $(tail -1 out)"
        [ "$status" -eq 3 ] || break
      fi
    done
  done
}

done=0
while [ "$done" -lt "$count" ]; do
  number=$((count - done < size ? count - done : size))
  rm -f ./*.elf ./*.ptx
  first=$((seed + done)) batch=$((batch + 1)) before=$bad
  lanes=$((1 << (first / size + batch) % 7)) level=-O$((1 + batch % 2)) places= atomics=
  [ $((batch % 3)) -ne 0 ] || places=-DGLOBAL_LOCKS atomics="-s global_atomics=true"
  "$build/tests/random/locks/random_locks" "$first" "$number" "$lanes" programs.c programs.launch 2>err || { complain "no programs"; break; }
  code=-Wl,--defsym=__instr_size=523264 shape="-s code.words=131072 -s lanes=$lanes $atomics" period=$((16 << batch % 5))
  fair "simtight-fair $shape" user.elf
  fair "simtight-fair $shape -s fairness=$period" auto.elf
  fair "simtight-fair $shape -s fairness=$period -s convergence=depth-pc" none.elf
  fair "simtight-fair $shape -s convergence=sorted-paths" none.elf
  [ "$lanes" -lt 4 ] || fair "simty-fair $shape -s fairness=$period" none.elf
  [ "$lanes" -lt 4 ] || fair "simty-fair $shape" auto.elf
  [ "$lanes" -gt 32 ] || fair "vortex-its -s lanes=$lanes" its.elf # a mask has 32 lanes; more are a fault
  [ "$lanes" -gt 32 ] || fair "vortex-its -s lanes=$lanes" vortex.elf
  [ "$lanes" -gt 32 ] || fair "vortex64 -s divergence=its -s lanes=$lanes" vortex64.elf
  [ "$lanes" -gt 32 ] || fair "sm7-its -s fairness=$period" sm7.elf
  [ "$lanes" -gt 32 ] || fair "sm7-hanoi -s fairness=$period" sm7.elf
  fair "sm7-its -s fairness=$period" programs.ptx
  fair "sm7-hanoi -s fairness=$period" programs.ptx
  unfair "simtight $shape" user.elf
  unfair "simtight $shape" auto.elf
  unfair "simtight $shape -s convergence=depth-pc" none.elf
  [ "$lanes" -lt 4 ] || unfair "simty-plus $shape" none.elf
  unfair "vortex-scs -s lanes=$lanes" vortex.elf
  [ "$lanes" -gt 32 ] || unfair "vortex-simx-scs -s lanes=$lanes" vortex.elf # its stack may hold the awaited lanes
  [ "$lanes" -gt 32 ] || unfair "vortex -s lanes=$lanes -s atomics=true" vortex.elf # PRED has a mask of 32 lanes
  [ "$lanes" -gt 32 ] || unfair "vortex-simx -s lanes=$lanes" vortex.elf
  [ "$lanes" -gt 32 ] || unfair "sm7-1" sm7.elf
  unfair "sm7-1" programs.ptx
  [ "$bad" -eq "$before" ] || { mv programs.c "programs-$first.c"; mv programs.launch "programs-$first.launch"; }
  done=$((done + number))
  [ $((batch % 20)) -ne 0 ] || echo "$done programs, $runs runs, $bad differ so far"
done
echo "$count programs, $runs runs, $livelocks ended with status 3, $bad differ"
cd /
if [ "$bad" -eq 0 ]; then rm -rf "$work"; else exit 1; fi
