#include "cli/paper/simtight/paper_simtight_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/table.h"

SL_HOLDS(SL_CHART_GROUPS, SL_LIBRARY + 1, "benchmarks and their mean");

static const struct {
  const char *id, *title, *unit;
  double limit;
} charts[SL_SIMTIGHT_CHARTS] = {
    [SL_FIGURE_6] = {"figure6", "Instruction throughput", "thread instructions per cycle", 0},
    [SL_FIGURE_7] = {"figure7", "Registers held as vectors", "% of registers", 0},
    [SL_FIGURE_8_CYCLES] = {"figure8-cycles", "Cycles relative to the baseline", "% more cycles", 100},
    [SL_FIGURE_8_DRAM] = {"figure8-dram", "DRAM traffic relative to the baseline", "% more DRAM beats", 300},
    [SL_STACK_CACHE] = {"stack-cache", "DRAM traffic saved by the stack cache", "% of DRAM beats saved", 0},
    [SL_FIGURE_9] = {"figure9", "Parallel scalar and vector pipelines", "%", 0},
};

/* Clock frequencies in MHz of the baseline and of the machine with compression and parallel pipelines: paper, Figure 5,
 * with DSP blocks. */
static const double fmax_baseline = 204, fmax_parallel = 194;

/* A number of a run: a counter, REGISTERS (of all threads, in vectors), or SAMPLES (of those in use) times REGISTERS.
 */
#define REGISTERS "registers"
#define SAMPLES "samples"

struct quantity {
  enum sl_simtight_config config;
  const char *counter;
};

static const struct series {
  enum sl_simtight_chart chart;
  const char *name;
  enum sl_ratio_kind kind;
  struct quantity of, by;
} series[] = {
    {SL_FIGURE_6, "baseline", SL_RATIO, {SL_BASELINE, "thread_instrs"}, {SL_BASELINE, "cycles"}},
    {SL_FIGURE_6, "with parallel pipelines", SL_RATIO, {SL_RFC_PP, "thread_instrs"}, {SL_RFC_PP, "cycles"}},
    {SL_FIGURE_7, "at most", SL_SHARE, {SL_RFC_ALL, "max_vector_registers"}, {SL_RFC_ALL, REGISTERS}},
    {SL_FIGURE_7, "on average", SL_SHARE, {SL_RFC_ALL, "total_vector_registers"}, {SL_RFC_ALL, SAMPLES}},
    {SL_FIGURE_8_CYCLES, "1024 slots", SL_OVERHEAD, {SL_RFC_1024, "cycles"}, {SL_BASELINE, "cycles"}},
    {SL_FIGURE_8_CYCLES, "512 slots", SL_OVERHEAD, {SL_RFC_512, "cycles"}, {SL_BASELINE, "cycles"}},
    {SL_FIGURE_8_CYCLES, "256 slots", SL_OVERHEAD, {SL_RFC_256, "cycles"}, {SL_BASELINE, "cycles"}},
    {SL_FIGURE_8_CYCLES, "RV32E", SL_OVERHEAD, {SL_RV32E, "cycles"}, {SL_BASELINE, "cycles"}},
    {SL_FIGURE_8_DRAM, "1024 slots", SL_OVERHEAD, {SL_RFC_1024, "dram_beats"}, {SL_BASELINE, "dram_beats"}},
    {SL_FIGURE_8_DRAM, "512 slots", SL_OVERHEAD, {SL_RFC_512, "dram_beats"}, {SL_BASELINE, "dram_beats"}},
    {SL_FIGURE_8_DRAM, "256 slots", SL_OVERHEAD, {SL_RFC_256, "dram_beats"}, {SL_BASELINE, "dram_beats"}},
    {SL_FIGURE_8_DRAM, "RV32E", SL_OVERHEAD, {SL_RV32E, "dram_beats"}, {SL_BASELINE, "dram_beats"}},
    {SL_STACK_CACHE, "DRAM traffic saved", SL_SAVED, {SL_RFC_PP_SB, "dram_beats"}, {SL_RFC_PP, "dram_beats"}},
    {SL_FIGURE_9, "instructions scalarised", SL_SHARE, {SL_RFC_PP, "scalarised_instrs"}, {SL_RFC_PP, "counted_instrs"}},
    {SL_FIGURE_9, "cycles saved", SL_SAVED, {SL_RFC_PP, "cycles"}, {SL_BASELINE, "cycles"}},
};

