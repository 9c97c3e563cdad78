/* Kernels and sweeps of the reproduction, and the values that it computes from the runs. studies/cfm-dmsl.yaml has the
 * machines. */
#include "cli/paper/paper_cfm.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- declaration ------------------------------------------------------------------------------------------------- */

/* Table II, [start:end:step], times the number of hardware threads. With two dimensions the number is that of their
 * product. */
#define TO_184                                                                                                         \
  {                                                                                                                    \
    "4", "24", "44", "64", "84", "104", "124", "144", "164", "184"                                                     \
  }
#define TO_48                                                                                                          \
  {                                                                                                                    \
    "4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"                                               \
  }

const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS] = {
    [SL_SAXPY] = {"saxpy", TO_184, 2},
    [SL_SGEMV] = {"sgemv", TO_184, 2},
    [SL_SGEMM] = {"sgemm", TO_48, 2},
    [SL_KNN] = {"knn", TO_184, 2},
    [SL_SFILTER] = {"sfilter", TO_48, 2},
    [SL_CONV2D] = {"conv2d", {"2", "4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24"}, 2},
    [SL_GCN_AGGR] = {"gcn_aggr", {"cora", "citeseer", "pubmed"}, 1},
    [SL_SGEMV_ROWS] = {"sgemv_rows", TO_184, 2},
};

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static const char *choice(size_t index)
{
  return index < SL_CFM_KERNELS ? sl_cfm_sweeps[index].kernel : NULL;
}

size_t sl_cfm_points(const struct sl_paper_runs *runs, size_t kernel)
{
  size_t count = 0;
  while (sl_cfm_sweeps[kernel].points[count] != NULL)
    count++;
  return runs->small ? sl_cfm_sweeps[kernel].small : count;
}

bool sl_cfm_has(const struct sl_paper_runs *runs, size_t config, size_t kernel)
{
  return runs->chosen[kernel] && (runs->configs[config].benchmarks >> kernel & 1);
}

static size_t place_of(size_t config, size_t kernel, size_t point)
{
  return (config * SL_CFM_KERNELS + kernel) * SL_CFM_POINTS + point;
}

const struct sl_paper_run *sl_cfm_run(const struct sl_paper_runs *runs, size_t config, size_t kernel, size_t point)
{
  return &runs->runs[place_of(config, kernel, point)];
}

static uint64_t key_of(const struct sl_config *machine, const char *name)
{
  const struct sl_key *key = sl_key_find(machine->machine->keys, name);
  return key != NULL ? (uint64_t)sl_key_value(key, machine->spec) : 0;
}

double sl_cfm_peak(const struct sl_paper_runs *runs, size_t config)
{
  const struct sl_config *machine = &runs->machines[config].with[0];
  return (double)(key_of(machine, "lanes") * key_of(machine, "cores"));
}

/* gcn_aggr cannot stream; it only uses hardware loops. */
static const char *form_of(const struct sl_paper_config *config, size_t kernel)
{
  const char *form = config->form;
  return kernel == SL_GCN_AGGR && strcmp(form, "cfm-dmsl") == 0 ? "cfm" : form;
}

static void plan_run(struct sl_paper_runs *runs, size_t c, size_t k, size_t p)
{
  const char *kernel = sl_cfm_sweeps[k].kernel, *point = sl_cfm_sweeps[k].points[p];
  struct sl_paper_run *run =
      sl_paper_plan(runs, place_of(c, k, p), c, "%s/%s-%s", runs->configs[c].name, kernel, point);
  run->what = (struct sl_benchmark){.name = kernel, .size = {point, point}};
  run->benchmark = kernel;
  run->argument = point;
  run->isa = form_of(&runs->configs[c], k);
  snprintf(run->program, sizeof run->program, "bench-vortex/%s-%s.elf", kernel, run->isa);
}

static enum sl_status plan(struct sl_paper_runs *runs, struct sl_error *err)
{
  (void)err;
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++)
      for (size_t p = 0; sl_cfm_has(runs, c, k) && p < sl_cfm_points(runs, k); p++)
        plan_run(runs, c, k, p);
  return SL_OK;
}

/* Parses the program's counts of its kernel region. */
static enum sl_status read_region(struct sl_paper_run *run, const struct sl_bench_row *row, struct sl_error *err)
{
  const char *from = strstr(row->output.text, "kernel cycles ");
  struct sl_saved_run *result = &run->result;
  char verdict[16] = "";
  result->launches = 1;
  result->samples = 0;
  if (from == NULL ||
      sscanf(from, "kernel cycles %" SCNu64 ", thread instructions %" SCNu64 ", flops %" SCNu64 ": %15s",
             &result->region.cycles, &result->region.thread_instrs, &result->region.flops, verdict) != 4 ||
      strcmp(verdict, "passed") != 0 || result->region.cycles == 0)
    return sl_fail(err, SL_CHECK_FAILED,
                   "the program does not print its kernel's cycles, instructions and FLOPs and that it passed");
  return SL_OK;
}

