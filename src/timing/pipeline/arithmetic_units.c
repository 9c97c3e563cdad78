#include "timing/pipeline/arithmetic_units.h"

#include <string.h>

#include "timing/pipeline/instruction_fetch.h"
#include "timing/pipeline/register_file.h"
#include "timing/pipeline/scalar_pipeline.h"
#include "timing/pipeline/warp_scheduler.h"

void sl_fpu_init(struct sl_fpu *f, const uint8_t latency[SL_FPU_CLASS_COUNT], unsigned limit)
{
  memset(f, 0, sizeof *f);
  memcpy(f->latency, latency, sizeof f->latency);
  f->limit = limit;
}

static const uint8_t of_class[SL_CLASS_COUNT] = {
    [SL_CLASS_FADD] = SL_FPU_ADD,          [SL_CLASS_FMUL] = SL_FPU_MUL,       [SL_CLASS_FDIV] = SL_FPU_DIV,
    [SL_CLASS_FSQRT] = SL_FPU_SQRT,        [SL_CLASS_FMINMAX] = SL_FPU_MINMAX, [SL_CLASS_FTOINT] = SL_FPU_TO_INT,
    [SL_CLASS_FFROMINT] = SL_FPU_FROM_INT, [SL_CLASS_FEQUAL] = SL_FPU_EQUAL,   [SL_CLASS_FLESS] = SL_FPU_LESS,
};

enum sl_fpu_class sl_fpu_class(const struct sl_insn *in)
{
  return (enum sl_fpu_class)of_class[sl_op_info(in->op)->class];
}

void sl_fpu_cycle(struct sl_fpu *f, int64_t now)
{
  const unsigned released = f->consumed;
  f->consumed = false;
  if (!f->response.full && f->fifo_count > 0) {
    sl_pipeline_put(&f->response, f->fifo[f->fifo_head]);
    f->fifo_head = (f->fifo_head + 1) % SL_FPU_FIFO;
    f->fifo_count--;
  }
  const unsigned leaving = (unsigned)now % SL_FPU_TOKENS;
  if (f->tokens & sl_bit(leaving)) {
    f->fifo[(f->fifo_head + f->fifo_count++) % SL_FPU_FIFO] = f->token[leaving];
    f->tokens &= ~sl_bit(leaving);
  }
  /* Slot L now holds the token that leaves in now + L. An entry into slot L-1 in the next cycle would leave then, too.
   */
  const unsigned slot = (unsigned)(now + f->request_latency) % SL_FPU_TOKENS;
  if (f->request.full && f->in_use != f->limit && !(f->tokens & sl_bit(slot))) {
    f->token[slot] = f->request.item;
    f->tokens |= sl_bit(slot);
    f->request.full = false;
    f->in_use++;
  }
  f->in_use -= released;
}

void sl_fpu_put(struct sl_fpu *f, const struct sl_insn *in, struct sl_response response)
{
  sl_pipeline_put(&f->request, response);
  f->request_latency = f->latency[sl_fpu_class(in)];
}

/* ---- tables ---------------------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_scheduler_schema, struct sl_scheduler, NULL, SL_ANY(history));

/* ---- suspension and barrier -------------------------------------------------------------------------------------- */

static bool is_live(const struct sl_suspension *s, int64_t warps)
{
  bool valid = true;
  for (unsigned i = 0; i < warps; i++)
    valid &= (s->lanes[i] != 0) == (s->live >> i & 1);
  return valid;
}

SL_CHECKED_SCHEMA(sl_suspension_schema, struct sl_suspension, is_live(self, limit[SL_LIMIT_WARPS]),
                  SL_SET_OF(SL_LIMIT_ALL_WARPS, registered, live, waiting), SL_SET_OF(SL_LIMIT_ALL_LANES, lanes));

/* Before the first kernel there are no warps. */
SL_CHECKED_SCHEMA(sl_barrier_schema, struct sl_barrier,
                  self->warps == limit[SL_LIMIT_WARPS] ||
                      (self->warps == 0 && self->waiting == 0 && self->snapshot == 0),
                  SL_SET_OF(SL_LIMIT_ALL_WARPS, waiting, snapshot), SL_MOST(SL_BARRIER_RELEASE, state), SL_ANY(success),
                  SL_UP_TO_LIMIT(SL_LIMIT_WARPS, warps, count), SL_BELOW_LIMIT(SL_LIMIT_WARPS, block, warp));

