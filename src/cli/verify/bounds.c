#include "cli/verify/bounds.h"

#include <math.h>
#include <string.h>

/* Loop iterations of every micro-program. */
enum { ITERATIONS = 40 };

double sl_bounded_difference(struct sl_bounded_value value)
{
  if (value.ours == value.recorded)
    return 0;
  return value.recorded == 0 ? INFINITY : 100 * (value.ours - value.recorded) / value.recorded;
}

bool sl_bounded_miscounts(const struct sl_bounded_run *run)
{
  bool equal = true;
  for (unsigned i = 0; i < SL_BOUNDED_INSTRUCTIONS; i++)
    equal = equal && run->instructions[i].ours == run->instructions[i].recorded;
  return !run->failed && !equal;
}

/* The run that is paired with `longer`, NAME_b: NAME_a. */
static const struct sl_bounded_run *partner(const struct sl_bounded_run *run, size_t count,
                                            const struct sl_bounded_run *longer)
{
  const size_t stem = strlen(longer->name) - 1;
  for (size_t i = 0; i < count; i++)
    if (strncmp(run[i].name, longer->name, stem) == 0 && strcmp(run[i].name + stem, "a") == 0)
      return &run[i];
  return NULL;
}

bool sl_bounded_slope(const struct sl_bounded_run *run, size_t count, size_t i, struct sl_bounded_value *slope)
{
  const struct sl_bounded_run *b = &run[i];
  const size_t length = strlen(b->name);
  if (b->kernel || b->failed || length < 2 || strcmp(b->name + length - 2, "_b") != 0)
    return false;
  const struct sl_bounded_run *a = partner(run, count, b);
  if (a == NULL || a->failed)
    return false;
  *slope = (struct sl_bounded_value){(b->cycles.ours - a->cycles.ours) / ITERATIONS,
                                     (b->cycles.recorded - a->cycles.recorded) / ITERATIONS};
  return true;
}

/* `mean` holds the sum until the group is complete. */
static void add(struct sl_bounded_group *group, struct sl_bounded_value value, double worst, const char *name)
{
  const double difference = fabs(sl_bounded_difference(value));
  group->count++;
  group->equal += value.ours == value.recorded;
  group->outside += difference > worst;
  group->mean += difference;
  if (difference > group->worst) {
    group->worst = difference;
    group->worst_name = name;
  }
}

static void complete(struct sl_bounded_group *group)
{
  group->mean = group->count > 0 ? group->mean / (double)group->count : 0;
}

struct sl_bounds_verdict sl_bounds_judge(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count)
{
  struct sl_bounds_verdict verdict = {0};
  for (size_t i = 0; i < count; i++) {
    struct sl_bounded_value slope;
    verdict.failed += run[i].failed;
    verdict.miscounted += sl_bounded_miscounts(&run[i]);
    if (run[i].kernel && !run[i].failed)
      add(&verdict.kernels, run[i].cycles, bounds->kernel_worst, run[i].name);
    else if (sl_bounded_slope(run, count, i, &slope))
      add(&verdict.slopes, slope, bounds->slope_worst, run[i].name);
  }
  complete(&verdict.kernels);
  complete(&verdict.slopes);
  const bool mean_holds = verdict.kernels.mean <= bounds->kernel_mean || verdict.kernels.count < bounds->kernels;
  verdict.holds = verdict.failed == 0 && verdict.miscounted == 0 && verdict.kernels.outside == 0 &&
                  verdict.slopes.outside == 0 && mean_holds;
  return verdict;
}
