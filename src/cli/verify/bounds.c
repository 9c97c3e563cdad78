#include "cli/verify/bounds.h"

#include <math.h>
#include <string.h>

#include "observe/table.h"
#include "observe/wrapped_text.h"

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

static const char *const instruction_names[SL_BOUNDED_INSTRUCTIONS] = {"warp_instrs", "thread_instrs"};

static void add_row(struct sl_table *table, const char *program, const char *what, struct sl_bounded_value value)
{
  const int digits = floor(value.ours) == value.ours && floor(value.recorded) == value.recorded ? 0 : 3;
  sl_table_cell(table, "%s", program);
  sl_table_cell(table, "%s", what);
  sl_table_cell(table, "%.*f", digits, value.ours);
  sl_table_cell(table, "%.*f", digits, value.recorded);
  sl_table_cell(table, "%+.2f", sl_bounded_difference(value));
}

static void add_run(struct sl_table *table, const struct sl_bounds *bounds, const struct sl_bounded_run *run,
                    size_t count, size_t i, bool quiet)
{
  struct sl_bounded_value slope;
  if (run[i].failed)
    return;
  if (run[i].kernel && (!quiet || fabs(sl_bounded_difference(run[i].cycles)) > bounds->kernel_worst))
    add_row(table, run[i].name, "cycles", run[i].cycles);
  if (sl_bounded_slope(run, count, i, &slope) && (!quiet || fabs(sl_bounded_difference(slope)) > bounds->slope_worst))
    add_row(table, run[i].name, "slope", slope);
  for (unsigned k = 0; k < SL_BOUNDED_INSTRUCTIONS; k++)
    if (run[i].instructions[k].ours != run[i].instructions[k].recorded)
      add_row(table, run[i].name, instruction_names[k], run[i].instructions[k]);
}

static void print_group(FILE *file, const char *what, const struct sl_bounded_group *group)
{
  if (group->count == 0)
    return;
  const char *name = group->worst_name != NULL ? group->worst_name : "";
  sl_print_lines(file, 2,
                 "%zu %s: mean absolute difference %.2f %%, worst %.2f %%%s%s%s, %zu exactly equal, %zu out of bounds",
                 group->count, what, group->mean, group->worst, *name ? " (" : "", name, *name ? ")" : "", group->equal,
                 group->outside);
}

void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet)
{
  static const char *const titles[] = {"program", "value", ">ours", ">recorded", ">difference %", NULL};
  const struct sl_bounds_verdict verdict = sl_bounds_judge(bounds, run, count);
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < count; i++)
    add_run(&table, bounds, run, count, i, quiet);
  if (table.count > 0)
    sl_table_print(&table, file);
  sl_table_free(&table);
  print_group(file, "kernels", &verdict.kernels);
  print_group(file, "slopes", &verdict.slopes);
  sl_print_lines(file, 2,
                 "%s against the recorded '%s': %s; %zu of %zu programs ran, %zu with another number of instructions",
                 machine, configuration, verdict.holds ? "within bounds" : "out of bounds", count - verdict.failed,
                 count, verdict.miscounted);
  sl_print_lines(file, 2, "bounds: kernels %g %% on average and %g %% each, slopes %g %% each", bounds->kernel_mean,
                 bounds->kernel_worst, bounds->slope_worst);
}

/* JSON has no infinity. */
static json_t *number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *value_json(struct sl_bounded_value value)
{
  return json_pack("{sf sf so}", "ours", value.ours, "recorded", value.recorded, "difference_percent",
                   number(sl_bounded_difference(value)));
}

static json_t *group_json(const struct sl_bounded_group *group)
{
  return json_pack("{sI sI sI so so ss?}", "compared", (json_int_t)group->count, "equal", (json_int_t)group->equal,
                   "outside", (json_int_t)group->outside, "mean_percent", number(group->mean), "worst_percent",
                   number(group->worst), "worst_program", group->worst_name);
}

json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count)
{
  const struct sl_bounds_verdict verdict = sl_bounds_judge(bounds, run, count);
  return json_pack("{s{sf sf sf} so so sI sI sb}", "bounds", "kernel_mean_percent", bounds->kernel_mean,
                   "kernel_worst_percent", bounds->kernel_worst, "slope_worst_percent", bounds->slope_worst, "kernels",
                   group_json(&verdict.kernels), "slopes", group_json(&verdict.slopes), "miscounted",
                   (json_int_t)verdict.miscounted, "failed", (json_int_t)verdict.failed, "holds", verdict.holds);
}

json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i)
{
  struct sl_bounded_value slope;
  json_t *json = json_pack("{so}", "cycles", value_json(run[i].cycles));
  for (unsigned k = 0; k < SL_BOUNDED_INSTRUCTIONS; k++)
    json_object_set_new(json, instruction_names[k], value_json(run[i].instructions[k]));
  if (sl_bounded_slope(run, count, i, &slope))
    json_object_set_new(json, "slope", value_json(slope));
  return json;
}