/* ---- multiplier, divider, FPU ------------------------------------------------------------------------------------ */

SL_SCHEMA(sl_multiplier_schema, struct sl_multiplier, NULL, SL_BELOW(1 << SL_MULTIPLIER_RING, occupied), SL_ANY(head),
          SL_STRUCTS(sl_response_schema, ring), SL_STRUCTS(sl_register_queue_schema, result));

SL_CHECKED_SCHEMA(sl_multiplier_events_schema, struct sl_multiplier_events,
                  self->product == (self->count == 0 ? SL_NEVER : self->out[self->head]) &&
                      (self->count == 0 || self->product != SL_NEVER),
                  SL_TIMES(product, due, out), SL_BELOW(SL_MULTIPLIER_PLACES, head),
                  SL_MOST(SL_MULTIPLIER_STAGES + SL_MULTIPLIER_RESULTS, count),
                  SL_STRUCTS(sl_response_schema, response));

SL_SCHEMA(sl_resume_schema, struct sl_resume, NULL, SL_BELOW(1 << SL_RESUME_PRODUCT, full),
          SL_STRUCTS(sl_response_schema, item));

enum { DIVIDER_LATENCY = 1 << 16 /* exceeds every key's range */ };

SL_CHECKED_SCHEMA(sl_divider_schema, struct sl_divider, self->count <= self->depth, SL_MOST(SL_DIVIDER_PIPELINED, kind),
                  SL_MOST(DIVIDER_LATENCY, latency), SL_MOST(SL_DIVIDER_MAX_DEPTH, depth), SL_ANY(count),
                  SL_BELOW(SL_DIVIDER_MAX_DEPTH, head), SL_CYCLES(taken),
                  SL_RANGE(0, SL_LIMIT_NOW, DIVIDER_LATENCY, ready), SL_STRUCTS(sl_response_schema, response));

SL_CHECKED_SCHEMA(sl_fpu_schema, struct sl_fpu, self->in_use <= self->limit + 1,
                  SL_MOST(SL_FPU_MAX_LATENCY, latency, request_latency), SL_MOST(SL_FPU_FIFO, limit, fifo_count),
                  SL_ANY(in_use, tokens, consumed), SL_BELOW(SL_FPU_FIFO, fifo_head),
                  SL_STRUCTS(sl_response_schema, token, fifo), SL_STRUCTS(sl_pipeline_queue_schema, request, response));

/* ---- front end and load FIFO ------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_fetched_schema, struct sl_fetched, NULL, SL_ANY(pc, redirects, valid),
          SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp));

/* Before the first kernel both are 0. */
SL_CHECKED_SCHEMA(sl_instruction_fetch_schema, struct sl_instruction_fetch,
                  (self->warps == 0 && self->word_bytes == 0) ||
                      (self->warps == limit[SL_LIMIT_WARPS] && self->word_bytes == sizeof(uint32_t)),
                  SL_ANY(warps, word_bytes, redirects), SL_SET_OF(SL_LIMIT_ALL_WARPS, full), SL_ANY(pc),
                  SL_STRUCTS(sl_fetched_schema, stage, buffer));

SL_SCHEMA(sl_load_fifo_schema, struct sl_load_fifo, NULL, SL_BELOW_LIMIT_OR_NONE(SL_LIMIT_WARPS, gathered, waiting),
          SL_BELOW(SL_MAX_WARPS, head, finished_head), SL_MOST(SL_MAX_WARPS, count, finished_count),
          SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp, finished), SL_TIMES(answer));

/* ---- the compressed register file -------------------------------------------------------------------------------- */

static SL_SCHEMA(regular_schema, struct sl_regular, NULL, SL_ANY(base, stride, regular, once),
                 SL_BELOW(SL_REGISTERS, rd));

static SL_CHECKED_SCHEMA(entries_schema, struct sl_warp_registers, !self->result.regular || self->result.stride <= 4,
                         SL_ANY(vector, spilled, affine, zero, stale, base, slot), SL_STRUCTS(regular_schema, result),
                         SL_MOST(4, stride));

