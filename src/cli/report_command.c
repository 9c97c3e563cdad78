/* simtlab report: writes the page of a study's charts, and the charts as pictures. */
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/bench/bench.h"
#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/report_page.h"
#include "cli/session.h"
#include "config/yaml.h"
#include "lab/report/study_report.h"
#include "observe/html.h"
#include "observe/terminal.h"

/* simtlab paper: reproduces a published evaluation. A paper is a study of its name: this command sweeps it and writes
 * its report. */

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

extern char **environ;

enum { FORMATS = 3 };

struct report {
  struct sl_study_choice choice;
  const char *page, *database, *folders[FORMATS]; /* folders: of pictures, by format */
};

static const char *const formats[FORMATS] = {"svg", "png", "pdf"};

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Finds a file of the charts. */
static enum sl_status find_charts(const char *name, char path[SL_PATH], struct sl_error *err)
{
  char relative[64];
  snprintf(relative, sizeof relative, "charts/%s", name);
  return sl_find_data(relative, path, err) == SL_OK
             ? SL_OK
             : sl_fail(err, SL_USAGE, "the script that draws charts is not built; run 'make charts', which needs npm");
}

static enum sl_status copy_file(FILE *to, const char *name, struct sl_error *err)
{
  char path[SL_PATH], *text = NULL;
  size_t size = 0;
  enum sl_status code = find_charts(name, path, err);
  if (code == SL_OK)
    code = sl_read_text(path, &text, &size, err);
  if (code == SL_OK)
    fwrite(text, 1, size, to);
  free(text);
  return code;
}

/* The policy forbids all that the page does not hold itself, and functions made of texts. In the data, '<' is escaped,
 * so that no text ends its element. */
static enum sl_status write_page(FILE *f, const json_t *page, struct sl_error *err)
{
  char *data = json_dumps(page, JSON_COMPACT | JSON_REAL_PRECISION(12));
  if (data == NULL)
    return sl_no_memory(err, 1);
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        f);
  sl_html_text(f, json_string_value(json_object_get(page, "title")));
  fputs("</title>\n<style>\n", f);
  enum sl_status code = copy_file(f, "charts.css", err);
  fputs("</style></head>\n<body><main></main>\n<script type=\"application/json\" id=\"page\">", f);
  for (const char *at = data; *at != '\0'; at++)
    if (*at == '<')
      fputs("\\u003c", f);
    else
      putc(*at, f);
  fputs("</script>\n<script>", f);
  if (code == SL_OK)
    code = copy_file(f, "charts.js", err);
  fputs("</script></body></html>\n", f);
  free(data);
  return code;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static enum sl_status run_tool(const char *const *words, const char *package, struct sl_error *err)
{
  pid_t child;
  int status = 0;
  const int reason = posix_spawnp(&child, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ);
  if (reason != 0)
    return sl_fail(err, SL_USAGE, "%s cannot be started: %s; the Debian package %s has it", words[0], strerror(reason),
                   package);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status == 0 ? SL_OK : sl_fail(err, SL_USAGE, "%s has failed; its message is above", words[0]);
}

