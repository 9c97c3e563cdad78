/* HTML page of the evaluation. */
#include <string.h>

#include "cli/help/provenance.h"
#include "cli/paper/cfm_dmsl/paper_cfm_figures.h"
#include "observe/chart.h"
#include "observe/html.h"

static void put_introduction(FILE *f, const struct sl_cfm_runs *runs)
{
  unsigned kernels = 0;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    kernels += runs->kernels >> k & 1;
  fputs("<p>Reproduction of ", f);
  sl_html_text(f, runs->paper->title);
  fprintf(f,
          ", section VI: %u of %d kernels on %d configurations, %zu runs at the %s sizes, by simtlab %s. "
          "All values in columns and bars named simtlab come from these runs; areas are the published ones.</p>\n",
          kernels, SL_CFM_KERNELS, SL_CFM_CONFIGS, runs->count, runs->order->size, SL_VERSION);
  if (kernels < SL_CFM_KERNELS)
    fputs("<p>Not all kernels were run: the averages cover only those that were.</p>\n", f);
  fputs("<p class=\"soft\">paper: the published values, measured on the authors' simulator with the extensions, "
        "whose sources are not published. The kernels are simtlab's own, with the same names and sweeps (Table "
        "II). Without extensions, every loop is predicated and reads its bounds at run time, as section III describes "
        "the "
        "baseline; the variant <b>optimised by hand</b> predicates only where lanes diverge. <b>Sweep average</b>: the "
        "kernel region, from the cycle in which the warps start until all have ended, "
        "as the mean over the sweep. <b>Slope</b>: cycles or instructions per additional FLOP over the sweep, without "
        "the "
        "fixed cost of a launch. <b>Whole program</b>: includes filling the arrays and checking the results on the "
        "GPU, as the mean over the sweep. A multiply-add is one FLOP; averages over kernels are arithmetic. An average "
        "of "
        "six excludes gcn_aggr, as in "
        "the paper's Figure 8: the numbers that its text gives for the seven kernels have a mean of 7.0, without "
        "gcn_aggr "
        "of "
        "7.9, and are printed as 8.</p>\n",
        f);
}

static void put_summary(FILE *f, const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {"", "sweep average", "slope", "whole program", "paper", "in the paper", NULL};
  fputs("<h2>Summary</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++) {
    fputs("<tr>", f);
    sl_html_element(f, "td", m->what);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      if (sl_cfm_is_measured(runs, m))
        fprintf(f, "<td>%.2f</td>", sl_cfm_measured(runs, m, way));
      else
        fputs("<td>&ndash;</td>", f);
    if (m->paper > 0)
      fprintf(f, "<td>%g</td>", m->paper);
    else
      fputs("<td>&ndash;</td>", f);
    fprintf(f, "<td>%s</td></tr>\n", m->where);
    if (!sl_cfm_is_measured(runs, m) || !sl_cfm_far(runs, m))
      continue;
    fputs("<tr><td class=\"text soft\" colspan=\"6\">", f);
    sl_cfm_remark(f, runs, m);
    fputs("</td></tr>\n", f);
  }
  sl_html_end_table(f);
}

static void put_chart(FILE *f, const struct sl_chart *chart, const char *caption)
{
  fputs("<figure>\n", f);
  sl_svg_chart(f, chart);
  fprintf(
      f,
      "<figcaption>%s Numbers: <a href=\"%s.csv\">%s.csv</a>; drawing: <a href=\"%s.svg\">%s.svg</a>.</figcaption>\n"
      "</figure>\n",
      caption, chart->id, chart->id, chart->id, chart->id);
}

static void put_figure_7(FILE *f, const struct sl_chart *charts)
{
  static const char *const captions[SL_CFM_WAYS] = {"Kernel region, mean over the sweep.",
                                                    "Kernel region, slope over the sweep.",
                                                    "Whole program, mean over the sweep."};
  fputs("<h2>Figure 7: speedup, instruction reduction, share of peak</h2>\n"
        "<p>gcn_aggr accesses memory indirectly, so it uses hardware loops but no streams. "
        "sgemv_rows is sgemv with "
        "a row-major matrix and is in no average. Published in the text: on average a speedup of 8, 10 times fewer "
        "instructions, 50 % of peak; up to 10 and 15 times for "
        "saxpy, sgemv, sgemm and conv2d; speedups of 2.5 for knn, 5 for sfilter, 1.7 for gcn_aggr.</p>\n",
        f);
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    for (size_t kind = 0; kind < 3; kind++)
      put_chart(f, &charts[3 * way + kind], captions[way]);
}

