#include "unit/units_validate.h"

bool sl_suspension_valid(const struct sl_suspension *s, struct sl_shape shape)
{
  sl_warps warps = s->registered | s->live;
  for (unsigned i = 0; i < SL_WAIT_COUNT; i++)
    warps |= s->waiting[i];
  for (unsigned i = 0; i < shape.warps; i++)
    if ((s->lanes[i] & ~shape.lanes) != 0 || (s->lanes[i] != 0) != (s->live >> i & 1))
      return false;
  return sl_warps_valid(warps, shape);
}

bool sl_barrier_valid(const struct sl_barrier *b, struct sl_shape shape)
{
  const bool none = b->warps == 0 && b->waiting == 0 && b->snapshot == 0; /* before the first kernel */
  return sl_bool_valid(&b->success) && (none || b->warps == shape.warps) && b->state <= SL_BARRIER_RELEASE &&
         b->block < shape.warps && b->warp < shape.warps && b->count <= shape.warps &&
         sl_warps_valid(b->waiting | b->snapshot, shape);
}

bool sl_multiplier_valid(const struct sl_multiplier *m, struct sl_shape shape)
{
  return m->occupied < 1u << SL_MULTIPLIER_RING && sl_responses_valid(m->ring, SL_MULTIPLIER_RING, shape) &&
         sl_register_queue_valid(&m->result, shape);
}

bool sl_multiplier_events_valid(const struct sl_multiplier_events *m, int64_t now, struct sl_shape shape)
{
  enum { SOON = 1 << 20 };
  if (m->head >= SL_MULTIPLIER_PLACES || m->count > SL_MULTIPLIER_STAGES + SL_MULTIPLIER_RESULTS ||
      (m->count == 0) != (m->product == SL_NEVER))
    return false;
  for (unsigned i = 0; i < SL_MULTIPLIER_PLACES; i++)
    if (m->due[i] < 0 || m->due[i] > now + SOON || m->out[i] < 0 || (m->out[i] > now + SOON && m->out[i] != SL_NEVER))
      return false;
  return (m->count == 0 || m->product == m->out[m->head]) &&
         sl_responses_valid(m->response, SL_MULTIPLIER_PLACES, shape);
}

bool sl_resume_valid(const struct sl_resume *r, struct sl_shape shape)
{
  return r->full >> SL_RESUME_PRODUCT == 0 && sl_responses_valid(r->item, SL_RESUME_PLACES, shape);
}

bool sl_divider_valid(const struct sl_divider *d, int64_t now, struct sl_shape shape)
{
  enum { LATENCY = 1 << 16 /* exceeds every key's range */ };
  if ((unsigned)d->kind > SL_DIVIDER_PIPELINED || d->latency > LATENCY || d->depth > SL_DIVIDER_MAX_DEPTH ||
      d->head >= SL_DIVIDER_MAX_DEPTH || d->count > d->depth || !sl_cycle_valid(d->taken))
    return false;
  for (unsigned i = 0; i < d->count; i++)
    if (d->ready[(d->head + i) % SL_DIVIDER_MAX_DEPTH] < 0 ||
        d->ready[(d->head + i) % SL_DIVIDER_MAX_DEPTH] > now + d->latency)
      return false;
  return sl_responses_valid(d->response, SL_DIVIDER_MAX_DEPTH, shape);
}

bool sl_fpu_valid(const struct sl_fpu *f, struct sl_shape shape)
{
  for (unsigned i = 0; i < SL_FPU_CLASS_COUNT; i++)
    if (f->latency[i] > SL_FPU_MAX_LATENCY)
      return false;
  return f->limit <= SL_FPU_FIFO && f->request_latency <= SL_FPU_MAX_LATENCY && f->in_use <= f->limit + 1 &&
         f->fifo_head < SL_FPU_FIFO && f->fifo_count <= SL_FPU_FIFO && sl_bool_valid(&f->consumed) &&
         sl_pipeline_queue_valid(&f->request, shape) && sl_pipeline_queue_valid(&f->response, shape) &&
         sl_responses_valid(f->token, SL_FPU_TOKENS, shape) && sl_responses_valid(f->fifo, SL_FPU_FIFO, shape);
}

/* ---- front end and load FIFO ------------------------------------------------------------------------------------ */

bool sl_fetch_valid(const struct sl_instruction_fetch *f, unsigned word_bytes, struct sl_shape shape)
{
  const bool none = f->warps == 0 && f->word_bytes == 0; /* before the first kernel */
  if (!sl_warps_valid(f->full, shape) || (!none && (f->warps != shape.warps || f->word_bytes != word_bytes)))
    return false;
  for (unsigned i = 0; i < SL_FETCH_STAGES; i++)
    if (f->stage[i].warp >= shape.warps || !sl_bool_valid(&f->stage[i].valid))
      return false;
  for (unsigned i = 0; i < shape.warps; i++)
    if (f->buffer[i].warp >= shape.warps || !sl_bool_valid(&f->buffer[i].valid))
      return false;
  return true;
}

