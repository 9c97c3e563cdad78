# The list of machines, their keys, and configuration files.
. "$(dirname "$0")/_lib.sh"

expect 0 "$SIMTLAB" machines
prints "simtight"
prints "simtight-fp"
expect 0 "$SIMTLAB" show simtight
prints "lanes                     = 32 lanes"
prints "(1 to 64, power of two)"
expect 0 "$SIMTLAB" show simtight-fp fpu
prints "value:   true"
prints "default: false"
expect 0 "$SIMTLAB" show simtight dram.latency --set dram.latency=77
prints "value:   77"
prints "unit:    cycles"
expect 2 "$SIMTLAB" show simtight dram.latensy
says "did you mean 'dram.latency'?"
expect 2 "$SIMTLAB" show simtigt
says "did you mean 'simtight'?"
expect 2 "$SIMTLAB" show simtight --set warps=7
says "key 'warps' cannot be '7'; it takes 1 to 64, power of two"

printf 'base: simtight\nkeys:\n  lanes: 8\n  dram:\n    latency: 99\n' >"$work/mine.yaml"
expect 0 "$SIMTLAB" show "$work/mine.yaml" dram.latency
prints "value:   99"
printf 'base: simtight\nkeys:\n  lanse: 8\n' >"$work/bad.yaml"
expect 2 "$SIMTLAB" show "$work/bad.yaml"
says "bad.yaml:3: unknown key 'lanse'; did you mean 'lanes'?"
expect 2 "$SIMTLAB" show "$work/missing.yaml"
says "missing.yaml: cannot be opened"
command="show, standard output full"
"$SIMTLAB" show simtight >/dev/full 2>"$work/err"
[ $? -eq 2 ] || complain "exit status is not 2"
says "standard output: cannot be written"

# Invalid values.
printf 'base: simtight\nkeys: 5\n' >"$work/k.yaml"
expect 2 "$SIMTLAB" show "$work/k.yaml"
says "k.yaml:2: 'keys' holds names and values of keys, such as 'lanes: 16', not '5'"
printf 'base: simtight\nkeys: {lanes: {}}\n' >"$work/k.yaml"
expect 2 "$SIMTLAB" show "$work/k.yaml"
says "k.yaml:2: an empty mapping, where a value belongs (in 'keys.lanes')"
printf 'base: simtight\nkeys: {}\n' >"$work/k.yaml"
expect 0 "$SIMTLAB" show "$work/k.yaml"
expect 2 "$SIMTLAB" bench -m simty --only VecAdd
says "the benchmarks do not run on simty: fpu needs the SoC with a host CPU; set host=true too"
finish
