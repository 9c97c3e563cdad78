#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/linear/linear.h"
#include "cli/options.h"
#include "cli/session.h"
#include "compiler/linear/linear_check.h"
#include "compiler/linear/linear_rewrite.h"
#include "device/script.h"
#include "observe/html.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* simtlab linear --ideal: instruction counts of a launch script on ideal machines. */

static double less(uint64_t count, uint64_t base)
{
  return base > 0 ? 100 * (1 - (double)count / (double)base) : 0;
}

static void print_row(FILE *out, const char *name, const struct sl_linear_ideals *c)
{
  sl_print(out, "%-24.24s %14" PRIu64 " %10.1f %10.1f %10.1f\n", name, c->base, less(c->wp, c->base),
           less(c->tb, c->base), less(c->ln, c->base));
}

static bool print(FILE *out, const struct sl_linear_ideal *ideal)
{
  sl_print(out, "%-24s %14s %10s %10s %10s\n", "thread instructions", "", "WP less", "TB less", "LN less");
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next)
    print_row(out, k->name, &k->counts);
  if (ideal->kernels != NULL && ideal->kernels->next != NULL)
    print_row(out, "all", &ideal->sum);
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next)
    if (k->refusal[0] != '\0')
      sl_print_lines(out, 2, "%s is counted for LN unchanged: %s", k->name, k->refusal);
  return fflush(out) == 0;
}

static json_t *counts_of(const struct sl_linear_ideals *c)
{
  return SL_JSON({"base", json_integer((json_int_t)c->base)}, {"wp", json_integer((json_int_t)c->wp)},
                 {"tb", json_integer((json_int_t)c->tb)}, {"ln", json_integer((json_int_t)c->ln)});
}

static json_t *json_of(const char *path, const struct sl_linear_ideal *ideal)
{
  json_t *json = json_object(), *kernels = json_array();
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next) {
    json_t *kernel = counts_of(&k->counts);
    sl_json_put(&kernel, "kernel", sl_json_text(k->name));
    sl_json_put(&kernel, "launches", json_integer((json_int_t)k->launches));
    if (k->refusal[0] != '\0')
      sl_json_put(&kernel, "refusal", sl_json_text(k->refusal));
    sl_json_append(&kernels, kernel);
  }
  SL_JSON_ADD(&json, {"schema", sl_json_text("simtlab-linear-ideal-1")}, {"file", sl_json_text(path)},
              {"loads", json_boolean(ideal->loads)}, {"kernels", kernels}, {"sum", counts_of(&ideal->sum)});
  return json;
}

static enum sl_status tell(const char *path, const struct sl_linear_ideal *ideal, const char *json,
                           struct sl_error *err)
{
  struct sl_output output = {0};
  if (!print(json != NULL && strcmp(json, "-") == 0 ? stderr : stdout, ideal))
    return sl_fail(err, SL_USAGE, "standard output cannot be written");
  if (json == NULL)
    return SL_OK;
  enum sl_status status = sl_output_open(&output, json, err);
  if (status == SL_OK)
    status = sl_json_write(sl_with_provenance(json_of(path, ideal)), &output, err);
  return sl_finish_output(&output, status, err);
}

/* Runs the script and prints a table. The table goes to standard error if the JSON (a file's name; NULL: none) goes to
 * standard output. */
static enum sl_status sl_linear_ideals(const char *path, bool loads, const struct sl_linear_options *options,
                                       const char *json, struct sl_error *err)
{
  struct sl_linear_ideal ideal = {.options = *options, .loads = loads};
  const struct sl_ptx_engine engine = sl_linear_ideal_engine(&ideal);
  enum sl_status status = sl_script_analyse(path, &engine, err);
  if (status == SL_OK)
    status = tell(path, &ideal, json, err);
  sl_linear_ideal_free(&ideal);
  return status;
}

/* HTML report of simtlab linear: source, instructions and coefficient vectors side by side. */

/* Write the start of the page, one kernel, and the end of the page. */
static void sl_linear_html_begin(const struct sl_linear_input *input, FILE *file)
{
  char title[300];
  snprintf(title, sizeof title, "Linear combinations in %.250s", input->path);
  sl_html_begin(file, title);
  fputs("<p>Each instruction with its treatment, its coefficient vector (constant; thread x, y, z; block x, y, z) or "
        "the reason why it has none, and its replaced operands.</p>\n",
        file);
}

static void sl_linear_html_end(FILE *file)
{
  sl_provenance_html_end(file);
}