enum { SERIES = sizeof series / sizeof series[0] };

const struct sl_simtight_measure sl_simtight_measures[SL_SIMTIGHT_MEASURES] = {
    {"Registers held as vectors at most", "Figure 7", SL_FIGURE_7, 0, 12},
    {"Cycles with 1024 slots", "Figure 8", SL_FIGURE_8_CYCLES, 0, 0.8},
    {"Cycles with 512 slots", "Figure 8", SL_FIGURE_8_CYCLES, 1, 1.0},
    {"Cycles with 256 slots", "Figure 8", SL_FIGURE_8_CYCLES, 2, 9.5},
    {"Cycles with RV32E", "section IV", SL_FIGURE_8_CYCLES, SL_FIGURE_8_RV32E, 7},
    {"DRAM traffic with 1024 slots", "Figure 8", SL_FIGURE_8_DRAM, 0, 0.0},
    {"DRAM traffic with 512 slots", "Figure 8", SL_FIGURE_8_DRAM, 1, 1.3},
    {"DRAM traffic with 256 slots", "Figure 8", SL_FIGURE_8_DRAM, 2, 47.9},
    {"DRAM traffic with RV32E", "section IV", SL_FIGURE_8_DRAM, SL_FIGURE_8_RV32E, 61},
    {"DRAM traffic saved by the stack cache", "section IV", SL_STACK_CACHE, 0, 52},
    {"Instructions scalarised", "Figure 9", SL_FIGURE_9, 0, 31},
    {"Cycles saved by parallel pipelines", "Figure 9", SL_FIGURE_9, 1, 24},
    {"Time saved by parallel pipelines", "section IV", SL_FIGURE_9, SL_FIGURE_9_TIME, 20},
};

double sl_ratio_shown(enum sl_ratio_kind kind, double ratio)
{
  switch (kind) {
  case SL_SHARE: return 100 * ratio;
  case SL_OVERHEAD: return 100 * (ratio - 1);
  case SL_SAVED: return 100 * (1 - ratio);
  default: return ratio;
  }
}

double sl_ratio_of(enum sl_ratio_kind kind, double shown)
{
  switch (kind) {
  case SL_SHARE: return shown / 100;
  case SL_OVERHEAD: return 1 + shown / 100;
  case SL_SAVED: return 1 - shown / 100;
  default: return shown;
  }
}

struct sl_register_storage sl_simtight_register_file(const struct sl_paper_runs *runs, size_t config)
{
  struct sl_register_storage file = {0};
  sl_storage_of(&runs->machines[config].with[0], &file);
  if (runs->paper->configs[config].rv32e)
    file.registers = 16;
  return file;
}

static double amount(const struct sl_paper_runs *runs, const struct quantity *quantity, size_t benchmark)
{
  const struct sl_register_storage file = sl_simtight_register_file(runs, quantity->config);
  const double registers = (double)file.warps * file.registers;
  if (strcmp(quantity->counter, REGISTERS) == 0)
    return registers;
  if (strcmp(quantity->counter, SAMPLES) == 0)
    return registers * (double)runs->rows[quantity->config * runs->benchmark_count + benchmark].samples;
  return (double)sl_paper_counter(runs, quantity->config, benchmark, quantity->counter);
}

double sl_simtight_mean(const struct sl_simtight_figures *figures, unsigned chart, unsigned s, unsigned without)
{
  const enum sl_ratio_kind kind = figures->kinds[chart][s];
  double ratios[SL_LIBRARY];
  size_t count = 0;
  for (size_t b = 0; b < figures->runs->benchmark_count; b++)
    if (!(without >> b & 1))
      ratios[count++] = sl_ratio_of(kind, figures->charts[chart].series[s].value[b]);
  return sl_ratio_shown(kind, sl_geometric_mean(ratios, count));
}