bool sl_load_fifo_valid(const struct sl_load_fifo *f, int64_t now, int64_t latency, struct sl_shape shape)
{
  if (!sl_index_valid(f->gathered, shape.warps) || !sl_index_valid(f->waiting, shape.warps) ||
      f->head >= SL_MAX_WARPS || f->count > SL_MAX_WARPS || f->finished_head >= SL_MAX_WARPS ||
      f->finished_count > SL_MAX_WARPS)
    return false;
  for (unsigned i = 0; i < SL_MAX_WARPS; i++)
    if (f->warp[i] >= shape.warps || f->finished[i] >= shape.warps)
      return false;
  for (unsigned i = 0; i < f->count; i++)
    if (f->answer[(f->head + i) % SL_MAX_WARPS] < 0 || f->answer[(f->head + i) % SL_MAX_WARPS] > now + latency)
      return false;
  return true;
}

/* ---- the compressed register file ------------------------------------------------------------------------------- */

static bool entries_valid(const struct sl_warp_registers *r)
{
  for (unsigned i = 0; i < SL_REGISTERS; i++)
    if (r->stride[i] > 4)
      return false;
  return SL_BOOLS_VALID(&r->result.regular, &r->result.once) && (!r->result.regular || r->result.stride <= 4) &&
         r->result.rd < SL_REGISTERS;
}

/* Every slot is free or holds one vector. */
static bool slots_valid(const struct sl_register_file *f)
{
  bool seen[SL_MAX_WARPS * SL_REGISTERS] = {false};
  unsigned found = 0;
  if (f->free_count > f->spec.slots)
    return false;
  for (; found < f->free_count; found++) {
    if (f->free[found] >= f->spec.slots || seen[f->free[found]])
      return false;
    seen[f->free[found]] = true;
  }
  for (unsigned w = 0; w < f->spec.warps; w++)
    for (uint32_t rest = f->warp[w].vector; rest; rest &= rest - 1, found++) {
      const unsigned slot = f->warp[w].slot[sl_lowest(rest)];
      if (slot >= f->spec.slots || seen[slot])
        return false;
      seen[slot] = true;
    }
  return found == f->spec.slots;
}

static bool series_valid(const struct sl_register_file *f, int64_t now)
{
  const int64_t period = (int64_t)f->series.period;
  return f->series.count <= SL_SERIES_SIZE && period > 0 && period < SL_CYCLES_MAX && f->series_next >= now - period &&
         f->series_next <= now + 2 * period && f->next_sample >= now - SL_SLOT_SAMPLE_CYCLES &&
         f->next_sample <= now + SL_SLOT_SAMPLE_CYCLES;
}

bool sl_register_file_valid(const struct sl_register_file *f, const struct sl_register_file *live, int64_t now)
{
  int64_t in_use = (int64_t)f->in_use;
  if (f->spec.lanes != live->spec.lanes || f->spec.warps != live->spec.warps || f->spec.slots != live->spec.slots ||
      !SL_BOOLS_VALID(&f->spec.affine, &f->spec.once, &f->spec.addresses))
    return false;
  if (f->spec.slots == 0) /* a plain register file */
    return f->free_count == 0;
  for (unsigned w = 0; w < f->spec.warps; w++)
    if (!entries_valid(&f->warp[w]))
      return false;
  for (unsigned i = 0; i < SL_REGISTER_RING; i++)
    in_use += f->change[i];
  for (unsigned i = 0; i < 2; i++)
    if (f->writes[i].cycle < -SL_REGISTER_WRITE_STAGES - 1 || f->writes[i].cycle >= SL_CYCLES_MAX)
      return false;
  return slots_valid(f) && in_use == (int64_t)f->spec.slots - f->free_count && series_valid(f, now);
}

bool sl_spill_valid(const struct sl_spill *s, const struct sl_spill *live, struct sl_shape shape)
{
  if (s->policy != live->policy || s->threshold != live->threshold || !sl_bool_valid(&s->mode) ||
      !sl_warps_valid(s->spilling, shape))
    return false;
  for (unsigned i = 0; i < shape.warps; i++)
    if (!sl_index_valid(s->victim[i], SL_REGISTERS))
      return false;
  for (unsigned i = 0; i < SL_SPILL_RING; i++)
    if (!sl_index_valid(s->clearing[i], shape.warps))
      return false;
  return true;
}

/* ---- the scalar pipeline ---------------------------------------------------------------------------------------- */

bool sl_scalar_valid(const struct sl_scalar_pipeline *p, int64_t now, struct sl_shape shape)
{
  const struct sl_scalar_slot *l = &p->leaving;
  if (!SL_BOOLS_VALID(&p->active, &p->multiplier_ready, &l->full, &l->returns, &l->writes, &l->suspends) ||
      l->warp >= shape.warps || l->rd >= SL_REGISTERS || !sl_index_valid(p->resumed, shape.warps) ||
      p->resident > shape.warps || !sl_warps_valid(p->queue | p->entering | p->refused | p->suspended, shape))
    return false;
  for (unsigned i = 0; i < SL_SCALAR_RING; i++)
    if (!sl_index_valid(p->pipeline[i], shape.warps))
      return false;
  return sl_pipeline_queue_valid(&p->resume, shape) && sl_multiplier_valid(&p->multiplier, shape) &&
         sl_divider_valid(&p->divider, now, shape);
}
