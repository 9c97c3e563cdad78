#include "cli/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

enum { KEPT_MOST = 1000, PREFIX_MOST = 3000, NAME_MOST = PREFIX_MOST + 64 };

struct sl_savings {
  const struct sl_checkpoint_options *options;
  struct sl_saver saver;
  char prefix[PREFIX_MOST + 1];
  uint64_t at;   /* the cycle of --save-at; UINT64_MAX: saved, or not requested */
  uint64_t next; /* likewise for --save-every */
  uint64_t keep;
  uint64_t kept[KEPT_MOST]; /* ring buffer of the cycles of --save-every's checkpoints */
  uint64_t saved;           /* number of them */
  bool to_place;            /* --save-at names a place that the run has not reached */
};

bool sl_wants_checkpoints(const struct sl_checkpoint_options *options)
{
  return options->restore != NULL || options->save_at.first != NULL || options->every > 0 || options->keep > 0 ||
         options->prefix != NULL;
}

static bool read_cycle(const char *text, uint64_t *cycle)
{
  return sl_read_number(text, cycle) && *cycle < UINT64_MAX;
}

static bool names_place(const struct sl_checkpoint_options *options)
{
  struct sl_place place;
  return options->save_at.first != NULL && sl_choose_place(&place, options->save_at.first);
}

enum sl_status sl_checkpoints_of_launches(const struct sl_checkpoint_options *options, struct sl_error *err)
{
  if (!names_place(options))
    return SL_OK;
  return sl_fail(err, SL_USAGE, "--save-at %.80s: launch scripts are saved at cycles only", options->save_at.first);
}

enum sl_status sl_checkpoints_check(const struct sl_checkpoint_options *options, struct sl_error *err)
{
  uint64_t cycle;
  if (options->every == 0 && (options->keep > 0 || options->prefix != NULL))
    return sl_fail(err, SL_USAGE, "--keep and --save-to apply to the checkpoints of --save-every: give that too");
  if (options->keep > KEPT_MOST)
    return sl_fail(err, SL_USAGE, "--keep takes 1 to %d", KEPT_MOST);
  if (options->prefix != NULL && strlen(options->prefix) > PREFIX_MOST)
    return sl_fail(err, SL_USAGE, "--save-to %.80s...: longer than %d characters", options->prefix, PREFIX_MOST);
  if (options->save_at.first != NULL && !names_place(options) && !read_cycle(options->save_at.first, &cycle))
    return sl_fail(err, SL_USAGE,
                   "--save-at takes a cycle, kernel=NAME, launch=NUMBER or instructions=NUMBER and a file, and "
                   "'%.80s' is no cycle",
                   options->save_at.first);
  return SL_OK;
}

static void prepare(struct sl_savings *s, const char *program)
{
  const struct sl_checkpoint_options *o = s->options;
  const char *slash = strrchr(program, '/'), *name = slash != NULL ? slash + 1 : program, *dot = strrchr(name, '.');
  const int length = dot != NULL && dot != name ? (int)(dot - name) : PREFIX_MOST;
  snprintf(s->prefix, sizeof s->prefix, "%.*s", o->prefix != NULL ? PREFIX_MOST : length,
           o->prefix != NULL ? o->prefix : name);
  s->keep = o->keep > 0 ? o->keep : 2;
  s->at = UINT64_MAX;
  s->to_place = names_place(o);
  if (o->save_at.first != NULL && !s->to_place)
    read_cycle(o->save_at.first, &s->at);
}

static void name_one(const struct sl_savings *s, uint64_t cycle, char name[NAME_MOST])
{
  snprintf(name, NAME_MOST, "%s-%" PRIu64 ".checkpoint", s->prefix, cycle);
}

