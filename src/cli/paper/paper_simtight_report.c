/* Tables and page of the SIMTight evaluation. Compares the published suite of the authors on their RTL with the runs,
 * too. */
#include <math.h>
#include <string.h>

#include "cli/paper/paper_simtight.h"
#include "observe/html.h"

/* ---- the suite on the published RTL ------------------------------------------------------------------------------ */

enum figure {
  CYCLES,
  IPC,
  SLOTS_1024,
  SLOTS_512,
  SLOTS_256,
  DRAM_256,
  SCALARISED,
  SAVED,
  STACK,
  VECTORS,
  E,
  DRAM_E,
  FIGURES
};

/* Values at the paper's sizes. Baseline: millions of cycles, and thread instructions per cycle. Additional cycles with
 * 1024, 512 and 256 slots and additional DRAM beats with 256, in %. Parallel pipelines: instructions scalarised and
 * cycles saved, in %. DRAM beats saved by the stack cache, in %. Maximum of vector registers held. RV32E: additional
 * cycles and DRAM beats, in %. The counters come from the published RTL with the authors' binaries and a DRAM of fixed
 * latency. Where the RTL simulation takes days (Scan, BitonicSortLarge and VecGCD except the baseline and 512 slots;
 * much of the float programs) they come from simtlab with the same binaries; it agrees in 473 of the 475 counters that
 * both have. */
static const struct {
  const char *name;
  double figure[FIGURES];
} suite[SL_BENCHMARKS] = {
    {"VecAdd", {0.287, 31.82, 3.9, 3.9, 3.9, 0, 43.9, 20.8, 0.3, 128, 0.7, 1}},
    {"Histogram", {0.226, 31.67, 4.1, 4.1, 4.1, 0, 14.3, 6.9, 2.3, 64, 3.1, 10}},
    {"Reduce", {0.201, 31.65, 0, 0, 0, 0, 32.6, 31.6, 1.0, 160, 0.7, 3}},
    {"Scan", {7.262, 30.48, 0.5, 0.5, 0.5, 0, 39.5, 33.6, 0.7, 128, 3.6, 238}},
    {"Transpose", {0.173, 31.29, 0.5, 0.5, 3.5, 21, 47.1, 42.1, 26.3, 248, 20.3, 163}},
    {"MatVecMul", {0.372, 29.27, 2.0, 2.0, 2.0, 0, 34.4, 26.9, 4.6, 192, 3.9, 18}},
    {"MatMul", {4.095, 31.29, 0.1, 0.1, 1.2, 60, 42.6, 38.7, 28.2, 256, 2.8, 250}},
    {"BitonicSortSmall", {0.888, 25.68, 0.7, 1.8, 75.0, 1966, 23.6, 11.9, 73.6, 512, 8.5, 415}},
    {"BitonicSortLarge", {25.38, 24.58, 0.6, 1.8, 63.9, 718, 30.7, 16.0, 19.5, 512, 16.5, 266}},
    {"SparseMatVecMul", {1.049, 5.64, 0, 0, 0, 0, 34.7, 0.1, 0.2, 192, 0.2, 0}},
    {"BlockedStencil", {1.875, 27.25, 0.2, 0.2, 19.0, 274, 35.7, 27.5, 7.5, 384, 29.7, 408}},
    {"StripedStencil", {1.170, 31.47, 0.8, 0.8, 10.1, 112, 42.9, 32.7, 8.0, 256, 20.6, 274}},
    {"VecGCD", {2.591, 4.23, 0.6, 0.6, 0.6, 0, 4.7, 0, 3.1, 128, 0.1, 13}},
    {"MotionEst", {0.312, 27.57, 3.0, 3.0, 21.8, 432, 39.0, 20.8, 75.0, 304, 25.0, 290}},
    {"BitonicSortLarge_Float", {25.29, 24.70, 0.7, 1.9, 64.5, 690, 30.9, 15.3, 21.8, 512, NAN, NAN}},
    {"MatMul_Float", {5.097, 31.82, 0.1, 0.1, 0.1, 0, 34.0, 31.0, 53.4, 192, NAN, NAN}},
};

