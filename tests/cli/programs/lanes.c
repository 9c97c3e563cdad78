// Votes and shuffles of the lanes that are active together: each block is a random case, whose results the host
// computes by itself. All lanes, the two sides of a divergent if, and the turns of a loop that lanes leave one after
// the other.
#include "simt.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef CASES
#define CASES 6
#endif

struct input {
  unsigned side, turns, best; // takes the if; turns of the loop; a lane with the most turns
  unsigned holds, value, by;  // by: distance or number
  unsigned long long sides;   // the lanes with this side of the if
};

struct votes {
  unsigned all, any, uni, ballot;
  unsigned long long ballot64;
};

struct result {
  struct votes votes;
  unsigned up, down, bfly, idx;
};

struct output {
  struct result together, parted;
  unsigned loop;
};

#define VOTES(r, c)                                                                                                    \
  do {                                                                                                                 \
    (r).all = (unsigned)simt_all(c);                                                                                   \
    (r).any = (unsigned)simt_any(c);                                                                                   \
    (r).uni = (unsigned)simt_uni(c);                                                                                   \
    (r).ballot64 = simt_ballot64(c);                                                                                   \
    (r).ballot = lanes > 32 ? 0 : simt_ballot(c);                                                                      \
  } while (0)
#define RESULTS(r, in)                                                                                                 \
  do {                                                                                                                 \
    VOTES((r).votes, (in)->holds);                                                                                     \
    (r).up = simt_shfl_up((in)->value, (in)->by);                                                                      \
    (r).down = simt_shfl_down((in)->value, (in)->by);                                                                  \
    (r).bfly = simt_shfl_bfly((in)->value, (in)->by);                                                                  \
    (r).idx = simt_shfl_idx((in)->value, (in)->by);                                                                    \
  } while (0)

SIMT_INLINE unsigned mix(unsigned hash, unsigned word)
{
  return (hash ^ word) * 0x9E3779B1u + (word >> 7);
}

SIMT_KERNEL(measure, (const struct input *, input), (struct output *, output), (unsigned, lanes))
{
  const unsigned thread = blockIdx.x * lanes + threadIdx.x;
  const struct input *const in = &input[thread];
  struct output *const out = &output[thread];
  unsigned hash = 0, turn = 0;
  RESULTS(out->together, in);
  SIMT_IF(in->side)
  {
    simt_sync_lanes(in->sides);
    RESULTS(out->parted, in);
  }
  SIMT_ELSE
  {
    simt_sync_lanes(in->sides);
    RESULTS(out->parted, in);
  }
  SIMT_ENDIF
  simt_sync_lanes(-1);
  SIMT_WHILE(turn < in->turns)
  {
    struct votes votes;
    VOTES(votes, (in->holds >> turn & 1) != 0);
    hash = mix(hash, votes.all + 2 * votes.any + 4 * votes.uni);
    hash = mix(hash, (unsigned)votes.ballot64);
    hash = mix(hash, (unsigned)(votes.ballot64 >> 32));
    hash = mix(hash, simt_shfl_idx(in->value + turn, in->best));
    turn++;
  }
  simt_sync_lanes(-1);
  out->loop = mix(hash, simt_any(turn == 3));
}

