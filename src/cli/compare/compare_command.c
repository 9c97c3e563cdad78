/* simtlab compare: runs programs on machines and compares the results. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare/compare.h"
#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/session.h"
#include "device/script.h"
#include "observe/figures.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* A launch script of PTX kernels as a run of a comparison. */

/* SL_USAGE: the row's machine does not run PTX. */
static enum sl_status compare_script_check(const struct sl_compare_row *row, struct sl_error *err)
{
  if (row->config.machine->ptx != NULL)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s is for machines that run PTX, which %.200s does not; sm7 and sm7-4 do",
                 row->file, row->name);
}

static void take_launches(struct sl_compare_row *row, const struct sl_launch *launches, size_t count)
{
  const struct sl_machine *machine = row->config.machine;
  for (size_t i = 0; i < machine->counters->count; i++)
    row->counters[i] = sl_counter_total(machine, i, launches, count);
  row->launches = count;
  if (count == 0)
    return; /* the values are unknown, which differs from 0 */
  row->cycles = sl_role_total(machine, SL_COUNTER_CYCLES, launches, count);
  row->warp_instructions = sl_role_total(machine, SL_COUNTER_WARP_INSTRUCTIONS, launches, count);
  row->thread_instructions = sl_role_total(machine, SL_COUNTER_THREAD_INSTRUCTIONS, launches, count);
  row->transactions = sl_role_total(machine, SL_COUNTER_TRANSACTIONS, launches, count);
}

static void take_records(struct sl_compare_row *row, const struct sl_gpu *gpu)
{
  const size_t count = sl_gpu_record_count(gpu);
  struct sl_launch *launches = calloc(count + 1, sizeof *launches);
  if (launches == NULL) {
    row->code = sl_no_memory(&row->error, (count + 1) * sizeof *launches);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    launches[i] = sl_gpu_record(gpu, i)->launch;
    sl_kernel_sums_add(&row->kernels, row->config.machine, sl_gpu_record(gpu, i)->kernel, &launches[i]);
  }
  take_launches(row, launches, count);
  free(launches);
}

/* Runs the script on the row's machine and stores the results in the row. `limit` is in cycles per launch; 0: none. */
static void compare_script(struct sl_compare_row *row, uint64_t limit, struct sl_running *running)
{
  const struct sl_gpu_options options = {.limit = limit, .progress = sl_running_progress, .context = running};
  const struct sl_script_observer none = {.context = NULL};
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  row->code = sl_script_load(&script, row->file, &row->error);
  if (row->code != SL_OK)
    return;
  row->code = sl_gpu_open(&gpu, &row->config, &options, &row->error);
  if (row->code == SL_OK) {
    row->code = sl_script_perform(&script, gpu, NULL, &none, &row->error);
    take_records(row, gpu);
  }
  sl_gpu_close(gpu);
  sl_script_free(&script);
}

struct compare {
  const char *machines, *json_file, *html_file, *sample;
  struct sl_sampling_choice sampling;
  struct sl_list set; /* settings of every machine */
  uint64_t jobs, max_cycles, lines;
  bool quiet;
  struct sl_counting counting;
  struct sl_launch_choice launches;
  struct sl_compare_program programs[SL_COMPARE_MOST];
  size_t machine_count;
  struct sl_comparison comparison;
  struct sl_compare_row rows[SL_COMPARE_MOST];
  struct sl_output json, html;
};

/* ---- the machines ------------------------------------------------------------------------------------------------ */

/* Opens the machine of "NAME[:KEY=VALUE]...": applies the common settings first, then its own. */
static enum sl_status open_row(const struct compare *compare, struct sl_compare_row *row, struct sl_error *err)
{
  struct sl_machine_choice choice = {.set = compare->set};
  char words[SL_COMPARE_NAME];
  memcpy(words, row->name, sizeof words);
  choice.machine = words;
  for (char *colon = strchr(words, ':'); colon != NULL; colon = strchr(colon, ':')) {
    *colon++ = '\0';
    if (choice.set.count == SL_LIST_MOST)
      return sl_fail(err, SL_USAGE, "--machines: %.200s has more than %d settings", row->name, SL_LIST_MOST);
    choice.set.items[choice.set.count++] = colon;
  }
  enum sl_status code = sl_open_machine(&choice, &row->config, err);
  if (code != SL_OK)
    sl_error_prefix(err, "--machines: ");
  return code;
}

