/* Barriers of a block and instructions for the lanes of a mask: who comes to them, and who does not.
 *
 * From sm_70 on a barrier waits for all threads of the block that have not ended, and before that for their warps, so a
 * thread may end early. A thread that ends after it has been at a barrier to which others of its warp come once more
 * has left a loop, which is a defect in NVIDIA's own example. Sources: CUDA C++ Programming Guide, "Synchronization
 * Functions" and "Compute Capability 7.x"; PTX ISA, "bar"; NVIDIA/compute-sanitizer-samples, Synccheck.
 *
 * An instruction with a mask, such as __shfl_sync, must be executed by all lanes that the mask names and that have not
 * ended. Here it does not wait for them, so a lane may come later, and as often as the others. It is missing if it
 * executes another such instruction first, or a barrier, together with a lane that needs it: neither could go on.
 * Source: CUDA C++ Programming Guide, "Warp Shuffle Functions" and "Warp Vote Functions". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"

/* cp.async: copies from global to shared memory that end when their thread has waited for them.
 *
 * Until then nothing orders the store with any access, not even one of the same thread or behind a barrier: its stamp
 * is at the end of time. The thread's wait gives it the time of the wait, and barriers then order it like any store of
 * the thread. The copy's loads count as done at once. Source: PTX ISA, "cp.async", "cp.async.wait_group". */

enum { MOST = 1 << 16 /* copies of a block that are followed at once; others count as complete */ };

/* An instruction of a warp. */
struct sl_check_copy {
  unsigned warp, words;
  uint32_t site;
  sl_lanes lanes; /* whose copies are under way */
  uint32_t group[SL_MAX_LANES];
  uint32_t address[SL_MAX_LANES];
};

struct sl_check_copies {
  struct sl_check_copy *copy;
  size_t count, room;
  uint32_t group[SL_MAX_WARPS][SL_MAX_LANES]; /* groups that the thread has committed */
};

static struct sl_check_copies *copies_of(struct sl_check *check, struct sl_check_block *b)
{
  if (b->copies == NULL)
    b->copies = calloc(1, sizeof *b->copies);
  check->out_of_memory |= b->copies == NULL;
  return b->copies;
}

/* The thread's stamp of a copy at a place becomes that of a store at this time. */
static void end_cell(struct sl_check_cell *c, uint32_t who, uint32_t site, uint32_t now)
{
  if ((c->write.site & SL_CHECK_ASYNC) == 0 || c->write.who != who || (c->write.site & SL_CHECK_SITE) != site)
    return; /* another store has come, and was reported */
  c->write.time = now;
  c->write.site &= ~(uint32_t)SL_CHECK_ASYNC;
}

static void end_lane(struct sl_check *check, struct sl_check_block *b, struct sl_check_copy *copy, unsigned lane,
                     uint32_t now)
{
  const struct sl_check_access a = {.block = b, .warp = copy->warp, .shared = true};
  const uint32_t who = b->number << SL_CHECK_THREAD_BITS | (copy->warp * SL_MAX_LANES + lane);
  for (unsigned i = 0; i < copy->words; i++) {
    struct sl_check_cell *c = sl_check_cell_at(check, &a, copy->address[lane] + 4 * i);
    if (c != NULL && (c->write.site & SL_CHECK_SPLIT) != 0) {
      struct sl_check_cell *byte = sl_check_bytes_of(check, c);
      for (unsigned k = 0; k < 4 && byte != NULL; k++)
        end_cell(&byte[k], who, copy->site, now);
    } else if (c != NULL)
      end_cell(c, who, copy->site, now);
  }
  copy->lanes &= ~sl_bit(lane);
}

void sl_check_copy(struct sl_check *check, const struct sl_check_access *a)
{
  struct sl_check_copies *all = copies_of(check, a->block);
  if (all == NULL || all->count == MOST || !sl_check_grow(check, &all->copy, all->count, &all->room, sizeof *all->copy))
    return;
  struct sl_check_access access = *a;
  struct sl_check_copy *copy = &all->copy[all->count++];
  *copy = (struct sl_check_copy){.warp = a->warp, .words = a->width / 4, .site = a->site, .lanes = a->active};
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    copy->group[l] = all->group[a->warp][l];
    copy->address[l] = (uint32_t)a->address[l];
  }
  access.flags |= SL_CHECK_ASYNC;
  sl_check_access(check, &access);
}

