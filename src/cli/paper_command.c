/* simtlab paper: reproduces a published evaluation. A paper is a study of its name: this command sweeps it and writes
 * its report. */
#include "cli/help/help.h"

#include <inttypes.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/host_program.h"
#include "cli/jobs.h"
#include "cli/report_page.h"
#include "cli/session.h"

enum { LONGEST_FOLDER = 3000 }; /* leaves room for all file names in it */

const char *const sl_papers[] = {"simtight", "cfm-dmsl", "isa64", "r2d2", "scs", NULL};

/* Options of the command. */
struct order {
  const char *size;   /* "small" or "paper" */
  const char *only;   /* list of benchmarks; NULL: all */
  const char *folder; /* of the report */
  const char *sample; /* plan of --sample; NULL: full timing */
  uint64_t jobs;      /* simulations in parallel */
  bool quiet;
};

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

/* Sweeps the study and writes its report. */
static enum sl_status reproduce(const char *name, const struct order *order, struct sl_error *err)
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

static enum sl_status find_paper(const struct sl_operands *operands, const char **name, struct sl_error *err)
{
  size_t count = 0;
  if (operands->count != 1)
    return sl_fail(err, SL_USAGE, "which paper? simtlab paper PAPER; --help lists the names");
  *name = operands->items[0];
  for (; sl_papers[count] != NULL; count++)
    if (strcmp(*name, sl_papers[count]) == 0)
      return SL_OK;
  return sl_unknown(err, "paper", *name, sl_papers, count);
}

static enum sl_status check_and_reproduce(const char *name, struct order *order, struct sl_error *err)
{
  char folder[128];
  struct sl_sampling_choice sampling;
  if (sl_bench_check_size(order->size, err) != SL_OK)
    return err->code;
  if (order->sample != NULL && strcmp(name, "simtight") != 0)
    return sl_fail(err, SL_USAGE, "--sample: runs of %s cannot be timed in part yet", name);
  if (order->sample != NULL && sl_choose_sampling(&sampling, order->sample, err) != SL_OK)
    return err->code;
  if (order->folder != NULL && order->folder[0] == '\0')
    return sl_fail(err, SL_USAGE, "--out names no folder");
  if (order->folder != NULL && strlen(order->folder) > LONGEST_FOLDER)
    return sl_fail(err, SL_USAGE, "%.80s...: the folder's name is longer than %d letters", order->folder,
                   LONGEST_FOLDER);
  if (order->folder == NULL) {
    snprintf(folder, sizeof folder, "results/paper-%s-%s%s", name, order->size,
             order->sample != NULL ? "-sampled" : "");
    order->folder = folder;
  }
  return reproduce(name, order, err);
}

static enum sl_status paper_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct order o = {.size = "paper", .jobs = sl_processors()};
  const struct sl_option options[] = {
      {'z', "size", SL_OPTION_TEXT, "small|paper", "problem sizes [paper]", &o.size},
      {'o', "only", SL_OPTION_TEXT, "NAME,...", "only these benchmarks; means then cover only these", &o.only},
      {'d', "out", SL_OPTION_TEXT, "DIR", "folder of the report [results/paper-PAPER-SIZE]", &o.folder},
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &o.sample},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "simulations run in parallel [all processors]", &o.jobs},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &o.quiet},
      {0},
  };
  const char *name = NULL;
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  code = find_paper(&operands, &name, err);
  return code == SL_OK ? check_and_reproduce(name, &o, err) : code;
}

const struct sl_command sl_paper_command = {
    .name = "paper",
    .operands = "PAPER [OPTION]...",
    .operand = {"PAPER"},
    .summary = "Reproduce a paper's evaluation",
    .details =
        "Runs the paper's programs on every configuration and writes a report: DIR/index.html, and the numbers of\n"
        "its figures as CSV. Finished runs are kept in DIR; after an interruption the same command resumes.\n"
        "Papers are studies, in studies/ beside the command's programs: simtlab sweep and simtlab report do the\n"
        "same with a copy that you change.\n\npapers:\n"
        "  simtight     M. Naylor et al., Advanced Dynamic Scalarisation for RISC-V GPGPUs\n"
        "  cfm-dmsl     G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs\n"
        "  isa64        R. R. Yan and S. Anand, Redesigning the Vortex GPU ISA; its programs are compiled into\n"
        "               DIR/runs.db.programs, which requires clang-19, llc-19 and llvm-objcopy-19\n"
        "  r2d2         D. Ha et al., R2D2: Removing ReDunDancy Utilizing Linearity of Address Generation in GPUs\n"
        "  scs          thread splits in Vortex's sources (commit fcbac91f): schemes under which locks end\n",
    .run = paper_command,
};