static const struct sl_simtight_state *state_of(const struct sl_paper_runs *runs)
{
  return runs->state;
}

/* Whether the suite is recorded at the sizes of the runs; it is recorded at the paper's sizes only. */
static bool compares(const struct sl_paper_runs *runs)
{
  return !runs->small;
}

static bool does_not_compare(const struct sl_paper_runs *runs)
{
  return runs->small;
}

/* Value of a benchmark in a series of the charts, or for no chart its millions of cycles; NAN if unknown. */
static double suite_figure(const struct sl_paper_runs *runs, size_t b, unsigned chart, unsigned series)
{
  static const enum figure cycles[] = {SLOTS_1024, SLOTS_512, SLOTS_256, E}, saved[] = {SCALARISED, SAVED};
  size_t i = 0;
  while (i < SL_BENCHMARKS && strcmp(suite[i].name, state_of(runs)->benchmarks[b]->name) != 0)
    i++;
  if (!compares(runs) || i == SL_BENCHMARKS)
    return NAN;
  const double *figure = suite[i].figure;
  switch (chart) {
  case SL_FIGURE_6: return series == 0 ? figure[IPC] : figure[IPC] / sl_ratio_of(SL_SAVED, figure[SAVED]);
  case SL_FIGURE_7: return series == 0 ? 100 * figure[VECTORS] / sl_simtight_registers(runs, SL_RFC_ALL) : NAN;
  case SL_FIGURE_8_CYCLES: return figure[cycles[series]];
  case SL_FIGURE_8_DRAM: return series == 2 ? figure[DRAM_256] : series == SL_FIGURE_8_RV32E ? figure[DRAM_E] : NAN;
  case SL_STACK_CACHE: return figure[STACK];
  case SL_FIGURE_9: return series == SL_FIGURE_9_TIME ? sl_simtight_time_saved(figure[SAVED]) : figure[saved[series]];
  default: return figure[CYCLES];
  }
}

/* Mean of the suite or of simtlab over the recorded benchmarks, or over the integer programs of these. */
static double common_mean(const struct sl_paper_runs *runs, unsigned chart, unsigned series, bool ours, bool integer)
{
  const enum sl_ratio_kind kind = sl_simtight_kind(chart, series);
  double ratios[SL_LIBRARY];
  size_t count = 0;
  for (size_t b = 0; b < state_of(runs)->count; b++) {
    const double theirs = suite_figure(runs, b, chart, series);
    if (!isnan(theirs) && !(integer && strstr(state_of(runs)->benchmarks[b]->name, "_Float") != NULL))
      ratios[count++] = sl_ratio_of(kind, ours ? sl_simtight_value(runs, chart, series, b) : theirs);
  }
  return count > 0 ? sl_ratio_shown(kind, sl_geometric_mean(ratios, count)) : NAN;
}

static double suite_mean(const struct sl_paper_runs *runs, const struct sl_simtight_measure *m)
{
  return common_mean(runs, m->chart, m->series, false, false);
}

/* ---- percentages ------------------------------------------------------------------------------------------------- */

/* "12.3 %", or "+12.3 %" if it means more or less; a rounded zero has no sign. Returns `text`. */
static const char *percent(double value, bool sign, char text[32])
{
  if (fabs(value) < 0.05)
    snprintf(text, 32, "0.0 %%");
  else
    snprintf(text, 32, sign ? "%+.1f %%" : "%.1f %%", value);
  return text;
}

static bool is_signed(unsigned chart, unsigned series)
{
  return sl_simtight_kind(chart, series) == SL_OVERHEAD;
}

