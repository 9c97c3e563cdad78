/* Report of the evaluation: a page, CSV files, and the summary as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "cli/paper/r2d2/paper_r2d2_figures.h"
#include "observe/chart.h"
#include "observe/html.h"
#include "observe/table.h"

struct page {
  const struct sl_r2d2_runs *runs;
  struct sl_chart charts[SL_R2D2_CHARTS];
};

/* Table 3 as published. Its column names state input nodes from 2^4 to 2^64. */
static const struct {
  double less, speed;
} published_grids[SL_R2D2_GRIDS] = {{38.3, 1.35}, {38.8, 1.35}, {39.2, 1.36}, {39.6, 1.36}, {39.7, 1.36}};

static bool has_grids(const struct sl_r2d2_runs *runs)
{
  return runs->chosen[SL_R2D2_PROGRAMS];
}

static bool has_sizes(const struct sl_r2d2_runs *runs)
{
  return runs->chosen[SL_R2D2_FIRST_SIZED];
}

/* ---- files of numbers -------------------------------------------------------------------------------------------- */

static void put_summary_csv(FILE *f, const void *context)
{
  const struct sl_r2d2_runs *runs = context;
  fputs("measure,in the paper,simtlab,paper\n", f);
  for (const struct sl_r2d2_measure *m = sl_r2d2_measures; m < sl_r2d2_measures + SL_R2D2_MEASURES; m++) {
    if (!sl_r2d2_is_measured(runs, m))
      continue;
    fprintf(f, "\"%s\",%s,%.3f,", m->what, m->where, m->number(runs, m));
    if (m->published > 0)
      fprintf(f, "%g", m->published);
    fputc('\n', f);
  }
  for (size_t n = 0; n < SL_R2D2_GRIDS && has_grids(runs); n++) {
    const struct sl_r2d2_grid g = sl_r2d2_grid(runs, n);
    fprintf(f, "\"backprop of %u blocks, fewer warp instructions, %%\",Table 3,%.3f,%g\n", g.blocks, g.less,
            published_grids[n].less);
    fprintf(f, "\"backprop of %u blocks, times as fast\",Table 3,%.3f,%g\n", g.blocks, g.speed,
            published_grids[n].speed);
  }
  for (size_t n = 0; n < SL_R2D2_SIZES && has_sizes(runs); n++) {
    const struct sl_r2d2_size s = sl_r2d2_size(runs, n);
    fprintf(f, "\"blocks of %u threads, fewer warp instructions, %%\",not printed,%.3f,\n", s.threads, s.less);
    fprintf(f, "\"blocks of %u threads, times as fast\",not printed,%.3f,\n", s.threads, s.speed);
  }
}

static void put_energy_csv(FILE *f, const void *context)
{
  const struct sl_r2d2_runs *runs = context;
  fputs("event,baseline (%),R2D2 (% of the baseline's energy)\n", f);
  for (enum sl_energy_event e = 0; e < SL_ENERGY_EVENTS; e++)
    fprintf(f, "%s,%.3f,%.3f\n", sl_energy_events[e].name, sl_r2d2_share(runs, SL_R2D2_BASE, e),
            sl_r2d2_share(runs, SL_R2D2_LINEAR, e));
}

static void put_chart(FILE *file, const void *chart)
{
  sl_chart_csv(chart, file);
}

static void put_drawing(FILE *file, const void *chart)
{
  sl_svg_chart(file, chart);
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void put_introduction(FILE *f, const struct sl_r2d2_runs *runs)
{
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    programs += runs->chosen[p];
  fputs("<p>Reproduction of ", f);
  sl_html_text(f, runs->paper->title);
  fprintf(f, ", section 5 and Figure 4: %u of %d programs, %zu runs at the %s sizes, by simtlab %s.</p>\n", programs,
          SL_R2D2_PROGRAMS, runs->count, runs->order->size, SL_VERSION);
  fputs("<p class=\"soft\">The programs are simtlab's own, modelled on the suites of the paper's Table 2, compiled "
        "by Clang, with small data sets. They run on <code>sm7-r2d2</code> with two SMs; the baseline is the same "
        "with <code>r2d2=off</code>. Means of shares are arithmetic, means of speed geometric, as in the paper. Energy "
        "uses the set <code>titanv</code>, which has no figure for DRAM. Each run leaves the same memory contents "
        "as the baseline. The paper prints means and single values only.</p>\n",
        f);
  if (programs < SL_R2D2_PROGRAMS)
    fputs("<p>Not all programs were run: the means cover only those that were.</p>\n", f);
}

static void put_published(FILE *f, double value)
{
  if (value > 0)
    fprintf(f, "<td>%g</td>", value);
  else
    fputs("<td>&ndash;</td>", f);
}

/* Explains the difference of a measure from the published value, by the beginning of its name. */
static const struct {
  const char *what, *why;
} reasons[] = {
    {"fewer thread instructions, ideal LN", "These programs compute more addresses than those of the paper's suites, "
                                            "and LN eliminates address computations."},
    {"fewer warp instructions: D", "The baselines here are ideal, so they eliminate more than a real machine could."},
    {"times as fast: D", "The baselines here are ideal, and only fully occupied SMs can use the saved slots."},
    {"less energy: D", "The baselines here are ideal, so they eliminate more than a real machine could."},
    {"times as fast", "Only issue slots can be saved, and only fully occupied SMs can use them. The data sets are "
                      "small, and many programs "
                      "wait for the crossbar port that two SMs share."},
    {"linear instructions",
     "The kernels are short here, and an SM executes the same number of linear instructions for any kernel length."},
    {"cycles with linear instructions",
     "The kernels are short here, and the linear part of an SM takes the same time for any kernel length. Counted are "
     "cycles "
     "of an SM in which some warp has not come to what is left of the kernel; the paper does not define its own."},
};

/* Near: within a tenth of the published value. */
static void put_reason(FILE *f, const struct sl_r2d2_measure *m, double ours)
{
  enum { NEAR_PERCENT = 10 };
  const double distance = ours > m->published ? ours - m->published : m->published - ours;
  if (m->published <= 0 || 100 * distance <= NEAR_PERCENT * m->published)
    return;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strncmp(m->what, reasons[i].what, strlen(reasons[i].what)) == 0) {
      fprintf(f, "<tr><td class=\"text soft\" colspan=\"4\">%s</td></tr>\n", reasons[i].why);
      return;
    }
}

