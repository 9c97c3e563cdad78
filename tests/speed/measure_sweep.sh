#!/bin/sh
# Measures what a sweep adds to short runs: measure_sweep.sh BUILD [RUNS]. Prints the CPU time of each run beside its
# simulation, how busy the processors are, and the simulations' part of that. The computer must be idle.
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >short.yaml <<YAML
study: short
machines: simtight
keys: {dram.latency: {from: 1, to: ${2:-1000}}}
programs: [{elf: $build/bench/VecAdd.elf, arguments: small}]
YAML
"${PYTHON:-python3}" - "$build/simtlab" <<'PYTHON'
import os, resource, sqlite3, subprocess, sys, time
if os.getloadavg()[0] > os.cpu_count() / 4:
    print("the computer is not idle (load %.1f): the figures tell nothing" % os.getloadavg()[0])
began = time.time()
subprocess.run([sys.argv[1], "sweep", "-q", "short.yaml"], check=True)
wall, used = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
count, busy = sqlite3.connect("results/short.db").execute("SELECT count(*), sum(seconds) FROM run").fetchone()
print("%d runs of %.2f ms in %.2f s" % (count, 1000 * busy / count, wall))
print("beside the simulation: %.2f ms of CPU per run" % (1000 * (cpu - busy) / count))
print("processors: %.0f %% busy, with simulations %.0f %%" % (100 * cpu / wall / os.cpu_count(), 100 * busy / wall / os.cpu_count()))
PYTHON
