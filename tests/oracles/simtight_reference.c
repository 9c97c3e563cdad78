/* The oracle of test builds that machine/simtight/simtight_sm.h declares. */
#include "machine/simtight/simtight_sm.h"

#include <stdlib.h>
#include <string.h>

#include "stepped_coalescer.h"
#include "timing/pipeline/arithmetic_units.h"

struct sl_simtight_reference {
  bool in_step;
  bool last_was_dram;
  struct sl_pipeline_queue answer; /* of the merge */
  struct sl_coalescer coalescer;
  struct sl_dram dram;
  struct sl_scratchpad scratchpad;
  struct sl_stack_cache stack_cache;
  struct sl_multiplier multiplier;
  bool multiplier_ready;
  bool resume_was_full; /* before this cycle's merge */
  unsigned products;    /* instructions in the event-driven multiplier before it */
};

bool sl_simtight_reference_create(struct sl_simtight_sm *sm)
{
  sm->reference = aligned_alloc(SL_CACHE_LINE, sizeof *sm->reference);
  if (sm->reference != NULL)
    memset(sm->reference, 0, sizeof *sm->reference);
  return sm->reference != NULL;
}

void sl_simtight_reference_free(struct sl_simtight_sm *sm)
{
  free(sm->reference);
}

void sl_simtight_reference_start(struct sl_simtight_sm *sm)
{
  struct sl_simtight_reference *b = sm->reference;
  b->in_step = true;
  b->last_was_dram = sm->s.path.last_was_dram;
  b->answer.full = false;
  sl_coalescer_init(&b->coalescer, &sm->s.path.spec);
  sl_dram_init(&b->dram, sm->spec.dram_latency, sm->spec.dram_outstanding);
  sl_scratchpad_init(&b->scratchpad);
  b->stack_cache = sm->s.stack_cache;
  sl_multiplier_init(&b->multiplier);
}

void sl_simtight_reference_lose(struct sl_simtight_sm *sm)
{
  sm->reference->in_step = false;
}

void sl_simtight_reference_put(struct sl_simtight_sm *sm, const struct sl_request *request)
{
  struct sl_simtight_reference *b = sm->reference;
  if (!b->in_step)
    return;
  *sl_coalescer_next(&b->coalescer) = *request;
  sl_coalescer_put(&b->coalescer);
}

void sl_simtight_reference_multiply(struct sl_simtight_sm *sm, struct sl_response response)
{
  if (sm->reference->in_step)
    sl_multiplier_put(&sm->reference->multiplier, response);
}

void sl_simtight_reference_answer(struct sl_simtight_sm *sm, struct sl_response response)
{
  if (sm->reference->in_step)
    sl_pipeline_put(&sm->reference->answer, response);
}

/* The fair 2:1 merge of DRAM and scratchpad answers. */
static void merge(struct sl_simtight_reference *b, int64_t now)
{
  struct sl_shift_queue *dram = &b->coalescer.response, *scratchpad = &b->scratchpad.response;
  const bool take_scratchpad = scratchpad->full && (!dram->full || b->last_was_dram);
  if (b->answer.full || (!take_scratchpad && !dram->full))
    return;
  sl_pipeline_put(&b->answer, sl_shift_take(take_scratchpad ? scratchpad : dram, now));
  b->last_was_dram = !take_scratchpad;
}

static void step(struct sl_simtight_reference *b, const struct sl_lane_ops *ops, int64_t now)
{
  merge(b, now);
  const bool taken = sl_coalescer_respond(&b->coalescer, &b->dram, now);
  sl_dram_cycle(&b->dram, now, taken);
  sl_scratchpad_cycle(&b->scratchpad, now);
  sl_coalescer_cycle(&b->coalescer, ops, &b->dram, &b->scratchpad, &b->stack_cache, now);
  b->multiplier_ready = sl_multiplier_cycle(&b->multiplier, now);
}

static void differs(struct sl_simtight_sm *sm, const char *what)
{
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = what};
  sm->base.state = SL_SM_FAULTED;
}

/* Starts the reference models with the current counts. */
static void join(struct sl_simtight_sm *sm, int64_t now)
{
  sl_simtight_reference_start(sm);
  sm->reference->dram.beats = sl_dram_events_beats(&sm->s.path.dram, now);
  sm->reference->scratchpad.passes = sl_scratchpad_events_counts(&sm->s.path.scratchpad, now).passes;
}

void sl_simtight_reference_cycle(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_simtight_reference *b = sm->reference;
  if (!b->in_step && !sl_request_path_busy(&sm->s.path, now) && !sl_multiplier_events_busy(&sm->s.multiplier) &&
      sm->s.resume.full == 0)
    join(sm, now);
  if (!b->in_step)
    return;
  b->resume_was_full = sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE);
  b->products = sm->s.multiplier.count;
}

void sl_simtight_reference_compare(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_simtight_reference *b = sm->reference;
  const struct sl_request_path *p = &sm->s.path;
  const struct sl_response *item = sm->s.resume.item;
  const bool answer = sl_resume_has(&sm->s.resume, SL_RESUME_MEMORY);
  if (!b->in_step)
    return;
  const bool resumed = sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE) && !b->resume_was_full;
  const bool product = sm->s.multiplier.count < b->products;
  if (product && !sl_response_same(sl_register_take(&b->multiplier.result, now), item[SL_RESUME_QUEUE]))
    differs(sm, "the event-driven multiplier gives another result than its reference model");
  if (resumed && !product && b->answer.full && sl_response_same(b->answer.item, item[SL_RESUME_QUEUE]))
    b->answer.full = false;
  step(b, sm->warps.ops, now);
  if (b->answer.full != answer || (answer && !sl_response_same(b->answer.item, item[SL_RESUME_MEMORY])))
    differs(sm, "the event-driven memory path gives another answer than its reference model");
  if (sl_coalescer_can_put(&b->coalescer, now) != sl_request_path_can_put(p, now))
    differs(sm, "the event-driven memory path and its reference model disagree on free space");
  if (b->dram.beats != sl_dram_events_beats(&p->dram, now + 1))
    differs(sm, "event-driven DRAM has moved other beats than its reference model");
  if (b->scratchpad.passes != sl_scratchpad_events_counts(&p->scratchpad, now + 1).passes)
    differs(sm, "the event-driven scratchpad has served other passes than its reference model");
  if (b->multiplier_ready != sl_multiplier_events_can_put(&sm->s.multiplier, now) ||
      (b->multiplier.result.count > 0) != (sm->s.multiplier.product < now + 1))
    differs(sm, "the event-driven multiplier and its reference model are not in step");
}

void sl_simtight_reference_skip(struct sl_simtight_sm *sm, int64_t cycles)
{
  struct sl_simtight_reference *b = sm->reference;
  const int64_t end = sm->s.cycle + cycles; /* cycle in which the merge may find a product */
  for (int64_t now = sm->s.cycle; b->in_step && now < end; now++) {
    step(b, sm->warps.ops, now);
    if (b->answer.full || (b->multiplier.result.count > 0 && now + 1 < end))
      differs(sm, "a skipped cycle had an answer");
  }
}