/* A cell; `digits` are the significant digits in a file. */
static void put_percent(struct sl_sheet *sheet, double value, bool sign, int digits)
{
  char text[32];
  if (isnan(value))
    sl_sheet_number(sheet, 0, value);
  else if (sheet->form == SL_SHEET_FILE)
    sl_sheet_word(sheet, "%.*g", digits, value);
  else
    sl_sheet_text(sheet, "%s", percent(value, sign, text));
}

/* ---- remarks ----------------------------------------------------------------------------------------------------- */

/* Near: within three percentage points, or within three tenths of the published value. */
static const double near_points = 3, near_part = 0.3;

enum { MOVERS = 2 };

static bool near(double ours, double published)
{
  return !isnan(published) && fabs(ours - published) <= fmax(near_points, near_part * fabs(published));
}

/* The benchmark whose removal moves the mean closest to the published value, if any helps. */
static bool find_mover(const struct sl_paper_runs *runs, const struct sl_simtight_measure *m, unsigned without,
                       unsigned *mover)
{
  double least = fabs(sl_simtight_mean(runs, m->chart, m->series, without) - m->paper);
  bool found = false;
  for (unsigned b = 0; b < state_of(runs)->count; b++) {
    const double distance = fabs(sl_simtight_mean(runs, m->chart, m->series, without | 1u << b) - m->paper);
    if ((without >> b & 1) || distance >= least)
      continue;
    least = distance;
    *mover = b;
    found = true;
  }
  return found;
}

static uint64_t counted(const struct sl_paper_runs *runs, size_t config, size_t b, const char *counter)
{
  return sl_paper_counter(sl_simtight_run(runs, config, b), counter);
}

/* Counters related to a measure: each with the words that follow it. */
static void put_evidence(FILE *f, const struct sl_paper_runs *runs, const struct sl_simtight_measure *m, size_t b)
{
  struct evidence {
    size_t config;
    const char *counter, *what;
  };
  static const struct evidence rv32e[] = {{SL_RV32E, "stack_cache_misses", " stack loads instead of "},
                                          {SL_BASELINE, "stack_cache_misses", " and "},
                                          {SL_RV32E, "dram_beats", " DRAM beats instead of "},
                                          {SL_BASELINE, "dram_beats", ""},
                                          {0}},
                               stack[] = {{SL_RFC_PP, "stack_cache_misses", " stack loads in "},
                                          {SL_RFC_PP, "dram_transactions", " memory transactions"},
                                          {0}},
                               parallel[] = {{SL_RFC_PP, "scalarised_instrs", " instructions scalarised, "},
                                             {SL_RFC_PP, "dram_beats", " DRAM beats in "},
                                             {SL_RFC_PP, "cycles", " cycles"},
                                             {0}},
                               vectors[] = {{SL_RFC_ALL, "max_vector_registers", " vectors at most"}, {0}};
  const struct evidence slots[] = {{SL_RFC_ALL, "max_vector_registers", " vectors at most, "},
                                   {SL_RFC_1024 + m->series, "spills", " registers spilled and "},
                                   {SL_RFC_1024 + m->series, "unspills", " read back"},
                                   {0}};
  const bool figure_8 = m->chart == SL_FIGURE_8_CYCLES || m->chart == SL_FIGURE_8_DRAM;
  const struct evidence *e = figure_8                     ? m->series == SL_FIGURE_8_RV32E ? rv32e : slots
                             : m->chart == SL_STACK_CACHE ? stack
                             : m->chart == SL_FIGURE_9    ? parallel
                                                          : vectors;
  for (char text[32]; e->counter != NULL; e++)
    fprintf(f, "%s%s", sl_grouped(counted(runs, e->config, b, e->counter), text), e->what);
}

/* Names the benchmarks that move a number furthest from the published one, with their counters, and the number without
 * them. */
