#include "cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "cli/options.h"
#include "compiler/cc/compile.h"
#include "device/gpu_kind.h"
#include "observe/json.h"
#include "observe/terminal.h"
#include "program/program.h"

static int get_byte(void *context)
{
  struct sl_session *session = context;
  sl_progress_hide(&session->progress);
  sl_output_flush(&session->console); /* flush, so a prompt appears before its answer */
  if (session->input_at == session->input_size) {
    if (!sl_interruption_wait(&session->interruption, STDIN_FILENO))
      return SL_CONSOLE_END;
    const ssize_t size = read(STDIN_FILENO, session->input, sizeof session->input);
    session->input_at = 0;
    session->input_size = size > 0 ? (size_t)size : 0;
  }
  return session->input_size == 0 ? SL_CONSOLE_END : (unsigned char)session->input[session->input_at++];
}

static int put_byte(void *context, uint8_t byte)
{
  struct sl_session *session = context;
  sl_progress_hide(&session->progress);
  sl_output_write(&session->console, &byte, 1);
  return session->console.failure == 0 ? 0 : SL_CONSOLE_FAILED;
}

static bool show_progress(void *context, uint64_t cycles)
{
  struct sl_session *session = context;
  if (sl_progress_due(&session->progress)) {
    char line[80];
    double seconds = sl_seconds() - session->started;
    snprintf(line, sizeof line, "%.1f M cycles, %.1f s, %.2f M cycles/s", 1e-6 * (double)cycles, seconds,
             1e-6 * (double)cycles / seconds);
    sl_output_flush(&session->console);
    sl_progress_draw(&session->progress, line);
  }
  return !sl_interrupted(&session->interruption);
}

/* Compilation target of a source; `target` is NULL if the machine has none. */
static struct sl_compare_made made_for(const struct sl_config *machine)
{
  const struct sl_soc soc = machine->machine->soc(machine->spec);
  uint32_t fpu;
  if (soc.launches == SL_LAUNCH_PROGRAM && soc.isa == SL_ISA_WIDE64)
    return (struct sl_compare_made){.target = "vortex64", .fp = true, .registers = soc.registers};
  if (soc.launches == SL_LAUNCH_PROGRAM)
    return (struct sl_compare_made){.target = "vortex"};
  if (soc.launches == SL_LAUNCH_GRID)
    return (struct sl_compare_made){.target = "sm7", .fp = true};
  return (struct sl_compare_made){.target = soc.no_host ? NULL : "simt",
                                  .fp = sl_config_value(machine, "fpu", &fpu) && fpu != 0};
}

static enum sl_status compile_source(const char *file, const struct sl_compare_made *made, const char *output,
                                     struct sl_error *err)
{
  char runtime[SL_PATH], marks_tool[SL_PATH];
  struct sl_log log = {0};
  const struct sl_input input = {.word = file};
  const struct sl_wide_words words = {0};
  struct sl_tools tools = {.log = &log};
  const bool wide = strcmp(made->target, "vortex64") == 0, vortex = wide || strcmp(made->target, "vortex") == 0;
  struct sl_compile_order order = {.inputs = &input,
                                   .input_count = 1,
                                   .output = output,
                                   .runtime = runtime,
                                   .wide = wide,
                                   .vortex = vortex,
                                   .grid = strcmp(made->target, "sm7") == 0,
                                   .auto_marks = vortex && !wide,
                                   .marks_tool = marks_tool,
                                   .fp = made->fp};
  sl_find_helper("simtlab-marks", marks_tool);
  enum sl_status code = sl_find_data("runtime", runtime, err);
  if (code == SL_OK)
    code = sl_wide_options_read(&order.code, &words, err);
  if (code == SL_OK && wide)
    order.code.registers = made->registers;
  if (code == SL_OK)
    code = sl_compile(&order, &tools, err);
  if (log.text != NULL)
    fputs(log.text, stderr);
  free(log.text);
  return code;
}

/* Error messages name the source. */
static enum sl_status read_made(const char *file, const char *output, struct sl_program **program, struct sl_error *err)
{
  char *bytes = NULL;
  size_t size = 0;
  enum sl_status code = sl_file_bytes_read(output, &bytes, &size, err);
  if (code == SL_OK)
    code = sl_program_parse(file, bytes, size, program, err);
  free(bytes);
  return code;
}

