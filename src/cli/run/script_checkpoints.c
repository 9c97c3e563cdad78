#include "cli/run/script_checkpoints.h"

#include <stdlib.h>

static enum sl_status save(void *context, const char *path, struct sl_error *err)
{
  struct sl_script_checkpoints *c = context;
  struct sl_script_moment moment = c->moment;
  moment.text = json_dumps(c->session->sums, JSON_COMPACT);
  if (moment.text == NULL)
    return sl_no_memory(err, sizeof moment);
  const enum sl_status code = sl_script_save(&moment, c->launch, path, err);
  free(moment.text);
  return code;
}

/* The checksums so far are part of the statistics. */
static enum sl_status go_on(struct sl_script_checkpoints *c, struct sl_error *err)
{
  const enum sl_status code = sl_script_restore(&c->restored, &c->moment, c->options->restore, err);
  if (code != SL_OK)
    return code;
  json_t *sums = json_loads(c->moment.text, 0, NULL);
  if (!json_is_object(sums)) {
    json_decref(sums);
    return sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: it is damaged", c->options->restore);
  }
  json_decref(c->session->sums);
  c->session->sums = sums;
  return SL_OK;
}

static enum sl_status begun(void *context, struct sl_script_player *player, struct sl_error *err)
{
  struct sl_script_checkpoints *c = context;
  c->moment.player = player;
  c->moment.gpu = c->session->gpu;
  return c->options->restore != NULL ? go_on(c, err) : SL_OK;
}

static bool reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  struct sl_script_checkpoints *c = ((struct sl_script_session *)context)->keeper;
  const struct sl_saver saver = {.save = save, .context = c};
  enum sl_status code = SL_OK;
  c->launch = launch;
  if (c->savings == NULL)
    code = sl_savings_open(&c->savings, c->options, c->session->path, &saver, now, &c->failure);
  if (code == SL_OK)
    code = sl_savings_due(c->savings, now, &c->failure);
  *next = code == SL_OK ? sl_savings_next(c->savings) : UINT64_MAX;
  return code == SL_OK;
}

enum sl_status sl_script_checkpoints_open(struct sl_script_checkpoints *c, struct sl_script_session *session,
                                          const struct sl_checkpoint_options *options, struct sl_error *err)
{
  *c = (struct sl_script_checkpoints){.options = options, .session = session};
  if (!sl_wants_checkpoints(options))
    return SL_OK;
  session->keeper = c;
  session->begun = begun;
  session->options.bounds.reached = reached;
  return sl_script_hash(&session->script, session->options.registers, &c->moment.program, err);
}

enum sl_status sl_script_checkpoints_outcome(const struct sl_script_checkpoints *c, enum sl_status code,
                                             struct sl_error *err)
{
  if (c->failure.code != SL_OK)
    *err = c->failure;
  else if (code == SL_OK && c->savings != NULL)
    return sl_savings_ended(c->savings, sl_gpu_elapsed(c->session->gpu), err);
  else
    return code;
  return err->code;
}

void sl_script_checkpoints_close(struct sl_script_checkpoints *c)
{
  sl_script_restored_free(&c->restored);
  sl_savings_close(c->savings);
  free(c->moment.text);
}
