/* Sampled timing within a launch, in the style of SMARTS (Wunderlich et al., ISCA 2003).
 *
 * The first instructions of a launch are timed; their counters form an exact stratum. Then four phases repeat. Drain:
 * issue stops until the pipeline has drained. Skip: warps execute their shares of an interval without timing
 * (engine/sampling.h). Warm-up: some instructions are timed. Measurement: further timed instructions form a window.
 * Timing is exact again when warps end or more warps start, and in the last twentieth of a launch, according to the
 * length of the previous launch of the same kind. A launch that ends before any skip is exact.
 *
 * Phases end after numbers of warp instructions: windows of fixed time would give slow phases too little weight. The
 * unit is the machine's progress counter (struct sl_machine_sampling), which counts alike with and without timing. It
 * counts warp instructions, or thread instructions if only the timed mode replays instructions. In the latter case, a
 * warp instruction is as many thread instructions as a warp has lanes.
 *
 * If the program runs on the machine without a host CPU, no launch counts the instructions between launches. They are
 * timed at first, so that short programs are exact, and later not.
 *
 * The automatic plan skips a fraction of the instructions that the kernel has executed so far. So launches of any
 * length have windows, and the plan needs no advance knowledge of the length. */
#ifndef SL_ENGINE_SAMPLING_H
#define SL_ENGINE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "device/engine/engine.h"
#include "machine/machine.h"

/* The ratio estimator of sampled timing: sums over a kernel's windows, and the estimates from them.
 *
 * A window is a number of measured warp instructions with their counters, in two halves. Its weight is the length of
 * the interval of the launch that it represents, most of which is not timed. The estimate of a counter per instruction
 * is the weighted mean over windows. The 95 % confidence interval has two parts. Sampling error: Student's t and the
 * variance over windows (Cochran, Sampling Techniques, sections 5.9 and 6.3; degrees of freedom from the weights, after
 * Kish). Bias: the difference between later and earlier halves of windows, which vanishes after enough warm-up. */

/* Fewer windows give no confidence interval: they may agree by chance and suggest a precision that does not exist. */
enum { SL_WINDOWS_MIN = 4 };

/* The counters at one moment. */
struct sl_counter_values {
  uint64_t of[SL_MAX_COUNTERS];
};

/* Sums over windows of weights, of rates (counts per instruction) and of drifts (later half's rate minus earlier
 * half's). */
struct sl_window_sums {
  uint64_t windows;
  double weights, squares; /* sums of weights and of squared weights */
  struct sl_rate_sums {
    double rate, once,
        twice; /* rate: weighted by weights; once: by squared weights; twice: of squared rates, by squared weights */
    double drift, drift_once, drift_twice;
  } counter[SL_MAX_COUNTERS];
};

/* Adds a window, given the counters at its begin, middle and end. `instructions` is the index of the counter of warp
 * instructions. */
void sl_window_sums_add(struct sl_window_sums *sums, double weight, const struct sl_counter_values *begin,
                        const struct sl_counter_values *middle, const struct sl_counter_values *end, size_t counters,
                        size_t instructions);

struct sl_ratio {
  double value;  /* counts per instruction */
  double chance; /* half of the 95 % interval from sampling error; infinite with fewer than SL_WINDOWS_MIN windows */
  double bias;   /* not negative */
  double drift;  /* mean over windows: later minus earlier half, per instruction */
  double drift_chance; /* half of its 95 % interval: a greater drift is significant */
};

/* The 97.5 % quantile of Student's t, by its expansion around the normal distribution (Abramowitz and Stegun, 26.7.5).
 * The error is at most 0.02 from 5 degrees of freedom on. */
double sl_window_student(double freedom);

struct sl_ratio sl_window_sums_ratio(const struct sl_window_sums *sums, size_t counter);

/* Each warp's share of an untimed interval in sampled simulation.
 *
 * Warps drift apart while they are timed, and the cost of a cycle depends on these distances: blocks in lockstep load
 * at the same time and compute at the same time. Fixed time slices for all warps would bring warps that wait for each
 * other into lockstep. So each warp leads the others by as much as it did while timed: by its mean lead over all timed
 * intervals, as far as that is statistically significant (shrinkage after James and Stein, 1961). An additional random
 * lead, as of a random walk, made estimates worse: random leads of one interval mostly disappear in the next. */

struct sl_warp_share {
  uint64_t begin; /* instructions issued before the timed interval */
  uint64_t left;  /* remaining instructions of the current untimed interval */
  double leads;   /* sum of leads over the mean warp, in all timed intervals */
};

struct sl_warp_shares {
  unsigned warps, spans;
  struct sl_warp_share *warp;
  uint64_t dealt;
  double ways, squares; /* instructions of the mean warp in all timed intervals; squares of leads, each divided by its
                           interval's instructions */
};

/* Allocates shares for `warps` warps; returns false if out of memory. */
bool sl_warp_shares_open(struct sl_warp_shares *shares, unsigned warps);
void sl_warp_shares_close(struct sl_warp_shares *shares);