static struct sl_chart_series *add_series(struct sl_simtight_figures *figures, unsigned chart, const char *name,
                                          enum sl_ratio_kind kind)
{
  struct sl_chart *c = &figures->charts[chart];
  figures->kinds[chart][c->series_count] = kind;
  c->series[c->series_count].name = name;
  return &c->series[c->series_count++];
}

static void compute_series(struct sl_simtight_figures *figures, const struct series *from)
{
  const struct sl_paper_runs *runs = figures->runs;
  const unsigned index = (unsigned)figures->charts[from->chart].series_count;
  struct sl_chart_series *to = add_series(figures, from->chart, from->name, from->kind);
  for (size_t b = 0; b < runs->benchmark_count; b++) {
    const double of = amount(runs, &from->of, b), by = amount(runs, &from->by, b);
    to->value[b] = sl_ratio_shown(from->kind, by > 0 ? of / by : 0);
  }
  to->value[runs->benchmark_count] = sl_simtight_mean(figures, from->chart, index, 0);
}

double sl_simtight_time_saved(double cycles_saved)
{
  return sl_ratio_shown(SL_SAVED, sl_ratio_of(SL_SAVED, cycles_saved) * fmax_baseline / fmax_parallel);
}

/* Cycles weighted by the clock frequencies of the two machines. */
static void compute_time(struct sl_simtight_figures *figures)
{
  struct sl_chart_series *to = add_series(figures, SL_FIGURE_9, "time saved", SL_SAVED);
  const struct sl_chart_series *cycles = &figures->charts[SL_FIGURE_9].series[SL_FIGURE_9_TIME - 1];
  for (size_t g = 0; g < figures->charts[SL_FIGURE_9].group_count; g++)
    to->value[g] = sl_simtight_time_saved(cycles->value[g]);
}

/* The paper's means; it prints the bars of single benchmarks without numbers. */
static void add_published(struct sl_simtight_figures *figures)
{
  for (size_t i = 0; i < SL_SIMTIGHT_MEASURES; i++) {
    const struct sl_simtight_measure *m = &sl_simtight_measures[i];
    struct sl_chart *chart = &figures->charts[m->chart];
    chart->series[m->series].published[chart->group_count - 1] =
        (struct sl_chart_published){isnan(m->paper) ? 0 : m->paper, !isnan(m->paper)};
  }
}

void sl_simtight_compute(struct sl_simtight_figures *figures, const struct sl_paper_runs *runs)
{
  *figures = (struct sl_simtight_figures){.runs = runs};
  for (size_t c = 0; c < SL_SIMTIGHT_CHARTS; c++) {
    struct sl_chart *chart = &figures->charts[c];
    *chart = (struct sl_chart){.id = charts[c].id,
                               .title = charts[c].title,
                               .unit = charts[c].unit,
                               .group_title = "benchmark",
                               .limit = charts[c].limit,
                               .mean_last = true};
    for (size_t b = 0; b < runs->benchmark_count; b++)
      chart->groups[chart->group_count++] = runs->benchmarks[b]->name;
    chart->groups[chart->group_count++] = "geometric mean";
  }
  for (size_t s = 0; s < SERIES; s++)
    compute_series(figures, &series[s]);
  compute_time(figures);
  add_published(figures);
}

double sl_simtight_measured(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure)
{
  const struct sl_chart *chart = &figures->charts[measure->chart];
  return chart->series[measure->series].value[chart->group_count - 1];
}

const char *sl_simtight_percent(double value, bool sign, char text[32])
{
  if (fabs(value) < 0.05)
    snprintf(text, 32, "0.0 %%");
  else
    snprintf(text, 32, sign ? "%+.1f %%" : "%.1f %%", value);
  return text;
}
