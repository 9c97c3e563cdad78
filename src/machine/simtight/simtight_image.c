#include "machine/simtight/simtight_image.h"

/* ---- warps ------------------------------------------------------------------------------------------------------- */

/* A word says where a path is, another one which lanes it has if there are several. */
static void paths(struct sl_image_walk *w, const struct sl_simtight_sm *sm, struct sl_paths *p)
{
  enum { LEVEL = 32, RETRY = 48, COUNT = 56 };
  for (unsigned i = 0; i == 0 || i < p->count; i++) {
    struct sl_path *path = &p->path[i];
    const uint64_t place = sl_image_number(w, path->pc | (uint64_t)(uint16_t)path->level << LEVEL |
                                                  (uint64_t)path->retry << RETRY | (uint64_t)p->count << COUNT);
    p->count = (unsigned)(place >> COUNT);
    path->lanes = p->count == 1 ? sm->warps.all : (sl_lanes)sl_image_number(w, path->lanes);
    path->pc = (uint32_t)place;
    path->level = (int16_t)(uint16_t)(place >> LEVEL);
    path->retry = place >> RETRY & 1;
  }
}

static void warps(struct sl_image_walk *w, struct sl_simtight_sm *sm)
{
  for (unsigned i = 0; i < sm->spec.warps; i++) {
    paths(w, sm, &sm->warps.paths[i]);
    SL_IMAGE_WORD(w, sm->s.suspension.lanes[i]);
  }
}

/* Sets of warps by cycle, from now on. */
static void sets(struct sl_image_walk *w, sl_warps set[SL_WINDOWS_RING])
{
  for (int64_t i = 0; i < SL_SIMTIGHT_DEPTH; i++)
    SL_IMAGE_WORD(w, set[sl_windows_at(w->now + i)]);
  for (int64_t i = SL_SIMTIGHT_DEPTH; w->reads && i < SL_WINDOWS_RING; i++)
    set[sl_windows_at(w->now + i)] = 0;
}

/* The pipeline, with the warp that has executed last, and the scheduler. Thread instructions of past cycles count at
 * the end of a kernel. */
