// Control flow of every kind, in functions that a kernel runs on all threads at once and the host runs one thread after
// the other: the results are the same.
#include "simt.h"
#include <stdio.h>
#include <stdlib.h>

typedef unsigned (*function)(unsigned);

static unsigned nested(unsigned t)
{
  unsigned r = t;
  if (t & 1) {
    r += 3;
    if (t & 2) {
      r *= 5;
      if (t & 4)
        r -= t << 3;
      else if (t & 8)
        r ^= 0x55;
    } else {
      r ^= t << 7;
    }
  } else if (t % 3 == 0) {
    r = r * 7 + 1;
  }
  return r;
}

// Trip counts differ per lane, in both loops.
static unsigned loops(unsigned t)
{
  unsigned r = 1;
  for (unsigned i = 0; i < t % 23; i++) {
    for (unsigned j = i; j < (t >> 2) % 11; j++) {
      if ((i ^ j) % 5 == 4)
        continue;
      r = r * 3 + j;
      if (r % 13 == 0)
        break;
    }
    r += i;
  }
  return r;
}

// Into a loop's middle, out of two loops at once, and back.
static unsigned jumps(unsigned t)
{
  unsigned r = t, i = 0, rounds = 0;
  if (t & 1)
    goto middle;
again:
  for (i = 0; i < 6; i++) {
    r = r * 5 + i;
    if (r % 7 == 0)
      goto out;
  middle:
    for (unsigned j = 0; j < 4; j++) {
      r ^= j << (i & 7);
      if (r % 11 == 3)
        goto out;
    }
  }
  r += 1000;
out:
  if (++rounds < 3 + t % 3)
    goto again;
  return r + rounds;
}

static unsigned switches(unsigned t)
{
  unsigned state = t % 9, r = 0;
  for (unsigned i = 0; i < 12; i++) {
    switch (state) {
    case 0:
      r += 1;
      state = 4;
      break;
    case 1: r ^= t; // fall through
    case 2:
      r = r * 3;
      state = (r >> 2) % 9;
      break;
    case 3:
      r -= i;
      state = 8;
      break;
    case 4:
      r += t << 2;
      state = r % 9;
      break;
    case 5: state = 1; break;
    case 6:
      r |= 1;
      state = 7;
      break;
    case 7:
      r = r << 1 | r >> 31;
      state = 3 + t % 4;
      break;
    default:
      r += 77;
      state = i % 8;
      break;
    }
  }
  return r;
}

// Recursion to a depth per lane, with two calls in each.
static __attribute__((noinline)) unsigned deep(unsigned t, unsigned depth)
{
  if (depth == 0)
    return t * 3 + 1;
  unsigned r = deep(t + 1, depth - 1);
  if (r & 1)
    r += deep(t ^ r, depth / 2);
  return r * 2 + depth;
}

static unsigned recursion(unsigned t)
{
  return deep(t, t % 7);
}

static const function table[] = {nested, loops, jumps, switches, recursion};

// Another target in each lane, and calls from the called functions.
static unsigned indirect(unsigned t)
{
  unsigned r = 0;
  for (unsigned i = 0; i < 1 + t % 3; i++)
    r += table[(t + i * 3) % 5](t + r % 64);
  return r;
}

static const function all[] = {nested, loops, jumps, switches, recursion, indirect};

enum { KINDS = sizeof all / sizeof all[0] };

SIMT_KERNEL(run, (unsigned *, out))
{
  for (unsigned kind = 0; kind < KINDS; kind++) {
    out[kind * blockDim.x + threadIdx.x] = all[kind](threadIdx.x);
    simt_converge();
  }
}

int main(void)
{
  static const char *const names[KINDS] = {"nested", "loops", "jumps", "switches", "recursion", "indirect"};
  const unsigned threads = simt_shape().lanes * simt_shape().warps;
  unsigned *const out = simt_alloc(KINDS * threads * sizeof *out);
  if (simt_launch(run, dim3(1), dim3(threads), .out = out) != SIMT_OK)
    return 1;
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned t = 0; t < threads; t++)
      if (out[kind * threads + t] != all[kind](t)) {
        printf("%s: thread %u has %u instead of %u\n", names[kind], t, out[kind * threads + t], all[kind](t));
        return 1;
      }
  return 0;
}