static void put_remark(FILE *f, const struct sl_paper_runs *runs, const struct sl_simtight_measure *m)
{
  const bool sign = is_signed(m->chart, m->series);
  unsigned without = 0, mover, count = 0;
  char text[32];
  for (; count < MOVERS && state_of(runs)->count > count + 1 && find_mover(runs, m, without, &mover); count++) {
    fprintf(f, "%s%s: %s (", count == 0 ? "Moved most by " : "; ", state_of(runs)->benchmarks[mover]->name,
            percent(sl_simtight_value(runs, m->chart, m->series, mover), sign, text));
    put_evidence(f, runs, m, mover);
    fputc(')', f);
    without |= 1u << mover;
  }
  if (count > 0)
    fprintf(f, ". Without %s the mean is %s.", count == 1 ? "it" : "the two",
            percent(sl_simtight_mean(runs, m->chart, m->series, without), sign, text));
  else
    fputs("No single benchmark explains the difference; all contribute.", f);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void put_remarks(const struct sl_sheet *sheet, const struct sl_paper_runs *runs,
                        const struct sl_simtight_measure *m)
{
  const double ours = sl_simtight_measured(runs, m);
  if (m->chart == SL_STACK_CACHE) {
    sl_sheet_begin_remark(sheet);
    fputs("The paper's 52 % is what the suite saves at its small sizes, 52.4 % as the geometric mean of all sixteen; "
          "at the paper's sizes it saves 26.2 %. A large part of the rest is MatMul_Float, which GCC compiled for the "
          "suite and Clang for us.",
          sheet->file);
    sl_sheet_end_remark(sheet);
  }
  if (near(ours, m->paper) || near(ours, suite_mean(runs, m)))
    return;
  sl_sheet_begin_remark(sheet);
  put_remark(sheet->file, runs, m);
  sl_sheet_end_remark(sheet);
}

static void put_summary_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  const bool page = sheet->form == SL_SHEET_PAGE;
  for (const struct sl_simtight_measure *m = sl_simtight_measures; m < sl_simtight_measures + SL_SIMTIGHT_MEASURES;
       m++) {
    const bool sign = is_signed(m->chart, m->series);
    if (page)
      sl_sheet_link(sheet, runs->charts->chart[m->chart].chart.id, m->what);
    else
      sl_sheet_text(sheet, "%s", m->what);
    put_percent(sheet, sl_simtight_measured(runs, m), sign, 9);
    put_percent(sheet, m->paper, sign, 6);
    put_percent(sheet, suite_mean(runs, m), sign, 3);
    if (page)
      sl_sheet_text(sheet, "%s", m->where);
    sl_sheet_end_row(sheet);
    if (page)
      put_remarks(sheet, runs, m);
  }
}