static enum sl_status open_machines(struct compare *compare, struct sl_error *err)
{
  struct sl_comparison *c = &compare->comparison;
  for (const char *name = compare->machines; *name != '\0';) {
    const size_t length = strcspn(name, ",");
    if (c->count == SL_COMPARE_MOST)
      return sl_fail(err, SL_USAGE, "--machines names more than %d machines", SL_COMPARE_MOST);
    if (length == 0 || length >= SL_COMPARE_NAME)
      return sl_fail(err, SL_USAGE, "--machines: a name %s in '%.200s'", length == 0 ? "is missing" : "is too long",
                     compare->machines);
    struct sl_compare_row *row = &compare->rows[c->count];
    memcpy(row->name, name, length);
    const enum sl_status code = open_row(compare, row, err);
    if (code != SL_OK)
      return code;
    c->count++;
    name += length + (name[length] == ',');
  }
  compare->machine_count = c->count;
  return c->count > 0 ? SL_OK : sl_fail(err, SL_USAGE, "--machines names no machine");
}

/* Pairs every program with every machine; runs of one program are adjacent. */
static enum sl_status add_programs(struct compare *compare, const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_comparison *c = &compare->comparison;
  const size_t machines = compare->machine_count;
  c->programs = (size_t)operands->first;
  if (c->programs * machines > SL_COMPARE_MOST)
    return sl_fail(err, SL_USAGE,
                   "%zu programs on %zu machines are more than %d runs. Arguments of the programs come "
                   "after --",
                   c->programs, machines, SL_COMPARE_MOST);
  for (size_t p = 0; p < c->programs; p++) {
    compare->programs[p].file = operands->items[p];
    for (size_t m = 0; m < machines; m++) {
      struct sl_compare_row *row = &compare->rows[p * machines + m];
      enum sl_status code = SL_OK;
      if (p > 0) {
        memcpy(row->name, compare->rows[m].name, sizeof row->name);
        code = open_row(compare, row, err);
        c->count++;
      }
      row->file = operands->items[p];
      if (code == SL_OK && sl_is_script(row->file))
        code = compare_script_check(row, err);
      else if (code == SL_OK)
        code = sl_compare_program(&compare->programs[p], &row->config, &row->program, err);
      if (code != SL_OK && p > 0 && !sl_is_source(row->file))
        sl_error_prefix(err, "the second program (arguments of the programs come after --): ");
      if (code != SL_OK)
        return code;
    }
  }
  return SL_OK;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void take_result(struct sl_compare_row *row, const struct compare *compare, const struct sl_device *device)
{
  const struct sl_program *program = row->program;
  const struct sl_result *result = sl_device_result(device);
  size_t count;
  struct sl_launch *launches = sl_choose_launches(&compare->launches, program, result, &count);
  row->status = result->status;
  row->sampled = result->sampled;
  if (launches == NULL) {
    row->code = sl_no_memory(&row->error, sizeof *launches);
    return;
  }
  take_launches(row, launches, count);
  sl_kernel_sums(&row->kernels, row->config.machine, program, launches, count);
  free(launches);
  if (row->code == SL_OK)
    row->code = sl_launch_choice_check(&compare->launches, program, result, count, &row->error);
  if (row->code == SL_OK && result->status != 0)
    row->code = sl_fail(&row->error, SL_CHECK_FAILED, "the program's own check failed (status %d)", result->status);
}

/* Whether the cycles by source line are used; collecting them takes time. */
static bool wants_lines(const struct compare *compare)
{
  return !compare->sampling.wanted && (compare->lines > 0 || compare->json_file != NULL || compare->html_file != NULL);
}

/* The results of a run that ended. */
static void take_lines(struct sl_compare_row *row, const struct sl_profile *profile, const struct sl_device *device)
{
  const struct sl_profile_run run = {.version = SL_VERSION,
                                     .config = &row->config,
                                     .program = row->program,
                                     .profile = profile,
                                     .result = sl_device_result(device),
                                     .error = &row->error};
  struct sl_profile_report report;
  struct sl_error err;
  struct stat status;
  const bool is_elf = !sl_is_source(row->file) && stat(row->file, &status) == 0;
  enum sl_status code = sl_profile_report_create(&report, &run, &err);
  if (code == SL_OK) {
    code = sl_profile_check(&report, &err);
    if (code == SL_OK)
      code = sl_compare_lines_take(&row->lines, &report, is_elf ? &status.st_mtim : NULL, &err);
    sl_profile_report_free(&report);
  }
  if (code != SL_OK) {
    row->code = code;
    row->error = err;
  }
}

/* The profile collects only cycles. */
static struct sl_probes cycle_probes(struct sl_profile *profile)
{
  struct sl_probes probes = {0};
  if (profile->rows != NULL)
    probes = sl_profile_probes(profile);
  probes.wanted &= SL_PROBE_LAUNCHED | SL_PROBE_ENDED | SL_PROBE_WAITED;
  return probes;
}

static void run_device(struct compare *compare, struct sl_compare_row *row, struct sl_running *running,
                       struct sl_profile *profile)
{
  const struct sl_comparison *c = &compare->comparison;
  const struct sl_device_options options = {
      .console = {&row->output, NULL, sl_console_tail_put},
      .progress = sl_running_progress,
      .progress_context = running,
      .whole_program = compare->counting.whole_program,
      .region = compare->counting.region,
      .max_cycles = compare->max_cycles,
      .sampling = compare->sampling,
      .probes = cycle_probes(profile),
  };
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &options};
  struct sl_gpu *gpu;
  row->code = sl_gpu_open(&gpu, &row->config, &hosts, &row->error);
  if (row->code != SL_OK) {
    sl_gpu_close(gpu);
    return;
  }
  struct sl_device *device = sl_gpu_device(gpu);
  const char *argv[SL_COMPARE_ARGUMENTS + 1] = {row->file};
  for (int i = 1; i < c->argc; i++)
    argv[i] = c->argv[i];
  row->code = sl_device_load(device, row->program, c->argc, argv, &row->error);
  if (row->code == SL_OK) {
    row->code = sl_device_run(device, &row->error);
    take_result(row, compare, device);
  }
  if (profile->rows != NULL && (row->code == SL_OK || row->code == SL_CHECK_FAILED))
    take_lines(row, profile, device);
  sl_gpu_close(gpu);
}