static void pipeline(struct sl_image_walk *w, struct sl_simtight_sm *sm, struct sl_windows *r)
{
  struct sl_simtight_state *s = &sm->s;
  for (int64_t i = -1; i < SL_SIMTIGHT_DEPTH; i++)
    SL_IMAGE_WORD(w, s->pipeline[sl_windows_at(w->now + i)]);
  for (int64_t i = 1; i <= SL_SIMTIGHT_UNCOUNTED; i++)
    SL_IMAGE_WORD(w, s->recent[sl_windows_at(w->now - i)]);
  SL_IMAGE_WORD(w, s->in_pipeline);
  SL_IMAGE_WORD(w, s->scheduler.history);
  SL_IMAGE_WORD(w, s->ended);
  SL_IMAGE_WORD(w, s->success);
  sl_image_barrier(w, &s->barrier);
  SL_IMAGE_WORD(w, r->available);
  sets(w, r->ready);
  sets(w, r->arrived);
  SL_IMAGE_WORD(w, r->arrivals);
  sl_image_moment(w, &r->ended);
  for (unsigned why = 0; why < 2; why++)
    SL_IMAGE_WORD(w, r->waiting[why]);
  sl_image_response(w, &r->result);
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static void units(struct sl_image_walk *w, struct sl_simtight_state *s)
{
  SL_IMAGE_WORD(w, s->resume.full);
  for (unsigned place = 0; place < SL_RESUME_PRODUCT; place++)
    if (sl_resume_has(&s->resume, place))
      sl_image_response(w, &s->resume.item[place]);
  sl_image_multiplier(w, &s->multiplier);
  sl_image_divider(w, &s->divider);
  sl_image_fpu(w, &s->fpu);
  if (w->reads)
    sl_resume_show_product(&s->resume, &s->multiplier);
}

/* ---- DRAM -------------------------------------------------------------------------------------------------------- */

static void answers(struct sl_image_walk *w, struct sl_dram_events *d)
{
  SL_IMAGE_WORD(w, d->answers);
  SL_IMAGE_WORD(w, d->open);
  sl_image_moment(w, &d->answer);
  sl_image_moment(w, &d->taken);
  for (unsigned n = 0; n < d->answers; n++) {
    struct sl_dram_answer *a = &d->ring[(d->head + n) % SL_DRAM_ANSWERS];
    sl_image_response(w, &a->response);
    SL_IMAGE_WORD(w, a->beats);
    sl_image_moment(w, &a->put);
    sl_image_moment(w, &a->head);
    sl_image_since(w, &a->first, SL_IMAGE_PAST + (int64_t)a->beats);
    if (a->first == SL_NEVER)
      sl_image_since(w, &a->served, SL_IMAGE_PAST + d->latency);
    else if (w->reads)
      a->served = w->now;
  }
}

/* Served transactions that matter: the latest two, and those whose beats are transferred later (coalescer.h). */
static unsigned served(const struct sl_image_walk *w, const struct sl_dram_events *d)
{
  unsigned n = 2;
  while (n < SL_DRAM_TRANSACTIONS / 2 &&
         d->transaction[(d->unserved - n - 1) % SL_DRAM_TRANSACTIONS].served > w->now - SL_IMAGE_PAST)
    n++;
  return n;
}

static void transactions(struct sl_image_walk *w, struct sl_dram_events *d)
{
  const unsigned before = (unsigned)sl_image_number(w, w->reads ? 0 : served(w, d));
  const unsigned open = (unsigned)sl_image_number(w, d->count - d->unserved);
  w->fits = w->fits && before < SL_DRAM_TRANSACTIONS / 2;
  if (w->reads) {
    d->unserved = before;
    d->count = before + open;
    d->transaction[SL_DRAM_TRANSACTIONS - 1] = (struct sl_dram_transaction_times){-1, -1, -1};
  }
  for (unsigned j = d->unserved - before; j != d->count; j++) {
    const unsigned place = j % SL_DRAM_TRANSACTIONS;
    struct sl_dram_transaction_times *t = &d->transaction[place];
    sl_image_moment(w, &t->put);
    sl_image_moment(w, &t->bus);
    sl_image_moment(w, &t->served);
    const bool awaited = t->served == SL_NEVER && !(d->transaction_beats[place] & SL_DRAM_STORE);
    const unsigned answer = awaited ? sl_image_turned(w, d->transaction_answer[place], d->head, SL_DRAM_ANSWERS) : 0;
    const uint64_t kept = sl_image_number(w, d->transaction_beats[place] | (uint64_t)answer << 16);
    d->transaction_beats[place] = (uint16_t)kept;
    if (w->reads)
      d->transaction_answer[place] = (uint8_t)(kept >> 16);
  }
}

static void dram(struct sl_image_walk *w, struct sl_dram_events *d)
{
  sl_image_moment(w, &d->stage5);
  sl_image_moment(w, &d->earliest);
  sl_image_moment(w, &d->put);
  sl_image_moment(w, &d->line);
  SL_IMAGE_WORD(w, d->unput);
  if (d->unput > 0) {
    sl_image_response(w, &d->pass.response);
    SL_IMAGE_WORD(w, d->pass.beats);
    SL_IMAGE_WORD(w, d->pass.store);
    SL_IMAGE_WORD(w, d->pass.updates);
  }
  d->head = w->reads ? 0 : d->head;
  transactions(w, d);
  answers(w, d);
}

/* ---- the request path -------------------------------------------------------------------------------------------- */

/* A request in its last pass. Of its addresses only the leader's matters, and of it only whether it is on a stack. */
static void request(struct sl_image_walk *w, const struct sl_coalescer_spec *spec, struct sl_request *r)
{
  enum { RD = 8, ACCESS = 16, RESPONDS = 20, SCRATCHPAD, ONE_WORD, WHOLE_BLOCK, STACK, CYCLES = 32 };
  w->fits = w->fits && (w->reads || r->pending == r->pass.lanes);
  const bool stack = !w->reads && !r->pass.scratchpad && r->address[sl_lowest(r->pending)] >= spec->stack_base;
  const unsigned cycles = r->pass.scratchpad ? r->scratchpad_passes : r->pass.beats;
  const uint64_t kept = sl_image_number(
      w, (uint64_t)r->warp | (uint64_t)r->rd << RD | (uint64_t)r->access << ACCESS | (uint64_t)r->responds << RESPONDS |
             (uint64_t)r->pass.scratchpad << SCRATCHPAD |
             (uint64_t)(r->pass.scratchpad && sl_scratchpad_one_word(r)) << ONE_WORD |
             (uint64_t)r->pass.whole_block << WHOLE_BLOCK | (uint64_t)stack << STACK | (uint64_t)cycles << CYCLES);
  SL_IMAGE_WORD(w, r->pending);
  if (!w->reads)
    return;
  const bool scratchpad = kept >> SCRATCHPAD & 1;
  r->warp = (uint8_t)kept;
  r->rd = (uint8_t)(kept >> RD);
  r->access = (enum sl_access)(kept >> ACCESS & 0xf);
  r->responds = kept >> RESPONDS & 1;
  r->pattern = kept >> ONE_WORD & 1 ? SL_PATTERN_SAME : SL_PATTERN_ANY;
  r->scratchpad_passes = (uint8_t)(scratchpad ? kept >> CYCLES : 0);
  r->scratchpad = scratchpad ? r->pending : 0;
  sl_coalescer_set(&r->pass, r->pending, (unsigned)(scratchpad ? 0 : kept >> CYCLES), scratchpad,
                   kept >> WHOLE_BLOCK & 1);
  r->address[sl_lowest(r->pending)] = kept >> STACK & 1 ? spec->stack_base : 0;
  r->compressed = false;
  r->instruction = SL_NO_INSTRUCTION;
}

static void request_path(struct sl_image_walk *w, struct sl_request_path *p)
{
  const unsigned size = p->spec.fifo_depth + SL_REQUEST_SPARE;
  uint8_t next = 0; /* an image's requests are the first of the pool */
  uint32_t stages = 0;
  SL_IMAGE_WORD(w, p->fifo_count);
  sl_image_moment(w, &p->fifo_taken);
  sl_image_moment(w, &p->wake);
  SL_IMAGE_WORD(w, p->last_was_dram);
  p->fifo_head = w->reads ? 0 : p->fifo_head;
  for (unsigned i = 0; i < p->fifo_count; i++) {
    const unsigned place = (p->fifo_head + i) % SL_REQUEST_FIFO_MAX;
    if (w->reads)
      p->fifo[place] = next++;
    sl_image_moment(w, &p->put[place]);
    request(w, &p->spec, &p->pool[p->fifo[place]]);
  }
  for (unsigned stage = 0; stage < 4; stage++) {
    const uint32_t in = p->stages >> 8 * stage & 0xff;
    if (sl_image_number(w, in != 0) == 0)
      continue;
    request(w, &p->spec, &p->pool[w->reads ? next++ : in - 1]);
    stages |= (uint32_t)next << 8 * stage;
  }
  if (!w->reads)
    return;
  p->stages = stages;
  for (p->free_count = 0; next < size; next++)
    p->free[p->free_count++] = next;
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static void walk(struct sl_image_walk *w, struct sl_simtight_sm *sm, struct sl_windows *r)
{
  pipeline(w, sm, r);
  units(w, &sm->s);
  request_path(w, &sm->s.path);
  sl_image_scratchpad(w, &sm->s.path.scratchpad);
  dram(w, &sm->s.path.dram);
  warps(w, sm);
}

unsigned sl_simtight_image(const struct sl_simtight_sm *sm, const struct sl_windows *r, uint64_t *word)
{
  struct sl_image_walk w = {.word = word, .fits = true, .now = sm->s.cycle};
  /* The walk changes nothing when it writes an image. */
  walk(&w, (struct sl_simtight_sm *)sm, (struct sl_windows *)r);
  return w.fits ? w.count : 0;
}

uint64_t sl_simtight_image_hint(const struct sl_simtight_sm *sm, const struct sl_windows *r)
{
  const struct sl_simtight_state *s = &sm->s;
  const int64_t now = s->cycle;
  uint64_t pipeline = 0, hint = sm->warps.paths[0].path[0].pc;
  for (int64_t i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const int warp = s->pipeline[sl_windows_at(now + i)];
    pipeline = pipeline << 8 | (uint8_t)warp;
    sl_image_mix(&hint, warp >= 0 ? sm->warps.paths[warp].path[0].pc : 0);
  }
  const uint64_t word[] = {
      pipeline,
      s->scheduler.history,
      r->available,
      r->waiting[0],
      r->waiting[1],
      s->barrier.waiting,
      s->ended,
      s->path.fifo_count | (uint64_t)s->path.scratchpad.count << 8 | (uint64_t)s->path.dram.answers << 16 |
          (uint64_t)s->path.dram.open << 32,
      (uint64_t)(s->path.dram.answer >= SL_NEVER ? SL_NEVER : sl_later(s->path.dram.answer - now, -1))};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    sl_image_mix(&hint, word[i]);
  return hint;
}

void sl_simtight_image_restore(struct sl_simtight_sm *sm, struct sl_windows *r, const uint64_t *word, int64_t now)
{
  struct sl_image_walk w = {.word = (uint64_t *)word, .reads = true, .fits = true, .now = now};
  walk(&w, sm, r);
  sm->s.cycle = now;
  r->woken = r->refused = 0;
  if (SL_CHECKS)
    sl_simtight_reference_lose(sm);
  for (int64_t i = 0; i < SL_SIMTIGHT_DEPTH; i++)
    if (sm->s.pipeline[sl_windows_at(now + i)] >= 0)
      sl_windows_fetch(&r->fetched[sl_windows_at(now + i)], sm, (unsigned)sm->s.pipeline[sl_windows_at(now + i)]);
}