/* Measures of the suite's table: those with the largest differences between programs. */
static const struct column {
  unsigned chart, series;
  double paper;
} columns[] = {{SL_FIGURE_8_CYCLES, 2, 9.5},
               {SL_FIGURE_9, 0, 31},
               {SL_FIGURE_9, 1, 24},
               {SL_STACK_CACHE, 0, 52},
               {SL_FIGURE_8_CYCLES, SL_FIGURE_8_RV32E, 7}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* The suite's value and ours: in the page "suite / ours", followed by the paper's value, if any. */
static void put_pair(struct sl_sheet *sheet, const struct column *c, double theirs, double ours, double paper)
{
  const bool sign = is_signed(c->chart, c->series);
  char text[32];
  if (sheet->form == SL_SHEET_FILE) {
    put_percent(sheet, theirs, sign, 6);
    put_percent(sheet, ours, sign, 9);
    return;
  }
  fprintf(sheet->file, "<td>%s", isnan(theirs) ? "&ndash;" : percent(theirs, sign, text));
  fprintf(sheet->file, " / %s", percent(ours, sign, text));
  if (!isnan(paper))
    fprintf(sheet->file, " / %s", percent(paper, sign, text));
  fputs("</td>", sheet->file);
}

static void put_suite_row(struct sl_sheet *sheet, const struct sl_paper_runs *runs, size_t b)
{
  const double ours = (double)counted(runs, SL_BASELINE, b, "cycles") / 1e6;
  const double theirs = suite_figure(runs, b, SL_SIMTIGHT_CHARTS, 0);
  if (isnan(theirs))
    return;
  sl_sheet_text(sheet, "%s", state_of(runs)->benchmarks[b]->name);
  if (sheet->form == SL_SHEET_FILE) {
    sl_sheet_word(sheet, "%g", theirs);
    sl_sheet_word(sheet, "%.9g", ours);
  } else {
    sl_sheet_text(sheet, "%.3f / %.3f", theirs, ours);
    put_percent(sheet, 100 * (ours / theirs - 1), true, 0);
  }
  for (const struct column *c = columns; c < columns + COLUMNS; c++)
    put_pair(sheet, c, suite_figure(runs, b, c->chart, c->series), sl_simtight_value(runs, c->chart, c->series, b),
             NAN);
  sl_sheet_end_row(sheet);
}

static void put_suite_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t b = 0; b < state_of(runs)->count; b++)
    put_suite_row(sheet, runs, b);
  if (sheet->form == SL_SHEET_FILE)
    return;
  sl_sheet_text(sheet, "geometric mean, the paper's last");
  sl_sheet_number(sheet, 0, NAN);
  sl_sheet_number(sheet, 0, NAN);
  for (const struct column *c = columns; c < columns + COLUMNS; c++)
    put_pair(sheet, c, common_mean(runs, c->chart, c->series, false, false),
             common_mean(runs, c->chart, c->series, true, false), c->paper);
  sl_sheet_end_row(sheet);
}

/* Means over the integer programs; GCC compiles them for the suite and for simtlab. The paper's are over all sixteen;
 * NAN: not published. */
static void put_integer_row(struct sl_sheet *sheet, const struct sl_paper_runs *runs,
                            const struct sl_simtight_measure *m)
{
  const double values[] = {common_mean(runs, m->chart, m->series, false, true),
                           common_mean(runs, m->chart, m->series, true, true), m->paper};
  sl_sheet_text(sheet, "%s", m->what);
  for (size_t i = 0; i < 3; i++)
    if (sl_simtight_kind(m->chart, m->series) == SL_RATIO)
      sl_sheet_number(sheet, 1, values[i]);
    else
      put_percent(sheet, values[i], is_signed(m->chart, m->series), 9);
  sl_sheet_end_row(sheet);
}

static void put_integer_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  static const struct sl_simtight_measure throughput[] = {
      {"Thread instructions per cycle", "", SL_FIGURE_6, 0, NAN},
      {"The same with parallel pipelines", "", SL_FIGURE_6, 1, NAN}};
  for (size_t i = 0; i < 2; i++)
    put_integer_row(sheet, runs, &throughput[i]);
  for (size_t i = 0; i + 1 < SL_SIMTIGHT_MEASURES; i++) /* without time, which follows from cycles */
    put_integer_row(sheet, runs, &sl_simtight_measures[i]);
}

static uint64_t bits_of(const struct sl_paper_runs *runs, size_t config)
{
  const struct sl_register_storage file = sl_simtight_register_file(runs, config);
  return sl_storage_bits(&file);
}

static void put_bits_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t c = 0; c < SL_SIMTIGHT_CONFIGS; c++) {
    sl_sheet_word(sheet, "%s", runs->configs[c].name);
    sl_sheet_count(sheet, bits_of(runs, c));
    sl_sheet_end_row(sheet);
  }
}

