#include "cli/verify/verify_bounds.h"

#include <math.h>

#include "observe/table.h"
#include "observe/wrapped_text.h"

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