static void put_figure_8(FILE *f, const struct sl_chart *charts)
{
  fputs("<h2>Figure 8: threads, warps and cores</h2>\n<p>Loops, streams and three ports relative to the same shape "
        "without "
        "extensions; the average excludes gcn_aggr. Published: a speedup of 8 with 16 threads and 7 with 32, almost "
        "independent of the number of warps.</p>\n",
        f);
  put_chart(f, &charts[SL_CFM_FIGURE_7], "One core.");
  put_chart(
      f, &charts[SL_CFM_FIGURE_7 + 1],
      "8 warps of 16 threads; each core has its own first-level caches. Cores share one memory port; clusters have one "
      "core, with a second-level cache and a memory port each, 8-way data caches, and lines on all DRAM channels.");
}

static void put_table_3(FILE *f, const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {"",
                                       "cores",
                                       "GFLOP/s, sweep average",
                                       "slope",
                                       "whole program",
                                       "paper",
                                       "area, mm² (published)",
                                       "GFLOP/s per mm², sweep average",
                                       "slope",
                                       "paper",
                                       NULL};
  fputs("<h2>Table III: performance</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (const struct sl_cfm_row *row = sl_cfm_rows; row < sl_cfm_rows + SL_CFM_ROWS; row++) {
    double rate[SL_CFM_WAYS];
    fputs("<tr>", f);
    sl_html_element(f, "td", row->name);
    fprintf(f, "<td>%u</td>", row->cores);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++) {
      rate[way] = sl_cfm_mean(runs, SL_CFM_RATE, row->config, row->config, SL_CFM_SEVEN, way);
      fprintf(f, "<td>%.2f</td>", rate[way]);
    }
    if (row->rate > 0)
      fprintf(f, "<td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%.2f</td></tr>\n", row->rate, row->area,
              rate[SL_CFM_SWEEP] / row->area, rate[SL_CFM_SLOPE] / row->area, row->efficiency);
    else
      fputs("<td>&ndash;</td><td>&ndash;</td><td>&ndash;</td><td>&ndash;</td><td>&ndash;</td></tr>\n", f);
  }
  sl_html_end_table(f);
  fputs("<p class=\"soft\">At 800 MHz, averages over the kernels. Areas are the paper's (22 nm synthesis), not of this "
        "build; GFLOP/s per mm² divides simtlab's rate by that area. Cores have their own first-level caches and share "
        "one "
        "memory port. Numbers: <a href=\"table3.csv\">table3.csv</a>.</p>\n",
        f);
}

static void put_rtl(FILE *f, const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {"slope",
                                       "plain, % of peak",
                                       "loops, faster",
                                       "extended, faster",
                                       "extended, % of peak",
                                       "plain, queue of 4",
                                       "loops, faster",
                                       "extended, faster",
                                       "extended, % of peak",
                                       NULL};
  fputs("<h2>RTL timing</h2>\n<p>The same on machines that follow the published Verilog. Their FPU queue of two "
        "entries passes one multiply-add in three cycles; a queue of four is shown, too.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t k = 0; k <= SL_CFM_KERNELS; k++) {
    const unsigned kernels = k < SL_CFM_KERNELS ? 1u << k : SL_CFM_SEVEN;
    if (k < SL_CFM_KERNELS && !sl_cfm_has(runs, SL_CFM_RTL, k))
      continue;
    fputs("<tr>", f);
    sl_html_element(f, "td", k < SL_CFM_KERNELS ? sl_cfm_sweeps[k].kernel : "average");
    for (size_t c = SL_CFM_RTL; c < SL_CFM_RTL + 6; c += 3) {
      fprintf(f, "<td>%.2f</td>", sl_cfm_mean(runs, SL_CFM_SHARE, c, c, kernels, SL_CFM_SLOPE));
      fprintf(f, "<td>%.2f</td>", sl_cfm_mean(runs, SL_CFM_SPEEDUP, c, c + 1, kernels, SL_CFM_SLOPE));
      fprintf(f, "<td>%.2f</td>", sl_cfm_mean(runs, SL_CFM_SPEEDUP, c, c + 2, kernels, SL_CFM_SLOPE));
      fprintf(f, "<td>%.2f</td>", sl_cfm_mean(runs, SL_CFM_SHARE, c, c + 2, kernels, SL_CFM_SLOPE));
    }
    fputs("</tr>\n", f);
  }
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Numbers: <a href=\"values.csv\">values.csv</a>, with the sweep averages.</p>\n", f);
}

