/* simtlab trace: what each instruction does in each cycle, for trace viewers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cuda/cuda.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/session.h"
#include "device/gpu_kind.h"
#include "observe/trace/trace.h"

struct trace_options {
  struct sl_machine_choice choice;
  const char *path, *format, *cycles, *warps, *kernel;
  uint64_t max_cycles, sample;
  bool quiet;
};

static const char standard_machine[] = "simtight";

/* Instructions of a text trace that viewers open well. */
enum { MANY = 2000000 };

static enum sl_status choose_format(const struct trace_options *o, struct sl_trace_order *order, struct sl_error *err)
{
  size_t count = 0;
  while (sl_trace_formats[count] != NULL)
    count++;
  if (o->path == NULL)
    return sl_fail(err, SL_USAGE, "which file? -o FILE; its ending chooses the format, as in run.html");
  order->format = sl_trace_format_of(o->format, o->path);
  if (order->format == NULL && o->format != NULL)
    return sl_unknown(err, "format", o->format, sl_trace_formats, count);
  if (order->format == NULL)
    order->format = sl_trace_format_of(sl_trace_formats[0], NULL);
  return sl_commit_choose(&order->choice, o->cycles, o->warps, err);
}

/* Closes the trace. After a signal it has all events up to there, and says so by its end. */
static enum sl_status finish(struct sl_trace *trace, const struct trace_options *o, enum sl_status code,
                             struct sl_error *err)
{
  struct sl_error closing = {0};
  const bool console = trace->file.output.standard, text = trace->order.format != sl_trace_format_of("html", NULL);
  const enum sl_status closed = sl_trace_close(trace, &closing);
  const uint64_t rows = trace->rows, details = trace->details, traced = trace->traced;
  if (closed == SL_OK && !o->quiet)
    sl_print(stderr, "trace of %" PRIu64 " instructions%s%s\n", rows, console ? "" : " in ", console ? "" : o->path);
  if (closed == SL_OK && code == SL_OK && traced == 0 && o->kernel != NULL)
    sl_print(stderr, "simtlab: warning: no launch is of kernel '%.80s'\n", o->kernel);
  if (closed == SL_OK && details != UINT64_MAX)
    sl_print(stderr,
             "simtlab: warning: the page has single instructions up to cycle %" PRIu64
             ", where it reached its limit of 200 MB; --cycles, --warps, --kernel or --sample keep a part\n",
             details);
  if (closed == SL_OK && rows > MANY && text)
    sl_print(stderr, "simtlab: warning: viewers are slow with over %d instructions; --cycles FROM:TO keeps a part\n",
             MANY);
  return sl_add_outcome(code, closed, &closing, err);
}

/* The module of a launch script, which is loaded when the script runs. */
static const struct sl_ptx_module *module_of(void *context)
{
  const struct sl_script_session *session = context;
  return session->gpu->modules->ptx;
}

static enum sl_status trace_grids(const struct trace_options *o, struct sl_trace_order *order,
                                  const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_script_session session;
  struct sl_trace trace;
  struct sl_probes probes;
  const struct sl_gpu_options options = {.limit = o->max_cycles, .bounds.probes = &probes};
  enum sl_status code = sl_script_open(&session, operands->items[0], &o->choice, options, sl_is_standard(o->path), err);
  if (code == SL_OK) {
    order->machine = session.config.machine;
    order->soc = order->machine->soc(session.config.spec);
    order->module = session.script.module;
    order->ptx = module_of;
    order->context = &session;
    code = sl_trace_open(&trace, order, o->path, err);
    if (code == SL_OK) {
      probes = sl_trace_probes(&trace);
      code = finish(&trace, o, sl_script_play(&session, err), err);
    }
  }
  sl_script_close(&session);
  return code;
}

