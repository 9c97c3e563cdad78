/* simtlab paper: a published evaluation, run again. */
#include "cli/paper.h"

#include <string.h>

#include "cli/parallel.h"

static const struct sl_paper *const papers[] = {&sl_paper_simtight};

enum { PAPERS = sizeof papers / sizeof papers[0] };

struct paper_options {
  const char *size, *only, *folder;
  uint64_t jobs;
  bool quiet;
};

static enum sl_code find_paper(const struct sl_operands *operands, const struct sl_paper **paper, struct sl_error *err)
{
  const char *names[PAPERS];
  for (size_t i = 0; i < PAPERS; i++)
    names[i] = papers[i]->name;
  if (operands->count != 1)
    return sl_fail(err, SL_USAGE, "which paper? simtlab paper NAME; --help lists the names");
  for (size_t i = 0; i < PAPERS; i++)
    if (strcmp(operands->items[0], names[i]) == 0) {
      *paper = papers[i];
      return SL_OK;
    }
  return sl_unknown(err, "paper", operands->items[0], names, PAPERS);
}

static enum sl_code reproduce(struct sl_paper_runs *runs, const struct paper_options *options, struct sl_error *err)
{
  const size_t count = runs->paper->config_count * runs->benchmark_count;
  enum sl_code code = sl_paper_run(runs, options->jobs, options->quiet, err);
  if (code != SL_OK)
    return code;
  const enum sl_code worst = sl_bench_print_failures(runs->rows, count);
  if (worst != SL_OK)
    return sl_fail(err, worst, "no report is written: it takes every run; those that passed are kept in %.300s/runs",
                   runs->folder);
  code = runs->paper->report(runs, err);
  if (code == SL_OK)
    printf("runs: %zu simulated, %zu reused\nreport: %s/index.html\n", count - runs->reused, runs->reused,
           runs->folder);
  return code;
}

static enum sl_code run_paper(const struct sl_paper *paper, const struct paper_options *options, struct sl_error *err)
{
  struct sl_paper_runs runs = {.paper = paper, .folder = options->folder, .size = options->size};
  char folder[128];
  enum sl_code code = sl_bench_check_size(options->size, err);
  if (code == SL_OK)
    code = sl_bench_choose(&sl_library_suite, options->only, runs.benchmarks, &runs.benchmark_count, err);
  if (code == SL_OK && options->folder != NULL && options->folder[0] == '\0')
    code = sl_fail(err, SL_USAGE, "--out names no folder");
  if (code != SL_OK)
    return code;
  if (options->folder == NULL) {
    snprintf(folder, sizeof folder, "results/paper-%s-%s", paper->name, options->size);
    runs.folder = folder;
  }
  code = reproduce(&runs, options, err);
  sl_paper_free(&runs);
  return code;
}

static enum sl_code paper_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct paper_options o = {.size = "paper", .jobs = sl_processors()};
  const struct sl_option options[] = {
      {'z', "size", SL_OPTION_TEXT, "small|paper", "problem sizes [paper]", &o.size},
      {'o', "only", SL_OPTION_TEXT, "NAME,...", "only these benchmarks; means are then of these", &o.only},
      {'d', "out", SL_OPTION_TEXT, "DIR", "folder of the report [results/paper-PAPER-SIZE]", &o.folder},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "runs side by side [all processors]", &o.jobs},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &o.quiet},
      {0},
  };
  const struct sl_paper *paper = NULL;
  struct sl_operands operands;
  enum sl_code code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  code = find_paper(&operands, &paper, err);
  return code == SL_OK ? run_paper(paper, &o, err) : code;
}

const struct sl_command sl_paper_command = {
    .name = "paper",
    .operands = "NAME [OPTION]...",
    .summary = "Reproduce a paper's evaluation",
    .details = "Runs the benchmark suite on every configuration of the paper and writes a report: DIR/index.html, and\n"
               "the numbers of its figures as CSV. Finished runs are kept in DIR/runs; the same command goes on after\n"
               "an interruption.\n\npapers:\n"
               "  simtight     M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs\n",
    .run = paper_command,
};
