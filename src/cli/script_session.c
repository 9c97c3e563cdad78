#include "cli/script_session.h"

#include <inttypes.h>
#include <string.h>

#include "cli/session.h"
#include "machine/sm7/sm7.h"
#include "observe/json.h"
#include "observe/report.h"

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