/* Compiles through temporary files, which are deleted afterwards. */
static enum sl_status make(const char *file, const struct sl_compare_made *made, struct sl_program **program,
                           struct sl_error *err)
{
  char folder[] = "/tmp/simtlab-source-XXXXXX", output[sizeof folder + 8], dependencies[sizeof folder + 8];
  if (mkdtemp(folder) == NULL)
    return sl_fail(err, SL_USAGE, "%s: cannot make a folder for the compiled program", folder);
  snprintf(output, sizeof output, "%s/a.elf", folder);
  snprintf(dependencies, sizeof dependencies, "%s/a.d", folder);
  enum sl_status code = compile_source(file, made, output, err);
  if (code == SL_OK)
    code = read_made(file, output, program, err);
  unlink(output);
  unlink(dependencies);
  rmdir(folder);
  return code;
}

/* Reads or compiles the program for a machine. Compiler messages go to standard error. SL_USAGE also if simtlab cc has
 * no target for the machine. */
static enum sl_status program_for(const char *file, const struct sl_config *machine, struct sl_program **program,
                                  struct sl_error *err)
{
  const struct sl_compare_made made = made_for(machine);
  if (!sl_is_source(file))
    return sl_program_load(file, program, err);
  if (made.target == NULL)
    return sl_fail(err, SL_USAGE,
                   "%.200s: simtlab cc makes no programs for %s; compile_source it by hand and run the ELF file", file,
                   machine->name);
  return make(file, &made, program, err);
}

enum sl_status sl_session_open(struct sl_session *session, const struct sl_machine_choice *choice, const char *program,
                               bool quiet, struct sl_error *err)
{
  *session = (struct sl_session){.started = sl_seconds(), .interruption.file = -1};
  sl_progress_init(&session->progress, stderr, quiet);
  enum sl_status code = sl_open_machine(choice, &session->config, err);
  return code == SL_OK ? program_for(program, &session->config, &session->program, err) : code;
}

static enum sl_status create_device(struct sl_session *session, struct sl_device_options options, struct sl_error *err)
{
  options.console = (struct sl_console){session, get_byte, put_byte};
  options.progress = show_progress;
  options.progress_context = session;
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &options};
  const enum sl_status code = sl_gpu_open(&session->gpu, &session->config, &hosts, err);
  sl_interruption_begin(&session->interruption);
  if (code == SL_OK) {
    session->device = sl_gpu_device(session->gpu);
    sl_output_console(&session->console, session->console_aside);
  }
  return code;
}

enum sl_status sl_session_load(struct sl_session *session, struct sl_device_options options,
                               const struct sl_operands *operands, struct sl_error *err)
{
  const enum sl_status code = create_device(session, options, err);
  return code == SL_OK ? sl_device_load(session->device, session->program, operands->count,
                                        (const char *const *)operands->items, err)
                       : code;
}

enum sl_status sl_session_add(struct sl_session *session, struct sl_device_options options, struct sl_error *err)
{
  const enum sl_status code = create_device(session, options, err);
  return code == SL_OK ? sl_device_add(session->device, session->program, err) : code;
}

static void print_sum(void *context, const char *buffer, uint64_t sum)
{
  sl_output_print(context, "sum %s %016" PRIx64 "\n", buffer, sum);
}

enum sl_status sl_session_play(struct sl_session *session, const struct sl_script *script, struct sl_error *err)
{
  const struct sl_script_observer observer = {.summed = print_sum, .context = &session->console};
  struct sl_gpu_module *module;
  const enum sl_status code = sl_gpu_load_program(session->gpu, session->program, &module, err);
  return code == SL_OK ? sl_script_perform(script, session->gpu, module, &observer, err) : code;
}

enum sl_status sl_session_run(struct sl_session *session, struct sl_error *outcome, struct sl_error *err)
{
  *outcome = (struct sl_error){0};
  outcome->code = sl_device_run(session->device, outcome);
  return sl_session_end(session, outcome, err);
}