static void heading(const struct sl_linear_kernel *kernel, FILE *file)
{
  sl_html_element(file, "h2", kernel->name);
  fputc('\n', file);
}

static void sl_linear_html_refusal(const struct sl_linear_kernel *kernel, const char *why, FILE *file)
{
  heading(kernel, file);
  fputs("<p>It is kept unchanged: ", file);
  sl_html_text(file, why);
  fputs(".</p>\n", file);
}

static void sums(const struct sl_linear_report *r, FILE *file)
{
  const struct sl_linear_plan *p = r->plan;
  fprintf(file,
          "<p>%" PRIu32 " instructions, %" PRIu32 " linear; %" PRIu32 " go, %" PRIu32 " come. Registers: %" PRIu32
          " linear, %" PRIu32 " of threads, %" PRIu32 " coefficients, %" PRIu32 " uniform.</p>\n",
          p->reached, p->linear, p->gone, p->added, p->lrs, p->trs, p->crs, p->urs);
}

static void cell(FILE *file, const char *text)
{
  fputs("<td class=\"code\">", file);
  sl_html_text(file, text);
  fputs("</td>", file);
}

/* A table of texts; tables of numbers have another class (observe/html.h). */
static void begin_table(FILE *file, const char *const *titles)
{
  fputs("<div class=\"wide\"><table>\n<thead><tr>", file);
  for (; *titles != NULL; titles++)
    sl_html_element(file, "th", *titles);
  fputs("</tr></thead>\n<tbody>\n", file);
}

static void registers(const struct sl_linear_report *r, FILE *file)
{
  static const char *const titles[] = {"register", "holds", "is", "uses", NULL};
  const struct sl_linear_plan *p = r->plan;
  char text[SL_LINEAR_TEXT], name[16], sum[48];
  if (p->lrs == 0)
    return;
  begin_table(file, titles);
  for (uint32_t i = 0; i < p->lrs; i++) {
    struct sl_linear_vector v = {.reason = SL_LINEAR_YES, .constant = p->lr[i].constant};
    memcpy(v.index, p->lr[i].index, sizeof v.index);
    snprintf(name, sizeof name, "lr%" PRIu32, i);
    if (p->lr[i].tr == SL_LINEAR_NONE)
      snprintf(sum, sizeof sum, "br%" PRIu32, i);
    else
      snprintf(sum, sizeof sum, "tr%u+br%" PRIu32, p->lr[i].tr, i);
    fputs("<tr>", file);
    cell(file, name);
    cell(file, sl_linear_vector_text(r->analysis, &v, text));
    cell(file, sum);
    fprintf(file, "<td>%" PRIu32 "</td></tr>\n", p->lr[i].uses);
  }
  sl_html_end_table(file);
}

/* The source line, with number and file name, if it differs from the previous instruction's. */
struct shown {
  struct sl_source source;
  const char *file;
  uint32_t line;
};

static void source_cell(const struct sl_linear_report *r, uint32_t insn, struct shown *shown, FILE *file)
{
  const char *name;
  const uint32_t line = sl_linear_insn_source(r->input, r->kernel, insn, &name);
  fputs("<td class=\"code\" style=\"white-space:pre-wrap;min-width:22rem\">", file);
  if (name != NULL && (shown->file == NULL || strcmp(shown->file, name) != 0 || line != shown->line)) {
    if (shown->file == NULL || strcmp(shown->file, name) != 0) {
      sl_source_free(&shown->source);
      sl_source_read(&shown->source, name, NULL);
    }
    shown->file = name;
    shown->line = line;
    const char *slash = strrchr(name, '/'), *text = sl_source_line(&shown->source, line);
    fputs("<span class=\"faint\">", file);
    sl_html_text(file, slash != NULL ? slash + 1 : name);
    fprintf(file, ":%" PRIu32 "</span> ", line);
    sl_html_text(file, text != NULL ? text : "");
  }
  fputs("</td>", file);
}

static void instructions(const struct sl_linear_report *r, FILE *file)
{
  static const char *const titles[] = {"source", "at", "instruction", "fate", "vector", NULL};
  char place[SL_LINEAR_PLACE_TEXT], insn[SL_LINEAR_INSN_TEXT], remark[SL_LINEAR_REMARK];
  struct shown shown = {.file = NULL};
  begin_table(file, titles);
  for (uint32_t i = 0; i < r->analysis->code->count; i++) {
    fprintf(file, "<tr class=\"%s\">", r->plan->fate[i] == SL_LINEAR_STAYS ? "kept" : "faint");
    source_cell(r, i, &shown, file);
    cell(file, sl_linear_insn_place(r->input, r->kernel, i, place));
    cell(file, sl_linear_insn_text(r->input, r->kernel, i, insn));
    cell(file, sl_linear_fate_text(r->plan->fate[i]));
    cell(file, sl_linear_remark(r, i, remark));
    fputs("</tr>\n", file);
  }
  sl_html_end_table(file);
  sl_source_free(&shown.source);
}

