#include "machine/simty/simty_replay.h"

/* ---- front end --------------------------------------------------------------------------------------------------- */

/* A fetched word. Only whether its warp's redirect count has changed since matters. */
static void fetched(struct sl_image_walk *w, const uint8_t *redirects, struct sl_fetched *word)
{
  enum { SINCE = 32, WARP = 40, VALID = 48 };
  const uint8_t since = (uint8_t)(redirects[word->warp] - word->redirects);
  const uint64_t kept = sl_image_number(
      w, !word->valid ? 0 : word->pc | (uint64_t)since << SINCE | (uint64_t)word->warp << WARP | UINT64_C(1) << VALID);
  if (!w->reads)
    return;
  word->pc = (uint32_t)kept;
  word->warp = (uint8_t)(kept >> WARP);
  word->redirects = (uint8_t)(redirects[word->warp] - (kept >> SINCE & 0xff));
  word->valid = kept >> VALID & 1;
}

static void front_end(struct sl_image_walk *w, struct sl_instruction_fetch *f)
{
  SL_IMAGE_WORD(w, f->full);
  for (unsigned warp = 0; warp < f->warps; warp++) {
    SL_IMAGE_WORD(w, f->pc[warp]);
    if (f->full >> warp & 1)
      fetched(w, f->redirects, &f->buffer[warp]);
  }
  for (int64_t age = 0; age < 2; age++)
    fetched(w, f->redirects, &f->stage[(uint64_t)(w->now - age) % SL_FETCH_STAGES]);
}

/* Instructions from issue to the sorting of their paths. */
static void flight(struct sl_image_walk *w, struct sl_simty_state *s)
{
  for (unsigned i = 0; w->reads && i < SL_SIMTY_RING; i++) {
    s->ring[i].valid = false;
    s->alu_writes[i] = 0;
  }
  for (int64_t age = -1; age < SL_SIMTY_SORTED; age++) {
    struct sl_simty_issue *i = &s->ring[(uint64_t)(w->now - age) % SL_SIMTY_RING];
    SL_IMAGE_WORD(w, i->valid);
    if (!i->valid)
      continue;
    fetched(w, s->fetch.redirects, &i->word);
    SL_IMAGE_WORD(w, i->requests);
    SL_IMAGE_WORD(w, i->redirects);
    SL_IMAGE_WORD(w, i->redirect_pc);
  }
  for (int64_t ahead = 1; ahead <= 1 + SL_SIMTY_EXECUTED; ahead++)
    SL_IMAGE_WORD(w, s->alu_writes[(uint64_t)(w->now + ahead) % SL_SIMTY_RING]);
  SL_IMAGE_WORD(w, s->blocked);
}

/* ---- results and memory ------------------------------------------------------------------------------------------ */

static void finished(struct sl_image_walk *w, struct sl_load_fifo *f)
{
  w->fits = w->fits && f->count == 0; /* answers of a memory of fixed latency */
  SL_IMAGE_WORD(w, f->gathered);
  SL_IMAGE_WORD(w, f->waiting);
  SL_IMAGE_WORD(w, f->finished_count);
  f->finished_head = w->reads ? 0 : f->finished_head;
  for (unsigned i = 0; i < f->finished_count; i++)
    SL_IMAGE_WORD(w, f->finished[(f->finished_head + i) % SL_MAX_WARPS]);
}

static void bus(struct sl_image_walk *w, struct sl_dram *d)
{
  SL_IMAGE_WORD(w, d->active);
  SL_IMAGE_WORD(w, d->request_full);
  if (d->request_full)
    SL_IMAGE_WORD(w, d->request.word);
  SL_IMAGE_WORD(w, d->bus_count);
  sl_image_moment(w, &d->bus_drained);
  for (unsigned i = 0; i < d->bus_count; i++)
    SL_IMAGE_WORD(w, d->bus[i].word);
  SL_IMAGE_WORD(w, d->reading);
  SL_IMAGE_WORD(w, d->burst);
  SL_IMAGE_WORD(w, d->read_beat);
  SL_IMAGE_WORD(w, d->outstanding);
  SL_IMAGE_WORD(w, d->in_flight);
  d->next = w->reads ? 0 : d->next;
  for (unsigned i = 0; i < d->in_flight; i++)
    sl_image_moment(w, &d->valid[(d->next + i) % SL_DRAM_MAX_OUTSTANDING]);
  SL_IMAGE_WORD(w, d->waiting);
  SL_IMAGE_WORD(w, d->beat_ready);
}

