/* Sampled timing within a launch, in the style of SMARTS (Wunderlich et al., ISCA 2003).
 *
 * The first instructions are timed, and count as they are: a stratum that is exact. Then, in turn: no warp is picked
 * until nothing is under way; warps execute their shares of a stretch without timing (engine/warp_shares.h); some
 * instructions are timed to warm up; some are measured, a window. When warps end or more come to run, that is exact
 * again, and so is the last twentieth of a launch by the length of the one before it of its kind. A launch that ends
 * before anything is skipped is exact. Phases end after numbers of warp instructions, since with windows of a fixed
 * time slow phases would weigh too little. They are counted by what the machine counts alike with and without timing,
 * its progress (struct sl_machine_sampling): instructions of warps, or those of threads where timing takes passes that
 * nothing else does; then as many of these as a warp has lanes count as one of a warp.
 *
 * Where the program runs on the machine alone, what it executes between its launches is in none of their counters: it
 * is timed at first, so that short programs are exact, and then is not.
 *
 * The automatic plan skips a part of what the kernel has executed so far, so that a launch has windows however long it
 * is, and nothing needs to know how long it will be. */
#ifndef SL_ENGINE_SAMPLING_H
#define SL_ENGINE_SAMPLING_H

#include "engine/engine.h"
#include "engine/warp_shares.h"
#include "engine/window_sums.h"

struct sl_sampling {
  uint64_t measured, warm, skipped; /* warp instructions; the last drawn between half and 3/2 of it; all 0: automatic */
  uint64_t seed;
};

enum sl_sampling_phase {
  SL_SAMPLING_EXACT,
  SL_SAMPLING_UNEVEN, /* likewise: most warps wait for a few */
  SL_SAMPLING_DRAIN,
  SL_SAMPLING_SKIP,
  SL_SAMPLING_WARM,
  SL_SAMPLING_EARLY, /* the first half of what is measured */
  SL_SAMPLING_LATE,
  SL_SAMPLING_WHOLE,   /* the launch is executed without timing */
  SL_SAMPLING_OUTSIDE, /* no launch is under way */
};

/* One SM's. Between launches only the plan and `random` are kept. */
struct sl_sampler {
  struct sl_sampling plan;
  bool automatic;
  uint64_t first;   /* timed at the beginning of a launch */
  uint64_t program; /* instructions of all launches before */
  uint64_t random;
  size_t cycles, progress; /* counters */
  unsigned unit;           /* progress of an instruction of a whole warp */
  enum sl_sampling_phase phase;
  uint64_t goal;                         /* instructions at the phase's end */
  uint64_t earlier;                      /* instructions of earlier launches */
  uint64_t base;                         /* progress of all before this one */
  uint64_t expected;                     /* progress at the end of this one; 0: nobody knows */
  uint64_t skipped;                      /* progress of this one without timing, */
  uint64_t skip_begin;                   /* and where the part of it began that is under way */
  uint64_t untimed;                      /* instructions of the program without timing */
  bool outside_untimed, begun_untimed;   /* what is between launches, and what was before this one */
  uint64_t mark;                         /* progress at the end of the last window, or exact stratum before one */
  unsigned population;                   /* the most warps at once so far */
  uint64_t tail_cycles, tail_progress;   /* of exact strata after a skip */
  uint64_t drains, drained;              /* how often nothing was under way, and cycles until then */
  struct sl_counter_values exact, since; /* what exact strata have counted; begin of the one under way */
  struct sl_counter_values begin, middle;
  struct sl_warp_shares shares;
  uint64_t way_begin, way_progress; /* at the begin of a timed stretch, and of those before */
  uint64_t *issued;                 /* by warp */
  /* Without timing. */
  unsigned last;          /* warp that had a turn */
  unsigned in_round;      /* turns since the lowest warp's */
  unsigned rounds_of_few; /* in which hardly any warp had one */
  struct sl_window_sums *sums;
};

/* SL_INTERNAL: no memory. */
enum sl_status sl_sampler_open(struct sl_sampler *s, const struct sl_sampling *plan, const struct sl_machine *machine,
                               unsigned warps, unsigned lanes, struct sl_error *err);
void sl_sampler_close(struct sl_sampler *s);

/* Uniform in 0 to `most`. */
uint64_t sl_sampler_draw(struct sl_sampler *s, uint64_t most);

/* No launch is under way on a machine that the program has to itself. */
void sl_sampler_outside(struct sl_sampler *s);

/* A launch begins, after earlier ones of its kernel with so many instructions, the last of which came to a progress of
 * `expected`; its windows are added to the sums. Whole: nothing of it is timed. */
void sl_sampler_begin(struct sl_sampler *s, const struct sl_sm *sm, uint64_t earlier, uint64_t expected, bool whole,
                      struct sl_window_sums *sums);

/* What the launch has executed, as the machine measures it. */
uint64_t sl_sampler_progress(const struct sl_sampler *s, const struct sl_sm *sm);

/* Advances a running SM until the launch ends or about so many cycles and skipped instructions have passed, which are
 * added to `spent`. */
enum sl_sm_state sl_sampler_run(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget, uint64_t *spent);

/* The launch has ended: what its exact strata have counted. True: that is all of it. On a machine that the program has
 * to itself sl_sampler_outside follows. */
bool sl_sampler_end(struct sl_sampler *s, const struct sl_sm *sm, struct sl_counter_values *exact);

#endif