static void put_summary(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {"", "simtlab", "paper", "in the paper", NULL};
  fputs("<h2>Summary</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (const struct sl_r2d2_measure *m = sl_r2d2_measures; m < sl_r2d2_measures + SL_R2D2_MEASURES; m++) {
    if (!sl_r2d2_is_measured(runs, m))
      continue;
    fputs("<tr>", f);
    sl_html_element(f, "td", m->what);
    fprintf(f, "<td>%.2f</td>", m->number(runs, m));
    put_published(f, m->published);
    fprintf(f, "<td>%s</td></tr>\n", m->where);
    put_reason(f, m, m->number(runs, m));
  }
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Numbers: <a href=\"summary.csv\">summary.csv</a>.</p>\n", f);
}

static void put_charts(FILE *f, const struct page *page)
{
  fputs("<h2>Figures</h2>\n", f);
  for (size_t c = 0; c < SL_R2D2_CHARTS; c++) {
    const struct sl_chart *chart = &page->charts[c];
    fputs("<figure>\n", f);
    sl_svg_chart(f, chart);
    fprintf(f,
            "<figcaption>%s (Figure %s). Numbers: <a href=\"%s.csv\">%s.csv</a>; drawing: <a "
            "href=\"%s.svg\">%s.svg</a>.</figcaption>\n</figure>\n",
            chart->title, chart->id + strlen("figure"), chart->id, chart->id, chart->id, chart->id);
  }
}

static void put_energy(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {"% of the baseline's energy", "baseline", "R2D2", NULL};
  fputs("<h2>Where energy goes</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (enum sl_energy_event e = 0; e < SL_ENERGY_EVENTS; e++) {
    const double base = sl_r2d2_share(runs, SL_R2D2_BASE, e), linear = sl_r2d2_share(runs, SL_R2D2_LINEAR, e);
    if (base + linear > 0)
      fprintf(f, "<tr><td>%s</td><td>%.2f</td><td>%.2f</td></tr>\n", sl_energy_events[e].name, base, linear);
  }
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Numbers: <a href=\"energy.csv\">energy.csv</a>.</p>\n", f);
}

