/* simtlab profile: what each instruction of a program did, and where the cycles went. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/session.h"
#include "observe/grid_report.h"
#include "observe/profile/profile.h"
#include "observe/report.h"

/* Number of lines without --lines and --all. */
enum { LINES = 10, INSNS = 5 };

struct profile_options {
  struct sl_machine_choice choice;
  const char *html, *json;
  uint64_t lines, max_cycles;
  bool all, quiet, roofline;
  struct sl_counting counting;
  struct sl_launch_choice launches;
};

/* simtlab profile X.launch: issue-slot profile of PTX kernels. */

static size_t lines_of(const struct profile_options *o)
{
  return o->all ? SIZE_MAX : o->lines > 0 ? o->lines : LINES;
}

static size_t insns_of(const struct profile_options *o)
{
  return o->all ? SIZE_MAX : INSNS;
}

static enum sl_status play(struct sl_script_session *session, const struct profile_options *o,
                           const struct sl_grid_rows *rows, struct sl_output *output, struct sl_output *page,
                           struct sl_error *err)
{
  struct sl_error error = {0};
  struct sl_grid_profile profile;
  enum sl_status code = sl_script_play(session, err);
  const struct sl_grid_report run = sl_script_report(session);
  const enum sl_status made = sl_grid_profile_create(&profile, &run, rows, &error);
  code = sl_add_outcome(code, made, &error, err);
  if (made == SL_OK) {
    FILE *file = output->standard || page->standard ? stderr : stdout;
    if (!o->quiet)
      code = sl_add_outcome(code, sl_grid_profile_print(&profile, lines_of(o), insns_of(o), file, &error), &error, err);
    if (output->file != NULL)
      code = sl_add_outcome(code, sl_json_write(sl_with_provenance(sl_grid_profile_json(&profile)), output, &error),
                            &error, err);
    if (page->file != NULL)
      code = sl_add_outcome(code, sl_grid_profile_html(&profile, page->file, &error), &error, err);
    code = sl_add_outcome(code, sl_grid_profile_check(&profile, &error), &error, err);
  }
  sl_grid_profile_free(&profile);
  return code;
}

static enum sl_status profile_kernels(const struct profile_options *o, const struct sl_operands *operands,
                                      struct sl_error *err)
{
  struct sl_script_session session;
  struct sl_output output = {0}, page = {0};
  struct sl_grid_rows rows = {0};
  struct sl_probes probes = sl_grid_rows_probes(&rows);
  const struct sl_gpu_options options = {.limit = o->max_cycles, .bounds.probes = &probes};
  if (operands->count > 1)
    return sl_fail(err, SL_USAGE, "'%.100s' is an extra operand: a launch script takes no arguments",
                   operands->items[1]);
  if (o->roofline || o->launches.kernel || o->launches.number != SL_EVERY_LAUNCH || o->counting.whole_program ||
      o->counting.region)
    return sl_fail(
        err, SL_USAGE,
        "of the options of profile, launch scripts take only --machine, --set, --lines, --all, --html, --json, "
        "--max-cycles and --quiet");
  enum sl_status code = sl_script_open(&session, operands->items[0], &o->choice, options,
                                       sl_is_standard(o->json) || sl_is_standard(o->html), err);
  if (code == SL_OK && o->json != NULL)
    code = sl_output_open(&output, o->json, err);
  if (code == SL_OK && o->html != NULL)
    code = sl_output_open(&page, o->html, err);
  if (code == SL_OK)
    code = play(&session, o, &rows, &output, &page, err);
  code = sl_finish_output(&output, code, err);
  code = sl_finish_output(&page, code, err);
  sl_script_close(&session);
  free(rows.slots);
  return code;
}

struct profiling {
  struct profile_options options;
  const struct sl_script *script; /* of machine code; NULL: a program */
  struct sl_session session;
  struct sl_profile_collector collector;
  struct sl_output html, json;
};

/* Opens output files before the simulation, so a wrong path does not waste a run. */
static enum sl_status prepare(struct profiling *p, const struct sl_operands *operands, struct sl_error *err)
{
  const struct profile_options *o = &p->options;
  enum sl_status code = sl_session_open(&p->session, &o->choice,
                                        p->script != NULL ? p->script->module : operands->items[0], o->quiet, err);
  p->session.console_aside = sl_is_standard(o->html) || sl_is_standard(o->json);
  if (code == SL_OK) {
    const struct sl_soc soc = p->session.config.machine->soc(p->session.config.spec);
    code = sl_profile_collector_create(&p->collector, &soc, p->session.program, err);
    p->collector.profile.choice = o->launches;
  }
  const struct sl_device_options options = {.probes = sl_profile_collector_probes(&p->collector),
                                            .whole_program = o->counting.whole_program,
                                            .region = o->counting.region,
                                            .max_cycles = o->max_cycles};
  if (code == SL_OK)
    code = p->script != NULL ? sl_session_add(&p->session, options, err)
                             : sl_session_load(&p->session, options, operands, err);
  p->collector.device = p->session.device;
  if (code == SL_OK && o->html != NULL)
    code = sl_output_open(&p->html, o->html, err);
  if (code == SL_OK && o->json != NULL)
    code = sl_output_open(&p->json, o->json, err);
  return code;
}

/* The text goes to standard error if a file goes to standard output. */
static FILE *text_file(const struct profiling *p)
{
  return p->html.standard || p->json.standard ? stderr : stdout;
}