static void run_row(struct compare *compare, struct sl_compare_row *row, struct sl_running *running)
{
  struct sl_profile profile = {0};
  const struct sl_soc soc = row->config.machine->soc(row->config.spec);
  if (wants_lines(compare))
    row->code = sl_profile_create(&profile, &soc, row->program, &row->error);
  profile.choice = compare->launches;
  if (row->code == SL_OK)
    run_device(compare, row, running, &profile);
  sl_profile_free(&profile);
}

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  const struct compare *compare = context;
  const struct sl_compare_row *row = &compare->rows[index];
  snprintf(text, size, "%s%s%s", compare->comparison.programs > 1 ? row->file : "",
           compare->comparison.programs > 1 ? " on " : "", row->name);
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct compare *compare = context;
  struct sl_compare_row *row = &compare->rows[index];
  if (sl_is_script(row->file))
    compare_script(row, compare->max_cycles, running);
  else
    run_row(compare, row, running);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Prints the errors with their machines; returns the worst code. */
static enum sl_status print_failures(const struct sl_comparison *c)
{
  enum sl_status worst = SL_OK;
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    if (row->code == SL_OK)
      continue;
    sl_print(stderr, "simtlab: %s%s%s: %s\n", c->programs > 1 ? row->file : "", c->programs > 1 ? " on " : "",
             row->name, row->error.text);
    if (row->output.length > 0)
      sl_print(stderr, "its output there ended with:\n%s%s", row->output.text,
               row->output.text[row->output.length - 1] == '\n' ? "" : "\n");
    worst = row->code > worst ? row->code : worst;
  }
  return worst;
}