/* A program in PTX and in machine code. */
static void put_machine_code(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {
      "", "PTX: fewer warp instructions, %", "times as fast", "RISC-V: fewer, %", "times as fast", NULL};
  fputs("<h2>Machine code</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p])
      fprintf(f, "<tr><td>%s</td><td>%.1f</td><td>%.2f</td><td>%.1f</td><td>%.2f</td></tr>\n", sl_r2d2_programs[p].name,
              sl_r2d2_less(runs, p, SL_R2D2_BASE, SL_R2D2_LINEAR, "warp_instrs"),
              sl_r2d2_speed(runs, p, SL_R2D2_BASE, SL_R2D2_LINEAR),
              sl_r2d2_less(runs, p, SL_R2D2_RISCV_BASE, SL_R2D2_RISCV_LINEAR, "warp_instrs"),
              sl_r2d2_speed(runs, p, SL_R2D2_RISCV_BASE, SL_R2D2_RISCV_LINEAR));
  sl_html_end_table(f);
  fputs("<p class=\"soft\">The same sources, compiled to RV32. The paper has no such measurement.</p>\n", f);
}

static void put_grids(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {
      "blocks", "fewer warp instructions, %", "times as fast", "paper: fewer, %", "times as fast", NULL};
  if (!has_grids(runs))
    return;
  fputs("<h2>Blocks of backprop (Table 3)</h2>\n<p>Both kernels of the program. The paper's columns are five sizes "
        "named BP_04 to BP_64, the last one misprinted; it does not state their numbers of blocks.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t n = 0; n < SL_R2D2_GRIDS; n++) {
    const struct sl_r2d2_grid g = sl_r2d2_grid(runs, n);
    fprintf(f, "<tr><td>%u</td><td>%.1f</td><td>%.2f</td><td>%g</td><td>%g</td></tr>\n", g.blocks, g.less, g.speed,
            published_grids[n].less, published_grids[n].speed);
  }
  sl_html_end_table(f);
}

static void put_sizes(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {"threads of a block", "fewer warp instructions, %", "times as fast", NULL};
  if (!has_sizes(runs))
    return;
  fprintf(f,
          "<h2>Block sizes</h2>\n<p>Means of the %d programs of one-dimensional blocks without shared "
          "memory, with the same total number of threads.</p>\n",
          SL_R2D2_SIZED);
  sl_html_begin_table(f, titles);
  for (size_t n = 0; n < SL_R2D2_SIZES; n++) {
    const struct sl_r2d2_size s = sl_r2d2_size(runs, n);
    fprintf(f, "<tr><td>%u</td><td>%.1f</td><td>%.2f</td></tr>\n", s.threads, s.less, s.speed);
  }
  sl_html_end_table(f);
}

static void put_programs(FILE *f, const struct sl_r2d2_runs *runs)
{
  static const char *const titles[] = {"program",   "suite", "warp instructions", "with R2D2", "cycles",
                                       "with R2D2", NULL};
  static const char *const counters[] = {"warp_instrs", "cycles"};
  char text[32];
  fputs("<h2>Programs (Table 2)</h2>\n", f);
  sl_html_begin_table(f, titles);
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++) {
    if (!runs->chosen[p])
      continue;
    fprintf(f, "<tr><td>%s</td><td>%s</td>", sl_r2d2_programs[p].name, sl_r2d2_programs[p].suite);
    for (size_t c = 0; c < 2; c++)
      for (enum sl_r2d2_machine m = SL_R2D2_BASE; m <= SL_R2D2_LINEAR; m++)
        fprintf(f, "<td>%s</td>", sl_grouped(sl_r2d2_counter(runs, p, m, counters[c]), text));
    fputs("</tr>\n", f);
  }
  sl_html_end_table(f);
}

static void put_page(FILE *f, const void *context)
{
  const struct page *page = context;
  sl_html_begin(f, "R2D2, reproduced");
  put_introduction(f, page->runs);
  put_summary(f, page->runs);
  put_charts(f, page);
  put_machine_code(f, page->runs);
  put_energy(f, page->runs);
  put_grids(f, page->runs);
  put_sizes(f, page->runs);
  put_programs(f, page->runs);
  sl_provenance_html_end(f);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void print(const struct sl_r2d2_runs *runs)
{
  printf("%-42s %8s %8s\n", "", "simtlab", "paper");
  for (const struct sl_r2d2_measure *m = sl_r2d2_measures; m < sl_r2d2_measures + SL_R2D2_MEASURES; m++) {
    if (!sl_r2d2_is_measured(runs, m))
      continue;
    printf("%-42s %8.2f ", m->what, m->number(runs, m));
    if (m->published > 0)
      printf("%8g\n", m->published);
    else
      puts("       -");
  }
}

static enum sl_status save_charts(const struct page *page, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  char name[64];
  for (size_t c = 0; c < SL_R2D2_CHARTS && code == SL_OK; c++) {
    snprintf(name, sizeof name, "%s.csv", page->charts[c].id);
    code = sl_paper_save(page->runs->order->folder, name, put_chart, &page->charts[c], err);
    snprintf(name, sizeof name, "%s.svg", page->charts[c].id);
    if (code == SL_OK)
      code = sl_paper_save(page->runs->order->folder, name, put_drawing, &page->charts[c], err);
  }
  return code;
}

enum sl_status sl_r2d2_report(const struct sl_r2d2_runs *runs, struct sl_error *err)
{
  const char *folder = runs->order->folder;
  struct page *page = calloc(1, sizeof *page);
  if (page == NULL)
    return sl_no_memory(err, sizeof *page);
  page->runs = runs;
  sl_r2d2_draw(runs, page->charts);
  enum sl_status code = sl_paper_save(folder, "summary.csv", put_summary_csv, runs, err);
  if (code == SL_OK)
    code = sl_paper_save(folder, "energy.csv", put_energy_csv, runs, err);
  if (code == SL_OK)
    code = save_charts(page, err);
  if (code == SL_OK)
    code = sl_paper_save(folder, "index.html", put_page, page, err);
  if (code == SL_OK)
    print(runs);
  free(page);
  return code;
}
