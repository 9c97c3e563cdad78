/* Explains the numbers that are near neither the paper nor the RTL. */
#include <math.h>

#include "cli/paper/simtight/paper_simtight_remarks.h"
#include "cli/paper/simtight/paper_simtight_suite.h"
#include "observe/table.h"

/* Near: within three percentage points, or within three tenths of the published value. */
static const double near_points = 3, near_part = 0.3;

enum { MOVERS = 2 };

static bool near(double ours, double published)
{
  return !isnan(published) && fabs(ours - published) <= fmax(near_points, near_part * fabs(published));
}

bool sl_simtight_far(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure)
{
  const double ours = sl_simtight_measured(figures, measure);
  return !near(ours, measure->paper) && !near(ours, sl_simtight_suite_mean(figures, measure));
}

/* The benchmark whose removal moves the mean closest to the published value, if any helps. */
static bool find_mover(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure,
                       unsigned without, unsigned *mover)
{
  double least = fabs(sl_simtight_mean(figures, measure->chart, measure->series, without) - measure->paper);
  bool found = false;
  for (unsigned b = 0; b < figures->runs->benchmark_count; b++) {
    if (without >> b & 1)
      continue;
    const double mean = sl_simtight_mean(figures, measure->chart, measure->series, without | 1u << b);
    const double distance = fabs(mean - measure->paper);
    if (distance >= least)
      continue;
    least = distance;
    *mover = b;
    found = true;
  }
  return found;
}

static void put_counted(FILE *f, const struct sl_simtight_figures *figures, size_t config, size_t b,
                        const char *counter, const char *what)
{
  char text[32];
  fprintf(f, "%s%s%s", sl_grouped(sl_paper_counter(figures->runs, config, b, counter), text),
          what[0] != '\0' ? " " : "", what);
}

/* Counters related to a measure. */
static void put_evidence(FILE *f, const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure,
                         size_t b)
{
  switch (measure->chart) {
  case SL_FIGURE_8_CYCLES:
  case SL_FIGURE_8_DRAM:
    if (measure->series == SL_FIGURE_8_RV32E) {
      put_counted(f, figures, SL_RV32E, b, "stack_cache_misses", "stack loads instead of ");
      put_counted(f, figures, SL_BASELINE, b, "stack_cache_misses", "and ");
      put_counted(f, figures, SL_RV32E, b, "dram_beats", "DRAM beats instead of ");
      put_counted(f, figures, SL_BASELINE, b, "dram_beats", "");
    } else {
      put_counted(f, figures, SL_RFC_ALL, b, "max_vector_registers", "vectors at most, ");
      put_counted(f, figures, SL_RFC_1024 + measure->series, b, "spills", "registers spilled and ");
      put_counted(f, figures, SL_RFC_1024 + measure->series, b, "unspills", "read back");
    }
    break;
  case SL_STACK_CACHE:
    put_counted(f, figures, SL_RFC_PP, b, "stack_cache_misses", "stack loads in ");
    put_counted(f, figures, SL_RFC_PP, b, "dram_transactions", "memory transactions");
    break;
  case SL_FIGURE_9:
    put_counted(f, figures, SL_RFC_PP, b, "scalarised_instrs", "instructions scalarised, ");
    put_counted(f, figures, SL_RFC_PP, b, "dram_beats", "DRAM beats in ");
    put_counted(f, figures, SL_RFC_PP, b, "cycles", "cycles");
    break;
  default: put_counted(f, figures, SL_RFC_ALL, b, "max_vector_registers", "vectors at most");
  }
}

void sl_simtight_remark(FILE *file, const struct sl_simtight_figures *figures,
                        const struct sl_simtight_measure *measure)
{
  const struct sl_chart *chart = &figures->charts[measure->chart];
  const bool sign = figures->kinds[measure->chart][measure->series] == SL_OVERHEAD;
  unsigned without = 0, mover, count = 0;
  char text[32];
  while (count < MOVERS && figures->runs->benchmark_count > count + 1 &&
         find_mover(figures, measure, without, &mover)) {
    fprintf(file, "%s%s: %s (", count == 0 ? "Moved most by " : "; ", chart->groups[mover],
            sl_simtight_percent(chart->series[measure->series].value[mover], sign, text));
    put_evidence(file, figures, measure, mover);
    fputc(')', file);
    without |= 1u << mover;
    count++;
  }
  if (count > 0)
    fprintf(file, ". Without %s the mean is %s.", count == 1 ? "it" : "the two",
            sl_simtight_percent(sl_simtight_mean(figures, measure->chart, measure->series, without), sign, text));
  else
    fputs("No single benchmark explains the difference; all contribute.", file);
}
