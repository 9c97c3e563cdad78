/* simtlab run: one program on one machine. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "observe/commits.h"
#include "observe/progress.h"
#include "observe/report.h"

struct run_options {
  struct sl_machine_choice choice;
  bool fast, quiet;
  const char *stats, *commits;
  uint64_t max_cycles;
};

struct run {
  struct run_options options;
  struct sl_config config;
  struct sl_program *program;
  struct sl_device *device;
  struct sl_output console, stats, commits;
  struct sl_commits trace;
  struct sl_progress progress;
  double started;
};

static int get_byte(void *context)
{
  struct run *run = context;
  sl_progress_hide(&run->progress);
  sl_output_flush(&run->console); /* a prompt comes before its answer */
  int byte = getchar();
  return byte == EOF ? SL_CONSOLE_END : byte;
}

static int put_byte(void *context, uint8_t byte)
{
  struct run *run = context;
  sl_progress_hide(&run->progress);
  sl_output_write(&run->console, &byte, 1);
  return run->console.failure == 0 ? 0 : SL_CONSOLE_FAILED;
}

static bool show_progress(void *context, uint64_t cycles)
{
  struct run *run = context;
  if (sl_progress_due(&run->progress)) {
    char line[80];
    double seconds = sl_seconds() - run->started;
    snprintf(line, sizeof line, "%.1f M cycles, %.1f s, %.2f M cycles/s", 1e-6 * (double)cycles, seconds,
             1e-6 * (double)cycles / seconds);
    sl_output_flush(&run->console);
    sl_progress_draw(&run->progress, line);
  }
  return true;
}

/* Output files are opened before anything is simulated: a wrong path should not cost a run. */
static enum sl_code open_outputs(struct run *run, struct sl_error *err)
{
  enum sl_code code = sl_output_open(&run->console, "-", err);
  if (code == SL_OK && run->options.stats != NULL)
    code = sl_output_open(&run->stats, run->options.stats, err);
  if (code == SL_OK && run->options.commits != NULL) {
    code = sl_output_open(&run->commits, run->options.commits, err);
    if (code == SL_OK)
      sl_commits_begin(&run->trace, &run->commits);
  }
  return code;
}

static enum sl_code prepare(struct run *run, const struct sl_operands *operands, struct sl_error *err)
{
  const struct sl_device_options options = {
      .console = {run, get_byte, put_byte},
      .commit = run->options.commits != NULL ? sl_commits_write : NULL,
      .commit_context = &run->trace,
      .progress = show_progress,
      .progress_context = run,
      .fast = run->options.fast,
      .max_cycles = run->options.max_cycles,
  };
  enum sl_code code = sl_open_machine(&run->options.choice, &run->config, err);
  if (code == SL_OK)
    code = sl_program_load(operands->items[0], &run->program, err);
  if (code == SL_OK)
    code = sl_device_create(&run->config, &options, &run->device, err);
  if (code == SL_OK)
    code = sl_device_load(run->device, run->program, operands->count, (const char *const *)operands->items, err);
  if (code == SL_OK)
    code = open_outputs(run, err);
  return code;
}

/* The first error is the run's; later ones are told as they come. */
static enum sl_code add_outcome(enum sl_code first, enum sl_code second, const struct sl_error *second_error,
                                struct sl_error *err)
{
  if (second == SL_OK)
    return first;
  if (first == SL_OK) {
    *err = *second_error;
    return second;
  }
  fprintf(stderr, "simtlab: %s\n", second_error->text);
  return first;
}

/* Closes an output that was opened. */
static enum sl_code finish_output(struct sl_output *output, enum sl_code code, struct sl_error *err)
{
  struct sl_error closing = {0};
  if (output->file == NULL)
    return code;
  return add_outcome(code, sl_output_close(output, &closing), &closing, err);
}

static enum sl_code simulate(struct run *run, struct sl_error *err)
{
  struct sl_error outcome = {0}, writing = {0};
  enum sl_code code = sl_device_run(run->device, &outcome);
  outcome.code = code;
  sl_progress_hide(&run->progress);
  struct sl_report report = {.version = SL_VERSION,
                             .config = &run->config,
                             .program = run->program,
                             .device = run->device,
                             .fast = run->options.fast,
                             .error = &outcome};
  bool console_ok = sl_output_flush(&run->console);
  if (!run->options.quiet)
    sl_report_print(&report, stderr);
  int status = sl_device_result(run->device)->status;
  *err = outcome;
  if (code == SL_OK && status != 0)
    code = sl_fail(err, SL_CHECK_FAILED, "%.200s: the program's own check failed (status %d)",
                   sl_program_name(run->program), status);
  if (!console_ok) /* the run ended because its output could not be written, whatever the device says */
    code = SL_OK;
  code = finish_output(&run->console, code, err);
  if (run->options.stats != NULL)
    code = add_outcome(code, sl_json_write(sl_report_json(&report), &run->stats, &writing), &writing, err);
  return code;
}

static enum sl_code run_program(struct run *run, const struct sl_operands *operands, struct sl_error *err)
{
  run->started = sl_seconds();
  sl_progress_init(&run->progress, stderr, run->options.quiet);
  enum sl_code code = prepare(run, operands, err);
  if (code == SL_OK)
    code = simulate(run, err);
  code = finish_output(&run->stats, code, err);
  code = finish_output(&run->commits, code, err);
  if (run->device != NULL)
    sl_device_destroy(run->device);
  sl_program_free(run->program);
  sl_config_close(&run->config);
  return code;
}

static enum sl_code run_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct run run = {.options.choice.machine = "simtight"};
  struct run_options *o = &run.options;
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o->choice),
      SL_SET_OPTION(o->choice),
      {'f', "fast", SL_OPTION_FLAG, NULL, "same semantics, no timing", &o->fast},
      {'S', "stats", SL_OPTION_TEXT, "FILE", "write statistics as JSON (- is standard output)", &o->stats},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop after N cycles (exit status 4)", &o->max_cycles},
      {'t', "trace-commits", SL_OPTION_TEXT, "FILE", "write a line per executed warp instruction", &o->commits},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no summary, no progress", &o->quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_code code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE, "which program? simtlab run [OPTION]... PROGRAM.elf; simtlab cc makes one");
  return run_program(&run, &operands, err);
}

const struct sl_command sl_run_command = {
    .name = "run",
    .operands = "[OPTION]... PROGRAM.elf [ARGUMENT]...",
    .summary = "Run a program on a machine",
    .details = "The program's console is standard output and input; the summary goes to standard error.\n"
               "What follows PROGRAM.elf is for the program.\n",
    .options_first = true,
    .run = run_command,
};