/* Deletes the oldest checkpoint after the new one is written. */
static enum sl_status save_periodic(struct sl_savings *s, uint64_t cycle, struct sl_error *err)
{
  char name[NAME_MOST];
  name_one(s, cycle, name);
  const enum sl_status code = s->saver.save(s->saver.context, name, err);
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

static uint64_t next_multiple(const struct sl_savings *s, uint64_t now)
{
  const uint64_t every = s->options->every;
  return every > 0 ? now - now % every + every : UINT64_MAX;
}

enum sl_status sl_savings_open(struct sl_savings **savings, const struct sl_checkpoint_options *options,
                               const char *program, const struct sl_saver *saver, uint64_t now, struct sl_error *err)
{
  struct sl_savings *s = *savings = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->options = options;
  s->saver = *saver;
  prepare(s, program);
  s->next = next_multiple(s, now);
  if (s->at < now)
    return sl_fail(err, SL_USAGE, "--save-at %s: the run resumes at cycle %" PRIu64 " already", options->save_at.first,
                   now);
  return SL_OK;
}

void sl_savings_close(struct sl_savings *savings)
{
  free(savings);
}

uint64_t sl_savings_next(const struct sl_savings *s)
{
  return s->at < s->next ? s->at : s->next;
}

enum sl_status sl_savings_due(struct sl_savings *s, uint64_t now, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  if (now >= s->at) {
    s->at = UINT64_MAX;
    code = s->saver.save(s->saver.context, s->options->save_at.second, err);
  }
  if (code == SL_OK && now >= s->next) {
    s->next = next_multiple(s, now);
    code = save_periodic(s, now, err);
  }
  return code;
}

enum sl_status sl_savings_ended(const struct sl_savings *s, uint64_t now, struct sl_error *err)
{
  if (s->to_place)
    return sl_fail(err, SL_USAGE,
                   "--save-at %s: the run ended at cycle %" PRIu64 " without reaching it, so no checkpoint was saved",
                   s->options->save_at.first, now);
  if (s->at == UINT64_MAX)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "--save-at %s: the run ended at cycle %" PRIu64 ", so no checkpoint was saved",
                 s->options->save_at.first, now);
}

/* The run pauses here to save due checkpoints. */
static enum sl_status save_due(struct sl_savings *s, const struct sl_device *device, struct sl_error *err)
{
  if (s->to_place && sl_device_at_place(device)) {
    s->to_place = false;
    if (s->saver.save(s->saver.context, s->options->save_at.second, err) != SL_OK)
      return err->code;
  }
  return sl_savings_due(s, sl_device_elapsed(device), err);
}

static enum sl_status run(struct sl_savings *s, struct sl_device *device, struct sl_error *err)
{
  struct sl_place place;
  if (s->to_place &&
      (!sl_choose_place(&place, s->options->save_at.first) || sl_device_pause_at(device, &place, err) != SL_OK))
    return err->code;
  enum sl_status code = SL_PAUSED;
  while (code == SL_PAUSED) {
    const uint64_t now = sl_device_elapsed(device), stop = sl_savings_next(s);
    code = stop > now ? sl_device_run_for(device, stop < UINT64_MAX ? stop - now : UINT64_MAX, err) : SL_PAUSED;
    if (code == SL_PAUSED && save_due(s, device, err) != SL_OK)
      return err->code;
  }
  return code == SL_OK ? sl_savings_ended(s, sl_device_elapsed(device), err) : code;
}

static enum sl_status save_device(void *context, const char *path, struct sl_error *err)
{
  return sl_device_save(context, path, err);
}

enum sl_status sl_run_with_checkpoints(const struct sl_checkpoint_options *options, struct sl_device *device,
                                       const char *program, struct sl_error *err)
{
  const struct sl_saver saver = {.save = save_device, .context = device};
  struct sl_savings *s;
  enum sl_status code = sl_savings_open(&s, options, program, &saver, sl_device_elapsed(device), err);
  if (code == SL_OK)
    code = run(s, device, err);
  sl_savings_close(s);
  return code;
}

bool sl_choose_place(struct sl_place *place, const char *text)
{
  static const struct {
    const char *text;
    enum sl_place_by by;
  } ways[] = {{"launch=", SL_PLACE_LAUNCH}, {"instructions=", SL_PLACE_INSTRUCTIONS}, {"kernel=", SL_PLACE_KERNEL}};
  const char *value = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    if (strncmp(text, ways[i].text, strlen(ways[i].text)) == 0) {
      value = text + strlen(ways[i].text);
      place->by = ways[i].by;
    }
  if (value == NULL || *value == '\0')
    return false;
  place->kernel = value;
  return place->by == SL_PLACE_KERNEL || sl_read_number(value, &place->number);
}
