# convergence=its and hanoi of sm7: lanes of a warp that wait for each other get through, in machine code and in PTX, with
# timing and without; loops that no order ends are still livelocks; programs that do not wait compute the same.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
expect 0 "$SIMTLAB" cc -g --target sm7 -o waits.elf "$SOURCE/tests/cli/programs/lane_waits.c"
for machine in sm7-its sm7-hanoi; do
  for way in 0 1 2 3 4 5 6 7; do
    expect 0 timeout 30 "$SIMTLAB" run -q -c 20000000 -m $machine -s clusters=2 -s fairness=16 waits.elf $way 64 2
    silent
    expect 0 timeout 30 "$SIMTLAB" run -qf -c 20000000 -m $machine waits.elf $way 64 2
    silent
  done
done
expect 3 "$SIMTLAB" run -q -c 20000000 -m sm7-1 waits.elf 0 64 2
says livelock
for seed in 1 2 3; do
  "$PYTHON" "$SOURCE/tests/cli/programs/random_locks.py" $seed >locks.c
  expect 0 "$SIMTLAB" cc --target sm7 -o locks.elf locks.c
  for machine in sm7-its sm7-hanoi; do
    expect 0 timeout 20 "$SIMTLAB" run -qf -c 20000000 -m $machine -s fairness=32 locks.elf
  done
done

# All engines without timing change groups at the same instructions.
for machine in sm7-its sm7-hanoi; do
  for engine in instructions blocks emitted; do
    expect 0 "$SIMTLAB" run -qf --engine $engine -m $machine -s fairness=32 --stats $engine.json waits.elf 7 64 2
    sed '/"host": {/,/}/d; /"command"\|"engine"/d' $engine.json >$engine.said
    cmp -s instructions.said $engine.said || complain "$engine: $(diff instructions.said $engine.said | head -3)"
  done
done

# Kernels that do not wait leave the same memory as under the stack, even if groups change all the time.
for kernel in scan bfs bitonic; do
  script=$SOURCE/reference/ptx/kernels/$kernel.s.launch
  expect 0 "$SIMTLAB" run -qf -m sm7 "$script"
  sums=$(cat out)
  for scheme in its hanoi; do
    expect 0 "$SIMTLAB" run -qf -m sm7 -s convergence=$scheme -s fairness=16 "$script"
    [ "$(cat out)" = "$sums" ] || complain "$kernel under $scheme: other memory"
  done
done

# A checkpoint holds whose turn it is.
# goes_on AT OPTION... PROGRAM...
goes_on() {
  at=$1
  shift
  expect 0 "$SIMTLAB" run -q -s fairness=16 --stats whole.json "$@"
  expect 0 "$SIMTLAB" run -q -s fairness=16 --save-at "$at" half "$@"
  expect 0 "$SIMTLAB" run -q -s fairness=16 --restore half --stats rest.json "$@"
  for file in whole rest; do
    sed '/"host": {/,/}/d; /"faint origin"\|"command"/d' $file.json >$file.said
  done
  cmp -s whole.said rest.said || complain "$*: $(diff whole.said rest.said | head -3)"
}
for machine in sm7-its sm7-hanoi; do
  goes_on 200003 -m $machine -s clusters=1 waits.elf 4 64 2
  goes_on 5003 -f -m $machine -s clusters=1 waits.elf 4 64 2
  goes_on 2503 -m $machine -s clusters=1 "$SOURCE/reference/ptx/kernels/bfs.s.launch"
done

expect 2 "$SIMTLAB" run -q -m sm7 -s fairness=256 waits.elf
says "fairness needs convergence=its or hanoi"
expect 2 "$SIMTLAB" run -q -m sm7-its -s fairness=15 waits.elf
says "fairness is 15; it must be 0, for 256, or 16 to 65536"
expect 2 "$SIMTLAB" run -q -m sm7-r2d2 -s convergence=its waits.elf
says "r2d2 needs convergence=stack, because it follows one order of the lanes"

# PTX.
"$SIMTLAB" cuda --root >root 2>/dev/null || { finish; }
source=$SOURCE/tests/cli/programs/cuda/lane_turns.cu
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
expect 0 "$SIMTLAB" cuda -O1 -w -lineinfo -o turns "$source"
for machine in sm7-its sm7-hanoi; do
  export SIMTLAB_CUDA_MACHINE=$machine
  for mode in fast timed; do
    export SIMTLAB_CUDA_MODE=$mode
    for way in 0 1 2 3 4 5 6 7 8 9; do
      expect 0 timeout 30 ./turns $way
      prints "no error, 128 of 128"
    done
    expect 1 timeout 30 ./turns 10 64 1
    says "lanes 0-1: livelock: these lanes loop forever"
    expect 1 timeout 30 ./turns 11 64 1
    says "lane_turns.cu:$(grep -n '// BEHIND' "$source" | cut -d: -f1)"
    says "lanes 0,4,8,12,16,20,24,28: livelock: these lanes loop forever"
    says "29-31 of this warp wait at "
    says ", which needs the others"
  done
done
# Under the stack the two sides of a condition do not meet.
for way in 7 9; do
  SIMTLAB_CUDA_MACHINE=sm7 SIMTLAB_CUDA_MODE=fast expect 1 timeout 30 ./turns $way
done
finish