void sl_check_commit(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes)
{
  struct sl_check_copies *all = copies_of(check, b);
  for (sl_lanes rest = all != NULL ? lanes : 0; rest != 0; rest &= rest - 1)
    all->group[warp][sl_lowest(rest)]++;
}

void sl_check_wait(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes, bool all_groups,
                   uint32_t groups)
{
  struct sl_check_copies *all = b->copies;
  size_t kept = 0;
  if (all == NULL)
    return;
  const uint32_t now = sl_check_tick(check);
  for (size_t i = 0; i < all->count; i++) {
    struct sl_check_copy *copy = &all->copy[i];
    for (sl_lanes rest = copy->warp == warp ? copy->lanes & lanes : 0; rest != 0; rest &= rest - 1) {
      const unsigned l = sl_lowest(rest);
      if (all_groups || copy->group[l] + (uint64_t)groups < all->group[warp][l])
        end_lane(check, b, copy, l, now);
    }
    if (copy->lanes != 0)
      all->copy[kept++] = *copy;
  }
  all->count = kept;
}

static void sl_check_copies_free(struct sl_check_block *b)
{
  if (b->copies != NULL)
    free(b->copies->copy);
  free(b->copies);
  b->copies = NULL;
}

/* The block has ended: its copies are past. */
static void sl_check_copies_end(struct sl_check *check, struct sl_check_block *b)
{
  struct sl_check_copies *all = b->copies;
  for (size_t i = 0; all != NULL && i < all->count; i++)
    while (all->copy[i].lanes != 0)
      end_lane(check, b, &all->copy[i], sl_lowest(all->copy[i].lanes), 0);
  sl_check_copies_free(b);
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* The blocks, or cores, that run. */

static void free_block(struct sl_check_block *b)
{
  for (unsigned w = 0; w < b->warps; w++) {
    free(b->warp[w].lane_seen);
    free(b->warp[w].view.bound);
    free(b->warp[w].relaxed.bound);
  }
  free(b->warp);
  sl_check_copies_free(b);
  sl_check_lines_free(b->shared, b->shared_lines);
  free(b->shared);
  free(b);
}

void sl_check_blocks_free(struct sl_check *check)
{
  for (size_t i = 0; i < check->blocks; i++)
    free_block(check->block[i]);
  check->blocks = 0;
  check->grids = false;
  check->last = NULL;
}

struct sl_check_block *sl_check_block_of(struct sl_check *check, const void *key)
{
  if (check->last != NULL && check->last->key == key)
    return check->last;
  for (size_t i = 0; i < check->blocks; i++)
    if (check->block[i]->key == key)
      return check->last = check->block[i];
  return NULL;
}

struct sl_check_block *sl_check_block_add(struct sl_check *check, const void *key, unsigned warps, size_t shared)
{
  if (!sl_check_grow(check, &check->block, check->blocks, &check->block_room, sizeof *check->block))
    return NULL;
  struct sl_check_block *b = calloc(1, sizeof *b);
  if (b != NULL)
    b->warp = calloc(warps, sizeof *b->warp);
  const size_t words = shared > 0 ? shared / 4 + 1 : 0, lines = (words + SL_CHECK_LINE - 1) / SL_CHECK_LINE;
  if (b != NULL && shared > 0)
    b->shared = calloc(lines, sizeof *b->shared);
  if (b == NULL || b->warp == NULL || (shared > 0 && b->shared == NULL)) {
    check->out_of_memory = true;
    if (b != NULL) {
      free(b->warp);
      free(b);
    }
    return NULL;
  }
  b->key = key;
  b->warps = warps;
  b->shared_words = words;
  b->shared_lines = lines;
  return check->block[check->blocks++] = b;
}

void sl_check_block_begin(struct sl_check *check, struct sl_check_block *b)
{
  sl_check_copies_end(check, b);
  b->begin = sl_check_tick(check);
  b->fences = false;
  memset(b->published, 0, sizeof b->published);
  for (unsigned i = 0; i < b->warps; i++) {
    struct sl_check_warp *w = &b->warp[i];
    const struct sl_check_view view = {w->view.bound, 0, w->view.room};
    const struct sl_check_view relaxed = {w->relaxed.bound, 0, w->relaxed.room};
    free(w->lane_seen);
    *w = (struct sl_check_warp){.view = view, .relaxed = relaxed, .barrier = -1};
  }
}

/* ---- divergence -------------------------------------------------------------------------------------------------- */

/* " at X", or nothing. Two places in one line have columns. */
static void name_at(const struct sl_check *check, const char *before, uint32_t site, char *text, size_t size)
{
  char place[300];
  text[0] = '\0';
  if (site == SL_CHECK_SITE)
    return;
  sl_check_name_place(check, site, place, sizeof place);
  snprintf(text, size, "%s%s", before, place);
}

/* Machines that do not assign blocks: what the number counts. */
static const char *name_group(const struct sl_check *check, const struct sl_check_block *b)
{
  return check->program == NULL || b->in_grid ? "block" : "core";
}

static void report_divergence(struct sl_check *check, const struct sl_check_block *b, unsigned warp, sl_lanes active,
                              sl_lanes away, const char *what, uint32_t site, uint32_t away_site)
{
  char place[300], there[320], text[1000];
  sl_check_name_place(check, site, place, sizeof place);
  name_at(check, " at ", away_site, there, sizeof there);
  snprintf(text, sizeof text,
           "%s: lane %u of warp %u of %s %u arrives at the barrier, but lane %u %s%s: all threads of a block must "
           "reach a barrier together",
           place, sl_lowest(active), warp, name_group(check, b), b->number, sl_lowest(away), what, there);
  sl_check_note(check, "barrier divergence", sl_check_place(check, site), text);
}

void sl_check_lanes_arrive(struct sl_check *check, const struct sl_check_block *b, unsigned warp, sl_lanes active,
                           uint32_t site)
{
  struct sl_check_warp *w = &b->warp[warp];
  const sl_lanes before = w->came, away = active & ~before;
  const uint32_t there = w->barrier_site;
  struct sl_check_frame frame, other;
  w->came = active;
  w->barrier_site = site;
  if (before == 0 || away == 0 || there == site || !sl_check_frame(check, site, &frame) || frame.ends ||
      !sl_check_frame(check, there, &other) || sl_check_is_same_place(check, site, there))
    return;
  const bool apart = (active & before) == 0;
  report_divergence(check, b, warp, before, away,
                    apart ? "is at another barrier" : "is in another branch, and goes on to", there, site);
  w->came |= before;
}

/* The lanes that have been at the barrier of this place before, and are there now. */
static sl_lanes pass(struct sl_check_warp *w, uint32_t site, sl_lanes lanes)
{
  unsigned i = 0;
  while (i < w->ats && w->at[i].site != site)
    i++;
  if (i == w->ats && w->ats < SL_CHECK_PASSED)
    w->at[w->ats++] = (struct sl_check_passed){.site = site};
  if (i == SL_CHECK_PASSED)
    return 0;
  const sl_lanes before = w->at[i].lanes;
  w->at[i].lanes |= lanes;
  return before;
}

/* Lanes of the warp are elsewhere, or have ended although they have been here. */
static void check_divergence(struct sl_check *check, struct sl_check_block *b, unsigned warp,
                             const struct sl_check_arrival *a)
{
  struct sl_check_warp *w = &b->warp[warp];
  const sl_lanes away = w->live & ~(a->active | a->ending);
  const bool strict = check->options.strict_barriers;
  const sl_lanes before = pass(w, a->site, a->active), ended = (strict ? w->threads : before) & ~(a->active | away);
  if (away != 0)
    report_divergence(check, b, warp, a->active, away, "is in another branch", a->site, a->away_site);
  else if (ended != 0 && a->active != 0)
    report_divergence(check, b, warp, a->active, ended, strict ? "has ended" : "has been there before and ends",
                      a->site, (ended & a->ending) != 0 ? a->end_site : w->end_site);
}

void sl_check_parked(struct sl_check_warp *w, const struct sl_check_park *park)
{
  if (w->parks < SL_CHECK_PARKS)
    w->park[w->parks++] = *park;
}

/* Groups of the warp have waited for each other: at one barrier, and without the end of some? */
static void check_parked(struct sl_check *check, struct sl_check_block *b, unsigned warp,
                         const struct sl_check_arrival *a)
{
  struct sl_check_warp *w = &b->warp[warp];
  for (unsigned i = 0; i < w->parks; i++) {
    const struct sl_check_park *p = &w->park[i];
    const sl_lanes other = a->active & ~p->lanes, ended = p->away & ~(a->active | w->live);
    if ((p->lanes & a->active) == 0)
      continue;
    if (ended != 0)
      report_divergence(check, b, warp, p->lanes, ended, "is in another branch", p->site, p->away_site);
    if (p->site != a->site && other != 0 && !sl_check_is_same_place(check, p->site, a->site))
      report_divergence(check, b, warp, p->lanes, other, "is at another barrier", p->site, a->site);
  }
  w->parks = 0;
}

void sl_check_arrive(struct sl_check *check, struct sl_check_block *b, unsigned warp, const struct sl_check_arrival *a)
{
  struct sl_check_warp *w = &b->warp[warp];
  check_parked(check, b, warp, a);
  check_divergence(check, b, warp, a);
  sl_check_meet_all(check, b, warp, a->active, a->site);
  if (a->passes) { /* it arrives for others, and may wait at another barrier before this one opens */
    w->lane_floor = w->passed[a->barrier % SL_CHECK_BARRIERS] = sl_check_tick(check);
    return;
  }
  w->barrier = a->barrier;
  w->barrier_site = a->site;
  w->number = a->number;
}

/* ---- mismatch ---------------------------------------------------------------------------------------------------- */

static struct sl_check_block *block_with(struct sl_check *check, unsigned number, unsigned *warp)
{
  for (size_t i = 0; i <= check->blocks; i++) {
    struct sl_check_block *b = i == 0 ? check->last : check->block[i - 1];
    for (unsigned w = 0; b != NULL && w < b->warps; w++)
      if (b->warp[w].barrier >= 0 && b->warp[w].number == number) {
        *warp = w;
        return b;
      }
  }
  return NULL;
}

/* A place; with its column, if the other one is in the same line. */
static void name_apart(const struct sl_check *check, uint32_t site, uint32_t other, char *text, size_t size)
{
  char place[300];
  sl_check_name_place(check, other, place, sizeof place);
  sl_check_name_place(check, site, text, size);
  const size_t length = strlen(text);
  if (strcmp(place, text) == 0)
    snprintf(text + length, size - length, ":%u", sl_check_column(check, site));
}

/* Barriers of the library are not the program's, and copies of a line without its number cannot be known. */
static bool is_program_barrier(const struct sl_check *check, uint32_t site)
{
  struct sl_check_frame frame;
  return check->program == NULL || sl_check_frame(check, site, &frame);
}

/* A place, or that the block ends there. */
static void name_barrier(const struct sl_check *check, uint32_t site, uint32_t other, char *text, size_t size)
{
  struct sl_check_frame frame;
  if (check->program == NULL || !sl_check_frame(check, site, &frame))
    name_apart(check, site, other, text, size);
  else
    snprintf(text, size, "%.200s:%u%s", frame.file, frame.line, frame.ends ? " (the end of the block)" : "");
}

void sl_check_same_barrier(struct sl_check *check, const struct sl_check_block *b, sl_warps warps)
{
  char one[320], two[320], text[900];
  const unsigned first = sl_lowest(warps);
  for (sl_warps rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const uint32_t a = b->warp[first].barrier_site, c = b->warp[i].barrier_site;
    if (a == c || b->warp[first].arrived != 0 || b->warp[i].arrived != 0)
      continue;
    if (sl_check_is_same_place(check, a, c)) /* copies that the compiler has made */
      continue;
    if (!is_program_barrier(check, a) || !is_program_barrier(check, c))
      continue;
    name_barrier(check, a, c, one, sizeof one);
    name_barrier(check, c, a, two, sizeof two);
    snprintf(text, sizeof text,
             "%s: warp %u of %s %u passes this barrier together with warp %u, which waits at %s: all threads of a "
             "block must reach the same barrier",
             one, first, name_group(check, b), b->number, i, two);
    sl_check_note(check, "barrier mismatch", sl_check_place(check, a) + sl_check_place(check, c), text);
    return;
  }
}

/* A warp of the block has ended before a barrier of all threads. */
static void find_ended(struct sl_check *check, const struct sl_check_block *b, unsigned warp)
{
  for (unsigned i = 0; i < b->warps && check->options.strict_barriers; i++)
    if (b->warp[i].threads != 0 && b->warp[i].live == 0) {
      char place[300], there[320], text[1000];
      sl_check_name_place(check, b->warp[warp].barrier_site, place, sizeof place);
      name_at(check, " at ", b->warp[i].end_site, there, sizeof there);
      snprintf(
          text, sizeof text,
          "%s: warp %u of block %u passes the barrier, but warp %u has ended%s: all threads of a block must reach a "
          "barrier together",
          place, warp, b->number, i, there);
      sl_check_note(check, "barrier divergence", sl_check_place(check, b->warp[warp].barrier_site), text);
      return;
    }
}

void sl_check_released(struct sl_check *check, unsigned number)
{
  unsigned warp;
  struct sl_check_block *b = block_with(check, number, &warp);
  if (b == NULL)
    return;
  const int barrier = b->warp[warp].barrier;
  sl_warps warps = 0;
  for (unsigned i = 0; i < b->warps; i++) {
    struct sl_check_warp *w = &b->warp[i];
    uint32_t *passed = &w->passed[barrier % SL_CHECK_BARRIERS];
    w->arrived = w->barrier == barrier ? 0 : *passed;
    if (w->barrier == barrier || *passed != 0)
      warps |= sl_bit(i);
    *passed = 0;
  }
  if (barrier == 0)
    sl_check_same_barrier(check, b, warps);
  if (barrier == 0)
    find_ended(check, b, warp);
  sl_check_join(check, b, warps);
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    struct sl_check_warp *w = &b->warp[sl_lowest(rest)];
    w->barrier = w->arrived != 0 ? w->barrier : -1;
    w->arrived = 0;
  }
}

