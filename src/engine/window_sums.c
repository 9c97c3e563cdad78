#include "engine/window_sums.h"

#include <math.h>

/* A counter may be a level and decrease. */
static double rate(const struct sl_counter_values *from, const struct sl_counter_values *to, size_t counter,
                   size_t instructions)
{
  const uint64_t n = to->of[instructions] - from->of[instructions];
  return n > 0 ? (double)(int64_t)(to->of[counter] - from->of[counter]) / (double)n : 0;
}

void sl_window_sums_add(struct sl_window_sums *sums, double weight, const struct sl_counter_values *begin,
                        const struct sl_counter_values *middle, const struct sl_counter_values *end, size_t counters,
                        size_t instructions)
{
  const double square = weight * weight;
  sums->windows++;
  sums->weights += weight;
  sums->squares += square;
  for (size_t i = 0; i < counters; i++) {
    struct sl_rate_sums *c = &sums->counter[i];
    const double all = rate(begin, end, i, instructions);
    const double drift = rate(middle, end, i, instructions) - rate(begin, middle, i, instructions);
    c->rate += weight * all;
    c->once += square * all;
    c->twice += square * all * all;
    c->drift += weight * drift;
    c->drift_once += square * drift;
    c->drift_twice += square * drift * drift;
  }
}

/* The 97.5 % quantile of Student's t, by its expansion around the normal distribution (Abramowitz and Stegun, 26.7.5).
 * The error is at most 0.02 from 5 degrees of freedom on. */
static double student(double freedom)
{
  return 1.95996 + 2.3722 / freedom + 2.8225 / (freedom * freedom) + 2.5558 / (freedom * freedom * freedom);
}

/* Half of the 95 % confidence interval of a weighted mean, from sums weighted with the squared weights. */
static double half_interval(const struct sl_window_sums *sums, double mean, double once, double twice)
{
  const double alike = sums->weights * sums->weights / sums->squares; /* effective number of windows */
  if (sums->windows < SL_WINDOWS_MIN || alike <= 2)
    return INFINITY;
  const double residuals = twice - 2 * mean * once + mean * mean * sums->squares; /* rounding may make it negative */
  const double variance = (residuals > 0 ? residuals : 0) / (sums->weights * sums->weights) * alike / (alike - 1);
  return student(alike - 1) * sqrt(variance);
}

struct sl_ratio sl_window_sums_ratio(const struct sl_window_sums *sums, size_t counter)
{
  const struct sl_rate_sums *c = &sums->counter[counter];
  struct sl_ratio ratio = {.chance = INFINITY, .drift_chance = INFINITY};
  if (sums->windows == 0)
    return ratio;
  ratio.value = c->rate / sums->weights;
  ratio.drift = c->drift / sums->weights;
  ratio.bias = fabs(ratio.drift);
  ratio.chance = half_interval(sums, ratio.value, c->once, c->twice);
  ratio.drift_chance = half_interval(sums, ratio.drift, c->drift_once, c->drift_twice);
  return ratio;
}