static void memory(struct sl_image_walk *w, struct sl_simty_dram *d)
{
  SL_IMAGE_WORD(w, d->full);
  SL_IMAGE_WORD(w, d->store);
  SL_IMAGE_WORD(w, d->updates);
  SL_IMAGE_WORD(w, d->beats);
  SL_IMAGE_WORD(w, d->sent);
  SL_IMAGE_WORD(w, d->count);
  d->head = w->reads ? 0 : d->head;
  for (unsigned i = 0; i < d->count; i++) {
    SL_IMAGE_WORD(w, d->warp[(d->head + i) % SL_MAX_WARPS]);
    SL_IMAGE_WORD(w, d->left[(d->head + i) % SL_MAX_WARPS]);
  }
  bus(w, &d->dram);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

static void path(struct sl_image_walk *w, struct sl_ordered_path *p)
{
  SL_IMAGE_WORD(w, p->lanes);
  SL_IMAGE_WORD(w, p->key);
}

static void warps(struct sl_image_walk *w, struct sl_simty_core *sm)
{
  struct sl_simty_refusals *r = &sm->s.refusals;
  SL_IMAGE_WORD(w, r->count);
  for (unsigned i = 0; i < r->count; i++)
    SL_IMAGE_WORD(w, r->overdue[i]);
  for (unsigned warp = 0; warp < sm->spec.warps; warp++) {
    struct sl_sorted_paths *p = &sm->paths[warp];
    path(w, &p->running);
    path(w, &p->next);
    SL_IMAGE_WORD(w, p->uncompared);
    SL_IMAGE_WORD(w, p->cold_count);
    SL_IMAGE_WORD(w, p->probe);
    for (unsigned i = 0; i < p->cold_count; i++)
      path(w, &p->cold[i]);
    SL_IMAGE_WORD(w, r->refused[warp]);
    if (r->refused[warp] != 0)
      SL_IMAGE_WORD(w, r->lane[warp]);
  }
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static void walk(struct sl_image_walk *w, struct sl_simty_core *sm)
{
  struct sl_simty_state *s = &sm->s;
  /* The wheel visits warps by the number of the cycle. */
  sl_image_number(w, (uint64_t)w->now & (sm->spec.warps - 1));
  SL_IMAGE_WORD(w, s->busy);
  SL_IMAGE_WORD(w, s->waits_for_memory);
  SL_IMAGE_WORD(w, s->ended);
  SL_IMAGE_WORD(w, s->success);
  front_end(w, &s->fetch);
  flight(w, s);
  finished(w, &s->loads);
  memory(w, &s->dram);
  sl_image_multiplier(w, &s->multiplier);
  sl_image_divider(w, &s->divider);
  sl_image_fpu(w, &s->fpu);
  sl_image_scratchpad(w, &s->scratchpad);
  sl_image_barrier(w, &s->barrier);
  warps(w, sm);
}

unsigned sl_simty_image(const struct sl_simty_core *sm, uint64_t *word)
{
  struct sl_image_walk w = {.word = word, .fits = true, .now = (int64_t)sm->s.cycle};
  walk(&w, (struct sl_simty_core *)sm); /* which changes nothing when it writes an image */
  return w.fits ? w.count : 0;
}

void sl_simty_image_restore(struct sl_simty_core *sm, const uint64_t *word, uint64_t now)
{
  struct sl_image_walk w = {.word = (uint64_t *)word, .reads = true, .fits = true, .now = (int64_t)now};
  walk(&w, sm);
  sm->s.cycle = now;
  for (enum sl_simty_target target = 0; target < SL_SIMTY_TARGETS; target++)
    sm->refused_by[target] = 0;
  if (SL_CHECKS)
    sl_simty_reference_lose(sm);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static unsigned image(const void *sm, const void *beside, uint64_t *word)
{
  (void)beside;
  return sl_simty_image(sm, word);
}

static uint64_t hint(const void *machine, const void *beside)
{
  const struct sl_simty_core *sm = machine;
  const struct sl_simty_state *s = &sm->s;
  const uint64_t word[] = {s->busy,
                           s->waits_for_memory,
                           s->fetch.full,
                           s->barrier.waiting,
                           s->ended,
                           s->dram.count | (uint64_t)s->dram.dram.outstanding << 16 |
                               (uint64_t)s->loads.finished_count << 32 | (uint64_t)s->scratchpad.count << 40};
  uint64_t hash = s->cycle & (sm->spec.warps - 1);
  (void)beside;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    sl_image_mix(&hash, word[i]);
  for (unsigned warp = 0; warp < sm->spec.warps; warp++)
    sl_image_mix(&hash, s->fetch.pc[warp]);
  return hash;
}

static void restore(void *machine, void *beside, const uint64_t *word, int64_t now)
{
  (void)beside;
  sl_simty_image_restore(machine, word, (uint64_t)now);
}

/* Single counters that are added below. */
enum { SINGLE_COUNTERS = 4 };
SL_HOLDS(SL_SEGMENT_COUNTERS, sizeof(struct sl_simty_counts) / sizeof(uint64_t) + SINGLE_COUNTERS, "counters");

static const struct sl_replay_machine functions = {
    .image = image, .hint = hint, .restore = restore, .access = sl_simty_access_again};

struct sl_replay *sl_simty_replay_create(struct sl_simty_core *sm)
{
  const struct sl_simty_spec *spec = &sm->spec;
  if (sm->observed || sm->environment.portable_lanes || !spec->host || !spec->dram || spec->fairness)
    return NULL;
  struct sl_replay *p = sl_replay_create(&functions, sm, &sm->warps);
  if (p == NULL)
    return NULL;
  struct sl_segments *g = sl_replay_segments(p);
  sl_segments_count(g, &sm->s.counts, sizeof sm->s.counts);
  sl_segments_count(g, &sm->s.scratchpad.requests, sizeof sm->s.scratchpad.requests);
  sl_segments_count(g, &sm->s.scratchpad.passes, sizeof sm->s.scratchpad.passes);
  sl_segments_count(g, &sm->s.scratchpad.words, sizeof sm->s.scratchpad.words);
  sl_segments_count(g, &sm->s.dram.dram.beats, sizeof sm->s.dram.dram.beats);
  return p;
}
