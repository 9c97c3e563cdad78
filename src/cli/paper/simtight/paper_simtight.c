/* SIMTight paper: its configurations, and the files of its report. */
#include <math.h>
#include <stdlib.h>

#include "cli/paper/paper_samples.h"
#include "cli/paper/simtight/paper_simtight_report.h"
#include "cli/paper/simtight/paper_simtight_suite.h"
#include "observe/table.h"

static const struct sl_paper_config configs[SL_SIMTIGHT_CONFIGS] = {
    [SL_BASELINE] = {"baseline", "plain register file", "simtight", {NULL}, false},
    [SL_RV32E] = {"rv32e", "plain register file, programs for 16 registers", "simtight", {NULL}, true},
    [SL_RFC_1024] =
        {"rfc-1024", "compressed register file, 1024 slots", "simtight-rfc", {"registers.slots=1024"}, false},
    [SL_RFC_512] = {"rfc-512", "compressed register file, 512 slots", "simtight-rfc", {"registers.slots=512"}, false},
    [SL_RFC_256] = {"rfc-256", "compressed register file, 256 slots", "simtight-rfc", {"registers.slots=256"}, false},
    [SL_RFC_ALL] =
        {"rfc", "compressed register file, 2047 slots: no spills", "simtight-rfc", {"registers.slots=2047"}, false},
    [SL_RFC_PP] = {"rfc-pp", "the same, and the scalar pipeline", "simtight-rfc-pp", {"registers.slots=2047"}, false},
    [SL_RFC_PP_SB] =
        {"rfc-pp-sb", "the same, and the stack cache", "simtight-rfc-pp-sb", {"registers.slots=2047"}, false},
};

static void put_chart(FILE *file, const void *chart)
{
  sl_chart_csv(chart, file);
}

static void put_summary(FILE *file, const void *context)
{
  fprintf(file, "measure,simtlab (%%),paper (%%),RTL (%%)\n");
  for (const struct sl_simtight_measure *m = sl_simtight_measures; m < sl_simtight_measures + SL_SIMTIGHT_MEASURES;
       m++) {
    fprintf(file, "\"%s\",%.9g,%g", m->what, sl_simtight_measured(context, m), m->paper);
    const double rtl = sl_simtight_suite_mean(context, m);
    fprintf(file, isnan(rtl) ? ",\n" : ",%.3g\n", rtl);
  }
}

static void put_storage(FILE *file, const void *context)
{
  fprintf(file, "configuration,\"storage (bits)\"\n");
  for (size_t c = 0; c < SL_SIMTIGHT_CONFIGS; c++) {
    const struct sl_register_storage registers = sl_simtight_register_file(context, c);
    fprintf(file, "%s,%llu\n", configs[c].name, (unsigned long long)sl_storage_bits(&registers));
  }
}

/* The same for the terminal. */
static void print_summary(const struct sl_simtight_figures *figures)
{
  static const char *const titles[] = {"measure, geometric mean", ">simtlab", ">paper", ">RTL", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (const struct sl_simtight_measure *m = sl_simtight_measures; m < sl_simtight_measures + SL_SIMTIGHT_MEASURES;
       m++) {
    const bool sign = figures->kinds[m->chart][m->series] == SL_OVERHEAD;
    char text[32];
    sl_table_cell(&table, "%s", m->what);
    sl_table_cell(&table, "%s", sl_simtight_percent(sl_simtight_measured(figures, m), sign, text));
    sl_table_cell(&table, "%s", sl_simtight_percent(m->paper, sign, text));
    const double rtl = sl_simtight_suite_mean(figures, m);
    sl_table_cell(&table, "%s", isnan(rtl) ? "-" : sl_simtight_percent(rtl, sign, text));
  }
  sl_table_print(&table, stdout); /* main reports a failed write to standard output */
  sl_table_free(&table);
  if (!sl_simtight_suite_compares(figures))
    puts("paper: at its own sizes, which are larger; RTL: recorded only at those");
}

static enum sl_status report(const struct sl_paper_runs *runs, struct sl_error *err)
{
  struct sl_simtight_figures *figures = malloc(sizeof *figures);
  char name[64];
  if (figures == NULL)
    return sl_no_memory(err, sizeof *figures);
  sl_simtight_compute(figures, runs);
  enum sl_status code = sl_paper_save(runs->folder, "summary.csv", put_summary, figures, err);
  if (code == SL_OK)
    code = sl_paper_save(runs->folder, "figure8-storage.csv", put_storage, runs, err);
  for (size_t c = 0; c < SL_SIMTIGHT_CHARTS && code == SL_OK; c++) {
    snprintf(name, sizeof name, "%s.csv", figures->charts[c].id);
    code = sl_paper_save(runs->folder, name, put_chart, &figures->charts[c], err);
  }
  if (code == SL_OK)
    code = sl_paper_save(runs->folder, "suite.csv", sl_simtight_suite_csv, figures, err);
  if (code == SL_OK)
    code = sl_paper_save(runs->folder, "integer.csv", sl_simtight_integer_csv, figures, err);
  if (code == SL_OK)
    code = sl_paper_save(runs->folder, "index.html", sl_simtight_page, figures, err);
  if (code == SL_OK)
    print_summary(figures);
  if (code == SL_OK && runs->sample != NULL)
    code = sl_paper_samples(runs, err);
  free(figures);
  return code;
}

const struct sl_paper sl_paper_simtight = {
    .name = "simtight",
    .title = "M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs",
    .reproduce = sl_paper_benchmarks,
    .configs = configs,
    .config_count = SL_SIMTIGHT_CONFIGS,
    .report = report,
};