/* ---- masks ------------------------------------------------------------------------------------------------------- */

static void report_mask(struct sl_check *check, const struct sl_check_block *b, unsigned warp, uint32_t members,
                        unsigned lane, uint32_t site, uint32_t there)
{
  char place[300], other[320], text[1000];
  sl_check_name_place(check, site, place, sizeof place);
  name_at(check, " goes on to ", there, other, sizeof other);
  snprintf(text, sizeof text,
           "%s: lanes of warp %u of block %u execute this with mask 0x%x, but lane %u, %s%s: all threads that the mask "
           "names must execute it, and no others",
           place, warp, b->number, members, lane,
           there != SL_CHECK_SITE ? "which the mask names," : "which executes it, is not in the mask", other);
  sl_check_note(check, "wrong mask", sl_check_place(check, site), text);
}

void sl_check_stuck(struct sl_check *check, const struct sl_check_block *b, unsigned warp, uint32_t members,
                    unsigned lane, uint32_t site, uint32_t there)
{
  if (b->strict)
    report_mask(check, b, warp, members, lane, site, there);
}

/* The most times that one of the lanes has executed the instruction. */
static unsigned most_times(const struct sl_check_meeting *m, sl_lanes lanes)
{
  unsigned most = 0;
  for (sl_lanes rest = lanes & m->members; rest != 0; rest &= rest - 1)
    most = m->times[sl_lowest(rest)] > most ? m->times[sl_lowest(rest)] : most;
  return most;
}