static void put_storage_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  /* Published storage in kilobits (0: none) and its ratio. */
  static const struct {
    enum sl_simtight_config config;
    const char *name;
    int series; /* series of Figure 8's charts; -1: the baseline itself */
    unsigned paper_kilobits;
    double paper_ratio;
  } rows[] = {{SL_BASELINE, "plain", -1, 2097, 1},
              {SL_RFC_1024, "1024 slots", 0, 1202, 0.57},
              {SL_RFC_512, "512 slots", 1, 672, 0.32},
              {SL_RFC_256, "256 slots", 2, 407, 0.19},
              {SL_RV32E, "plain, RV32E", SL_FIGURE_8_RV32E, 0, 0.5}};
  const size_t mean = state_of(runs)->count;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sl_sheet_text(sheet, "%s", rows[i].name);
    sl_sheet_count(sheet, bits_of(runs, rows[i].config));
    if (rows[i].paper_kilobits != 0)
      sl_sheet_count(sheet, rows[i].paper_kilobits);
    else
      sl_sheet_number(sheet, 0, NAN);
    sl_sheet_number(sheet, 2, (double)bits_of(runs, rows[i].config) / (double)bits_of(runs, SL_BASELINE));
    sl_sheet_number(sheet, 2, rows[i].paper_ratio);
    for (unsigned chart = SL_FIGURE_8_CYCLES; chart <= SL_FIGURE_8_DRAM; chart++)
      put_percent(sheet, rows[i].series >= 0 ? sl_simtight_value(runs, chart, (unsigned)rows[i].series, mean) : 0, true,
                  0);
    sl_sheet_end_row(sheet);
  }
}

static void put_background_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t b = 0; b < state_of(runs)->count; b++) {
    const uint64_t beats = counted(runs, SL_BASELINE, b, "dram_beats");
    const uint64_t stack = counted(runs, SL_BASELINE, b, "stack_cache_misses");
    const uint64_t spilled = counted(runs, SL_RFC_256, b, "dram_beats");
    const double cycles = (double)counted(runs, SL_BASELINE, b, "cycles");
    sl_sheet_text(sheet, "%s", state_of(runs)->benchmarks[b]->name);
    sl_sheet_number(sheet, 2, sl_paper_quotient((double)counted(runs, SL_BASELINE, b, "thread_instrs"), cycles));
    sl_sheet_number(sheet, 3, sl_paper_quotient((double)beats, cycles));
    sl_sheet_count(sheet, beats);
    sl_sheet_count(sheet, stack);
    put_percent(sheet,
                100 * sl_paper_quotient((double)stack, (double)counted(runs, SL_BASELINE, b, "dram_transactions")),
                false, 0);
    sl_sheet_count(sheet, counted(runs, SL_RV32E, b, "stack_cache_misses"));
    sl_sheet_count(sheet, counted(runs, SL_RFC_ALL, b, "max_vector_registers"));
    sl_sheet_count(sheet, spilled > beats ? spilled - beats : 0);
    put_percent(sheet, sl_simtight_value(runs, SL_FIGURE_8_CYCLES, 2, b), true, 0);
    put_percent(sheet, sl_simtight_value(runs, SL_FIGURE_9, 1, b), false, 0);
    sl_sheet_end_row(sheet);
  }
}

/* ---- sampled timing ---------------------------------------------------------------------------------------------- */

static bool is_sampled(const struct sl_paper_runs *runs)
{
  return runs->order->sample != NULL;
}

static void put_sample_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places; run++) {
    if (!run->planned)
      continue;
    const double bar = sl_simtight_bar(run);
    sl_sheet_word(sheet, "%s", run->config->name);
    sl_sheet_text(sheet, "%s", run->what.name);
    sl_sheet_count(sheet, sl_paper_counter(run, "cycles"));
    sl_sheet_number(sheet, 0, isfinite(bar) ? bar : NAN);
    sl_sheet_number(sheet, 0, sl_simtight_timed(run));
    sl_sheet_count(sheet, run->result.timed_part.windows);
    sl_sheet_end_row(sheet);
  }
}