static void sl_linear_html_kernel(const struct sl_linear_report *report, FILE *file)
{
  heading(report->kernel, file);
  sums(report, file);
  registers(report, file);
  instructions(report, file);
}

struct choice {
  const char *kernel, *json, *html;
  struct sl_output page;
  bool brief;
  struct sl_linear_options options;
  struct sl_linear_output *output; /* NULL: writes no kernels */
};

/* The text goes to standard error if a file goes to standard output. */
static FILE *text_file(const struct choice *choice)
{
  const bool taken = (choice->json != NULL && strcmp(choice->json, "-") == 0) ||
                     (choice->html != NULL && strcmp(choice->html, "-") == 0);
  return taken ? stderr : stdout;
}

/* A kernel that cannot be analysed is kept unchanged, which is a message and not an error. */
static enum sl_status look_at(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                              const struct choice *choice, json_t **kernels, struct sl_error *err)
{
  struct sl_linear_code code;
  struct sl_linear_analysis analysis = {.code = NULL};
  struct sl_linear_plan plan = {.analysis = NULL};
  struct sl_error refusal = {0};
  enum sl_status status = sl_linear_input_code(input, kernel, &code, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&analysis, &code, &choice->options, &refusal);
  if (status == SL_OK)
    status = sl_linear_plan_make(&plan, &analysis, &refusal);
  if (status == SL_OK && choice->output != NULL)
    status = sl_linear_output_add(choice->output, input, kernel, &plan, &refusal);
  if (status == SL_OK) {
    const struct sl_linear_report report = {.input = input, .kernel = kernel, .analysis = &analysis, .plan = &plan};
    if (!sl_linear_print(&report, !choice->brief, text_file(choice)))
      status = sl_fail(err, SL_USAGE, "standard output cannot be written");
    sl_json_append(kernels, sl_linear_json(&report));
    if (choice->page.file != NULL)
      sl_linear_html_kernel(&report, choice->page.file);
  } else if (status == SL_USAGE) {
    json_t *refused = json_object();
    sl_print(text_file(choice), "%s: is kept unchanged: %s\n", kernel->name, refusal.text);
    if (choice->page.file != NULL)
      sl_linear_html_refusal(kernel, refusal.text, choice->page.file);
    sl_json_put(&refused, "kernel", sl_json_text(kernel->name));
    sl_json_put(&refused, "refusal", sl_json_text(refusal.text));
    sl_json_append(kernels, refused);
    status = SL_OK;
  } else {
    *err = refusal;
  }
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  return status;
}

static enum sl_status look_at_all(const struct sl_linear_input *input, const struct choice *choice, json_t **kernels,
                                  struct sl_error *err)
{
  enum sl_status status = SL_OK;
  bool any = false;
  for (size_t i = 0; i < input->kernels && status == SL_OK; i++) {
    if (choice->kernel != NULL && strcmp(choice->kernel, input->kernel[i].name) != 0)
      continue;
    any = true;
    status = look_at(input, &input->kernel[i], choice, kernels, err);
  }
  return any ? status : sl_fail(err, SL_USAGE, "%s: has no kernel '%s'", input->path, choice->kernel);
}

static enum sl_status write_json(const char *path, const struct sl_linear_input *input, json_t *kernels,
                                 struct sl_error *err)
{
  struct sl_output output = {0};
  json_t *json =
      SL_JSON({"schema", sl_json_text("simtlab-linear-1")}, {"file", sl_json_text(input->path)}, {"kernels", kernels});
  enum sl_status code = sl_output_open(&output, path, err);
  if (code == SL_OK)
    code = sl_json_write(sl_with_provenance(json), &output, err);
  else
    json_decref(json);
  return sl_finish_output(&output, code, err);
}

