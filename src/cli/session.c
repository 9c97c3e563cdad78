#include "cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare/compare_programs.h"
#include "machine/sm7/sm7.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

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

enum sl_status sl_session_open(struct sl_session *session, const struct sl_machine_choice *choice, const char *program,
                               bool quiet, struct sl_error *err)
{
  *session = (struct sl_session){.started = sl_seconds(), .interruption.file = -1};
  sl_progress_init(&session->progress, stderr, quiet);
  enum sl_status code = sl_open_machine(choice, &session->config, err);
  return code == SL_OK ? sl_program_for(program, &session->config, &session->program, err) : code;
}

static enum sl_status create_device(struct sl_session *session, struct sl_device_options options, struct sl_error *err)
{
  options.console = (struct sl_console){session, get_byte, put_byte};
  options.progress = show_progress;
  options.progress_context = session;
  const enum sl_status code = sl_device_create(&session->config, &options, &session->device, err);
  sl_interruption_begin(&session->interruption);
  if (code == SL_OK)
    sl_output_console(&session->console, session->console_aside);
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
  if (session->device != NULL)
    sl_device_destroy(session->device);
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
    if (r->config.machine != &sl_sm7)
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
  if (session->config.machine != &sl_sm7)
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
