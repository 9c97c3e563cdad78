#include "cli/paper/isa64/paper_isa64.h"

#include <stdlib.h>
#include <string.h>

#include "cli/locations.h"
#include "cli/options.h"
#include "cli/paper/isa64/paper_isa64_figures.h"
#include "observe/chart.h"

static void put_chart(FILE *file, const void *chart)
{
  sl_chart_csv(chart, file);
}

static void put_drawing(FILE *file, const void *chart)
{
  sl_svg_chart(file, chart);
}

static enum sl_status save_charts(const struct sl_isa64_runs *runs, const struct sl_isa64_charts *charts,
                                  struct sl_error *err)
{
  enum sl_status code = SL_OK;
  char name[64];
  for (size_t c = 0; c < charts->count && code == SL_OK; c++) {
    snprintf(name, sizeof name, "%s.csv", charts->chart[c].id);
    code = sl_paper_save(runs->order->folder, name, put_chart, &charts->chart[c], err);
    snprintf(name, sizeof name, "%s.svg", charts->chart[c].id);
    if (code == SL_OK)
      code = sl_paper_save(runs->order->folder, name, put_drawing, &charts->chart[c], err);
  }
  return code;
}

static enum sl_status save_tables(const struct sl_isa64_runs *runs, struct sl_error *err)
{
  const struct {
    const char *name;
    bool wanted;
    void (*write)(FILE *file, const void *runs);
  } files[] = {{"summary.csv", runs->chosen[SL_ISA64_VECADD] || runs->chosen[SL_ISA64_GEMM], sl_isa64_put_paper},
               {"tiles.csv", runs->chosen[SL_ISA64_TILES], sl_isa64_put_tiles},
               {"calls.csv", runs->chosen[SL_ISA64_CALLS], sl_isa64_put_calls},
               {"kernels.csv", sl_isa64_has_kernels(runs), sl_isa64_put_kernels}};
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sizeof files / sizeof files[0] && code == SL_OK; i++)
    if (files[i].wanted)
      code = sl_paper_save(runs->order->folder, files[i].name, files[i].write, runs, err);
  return code;
}

static enum sl_status report(const struct sl_isa64_runs *runs, struct sl_error *err)
{
  struct sl_isa64_charts *charts = calloc(1, sizeof *charts);
  if (charts == NULL)
    return sl_no_memory(err, sizeof *charts);
  sl_isa64_draw(runs, charts);
  const struct sl_isa64_page page = {runs, charts};
  enum sl_status code = save_tables(runs, err);
  if (code == SL_OK)
    code = save_charts(runs, charts, err);
  if (code == SL_OK)
    code = sl_paper_save(runs->order->folder, "index.html", sl_isa64_put_page, &page, err);
  if (code == SL_OK)
    sl_isa64_print(runs);
  free(charts);
  return code;
}

/* Parses a list "NAME,NAME" of parts; NULL: all. */
static enum sl_status choose(struct sl_isa64_runs *runs, struct sl_error *err)
{
  const char *list = runs->order->only;
  bool any = list == NULL;
  char word[80];
  for (size_t p = 0; p < SL_ISA64_PARTS; p++)
    runs->chosen[p] = list == NULL;
  while (list != NULL && *list != '\0') {
    const size_t length = strcspn(list, ",");
    size_t p = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), list);
    while (p < SL_ISA64_PARTS && strcmp(sl_isa64_parts[p], word) != 0)
      p++;
    if (p == SL_ISA64_PARTS)
      return sl_unknown(err, "benchmark", word, sl_isa64_parts, SL_ISA64_PARTS);
    runs->chosen[p] = any = true;
    list += length + (list[length] == ',');
  }
  return any ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static enum sl_status run_and_report(struct sl_isa64_runs *runs, struct sl_error *err)
{
  enum sl_status code = sl_isa64_plan(runs, err);
  if (code == SL_OK)
    code = sl_command_hash(&runs->build, err);
  if (code == SL_OK)
    code = sl_isa64_compile(runs, err);
  if (code == SL_OK)
    code = sl_isa64_run(runs, err);
  if (code != SL_OK)
    return code;
  const enum sl_status worst = sl_isa64_print_failures(runs);
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
  struct sl_isa64_runs *runs = calloc(1, sizeof *runs);
  if (runs == NULL)
    return sl_no_memory(err, sizeof *runs);
  runs->paper = paper;
  runs->order = order;
  runs->small = strcmp(order->size, "small") == 0;
  enum sl_status code = choose(runs, err);
  if (code == SL_OK)
    code = run_and_report(runs, err);
  sl_isa64_free(runs);
  free(runs);
  return code;
}

const struct sl_paper sl_paper_isa64 = {
    .name = "isa64",
    .title = "R. R. Yan and S. Anand, Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and Conflict-Aware "
             "Register Allocation",
    .reproduce = reproduce,
};