static void put_sampled(FILE *f, const struct sl_paper_runs *runs)
{
  double timed = 0, most = 0;
  size_t unknown = 0;
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places; run++) {
    if (!run->planned)
      continue;
    const double bar = sl_simtight_bar(run);
    timed += sl_simtight_timed(run);
    unknown += isfinite(bar) ? 0 : 1;
    most = isfinite(bar) && bar > most ? bar : most;
  }
  fprintf(f,
          "sampled (%s): cycles and timing counters are estimates, %.1f %% timed on average; 95 %% intervals of cycles "
          "up to +- %.1f %%, %zu of %zu runs without one",
          runs->order->sample, timed / (double)runs->count, most, unknown, runs->count);
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

static void introduce(FILE *f, const struct sl_paper_runs *runs)
{
  const size_t count = state_of(runs)->count;
  fprintf(f,
          ", section IV: %zu of %d benchmarks at their %s sizes on %d configurations, by simtlab %s. All values in "
          "columns and bars named simtlab come from these runs.</p>\n",
          count, SL_BENCHMARKS, runs->order->size, SL_SIMTIGHT_CONFIGS, SL_VERSION);
  if (count < SL_BENCHMARKS)
    fputs("<p>Not all benchmarks were run: the means cover only those that were.</p>\n", f);
  fputs("<p class=\"soft\">paper: the published values, measured on an FPGA with a DDR4 DIMM. RTL: the published RTL "
        "in simulation, with its authors' suite at the paper's sizes and a DRAM of fixed latency; recorded, not "
        "simulated here. The programs run here are simtlab's own, modelled on that suite.</p>\n",
        f);
  if (!is_sampled(runs))
    return;
  fputs("<p>", f);
  put_sampled(f, runs);
  fputs(". Each run's: <a href=\"samples.csv\">samples.csv</a>.</p>\n", f);
}

static void print(const struct sl_paper_runs *runs)
{
  if (!compares(runs))
    puts("paper: at its own sizes, which are larger; RTL: recorded only at those");
  if (!is_sampled(runs))
    return;
  put_sampled(stdout, runs); /* main reports a failed write to standard output */
  fputs("\n", stdout);
}

static const struct sl_paper_table summary = {SL_PAPER_TITLES("measure, geometric mean", ">simtlab", ">paper", ">RTL"),
                                              "measure,simtlab (%),paper (%),RTL (%)", 9, put_summary_rows};
static const struct sl_paper_table page_summary = {
    .titles = SL_PAPER_TITLES("geometric mean", "simtlab", "paper", "RTL", "in the paper"), .rows = put_summary_rows};
static const struct sl_paper_table suite_table = {
    SL_PAPER_TITLES("suite on RTL / ours", "cycles (millions)", "difference", "cycles with 256 slots",
                    "instructions scalarised", "cycles saved by PP", "DRAM saved by stack cache", "cycles with RV32E"),
    "benchmark,\"suite, cycles (millions)\",\"simtlab, cycles (millions)\",\"suite, cycles with 256 slots (%)\","
    "\"simtlab, cycles with 256 slots (%)\",\"suite, instructions scalarised (%)\",\"simtlab, instructions scalarised "
    "(%)\",\"suite, cycles saved by PP (%)\",\"simtlab, cycles saved by PP (%)\",\"suite, DRAM saved by stack cache "
    "(%)\",\"simtlab, DRAM saved by stack cache (%)\",\"suite, cycles with RV32E (%)\",\"simtlab, cycles with RV32E "
    "(%)\"",
    9, put_suite_rows};
static const struct sl_paper_table integer = {
    SL_PAPER_TITLES("geometric mean of the integer programs", "suite on RTL", "simtlab", "paper, of all sixteen"),
    "measure,suite,simtlab,paper of sixteen", 9, put_integer_rows};
