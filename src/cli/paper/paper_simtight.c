/* Reproduces section IV of M. Naylor et al., "Advanced Dynamic Scalarisation for RISC-V GPGPUs": published numbers, and
 * figures computed from the runs. studies/simtight.yaml has the configurations. */
#include "cli/paper/paper_simtight.h"

#include <math.h>
#include <string.h>

#include "observe/report.h"

/* ---- declaration ------------------------------------------------------------------------------------------------- */

static const struct {
  const char *id, *title, *unit;
  double limit;
  const char *caption;
} charts[SL_SIMTIGHT_CHARTS] = {
    [SL_FIGURE_6] = {"figure6", "Instruction throughput", "thread instructions per cycle", 0,
                     "32 lanes; the parallel pipelines can execute instructions of two warps in the same cycle."},
    [SL_FIGURE_7] = {"figure7", "Registers held as vectors", "% of registers", 0,
                     "Share of each warp's 32 registers that are in the vector register file, with a slot for every "
                     "register. Averages over samples, one every 2,049 cycles."},
    [SL_FIGURE_8_CYCLES] = {"figure8-cycles", "Cycles relative to the baseline", "% more cycles", 100,
                            "Additional cycles over the baseline, without stack cache and parallel pipelines."},
    [SL_FIGURE_8_DRAM] = {"figure8-dram", "DRAM traffic relative to the baseline", "% more DRAM beats", 300,
                          "Additional DRAM beats (reads and writes) over the baseline."},
    [SL_STACK_CACHE] = {"stack-cache", "DRAM traffic saved by the stack cache", "% of DRAM beats saved", 0,
                        "DRAM beats saved by a stack cache of 2,048 entries, on the machine with compression and "
                        "parallel pipelines."},
    [SL_FIGURE_9] = {"figure9", "Parallel scalar and vector pipelines", "%", 0,
                     "Share of thread instructions that the scalar pipeline executed; cycles saved relative to the "
                     "baseline; time saved, at the clock frequencies of the paper's Figure 5 with DSP blocks (194 and "
                     "204 MHz)."},
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

/* Series of the charts, in the order of the charts. That of time is cycles weighted by the clock frequencies. */
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
    {SL_FIGURE_9, "time saved", SL_SAVED, {SL_RFC_PP, "cycles"}, {SL_BASELINE, "cycles"}},
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

/* ---- runs -------------------------------------------------------------------------------------------------------- */

const struct sl_paper_run *sl_simtight_run(const struct sl_paper_runs *runs, size_t config, size_t benchmark)
{
  return &runs->runs[config * SL_LIBRARY + benchmark];
}

static enum sl_status plan(struct sl_paper_runs *runs, struct sl_error *err)
{
  struct sl_simtight_state *state = runs->state;
  const enum sl_status code =
      sl_bench_choose(&sl_library_suite, runs->order->only, false, state->benchmarks, &state->count, err);
  for (size_t c = 0; c < SL_SIMTIGHT_CONFIGS && code == SL_OK; c++)
    for (size_t b = 0; b < state->count; b++) {
      const char *name = state->benchmarks[b]->name;
      struct sl_paper_run *run = sl_paper_plan(runs, c * SL_LIBRARY + b, c, "%s/%s", runs->configs[c].name, name);
      run->machine = sl_bench_machine(&runs->machines[c], state->benchmarks[b]);
      run->what = *state->benchmarks[b];
      run->isa = c == SL_RV32E ? "rv32e" : "rv32i";
      snprintf(run->program, sizeof run->program, "%s/%s.elf", c == SL_RV32E ? "bench-rv32e" : "bench", name);
    }
  return code;
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

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

enum sl_ratio_kind sl_simtight_kind(unsigned chart, unsigned s)
{
  size_t i = 0;
  while (series[i].chart != chart)
    i++;
  return series[i + s].kind;
}

struct sl_register_storage sl_simtight_register_file(const struct sl_paper_runs *runs, size_t config)
{
  struct sl_register_storage file = {0};
  sl_storage_of(&runs->machines[config].with[0], &file);
  if (config == SL_RV32E)
    file.registers = 16;
  return file;
}

double sl_simtight_registers(const struct sl_paper_runs *runs, size_t config)
{
  const struct sl_register_storage file = sl_simtight_register_file(runs, config);
  return (double)file.warps * file.registers;
}

static double amount(const struct sl_paper_runs *runs, const struct quantity *quantity, size_t benchmark)
{
  const struct sl_paper_run *run = sl_simtight_run(runs, quantity->config, benchmark);
  if (strcmp(quantity->counter, REGISTERS) == 0)
    return sl_simtight_registers(runs, quantity->config);
  if (strcmp(quantity->counter, SAMPLES) == 0)
    return sl_simtight_registers(runs, quantity->config) * (double)run->result.samples;
  return (double)sl_paper_counter(run, quantity->counter);
}

static const struct sl_chart *chart_of(const struct sl_paper_runs *runs, unsigned chart)
{
  return &runs->charts->chart[chart].chart;
}

double sl_simtight_value(const struct sl_paper_runs *runs, unsigned chart, unsigned s, size_t benchmark)
{
  return chart_of(runs, chart)->series[s].value[benchmark];
}

double sl_simtight_measured(const struct sl_paper_runs *runs, const struct sl_simtight_measure *m)
{
  return sl_simtight_value(runs, m->chart, m->series, chart_of(runs, m->chart)->group_count - 1);
}

double sl_simtight_mean(const struct sl_paper_runs *runs, unsigned chart, unsigned s, unsigned without)
{
  const struct sl_simtight_state *state = runs->state;
  const enum sl_ratio_kind kind = sl_simtight_kind(chart, s);
  double ratios[SL_LIBRARY];
  size_t count = 0;
  for (size_t b = 0; b < state->count; b++)
    if (!(without >> b & 1))
      ratios[count++] = sl_ratio_of(kind, sl_simtight_value(runs, chart, s, b));
  return sl_ratio_shown(kind, sl_geometric_mean(ratios, count));
}

double sl_simtight_time_saved(double cycles_saved)
{
  return sl_ratio_shown(SL_SAVED, sl_ratio_of(SL_SAVED, cycles_saved) * fmax_baseline / fmax_parallel);
}

static void draw_series(const struct sl_paper_runs *runs, struct sl_chart *chart, const struct series *from)
{
  const size_t count = ((const struct sl_simtight_state *)runs->state)->count;
  const unsigned index = (unsigned)chart->series_count++;
  struct sl_chart_series *to = &chart->series[index];
  to->name = from->name;
  for (size_t b = 0; b < count; b++)
    to->value[b] =
        sl_ratio_shown(from->kind, sl_paper_quotient(amount(runs, &from->of, b), amount(runs, &from->by, b)));
  to->value[count] = sl_simtight_mean(runs, from->chart, index, 0);
  for (size_t b = 0; from->chart == SL_FIGURE_9 && index == SL_FIGURE_9_TIME && b <= count; b++)
    to->value[b] = sl_simtight_time_saved(chart->series[index - 1].value[b]);
}

void sl_simtight_draw(const struct sl_paper_runs *runs, struct sl_paper_charts *to)
{
  const struct sl_simtight_state *state = runs->state;
  for (unsigned c = 0; c < SL_SIMTIGHT_CHARTS; c++) {
    struct sl_paper_chart *added =
        sl_paper_add_chart(to, c + 1, charts[c].id, charts[c].title, charts[c].unit, "benchmark");
    struct sl_chart *chart = &added->chart;
    added->caption = charts[c].caption;
    chart->limit = charts[c].limit;
    chart->mean_last = true;
    for (size_t b = 0; b < state->count; b++)
      chart->groups[chart->group_count++] = state->benchmarks[b]->name;
    chart->groups[chart->group_count++] = "geometric mean";
  }
  for (size_t s = 0; s < SERIES; s++)
    draw_series(runs, &to->chart[series[s].chart].chart, &series[s]);
  /* The paper's means; it prints the bars of single benchmarks without numbers. */
  for (const struct sl_simtight_measure *m = sl_simtight_measures; m < sl_simtight_measures + SL_SIMTIGHT_MEASURES; m++)
    to->chart[m->chart].chart.series[m->series].published[state->count] = (struct sl_chart_published){m->paper, true};
}

SL_HOLDS(SL_CHART_GROUPS, SL_LIBRARY + 1, "benchmarks and their mean");

/* ---- sampled timing ---------------------------------------------------------------------------------------------- */

double sl_simtight_bar(const struct sl_paper_run *run)
{
  const struct sl_saved_samples *part = &run->result.timed_part;
  struct sl_sampled sampled = {
      .settled = true, .progress = part->executed, .timed = part->timed, .windows = part->windows};
  size_t cycles = 0;
  sl_counter_find(run->machine->machine, "cycles", &cycles);
  sampled.bar[cycles] = part->bar;
  return sl_sampled_percent(run->machine->machine, &sampled, sl_paper_counter(run, "cycles"));
}

double sl_simtight_timed(const struct sl_paper_run *run)
{
  const struct sl_saved_samples *part = &run->result.timed_part;
  return part->executed > 0 ? 100 * (double)part->timed / (double)part->executed : 100;
}

const struct sl_paper sl_paper_simtight = {
    .name = "simtight",
    .title = "M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs",
    .config_count = SL_SIMTIGHT_CONFIGS,
    .library = true,
    .places = SL_SIMTIGHT_CONFIGS * SL_LIBRARY,
    .state = sizeof(struct sl_simtight_state),
    .plan = plan,
};