/* Starts a launch without knowledge of its warps. */
void sl_warp_shares_start(struct sl_warp_shares *shares);

/* Start and end a timed interval; `issued` holds the instructions of each warp so far. */
void sl_warp_shares_begin(struct sl_warp_shares *shares, const uint64_t *issued);
void sl_warp_shares_end(struct sl_warp_shares *shares, const uint64_t *issued);

/* Assigns the shares (`left`) of an untimed interval of `way` instructions of the mean warp. */
void sl_warp_shares_deal(struct sl_warp_shares *shares, double way);

/* The fraction of it that warps have not executed, 0 to 1. */
double sl_warp_shares_left(const struct sl_warp_shares *shares);

struct sl_sampling {
  uint64_t measured, warm,
      skipped; /* warp instructions; each skip is drawn between half and 3/2 of `skipped`; all 0: automatic */
  uint64_t seed;
};

enum sl_sampling_phase {
  SL_SAMPLING_EXACT,
  SL_SAMPLING_UNEVEN, /* exact, too: most warps wait for a few */
  SL_SAMPLING_DRAIN,
  SL_SAMPLING_SKIP,
  SL_SAMPLING_WARM,
  SL_SAMPLING_EARLY, /* the first half of a window */
  SL_SAMPLING_LATE,
  SL_SAMPLING_WHOLE,   /* the whole launch is executed without timing */
  SL_SAMPLING_OUTSIDE, /* no launch is in progress */
};

/* The sampler of an SM. Between launches it keeps only the plan and `random`. */
struct sl_sampler {
  struct sl_sampling plan;
  bool automatic;
  uint64_t first;   /* instructions timed at the beginning of a launch */
  uint64_t program; /* instructions of all previous launches */
  uint64_t random;
  size_t cycles, progress; /* indices of these counters */
  unsigned unit;           /* progress of one instruction of a full warp */
  enum sl_sampling_phase phase;
  uint64_t goal;                       /* instructions at the end of the phase */
  uint64_t earlier;                    /* instructions of earlier launches */
  uint64_t base;                       /* progress before this launch */
  uint64_t expected;                   /* progress at the end of this launch; 0: unknown */
  uint64_t skipped;                    /* progress of this launch without timing */
  uint64_t skip_begin;                 /* start of the current skip */
  uint64_t untimed;                    /* instructions of the program without timing */
  bool outside_untimed, begun_untimed; /* the code between launches, and the code before this launch, is untimed */
  uint64_t mark;       /* progress at the end of the latest window, or of the exact stratum before the first */
  unsigned population; /* maximum number of simultaneous warps so far */
  uint64_t tail_cycles, tail_progress;   /* of exact strata after a skip */
  uint64_t drains, drained;              /* number of drains, and their cycles */
  struct sl_counter_values exact, since; /* counters of finished exact strata, and at the start of the current one */
  struct sl_counter_values begin, middle;
  struct sl_warp_shares shares;
  uint64_t way_begin, way_progress; /* progress at the start of a timed interval, and in all earlier timed intervals */
  uint64_t *issued;                 /* instructions, by warp */
  /* State of the untimed mode. */
  unsigned last;          /* warp of the latest time slice */
  unsigned in_round;      /* time slices since that of the lowest warp */
  unsigned rounds_of_few; /* rounds in which few warps had a time slice */
  struct sl_window_sums *sums;
};

/* Initialises a sampler. SL_INTERNAL: out of memory. */
enum sl_status sl_sampler_open(struct sl_sampler *s, const struct sl_sampling *plan, const struct sl_machine *machine,
                               unsigned warps, unsigned lanes, struct sl_error *err);
void sl_sampler_close(struct sl_sampler *s);

/* A uniformly distributed number from 0 to `most`. */
uint64_t sl_sampler_draw(struct sl_sampler *s, uint64_t most);

/* Marks that no launch is in progress, on a machine without a host CPU. */
void sl_sampler_outside(struct sl_sampler *s);

/* Starts a launch. `earlier` is the number of instructions of earlier launches of its kernel; `expected` is the
 * progress at the end of the latest of them. Windows are added to `sums`. whole: the launch is untimed. */
void sl_sampler_begin(struct sl_sampler *s, const struct sl_sm *sm, uint64_t earlier, uint64_t expected, bool whole,
                      struct sl_window_sums *sums);

/* The progress of the launch. */
uint64_t sl_sampler_progress(const struct sl_sampler *s, const struct sl_sm *sm);

/* Advances a running SM until the launch ends or about `budget` cycles plus skipped instructions have passed. Adds them
 * to `spent`. */
enum sl_sm_state sl_sampler_run(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget, uint64_t *spent);

/* Ends a launch and stores the counters of its exact strata. Returns true if they cover the whole launch. On a machine
 * without a host CPU, call sl_sampler_outside next. */
bool sl_sampler_end(struct sl_sampler *s, const struct sl_sm *sm, struct sl_counter_values *exact);

#endif