static const struct sl_paper_table bits = {NULL, "configuration,\"storage (bits)\"", 9, put_bits_rows};
static const struct sl_paper_table storage = {.titles =
                                                  SL_PAPER_TITLES("register file", "storage (bits)", "paper (kilobits)",
                                                                  "ratio", "paper", "cycles", "DRAM traffic"),
                                              .rows = put_storage_rows};
static const struct sl_paper_table background = {
    .titles = SL_PAPER_TITLES("benchmark", "IPC", "DRAM beats per cycle", "DRAM beats", "stack loads",
                              "of memory transactions", "stack loads, RV32E", "vectors at most",
                              "DRAM beats more at 256 slots", "cycles at 256 slots", "cycles saved by PP"),
    .rows = put_background_rows};
static const struct sl_paper_table configurations = {
    .titles = SL_PAPER_TITLES("configuration", "what it is", "preset", "changed key", "programs"),
    .rows = sl_paper_config_rows};
static const struct sl_paper_table samples = {NULL, "configuration,benchmark,cycles,\"bar (%)\",\"timed (%)\",windows",
                                              3, put_sample_rows};

static const struct sl_paper_section sections[] = {
    {"Summary", .table = &page_summary},
    {.text = "The published RTL is recorded at the paper's sizes, so it is not compared with runs of these sizes; the "
             "paper's own numbers are for its sizes, too.",
     .shown = does_not_compare},
    {"Benchmark by benchmark",
     "The published suite on the published RTL at the paper's sizes, recorded, and the programs run here, of the same "
     "shape but other sources. The paper prints means only. Means are of the benchmarks of which the suite has a "
     "figure: its float programs are not built for RV32E.",
     .table = &suite_table, .shown = compares},
    {.text = "Over the fourteen integer programs, which GCC compiled both for the suite and for simtlab:",
     .table = &integer,
     .notes = "Numbers: <a href=\"suite.csv\">suite.csv</a>, <a href=\"integer.csv\">integer.csv</a>.",
     .shown = compares},
    {"Figure 6: instruction throughput", .charts = SL_FIGURE_6 + 1},
    {"Figure 7: registers held as vectors", .charts = SL_FIGURE_7 + 1},
    {"Figure 8: storage and overheads of compression", .table = &storage,
     .notes = "Storage covers the modelled structures: two copies of the scalar register file, the vector register "
              "file, the stack of free slots. Cycles and DRAM traffic are relative to the baseline, geometric means. "
              "Numbers: <a href=\"figure8-storage.csv\">figure8-storage.csv</a>.",
     .charts = SL_FIGURE_8_CYCLES + 1},
    {.charts = SL_FIGURE_8_DRAM + 1},
    {"Stack cache", .charts = SL_STACK_CACHE + 1},
    {"Figure 9: parallel scalar and vector pipelines", .charts = SL_FIGURE_9 + 1},
    {"Analysis",
     "Counters of the same runs, of the baseline unless stated otherwise. Stack loads are memory transactions. The "
     "maximum number of vectors is that of the compressed file with a slot for every register: a benchmark that needs "
     "more vectors than there are slots spills.",
     .table = &background},
    {"Configurations", .table = &configurations,
     .notes = "Benchmarks whose name ends in _Float run on the same machine with its FPU on. All counters of the runs: "
              "<code>runs/</code>; the summary: <a href=\"summary.csv\">summary.csv</a>."},
    {.heading = NULL},
};

static const struct sl_paper_file files[] = {
    {"summary.csv", &summary, NULL}, {"figure8-storage.csv", &bits, NULL},  {"suite.csv", &suite_table, NULL},
    {"integer.csv", &integer, NULL}, {"samples.csv", &samples, is_sampled}, {NULL, NULL, NULL}};

const struct sl_paper_report sl_paper_simtight_report = {
    .title = "Advanced Dynamic Scalarisation for RISC-V GPGPUs, reproduced",
    .draw = sl_simtight_draw,
    .introduce = introduce,
    .sections = sections,
    .files = files,
    .summary = &summary,
    .print = print,
};
