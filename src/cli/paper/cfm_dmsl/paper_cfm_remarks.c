/* Explains the numbers that differ most from the published ones. */
#include <math.h>

#include "cli/paper/cfm_dmsl/paper_cfm_figures.h"

static const double near_part = 0.3;

bool sl_cfm_far(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure)
{
  if (measure->paper <= 0)
    return false;
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    if (fabs(sl_cfm_measured(runs, measure, way) - measure->paper) <= near_part * measure->paper)
      return false;
  return true;
}

/* The kernel of the set whose value differs most from the published one, in the way of the paper's averages. */
static size_t furthest(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *m)
{
  size_t found = SL_CFM_KERNELS;
  double most = -1;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
    if (!(m->kernels >> k & 1) || !sl_cfm_has(runs, m->config, k))
      continue;
    const double value = sl_cfm_value(runs, m->kind, m->base, m->config, k, SL_CFM_SLOPE);
    const double distance = fabs(log(fmax(value, 1e-9) / m->paper));
    if (distance > most) {
      most = distance;
      found = k;
    }
  }
  return found;
}

/* Cycles and instructions for one FLOP in each lane of a warp. */
static void put_line(FILE *f, const struct sl_cfm_runs *runs, size_t config, size_t kernel, const char *name)
{
  const struct sl_cfm_line line = sl_cfm_fit(runs, config, kernel);
  const double lanes = sl_cfm_peak(runs, config);
  fprintf(f, "%s %.1f cycles and %.1f instructions of a warp for every %.0f FLOPs", name, line.cycles * lanes,
          line.instructions, lanes);
}

/* Lines that the streams request, which limit the speedup. */
static void put_lines(FILE *f, const struct sl_cfm_runs *runs, size_t config, size_t kernel)
{
  const double lines = sl_cfm_counter_slope(runs, config, kernel, "streams.lines");
  const double cycles = sl_cfm_fit(runs, config, kernel).cycles;
  if (lines > 0 && cycles > 0)
    fprintf(f, "; its streams request %.2f lines per cycle, %.1f per instruction", lines / cycles,
            lines * sl_cfm_peak(runs, config));
}

static double speedup_of_slots(const struct sl_cfm_runs *runs, size_t at)
{
  return sl_cfm_value(runs, SL_CFM_SPEEDUP, SL_CFM_SLOTS + 2 * at, SL_CFM_SLOTS + 2 * at + 1, SL_GCN_AGGR,
                      SL_CFM_SLOPE);
}

/* gcn_aggr, which cannot stream: the same with more outstanding loads. */
static void put_loads(FILE *f, const struct sl_cfm_runs *runs)
{
  if (sl_cfm_has(runs, SL_CFM_SLOTS, SL_GCN_AGGR))
    fprintf(f,
            ". Its loads keep both load slots of the core busy, with hardware loops or without; with 4 slots the "
            "speedup is %.2f, with 16 %.2f, and with 16 and a data cache that misses only once per line %.2f",
            speedup_of_slots(runs, 0), speedup_of_slots(runs, 1), speedup_of_slots(runs, 2));
}

/* Fixed cost of a launch relative to the smallest and the largest run. */
static void put_start(FILE *f, const struct sl_cfm_runs *runs, size_t config, size_t kernel)
{
  const size_t last = sl_cfm_point_count(runs, kernel) - 1;
  const double start = sl_cfm_fit(runs, config, kernel).start;
  if (start > 0)
    fprintf(f, ". A launch takes %.0f fixed cycles, of %.0f to %.0f in total", start,
            (double)sl_cfm_point(runs, config, kernel, 0)->region.cycles,
            (double)sl_cfm_point(runs, config, kernel, last)->region.cycles);
}

void sl_cfm_remark(FILE *file, const struct sl_cfm_runs *runs, const struct sl_cfm_measure *m)
{
  const size_t kernel = furthest(runs, m);
  if (kernel == SL_CFM_KERNELS)
    return;
  fprintf(file, "The largest difference is %s, %.2f: ", sl_cfm_sweeps[kernel].kernel,
          sl_cfm_value(runs, m->kind, m->base, m->config, kernel, SL_CFM_SLOPE));
  if (m->base != m->config) {
    put_line(file, runs, m->base, kernel, "without extensions, it takes");
    fputs("; ", file);
  }
  put_line(file, runs, m->config, kernel, "here, it takes");
  put_lines(file, runs, m->config, kernel);
  if (kernel == SL_GCN_AGGR && m->kind != SL_CFM_REDUCTION)
    put_loads(file, runs);
  else
    put_start(file, runs, m->config, kernel);
  fputs(".", file);
}
