/* simtlab paper: reproduces a published evaluation. */
#include "cli/paper/paper.h"

#include <string.h>

#include "cli/jobs.h"
#include "cli/session.h"

const struct sl_paper *const sl_papers[] = {&sl_paper_simtight, &sl_paper_cfm_dmsl, &sl_paper_isa64, &sl_paper_r2d2,
                                            NULL};

enum { PAPERS = sizeof sl_papers / sizeof sl_papers[0] - 1 };

/* Their reports, in the same order. */
static const struct sl_paper_report *const reports[PAPERS] = {&sl_paper_simtight_report, &sl_paper_cfm_report,
                                                              &sl_paper_isa64_report, &sl_paper_r2d2_report};

static enum sl_status find_paper(const struct sl_operands *operands, size_t *paper, struct sl_error *err)
{
  const char *names[PAPERS];
  for (size_t i = 0; i < PAPERS; i++)
    names[i] = sl_papers[i]->name;
  if (operands->count != 1)
    return sl_fail(err, SL_USAGE, "which paper? simtlab paper PAPER; --help lists the names");
  for (size_t i = 0; i < PAPERS; i++)
    if (strcmp(operands->items[0], names[i]) == 0) {
      *paper = i;
      return SL_OK;
    }
  return sl_unknown(err, "paper", operands->items[0], names, PAPERS);
}

static enum sl_status reproduce(size_t index, struct sl_paper_order *order, struct sl_error *err)
{
  const struct sl_paper *paper = sl_papers[index];
  char folder[128];
  if (sl_bench_check_size(order->size, err) != SL_OK)
    return err->code;
  if (order->sample != NULL && !paper->library)
    return sl_fail(err, SL_USAGE, "--sample: runs of %s cannot be timed in part yet", paper->name);
  if (order->sample != NULL && sl_choose_sampling(&order->sampling, order->sample, err) != SL_OK)
    return err->code;
  if (order->folder != NULL && order->folder[0] == '\0')
    return sl_fail(err, SL_USAGE, "--out names no folder");
  if (order->folder != NULL && strlen(order->folder) > SL_PAPER_FOLDER)
    return sl_fail(err, SL_USAGE, "%.80s...: the folder's name is longer than %d letters", order->folder,
                   SL_PAPER_FOLDER);
  if (order->folder == NULL) {
    snprintf(folder, sizeof folder, "results/paper-%s-%s%s", paper->name, order->size,
             order->sample != NULL ? "-sampled" : "");
    order->folder = folder;
  }
  return sl_paper_reproduce(paper, reports[index], order, err);
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
        "Runs the benchmark suite on every configuration of the paper and writes a report: DIR/index.html, and\n"
        "the numbers of its figures as CSV. Finished runs are kept in DIR/runs; after an interruption the same\n"
        "command resumes.\n\npapers:\n"
        "  simtight     M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs\n"
        "  cfm-dmsl     G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs\n"
        "  isa64        R. R. Yan and S. Anand, Redesigning the Vortex GPU ISA; its programs are compiled into\n"
        "               DIR/programs, which requires clang-19 and llc-19\n"
        "  r2d2         D. Ha et al., R2D2: Removing ReDunDancy Utilizing Linearity of Address Generation in GPUs\n",
    .run = paper_command,
};