static enum sl_status write_files(struct compare *compare, struct sl_error *err)
{
  const struct sl_comparison *c = &compare->comparison;
  enum sl_status code = SL_OK;
  if (compare->json_file != NULL)
    code = sl_json_write(sl_with_provenance(sl_compare_json(c)), &compare->json, err);
  if (code == SL_OK && compare->html_file != NULL)
    code = sl_compare_html(c, compare->html.file, err);
  return code;
}

/* Launch scripts take no arguments, and all their launches are counted. */
static enum sl_status check_scripts(const struct compare *compare, const struct sl_operands *operands,
                                    struct sl_error *err)
{
  bool any = false;
  for (int i = 0; i < operands->first; i++)
    any |= sl_is_script(operands->items[i]);
  if (any && (operands->count > operands->first || compare->lines > 0 || compare->launches.kernel != NULL ||
              compare->counting.whole_program || compare->counting.region != NULL))
    return sl_fail(err, SL_USAGE,
                   "launch scripts take no arguments and none of --kernel, --lines, --whole-program and --region");
  return SL_OK;
}

/* Opens output files before the simulation, so a wrong path does not waste a run. */
static enum sl_status prepare(struct compare *compare, const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_comparison *c = &compare->comparison;
  c->rows = compare->rows;
  c->argc = 1 + operands->count - operands->first;
  c->argv = (const char *const *)operands->items + operands->first - 1;
  if (c->argc > SL_COMPARE_ARGUMENTS)
    return sl_fail(err, SL_USAGE, "more than %d arguments for the programs", SL_COMPARE_ARGUMENTS - 1);
  enum sl_status code = check_scripts(compare, operands, err);
  if (code == SL_OK)
    code = open_machines(compare, err);
  if (code == SL_OK)
    code = add_programs(compare, operands, err);
  if (code == SL_OK && compare->json_file != NULL)
    code = sl_output_open(&compare->json, compare->json_file, err);
  if (code == SL_OK && compare->html_file != NULL)
    code = sl_output_open(&compare->html, compare->html_file, err);
  return code;
}

/* Warns about the accuracy of each run with sampled timing. */
static void print_sampled(const struct sl_comparison *c, FILE *file)
{
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    if (!row->sampled.settled || !row->cycles.known)
      continue;
    sl_print(file, "\n%s%s%s:\n", c->programs > 1 ? row->file : "", c->programs > 1 ? " on " : "", row->name);
    sl_sampled_print(row->config.machine, &row->sampled, row->cycles.value, file);
  }
}

static enum sl_status run_all(struct compare *compare, struct sl_error *err)
{
  struct sl_comparison *c = &compare->comparison;
  const struct sl_jobs jobs = {c->count, name_job, run_job, compare, compare->quiet};
  enum sl_status code = sl_jobs_run(&jobs, compare->jobs, err);
  if (code != SL_OK)
    return code;
  /* main reports a failed write to standard output */
  FILE *text = compare->json.standard || compare->html.standard ? stderr : stdout;
  sl_compare_print(c, text);
  print_sampled(c, text);
  if (compare->lines > 0)
    code = sl_line_changes_print(c, compare->lines, text, err);
  const enum sl_status worst = print_failures(c);
  if (code == SL_OK)
    code = write_files(compare, err);
  return code == SL_OK ? worst : code;
}

