#include "cli/paper/cfm_dmsl/paper_cfm.h"

#include <stdlib.h>
#include <string.h>

#include "cli/paper/cfm_dmsl/paper_cfm_figures.h"
#include "observe/chart.h"
#include "observe/table.h"

static void put_summary(FILE *file, const void *context)
{
  fprintf(file, "measure,\"sweep average\",slope,\"whole program\",paper\n");
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++) {
    fprintf(file, "\"%s\"", m->what);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      if (sl_cfm_is_measured(context, m))
        fprintf(file, ",%.6g", sl_cfm_measured(context, m, way));
      else
        fputc(',', file);
    if (m->paper > 0)
      fprintf(file, ",%g\n", m->paper);
    else
      fputs(",\n", file);
  }
}

static void put_table_3(FILE *file, const void *context)
{
  fprintf(file, "machine,cores,\"GFLOP/s, sweep average\",slope,\"whole program\",paper,\"area (mm2, published)\","
                "\"GFLOP/s/mm2, paper\"\n");
  for (const struct sl_cfm_row *row = sl_cfm_rows; row < sl_cfm_rows + SL_CFM_ROWS; row++) {
    fprintf(file, "\"%s\",%u", row->name, row->cores);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      fprintf(file, ",%.6g", sl_cfm_mean(context, SL_CFM_RATE, row->config, row->config, SL_CFM_SEVEN, way));
    if (row->rate > 0)
      fprintf(file, ",%g,%g,%g\n", row->rate, row->area, row->efficiency);
    else
      fputs(",,,\n", file);
  }
}

static void put_value(FILE *file, const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, const char *name, size_t base,
                      size_t config, size_t kernel)
{
  fprintf(file, "%s,%s,\"%s\"", sl_cfm_configs[config].name, sl_cfm_sweeps[kernel].kernel, name);
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    fprintf(file, ",%.6g", sl_cfm_value(runs, kind, base, config, kernel, way));
  fputc('\n', file);
}

static void put_values(FILE *file, const void *context)
{
  fprintf(file, "configuration,kernel,value,\"sweep average\",slope,\"whole program\"\n");
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
      const size_t base = sl_cfm_configs[c].base;
      if (!sl_cfm_has(context, c, k))
        continue;
      put_value(file, context, SL_CFM_SPEEDUP, "speed-up", base, c, k);
      put_value(file, context, SL_CFM_REDUCTION, "fewer instructions", base, c, k);
      if (base == SL_CFM_PREDICATED) {
        put_value(file, context, SL_CFM_SPEEDUP, "speed-up over plain", SL_CFM_PLAIN, c, k);
        put_value(file, context, SL_CFM_REDUCTION, "fewer instructions than plain", SL_CFM_PLAIN, c, k);
      }
      put_value(file, context, SL_CFM_SHARE, "share of peak (%)", base, c, k);
      put_value(file, context, SL_CFM_RATE, "GFLOP/s", base, c, k);
    }
}

static unsigned long long counter(const struct sl_cfm_runs *runs, size_t config, const struct sl_cfm_point *point,
                                  const char *name)
{
  size_t i;
  return sl_counter_find(runs->machines[config].machine, name, &i) ? point->counters[i] : 0;
}

static void put_runs(FILE *file, const void *context)
{
  const struct sl_cfm_runs *runs = context;
  fprintf(file, "configuration,kernel,size,flops,\"kernel cycles\",\"kernel thread instructions\",\"program cycles\","
                "\"program thread instructions\"\n");
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++)
      for (size_t p = 0; sl_cfm_has(runs, c, k) && p < sl_cfm_point_count(runs, k); p++) {
        const struct sl_cfm_point *point = sl_cfm_point(runs, c, k, p);
        fprintf(file, "%s,%s,%s,%llu,%llu,%llu,%llu,%llu\n", sl_cfm_configs[c].name, sl_cfm_sweeps[k].kernel,
                sl_cfm_sweeps[k].points[p], (unsigned long long)point->region.flops,
                (unsigned long long)point->region.cycles, (unsigned long long)point->region.thread_instrs,
                counter(runs, c, point, "cycles"), counter(runs, c, point, "thread_instrs"));
      }
}

static void put_chart(FILE *file, const void *chart)
{
  sl_chart_csv(chart, file);
}

static void put_drawing(FILE *file, const void *chart)
{
  sl_svg_chart(file, chart);
}