static enum sl_status linear_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct choice choice = {.kernel = NULL};
  struct sl_linear_output output = {.path = NULL};
  const char *assume = "paper", *multiwrite = "ssa", *out = NULL;
  bool check = false, ideal = false, loads = false;
  const struct sl_option options[] = {
      {'k', "kernel", SL_OPTION_TEXT, "NAME", "only this kernel or function", &choice.kernel},
      {'b', "brief", SL_OPTION_FLAG, NULL, "summary and registers, without instructions", &choice.brief},
      {0, "assume", SL_OPTION_TEXT, "paper|strict", "32-bit extensions never wrap, or may wrap [paper]", &assume},
      {0, "multiwrite", SL_OPTION_TEXT, "ssa|regid", "track multiple writes by definition or register [ssa]",
       &multiwrite},
      {'c', "check", SL_OPTION_FLAG, NULL, "run it, and compare linear values with their vectors", &check},
      {'i', "ideal", SL_OPTION_FLAG, NULL, "run a launch script; count what ideal machines execute", &ideal},
      {0, "loads", SL_OPTION_FLAG, NULL, "with --ideal: count loads as redundant work too", &loads},
      {'H', "html", SL_OPTION_OUTPUT, "FILE", "write a page of source, instructions and vectors", &choice.html},
      {'o', "output", SL_OPTION_OUTPUT, "OUT", "write the module or program with linear registers", &out},
      {'J', "json", SL_OPTION_OUTPUT, "FILE", "write everything as JSON", &choice.json},
      {0},
  };
  struct sl_operands operands;
  struct sl_linear_input input;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count < 1 || (operands.count > 1 && !check))
    return sl_fail(err, SL_USAGE, "one file is needed: simtlab linear KERNELS.ptx, or PROGRAM.elf");
  if (strcmp(assume, "paper") != 0 && strcmp(assume, "strict") != 0)
    return sl_fail(err, SL_USAGE, "--assume is paper or strict, not '%.40s'", assume);
  if (strcmp(multiwrite, "ssa") != 0 && strcmp(multiwrite, "regid") != 0)
    return sl_fail(err, SL_USAGE, "--multiwrite is ssa or regid, not '%.40s'", multiwrite);
  choice.options.strict = strcmp(assume, "strict") == 0;
  choice.options.by_register = strcmp(multiwrite, "regid") == 0;
  if (loads && !ideal)
    return sl_fail(err, SL_USAGE, "--loads applies to --ideal: give that too");
  if (ideal && (check || out != NULL || choice.html != NULL || choice.kernel != NULL || choice.brief))
    return sl_fail(err, SL_USAGE, "--ideal goes only with --loads, --assume, --multiwrite and --json");
  if (ideal)
    return sl_is_script(operands.items[0])
               ? sl_linear_ideals(operands.items[0], loads, &choice.options, choice.json, err)
               : sl_fail(err, SL_USAGE, "%s: --ideal is for launch scripts (.launch)", operands.items[0]);
  if (check && sl_is_script(operands.items[0]))
    return operands.count == 1 ? sl_linear_checked(operands.items[0], &choice.options, err)
                               : sl_fail(err, SL_USAGE, "%s: a launch script takes no arguments", operands.items[0]);
  if (check)
    return sl_linear_check_program(&operands, choice.kernel, &choice.options, err);
  json_t *kernels = json_array();
  code = sl_linear_input_open(&input, operands.items[0], choice.kernel, err);
  if (code == SL_OK && out != NULL) {
    code = sl_linear_output_open(&output, out, &input, err);
    choice.output = &output;
  }
  if (code == SL_OK && choice.html != NULL)
    code = sl_output_open(&choice.page, choice.html, err);
  if (choice.page.file != NULL)
    sl_linear_html_begin(&input, choice.page.file);
  if (code == SL_OK)
    code = look_at_all(&input, &choice, &kernels, err);
  if (choice.page.file != NULL)
    sl_linear_html_end(choice.page.file);
  code = sl_finish_output(&choice.page, code, err);
  if (code == SL_OK && choice.json != NULL)
    code = write_json(choice.json, &input, kernels, err);
  else
    json_decref(kernels);
  if (code == SL_OK && out != NULL)
    code = sl_linear_output_write(&output, err);
  sl_linear_output_close(&output);
  sl_linear_input_close(&input);
  return code;
}

const struct sl_command sl_linear_command = {
    .name = "linear",
    .operands = "[OPTION]... KERNELS.ptx|PROGRAM.elf|X.launch",
    .summary = "Show which instructions are linear in thread and block indices",
    .details = "Each instruction with its coefficient vector {constant, thread x, y, z, block\n"
               "x, y, z} or why it has none, and the registers that R2D2 would need.\n"
               "(docs/explanation/linear.md).\n",
    .run = linear_command,
};