enum sl_status sl_session_end(struct sl_session *session, struct sl_error *outcome, struct sl_error *err)
{
  enum sl_status code = outcome->code;
  char warning[600];
  sl_progress_hide(&session->progress);
  if (sl_device_warning(session->device, warning, sizeof warning))
    sl_print(stderr, "simtlab: warning: %s\n", warning);
  const int status = sl_device_result(session->device)->status;
  if (session->interruption.seen != 0)
    code = outcome->code = sl_interrupted_status(&session->interruption, outcome,
                                                 "%s was interrupted; its figures cover the part that ran",
                                                 sl_program_name(session->program));
  *err = *outcome;
  if (code == SL_CHECK_FAILED) /* the kernel's status; it has ended normally */
    outcome->code = SL_OK;
  if (code == SL_OK && status != 0)
    code = sl_fail(err, SL_CHECK_FAILED, "%.200s: the program's own check failed (status %d)",
                   sl_program_name(session->program), status);
  if (!sl_output_flush(&session->console) &&
      code < SL_INTERRUPTED) /* the run ended for that reason, whatever the device reports */
    code = SL_OK;
  return sl_finish_output(&session->console, code, err);
}

void sl_session_close(struct sl_session *session)
{
  sl_gpu_close(session->gpu);
  sl_program_free(session->program);
  sl_config_close(&session->config);
  sl_interruption_end(&session->interruption);
}

enum sl_status sl_add_outcome(enum sl_status first, enum sl_status second, const struct sl_error *second_error,
                              struct sl_error *err)
{
  if (second == SL_OK)
    return first;
  if (first == SL_OK) {
    *err = *second_error;
    return second;
  }
  sl_print(stderr, "simtlab: %s\n", second_error->text);
  return first;
}

enum sl_status sl_finish_output(struct sl_output *output, enum sl_status code, struct sl_error *err)
{
  struct sl_error closing = {0};
  if (output->file == NULL)
    return code;
  if (code >= SL_INTERRUPTED && !output->standard) {
    sl_output_drop(output);
    return code;
  }
  return sl_add_outcome(code, sl_output_close(output, &closing), &closing, err);
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct sl_script_session *r = context;
  if (r->prints == NULL || r->prints(r->keeper))
    sl_output_print(&r->console, "sum %s %016" PRIx64 "\n", buffer, sum);
  if (r->sums != NULL && json_object_get(r->sums, buffer) == NULL)
    sl_json_put(&r->sums, buffer, json_array());
  json_t *sums = json_object_get(r->sums, buffer);
  if (sums != NULL)
    json_array_append_new(sums, json_sprintf("%016" PRIx64, sum));
}

static enum sl_status begun(void *context, struct sl_script_player *player, struct sl_error *err)
{
  struct sl_script_session *r = context;
  return r->begun != NULL ? r->begun(r->keeper, player, err) : SL_OK;
}

static bool progress(void *context, uint64_t cycles)
{
  struct sl_script_session *r = context;
  (void)cycles;
  return !sl_interrupted(&r->interruption);
}

/* Without timing the machine does not matter; the default is then sm7. */
static enum sl_status choose_machine(struct sl_script_session *r, const struct sl_machine_choice *asked, bool fast,
                                     struct sl_error *err)
{
  struct sl_machine_choice choice = *asked;
  const struct sl_machine_choice named = {.machine = choice.machine};
  if (fast) {
    const enum sl_status code = sl_open_machine(&named, &r->config, err);
    if (code != SL_OK)
      return code;
    if (r->config.machine->ptx == NULL)
      choice.machine = sl_sm7.name;
    sl_config_close(&r->config);
  }
  return sl_open_machine(&choice, &r->config, err);
}

enum sl_status sl_script_open(struct sl_script_session *session, const char *path,
                              const struct sl_machine_choice *choice, struct sl_gpu_options options, bool aside,
                              struct sl_error *err)
{
  *session = (struct sl_script_session){.path = path, .interruption.file = -1};
  options.progress = progress;
  options.context = options.bounds.context = session;
  session->options = options;
  enum sl_status code = choose_machine(session, choice, options.fast, err);
  if (code != SL_OK) {
    session->config = (struct sl_config){0};
    return code;
  }
  if (session->config.machine->ptx == NULL)
    code = sl_fail(err, SL_USAGE, "machine %s runs PTX without timing only: add --fast, or choose -m sm7",
                   session->config.name);
  if (code == SL_OK)
    code = sl_script_load(&session->script, path, err);
  if (code == SL_OK)
    sl_output_console(&session->console, aside);
  return code;
}