/* Writes every format, even if an earlier one failed. */
static enum sl_status write_report(struct profiling *p, const struct sl_profile_report *report, enum sl_status code,
                                   struct sl_error *err)
{
  const struct profile_options *o = &p->options;
  const struct sl_profile_extent extent = {lines_of(o), insns_of(o), o->roofline};
  struct sl_error error = {0};
  if (!o->quiet)
    code = sl_add_outcome(code, sl_profile_print(report, &extent, text_file(p), &error), &error, err);
  if (p->html.file != NULL)
    code = sl_add_outcome(code, sl_profile_html(report, p->html.file, &error), &error, err);
  if (p->json.file != NULL)
    code =
        sl_add_outcome(code, sl_json_write(sl_with_provenance(sl_profile_json(report)), &p->json, &error), &error, err);
  return sl_add_outcome(code, sl_profile_check(report, &error), &error, err);
}

/* Runs the program or, if there is a script, its launches. */
static enum sl_status run(struct profiling *p, struct sl_error *outcome, struct sl_error *err)
{
  if (p->script == NULL)
    return sl_session_run(&p->session, outcome, err);
  *outcome = (struct sl_error){0};
  outcome->code = sl_session_play(&p->session, p->script, outcome);
  return sl_session_end(&p->session, outcome, err);
}

static enum sl_status simulate(struct profiling *p, struct sl_error *err)
{
  struct sl_error outcome, error = {0};
  enum sl_status code = run(p, &outcome, err);
  const struct sl_series *last = sl_device_residency(p->session.device);
  sl_profile_collector_cut_short(&p->collector);
  const struct sl_origin origin = sl_provenance_text();
  const struct sl_profile_run run = {.version = SL_VERSION,
                                     .origin = origin.text,
                                     .config = &p->session.config,
                                     .program = p->session.program,
                                     .profile = &p->collector.profile,
                                     .result = sl_device_result(p->session.device),
                                     .residency = last,
                                     .launches = &p->collector.residency,
                                     .occupancies = &p->collector.occupancies,
                                     .error = &outcome};
  struct sl_profile_report report;
  enum sl_status made = sl_profile_report_create(&report, &run, &error);
  if (made != SL_OK)
    return sl_add_outcome(code, made, &error, err);
  if (code == SL_OK)
    code = sl_launch_choice_check(&p->options.launches, p->session.program, run.result, report.launch_count, err);
  code = write_report(p, &report, code, err);
  sl_profile_report_free(&report);
  return code;
}

static enum sl_status profile_program(struct profiling *p, const struct sl_operands *operands, struct sl_error *err)
{
  enum sl_status code = prepare(p, operands, err);
  if (code == SL_OK)
    code = simulate(p, err);
  code = sl_finish_output(&p->html, code, err);
  code = sl_finish_output(&p->json, code, err);
  sl_session_close(&p->session);
  sl_profile_collector_free(&p->collector);
  return code;
}

static enum sl_status profile_script(struct profiling *p, const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_script script;
  enum sl_status code = sl_script_load(&script, operands->items[0], err);
  if (code != SL_OK)
    return code;
  p->script = &script;
  if (script.elf && operands->count > 1)
    code =
        sl_fail(err, SL_USAGE, "'%.100s' is an extra operand: a launch script takes no arguments", operands->items[1]);
  else
    code = script.elf ? profile_program(p, operands, err) : profile_kernels(&p->options, operands, err);
  sl_script_free(&script);
  return code;
}

static enum sl_status profile_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct profiling p = {.options = {.choice.machine = "simtight", .launches.number = SL_EVERY_LAUNCH}};
  struct profile_options *o = &p.options;
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o->choice),
      SL_SET_OPTION(o->choice),
      SL_KERNEL_OPTION(o->launches),
      {'l', "launch", SL_OPTION_NUMBER, "N", "count only this launch; the first is 0", &o->launches.number},
      SL_WHOLE_OPTION(o->counting),
      SL_REGION_OPTION(o->counting),
      {'n', "lines", SL_OPTION_NUMBER, "N", "show the N source lines with most cycles [10]", &o->lines},
      {'a', "all", SL_OPTION_FLAG, NULL, "show all lines with all their instructions", &o->all},
      {'r', "roofline", SL_OPTION_FLAG, NULL, "show kernels relative to the roofline", &o->roofline},
      {'H', "html", SL_OPTION_OUTPUT, "FILE", "write tables and annotated source as HTML", &o->html},
      {'J', "json", SL_OPTION_OUTPUT, "FILE", "write everything as JSON (- is standard output)", &o->json},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop after N cycles (exit status 4)", &o->max_cycles},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no text, no progress; for --html and --json", &o->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE, "which program? simtlab profile [OPTION]... PROGRAM.elf; simtlab cc makes one");
  if (sl_is_script(operands.items[0]))
    return profile_script(&p, &operands, err);
  return profile_program(&p, &operands, err);
}

const struct sl_command sl_profile_command = {
    .name = "profile",
    .operands = "[OPTION]... PROGRAM.elf [ARGUMENT]...",
    .summary = "Show where a program's cycles go, by source line and instruction",
    .details = "Also shows how regular values are across a warp's lanes. The profile follows the\n"
               "program's output. Arguments that begin with - come after --.\n"
               "A file X.launch is a launch script (docs/how-to/ptx.md); PTX kernels need -m sm7.\n",
    .run = profile_command,
};