const struct sl_paper sl_paper_cfm_dmsl = {
    .name = "cfm-dmsl",
    .title = "G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs",
    .config_count = SL_CFM_CONFIGS,
    .whole_program = true,
    .places = SL_CFM_CONFIGS * SL_CFM_KERNELS * SL_CFM_POINTS,
    .points = SL_CFM_POINTS,
    .choice = choice,
    .plan = plan,
    .check = read_region,
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const double clock_ghz = 0.8; /* the frequency of Table III */

static double amount(const struct sl_paper_run *run, enum sl_cfm_quantity quantity, bool whole)
{
  if (quantity == SL_CFM_LINES)
    return (double)sl_paper_counter(run, "streams.lines"); /* only the kernel region's streams request lines */
  if (whole)
    return (double)sl_paper_counter(run, quantity == SL_CFM_CYCLES ? "cycles" : "thread_instrs");
  return (double)(quantity == SL_CFM_CYCLES ? run->result.region.cycles : run->result.region.thread_instrs);
}

/* Least-squares fit. With one point, the line through 0. */
double sl_cfm_slope(const struct sl_paper_runs *runs, size_t config, size_t kernel, enum sl_cfm_quantity quantity,
                    double *start)
{
  const size_t count = sl_cfm_points(runs, kernel);
  double x[SL_CFM_POINTS], y[SL_CFM_POINTS], mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (size_t p = 0; p < count; p++) {
    const struct sl_paper_run *run = sl_cfm_run(runs, config, kernel, p);
    x[p] = (double)run->result.region.flops;
    y[p] = amount(run, quantity, false);
    mean_x += x[p] / (double)count;
    mean_y += y[p] / (double)count;
  }
  for (size_t p = 0; p < count; p++) {
    xy += (x[p] - mean_x) * (y[p] - mean_y);
    xx += (x[p] - mean_x) * (x[p] - mean_x);
  }
  const double slope = xx > 0 ? xy / xx : mean_x > 0 ? mean_y / mean_x : 0;
  if (start != NULL)
    *start = mean_y - slope * mean_x;
  return slope;
}

/* Of amounts for some FLOPs. */
static double value_of(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t config, double base, double own,
                       double flops)
{
  const double rate = sl_paper_quotient(flops, own);
  switch (kind) {
  case SL_CFM_SPEEDUP:
  case SL_CFM_REDUCTION: return sl_paper_quotient(base, own);
  case SL_CFM_SHARE: return 100 * rate / sl_cfm_peak(runs, config);
  default: return clock_ghz * rate;
  }
}

double sl_cfm_value(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way)
{
  const enum sl_cfm_quantity quantity = kind == SL_CFM_REDUCTION ? SL_CFM_INSTRUCTIONS : SL_CFM_CYCLES;
  const size_t count = sl_cfm_points(runs, kernel);
  double sum = 0;
  if (way == SL_CFM_SLOPE)
    return value_of(runs, kind, config, sl_cfm_slope(runs, base, kernel, quantity, NULL),
                    sl_cfm_slope(runs, config, kernel, quantity, NULL), 1);
  for (size_t p = 0; p < count; p++) {
    const struct sl_paper_run *run = sl_cfm_run(runs, config, kernel, p);
    sum += value_of(runs, kind, config, amount(sl_cfm_run(runs, base, kernel, p), quantity, way == SL_CFM_WHOLE),
                    amount(run, quantity, way == SL_CFM_WHOLE), (double)run->result.region.flops);
  }
  return sum / (double)count;
}

double sl_cfm_mean(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config,
                   unsigned kernels, enum sl_cfm_way way)
{
  double sum = 0, count = 0;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((kernels >> k & 1) && sl_cfm_has(runs, config, k)) {
      sum += sl_cfm_value(runs, kind, base, config, k, way);
      count++;
    }
  return sl_paper_quotient(sum, count);
}

double sl_cfm_measured(const struct sl_paper_runs *runs, const struct sl_cfm_measure *m, enum sl_cfm_way way)
{
  double most = 0;
  bool any = false;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((m->kernels >> k & 1) && runs->chosen[k]) {
      any = true;
      if (m->largest && sl_cfm_has(runs, m->config, k))
        most = fmax(most, sl_cfm_value(runs, m->kind, m->base, m->config, k, way));
    }
  if (!any)
    return NAN;
  if (m->kind == SL_CFM_GAIN)
    return sl_paper_quotient(sl_cfm_mean(runs, SL_CFM_RATE, m->config, m->config, m->kernels, way),
                             sl_cfm_mean(runs, SL_CFM_RATE, m->base, m->base, m->kernels, way));
  return m->largest ? most : sl_cfm_mean(runs, m->kind, m->base, m->config, m->kernels, way);
}
