/* simtlab paper: reproduces a published evaluation. */
#include "cli/paper/paper.h"

#include <inttypes.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/report_page.h"
#include "cli/session.h"

/* A paper without a declaration is a study of its name: this command sweeps it and writes its report. */
static const struct {
  const char *name;
  const struct sl_paper *paper;
  const struct sl_paper_report *report;
} papers[] = {{"simtight", NULL, NULL},
              {"cfm-dmsl", NULL, NULL},
              {"isa64", NULL, NULL},
              {"r2d2", &sl_paper_r2d2, &sl_paper_r2d2_report}};

enum { PAPERS = sizeof papers / sizeof papers[0] };

const char *const sl_papers[] = {"simtight", "cfm-dmsl", "isa64", "r2d2", NULL};

enum { MOST_WORDS = 16 };

/* Calls another command of simtlab. */
static enum sl_status call(const struct sl_command *command, const char *const *words, struct sl_error *err)
{
  char *argv[MOST_WORDS + 1] = {NULL};
  int argc = 0;
  for (; words[argc] != NULL; argc++)
    argv[argc] = (char *)(uintptr_t)words[argc];
  return command->run(command, argc, argv, err);
}

static enum sl_status reproduce_study(const char *name, const struct sl_paper_order *order, struct sl_error *err)
{
  char study[SL_PATH], relative[80], jobs[24], database[SL_PATH], page[SL_PATH];
  snprintf(relative, sizeof relative, "studies/%.60s.yaml", name);
  snprintf(jobs, sizeof jobs, "%" PRIu64, order->jobs);
  snprintf(database, sizeof database, "%s/runs.db", order->folder);
  snprintf(page, sizeof page, "%s/index.html", order->folder);
  enum sl_status code = sl_find_data(relative, study, err);
  if (code == SL_OK)
    code = sl_make_folders(database, err);
  if (code != SL_OK)
    return code;
  const char *words[MOST_WORDS] = {"sweep", "--database", database, "--scale", order->size};
  size_t count = 5;
  if (order->only != NULL)
    words[count++] = "--only", words[count++] = order->only;
  if (order->sample != NULL)
    words[count++] = "--sample", words[count++] = order->sample;
  const size_t common = count;
  words[count++] = "--jobs", words[count++] = jobs;
  words[count++] = "--retry", words[count++] = "failed";
  if (order->quiet)
    words[count++] = "--quiet";
  words[count++] = study;
  code = call(&sl_sweep_command, words, err);
  if (code == SL_CHECK_FAILED && err->text[0] == '\0')
    return sl_fail(err, SL_CHECK_FAILED,
                   "no report is written, because it needs every run; the others are kept in %.300s", database);
  if (code != SL_OK)
    return code;
  count = common;
  words[0] = "report";
  words[count++] = "--output", words[count++] = page, words[count++] = study, words[count] = NULL;
  return call(&sl_report_command, words, err);
}

static enum sl_status find_paper(const struct sl_operands *operands, size_t *paper, struct sl_error *err)
{
  if (operands->count != 1)
    return sl_fail(err, SL_USAGE, "which paper? simtlab paper PAPER; --help lists the names");
  for (size_t i = 0; i < PAPERS; i++)
    if (strcmp(operands->items[0], sl_papers[i]) == 0) {
      *paper = i;
      return SL_OK;
    }
  return sl_unknown(err, "paper", operands->items[0], sl_papers, PAPERS);
}

static enum sl_status reproduce(size_t index, struct sl_paper_order *order, struct sl_error *err)
{
  const char *name = papers[index].name;
  char folder[128];
  if (sl_bench_check_size(order->size, err) != SL_OK)
    return err->code;
  if (order->sample != NULL && index != 0)
    return sl_fail(err, SL_USAGE, "--sample: runs of %s cannot be timed in part yet", name);
  if (order->sample != NULL && sl_choose_sampling(&order->sampling, order->sample, err) != SL_OK)
    return err->code;
  if (order->folder != NULL && order->folder[0] == '\0')
    return sl_fail(err, SL_USAGE, "--out names no folder");
  if (order->folder != NULL && strlen(order->folder) > SL_PAPER_FOLDER)
    return sl_fail(err, SL_USAGE, "%.80s...: the folder's name is longer than %d letters", order->folder,
                   SL_PAPER_FOLDER);
  if (order->folder == NULL) {
    snprintf(folder, sizeof folder, "results/paper-%s-%s%s", name, order->size,
             order->sample != NULL ? "-sampled" : "");
    order->folder = folder;
  }
  return papers[index].paper == NULL ? reproduce_study(name, order, err)
                                     : sl_paper_reproduce(papers[index].paper, papers[index].report, order, err);
}

static enum sl_status paper_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct sl_paper_order o = {.size = "paper", .jobs = sl_processors()};
  const struct sl_option options[] = {
      {'z', "size", SL_OPTION_TEXT, "small|paper", "problem sizes [paper]", &o.size},
      {'o', "only", SL_OPTION_TEXT, "NAME,...", "only these benchmarks; means then cover only these", &o.only},
      {'d', "out", SL_OPTION_TEXT, "DIR", "folder of the report [results/paper-PAPER-SIZE]", &o.folder},
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &o.sample},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "simulations run in parallel [all processors]", &o.jobs},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &o.quiet},
      {0},
  };
  size_t paper = 0;
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  code = find_paper(&operands, &paper, err);
  return code == SL_OK ? reproduce(paper, &o, err) : code;
}

const struct sl_command sl_paper_command = {
    .name = "paper",
    .operands = "PAPER [OPTION]...",
    .operand = {"PAPER"},
    .summary = "Reproduce a paper's evaluation",
    .details =
        "Runs the paper's programs on every configuration and writes a report: DIR/index.html, and the numbers of\n"
        "its figures as CSV. Finished runs are kept in DIR; after an interruption the same command resumes.\n"
        "simtight, cfm-dmsl and isa64 are studies, in studies/ beside the command's programs: simtlab sweep and "
        "simtlab\n"
        "report do the same with a copy that you change.\n\npapers:\n"
        "  simtight     M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs\n"
        "  cfm-dmsl     G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs\n"
        "  isa64        R. R. Yan and S. Anand, Redesigning the Vortex GPU ISA; its programs are compiled into\n"
        "               DIR/runs.db.programs, which requires clang-19, llc-19 and llvm-objcopy-19\n"
        "  r2d2         D. Ha et al., R2D2: Removing ReDunDancy Utilizing Linearity of Address Generation in GPUs\n",
    .run = paper_command,
};