static bool is_complete(const struct sl_check_meeting *m, sl_lanes live)
{
  for (sl_lanes rest = m->members & live; rest != 0; rest &= rest - 1)
    if (m->times[sl_lowest(rest)] != most_times(m, live))
      return false;
  return true;
}

static void drop(struct sl_check_warp *w, const struct sl_check_meeting *m)
{
  const size_t i = (size_t)(m - w->meeting);
  w->meeting[i] = w->meeting[--w->meetings];
}

/* Lanes come to `site` together with `others`, which may need them at an earlier instruction. */
static void find_missing(struct sl_check *check, struct sl_check_block *b, unsigned warp,
                         const struct sl_check_meeting *own, sl_lanes lanes, sl_lanes others, uint32_t site)
{
  struct sl_check_warp *w = &b->warp[warp];
  for (unsigned i = 0; i < w->meetings; i++) {
    const struct sl_check_meeting *m = &w->meeting[i];
    const unsigned most = m != own ? most_times(m, others & w->live) : 0;
    for (sl_lanes rest = lanes & m->members; rest != 0 && m != own; rest &= rest - 1) {
      const unsigned lane = sl_lowest(rest);
      const bool follows = own != NULL && own->times[lane] < most_times(own, w->live); /* it makes up for others */
      if (m->times[lane] >= most || follows)
        continue;
      report_mask(check, b, warp, m->members, lane, m->site, site);
      drop(w, m);
      return;
    }
  }
}