static void print_summary(const struct sl_cfm_runs *runs)
{
  static const char *const titles[] = {"", ">sweep average", ">slope", ">whole program", ">paper", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++) {
    sl_table_cell(&table, "%s", m->what);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      if (sl_cfm_is_measured(runs, m))
        sl_table_cell(&table, "%.2f", sl_cfm_measured(runs, m, way));
      else
        sl_table_cell(&table, "-");
    if (m->paper > 0)
      sl_table_cell(&table, "%g", m->paper);
    else
      sl_table_cell(&table, "-");
  }
  sl_table_print(&table, stdout); /* main reports a failed write to standard output */
  sl_table_free(&table);
}

static enum sl_status save_charts(const struct sl_cfm_runs *runs, const struct sl_chart *charts, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  char name[64];
  for (size_t c = 0; c < SL_CFM_CHARTS && code == SL_OK; c++) {
    snprintf(name, sizeof name, "%s.csv", charts[c].id);
    code = sl_paper_save(runs->order->folder, name, put_chart, &charts[c], err);
    snprintf(name, sizeof name, "%s.svg", charts[c].id);
    if (code == SL_OK)
      code = sl_paper_save(runs->order->folder, name, put_drawing, &charts[c], err);
  }
  return code;
}

static enum sl_status report(const struct sl_cfm_runs *runs, struct sl_error *err)
{
  static const struct {
    const char *name;
    void (*write)(FILE *file, const void *runs);
  } files[] = {
      {"summary.csv", put_summary}, {"table3.csv", put_table_3}, {"values.csv", put_values}, {"runs.csv", put_runs}};
  struct sl_chart *charts = calloc(SL_CFM_CHARTS, sizeof *charts);
  enum sl_status code = charts != NULL ? SL_OK : sl_no_memory(err, SL_CFM_CHARTS * sizeof *charts);
  for (size_t i = 0; i < sizeof files / sizeof files[0] && code == SL_OK; i++)
    code = sl_paper_save(runs->order->folder, files[i].name, files[i].write, runs, err);
  if (code == SL_OK) {
    sl_cfm_charts(runs, charts);
    code = save_charts(runs, charts, err);
  }
  const struct sl_cfm_page page = {runs, charts};
  if (code == SL_OK)
    code = sl_paper_save(runs->order->folder, "index.html", sl_cfm_put_page, &page, err);
  if (code == SL_OK)
    print_summary(runs);
  free(charts);
  return code;
}

/* Parses a list "NAME,NAME" of kernels into a set; NULL: all. */
static enum sl_status choose(const char *list, unsigned *kernels, struct sl_error *err)
{
  const char *names[SL_CFM_KERNELS];
  char word[80];
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    names[k] = sl_cfm_sweeps[k].kernel;
  *kernels = list == NULL ? (1u << SL_CFM_KERNELS) - 1 : 0;
  while (list != NULL && *list != '\0') {
    const size_t length = strcspn(list, ",");
    size_t k = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), list);
    while (k < SL_CFM_KERNELS && strcmp(names[k], word) != 0)
      k++;
    if (k == SL_CFM_KERNELS)
      return sl_unknown(err, "benchmark", word, names, SL_CFM_KERNELS);
    *kernels |= 1u << k;
    list += length + (list[length] == ',');
  }
  return *kernels != 0 ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static enum sl_status run_and_report(struct sl_cfm_runs *runs, struct sl_error *err)
{
  enum sl_status code = sl_cfm_run(runs, err);
  if (code != SL_OK)
    return code;
  const enum sl_status worst = sl_cfm_print_failures(runs);
  if (worst != SL_OK)
    return sl_fail(err, worst,
                   "no report is written, because it needs every run; those that passed are kept in %.300s/runs",
                   runs->order->folder);
  code = report(runs, err);
  if (code == SL_OK)
    printf("runs: %zu simulated, %zu reused\nreport: %s/index.html\n", runs->count - runs->reused, runs->reused,
           runs->order->folder);
  return code;
}

static enum sl_status reproduce(const struct sl_paper *paper, const struct sl_paper_order *order, struct sl_error *err)
{
  struct sl_cfm_runs *runs = calloc(1, sizeof *runs);
  if (runs == NULL)
    return sl_no_memory(err, sizeof *runs);
  runs->paper = paper;
  runs->order = order;
  enum sl_status code = choose(order->only, &runs->kernels, err);
  if (code == SL_OK)
    code = run_and_report(runs, err);
  sl_cfm_free(runs);
  free(runs);
  return code;
}

const struct sl_paper sl_paper_cfm_dmsl = {
    .name = "cfm-dmsl",
    .title = "G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs",
    .reproduce = reproduce,
};