/* Closing an output can also fail. The command reports the first error that has a sentence. */
static enum sl_status finish(struct sl_output *output, enum sl_status code, struct sl_error *err)
{
  struct sl_error closing = {0};
  const enum sl_status closed = output->file != NULL ? sl_output_close(output, &closing) : SL_OK;
  if (closed != SL_OK && err->text[0] == '\0')
    *err = closing;
  return closed > code ? closed : code;
}

static void close_row(struct sl_compare_row *row)
{
  sl_config_close(&row->config);
  sl_compare_lines_free(&row->lines);
}

static enum sl_status compare_program(struct compare *compare, const struct sl_operands *operands, struct sl_error *err)
{
  enum sl_status code = prepare(compare, operands, err);
  if (code == SL_OK)
    code = run_all(compare, err);
  code = finish(&compare->json, code, err);
  code = finish(&compare->html, code, err);
  for (size_t i = 0; i < compare->comparison.count; i++)
    close_row(&compare->rows[i]);
  for (size_t i = 0; i < SL_COMPARE_MOST; i++)
    sl_compare_program_free(&compare->programs[i]);
  return code;
}

static enum sl_status choose_sampling(struct compare *compare, const struct sl_operands *operands, struct sl_error *err)
{
  bool script = false;
  for (int i = 0; i < operands->first; i++)
    script |= sl_is_script(operands->items[i]);
  if (compare->lines > 0 || script)
    return sl_fail(err, SL_USAGE, "--sample is for programs and does not collect lines: leave out %s",
                   script ? "launch scripts" : "--lines");
  return sl_choose_sampling(&compare->sampling, compare->sample, err);
}

static enum sl_status compare_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct compare *compare = calloc(1, sizeof *compare);
  if (compare == NULL)
    return sl_no_memory(err, sizeof *compare);
  compare->jobs = 1;
  compare->launches.number = SL_EVERY_LAUNCH;
  const struct sl_option options[] = {
      {'m', "machines", SL_OPTION_TEXT, "M,M,...", "machines, each NAME or NAME:KEY=VALUE:...", &compare->machines},
      {'s', "set", SL_OPTION_LIST, "KEY=VALUE", "change a key of every machine", &compare->set},
      SL_KERNEL_OPTION(compare->launches),
      SL_WHOLE_OPTION(compare->counting),
      SL_REGION_OPTION(compare->counting),
      {'n', "lines", SL_OPTION_NUMBER, "N", "show the N source lines whose cycles change most", &compare->lines},
      {'J', "json", SL_OPTION_OUTPUT, "FILE", "write results as JSON (- is standard output)", &compare->json_file},
      {'H', "html", SL_OPTION_OUTPUT, "FILE", "write table and charts as HTML", &compare->html_file},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "machines run in parallel [1]", &compare->jobs},
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &compare->sample},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop each run after N cycles (exit status 4)", &compare->max_cycles},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress display", &compare->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code == SL_OK && !operands.help && operands.first == 0)
    code = sl_fail(err, SL_USAGE, "which program? simtlab compare PROGRAM.elf --machines A,B; simtlab cc makes one");
  else if (code == SL_OK && !operands.help && compare->machines == NULL)
    code = sl_fail(err, SL_USAGE, "which machines? --machines A,B; simtlab machines lists them");
  else if (code == SL_OK && compare->sample != NULL)
    code = choose_sampling(compare, &operands, err);
  if (code == SL_OK && !operands.help)
    code = compare_program(compare, &operands, err);
  free(compare);
  return code;
}

const struct sl_command sl_compare_command = {
    .name = "compare",
    .operands = "[OPTION]... --machines M,M,... PROGRAM... [-- ARGUMENT...]",
    .summary = "Run programs on machines, side by side",
    .details = "A machine is a preset or a YAML file, with its own settings after colons:\n"
               "simtight,simtight:convergence=depth-pc. A program is an ELF file, a C source (which\n"
               "is compiled for each kind of machine), or a launch script of PTX kernels. The output of\n"
               "a program is shown if it fails.\n",
    .run = compare_command,
};