static struct sl_check_meeting *meeting_of(struct sl_check_warp *w, uint32_t key, uint32_t members)
{
  for (unsigned i = 0; i < w->meetings; i++)
    if (w->meeting[i].key == key && w->meeting[i].members == members)
      return &w->meeting[i];
  return NULL;
}

static struct sl_check_meeting *add_meeting(struct sl_check_warp *w, uint32_t key, uint32_t members, uint32_t site,
                                            sl_lanes live)
{
  for (unsigned i = w->meetings; i-- > 0 && w->meetings == SL_CHECK_MEETINGS;)
    if (is_complete(&w->meeting[i], live)) /* the missing lanes have ended */
      drop(w, &w->meeting[i]);
  if (w->meetings == SL_CHECK_MEETINGS)
    return NULL;
  w->meeting[w->meetings] = (struct sl_check_meeting){.members = members, .key = key, .site = site};
  return &w->meeting[w->meetings++];
}

void sl_check_meet(struct sl_check *check, struct sl_check_block *b, unsigned warp, uint32_t key, uint32_t members,
                   sl_lanes lanes, uint32_t site)
{
  struct sl_check_warp *w = &b->warp[warp];
  const sl_lanes missing = members & w->live & ~lanes, outside = lanes & ~(sl_lanes)members;
  if (!b->strict)
    return;
  if (outside != 0)
    report_mask(check, b, warp, members, sl_lowest(outside), site, SL_CHECK_SITE);
  if (missing == 0 && w->meetings == 0)
    return;
  find_missing(check, b, warp, meeting_of(w, key, members), lanes, members, site);
  struct sl_check_meeting *m = meeting_of(w, key, members);
  if (m == NULL && missing != 0)
    m = add_meeting(w, key, members, site, w->live);
  if (m == NULL)
    return;
  for (sl_lanes rest = lanes & members; rest != 0; rest &= rest - 1)
    m->times[sl_lowest(rest)]++; /* below the most, see the end */
  if (is_complete(m, w->live) || most_times(m, lanes) == UINT8_MAX)
    drop(w, m);
}

void sl_check_meet_all(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes, uint32_t site)
{
  if (b->warp[warp].meetings != 0)
    find_missing(check, b, warp, NULL, lanes, ~(sl_lanes)0, site);
}