static SL_SCHEMA(spec_schema, struct sl_register_file_spec, NULL, SL_KEYS(lanes, warps, slots),
                 SL_ANY(affine, once, addresses));

static SL_SCHEMA(series_schema, struct sl_series, NULL, SL_ANY(period, value), SL_MOST(SL_SERIES_SIZE, count));

/* Every slot is free or holds one vector. */
static bool slots_valid(struct sl_archive *t, const struct sl_register_file *f)
{
  if (f->free_count > f->spec.slots)
    return false;
  for (unsigned i = 0; i < f->free_count; i++)
    sl_archive_give(t, 0, 0, f->free[i], 1);
  for (unsigned w = 0; w < f->spec.warps; w++)
    for (uint32_t rest = f->warp[w].vector; rest; rest &= rest - 1)
      sl_archive_give(t, 0, 0, f->warp[w].slot[sl_lowest(rest)], 1);
  sl_archive_take_all(t, 0, 0, f->spec.slots);
  return true;
}

static bool file_valid(struct sl_archive *t, const struct sl_register_file *f, int64_t now)
{
  const int64_t period = (int64_t)f->series.period;
  int64_t in_use = (int64_t)f->in_use;
  if (f->spec.slots == 0) /* a plain register file */
    return f->free_count == 0;
  for (unsigned i = 0; i < SL_REGISTER_RING; i++)
    in_use += f->change[i];
  return slots_valid(t, f) && in_use == (int64_t)f->spec.slots - f->free_count && period > 0 &&
         period < SL_CYCLES_MAX && f->series_next >= now - period && f->series_next <= now + 2 * period &&
         f->next_sample >= now - SL_SLOT_SAMPLE_CYCLES && f->next_sample <= now + SL_SLOT_SAMPLE_CYCLES;
}

SL_CHECKED_SCHEMA(
    sl_register_file_schema, struct sl_register_file, file_valid(t, self, limit[SL_LIMIT_NOW]),
    SL_STRUCTS(spec_schema, spec),
    SL_ANY(in_use, most, samples, next_sample, change, writes[0].index, writes[1].index, free_count, free),
    SL_RANGE(-SL_REGISTER_WRITE_STAGES - 1, SL_LIMIT_NONE, SL_CYCLES_MAX - 1, writes[0].cycle, writes[1].cycle),
    SL_STRUCTS(entries_schema, warp), SL_STRUCTS(series_schema, series), SL_ANY(series_next, series_most));

SL_SCHEMA(sl_spill_schema, struct sl_spill, NULL, SL_KEYS(policy, threshold), SL_SET_OF(SL_LIMIT_ALL_WARPS, spilling),
          SL_STRUCTS(sl_scheduler_schema, scheduler), SL_RANGE(-1, SL_LIMIT_NONE, SL_REGISTERS - 1, victim),
          SL_RANGE(-1, SL_LIMIT_WARPS, -1, clearing), SL_ANY(mode, uses, preferred, spills, unspills, fruitless));

/* ---- the scalar pipeline ----------------------------------------------------------------------------------------- */

static SL_SCHEMA(slot_schema, struct sl_scalar_slot, NULL, SL_ANY(full, returns, writes, suspends),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW(SL_REGISTERS, rd));

SL_SCHEMA(sl_scalar_pipeline_schema, struct sl_scalar_pipeline, NULL,
          SL_SET_OF(SL_LIMIT_ALL_WARPS, queue, entering, refused, suspended), SL_UP_TO_LIMIT(SL_LIMIT_WARPS, resident),
          SL_STRUCTS(sl_scheduler_schema, scheduler), SL_RANGE(-1, SL_LIMIT_WARPS, -1, pipeline, resumed),
          SL_STRUCTS(slot_schema, leaving), SL_STRUCTS(sl_pipeline_queue_schema, resume),
          SL_STRUCTS(sl_multiplier_schema, multiplier), SL_STRUCTS(sl_divider_schema, divider),
          SL_ANY(active, in_pipeline, multiplier_ready, issues, aborts, bubbles, retries, misfits));
