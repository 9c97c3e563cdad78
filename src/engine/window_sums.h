/* The ratio estimator of sampled timing: sums over a kernel's windows, and the estimates from them.
 *
 * A window is a number of measured warp instructions with their counters, in two halves. Its weight is the length of
 * the interval of the launch that it represents, most of which is not timed. The estimate of a counter per instruction
 * is the weighted mean over windows. The 95 % confidence interval has two parts. Sampling error: Student's t and the
 * variance over windows (Cochran, Sampling Techniques, sections 5.9 and 6.3; degrees of freedom from the weights, after
 * Kish). Bias: the difference between later and earlier halves of windows, which vanishes after enough warm-up. */
#ifndef SL_ENGINE_WINDOW_SUMS_H
#define SL_ENGINE_WINDOW_SUMS_H

#include "machine/machine.h"

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

struct sl_ratio sl_window_sums_ratio(const struct sl_window_sums *sums, size_t counter);

#endif
