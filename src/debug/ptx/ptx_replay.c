#include "debug/ptx/ptx_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "device/gpu_kind.h"

/* ---- checkpoints of a launch of a host program ------------------------------------------------------------------- */

static void walk(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch, struct sl_archive *t)
{
  const struct sl_ptx_memory *m = sl_gpu_ptx_memory(r->gpu);
  sl_ptx_region_archive(t, &m->heap);
  sl_ptx_region_archive(t, &m->statics);
  r->beside(r->context, t);
  if (launch != NULL)
    launch->archive(launch->launch, t);
}

/* The bytes of a checkpoint. `launch` NULL: the launch has not begun. */
static size_t rewind_size(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch)
{
  struct sl_archive t = {.to = NULL};
  walk(r, launch, &t);
  return t.at;
}

/* Saves; the caller frees *bytes. */
static enum sl_status rewind_save(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch, void **bytes,
                                  size_t *size, struct sl_error *err)
{
  *size = rewind_size(r, launch);
  *bytes = malloc(*size + 1);
  if (*bytes == NULL)
    return sl_no_memory(err, *size);
  walk(r, launch, &(struct sl_archive){.to = *bytes});
  return SL_OK;
}

/* Takes the GPU back. The launch then begins again; the bytes must live until it has begun. */
static enum sl_status rewind_restore(struct sl_ptx_rewind *r, const void *bytes, size_t size, struct sl_error *err)
{
  r->archive = (struct sl_archive){.from = bytes, .size = size, .trusted = true};
  sl_gpu_ptx_rewind(r->gpu, r->cycles);
  walk(r, NULL, &r->archive);
  if (r->archive.no_memory)
    return sl_no_memory(err, size);
  if (r->archive.bad)
    return sl_fail(err, SL_INTERNAL, "a checkpoint in memory is damaged");
  sl_gpu_ptx_resume_from(r->gpu, r->archive.at < size ? &r->archive : NULL);
  return SL_OK;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

enum {
  FIRST_SPACING = 1 << 16, /* places */
  LEAST_GAP = 1 << 10,
  POLL = 1 << 10,       /* cycles between questions for a checkpoint */
  POLL_NEAR = 1 << 7,   /* the same, near the target */
  CHEAP_BYTES = 1 << 24 /* a checkpoint of this size suits the first spacing */
};

static const size_t MOST_BYTES = (size_t)1 << 30; /* of all checkpoints */

static void drop(struct sl_ptx_point *p)
{
  free(p->bytes);
  *p = (struct sl_ptx_point){.bytes = NULL};
}

/* Drops the checkpoints from a place on. */
static void drop_from(struct sl_ptx_replay *r, uint64_t place)
{
  while (r->points > 1 && r->point[r->points - 1].place >= place)
    drop(&r->point[--r->points]);
  unsigned kept = 0;
  for (unsigned i = 0; i < r->nears; i++)
    if (r->near[i].place < place)
      r->near[kept++] = r->near[i];
    else
      drop(&r->near[i]);
  r->nears = kept;
  r->next_near = kept % SL_PTX_NEAR_POINTS;
}

void sl_ptx_replay_open(struct sl_ptx_replay *r)
{
  *r = (struct sl_ptx_replay){.spacing = FIRST_SPACING, .points = 1, .ask = 1};
  r->moment.text = r->no_text;
}

void sl_ptx_replay_close(struct sl_ptx_replay *r)
{
  drop_from(r, 0);
  drop(&r->point[0]);
}

void sl_ptx_replay_restart(struct sl_ptx_replay *r)
{
  drop_from(r, 0);
  r->furthest = r->place = 0;
  r->printed = 0;
  r->ask = 1;
}

/* Before the place. */
static const struct sl_ptx_point *point_before(const struct sl_ptx_replay *r, uint64_t place)
{
  const struct sl_ptx_point *best = &r->point[0];
  for (unsigned i = 1; i < r->points; i++)
    best = r->point[i].place < place ? &r->point[i] : best;
  for (unsigned i = 0; i < r->nears; i++)
    best = r->near[i].place < place && r->near[i].place > best->place ? &r->near[i] : best;
  return best;
}

enum sl_status sl_ptx_replay_begin(struct sl_ptx_replay *r, struct sl_gpu *gpu, struct sl_script_player *player,
                                   struct sl_error *err)
{
  const struct sl_ptx_point *p = point_before(r, r->ask);
  r->moment.gpu = gpu;
  r->moment.player = player;
  r->place = r->from = p->place;
  r->sums = p->sums;
  if (r->rewind.gpu != NULL)
    return rewind_restore(&r->rewind, p->bytes, p->size, err);
  if (p->bytes == NULL)
    return SL_OK;
  const enum sl_status code = sl_script_restore_bytes(&r->restored, &r->moment, p->bytes, p->size, err);
  if (r->moment.text != r->no_text)
    free(r->moment.text); /* the archive has an empty one */
  r->moment.text = r->no_text;
  return code;
}

/* Makes room: drops every second checkpoint. */
static void thin(struct sl_ptx_replay *r)
{
  unsigned kept = 1;
  for (unsigned i = 1; i < r->points; i++)
    if (i % 2 == 0)
      r->point[kept++] = r->point[i];
    else
      drop(&r->point[i]);
  r->points = kept;
  r->spacing *= 2;
}

static size_t all_bytes(const struct sl_ptx_replay *r)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < r->points; i++)
    bytes += r->point[i].size;
  for (unsigned i = 0; i < r->nears; i++)
    bytes += r->near[i].size;
  return bytes;
}

