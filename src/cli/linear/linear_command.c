#include <string.h>

#include "cli/command.h"
#include "cli/help/provenance.h"
#include "cli/linear/linear_checked.h"
#include "cli/linear/linear_html.h"
#include "cli/linear/linear_ideals.h"
#include "cli/linear/linear_output.h"
#include "cli/options.h"
#include "cli/script_session.h"
#include "cli/session.h"
#include "linear/linear_plan.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

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
  json_t *json = json_object();
  sl_json_put(&json, "schema", sl_json_text("simtlab-linear-1"));
  sl_json_put(&json, "file", sl_json_text(input->path));
  sl_json_put(&json, "kernels", kernels);
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
