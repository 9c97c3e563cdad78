#include "machine/replay/replay_image.h"

void sl_image_response(struct sl_image_walk *w, struct sl_response *r)
{
  const uint64_t tag = sl_image_number(w, r->lanes != 0 || w->reads ? r->tag : 0);
  SL_IMAGE_WORD(w, r->lanes);
  r->tag = w->reads ? tag : r->tag;
}

void sl_image_barrier(struct sl_image_walk *w, struct sl_barrier *b)
{
  SL_IMAGE_WORD(w, b->waiting);
  SL_IMAGE_WORD(w, b->state);
  SL_IMAGE_WORD(w, b->block);
  SL_IMAGE_WORD(w, b->snapshot);
  SL_IMAGE_WORD(w, b->success);
  SL_IMAGE_WORD(w, b->warp);
  SL_IMAGE_WORD(w, b->count);
}

void sl_image_multiplier(struct sl_image_walk *w, struct sl_multiplier_events *m)
{
  SL_IMAGE_WORD(w, m->count);
  m->head = w->reads ? 0 : m->head;
  sl_image_moment(w, &m->product);
  for (unsigned n = 0; n < m->count; n++) {
    const unsigned place = sl_multiplier_events_place(m, n);
    sl_image_recent(w, &m->due[place]);
    sl_image_moment(w, &m->out[place]);
    sl_image_response(w, &m->response[place]);
  }
}

/* Operations leave slot 0 by the number of the cycle. */
void sl_image_fpu(struct sl_image_walk *w, struct sl_fpu *f)
{
  SL_HOLDS(SL_FPU_TOKENS, 64, "bits of the tokens");
  const unsigned now = (unsigned)w->now % SL_FPU_TOKENS, back = (SL_FPU_TOKENS - now) % SL_FPU_TOKENS;
  SL_IMAGE_WORD(w, f->request.full);
  if (f->request.full) {
    sl_image_response(w, &f->request.item);
    SL_IMAGE_WORD(w, f->request_latency);
  }
  SL_IMAGE_WORD(w, f->in_use);
  SL_IMAGE_WORD(w, f->consumed);
  SL_IMAGE_WORD(w, f->response.full);
  if (f->response.full)
    sl_image_response(w, &f->response.item);
  SL_IMAGE_WORD(w, f->fifo_count);
  f->fifo_head = w->reads ? 0 : f->fifo_head;
  for (unsigned i = 0; i < f->fifo_count; i++)
    sl_image_response(w, &f->fifo[(f->fifo_head + i) % SL_FPU_FIFO]);
  const uint64_t tokens = sl_image_number(w, f->tokens >> now | f->tokens << 1 << (63 - now));
  if (w->reads)
    f->tokens = tokens >> back | tokens << 1 << (63 - back);
  for (uint64_t rest = tokens; rest; rest &= rest - 1)
    sl_image_response(w, &f->token[(now + sl_lowest(rest)) % SL_FPU_TOKENS]);
}

void sl_image_divider(struct sl_image_walk *w, struct sl_divider *d)
{
  SL_IMAGE_WORD(w, d->count);
  sl_image_moment(w, &d->taken);
  d->head = w->reads ? 0 : d->head;
  for (unsigned n = 0; n < d->count; n++) {
    const unsigned place = (d->head + n) % SL_DIVIDER_MAX_DEPTH;
    sl_image_moment(w, &d->ready[place]);
    sl_image_response(w, &d->response[place]);
  }
}

static void service(struct sl_image_walk *w, const struct sl_scratchpad_events *s, struct sl_scratchpad_service *latest)
{
  const bool past = !w->reads && latest->end <= w->now - SL_IMAGE_PAST;
  const unsigned place = sl_image_turned(w, (unsigned)latest->answer, s->head, SL_SCRATCHPAD_ANSWERS);
  const bool waits = !past && latest->answer >= 0 && (w->reads || place < s->count);
  const uint64_t kept = sl_image_number(
      w, past ? 0 : latest->passes | (uint64_t)latest->words << 16 | (uint64_t)(waits ? place + 1 : 0) << 32);
  sl_image_moment(w, &latest->put);
  sl_image_moment(w, &latest->start);
  sl_image_moment(w, &latest->end);
  if (!w->reads)
    return;
  latest->passes = (uint16_t)kept;
  latest->words = (uint16_t)(kept >> 16);
  latest->answer = (int8_t)((int)(kept >> 32) - 1);
}

void sl_image_scratchpad(struct sl_image_walk *w, struct sl_scratchpad_events *s)
{
  sl_image_moment(w, &s->answer);
  sl_image_moment(w, &s->taken);
  SL_IMAGE_WORD(w, s->count);
  s->head = w->reads ? 0 : s->head;
  for (unsigned n = 0; n < s->count; n++) {
    struct sl_scratchpad_answer *a = sl_scratchpad_answer_at(s, n);
    sl_image_response(w, &a->response);
    if (n == 0) { /* its time is known: s->answer */
      sl_image_moment(w, &a->ready);
      sl_image_moment(w, &a->accumulated);
    } else {
      sl_image_recent(w, &a->ready);
      sl_image_recent(w, &a->accumulated);
    }
  }
  for (unsigned i = 0; i < 2; i++)
    service(w, s, &s->latest[i]);
}
