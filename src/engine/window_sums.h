/* The ratio estimator of sampled timing: what windows of a kernel come to, as sums, and what follows from them.
 *
 * A window is a number of measured warp instructions and what counters have counted in them, in two halves. It stands
 * for a stretch of the launch, most of which was not timed: its weight. The estimate of a counter per instruction is
 * the weighted mean over windows. Its 95 % bar has two parts: chance, by Student's t and the variance over windows
 * (Cochran, Sampling Techniques, sections 5.9 and 6.3; degrees of freedom by the weights, after Kish), and bias, which
 * is how far the later halves of windows are from the earlier ones: after enough warm-up they agree. */
#ifndef SL_ENGINE_WINDOW_SUMS_H
#define SL_ENGINE_WINDOW_SUMS_H

#include "machine/machine.h"

/* Fewer windows give no bar: by chance they may be alike, and would seem to be certain. */
enum { SL_WINDOWS_MIN = 4 };

/* Counters at one moment. */
struct sl_counter_values {
  uint64_t of[SL_MAX_COUNTERS];
};

/* Sums over windows, of weights, of rates (counts per instruction) and of drifts (later half's rate minus earlier's).
 */
struct sl_window_sums {
  uint64_t windows;
  double weights, squares; /* and of their squares */
  struct sl_rate_sums {
    double rate, once, twice; /* weighted; weighted by the squares; likewise of squared rates */
    double drift, drift_once, drift_twice;
  } counter[SL_MAX_COUNTERS];
};

/* Adds a window by the counters at its begin, middle and end; `instructions` is the counter of warp instructions. */
void sl_window_sums_add(struct sl_window_sums *sums, double weight, const struct sl_counter_values *begin,
                        const struct sl_counter_values *middle, const struct sl_counter_values *end, size_t counters,
                        size_t instructions);

struct sl_ratio {
  double value;        /* counts per instruction */
  double chance;       /* half of the 95 % interval; not finite with less than SL_WINDOWS_MIN windows */
  double bias;         /* not below 0 */
  double drift;        /* of windows on average: later halves minus earlier ones, per instruction */
  double drift_chance; /* as chance: a drift beyond it is not chance */
};

struct sl_ratio sl_window_sums_ratio(const struct sl_window_sums *sums, size_t counter);

#endif
