/* HTML page of the SIMTight evaluation. */
#include <math.h>

#include "cli/help/provenance.h"
#include "cli/paper/paper_samples.h"
#include "cli/paper/simtight/paper_simtight_figures.h"
#include "cli/paper/simtight/paper_simtight_report.h"
#include "cli/paper/simtight/paper_simtight_suite.h"
#include "observe/chart.h"
#include "observe/html.h"
#include "observe/table.h"

/* Explains numbers of the report by the benchmarks that dominate them and by their counters. */

/* Near: within three percentage points, or within three tenths of the published value. */
static const double near_points = 3, near_part = 0.3;

enum { MOVERS = 2 };

static bool near(double ours, double published)
{
  return !isnan(published) && fabs(ours - published) <= fmax(near_points, near_part * fabs(published));
}

/* Whether neither the paper nor the RTL is near. */
static bool sl_simtight_far(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure)
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

/* Names the benchmarks that move a number furthest from the published one, with their counters, and the number without
 * them. */
static void sl_simtight_remark(FILE *file, const struct sl_simtight_figures *figures,
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

static void put_count(FILE *f, uint64_t value)
{
  char text[32];
  fprintf(f, "<td>%s</td>", sl_grouped(value, text));
}

/* A percentage, with a sign if it means more or less; a dash if it was not published. */
static void put_percent(FILE *f, double value, bool sign)
{
  char text[32];
  fprintf(f, "<td>%s</td>", isnan(value) ? "&ndash;" : sl_simtight_percent(value, sign, text));
}

static void put_introduction(FILE *f, const struct sl_paper_runs *runs)
{
  fputs("<p>Reproduction of ", f);
  sl_html_text(f, runs->paper->title);
  fprintf(f,
          ", section IV: %zu of %d benchmarks at their %s sizes on %zu configurations, by simtlab %s. All "
          "values in columns and bars named simtlab come from these runs.</p>\n",
          runs->benchmark_count, SL_BENCHMARKS, runs->size, runs->paper->config_count, SL_VERSION);
  if (runs->benchmark_count < SL_BENCHMARKS)
    fputs("<p>Not all benchmarks were run: the means cover only those that were.</p>\n", f);
  fputs(
      "<p class=\"soft\">paper: the published values, measured on an FPGA with a DDR4 DIMM. RTL: the published RTL in "
      "simulation, with its authors' suite at the paper's sizes and a DRAM of fixed latency; recorded, not simulated "
      "here. The programs run here are simtlab's own, modelled on that suite.</p>\n",
      f);
}

static void put_measure(FILE *f, const struct sl_simtight_figures *figures, const struct sl_simtight_measure *m)
{
  const double ours = sl_simtight_measured(figures, m);
  const bool sign = figures->kinds[m->chart][m->series] == SL_OVERHEAD;
  fputs("<tr>", f);
  fprintf(f, "<td><a href=\"#%s\">", figures->charts[m->chart].id);
  sl_html_text(f, m->what);
  fputs("</a></td>", f);
  put_percent(f, ours, sign);
  put_percent(f, m->paper, sign);
  put_percent(f, sl_simtight_suite_mean(figures, m), sign);
  sl_html_element(f, "td", m->where);
  fputs("</tr>\n", f);
  if (m->chart == SL_STACK_CACHE)
    fputs("<tr><td class=\"text soft\" colspan=\"5\">The paper's 52 % is what the suite saves at its small sizes, "
          "52.4 % as the geometric mean of all sixteen; at the paper's sizes it saves 26.2 %. "
          "A large part of the rest is MatMul_Float, which GCC compiled for the suite and Clang for us.</td></tr>\n",
          f);
  if (!sl_simtight_far(figures, m))
    return;
  fputs("<tr><td class=\"text soft\" colspan=\"5\">", f);
  sl_simtight_remark(f, figures, m);
  fputs("</td></tr>\n", f);
}

static void put_summary(FILE *f, const struct sl_simtight_figures *figures)
{
  static const char *const titles[] = {"geometric mean", "simtlab", "paper", "RTL", "in the paper", NULL};
  fputs("<h2>Summary</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (size_t i = 0; i < SL_SIMTIGHT_MEASURES; i++)
    put_measure(f, figures, &sl_simtight_measures[i]);
  sl_html_end_table(f);
}

static void put_chart(FILE *f, const struct sl_simtight_figures *figures, unsigned chart, const char *caption)
{
  const struct sl_chart *c = &figures->charts[chart];
  fputs("<figure>\n", f);
  sl_svg_chart(f, c);
  fprintf(f, "<figcaption>%s Numbers: <a href=\"%s.csv\">%s.csv</a>.", caption, c->id, c->id);
  if (c->limit > 0)
    fprintf(f, " Bars are cut at %.0f %%.", c->limit);
  if (sl_chart_has_published(c))
    fputs(" As published: the paper's means.", f);
  fputs("</figcaption>\n</figure>\n", f);
}

/* A configuration of Figure 8; published storage in kilobits (0: none) and its ratio. */
struct storage_row {
  enum sl_simtight_config config;
  const char *name;
  int series; /* series of Figure 8's charts; -1: the baseline itself */
  unsigned paper_kilobits;
  double paper_ratio;
};

static void put_storage_row(FILE *f, const struct sl_simtight_figures *figures, const struct storage_row *row)
{
  const struct sl_register_storage file = sl_simtight_register_file(figures->runs, row->config);
  const struct sl_register_storage plain = sl_simtight_register_file(figures->runs, SL_BASELINE);
  const uint64_t bits = sl_storage_bits(&file);
  fputs("<tr>", f);
  sl_html_element(f, "td", row->name);
  put_count(f, bits);
  if (row->paper_kilobits != 0)
    put_count(f, row->paper_kilobits);
  else
    fputs("<td>&ndash;</td>", f);
  fprintf(f, "<td>%.2f</td><td>%.2f</td>", (double)bits / (double)sl_storage_bits(&plain), row->paper_ratio);
  for (unsigned chart = SL_FIGURE_8_CYCLES; chart <= SL_FIGURE_8_DRAM; chart++) {
    const struct sl_chart *c = &figures->charts[chart];
    put_percent(f, row->series >= 0 ? c->series[row->series].value[c->group_count - 1] : 0, true);
  }
  fputs("</tr>\n", f);
}

static void put_storage(FILE *f, const struct sl_simtight_figures *figures)
{
  static const char *const titles[] = {"register file", "storage (bits)", "paper (kilobits)", "ratio",
                                       "paper",         "cycles",         "DRAM traffic",     NULL};
  static const struct storage_row rows[] = {{SL_BASELINE, "plain", -1, 2097, 1},
                                            {SL_RFC_1024, "1024 slots", 0, 1202, 0.57},
                                            {SL_RFC_512, "512 slots", 1, 672, 0.32},
                                            {SL_RFC_256, "256 slots", 2, 407, 0.19},
                                            {SL_RV32E, "plain, RV32E", SL_FIGURE_8_RV32E, 0, 0.5}};
  sl_html_begin_table(f, titles);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    put_storage_row(f, figures, &rows[i]);
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Storage covers the modelled structures: two copies of the scalar register file, the "
        "vector register file, the stack of free slots. Cycles and DRAM traffic are relative to the baseline, "
        "geometric means. Numbers: <a href=\"figure8-storage.csv\">figure8-storage.csv</a>.</p>\n",
        f);
}

static void put_figures(FILE *f, const struct sl_simtight_figures *figures)
{
  fputs("<h2>Figure 6: instruction throughput</h2>\n", f);
  put_chart(f, figures, SL_FIGURE_6,
            "32 lanes; the parallel pipelines can execute instructions of two warps in the same cycle.");
  fputs("<h2>Figure 7: registers held as vectors</h2>\n", f);
  put_chart(f, figures, SL_FIGURE_7,
            "Share of each warp's 32 registers that are in the vector register file, with a slot for every "
            "register. Averages over samples, one every 2,049 cycles.");
  fputs("<h2>Figure 8: storage and overheads of compression</h2>\n", f);
  put_storage(f, figures);
  put_chart(f, figures, SL_FIGURE_8_CYCLES,
            "Additional cycles over the baseline, without stack cache and parallel "
            "pipelines.");
  put_chart(f, figures, SL_FIGURE_8_DRAM, "Additional DRAM beats (reads and writes) over the baseline.");
  fputs("<h2>Stack cache</h2>\n", f);
  put_chart(f, figures, SL_STACK_CACHE,
            "DRAM beats saved by a stack cache of 2,048 entries, on the machine with compression and parallel "
            "pipelines.");
  fputs("<h2>Figure 9: parallel scalar and vector pipelines</h2>\n", f);
  put_chart(
      f, figures, SL_FIGURE_9,
      "Share of thread instructions that the scalar pipeline executed; cycles saved relative to the baseline; time "
      "saved, at the clock frequencies of the paper's Figure 5 with DSP blocks (194 and 204 MHz).");
}

static double per(uint64_t a, uint64_t b)
{
  return b > 0 ? (double)a / (double)b : 0;
}

static void put_background_row(FILE *f, const struct sl_simtight_figures *figures, size_t b)
{
  const struct sl_paper_runs *runs = figures->runs;
  const uint64_t cycles = sl_paper_counter(runs, SL_BASELINE, b, "cycles");
  const uint64_t beats = sl_paper_counter(runs, SL_BASELINE, b, "dram_beats");
  const uint64_t stack = sl_paper_counter(runs, SL_BASELINE, b, "stack_cache_misses");
  const uint64_t spilled = sl_paper_counter(runs, SL_RFC_256, b, "dram_beats");
  fputs("<tr>", f);
  sl_html_element(f, "td", runs->benchmarks[b]->name);
  fprintf(f, "<td>%.2f</td>", per(sl_paper_counter(runs, SL_BASELINE, b, "thread_instrs"), cycles));
  fprintf(f, "<td>%.3f</td>", per(beats, cycles));
  put_count(f, beats);
  put_count(f, stack);
  put_percent(f, 100 * per(stack, sl_paper_counter(runs, SL_BASELINE, b, "dram_transactions")), false);
  put_count(f, sl_paper_counter(runs, SL_RV32E, b, "stack_cache_misses"));
  put_count(f, sl_paper_counter(runs, SL_RFC_ALL, b, "max_vector_registers"));
  put_count(f, spilled > beats ? spilled - beats : 0);
  put_percent(f, figures->charts[SL_FIGURE_8_CYCLES].series[2].value[b], true);
  put_percent(f, figures->charts[SL_FIGURE_9].series[1].value[b], false);
  fputs("</tr>\n", f);
}

static void put_background(FILE *f, const struct sl_simtight_figures *figures)
{
  static const char *const titles[] = {"benchmark",
                                       "IPC",
                                       "DRAM beats per cycle",
                                       "DRAM beats",
                                       "stack loads",
                                       "of memory transactions",
                                       "stack loads, RV32E",
                                       "vectors at most",
                                       "DRAM beats more at 256 slots",
                                       "cycles at 256 slots",
                                       "cycles saved by PP",
                                       NULL};
  fputs("<h2>Analysis</h2>\n<p>Counters of the same runs, of the baseline unless stated otherwise. "
        "Stack loads are memory transactions. The maximum number of vectors is that of the compressed file with a slot "
        "for every "
        "register: a benchmark that needs more vectors than there are slots spills.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t b = 0; b < figures->runs->benchmark_count; b++)
    put_background_row(f, figures, b);
  sl_html_end_table(f);
}

static void put_configurations(FILE *f, const struct sl_paper_runs *runs)
{
  static const char *const titles[] = {"configuration", "what it is", "preset", "changed key", "programs", NULL};
  fputs("<h2>Configurations</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (size_t c = 0; c < runs->paper->config_count; c++) {
    const struct sl_paper_config *config = &runs->paper->configs[c];
    fputs("<tr>", f);
    sl_html_element(f, "td", config->name);
    fputs("<td class=\"text\">", f);
    sl_html_text(f, config->about);
    fputs("</td>", f);
    sl_html_element(f, "td", config->preset);
    sl_html_element(f, "td", config->set[0] != NULL ? config->set[0] : "none");
    sl_html_element(f, "td", config->rv32e ? "RV32E" : "RV32I");
    fputs("</tr>\n", f);
  }
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Benchmarks whose name ends in _Float run on the same machine with its FPU on. "
        "All counters of the runs: <code>runs/</code>; the summary: <a href=\"summary.csv\">summary.csv</a>."
        "</p>\n",
        f);
}

void sl_simtight_page(FILE *f, const void *context)
{
  const struct sl_simtight_figures *figures = context;
  static const char title[] = "Advanced Dynamic Scalarisation for RISC-V GPGPUs, reproduced";
  sl_html_begin(f, title);
  put_introduction(f, figures->runs);
  sl_paper_samples_html(f, figures->runs);
  put_summary(f, figures);
  sl_simtight_suite_section(f, figures);
  put_figures(f, figures);
  put_background(f, figures);
  put_configurations(f, figures->runs);
  sl_provenance_html_end(f);
}
