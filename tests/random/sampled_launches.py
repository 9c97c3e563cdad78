"""Intervals of sampled programs contain the cycles of whole runs: sampled_launches.py SIMTLAB [SEEDS [MACHINES [PROGRAMS]]].

Each program runs once with all launches timed, and then with --sample auto and each seed. Memory and counts of executed
instructions must be equal. Of all intervals 95 % should contain the whole run's cycles. The test fails below 95 % less
three standard deviations of such a count.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

PTX = """.version 6.0
.target sm_70
.address_size 64
// Each thread adds to its word, `turns` times.
.visible .entry grow(.param .u64 x, .param .u32 turns)
{
  .reg .u64 %a<4>;
  .reg .u32 %r<8>;
  .reg .pred %p;
  ld.param.u64 %a1, [x];
  ld.param.u32 %r7, [turns];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %a2, %r4, 4;
  add.u64 %a3, %a1, %a2;
  mov.u32 %r5, 0;
LOOP:
  ld.global.u32 %r6, [%a3];
  add.u32 %r6, %r6, %r5;
  st.global.u32 [%a3], %r6;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, %r7;
  @%p bra LOOP;
  ret;
}
// y = x one word before + x + x one word behind, all in the inside of the buffers.
.visible .entry stencil(.param .u64 x, .param .u64 y)
{
  .reg .u64 %a<6>;
  .reg .u32 %r<9>;
  ld.param.u64 %a1, [x];
  ld.param.u64 %a2, [y];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %a3, %r4, 4;
  add.u64 %a4, %a1, %a3;
  add.u64 %a5, %a2, %a3;
  ld.global.u32 %r5, [%a4];
  ld.global.u32 %r6, [%a4+4];
  ld.global.u32 %r7, [%a4+8];
  add.u32 %r5, %r5, %r6;
  add.u32 %r5, %r5, %r7;
  st.global.u32 [%a5+4], %r5;
  ret;
}
// Threads whose word is a multiple of `now` follow a chain of words.
.visible .entry chase(.param .u64 x, .param .u32 words, .param .u32 now)
{
  .reg .u64 %a<5>;
  .reg .u32 %r<10>;
  .reg .pred %p;
  ld.param.u64 %a1, [x];
  ld.param.u32 %r8, [words];
  ld.param.u32 %r9, [now];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %a2, %r4, 4;
  add.u64 %a3, %a1, %a2;
  ld.global.u32 %r5, [%a3];
  rem.u32 %r6, %r5, %r9;
  setp.ne.u32 %p, %r6, 0;
  @%p bra END;
  mov.u32 %r7, 0;
LOOP:
  rem.u32 %r5, %r5, %r8;
  mul.wide.u32 %a2, %r5, 4;
  add.u64 %a4, %a1, %a2;
  ld.global.u32 %r5, [%a4];
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p, %r7, 12;
  @%p bra LOOP;
END:
  ret;
}
"""


def grow(blocks, turns, buffer="x"):
    return f"launch grow {blocks} 1 1 64 1 1 0 buf:{buffer} u32:{turns}"


def equal():
    """Two kernels in turn, whose launches are all alike."""
    lines = ["buffer x 16400 randu 100 1", "buffer y 16400 zero"]
    for i in range(75):
        x, y = ("x", "y") if i % 2 == 0 else ("y", "x")
        lines += [f"launch stencil 32 1 1 128 1 1 0 buf:{x} buf:{y}", grow(8, 4)]
    return lines


def shrinking():
    """Grids become smaller from launch to launch, as in a factorisation."""
    return ["buffer x 65536 iota"] + [grow(1 + (150 - k) // 2, 6) for k in range(150)]


def random_sizes():
    """Grids and turns are random."""
    of = random.Random(7)
    return ["buffer x 65536 iota"] + [grow(of.randrange(1, 64), of.randrange(1, 16)) for _ in range(150)]


def data():
    """What a launch executes depends on memory and on its argument."""
    of = random.Random(5)
    lines = ["buffer x 32768 randu 100000 3"]
    for _ in range(150):
        lines.append(f"launch chase 32 1 1 256 1 1 0 buf:x u32:8192 u32:{of.choice((1, 2, 3, 5, 8, 20, 100))}")
    return lines


def phases():
    """The same launches, among which a long one evicts their data in the second half."""
    lines = ["buffer x 16384 iota", "buffer y 2097152 zero"]
    for i in range(150):
        lines.append(grow(16, 5))
        if i >= 75 and i % 5 == 0:
            lines.append(grow(1024, 1, "y"))
    return lines


PROGRAMS = (equal, shrinking, random_sizes, data, phases)


def run(simtlab, machine, program, *options):
    """Runs a program, with its arguments, on a machine, with its keys."""
    out = subprocess.run([simtlab, "run", "-q", "-m", *machine.split(), "--stats", "stats.json", *options, *program],
                         check=True, capture_output=True, text=True).stdout
    with open("stats.json", encoding="utf-8") as file:
        return out, json.load(file)


def script_of(program):
    """Writes the program's script."""
    script = program.__name__ + ".launch"
    with open(script, "w", encoding="utf-8") as file:
        file.write("\n".join(["ptx k.ptx", *program(), "sum x"]) + "\n")
    return [script]