/* Keeps a checkpoint among those of the run, in order, or near the target. */
static void keep(struct sl_ptx_replay *r, struct sl_ptx_point p, bool near)
{
  if (near) {
    struct sl_ptx_point *to = &r->near[r->next_near];
    if (r->next_near < r->nears)
      drop(to);
    else
      r->nears++;
    *to = p;
    r->next_near = (r->next_near + 1) % SL_PTX_NEAR_POINTS;
    return;
  }
  while (r->points == SL_PTX_POINTS || (r->points > 1 && all_bytes(r) + p.size > MOST_BYTES))
    thin(r);
  unsigned at = r->points++;
  for (; r->point[at - 1].place > p.place; at--)
    r->point[at] = r->point[at - 1];
  r->point[at] = p;
}

/* The state before the first event. With timing it has the GPU's caches, too, so the launch must be under way. */
static void save_beginning(struct sl_ptx_replay *r, const struct sl_ptx_under_way *launch)
{
  struct sl_error ignored;
  struct sl_ptx_point p = {.place = 0};
  if (!r->rewind.kept || rewind_size(&r->rewind, launch) > MOST_BYTES ||
      rewind_save(&r->rewind, launch, &p.bytes, &p.size, &ignored) != SL_OK)
    return;
  drop(&r->point[0]);
  r->point[0] = p;
}

void sl_ptx_replay_launch(struct sl_ptx_replay *r)
{
  sl_ptx_replay_restart(r);
  drop(&r->point[0]);
  r->from = 0;
  r->target = SL_PTX_NEVER;
  r->spacing = FIRST_SPACING;
  r->moment.gpu = r->rewind.gpu;
  r->rewind.cycles = *sl_gpu_ptx_cycles(r->rewind.gpu);
  if (sl_gpu_fast(r->rewind.gpu))
    save_beginning(r, NULL);
}

bool sl_ptx_replay_goes_back(const struct sl_ptx_replay *r)
{
  return r->rewind.gpu == NULL || r->point[0].bytes != NULL;
}

static void save(struct sl_ptx_replay *r, const struct sl_ptx_under_way *launch, bool near)
{
  struct sl_error ignored;
  struct sl_ptx_point p = {.place = r->place, .sums = r->sums};
  const enum sl_status code = r->rewind.gpu != NULL
                                  ? rewind_save(&r->rewind, launch, &p.bytes, &p.size, &ignored)
                                  : sl_script_save_bytes(&r->moment, launch, &p.bytes, &p.size, &ignored);
  if (code != SL_OK)
    return;
  while (r->spacing < (uint64_t)FIRST_SPACING * (p.size / CHEAP_BYTES))
    r->spacing *= 2;
  if (p.size > MOST_BYTES)
    free(p.bytes);
  else
    keep(r, p, near && p.size < CHEAP_BYTES);
}

void sl_ptx_replay_reached(struct sl_ptx_replay *r, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  const uint64_t before = point_before(r, r->place + 1)->place, ahead = r->target - r->place;
  const bool near = r->target > r->place && ahead < r->spacing;
  uint64_t own = 0;
  for (unsigned i = 0; i < r->points; i++)
    own = r->point[i].place <= r->place ? r->point[i].place : own;
  *next = now + (near && ahead < 64 * LEAST_GAP ? POLL_NEAR : POLL);
  if (!sl_ptx_replay_goes_back(r) && r->place == 0)
    save_beginning(r, launch);
  if (!sl_ptx_replay_goes_back(r))
    return;
  if (r->place >= own + r->spacing)
    save(r, launch, false);
  else if (near && r->place > before + LEAST_GAP && r->place - before > ahead / 4)
    save(r, launch, true);
}

bool sl_ptx_replay_prints(struct sl_ptx_replay *r)
{
  if (++r->sums <= r->printed)
    return false;
  r->printed = r->sums;
  return true;
}

void sl_ptx_replay_written(struct sl_ptx_replay *r)
{
  drop_from(r, r->place);
  r->furthest = r->place;
  r->printed = r->sums;
}

/* ---- what the user has changed ----------------------------------------------------------------------------------- */

static void drop_after(struct sl_ptx_changes *c, uint64_t place)
{
  while (c->count > 0 && c->change[c->count - 1].spot.place > place)
    free(c->change[--c->count].bytes);
}

bool sl_ptx_changes_add(struct sl_ptx_changes *c, const struct sl_ptx_spot *spot, bool is_register, uint64_t at,
                        const void *bytes, size_t size)
{
  drop_after(c, spot->place);
  uint8_t *copy = malloc(size + 1);
  if (copy == NULL || !SL_GROW(c->change, c->count)) {
    free(copy);
    return false;
  }
  memcpy(copy, bytes, size);
  c->change[c->count++] =
      (struct sl_ptx_change){.spot = *spot, .is_register = is_register, .at = at, .size = size, .bytes = copy};
  return true;
}

void sl_ptx_change_repeat(const struct sl_ptx_change *c, const struct sl_ptx_view *view)
{
  const unsigned thread = sl_ptx_view_thread(view, &view->block->warps[c->spot.warp], c->spot.lane);
  uint64_t value = 0;
  if (c->is_register) {
    memcpy(&value, c->bytes, c->size);
    sl_ptx_view_set_register(view, thread, c->at, value);
    return;
  }
  uint8_t *to = sl_ptx_view_memory(view, thread, c->at, c->size, true);
  if (to != NULL)
    memcpy(to, c->bytes, c->size);
}

void sl_ptx_changes_clear(struct sl_ptx_changes *c)
{
  while (c->count > 0)
    free(c->change[--c->count].bytes);
  free(c->change);
  *c = (struct sl_ptx_changes){.change = NULL};
}