/* Runs the program or, if there is a script, its launches. */
static enum sl_status run(struct sl_session *session, struct sl_trace *trace, const struct trace_options *o,
                          const struct sl_operands *operands, const struct sl_script *script, struct sl_error *err)
{
  struct sl_error outcome = {0};
  const struct sl_device_options options = {.probes = sl_trace_probes(trace), .max_cycles = o->max_cycles};
  if (script == NULL) {
    const enum sl_status code = sl_session_load(session, options, operands, err);
    return code == SL_OK ? sl_session_run(session, &outcome, err) : code;
  }
  if (sl_session_add(session, options, err) != SL_OK)
    return err->code;
  outcome.code = sl_session_play(session, script, &outcome);
  return sl_session_end(session, &outcome, err);
}

static enum sl_status trace_program(const struct trace_options *o, struct sl_trace_order *order,
                                    const struct sl_operands *operands, const struct sl_script *script,
                                    struct sl_error *err)
{
  struct sl_session session;
  struct sl_trace trace;
  enum sl_status code =
      sl_session_open(&session, &o->choice, script != NULL ? script->module : operands->items[0], o->quiet, err);
  session.console_aside = sl_is_standard(o->path);
  if (code == SL_OK) {
    order->machine = session.config.machine;
    order->soc = order->machine->soc(session.config.spec);
    order->program = session.program;
    code = sl_trace_open(&trace, order, o->path, err);
    if (code == SL_OK)
      code = finish(&trace, o, run(&session, &trace, o, operands, script, err), err);
  }
  sl_session_close(&session);
  return code;
}

static enum sl_status trace_script(const struct trace_options *o, struct sl_trace_order *order,
                                   const struct sl_operands *operands, struct sl_error *err)
{
  struct sl_script script;
  if (operands->count > 1)
    return sl_fail(err, SL_USAGE, "'%.100s' is an extra operand: a launch script takes no arguments",
                   operands->items[1]);
  enum sl_status code = sl_script_load(&script, operands->items[0], err);
  if (code != SL_OK)
    return code;
  code = script.elf ? trace_program(o, order, operands, &script, err) : trace_grids(o, order, operands, err);
  sl_script_free(&script);
  return code;
}

/* The name of a file from the root, since the program may change its folder; NULL: out of memory. */
static char *absolute(const char *path)
{
  char folder[SL_PATH];
  const bool relative = path[0] != '/' && getcwd(folder, sizeof folder) != NULL;
  const size_t size = strlen(path) + (relative ? strlen(folder) : 0) + 2;
  char *whole = malloc(size);
  if (whole != NULL)
    snprintf(whole, size, "%s%s%s", relative ? folder : "", relative ? "/" : "", path);
  return whole;
}

static struct stat state_of(const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0)
    memset(&status, 0, sizeof status);
  return status;
}