static unsigned random_word(void)
{
  static unsigned state = SEED;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

typedef unsigned long long set;

static set lane_set(unsigned lane)
{
  return (set)1 << lane;
}

// The model: votes of the lanes in `active`.
static struct votes votes_of(set active, set holds, unsigned lanes)
{
  const set yes = active & holds;
  return (struct votes){yes == active, yes != 0, yes == 0 || yes == active, lanes > 32 ? 0 : (unsigned)yes, yes};
}

static int same_votes(const struct votes *a, const struct votes *b)
{
  return a->all == b->all && a->any == b->any && a->uni == b->uni && a->ballot == b->ballot &&
         a->ballot64 == b->ballot64;
}

// A shuffle from lane `from` of the warp, or from none; what an inactive lane holds is not defined.
static int right(unsigned got, const struct input *in, unsigned lane, unsigned from, unsigned lanes, set active)
{
  if (from >= lanes)
    return got == in[lane].value;
  return !(active & lane_set(from)) || got == in[from].value;
}

static int check(const struct result *r, const struct input *in, unsigned lane, unsigned lanes, set active)
{
  set holds = 0;
  for (unsigned l = 0; l < lanes; l++)
    holds |= in[l].holds ? lane_set(l) : 0;
  const struct votes votes = votes_of(active, holds, lanes);
  const unsigned by = in[lane].by;
  return same_votes(&r->votes, &votes) && right(r->up, in, lane, by > lane ? lanes : lane - by, lanes, active) &&
         right(r->down, in, lane, lane + by, lanes, active) && right(r->bfly, in, lane, lane ^ by, lanes, active) &&
         right(r->idx, in, lane, by, lanes, active);
}

static unsigned loop_of(const struct input *in, unsigned lane, unsigned lanes)
{
  unsigned hash = 0, any = 0;
  for (unsigned turn = 0; turn < in[lane].turns; turn++) {
    set active = 0, holds = 0;
    for (unsigned l = 0; l < lanes; l++) {
      active |= in[l].turns > turn ? lane_set(l) : 0;
      holds |= in[l].holds >> turn & 1 ? lane_set(l) : 0;
    }
    const struct votes votes = votes_of(active, holds, lanes);
    hash = mix(hash, votes.all + 2 * votes.any + 4 * votes.uni);
    hash = mix(hash, (unsigned)votes.ballot64);
    hash = mix(hash, (unsigned)(votes.ballot64 >> 32));
    hash = mix(hash, in[in[lane].best].value + turn);
  }
  for (unsigned l = 0; l < lanes; l++)
    any |= in[l].turns == 3;
  return mix(hash, any);
}

static void fill(struct input *in, unsigned lanes, unsigned number)
{
  const unsigned kind = number % 3; // predicates: random, all, none
  unsigned best = 0;
  for (unsigned l = 0; l < lanes; l++) {
    const unsigned r = random_word();
    in[l].side = r >> 9 & 1;
    in[l].turns = (r >> 12) % 6;
    in[l].holds = kind == 0 ? random_word() >> (random_word() & 31) : kind == 1 ? ~0u : 0;
    in[l].value = random_word();
    in[l].by = number % 2 ? (r >> 20) & 63 : (r >> 20) & (lanes - 1);
    best = in[l].turns > in[best].turns ? l : best;
  }
  for (unsigned l = 0; l < lanes; l++) {
    in[l].best = best;
    in[l].sides = 0;
    for (unsigned other = 0; other < lanes; other++)
      in[l].sides |= in[other].side == in[l].side ? lane_set(other) : 0;
  }
}

int main(void)
{
  const unsigned lanes = simt_shape().lanes, threads = CASES * lanes;
  struct input *const in = simt_alloc(threads * sizeof *in);
  struct output *const out = simt_alloc(threads * sizeof *out);
  unsigned wrong = 0;
  for (unsigned i = 0; i < CASES; i++)
    fill(in + i * lanes, lanes, i);
  if (simt_launch(measure, dim3(CASES), dim3(lanes), .input = in, .output = out, .lanes = lanes) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < threads; i++) {
    const unsigned lane = i % lanes;
    const struct input *const block = in + (i - lane);
    const set all = lanes == 64 ? ~(set)0 : lane_set(lanes) - 1;
    const int together = check(&out[i].together, block, lane, lanes, all);
    const int parted = check(&out[i].parted, block, lane, lanes, block[lane].sides);
    const int loop = out[i].loop == loop_of(block, lane, lanes);
    wrong += !together + !parted + !loop;
    if (!(together && parted && loop) && wrong < 8)
      printf("case %u, lane %u: together %d, parted %d, loop %d\n", i / lanes, lane, together, parted, loop);
  }
  printf(" %u wrong of %u\n", wrong, 3 * threads);
  return wrong != 0;
}