static void put_background(FILE *f, const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {
      "kernel", "without: cycles per FLOP of a warp", "instructions", "start", "loops: cycles",    "instructions",
      "start",  "streams, 3 ports: cycles",           "instructions", "start", "lines of streams", NULL};
  static const enum sl_cfm_config_id configs[] = {SL_CFM_PREDICATED, SL_CFM_LOOPS, SL_CFM_PORTS_3};
  fputs("<h2>Analysis</h2>\n<p>Kernel region: for one FLOP in each lane of a warp, the additional "
        "core cycles, warp instructions, and lines that the streams request; and the fixed cycles of a "
        "launch, by the same straight line.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
    if (!(runs->kernels >> k & 1))
      continue;
    fputs("<tr>", f);
    sl_html_element(f, "td", sl_cfm_sweeps[k].kernel);
    for (size_t c = 0; c < sizeof configs / sizeof configs[0]; c++) {
      const struct sl_cfm_line line = sl_cfm_fit(runs, configs[c], k);
      fprintf(f, "<td>%.2f</td><td>%.2f</td><td>%.0f</td>", line.cycles * sl_cfm_peak(runs, configs[c]),
              line.instructions, line.start);
    }
    fprintf(f, "<td>%.2f</td></tr>\n",
            sl_cfm_counter_slope(runs, SL_CFM_PORTS_3, k, "streams.lines") * sl_cfm_peak(runs, SL_CFM_PORTS_3));
  }
  sl_html_end_table(f);
}

/* Both baselines, and experiments that show the bottleneck of a kernel. */
static void put_experiments(FILE *f, const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {"slope",      "kernel",    "speed-up", "fewer instructions",
                                       "over plain", "% of peak", NULL};
  static const enum sl_cfm_config_id configs[] = {SL_CFM_PORTS_3,   SL_CFM_LINES_3,   SL_CFM_SUMS_2,   SL_CFM_LOOPS,
                                                  SL_CFM_SLOTS + 1, SL_CFM_SLOTS + 3, SL_CFM_SLOTS + 5};
  fputs("<h2>Experiments</h2>\n<p>The bottlenecks of the kernels: each row changes one thing. Speedup is relative to "
        "the same "
        "machine without extensions, every loop predicated; plain is optimised by hand.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
      const size_t c = configs[i], base = sl_cfm_configs[c].base;
      if (!sl_cfm_has(runs, c, k) || (k != SL_GCN_AGGR) == (c == SL_CFM_LOOPS) ||
          (c == SL_CFM_PORTS_3 && k == SL_GCN_AGGR))
        continue;
      fputs("<tr>", f);
      sl_html_element(f, "td", sl_cfm_configs[c].about);
      sl_html_element(f, "td", sl_cfm_sweeps[k].kernel);
      fprintf(f, "<td>%.2f</td><td>%.2f</td>", sl_cfm_value(runs, SL_CFM_SPEEDUP, base, c, k, SL_CFM_SLOPE),
              sl_cfm_value(runs, SL_CFM_REDUCTION, base, c, k, SL_CFM_SLOPE));
      if (base == SL_CFM_PREDICATED)
        fprintf(f, "<td>%.2f</td>", sl_cfm_value(runs, SL_CFM_SPEEDUP, SL_CFM_PLAIN, c, k, SL_CFM_SLOPE));
      else
        fputs("<td>&ndash;</td>", f);
      fprintf(f, "<td>%.2f</td></tr>\n", sl_cfm_value(runs, SL_CFM_SHARE, base, c, k, SL_CFM_SLOPE));
    }
  sl_html_end_table(f);
}

static void put_configurations(FILE *f)
{
  static const char *const titles[] = {"configuration", "what it is", "preset", "changed keys", "programs", NULL};
  fputs("<h2>Configurations</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (const struct sl_cfm_config *c = sl_cfm_configs; c < sl_cfm_configs + SL_CFM_CONFIGS; c++) {
    fputs("<tr>", f);
    sl_html_element(f, "td", c->name);
    fputs("<td class=\"text\">", f);
    sl_html_text(f, c->about);
    fputs("</td>", f);
    sl_html_element(f, "td", c->preset);
    fputs("<td>", f);
    sl_html_text(f, c->set[0] != NULL ? c->set[0] : "none");
    for (size_t i = 1; i < SL_CFM_SETTINGS && c->set[i] != NULL; i++) {
      fputs(", ", f);
      sl_html_text(f, c->set[i]);
    }
    fprintf(f, "</td><td>%s</td></tr>\n", c->form);
  }
  sl_html_end_table(f);
  fputs(
      "<p class=\"soft\">Every run with its size, kernel region and whole program: <a href=\"runs.csv\">runs.csv</a>; "
      "all counters of the runs: <code>runs/</code>. The summary: <a href=\"summary.csv\">summary.csv</a>.</p>\n",
      f);
}

void sl_cfm_put_page(FILE *f, const void *context)
{
  const struct sl_cfm_page *page = context;
  sl_html_begin(f, "Decoupled Control Flow and Data Access in RISC-V GPGPUs, reproduced");
  put_introduction(f, page->runs);
  put_summary(f, page->runs);
  put_figure_7(f, page->charts);
  put_figure_8(f, page->charts);
  put_table_3(f, page->runs);
  put_experiments(f, page->runs);
  put_rtl(f, page->runs);
  put_background(f, page->runs);
  put_configurations(f);
  sl_provenance_html_end(f);
}