/* Whether there is a file that was not there before. */
static bool has_changed(const struct stat *before, const char *path)
{
  const struct stat now = state_of(path);
  return now.st_ino != 0 && (now.st_ino != before->st_ino || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
                             now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* A program of the host writes the trace itself. */
static enum sl_status trace_host(const struct trace_options *o, const char *program, const struct sl_operands *operands,
                                 struct sl_error *err)
{
  int status;
  char *whole = sl_is_standard(o->path) ? NULL : absolute(o->path);
  if (sl_is_standard(o->path))
    return sl_fail(err, SL_USAGE, "the trace of a host program is a file: give -o its name");
  if (o->choice.set.count > 0)
    return sl_fail(err, SL_USAGE, "--set is not for programs of the host: give -m a machine file");
  if (whole == NULL)
    return sl_no_memory(err, strlen(o->path));
  enum sl_status code =
      sl_host_command_prepare(program, o->choice.machine != standard_machine ? o->choice.machine : NULL, err);
  sl_host_command_set("MODE", "timed");
  sl_host_command_set("TRACE", whole);
  sl_host_command_set("TRACE_FORMAT", o->format);
  sl_host_command_set("TRACE_CYCLES", o->cycles);
  sl_host_command_set("TRACE_WARPS", o->warps);
  sl_host_command_set("TRACE_KERNEL", o->kernel);
  if (o->sample > 0)
    sl_host_command_number("TRACE_SAMPLE", o->sample);
  if (o->max_cycles > 0)
    sl_host_command_number("MAX_CYCLES", o->max_cycles);
  const struct stat before = state_of(whole);
  if (code == SL_OK)
    code = sl_host_command_run(program, operands, false, &status, err);
  if (code == SL_OK && !has_changed(&before, whole))
    code = sl_fail(err, SL_CHECK_FAILED, "%.300s: no trace: it has launched nothing, or has not ended by itself",
                   operands->items[0]);
  else if (code == SL_OK && status != 0)
    code = sl_fail(err, SL_CHECK_FAILED, "%.300s: exit status %d; the trace is in %.300s", operands->items[0], status,
                   o->path);
  else if (code == SL_OK && !o->quiet)
    sl_print(stderr, "trace in %s\n", o->path);
  free(whole);
  return code;
}

static enum sl_status trace_source(const struct trace_options *o, const struct sl_operands *operands,
                                   struct sl_error *err)
{
  char program[SL_CUDA_PATH];
  int file;
  enum sl_status code = sl_cuda_build(operands->items[0], NULL, false, program, &file, err);
  if (code == SL_OK)
    code = trace_host(o, program, operands, err);
  if (file >= 0)
    close(file);
  return code;
}

static enum sl_status trace_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct trace_options o = {.choice.machine = standard_machine};
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o.choice),
      SL_SET_OPTION(o.choice),
      {'o', "output", SL_OPTION_OUTPUT, "FILE", "write the trace to FILE", &o.path},
      {'f', "format", SL_OPTION_TEXT, "NAME", "a format below [by FILE's ending; else the first]", &o.format},
      {0, "cycles", SL_OPTION_TEXT, "FROM:TO", "only these cycles of each launch", &o.cycles},
      {0, "warps", SL_OPTION_TEXT, "WARPS", "only these warps, for example 0,3,8-11", &o.warps},
      {0, "kernel", SL_OPTION_TEXT, "NAME", "only launches of this kernel", &o.kernel},
      {0, "sample", SL_OPTION_NUMBER, "N", "only 1,024 cycles of every N x 1,024", &o.sample},
      {'c', "max-cycles", SL_OPTION_NUMBER, "N", "stop after N cycles (exit status 4)", &o.max_cycles},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress, no summary", &o.quiet},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE,
                   "which program? simtlab trace -o FILE PROGRAM.elf, X.launch, PROGRAM.cu or a host program");
  const struct sl_origin origin = sl_provenance_text();
  struct sl_trace_order order = {
      .title = operands.items[0], .origin = origin.text, .kernel = o.kernel, .sample = o.sample};
  code = choose_format(&o, &order, err);
  if (code != SL_OK)
    return code;
  if (sl_is_cuda_source(operands.items[0]))
    return trace_source(&o, &operands, err);
  if (sl_is_host_program(operands.items[0]))
    return trace_host(&o, operands.items[0], &operands, err);
  return sl_is_script(operands.items[0]) ? trace_script(&o, &order, &operands, err)
                                         : trace_program(&o, &order, &operands, NULL, err);
}

const struct sl_command sl_trace_command = {
    .name = "trace",
    .operands = "-o FILE [OPTION]... PROGRAM [ARGUMENT]...",
    .summary = "Show what each instruction does in each cycle",
    .details = "PROGRAM is PROGRAM.elf, a launch script X.launch, a program of the host that uses\n"
               "CUDA or OpenCL, or PROGRAM.cu, which is built first. Formats, with the endings\n"
               "of files (docs/how-to/tracing.md):\n"
#define FORMAT(name, endings, meaning) "  " #name " (" endings "): " meaning "\n"
#include "observe/trace/trace_formats.def"
#undef FORMAT
    ,
    .run = trace_command,
};
