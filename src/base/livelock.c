#include "base/livelock.h"

#include <stdlib.h>
#include <string.h>

static void add(struct sl_trial *trial, void *at, size_t bytes, bool decides)
{
  if (bytes > 0)
    trial->area[trial->areas++] = (struct sl_trial_area){at, bytes, decides};
}

void sl_trial_add(struct sl_trial *trial, void *at, size_t bytes)
{
  add(trial, at, bytes, true);
}

void sl_trial_keep(struct sl_trial *trial, void *at, size_t bytes)
{
  add(trial, at, bytes, false);
}

static size_t size_of(const struct sl_trial *trial)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < trial->areas; i++)
    bytes += trial->area[i].bytes;
  return bytes;
}

static void save(const struct sl_trial *trial, uint8_t *to)
{
  for (unsigned i = 0; i < trial->areas; to += trial->area[i++].bytes)
    memcpy(to, trial->area[i].at, trial->area[i].bytes);
}

static void restore(const struct sl_trial *trial, const uint8_t *from)
{
  for (unsigned i = 0; i < trial->areas; from += trial->area[i++].bytes)
    memcpy(trial->area[i].at, from, trial->area[i].bytes);
}

static bool same(const struct sl_trial *trial, const uint8_t *as)
{
  bool same = true;
  for (unsigned i = 0; i < trial->areas && same; as += trial->area[i++].bytes)
    same = !trial->area[i].decides || memcmp(as, trial->area[i].at, trial->area[i].bytes) == 0;
  return same;
}

static void note(struct sl_spin *spin, const struct sl_trial_step *step)
{
  if (step->back || spin->lanes == 0)
    spin->pc = step->pc;
  spin->jumps |= step->back;
  spin->lanes |= step->lanes;
  if (step->held != 0)
    spin->held_pc = step->pc;
  spin->held |= step->held;
}

/* Executes until the state is that of `seen`, which moves on at growing distances. */
static bool repeats(const struct sl_trial *trial, uint8_t *seen, struct sl_spin *spin)
{
  unsigned since = 0, limit = 1;
  save(trial, seen);
  *spin = (struct sl_spin){0};
  for (unsigned n = 0; n < SL_LIVELOCK_INSTRUCTIONS; n++) {
    struct sl_trial_step step = {0};
    if (!trial->step(trial->context, &step))
      return false;
    note(spin, &step);
    if (same(trial, seen))
      return true;
    if (++since == limit) {
      save(trial, seen);
      *spin = (struct sl_spin){0};
      since = 0;
      limit *= 2;
    }
  }
  return false;
}

bool sl_trial_spins(const struct sl_trial *trial, struct sl_spin *spin)
{
  const size_t bytes = size_of(trial);
  uint8_t *copies = malloc(2 * bytes);
  if (copies == NULL) /* no verdict */
    return false;
  save(trial, copies);
  const bool spins = repeats(trial, copies + bytes, spin);
  restore(trial, copies);
  free(copies);
  return spins;
}

bool sl_trial_unchanged(const struct sl_trial_writes *w)
{
  bool same = true;
  for (unsigned i = 0; i < w->count; i++)
    same &= memcmp(w->write[i].at, w->write[i].before, w->write[i].bytes) == 0;
  for (unsigned i = 0; i < w->count; i++)
    memcpy(w->write[i].at, w->write[i].before, w->write[i].bytes);
  return same;
}
