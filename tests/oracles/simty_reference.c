/* The oracle of test builds that machine/simty/simty_sm.h declares. */
#include "machine/simty/simty_sm.h"

#include <stdlib.h>
#include <string.h>

#include "stepped_scratchpad.h"
#include "timing/pipeline/arithmetic_units.h"

struct sl_simty_reference {
  bool in_step;
  struct sl_multiplier multiplier;
  struct sl_scratchpad scratchpad;
  bool multiplier_ready;
};

bool sl_simty_reference_create(struct sl_simty_core *sm)
{
  sm->reference = calloc(1, sizeof *sm->reference);
  return sm->reference != NULL;
}

void sl_simty_reference_free(struct sl_simty_core *sm)
{
  free(sm->reference);
}

void sl_simty_reference_start(struct sl_simty_core *sm)
{
  sm->reference->in_step = true;
  sl_multiplier_init(&sm->reference->multiplier);
  sl_scratchpad_init(&sm->reference->scratchpad);
}

void sl_simty_reference_lose(struct sl_simty_core *sm)
{
  sm->reference->in_step = false;
}

void sl_simty_reference_put(struct sl_simty_core *sm, const struct sl_scratchpad_request *request)
{
  if (sm->reference->in_step)
    sl_scratchpad_put(&sm->reference->scratchpad, *request, (int64_t)sm->s.cycle);
}

void sl_simty_reference_multiply(struct sl_simty_core *sm, struct sl_response response)
{
  if (sm->reference->in_step)
    sl_multiplier_put(&sm->reference->multiplier, response);
}

static void differs(struct sl_simty_core *sm, const char *what)
{
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = what};
  sm->base.state = SL_SM_FAULTED;
}

/* Starts the reference models with the current counts. */
static void join(struct sl_simty_core *sm, int64_t now)
{
  sl_simty_reference_start(sm);
  sm->reference->scratchpad.words = sl_scratchpad_events_counts(&sm->s.scratchpad, now).words;
}

void sl_simty_reference_cycle(struct sl_simty_core *sm, int64_t now)
{
  struct sl_simty_reference *b = sm->reference;
  const struct sl_multiplier_events *m = &sm->s.multiplier;
  const struct sl_scratchpad_events *s = &sm->s.scratchpad;
  if (!b->in_step && !sl_multiplier_events_busy(m) && !sl_scratchpad_events_busy(s, now))
    join(sm, now);
  if (!b->in_step)
    return;
  const bool product = b->multiplier.result.count > 0, answer = b->scratchpad.response.full;
  if (product != (m->product < now) ||
      (product && !sl_response_same(sl_register_take(&b->multiplier.result, now), sl_multiplier_events_oldest(m))))
    differs(sm, "the event-driven multiplier gives another result than its reference model");
  if (answer != sl_scratchpad_events_can_take(s, now) ||
      (answer && !sl_response_same(sl_shift_take(&b->scratchpad.response, now), s->ring[s->head].response)))
    differs(sm, "the event-driven scratchpad gives another answer than its reference model");
  b->multiplier_ready = sl_multiplier_cycle(&b->multiplier, now);
  sl_scratchpad_cycle(&b->scratchpad, now);
}

void sl_simty_reference_compare(struct sl_simty_core *sm, int64_t now)
{
  struct sl_simty_reference *b = sm->reference;
  if (!b->in_step)
    return;
  if (b->multiplier_ready != sl_multiplier_events_can_put(&sm->s.multiplier, now) ||
      sl_scratchpad_can_put(&b->scratchpad, now) != sl_scratchpad_events_can_put(&sm->s.scratchpad, now))
    differs(sm, "an event-driven unit and its reference model disagree on free space");
  if (b->scratchpad.words != sl_scratchpad_events_counts(&sm->s.scratchpad, now + 1).words)
    differs(sm, "the event-driven scratchpad has served other words than its reference model");
}