def count(simtlab, machine, name, program, seeds):
    """The intervals of a program that contain the cycles of the whole run."""
    sums, whole = run(simtlab, machine, program)
    whole = whole["totals"]["counters"]
    cycles = whole["cycles"]["value"]
    errors, bars, timed = [], [], []
    for seed in range(1, seeds + 1):
        out, stats = run(simtlab, machine, program, "--sample", f"auto,{seed}")
        sampled = stats["sampled"]
        if out != sums:
            sys.exit(f"{name} on {machine}, seed {seed}: another result")
        for counter in "warp_instrs", "thread_instrs", "blocks":
            if stats["totals"]["counters"][counter] != whole[counter]:
                sys.exit(f"{name} on {machine}, seed {seed}: another number of {counter}")
        bar = sampled["cycles"]["bar"]
        errors.append(sampled["cycles"]["value"] / cycles - 1)
        bars.append(math.inf if bar is None else bar / cycles)
        timed.append(sampled["timed"] / sampled["executed"])
    inside = sum(abs(e) <= b for e, b in zip(errors, bars))
    root = math.sqrt(sum(e * e for e in errors) / seeds)
    print(f"{machine:8} {name:13} {cycles:9} cycles, {100 * sum(timed) / seeds:4.1f} % timed, mean error "
          f"{100 * sum(errors) / seeds:5.2f} %, root mean square {100 * root:5.2f} %, intervals {100 * min(bars):5.2f} to "
          f"{100 * max(bars):5.2f} %, {inside} of {seeds} contain", flush=True)
    return inside


def judge(inside, runs):
    """Prints the share of intervals that contain; the exit status."""
    print(f"{inside} of {runs} intervals contain the cycles of the whole run, {100 * inside / runs:.1f} %")
    return inside < 0.95 * runs - 3 * math.sqrt(0.95 * 0.05 * runs)


def main():
    simtlab, seeds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 50
    machines = sys.argv[3].split(",") if len(sys.argv) > 3 else ("sm7-1", "sm7-4")
    programs = [p for p in PROGRAMS if len(sys.argv) <= 4 or p.__name__ in sys.argv[4].split(",")]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("k.ptx", "w", encoding="utf-8") as file:
            file.write(PTX)
        inside = sum(count(simtlab, m, p.__name__, script_of(p), seeds) for m in machines for p in programs)
        os.chdir("/")
    return judge(inside, len(machines) * len(programs) * seeds)


if __name__ == "__main__":
    sys.exit(main())
