#!/usr/bin/env python3
"""Prints a random kernel whose threads take locks: random_locks.py SEED. The program checks its counters itself: every
critical section adds constants, so the order of threads does not matter, and the sums are known here."""
import random
import sys

LOCKS, COUNTERS = 6, 6
rng = random.Random(int(sys.argv[1]))
threads = rng.choice([16, 16, 32, 64])
totals = [0] * COUNTERS
lines, depth, names = [], 1, 0
conditions = [('1', lambda t: True), ('t % 2 == 0', lambda t: t % 2 == 0), ('t % 3 == 1', lambda t: t % 3 == 1),
              ('t < 5', lambda t: t < 5), ('(t & 4) != 0', lambda t: t & 4 != 0)]


def put(text):
    lines.append('  ' * depth + text)


def fresh(letter):
    global names
    names += 1
    return f'{letter}{names}'


def add(c, times):
    """One step of a critical section: adds to its lock's counter. `times` is how often each thread comes here."""
    k = rng.randrange(1, 9)
    put(f'w[COUNTERS + {c}] += {k};')
    totals[c] += k * sum(times)


def section(first, times, nest):
    """Takes a lock from `first` on, in order, so that there is never a real deadlock."""
    global depth
    lock = rng.randrange(first, LOCKS)
    way = ['spin', 'try', 'ticket'][lock % 3]  # two ways of taking one lock would not exclude each other

    def body():
        add(lock, times)
        if nest > 0 and lock + 1 < LOCKS and rng.random() < 0.5:
            section(lock + 1, times, nest - 1)
        add(lock, times)

    if way == 'spin':
        put(f'while (atomicExch((int *)&w[{lock}], 1) != 0)')
        put('  ;')
        body()
        put(f'FENCE; atomicExch((int *)&w[{lock}], 0);')
    elif way == 'ticket':
        mine = fresh('ticket')
        put(f'const int {mine} = atomicAdd((int *)&w[TICKETS + {lock}], 1);')
        put(f'while (w[SERVED + {lock}] != {mine})')
        put('  ;')
        body()
        put(f'FENCE; w[SERVED + {lock}] = {mine} + 1;')
    else:
        done = fresh('done')
        put(f'int {done} = 0;')
        put(f'while (!{done})')
        put(f'  if (atomicExch((int *)&w[{lock}], 1) == 0) {{')
        depth += 2
        body()
        put(f'FENCE; atomicExch((int *)&w[{lock}], 0);')
        put(f'{done} = 1;')
        depth -= 2
        put('  }')


def statement(times, nest):
    global depth
    kind = rng.choice(['section'] * 4 + (['if', 'for', 'vary'] if nest > 0 else []))
    if kind == 'section':
        put('{')
        depth += 1
        section(0, times, 2)
    elif kind == 'if':
        text, holds = rng.choice(conditions)
        put(f'if ({text}) {{')
        depth += 1
        statement([n if holds(t) else 0 for t, n in enumerate(times)], nest - 1)
    else:
        n, i = rng.randrange(2, 4), fresh('i')
        put(f'for (int {i} = 0; {i} < {n if kind == "for" else "t %% %d" % n}; {i}++) {{' .replace('%%', '%'))
        depth += 1
        statement([c * (n if kind == 'for' else t % n) for t, c in enumerate(times)], nest - 1)
    depth -= 1
    put('}')


for _ in range(rng.randrange(1, 4)):
    statement([1] * threads, 2)
body = '\n'.join(lines)
print(f'''#include "simt.h"
#include <stdio.h>
enum {{ TICKETS = 16, SERVED = 32, COUNTERS = 48 }};
#define FENCE __asm__ volatile("fence" ::: "memory")
SIMT_KERNEL(locks, (volatile int *, w))
{{
  const int t = (int)threadIdx.x;
  (void)t;
{body}
}}
int main(void)
{{
  static const int totals[] = {{{', '.join(map(str, totals))}}};
  volatile int *const w = simt_alloc(512);
  int bad = 0;
  for (int i = 0; i < 64; i++)
    w[i] = 0;
  const int r = simt_launch(locks, dim3(1), dim3({threads}), .w = w);
  for (int i = 0; i < {COUNTERS}; i++)
    bad += w[COUNTERS + i] != totals[i];
  if (r != SIMT_OK || bad)
    printf("launch %d, %d counters are wrong\\n", r, bad);
  return r != SIMT_OK || bad;
}}''')
