#include "cli/run/checkpoints.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT_MOST = 1000, PREFIX_MOST = 3000, NAME_MOST = PREFIX_MOST + 64 };

struct saving {
  const struct sl_checkpoint_options *options;
  struct sl_device *device;
  char prefix[PREFIX_MOST + 1];
  uint64_t at; /* the cycle of --save-at, UINT64_MAX: saved, or not asked for */
  uint64_t keep;
  uint64_t kept[KEPT_MOST]; /* cycles of those of --save-every, as a ring */
  uint64_t saved;           /* of them */
};

bool sl_wants_checkpoints(const struct sl_checkpoint_options *options)
{
  return options->restore != NULL || options->save_at.first != NULL || options->every > 0 || options->keep > 0 ||
         options->prefix != NULL;
}

static bool read_cycle(const char *text, uint64_t *cycle)
{
  char *end;
  errno = 0;
  *cycle = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *cycle < UINT64_MAX;
}

enum sl_status sl_checkpoints_check(const struct sl_checkpoint_options *options, struct sl_error *err)
{
  uint64_t cycle;
  if (options->every == 0 && (options->keep > 0 || options->prefix != NULL))
    return sl_fail(err, SL_USAGE, "--keep and --save-to are about the checkpoints of --save-every: give that too");
  if (options->keep > KEPT_MOST)
    return sl_fail(err, SL_USAGE, "--keep takes 1 to %d", KEPT_MOST);
  if (options->prefix != NULL && strlen(options->prefix) > PREFIX_MOST)
    return sl_fail(err, SL_USAGE, "--save-to %.80s...: longer than %d letters", options->prefix, PREFIX_MOST);
  if (options->save_at.first != NULL && !read_cycle(options->save_at.first, &cycle))
    return sl_fail(err, SL_USAGE, "--save-at takes a cycle and a file, and '%.80s' is no cycle",
                   options->save_at.first);
  return SL_OK;
}

static void prepare(struct saving *s, const char *program)
{
  const struct sl_checkpoint_options *o = s->options;
  const char *slash = strrchr(program, '/'), *name = slash != NULL ? slash + 1 : program, *dot = strrchr(name, '.');
  const int length = dot != NULL && dot != name ? (int)(dot - name) : PREFIX_MOST;
  snprintf(s->prefix, sizeof s->prefix, "%.*s", o->prefix != NULL ? PREFIX_MOST : length,
           o->prefix != NULL ? o->prefix : name);
  s->keep = o->keep > 0 ? o->keep : 2;
  s->at = UINT64_MAX;
  if (o->save_at.first != NULL)
    read_cycle(o->save_at.first, &s->at);
}

static void name_one(const struct saving *s, uint64_t cycle, char name[NAME_MOST])
{
  snprintf(name, NAME_MOST, "%s-%" PRIu64 ".checkpoint", s->prefix, cycle);
}

/* The one that is no longer among the last goes when the new one is there. */
static enum sl_status save_periodic(struct saving *s, uint64_t cycle, struct sl_error *err)
{
  char name[NAME_MOST];
  name_one(s, cycle, name);
  const enum sl_status code = sl_device_save(s->device, name, err);
  if (code != SL_OK)
    return code;
  uint64_t *place = &s->kept[s->saved % s->keep];
  if (s->saved++ >= s->keep) {
    name_one(s, *place, name);
    unlink(name);
  }
  *place = cycle;
  return SL_OK;
}

static uint64_t next_stop(const struct saving *s, uint64_t now)
{
  const uint64_t every = s->options->every, next = every > 0 ? now - now % every + every : UINT64_MAX;
  return s->at < next ? s->at : next;
}

static enum sl_status save_due(struct saving *s, struct sl_error *err)
{
  const uint64_t now = sl_device_elapsed(s->device), every = s->options->every;
  enum sl_status code = SL_OK;
  if (now >= s->at) {
    s->at = UINT64_MAX;
    code = sl_device_save(s->device, s->options->save_at.second, err);
  }
  if (code == SL_OK && every > 0 && now > 0 && now % every == 0)
    code = save_periodic(s, now, err);
  return code;
}

static enum sl_status run(struct saving *s, struct sl_error *err)
{
  enum sl_status code = SL_PAUSED;
  if (s->at < sl_device_elapsed(s->device))
    return sl_fail(err, SL_USAGE,
                   "--save-at %s: the checkpoint that the run goes on from is of cycle %" PRIu64 " already",
                   s->options->save_at.first, sl_device_elapsed(s->device));
  while (code == SL_PAUSED) {
    const uint64_t now = sl_device_elapsed(s->device), stop = next_stop(s, now);
    if (stop == UINT64_MAX)
      return sl_device_run(s->device, err);
    code = stop > now ? sl_device_run_for(s->device, stop - now, err) : SL_PAUSED;
    if (code == SL_PAUSED && save_due(s, err) != SL_OK)
      return err->code;
  }
  if (code == SL_OK && s->at != UINT64_MAX)
    return sl_fail(err, SL_USAGE, "--save-at %s: the run ended at cycle %" PRIu64 ", so no checkpoint was saved",
                   s->options->save_at.first, sl_device_elapsed(s->device));
  return code;
}

enum sl_status sl_run_with_checkpoints(const struct sl_checkpoint_options *options, struct sl_device *device,
                                       const char *program, struct sl_error *err)
{
  struct saving *s = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->options = options;
  s->device = device;
  prepare(s, program);
  const enum sl_status code = run(s, err);
  free(s);
  return code;
}