enum sl_status sl_script_play(struct sl_script_session *s, struct sl_error *err)
{
  const struct sl_script_observer observer = {.begun = begun, .summed = summed, .context = s};
  const double start = sl_seconds();
  s->sums = json_object();
  sl_interruption_begin(&s->interruption);
  enum sl_status code = sl_gpu_open(&s->gpu, &s->config, &s->options, &s->outcome);
  if (code == SL_OK)
    code = sl_script_perform(&s->script, s->gpu, NULL, &observer, &s->outcome);
  s->outcome.code = code;
  s->seconds = sl_seconds() - start;
  if (s->interruption.seen != 0)
    code = s->outcome.code = sl_interrupted_status(&s->interruption, &s->outcome,
                                                   "%s was interrupted; its figures cover the part that ran", s->path);
  *err = s->outcome;
  return sl_finish_output(&s->console, code, err);
}

struct sl_grid_report sl_script_report(const struct sl_script_session *session)
{
  return (struct sl_grid_report){.version = SL_VERSION,
                                 .gpu = session->gpu,
                                 .file = session->path,
                                 .module = session->script.module,
                                 .sums = session->sums,
                                 .error = &session->outcome,
                                 .seconds = session->seconds};
}

void sl_script_close(struct sl_script_session *session)
{
  json_decref(session->sums);
  sl_interruption_end(&session->interruption);
  sl_gpu_close(session->gpu);
  sl_script_free(&session->script);
  sl_config_close(&session->config);
}

bool sl_is_source(const char *file)
{
  const struct sl_input input = {.word = file};
  return sl_is_source_kind(sl_input_kind(&input)) && strcmp(file, "-") != 0;
}

static bool is_for(const struct sl_compare_made *made, const struct sl_compare_made *wanted)
{
  return wanted->target != NULL && strcmp(made->target, wanted->target) == 0 && made->fp == wanted->fp &&
         made->registers == wanted->registers;
}

enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err)
{
  const bool source = sl_is_source(program->file);
  struct sl_compare_made wanted = made_for(machine);
  for (size_t i = 0; i < program->count; i++)
    if (!source || is_for(&program->made[i], &wanted)) {
      *result = program->made[i].program;
      return SL_OK;
    }
  if (!SL_GROW(program->made, program->count))
    return sl_no_memory(err, (program->count + 1) * sizeof *program->made);
  const enum sl_status code = program_for(program->file, machine, &wanted.program, err);
  if (code != SL_OK)
    return code;
  program->made[program->count++] = wanted;
  *result = wanted.program;
  return SL_OK;
}

void sl_compare_program_free(struct sl_compare_program *program)
{
  for (size_t i = 0; i < program->count; i++)
    sl_program_free(program->made[i].program);
  free(program->made);
}

bool sl_is_ptx(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".ptx") == 0;
}

/* ---- checked runs ------------------------------------------------------------------------------------------------ */

static void say(void *context, const char *sentence)
{
  (void)context;
  sl_print(stderr, "simtlab: %s\n", sentence);
}

enum sl_status sl_check_run_ended(struct sl_check *check, const struct sl_gpu_fault *fault, enum sl_status code,
                                  const struct sl_error *err)
{
  if (code == SL_FAULT && fault->kind != SL_GPU_FAULT_NONE)
    sl_check_fault(check, fault);
  else if (code == SL_FAULT)
    sl_check_error(check, err);
  sl_check_end(check);
  sl_check_say(check, say, NULL);
  return code;
}

enum sl_status sl_check_device_ended(struct sl_check *check, const struct sl_device *device, enum sl_status code,
                                     const struct sl_error *err)
{
  struct sl_gpu_fault fault = {.kind = SL_GPU_FAULT_NONE};
  if (device != NULL && code == SL_FAULT) {
    fault = sl_gpu_riscv_fault(device);
    snprintf(fault.text, sizeof fault.text, "%.*s", (int)sizeof fault.text - 1, err->text);
  }
  return sl_check_run_ended(check, &fault, code, err);
}

enum sl_status sl_check_result(const struct sl_check *check, const char *program, bool quiet, enum sl_status code,
                               struct sl_error *err)
{
  const size_t count = sl_check_count(check);
  if (code != SL_OK && code != SL_FAULT)
    return code;
  if (count == 0 && !quiet)
    sl_print(stderr, "no findings\n");
  return count == 0 ? code : sl_fail(err, SL_CHECK_FAILED, "%s: %zu finding%s", program, count, count == 1 ? "" : "s");
}
