#include "cli/paper/paper_samples.h"

#include <inttypes.h>
#include <math.h>

#include "observe/report.h"

static double bar_of(const struct sl_bench_row *row, uint64_t cycles)
{
  return sl_sampled_percent(row->config->machine, &row->sampled, cycles);
}

static double timed_of(const struct sl_bench_row *row)
{
  return row->sampled.progress > 0 ? 100 * (double)row->sampled.timed / (double)row->sampled.progress : 100;
}

static void put_samples(FILE *file, const void *context)
{
  const struct sl_paper_runs *runs = context;
  fprintf(file, "configuration,benchmark,cycles,\"bar (%%)\",\"timed (%%)\",windows\n");
  for (size_t i = 0; i < runs->paper->config_count * runs->benchmark_count; i++) {
    const size_t config = i / runs->benchmark_count, benchmark = i % runs->benchmark_count;
    const uint64_t cycles = sl_paper_counter(runs, config, benchmark, "cycles");
    const double bar = bar_of(&runs->rows[i], cycles);
    fprintf(file, "%s,\"%s\",%" PRIu64, runs->paper->configs[config].name, runs->benchmarks[benchmark]->name, cycles);
    fprintf(file, isfinite(bar) ? ",%.3g" : ",", bar);
    fprintf(file, ",%.3g,%" PRIu64 "\n", timed_of(&runs->rows[i]), runs->rows[i].sampled.windows);
  }
}

static void put_sentence(FILE *file, const struct sl_paper_runs *runs)
{
  const size_t count = runs->paper->config_count * runs->benchmark_count;
  double timed = 0, most = 0;
  size_t unknown = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t cycles = sl_paper_counter(runs, i / runs->benchmark_count, i % runs->benchmark_count, "cycles");
    const double bar = bar_of(&runs->rows[i], cycles);
    timed += timed_of(&runs->rows[i]);
    unknown += isfinite(bar) ? 0 : 1;
    most = isfinite(bar) && bar > most ? bar : most;
  }
  fprintf(file,
          "sampled (%s): cycles and timing counters are estimates, %.1f %% timed on average; 95 %% intervals of cycles "
          "up to +- "
          "%.1f %%, %zu of %zu runs without one",
          runs->sample, timed / (double)count, most, unknown, count);
}

enum sl_status sl_paper_samples(const struct sl_paper_runs *runs, struct sl_error *err)
{
  put_sentence(stdout, runs); /* main reports a failed write to standard output */
  fputs("\n", stdout);
  return sl_paper_save(runs->folder, "samples.csv", put_samples, runs, err);
}

void sl_paper_samples_html(FILE *file, const struct sl_paper_runs *runs)
{
  if (runs->sample == NULL)
    return;
  fputs("<p>", file);
  put_sentence(file, runs);
  fputs(". Each run's: <a href=\"samples.csv\">samples.csv</a>.</p>\n", file);
}