/* Draws all charts as SVG, and converts them. */
static enum sl_status draw(const json_t *page, const char *folder, unsigned format, struct sl_error *err)
{
  char script[SL_PATH], data[SL_PATH], svg[SL_PATH], picture[SL_PATH];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return sl_fail(err, SL_USAGE, "%.250s cannot be made: %s", folder, strerror(errno));
  enum sl_status code = find_charts("svg.js", script, err);
  snprintf(data, sizeof data, "%s/.page.json", folder);
  if (code == SL_OK && json_dump_file(page, data, JSON_COMPACT) != 0)
    code = sl_fail(err, SL_USAGE, "%.250s cannot be written", data);
  if (code == SL_OK)
    code = run_tool((const char *const[]){"node", script, data, folder, NULL}, "nodejs", err);
  unlink(data);
  for (size_t i = 0; i < json_array_size(json_object_get(page, "charts")) && format > 0 && code == SL_OK; i++) {
    snprintf(svg, sizeof svg, "%s/chart-%zu.svg", folder, i + 1);
    snprintf(picture, sizeof picture, "%s/chart-%zu.%s", folder, i + 1, formats[format]);
    if (access(svg, R_OK) != 0)
      continue; /* a table */
    code = run_tool((const char *const[]){"rsvg-convert", "-z", format == 1 ? "2" : "1", "-f", formats[format], "-o",
                                          picture, svg, NULL},
                    "librsvg2-bin", err);
    unlink(svg);
  }
  return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static enum sl_status write_all(const struct report *report, const struct sl_study *study, const json_t *page,
                                struct sl_error *err)
{
  char path[SL_PATH];
  struct sl_whole_file whole;
  snprintf(path, sizeof path, "results/%s.html", study->name);
  if (report->page != NULL)
    snprintf(path, sizeof path, "%s", report->page);
  enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  code = write_page(whole.file, page, err);
  if (code == SL_OK)
    code = sl_whole_file_close(&whole, false, err);
  else
    sl_whole_file_drop(&whole);
  for (unsigned i = 0; i < FORMATS && code == SL_OK; i++)
    if (report->folders[i] != NULL)
      code = draw(page, report->folders[i], i, err);
  if (code == SL_OK)
    sl_print(stdout, "%zu charts: %s\n", json_array_size(json_object_get(page, "charts")), path);
  return code;
}

static enum sl_status report_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct report report = {0};
  const struct sl_option options[] = {
      SL_STUDY_OPTIONS(report.choice),
      {0, "sample", SL_OPTION_TEXT, "PLAN", "runs with sampled timing", &report.choice.sample},
      {'o', "output", SL_OPTION_OUTPUT, "FILE.html", "the page [results/NAME.html]", &report.page},
      {'d', "database", SL_OPTION_TEXT, "FILE", "record of the runs [results/NAME.db]", &report.database},
      {0, "svg", SL_OPTION_TEXT, "FOLDER", "write the charts as SVG, too; needs node", &report.folders[0]},
      {0, "png", SL_OPTION_TEXT, "FOLDER", "as PNG; needs node and rsvg-convert", &report.folders[1]},
      {0, "pdf", SL_OPTION_TEXT, "FOLDER", "as PDF; needs node and rsvg-convert", &report.folders[2]},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "report takes one study: simtlab report STUDY.yaml");
  char database[SL_RECORD_PATH];
  struct sl_study study;
  struct sl_record *record = NULL;
  json_t *page = NULL;
  code = sl_study_read(&study, operands.items[0], &report.choice, err);
  snprintf(database, sizeof database, "results/%s.db", study.name);
  if (report.database != NULL)
    snprintf(database, sizeof database, "%s", report.database);
  if (code == SL_OK)
    code = sl_record_open(&record, database, false, err);
  if (code == SL_OK && study.report.section_count > 0) {
    char path[SL_PATH];
    snprintf(path, sizeof path, "results/%s/index.html", study.name);
    code = sl_report_page_write(&study, record, report.page != NULL ? report.page : path, err);
  } else if (code == SL_OK) {
    code = sl_report_data(&study, record, &page, err);
  }
  if (code == SL_OK && page != NULL) {
    json_object_set_new(page, "database", json_string(database));
    json_object_set_new(page, "version", json_string(sl_provenance().version));
    code = write_all(&report, &study, page, err);
  }
  json_decref(page);
  sl_record_close(record);
  sl_study_free(&study);
  return code;
}

const struct sl_command sl_report_command = {
    .name = "report",
    .operands = "[OPTION]... STUDY.yaml",
    .summary = "Write a page with the charts and tables of a study",
    .details = "The page needs no other files and no network.\n",
    .run = report_command,
};
