#include "debug/ptx/ptx_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "debug/ptx/ptx_debug.h"
#include "device/gpu_kind.h"
#include "isa/lanes.h"
#include "ptx/run/ptx_access.h"

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

/* Forgets all; the run begins again. */
static void sl_ptx_replay_restart(struct sl_ptx_replay *r)
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

/* The way back: the script is played again up to an earlier place. */

/* No place is before the first block. */
static void go_to_beginning(struct sl_ptx_stub *s)
{
  const struct sl_ptx_spot first = {.place = 1, .any = true};
  struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  snprintf(stop.reason, sizeof stop.reason, "replaylog:begin;");
  s->moved = SL_PTX_STOP_PLAIN;
  sl_ptx_go(s, &first, &stop);
}

/* ---- the last instruction of a thread ---------------------------------------------------------------------------- */

static bool is_step_of(const struct sl_ptx_step *step, const struct sl_ptx_spot *thread)
{
  return step->launch == thread->launch && step->block == thread->block && step->warp == thread->warp &&
         (step->lanes >> thread->lane & 1) != 0;
}

/* Goes to before an instruction of the thread. */
static void go_before(struct sl_ptx_stub *s, uint64_t place)
{
  const struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  struct sl_ptx_spot spot = s->spot;
  spot.place = place - 1;
  sl_ptx_go(s, &spot, &stop);
}

/* Looks at the latest places up to `place`, as far as they are known. Returns the latest unknown one; 0: the run
 * leaves.
 */
static uint64_t look_back(struct sl_ptx_stub *s, uint64_t place)
{
  for (; place > 0; place--) {
    const struct sl_ptx_step *step = &s->step[place % SL_PTX_STEPS];
    if (step->place != place)
      return place;
    if (is_step_of(step, &s->spot)) {
      go_before(s, place);
      return 0;
    }
  }
  go_to_beginning(s);
  return 0;
}

void sl_ptx_reverse_step(struct sl_ptx_stub *s, unsigned thread)
{
  s->spot = sl_ptx_spot_of(s, thread);
  s->found = false;
  s->moved = SL_PTX_STOP_PLAIN;
  const uint64_t unknown = look_back(s, s->replay.place);
  s->before = unknown + 1;
  if (unknown > 0)
    sl_ptx_leave(s, SL_PTX_LAST_STEP, unknown);
}

/* ---- the last stop ----------------------------------------------------------------------------------------------- */

void sl_ptx_reverse_continue(struct sl_ptx_stub *s)
{
  s->found = false;
  s->moved = SL_PTX_STOP_PLAIN;
  s->before = s->replay.place;
  sl_ptx_watch_go_on(&s->watches);
  if ((s->breakpoints == 0 && !s->watches.any) || s->before <= 1)
    go_to_beginning(s);
  else
    sl_ptx_leave(s, SL_PTX_LAST_STOP, s->before);
}

static void note_hit(struct sl_ptx_stub *s, const struct sl_ptx_warp *w, unsigned lane, uint64_t place,
                     const struct sl_ptx_stop *stop)
{
  s->hit = sl_ptx_spot_of(s, sl_ptx_view_thread(&s->view, w, lane));
  s->hit.place = place;
  s->hit_stop = *stop;
  s->found = true;
}

/* The lane to tell: the wanted one, or else the lowest. */
static unsigned told_lane(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w, uint32_t lanes)
{
  const struct sl_ptx_spot *of = &s->wanted;
  const bool own = of->launch == s->launch && of->warp == w->index && of->block == sl_ptx_view_number(w->block);
  return own && (lanes >> of->lane & 1) != 0 ? of->lane : sl_lowest(lanes);
}

/* A watchpoint's stop is before its instruction, and so before a breakpoint after it. */
static void look_for_stop(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const uint64_t place = s->replay.place;
  const struct sl_ptx_stop at_breakpoint = {.signal = SL_PTX_TRAP, .reason = "hwbreak:;"};
  const struct sl_ptx_block *b = s->view.block;
  unsigned lane = 0;
  const struct sl_ptx_watchpoint *w = NULL;
  if (s->watches.any && p->ptx_warp != NULL)
    w = sl_ptx_watch_check(&s->watches, &s->view, p, &lane);
  else if (s->watches.any)
    sl_ptx_watch_look(&s->watches, &s->view);
  if (w != NULL) {
    const struct sl_ptx_stop stop = sl_ptx_watch_stop(w);
    note_hit(s, p->ptx_warp, lane, place - 1, &stop);
  }
  if (place == s->before || s->breakpoints == 0)
    return;
  for (unsigned i = 0; i < b->warp_count; i++) {
    const struct sl_ptx_warp *warp = &b->warps[i];
    const uint32_t lanes = p->ptx_warp == NULL || p->ptx_warp == warp ? sl_ptx_broken(s, warp) : 0;
    if (lanes != 0)
      note_hit(s, warp, told_lane(s, warp, lanes), place, &at_breakpoint);
  }
}

/* The run has come to the place before which it has looked: the outcome, or the search goes on before this run. That
 * part ends with the place of the checkpoint, which this run has not seen. */
static void decide(struct sl_ptx_stub *s)
{
  const bool stops = s->goal == SL_PTX_LAST_STOP;
  if (s->found && stops) {
    s->moved = s->hit_stop.reason[0] == 'h' ? SL_PTX_STOP_PLAIN : SL_PTX_STOP_BACK;
    sl_ptx_go(s, &s->hit, &s->hit_stop);
  } else if (s->found) {
    go_before(s, s->hit.place);
  } else if (s->replay.from == 0) {
    go_to_beginning(s);
  } else {
    s->before = s->replay.from + 1;
    sl_ptx_leave(s, s->goal, s->replay.from);
  }
}

void sl_ptx_search(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const uint64_t place = s->replay.place;
  if (s->goal == SL_PTX_LAST_STOP)
    look_for_stop(s, p);
  else if (p->ptx_warp != NULL && is_step_of(&s->step[place % SL_PTX_STEPS], &s->spot)) {
    s->hit.place = place;
    s->found = true;
  }
  if (place + (s->goal == SL_PTX_LAST_STEP) >= s->before)
    decide(s);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

void sl_ptx_restart(struct sl_ptx_stub *s)
{
  sl_ptx_changes_clear(&s->changes);
  sl_ptx_replay_restart(&s->replay);
  for (size_t i = 0; i < SL_PTX_STEPS; i++)
    s->step[i].place = 0;
  s->steps = false;
  s->offer = s->missed_count = 0;
  s->moved = SL_PTX_STOP_PLAIN;
  s->launched = true;
  s->goal = SL_PTX_FORWARD;
  s->replay.target = SL_PTX_NEVER;
  s->leaving = true;
}
